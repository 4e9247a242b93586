"""Who has what a "with" phrase names."""

import pytest

from spice_core.lang.en.belongings import belongings, share
from tests.lang.edges import applied

RIDES = "man/man/NN/2/nsubj rides/ride/VBZ/0/root horse/horse/NN/2/obj with/with/IN/5/case"
HOLDS = "man/man/NN/2/nsubj holds/hold/VBZ/0/root woman/woman/NN/2/obj with/with/IN/5/case"
CASES = {
    "a horse's": (f"{RIDES} saddle/saddle/NN/2/obl:with", {"horse nmod:with saddle"}),
    "a rider's": (f"{RIDES} hat/hat/NN/2/obl:with", set()),
    "the nearer person's": (f"{HOLDS} hair/hair/NN/2/obl:with", {"woman nmod:with hair"}),
    "his own": (f"{HOLDS} hand/hand/NN/2/obl:with his/his/PRP$/5/nmod:poss", set()),
    "of a place": (
        "girl/girl/NN/2/nsubj looks/look/VBZ/0/root at/at/IN/4/case house/house/NN/2/obl:at with/with/IN/6/case roof/roof/NN/2/obl:with",
        {"house nmod:with roof"},
    ),
    "a mark": (
        "boy/boy/NN/2/nsubj hits/hit/VBZ/0/root ball/ball/NN/2/obj with/with/IN/5/case stripes/stripe/NNS/2/obl:with",
        {"ball nmod:with stripes"},
    ),
    "a tool": (
        "boy/boy/NN/2/nsubj opens/open/VBZ/0/root door/door/NN/2/obj with/with/IN/5/case key/key/NN/3/nmod:with",
        {"opens obl:with key"},
    ),
    "a part": (
        "boy/boy/NN/2/nsubj opens/open/VBZ/0/root door/door/NN/2/obj with/with/IN/5/case window/window/NN/3/nmod:with",
        set(),
    ),
    "unknown": (f"{RIDES} zyzzyva/zyzzyva/NN/2/obl:with", set()),
}


@pytest.mark.parametrize(("tree", "new"), CASES.values(), ids=CASES)
def test_edges_that_change(tree, new):
    assert applied(belongings, tree) == new


def test_people_share_what_they_have_and_animals_too():
    assert share("grandmother", "hat") == share("man", "hat") > share("horse", "hat")
    assert share("goat", "tail") > share("man", "tail") and share("dog", "zyzzyva") == 0.0
