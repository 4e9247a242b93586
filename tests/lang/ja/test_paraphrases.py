"""Paraphrases: rephrased propositions and shared ids."""

from pathlib import Path
from sys import getrefcount

import pytest

pytest.importorskip("sudachipy", reason="SudachiPy is not installed; pip install -r requirements.txt")

from spice_core import Spice
from spice_core.lang.ja.paraphrases import Paraphrases
from spice_core.scene.propositions import Parse, Proposition, parse_from_tuples
from spice_core.scene.synonyms import common_senses, hypernym_path


@pytest.fixture(scope="module")
def synonym_source() -> Paraphrases:
    return Paraphrases()


@pytest.mark.parametrize(("given_propositions", "expected_propositions"), [
    ([["子供", "する", "ジャンプ"]], {("子供", "ジャンプする"), ("ジャンプ",)}),
    ([["人", "する", "サーフィン"], ["人", "する", "海"]], {("人", "サーフィンする", "海"), ("サーフィン",)}), ([["馬", "する", "色"]], {("馬", "する", "色")}),
    ([["料理", "のる", "上"], ["皿", "の", "上"]], {("料理", "のる（上）", "皿"), ("皿",)}),
    ([["料理", "のる", "上"]], {("料理", "のる", "上")}), ([["人", "いる"]], {("人",)}), ([["人", "いない"]], {("人",)}), ([["皿", "空でない"]], {("皿", "空"), ("皿",)}),
    ([["男", "の", "人"], ["人", "走る"]], {("男の人",), ("男の人", "走る")}),
    ([["男", "の", "人"], ["女", "の", "人"], ["人", "走る"]], {("男", "の", "人"), ("女", "の", "人"), ("人", "走る")}),
    ([["男性", "別"], ["男性", "話す", "男性"]], {("男性", "別"), ("男性", "話す", "別の男性")}),
])  # fmt: skip
def test_propositions_are_rephrased(synonym_source, given_propositions, expected_propositions):
    assert {p.words for p in synonym_source.rephrase(parse_from_tuples(given_propositions, where="x"))} == expected_propositions


def test_floated_quantities_belong_to_their_noun_and_original_tuples_remain(synonym_source):
    parse = Parse("木の前にキリンが２頭いる", (Proposition(("キリン", "いる", "前")),))
    assert ("キリン", "２頭") in {p.words for p in synonym_source.rephrase(parse)}
    assert ("キリン", "２頭") not in {p.words for p in synonym_source.rephrase(Parse("キリンが２頭の犬を見る", parse.propositions))}
    (proposition,) = synonym_source.rephrase(Parse("", (Proposition(("人", "いる"), "subject-predicate", 0, ((), ())),)))
    assert (proposition.words, proposition.original_words, proposition.rule) == (("人",), ("人", "いる"), "subject-predicate")


def test_rephrased_captions_are_not_cached(synonym_source):
    """Caching four thousand captions with their trees would take 25 MB."""
    parse = Parse("木の前に縞のある馬が立っている", (Proposition(("馬", "立つ", "前")),))
    count_before = getrefcount(parse.propositions)
    synonym_source.rephrase(parse)
    count_after = getrefcount(parse.propositions)
    assert count_after == count_before


EQUAL_WORDS = [("一頭", "一匹"), ("ふたり", "2名"), ("きりん", "キリン"), ("ウマ", "馬"), ("大型ジェット飛行機", "飛行機"), ("のる（隣）", "乗る（横）"),
        ("のる（上）", "乗る"), ("別の男性", "男の人")]  # fmt: skip
DIFFERENT_WORDS = [
    ("サーファー", "人"),
    ("のる（上）", "乗る（下）"),
    ("のる（そば）", "乗る"),
    ("一頭", "二頭"),
    ("いる", "いない"),
    ("男性", "女性"),
    ("飛行機", "バス"),
    ("数人", "一人"),
    ("かぶる", "かぶらない"),
]


@pytest.mark.parametrize(("a", "b"), EQUAL_WORDS + DIFFERENT_WORDS)
def test_equivalent_words_share_an_id(synonym_source, a, b):
    assert bool(synonym_source.ids(a) & synonym_source.ids(b)) == ((a, b) in EQUAL_WORDS)


def test_synonyms_in_one_caption_remain_two_objects():
    spice = Spice("ja")
    given_propositions = parse_from_tuples([["駅", "の", "ホーム"]], where="x")
    assert ("駅", "の", "ホーム") in {t.words for t in spice.graph([given_propositions]).tuples()}
    # The synonym source of `ja-ud` rephrases nothing.
    other_spice = Spice("ja", rules="ja-ud")
    given_propositions = parse_from_tuples([["料理", "のる", "上"], ["皿", "の", "上"]], where="x")
    assert ("料理", "のる", "上") in {t.words for t in other_spice.graph([given_propositions]).tuples()}


def test_a_rephrased_place_points_to_the_words_of_its_owner(synonym_source):
    """Otherwise the word ランプ would have two places in the caption, and 右 would be marked as the lamp."""
    (parse,) = Spice("ja").parse(["コップがランプの右にある。"])
    texts = {p.words: [[token.text for token in part] for part in p.tokens] for p in synonym_source.rephrase(parse)}
    assert texts["コップ", "ある（右）", "ランプ"] == [["コップ"], ["ある", "右"], ["ランプ"]]


def test_matching_by_meaning_keeps_partial_credit():
    captions = "テーブルの上に料理が並んでいる。", ["テーブルに料理が並んでいる様子。"]
    strict, entailed = (Spice("ja", scheme=scheme).compute(*captions).f1 for scheme in ("lenient", "entailed"))
    assert entailed >= strict > 0.7


def test_words_are_synonyms_narrower_or_different_as_judged(synonym_source):
    lines = Path(__file__).with_name("judged_words.txt").read_text(encoding="utf-8").splitlines()[1:]
    judgements = [line.split() for line in lines]
    senses = {word: common_senses(synonym_source, [word]) for _, *words in judgements for word in words}

    def relation(a: str, b: str) -> str:
        if synonym_source.ids(a) & synonym_source.ids(b):
            return "same"
        return "narrower" if hypernym_path(synonym_source, senses[a], senses[b], 5) else "different"

    assert len(judgements) >= 200
    assert [(kind, a, b) for kind, a, b in judgements if relation(a, b) != kind] == []
    assert [(a, b) for kind, a, b in judgements if kind != "same" and relation(b, a) != "different"] == []


def test_a_broader_word_counts_by_half():
    result = Spice("ja").compute("人がいる。", ["サーファーがいる。"])
    assert result.f1 == 0.5 and [result.state(tuple_) for tuple_ in result.candidate_tuples] == ["partial"]
