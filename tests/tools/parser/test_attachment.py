"""Test attachment of "with" phrases whose owner the gold graphs name."""

import pytest

from spice_core.scene.propositions import parse_from_tuples
from tests.tools.parser.conftest import document
from tools.parser.attachment import attach_belongings, count_belongings

GRAPHS = [parse_from_tuples(graph, where="graph").propositions for graph in [[["horse", "with", "mane"], ["man", "wear", "hat"]]] * 3]
CLAUSE = "a/a/DT/2/det man/man/NN/3/nsubj rides/ride/VBZ/0/root a/a/DT/5/det horse/horse/NN/3/obj"


def test_people_count_as_one_owner():
    known_counts = count_belongings(
        [*GRAPHS, parse_from_tuples([["girl", "have", "hat"], ["tail", "of", "horse"]], where="graph").propositions]
    )
    assert known_counts["person"]["hat"] == 4 and known_counts["horse"] == {"mane": 3, "tail": 1}


def test_the_last_noun_and_the_subject_get_their_exclusive_things():
    documents_found = []
    for variant in attach_belongings([document(CLAUSE)] * 2, GRAPHS, seed=1):
        (sentence,) = variant.sentences
        words = {t.index: t.text for t in sentence.tokens}
        documents_found.append((variant.text, {(words.get(e.head), e.relation, words[e.dependent]) for e in sentence.basic}))
    assert [text for text, _ in documents_found] == ["A man rides a horse with a mane.", "A man rides a horse with a hat."]
    assert ("horse", "nmod", "mane") in documents_found[0][1] and ("rides", "obl", "hat") in documents_found[1][1]
    assert all(("mane", "case", "with") in edges or ("hat", "case", "with") in edges for _, edges in documents_found)


@pytest.mark.parametrize("tree", ["a/a/DT/2/det man/man/NN/0/root", CLAUSE + " today/today/NN/3/obl:tmod"])
def test_other_captions_get_no_phrase(tree):
    assert list(attach_belongings([document(tree)], GRAPHS, seed=1)) == []
