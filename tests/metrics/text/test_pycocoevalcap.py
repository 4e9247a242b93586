"""BLEU, ROUGE-L and CIDEr-D are pycocoevalcap's, on the same tokens.

Largest difference on the 60 stored captions: 2.3e-10 for BLEU, which pycocoevalcap keeps from dividing by zero with small
constants; 4.5e-16 for CIDEr-D (0–10), none for ROUGE-L.
"""

from __future__ import annotations

import json
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge

from spice_core.lang import language
from spice_core.metrics.text.bleu import bleu, corpus_bleu
from spice_core.metrics.text.cider import cider_d
from spice_core.metrics.text.rouge import rouge_l
from spice_core.metrics.text.tokens import Pair, tokenised
from tests.conftest import DATA

TOLERANCE = {**{f"BLEU-{n}": 3e-10 for n in (1, 2, 3, 4)}, "ROUGE-L": 1e-12, "CIDEr-D": 1e-12}
words = st.lists(st.sampled_from("a red dog on the sofa".split()), min_size=4, max_size=12)
items = st.lists(st.builds(Pair, words, st.lists(words, min_size=1, max_size=4).map(tuple)), min_size=1, max_size=5)


def theirs(pairs: list[Pair]) -> dict[str, tuple[float, list[float]]]:
    """The corpus and segment scores of each metric by pycocoevalcap; its class ``Cider`` computes CIDEr-D."""
    references = {i: [" ".join(r) for r in pair.references] for i, pair in enumerate(pairs)}
    candidates = {i: [" ".join(pair.candidate)] for i, pair in enumerate(pairs)}
    corpus, segments = Bleu(4).compute_score(references, candidates, verbose=0)
    scores = {f"BLEU-{n}": (corpus[n - 1], segments[n - 1]) for n in (1, 2, 3, 4)}
    return scores | {"ROUGE-L": Rouge().compute_score(references, candidates), "CIDEr-D": Cider().compute_score(references, candidates)}


def own(pairs: list[Pair]) -> dict[str, tuple[float, list[float]]]:
    """The corpus and segment scores of each metric by this project."""
    means = {"ROUGE-L": rouge_l(pairs), "CIDEr-D": cider_d(pairs)}
    scores = {f"BLEU-{n}": (corpus_bleu(pairs, n), bleu(pairs, n)) for n in (1, 2, 3, 4)}
    return scores | {name: (fmean(values), values) for name, values in means.items()}


@pytest.mark.parametrize("name", TOLERANCE)
def test_stored_captions(name):
    stored = json.loads((DATA / "baselines.json").read_text(encoding="utf-8"))
    pairs = tokenised([(row["candidate"], row["references"]) for row in stored], language("en"))
    corpus, segments = theirs(pairs)[name]
    ours = own(pairs)[name]
    assert ours[1] == pytest.approx(list(segments), abs=TOLERANCE[name], rel=0)
    assert ours[0] == pytest.approx(corpus, abs=1e-10, rel=0)


@settings(max_examples=60)
@given(items)
def test_any_words(pairs):
    """Repeated words, repeated captions, several references of different lengths, a single image."""
    for name, (corpus, segments) in theirs(pairs).items():
        ours = own(pairs)[name]
        assert ours[1] == pytest.approx(list(segments), abs=1e-9), name
        assert ours[0] == pytest.approx(corpus, abs=1e-9), name


@pytest.mark.parametrize(("candidate", "order"), [("dog", 2), ("a dog", 3), ("a red bus", 4)])
def test_a_candidate_without_ngrams_scores_0(candidate, order):
    """A deliberate difference: pycocoevalcap's constants give such a candidate (1e-15 / 1e-9) ** (1 / n)."""
    pair = Pair(candidate.split(), (candidate.split(),))
    assert bleu([pair], order) == [0]
    assert theirs([pair])[f"BLEU-{order}"][1] == [pytest.approx(1e-6 ** (1 / order), rel=1e-3)]
