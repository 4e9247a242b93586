"""The sentences of a result: their words, their scores, the rows of their tuples."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.explain.explanation import Explanation

pytestmark = pytest.mark.parser
ENGLISH = "The image shows a market.In front, a woman in a yellow dress holds a basket. She is smiling at a man. Yes!"
JAPANESE = "画像には、台所で料理をしている女性が写っています。彼女は赤いエプロンを着けています。椅子の上で猫が眠っています。"


def explained(spice: Spice, candidate: str, references: list[str]) -> Explanation:
    return Explanation.of(spice.compute(candidate, references), spice)


@pytest.fixture(scope="module")
def english() -> Explanation:
    return explained(Spice("en"), ENGLISH, ["A man stands. A woman smiles at him.", "A market."])


def written(explanation: Explanation) -> list[list[str]]:
    return [["".join(span.text for span in passage.spans).strip() for passage in caption] for caption in explanation.passages]


def test_the_words_of_all_sentences_are_those_of_the_captions(english):
    for sentences, spans in zip(english.passages, english.captions, strict=True):
        assert "".join(span.text for passage in sentences for span in passage.spans) == "".join(span.text for span in spans)
    assert written(english)[0] == [
        "The image shows a market.",
        "In front, a woman in a yellow dress holds a basket.",
        "She is smiling at a man.",
        "Yes!",
    ]


def test_each_sentence_has_its_score_and_rows(english):
    flat = [passage for caption in english.passages for passage in caption]
    assert [passage.score for passage in flat] == list(english.result.sentences)
    assert all(len(set(passage.rows)) == passage.score.tuples for passage in flat)
    assert [passage.id for passage in flat] == ["0.0", "0.1", "0.2", "0.3", "1.0", "1.1", "2.0"]
    known = {row.id for row in english.rows}
    assert all(row in known for passage in flat for row in passage.rows)


def test_a_pronoun_mentions_its_noun_in_both_sentences(english):
    woman = next(row.id for row in english.rows if row.parts == ("woman",))
    assert [woman in passage.rows for passage in english.passages[0]] == [False, True, True, False]


def test_short_captions_have_no_passages():
    assert explained(Spice("en"), "A dog runs.", ["A dog.", "A cat sits."]).passages == ((), (), ())


def test_japanese_sentences_are_counted_although_steps_join_them():
    found = explained(Spice("ja"), JAPANESE, ["女性が青いエプロンを着けている。"])
    assert written(found)[0] == [
        "画像には、台所で料理をしている女性が写っています。",
        "彼女は赤いエプロンを着けています。",
        "椅子の上で猫が眠っています。",
    ]
    tuples = {row.id: row.parts for row in found.rows}
    second = {tuples[row] for row in found.passages[0][1].rows}
    assert {("エプロン", "赤い"), ("女性", "着ける", "エプロン"), ("女性",), ("エプロン",)} == second
    assert [passage.score.matched for passage in found.passages[0]] == [1, 3, 0]
