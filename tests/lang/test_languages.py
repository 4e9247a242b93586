"""Which language a caption is written in, and what a language shows above the words."""

from __future__ import annotations

import pytest

from spice_core.lang import detect_language, language
from spice_core.lang.pack import Argument
from spice_core.syntax.document import Dependency, Sentence, Token


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["A dog."], "en"),
        (["犬がいる"], "ja"),
        (["ＴシャツのロゴはABC"], "ja"),
        (["A sign says 止まれ in Japan"], "en"),
        (["犬", "A dog.", "A cat."], "en"),
        (["犬", "A dog."], "ja"),
        (["A dog.", "犬"], "en"),
        (["?", "犬"], "ja"),
        (["?"], "en"),
        ([], "en"),
        (["Собака"], "en"),
    ],
)
def test_detect_language(texts, code):
    assert detect_language(texts) == code


def test_a_text_without_letters_fits_everywhere():
    assert language("en").fits("?!") and language("ja").fits("3") and not language("en").fits("犬") and not language("ja").fits("dog")


def test_bunsetsu_and_arguments():
    texts = [
        ("二", "名詞-数詞"),
        ("匹", "接尾辞"),
        ("の", "助詞"),
        ("犬", "名詞"),
        ("が", "助詞"),
        ("見", "動詞"),
        ("た", "助動詞"),
        ("海", "名詞"),
    ]
    tokens = tuple(Token(i, text, "見る" if text == "見" else text, tag) for i, (text, tag) in enumerate(texts, 1))
    basic = (
        (2, 1, "nummod"),
        (4, 2, "nmod"),
        (2, 3, "case"),
        (6, 4, "nsubj"),
        (4, 5, "case"),
        (8, 6, "acl"),
        (6, 7, "aux"),
        (0, 8, "root"),
    )
    basic = tuple(Dependency(*edge) for edge in basic)
    sentence = Sentence(tokens, basic, (*basic, Dependency(6, 8, "obl:外の関係")))
    units, arguments = language("ja").structure(sentence)
    assert ["".join(token.text for token in unit) for unit in units] == ["二匹の", "犬が", "見た", "海"]
    assert arguments == (Argument("見る", "が", "犬"), Argument("見る", "外の関係", "海", read=False))
    assert language("en").structure(sentence) is None
