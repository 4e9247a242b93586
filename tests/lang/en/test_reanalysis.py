"""Trees of constructions in which parsers and treebanks differ."""

import pytest

from spice_core.lang.en.reanalysis import reanalysis
from tests.lang.edges import applied

CASES = {
    "stranded": ("man/man/NN/0/root with/with/IN/3/case cap/cap/NN/1/nmod on/on/IN/3/case", {"cap advmod on"}),
    "possessive": ("dogs/dog/NNS/3/nmod:poss '/'/POS/1/case toy/toy/NN/0/root", set()),
    "which": (
        "man/man/NN/2/nsubj sits/sit/VBZ/0/root on/on/IN/4/case bench/bench/NN/2/obl which/which/WDT/6/nsubj creaks/creak/VBZ/2/advcl",
        {"bench acl:relcl creaks"},
    ),
    "while": ("man/man/NN/2/nsubj sits/sit/VBZ/0/root while/while/IN/4/mark dogs/dog/NNS/5/nsubj bark/bark/VBP/2/advcl", set()),
    "inversion": (
        "On/on/IN/2/case table/table/NN/3/obl lie/lie/VBP/0/root apples/apple/NNS/3/obj",
        {"lie nsubj apples"},
    ),
    "telegraphic": ("holds/hold/VBZ/0/root apples/apple/NNS/1/obj on/on/IN/4/case table/table/NN/1/obl", set()),
    "seen": ("boys/boy/NNS/2/nsubj see/see/VBP/0/root girls/girl/NNS/4/nsubj swim/swim/VBP/2/obj", {"see ccomp swim"}),
    "sign": ("sign/sign/NN/2/nsubj says/say/VBZ/0/root Broadway/broadway/NNP/2/ccomp", {"says obj Broadway"}),
    "said": ("man/man/NN/2/nsubj says/say/VBZ/0/root dogs/dog/NNS/4/nsubj bark/bark/VBP/2/ccomp", set()),
    "list": (
        "a/a/DT/2/det cup/cup/NN/0/root a/a/DT/4/det plate/plate/NN/2/dep",
        {"cup conj plate"},
    ),
    "phrases": (
        "boats/boat/NNS/0/root in/in/IN/3/case water/water/NN/1/nmod and/and/CC/6/cc on/on/IN/6/case sand/sand/NN/1/conj",
        {"boats nmod sand"},
    ),
    "things": (
        "boats/boat/NNS/0/root in/in/IN/3/case water/water/NN/1/nmod and/and/CC/5/cc cars/car/NNS/1/conj",
        set(),
    ),
    "apposition": (
        "dog/dog/NN/5/nsubj ,/,/,/3/punct Rex/Rex/NNP/1/conj ,/,/,/1/punct sleeps/sleep/VBZ/0/root",
        {"dog appos Rex"},
    ),
    "there is": (
        "on/on/IN/2/case roof/roof/NN/4/obl there/there/EX/4/expl is/be/VBZ/0/root cat/cat/NN/4/nsubj",
        {"cat nmod roof"},
    ),
    "there sits": (
        "There/there/EX/2/expl sits/sit/VBZ/0/root dog/dog/NN/2/obj under/under/IN/5/case tree/tree/NN/2/obl",
        {"sits nsubj dog"},
    ),
    "which, of a place": (
        "lady/lady/NN/0/root on/on/IN/3/case bench/bench/NN/1/nmod that/that/WDT/7/nsubj is/be/VBZ/7/cop by/by/IN/7/case wall/wall/NN/1/nmod",
        {"bench acl:relcl wall"},
    ),
    "number of a subject": (
        "Thirty/thirty/CD/3/nsubj children/child/NNS/3/nsubj sing/sing/VBP/0/root",
        {"children nummod Thirty"},
    ),
    "two numbers": (
        "twenty/twenty/CD/3/nummod five/five/CD/3/nummod men/man/NNS/0/root",
        {"five fixed twenty"},
    ),
    "mountain": ("Mount/mount/NNP/3/nsubj Fuji/fuji/NNP/3/nsubj rises/rise/VBZ/0/root", {"Fuji compound Mount"}),
    "called": (
        "My/my/PRP$/2/nmod:poss friend/friend/NN/4/nsubj Peter/peter/NNP/4/nsubj reads/read/VBZ/0/root",
        {"friend appos Peter"},
    ),
    "gerund": (
        "people/people/NNS/2/nsubj practice/practice/VBP/0/root dancing/dance/VBG/2/obj on/on/IN/5/case stage/stage/NN/2/obl",
        {"practice xcomp dancing", "dancing obl stage"},
    ),
    "how many": ("How/how/WRB/2/advmod many/many/JJ/3/amod birds/bird/NNS/4/nsubj sit/sit/VBP/0/root", {"birds det many"}),
    "dogs and cats": (
        "dog/dog/NN/0/root ,/,/,/3/punct cat/cat/NN/1/conj ,/,/,/6/punct and/and/CC/6/cc cow/cow/NN/1/conj",
        set(),
    ),
}


@pytest.mark.parametrize(("tree", "new"), CASES.values(), ids=CASES)
def test_edges_that_change(tree, new):
    assert applied(reanalysis, tree) == new
