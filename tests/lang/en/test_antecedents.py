"""Antecedents of pronouns and of members of a group."""

from __future__ import annotations

import pytest

from spice_core.lang.en.antecedents import clear_pronouns, members
from tests.lang.edges import applied

CASES = [
    (
        members,
        "One/one/CD/2/nummod girl/girl/NN/3/nsubj runs/run/VBZ/0/root and/and/CC/7/cc the/the/DT/6/det other/other/JJ/7/nsubj sits/sit/VBZ/3/conj",
        {"sits nsubj girl", "girl member other"},
    ),
    (members, "dogs/dog/NNS/0/root biting/bite/VBG/1/acl the/the/DT/4/det other/other/JJ/2/obj", set()),  # which dog bites is open
    (members, "girls/girl/NNS/0/root with/with/IN/4/case the/the/DT/4/det other/other/JJ/5/amod boys/boy/NNS/1/nmod:with", set()),
    (
        clear_pronouns,
        "man/man/NN/0/root and/and/CC/3/cc woman/woman/NN/1/conj in/in/IN/6/case her/she/PRP$/6/nmod:poss car/car/NN/1/nmod:in",
        {"car nmod:poss woman"},
    ),
    (clear_pronouns, "dog/dog/NN/2/nsubj sees/see/VBZ/0/root it/it/PRP/2/obj", set()),  # not itself
    (
        clear_pronouns,
        "bench/bench/NN/0/root bag/bag/NN/5/nsubj is/be/VBZ/5/cop on/on/IN/5/case it/it/PRP/1/parataxis",
        {"bag nmod:on bench"},
    ),
]


@pytest.mark.parametrize(("step", "tree", "added"), CASES)
def test_steps(step, tree, added):
    assert applied(step, tree) == added
