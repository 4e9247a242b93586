"""With every way of counting tuples, each score is between 0 and 1, and a caption scores 1 against itself."""

import itertools
import math

import pytest

from spice_core import Spice
from spice_core.scene.graph import SCHEMES

CAPTIONS = {
    "en": [
        "a man and a guy", "a red dog and a red hound chase a puppy", "A dog. A red dog runs. It runs on the grass.", "a pup sits on a lawn",
        "two young girls stand on a tennis court", "a little girl, a child, stands on a court next to a court", "there is a tree outside the window",
        "a tomato is on the table", "a street with cars and automobiles", "the",
    ],
    "ja": [
        "女の子。テニスコート。若い女の子が立つ。テニスコートに立つ。", "テニスコートに女の子が立っている", "窓の外に木が見える", "テーブルの上にトマトがある",
        "犬と子犬が走り、犬が道を走る", "赤い犬と赤い子犬", "男性と男の人がいる。男性が座る。ベンチに座る。", "川でじゃれ合う2匹の熊と川に浸かる熊",
        "スノーボードでジャンプする少年", "、",
    ],
}  # fmt: skip


@pytest.mark.parser
@pytest.mark.parametrize(
    ("lang", "rules"), [("en", "caption"), ("en", "spice-2016"), ("ja", "ja-caption"), ("ja", "jaspice-2023"), ("ja", "ja-ud")]
)
def test_scores_are_between_0_and_1_in_every_scheme(lang, rules):
    if lang == "ja":
        pytest.importorskip("ginza")
    spice = Spice(lang, rules=rules)
    parses = list(spice.parse(CAPTIONS[lang]))
    for scheme in map(spice.with_scheme, SCHEMES):
        for candidate, reference in itertools.product(parses, repeat=2):
            result = scheme.compare(candidate, [reference])
            values = [v for s in result.scores.values() for v in (s.precision, s.recall, s.f1) if not math.isnan(v)]
            assert all(0 <= value <= 1 for value in values), (scheme.config.scheme, candidate.caption, reference.caption, result.scores)
        equal_results = [scheme.compare(parse, [parse]) for parse in parses]
        assert all(result.f1 in (pytest.approx(1), 0) and (result.f1 or not result.candidate_tuples) for result in equal_results)


@pytest.mark.parser
def test_implied_existence_gives_no_similarity():
    pytest.importorskip("ginza")
    spice = Spice("ja")
    for candidate, reference, f1 in [
        ("窓の外に木が見える", "テーブルの上にトマトがある", 0), ("窓の外に木が見える", "窓の外に木がある", 1), ("犬が走る", "猫が走る", 0.25),
    ]:  # fmt: skip
        assert spice.compute(candidate, [reference]).f1 == f1
