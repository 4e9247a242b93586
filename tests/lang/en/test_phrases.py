"""What belongs together in a noun phrase."""

from __future__ import annotations

import pytest

from spice_core.lang.en import phrases
from spice_core.lang.en.antecedents import clear_pronouns
from spice_core.lang.en.quantities import quantities
from tests.lang.edges import applied

CASES = [
    (
        phrases.whole_prepositions,
        "cat/cat/NN/2/nsubj looks/look/VBZ/0/root out/out/IN/5/case of/of/IN/5/case windows/window/NNS/2/obl",
        {"out fixed of"},
    ),
    (
        phrases.whole_prepositions,
        "bowl/bowl/NN/2/nsubj sits/sit/VBZ/0/root Next/next/RB/2/advmod to/to/IN/5/case jars/jar/NNS/2/obl",
        {"jars case Next", "Next fixed to"},
    ),
    (phrases.whole_prepositions, "girls/girl/NNS/3/nmod:poss '/'/POS/1/case game/game/NN/0/root", set()),
    (
        phrases.parts_of_a_whole,
        "tree/tree/NN/0/root on/on/IN/3/case side/side/NN/1/nmod of/of/IN/5/case roads/road/NNS/1/nmod",
        {"side nmod roads"},
    ),
    (phrases.parts_of_a_whole, "in/in/IN/4/case front/front/NN/1/fixed of/of/IN/1/fixed roads/road/NNS/0/root", set()),
    (
        phrases.close_ups,
        "a/a/DT/2/det close/close/NN/0/root up/up/IN/5/case of/of/IN/5/case cats/cat/NNS/2/nmod",
        {"close compound:prt up"},
    ),
    (phrases.close_ups, "a/a/DT/2/det man/man/NN/3/nsubj stands/stand/VBZ/0/root close/close/RB/3/advmod up/up/RB/3/advmod", set()),
    (
        phrases.flat_compounds,
        "barbed/barbed/JJ/2/amod wire/wire/NN/3/compound fence/fence/NN/0/root",
        {"fence amod barbed"},
    ),
    (
        phrases.places_of_the_whole,
        "vase/vase/NN/0/root with/with/IN/3/case flowers/flower/NNS/1/nmod:with near/near/IN/5/case walls/wall/NNS/3/nmod:near",
        {"vase nmod:near walls"},
    ),
    (
        phrases.places_of_the_whole,
        "train/train/NN/0/root with/with/IN/3/case people/people/NNS/1/nmod:with near/near/IN/5/case it/it/PRP/3/nmod:near",
        set(),
    ),
    (
        phrases.names,
        "actor/actor/NN/0/root Tom/Tom/NNP/1/appos Hanks/Hanks/NNP/2/flat",
        {"actor appos Hanks", "Hanks compound Tom"},
    ),
    (
        phrases.lone_adjectives,
        "black/black/JJ/4/nsubj and/and/CC/3/cc dog/dog/NN/1/conj play/play/VBP/0/root",
        {"play nsubj dog", "dog amod black"},
    ),
    (
        phrases.depicted,
        "picture/picture/NN/0/root of/of/IN/3/case cats/cat/NNS/1/nmod:of on/on/IN/5/case beds/bed/NNS/1/nmod:on",
        {"cats nmod:on beds"},
    ),
    (phrases.depicted, "row/row/NN/0/root of/of/IN/3/case cars/car/NNS/1/nmod:of on/on/IN/5/case streets/street/NNS/1/nmod:on", set()),
    (
        phrases.shapes_act,
        "row/row/NN/0/root of/of/IN/3/case carts/cart/NNS/1/nmod:of sitting/sit/VBG/3/acl",
        {"row acl sitting"},
    ),
    (
        phrases.coordination,
        "man/man/NN/4/nsubj and/and/CC/3/cc dog/dog/NN/1/conj run/run/VBP/0/root and/and/CC/6/cc jump/jump/VBP/4/conj",
        {"run nsubj dog", "jump nsubj man", "jump nsubj dog"},
    ),
    (
        phrases.coordination,
        "in/in/IN/2/case boxes/box/NNS/0/root or/or/CC/5/cc on/on/IN/5/case beds/bed/NNS/2/conj",
        set(),
    ),
    (
        phrases.coordination,
        "cats/cat/NNS/0/root in/in/IN/3/case boxes/box/NNS/1/nmod:in or/or/CC/6/cc on/on/IN/6/case beds/bed/NNS/3/conj",
        {"cats nmod:on beds"},
    ),
    (
        phrases.coordination,
        "stove/stove/NN/0/root and/and/CC/3/cc oven/oven/NN/1/conj with/with/IN/5/case shelves/shelf/NNS/1/nmod:with",
        {"oven nmod:with shelves"},
    ),
    (
        quantities,
        "a/a/DT/2/det group/group/NN/5/nsubj of/of/IN/4/case men/man/NNS/2/nmod:of walk/walk/VBP/0/root",
        {"walk nsubj men", "men det:group a", "a fixed group", "a fixed of"},
    ),
    (
        quantities,
        "a/a/DT/2/det pair/pair/NN/0/root of/of/IN/4/case shoes/shoe/NNS/2/nmod:of on/on/IN/6/case beds/bed/NNS/2/nmod:on",
        {"root root shoes", "shoes det:qmod a", "a fixed pair", "a fixed of", "shoes nmod:on beds"},
    ),
    (quantities, "a/a/DT/2/det row/row/NN/0/root of/of/IN/4/case cars/car/NNS/2/nmod:of", set()),  # a shape
    (
        clear_pronouns,
        "man/man/NN/0/root with/with/IN/3/case suitcases/suitcase/NNS/1/nmod:with beside/beside/IN/5/case him/he/PRP/3/nmod:beside",
        {"suitcases nmod:beside man"},
    ),
    (
        clear_pronouns,
        "man/man/NN/2/nsubj holds/hold/VBZ/0/root ties/tie/NN/2/obj with/with/IN/5/case words/word/NNS/3/nmod:with on/on/IN/7/case it/it/PRP/5/nmod:on",
        {"words nmod:on ties"},
    ),
    (clear_pronouns, "his/he/PRP$/2/nmod:poss dog/dog/NN/0/root", set()),  # nobody before it
]


@pytest.mark.parametrize(("step", "tree", "added"), CASES, ids=[f"{c[0].__name__} {i}" for i, c in enumerate(CASES)])
def test_steps(step, tree, added):
    assert applied(step, tree) == added
