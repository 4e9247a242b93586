"""Synonyms that readers accept: merges and matches of COCO captions, judged by reading.

``judged_synonyms.jsonl`` holds merges inside references and synonym matches, each with the image of COCO's validation set of
2017 (captions: CC BY 4.0), its words, their parts of speech, whether a caption of the image has both as objects, and whether
the words denote the same kind of thing there. Samples: ``development`` informed the choice of the method; ``before`` (merges and
matches as until 0.1) and ``after`` (as now) come from other images.
"""

from collections import Counter
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Token
from tests.conftest import rows

JUDGED_SYNONYMS = rows(Path(__file__).with_name("judged_synonyms.jsonl"))
TAGS = {"n": "NN", "v": "VB", "a": "JJ", "r": "RB", "va": "VBN"}


def caption_stating(kind: str, word: str, pos: str) -> Parse:
    """Return a caption with this word as object, attribute or relation."""
    words = {"object": (word,), "attribute": ("it", word), "relation": ("it", word, "other")}[kind]
    tokens = ((), (Token(0, word, word, TAGS.get(pos, "")),), ())[: len(words)] if len(words) > 1 else ()
    return Parse("", (Proposition(words, tokens=tokens),))


def are_merged_or_matched(use: str, pair: dict, spice: Spice) -> bool:
    """Return whether two words merge or match, also given a caption with both as objects, if there is one."""
    (a, b), (pos_a, pos_b) = pair["words"], pair["pos"]
    both = [Parse("", (Proposition((a,)), Proposition((b,))))] if pair["together"] else []
    one, other = caption_stating(pair["kind"], a, pos_a), caption_stating(pair["kind"], b, pos_b)
    if use == "merge":
        return any({a, b} <= e.concept.words for e in spice.graph([one, other, *both]).elements())
    found = [next(e.concept for e in graph.elements() if w in e.concept.words) for graph, w in
             ((spice.graph([one]), a), (spice.graph([other, *both]), b))]  # fmt: skip
    return found[0].similar(found[1])


@pytest.fixture(scope="module")
def counts() -> Counter:
    """Counts by sample, use, judgement, and whether the words currently merge or match."""
    spice = Spice()
    return Counter(
        (r["sample"], r["use"], r["right"], all(are_merged_or_matched(r["use"], p, spice) for p in r["pairs"])) for r in JUDGED_SYNONYMS
    )


def test_most_wrong_merges_and_matches_are_removed_and_most_right_ones_kept(counts):
    for sample, use, right, wrong in [
        ("development", "merge", 72 / 97, 3 / 53), ("development", "match", 112 / 167, 9 / 33), ("before", "merge", 47 / 56, 7 / 44),
        ("before", "match", 117 / 140, 12 / 60),
    ]:  # fmt: skip
        kept = lambda judged: counts[sample, use, judged, True] / sum(counts[sample, use, judged, now] for now in (True, False))  # noqa: B023
        assert kept(True) >= right and kept(False) <= wrong
    for use, share in [("merge", 0.9), ("match", 0.92)]:
        right, wrong = counts["after", use, True, True], counts["after", use, False, True]
        assert right + wrong >= (99 if use == "merge" else 200) and round(right / (right + wrong), 2) >= share
