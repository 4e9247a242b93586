"""Errors have the expected English and Japanese texts, even after pickling."""

import pickle

import pytest

from spice_core.data.reader import RowError
from spice_core.errors import InputError, Message, RuleError, SpiceError, UnknownNameError, message_in_language, not_installed_error
from spice_core.rules import Pattern

EMPTY_CAPTION_ERROR = RowError(
    "a.jsonl", Message("where.line", number=3), InputError(Message("where.field", name="test"), "", Message("expected.caption"))
)
EXPECTED_TEXTS: list[tuple[SpiceError, str, str]] = [
    (
        EMPTY_CAPTION_ERROR,
        "a.jsonl, line 3, field test: found '', expected a caption",
        "a.jsonl、3行目、項目test：実際の値は''、期待する値はキャプションです。",
    ),
    (
        InputError("x.csv", Message("found.empty_file"), Message("expected.header")),
        "x.csv: found an empty file, expected column names in the first line",
        "x.csv：実際の値は空のファイル、期待する値は列名のある1行目です。",
    ),
    (
        UnknownNameError(Message("kind.rules", language=Message("language.ja")), "x", ["b", "a"]),
        "unknown rule set for Japanese 'x'; known: a, b",
        "日本語の規則「x」はありません。使えるもの：a, b",
    ),
    (
        not_installed_error("sacrebleu", "pip install sacrebleu"),
        "sacrebleu is not installed; install it with: pip install sacrebleu",
        "sacrebleuがインストールされていません。次のコマンドでインストールしてください：pip install sacrebleu",
    ),
    (RuleError("a text of its own", excerpt="x\n^"), "a text of its own\nx\n^", "a text of its own\nx\n^"),
]


@pytest.mark.parametrize(("error", "english", "japanese"), EXPECTED_TEXTS)
def test_errors_agree_in_both_languages(error, english, japanese):
    for copied_error in (error, pickle.loads(pickle.dumps(error))):
        assert (str(copied_error), copied_error.text("en"), copied_error.text("ja")) == (english, english, japanese)


def test_the_place_in_a_pattern_is_reported_in_japanese():
    with pytest.raises(RuleError) as error_info:
        Pattern("{tag:NN} >")
    assert str(error_info.value) == "position 10: found '>', expected a relation such as >amod, or the end"
    assert error_info.value.text("ja") == "10文字目：実際の値は'>'、期待する値は>amodのような関係、またはパターンの終わりです。"


def test_unprintable_characters_in_values_are_escaped():
    error = InputError(Message("where.field", name="a\n\x1b"), 1, Message("expected.word"))
    assert str(error) == "field a\\n\\x1b: found 1, expected a word" and error.text("ja").startswith("項目a\\n\\x1b：")
    assert message_in_language("plain", "ja") == "plain"
