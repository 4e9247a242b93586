"""Other readings of a word: its tag, its lemma and the edges that go with them."""

from __future__ import annotations

import pytest

from spice_core.lang.en.readings import readings
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.document import Sentence

# a tree, and the words that another reading changes: word/lemma/tag/head/relation
CASES = {
    "participle of a seen man": (
        "men/man/NNS/3/nsubj:pass are/be/VBP/3/aux:pass seen/see/VBN/0/root loading/loading/JJ/5/amod boxes/box/NNS/3/obj",
        ["loading/load/VBG/3/xcomp boxes/box/NNS/4/obj", "loading/load/VBG/3/advcl boxes/box/NNS/4/obj"],
    ),
    "participle behind its noun": (
        "A/a/DT/4/det man/man/NN/4/compound riding/riding/NN/4/compound waves/wave/NNS/0/root",
        [
            "A/a/DT/2/det man/man/NN/0/root riding/ride/VBG/2/acl waves/wave/NNS/3/obj",
            "A/a/DT/3/det man/man/NN/3/compound riding/riding/NN/4/nsubj waves/wave/VBZ/0/root",
        ],
    ),
    "modifier behind an article": ("the/the/DT/3/det loading/loading/NN/3/compound dock/dock/NN/0/root", []),
    "finite verb": (
        "A/a/DT/3/det boy/boy/NN/3/compound jumps/jump/NNS/0/root",
        ["A/a/DT/2/det boy/boy/NN/3/nsubj jumps/jump/VBZ/0/root"],
    ),
    "plural of a name": ("street/street/NN/2/compound signs/sign/NNS/0/root", []),
    "modifier of luggage": (
        "man/man/NN/0/root with/with/IN/3/mark rolling/roll/VBG/1/acl luggage/luggage/NN/3/obj",
        ["with/with/IN/4/case rolling/rolling/JJ/4/amod luggage/luggage/NN/1/nmod"],
    ),
    "past participle": (
        "A/a/DT/2/det man/man/NN/3/nsubj dressed/dress/VBD/0/root up/up/RP/3/compound:prt",
        ["man/man/NN/0/root dressed/dress/VBN/2/acl"],
    ),
    "adjective": ("A/a/DT/3/det red/red/JJ/3/amod car/car/NN/0/root", []),
}


@pytest.mark.parametrize("name", CASES)
def test_readings(name):
    tree, expected = CASES[name]
    graph = read_tree(tree)
    before = written(Sentence(graph.tokens, graph.edges))
    found = [" ".join(row for row in written(other) if row not in before) for other in readings(Sentence(graph.tokens, graph.edges))]
    assert found == expected


def written(sentence: Sentence) -> list[str]:
    return [f"{t.text}/{t.lemma}/{t.tag}/{e.head}/{e.relation}" for t, e in zip(sentence.tokens, sentence.basic, strict=True)]
