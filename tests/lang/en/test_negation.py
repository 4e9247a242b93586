"""What a sentence denies is not there."""

from __future__ import annotations

import pytest

from spice_core.lang.en.negation import negation
from spice_core.rules.rule_file import read_tree

CASES = [
    (  # no cars on the street: the street stays, unrelated
        "There/there/EX/2/expl are/be/VBP/0/root no/no/DT/4/det cars/car/NNS/2/nsubj on/on/IN/6/case streets/street/NNS/2/obl:on",
        {"are denied cars"},
    ),
    ("man/man/NN/0/root without/without/IN/3/case shirts/shirt/NNS/1/nmod:without", {"man denied shirts"}),
    (
        "man/man/NN/4/nsubj is/be/VBZ/4/aux not/not/RB/4/advmod wearing/wear/VBG/0/root helmets/helmet/NNS/4/obj",
        {"wearing denied helmets"},
    ),
    ("boys/boy/NNS/3/nsubj Neither/neither/DT/1/det:none smiles/smile/VBZ/0/root", set()),
    ("a/a/DT/4/det no/no/DT/4/det parking/parking/NN/4/compound sign/sign/NN/0/root", set()),
    ("not/not/RB/3/advmod only/only/RB/3/advmod sits/sit/VBZ/0/root dogs/dog/NNS/3/nsubj", set()),
]
LOST = [{"are nsubj cars"}, {"man nmod:without shirts"}, {"wearing nsubj man", "wearing obj helmets"}, {"smiles nsubj boys"}, set(), set()]


@pytest.mark.parametrize(("tree", "added", "lost"), [(*case, lost) for case, lost in zip(CASES, LOST, strict=True)])
def test_denied_things_and_actions_lose_their_relations(tree, added, lost):
    graph = read_tree(tree)
    name = lambda i: graph.token(i).text if i else "root"
    before, after = set(graph.edges), set(negation(graph.tokens, graph.edges))
    assert {f"{name(e.head)} {e.relation} {name(e.dependent)}" for e in after - before} == added
    assert lost <= {f"{name(e.head)} {e.relation} {name(e.dependent)}" for e in before - after}
