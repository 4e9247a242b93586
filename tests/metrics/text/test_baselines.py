"""The baselines beside pycocoevalcap's stored figures, and in Japanese."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import correlation

import pytest

from spice_core.errors import UnknownNameError
from spice_core.metrics.text import baselines

STORED = json.loads((Path(__file__).parents[2] / "golden" / "baselines.json").read_text(encoding="utf-8"))
LEAST = {"METEOR": 0.9}


@pytest.fixture(scope="module")
def pairs():
    return baselines.pairs([(row["candidate"], row["references"]) for row in STORED])


@pytest.mark.parametrize("name", ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L", "METEOR"])
def test_single_scores_are_pycocoevalcaps(pairs, name):
    ours, theirs = baselines.scores(name, pairs), [row[name] for row in STORED]
    assert correlation(ours, theirs) > LEAST.get(name, 0.9999)
    if name not in LEAST:
        assert ours == pytest.approx(theirs, abs=2e-3)


@pytest.mark.parametrize("name", baselines.NAMES)
def test_equal_captions_score_most(name):
    items = [("a dog on a sofa with a ball", ["a dog on a sofa with a ball"]), ("a red bus", ["two men ride horses in a field"])]
    equal, other = baselines.scores(name, baselines.pairs(items))
    assert equal == pytest.approx(10 if name == "CIDEr-D" else 1, abs=1e-6)
    assert other < 0.3


def test_meteor_knows_synonyms_and_stems():
    items = [("a couch", ["a sofa"]), ("dogs running", ["dog runs"]), ("a couch", ["a bus"])]
    synonym, stem, neither = baselines.scores("METEOR", baselines.pairs(items))
    assert synonym > neither and stem > neither


def test_japanese_by_sudachis_words():
    pair = baselines.pairs([("犬がソファで寝ている。", ["犬が長椅子で寝ている。"])], "ja")
    assert pair[0].candidate == ["犬", "が", "ソファ", "で", "寝", "て", "いる"]
    assert all(0 < baselines.scores(name, pair, "ja")[0] <= 1 for name in ("BLEU-1", "ROUGE-L", "METEOR", "chrF"))


def test_unknown_names_are_told():
    with pytest.raises(UnknownNameError, match="ROUGE-L"):
        baselines.scores("ROUGE", [])


def test_threads_share_sudachis_words():
    texts = [f"{n}匹の犬が公園を走っている。" * 20 for n in range(100)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: baselines.tokens([text], "ja"), texts)) == [baselines.tokens([text], "ja") for text in texts]
