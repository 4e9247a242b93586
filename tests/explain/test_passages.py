"""Test the sentences of a result with their scores and rows, and the passages that contain a tuple."""

import pytest

from pages.parts.state import engine, settings
from pages.parts.state.engine import CaptionInputs
from spice_core import Spice
from spice_core.explain.evidence import locate_tuple
from spice_core.explain.explanation import Explanation

pytestmark = pytest.mark.parser
ENGLISH = "The image shows a market.In front, a woman in a yellow dress holds a basket. She is smiling at a man. Yes!"
JAPANESE = "画像には、台所で料理をしている女性が写っています。彼女は赤いエプロンを着けています。椅子の上で猫が眠っています。"


def explain(spice: Spice, candidate: str, references: list[str]) -> Explanation:
    return Explanation.from_result(spice.compute(candidate, references), spice)


@pytest.fixture(scope="module")
def english_explanation() -> Explanation:
    return explain(Spice("en"), ENGLISH, ["A man stands. A woman smiles at him.", "A market."])


def written_passages(explanation: Explanation) -> list[list[str]]:
    return [["".join(span.text for span in passage.spans).strip() for passage in caption] for caption in explanation.passages]


def test_sentences_have_the_words_scores_and_rows_of_their_captions(english_explanation):
    for sentences, spans in zip(english_explanation.passages, english_explanation.captions, strict=True):
        assert "".join(span.text for passage in sentences for span in passage.spans) == "".join(span.text for span in spans)
    front, she = "In front, a woman in a yellow dress holds a basket.", "She is smiling at a man."
    assert written_passages(english_explanation)[0] == ["The image shows a market.", front, she, "Yes!"]
    flat = [passage for caption in english_explanation.passages for passage in caption]
    assert [passage.score for passage in flat] == list(english_explanation.result.sentences)
    assert all(len(set(passage.rows)) == passage.score.tuples for passage in flat)
    assert [passage.id for passage in flat] == ["0.0", "0.1", "0.2", "0.3", "1.0", "1.1", "2.0"]
    known_ids = {row.id for row in english_explanation.rows}
    assert all(row in known_ids for passage in flat for row in passage.rows)
    woman = next(row.id for row in english_explanation.rows if row.parts == ("woman",))
    assert [woman in passage.rows for passage in english_explanation.passages[0]] == [False, True, True, False]
    assert explain(Spice("en"), "A dog runs.", ["A dog.", "A cat sits."]).passages == ((), (), ())
    passages = explain(Spice("ja"), JAPANESE, ["女性が青いエプロンを着けている。"])
    assert written_passages(passages)[0] == [f"{sentence}。" for sentence in JAPANESE.split("。")[:-1]]
    tuples = {row.id: row.parts for row in passages.rows}
    second_tuples = {tuples[row] for row in passages.passages[0][1].rows}
    assert {("エプロン", "赤い"), ("女性", "着ける", "エプロン"), ("女性",), ("エプロン",)} == second_tuples
    assert [passage.score.matched for passage in passages.passages[0]] == [1, 3, 0]


def test_the_words_of_a_tuple_are_found_in_its_caption():
    for captions, parts, caption, words in [
        (("A woman near an umbrella that is red.", "A red umbrella."), ("umbrella", "red"), 0, ("umbrella", "red")),
        (("A boat. A dog chases a cat.", "A cat that a dog sees."), ("dog", "chase", "cat"), 0, ("dog", "cat")),
        # The caption lacks the tuple but contains its words.
        (("A dog and a red ball.", "The dog has a ball."), ("dog", "have", "ball"), 0, ("dog", "ball")),
        (("A dog.", "A brown dog."), ("dog", "brown"), 1, ("dog", "brown")),
        (("A dog.", "A dog on a sofa."), ("sofa",), 1, ()),
        (("猫が寝ている。", "黒い猫が寝ている。"), ("猫", "黒い"), 1, ("猫", "黒い")),
    ]:
        lang = "ja" if "猫" in captions[0] else "en"
        scored = engine.score_captions(CaptionInputs(captions[0], captions[1:]), settings.default_config(lang))
        row = next(row for row in scored.explanation.rows if row.parts == parts)
        parse, pair = locate_tuple(scored.result, row)
        assert parse.caption == captions[caption]
        tokens = parse.document.sentences[pair.sentence].tokens if pair else ()
        assert tuple(tokens[index - 1].text for index in (pair[1:] if pair else ())) == words
