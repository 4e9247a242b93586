"""From basic trees to the graph that the rules read, step by step."""

from __future__ import annotations

import pytest

from spice_core.lang.en import enhancement as en
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.conllu import read
from spice_core.syntax.document import Dependency
from tests.conftest import DATA
from tests.lang.edges import applied

CASES = [
    (
        en.multiword_prepositions,
        "dog/dog/NN/2/nsubj sits/sit/VBZ/0/root in/in/IN/4/case front/front/NN/2/obl of/of/IN/6/case walls/wall/NNS/4/nmod",
        {"walls case in", "in fixed front", "in fixed of", "sits obl walls"},
    ),
    (
        en.multiword_prepositions,
        "dog/dog/NN/0/root next/next/JJ/1/advmod to/to/TO/4/case walls/wall/NNS/2/obl",
        {"walls case next", "next fixed to", "dog nmod walls"},
    ),
    (
        en.multiword_prepositions,
        "cat/cat/NN/4/nsubj is/be/VBZ/4/cop just/just/RB/4/advmod next/next/JJ/0/root to/to/TO/6/case it/it/PRP/4/obl",
        {"it nsubj cat", "it cop is", "it advmod just", "it case next", "next fixed to", "root root it"},
    ),
    (en.multiword_prepositions, "man/man/NN/0/root out/out/RB/3/advmod here/here/RB/1/advmod", set()),
    (
        en.prepositions_in_labels,
        "dog/dog/NN/2/nsubj sits/sit/VBZ/0/root in/in/IN/6/case front/front/NN/3/fixed of/of/IN/3/fixed walls/wall/NNS/2/obl",
        {"sits obl:in_front_of walls"},
    ),
    (
        en.prepositions_in_labels,
        "it/it/PRP/3/nsubj:pass was/be/VBD/3/aux:pass made/make/VBN/0/root by/by/IN/5/case men/man/NNS/3/obl",
        {"made obl:agent men"},
    ),
    (
        en.conjuncts,
        "dogs/dog/NNS/4/nsubj and/and/CC/3/cc cats/cat/NNS/1/conj run/run/VBP/0/root or/or/CC/6/cc sleep/sleep/VBP/4/conj",
        {"dogs conj:and cats", "run nsubj cats", "run conj:or sleep", "sleep nsubj dogs"},
    ),
    (
        en.quantifiers,
        "a/a/DT/2/det couple/couple/NN/5/nsubj of/of/IN/4/case men/man/NNS/2/nmod:of walk/walk/VBP/0/root",
        {"walk nsubj men", "men det:qmod a", "a fixed couple", "a fixed of"},
    ),
    (
        en.quantifiers,
        "with/with/IN/2/case lots/lot/NNS/0/root of/of/IN/4/case men/man/NNS/2/nmod:of",
        {"root root men", "men det:qmod with", "with fixed lots", "with fixed of"},
    ),
    (
        en.quantifiers,
        "one/one/CD/5/nsubj of/of/IN/4/case the/the/DT/4/det men/man/NNS/1/nmod:of walks/walk/VBZ/0/root",
        {"walks nsubj men", "men det:qmod one", "one fixed of"},
    ),
    (en.quantifiers, "one/one/CD/4/nsubj of/of/IN/3/case men/man/NNS/1/nmod:of walks/walk/VBZ/0/root", set()),  # no determiner
    (en.quantifiers, "a/a/DT/2/det group/group/NN/0/root of/of/IN/4/case men/man/NNS/2/nmod:of", set()),  # not in the list
    (
        en.pronouns,
        "man/man/NN/2/nsubj rides/ride/VBZ/0/root his/he/PRP$/4/nmod:poss bike/bike/NN/2/obj",
        {"bike nmod:poss man"},
    ),
    (en.pronouns, "men/man/NNS/2/nsubj ride/ride/VBP/0/root his/he/PRP$/4/nmod:poss bikes/bike/NNS/2/obj", set()),  # no singular noun
    (en.pronouns, "his/he/PRP$/2/nmod:poss bike/bike/NN/0/root", set()),  # the first word
    (en.pronouns, "riding/ride/VBG/0/root his/he/PRP$/3/nmod:poss bike/bike/NN/1/obj", set()),  # the noun stands behind
]


@pytest.mark.parametrize(("step", "tree", "added"), CASES, ids=[f"{c[0].__name__}: {c[1].split('/')[0]} {i}" for i, c in enumerate(CASES)])
def test_steps(step, tree, added):
    assert applied(step, tree) == added


def test_basic_trees_give_the_reference_programs_enhanced_graphs():
    """All but a few sentences (conjuncts of conjuncts, "inside of") get the original SPICE's graph, edge by edge."""
    with open(DATA / "propositions.conllu", encoding="utf-8") as lines:
        sentences = [s for d in read(lines) for s in d.sentences]
    differ = 0
    for s in sentences:
        edges: tuple[Dependency, ...] = s.basic
        for step in en.STEPS[:3]:
            edges = step.apply(s.tokens, edges)
        differ += set(edges) != set(s.enhanced)
    assert differ <= 3, f"{differ} of {len(sentences)}"


def test_the_trace_names_each_step_with_the_graph_after_it():
    graph = read_tree("a/a/DT/2/det lot/lot/NN/0/root of/of/IN/4/case men/man/NNS/2/nmod")
    sentence = en.Sentence(graph.tokens, graph.edges)
    trace = en.trace(sentence)
    assert [step.name for step, _ in trace] == ["multiword prepositions", "prepositions in labels", "conjuncts", "quantifiers", "pronouns"]
    assert Dependency(4, 1, "det:qmod") in trace[3][1] and Dependency(4, 1, "det:qmod") not in trace[2][1]
