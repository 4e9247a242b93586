"""JaSPICE end to end: the published test vectors, gold graphs, the program's quirks, what loads when."""

import subprocess
import sys
from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.errors import MissingResourceError
from spice_core.lang import language
from spice_core.lang.ja import sudachi, vectors
from spice_core.lang.ja.enhancement import DEFAULT
from spice_core.lang.ja.parsers import ginza as parser
from spice_core.lang.spacy_models import package
from spice_core.scene.propositions import PLACEHOLDER

pytestmark = pytest.mark.parser
pytest.importorskip("ginza", reason="GiNZA is not installed; pip install -r requirements.txt")

SKATEBOARD = "人通りの少なくなった道路で青いズボンを着た男の子がオレンジ色のヘルメットを被りスケートボードに乗っている"
# Japanese spec h.1; `ja-caption` keeps the whole word スケートボード, where the program has ボード.
SKATEBOARD_TUPLES = {
    ("人通り",), ("道路",), ("ズボン",), ("男の子",), ("ヘルメット",), ("スケートボード",), ("ズボン", "青い"), ("ヘルメット", "オレンジ色"),
    ("人通り", "少ない", "道路"), ("男の子", "着る", "ズボン"), ("男の子", "被る", "ヘルメット"), ("男の子", "乗る", "スケートボード"),
    ("男の子", "乗る", "道路"),
}  # fmt: skip

VECTORS = [
    # Spec h.2: the 6 and 16 tuples counted there.
    ("赤い傘をさした人がベンチに座っている", ["赤い傘をさして座って海を見ている", "海岸のベンチに赤い傘を差した人が座っている", "海の公園のベンチに赤い折りたたみ傘を差した人が座っている", "ベンチに座って赤い傘をさした人が海を見ている", "海の見えるベンチで赤い傘を差した人が一人座っている"], 0.545, 0.002),
    # Spec h.3, 0: 熊, 川 and 川_中 match, of 5 and 24; published is 3 of 5 and 28 (or 2 of 5 and 17). The tuples of the program are not
    # published; with the copula in the text of 熊である, and 川 no object where it first stands with で, there would be 27.
    ("川の中で熊が喧嘩している", ["川の中で黒い熊が取っ組み合いをしている", "湖の中で取っ組み合っている黒い熊である", "湖の中で喧嘩をする二頭の熊と湖の端っこで水に浸かっている熊", "川でじゃれ合う2匹の熊と川に浸かる熊", "熊が二匹水の中で取っ組み合いをしている"], 0.182, 0.03),
    # 1: キッチン matches 厨房 and 中 matches 中; published is one match of 36. The candidate is broken (火れている), so that its parse, which
    # is not published, decides: GiNZA attaches 服, キッチン, 火 and 中 all to 見る.
    ("キッチンの服を男性がキッチンを火れているを中を見ている", ["店の厨房の中をTシャツを着た女性が動いている", "女性がフライヤーで何かを揚げている", "グレーのTシャツの女性が電気に照らされているボールのほうを向いている", "揚げ物をしている女性が揚げ具合を見ている", "厨房で揚げ物があがるのを確認してる店員"], 0.0556, 0.06),
    # 2: ジャンプする_ボード matches, of 3 and 20, as published.
    ("スノーボードでジャンプする少年", ["黒いウェアの人がスノーボードで大きくジャンプしている", "雪の上をスノーボードでジャンプしてる人", "スノーボーダーが大きくジャンプをした瞬間", "雪山に太陽がさんさんと輝き、スノーボーダーが空を飛んでいる", "スノーボードでジャンプしている"], 0.0870, 0.002),
]  # fmt: skip


@pytest.fixture(scope="module")
def jaspice() -> Spice:
    return Spice("ja", rules="jaspice-2023")


@pytest.fixture(scope="module")
def caption() -> Spice:
    return Spice("ja")


def tuples(spice: Spice, text: str) -> set[tuple[str, ...]]:
    return {t.words for t in spice.graph(spice.parse([text])).tuples()}


@pytest.mark.parametrize(("rules", "name"), [("jaspice-2023", "JaSPICE"), ("ja-caption", "SPICE (ja-caption)"), ("ja-ud", "SPICE (ja-ud)")])
def test_a_score_has_the_name_of_its_rules(rules, name):
    pack = language("ja")
    bundled = pack.rule_set(rules)
    assert pack.name_of_metric(bundled.signature) == name
    assert pack.name_of_metric(bundled.without(bundled.rules[0].name).signature) == "SPICE", "changed rules have no name of their own"


def test_the_skateboard_caption_has_its_thirteen_tuples_and_captions_score_one_against_themselves(caption, jaspice):
    assert tuples(caption, SKATEBOARD) == SKATEBOARD_TUPLES
    published = {tuple("ボード" if word == "スケートボード" else word for word in words) for words in SKATEBOARD_TUPLES}
    assert tuples(jaspice, SKATEBOARD) == published
    for spice in (caption, jaspice):
        for text in (SKATEBOARD, "皿の上に料理がのっている", "船に乗る"):
            assert spice.compute(text, [text]).f1 == 1.0


def test_published_scores_and_quirks_which_are_rules_of_their_own(jaspice):
    scores = [jaspice.compute(candidate, references).f1 for candidate, references, *_ in VECTORS]
    for score, (_, _, published, within) in zip(scores, VECTORS):
        assert score == pytest.approx(published, abs=within)
    assert sum(scores[1:]) / 3 == pytest.approx(0.108, abs=0.03), "the mean of the published batch"
    text = "スノーボードでジャンプする少年"
    assert ("ジャンプする", "ボード") in tuples(jaspice, text)
    sane = Spice("ja", rules=jaspice.rules.without("quirk-de-attribute", "quirk-de-object", "quirk-place-attribute"))
    assert ("ジャンプする", "ボード") not in tuples(sane, text)


@pytest.mark.parametrize(("text", "wanted"), [
    ("皿の上に料理がのっている", {("料理", "のる（上）", "皿"), ("料理",), ("皿",)}), ("タオルと鏡が置いてある", {("タオル", "置く"), ("鏡", "置く"), ("タオル",), ("鏡",)}),
    ("傘をさした人", {("人", "さす", "傘"), ("人",), ("傘",)}), ("犬と猫の2匹がいる", {("犬", "の", "2匹"), ("猫", "の", "2匹"), ("犬",), ("猫",), ("2匹",)}),
    ("キッチンは空である", {("キッチン", "空"), ("キッチン",)}), ("船に乗る", {(PLACEHOLDER, "乗る", "船"), ("船",)}),
    ("消火栓が設置されていません", {("消火栓", "設置しない"), ("消火栓",)}),
    ("夜に人が歩く", {("人", "歩く"), ("人", "夜"), ("人",)}), ("犬", {("犬",)}), ("", set()), ("…", set()), ("<script>alert(1)</script>", None),
    ("a dog", None), ("犬 が　走る", {("犬", "走る"), ("犬",)}),
])  # fmt: skip
def test_tuples_of_captions(caption, text, wanted):
    found = tuples(caption, text)
    assert wanted is None or found == wanted


def test_a_tuple_leads_back_to_its_words_and_rule(caption):
    first, second = (parse.propositions[0] for parse in caption.parse(["人がテニスラケットを持つ", "オレンジ色のヘルメット"]))
    assert (first.rule, first.words) == ("subject-predicate-argument", ("人", "持つ", "テニスラケット"))
    assert ["".join("人がテニスラケットを持つ"[t.start : t.end] for t in part) for part in first.tokens] == ["人", "持つ", "テニスラケット"]
    assert ["".join(t.text for t in part) for part in second.tokens] == ["ヘルメット", "オレンジ色"]  # all words of a compound
    text = "男の子がヘルメットを被り、ボードに乗る"
    (parse,) = caption.parse([text])
    assert {p.words: p.rule for p in parse.propositions} == {
        ("男の子", "被る", "ヘルメット"): "subject-predicate-argument",
        ("男の子", "乗る", "ボード"): "shared-subject-argument",
    }
    steps = tuple(name for name in DEFAULT if name != "shared subjects")
    without = Spice("ja", rules=replace(caption.rules, steps=steps))
    assert (PLACEHOLDER, "乗る", "ボード") in tuples(without, text)


def test_the_signature_names_its_parts_and_a_missing_pipeline_its_install_line(caption):
    signature = str(caption.signature)
    assert signature.startswith("spice|lang:ja|parser:ja_ginza-5.3.0+sudachidict-")
    assert "|rules:ja-caption-" in signature and "|synonyms:sudachidict-" in signature
    with pytest.raises(MissingResourceError, match="no_such_pipeline is not installed; install it with: pip install no-such-pipeline$"):
        language("ja").parser("ginza:no_such_pipeline")


@pytest.mark.parametrize("missing", ["ginza", "ja_ginza"])
def test_one_line_installs_japanese(monkeypatch, missing):
    monkeypatch.setattr(parser, "package", lambda name: None if name == missing else package(name))
    monkeypatch.setattr(vectors, "package", parser.package)
    line = rf"^{missing} is not installed; install it with: pip install 'spice_core\[ja\]'$"
    with pytest.raises(MissingResourceError, match=line):
        parser.ginza()
    if missing == "ja_ginza":
        with pytest.raises(MissingResourceError, match=line):
            vectors.vectors.__wrapped__()
    monkeypatch.setitem(sys.modules, "sudachipy", None)
    with pytest.raises(MissingResourceError, match=r"^sudachipy is not installed; install it with: pip install 'spice_core\[ja\]'$"):
        sudachi.dictionary.__wrapped__()


def test_english_loads_nothing_japanese():
    code = "import sys; from spice_core import Spice; Spice().compute('a dog', ['a dog']); print([m for m in sys.modules if m.split('.')[0] in ('sudachipy', 'ginza') or m.startswith('spice_core.lang.ja')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
