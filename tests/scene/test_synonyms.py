"""Test how many merges and synonym matches are correct in COCO captions, as judged by a reader.

Each row of ``judged_synonyms.jsonl`` is a merge inside references or a synonym match: the image of COCO val2017 (captions:
CC BY 4.0), the words, their parts of speech, whether a caption of the image has both words as objects, and whether the words
denote the same kind of thing there. The sample ``development`` informed the choice of the method. The samples ``before`` (merges
and matches of version 0.1) and ``after`` (of the current method) come from other images.
"""

from collections import Counter
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Token
from tests.conftest import rows

JUDGED_SYNONYMS = rows(Path(__file__).with_name("judged_synonyms.jsonl"))
TAG_BY_POS = {"n": "NN", "v": "VB", "a": "JJ", "r": "RB", "va": "VBN"}


def caption_stating(tuple_kind: str, word: str, pos: str) -> Parse:
    """Return the parse of a caption with this word as object, attribute or relation."""
    words = {"object": (word,), "attribute": ("it", word), "relation": ("it", word, "other")}[tuple_kind]
    tokens = ((), (Token(0, word, word, TAG_BY_POS.get(pos, "")),), ())[: len(words)] if len(words) > 1 else ()
    return Parse("", (Proposition(words, tokens=tokens),))


def are_merged_or_matched(use: str, pair: dict, spice: Spice) -> bool:
    """Return whether two words merge or match, given a caption with both as objects if the pair has one."""
    (a, b), (pos_a, pos_b) = pair["words"], pair["pos"]
    joint_parse = [Parse("", (Proposition((a,)), Proposition((b,))))] if pair["together"] else []
    candidate_parse, reference_parse = caption_stating(pair["kind"], a, pos_a), caption_stating(pair["kind"], b, pos_b)
    if use == "merge":
        return any({a, b} <= e.concept.words for e in spice.graph([candidate_parse, reference_parse, *joint_parse]).elements())
    concepts = [next(e.concept for e in graph.elements() if w in e.concept.words) for graph, w in
             ((spice.graph([candidate_parse]), a), (spice.graph([reference_parse, *joint_parse]), b))]  # fmt: skip
    return concepts[0].is_similar(concepts[1])


@pytest.fixture(scope="module")
def counts() -> Counter:
    """Number of rows by sample, use, judgement, and whether the metric merges or matches the words."""
    spice = Spice()
    return Counter(
        (r["sample"], r["use"], r["right"], all(are_merged_or_matched(r["use"], p, spice) for p in r["pairs"])) for r in JUDGED_SYNONYMS
    )


def test_most_wrong_merges_and_matches_are_removed_and_most_right_ones_kept(counts):
    for sample, use, right_share, wrong_share in [
        ("development", "merge", 72 / 97, 3 / 53), ("development", "match", 112 / 167, 9 / 33), ("before", "merge", 47 / 56, 7 / 44),
        ("before", "match", 117 / 140, 12 / 60),
    ]:  # fmt: skip
        kept_share = lambda is_right: (
            counts[sample, use, is_right, True]  # noqa: B023
            / sum(counts[sample, use, is_right, is_current] for is_current in (True, False))  # noqa: B023
        )
        assert kept_share(True) >= right_share and kept_share(False) <= wrong_share
    for use, share in [("merge", 0.9), ("match", 0.92)]:
        right_share, wrong_share = counts["after", use, True, True], counts["after", use, False, True]
        assert right_share + wrong_share >= (99 if use == "merge" else 200) and round(right_share / (right_share + wrong_share), 2) >= share
