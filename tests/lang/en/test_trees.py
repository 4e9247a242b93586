"""The best tree of a table of arc scores, and repairs of trees whose tags and edges contradict each other."""

from itertools import product

import networkx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spice_core.lang.en.parsers.likely_trees import best_tree, is_tree, runner_up_trees
from spice_core.lang.en.parsers.tree_repair import find_conjunction, repair_tree
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Token


def test_trees_have_one_root_no_cycle_and_the_best_heads():
    for head_indices, tree in [
        ([0], True),
        ([1], False),
        ([2, 0], True),
        ([0, 0], False),
        ([2, 1], False),
        ([2, 3, 0], True),
        ([3, 0, 1], False),
        ([], False),
    ]:
        assert is_tree(head_indices) is tree
    arcs = np.full((3, 4), -5, np.float32)
    arcs[0, 2] = arcs[1, 0] = arcs[2, 2] = 1
    assert best_tree(arcs) == [2, 0, 2]
    # Fourteen words prefer each other as heads. The best arc to the tree is only the fourteenth best of its word.
    arcs = np.full((16, 17), -30, np.float32)
    arcs[:14, 1:15] = 5
    arcs[:14, 15] = -10
    arcs[3, 16] = -2
    arcs[14, 0] = arcs[15, 15] = 5
    best_heads = best_tree(arcs)
    assert is_tree(best_heads) and best_heads[3] == 16 and best_heads[14:] == [0, 15]
    arcs = np.full((3, 4), -9, np.float32)
    arcs[0, 2] = arcs[1, 0] = arcs[2, 2] = 1
    arcs[2, 1] = -1
    assert list(runner_up_trees(arcs, margin=4)) == [(2.0, [2, 0, 1])]
    assert list(runner_up_trees(arcs, margin=1)) == []


@pytest.mark.parametrize("seed", range(40))
def test_the_tree_is_the_best_of_all_with_its_root(seed):
    rng = np.random.default_rng(seed)
    words = int(rng.integers(1, 6))
    arcs = rng.normal(size=(words, words + 1)).astype(np.float32)
    best_heads = best_tree(arcs)
    assert is_tree(best_heads)

    def total(head_indices) -> float:
        return sum(float(arcs[i, head]) for i, head in enumerate(head_indices))

    trees = [heads for heads in product(range(words + 1), repeat=words) if is_tree(list(heads)) and heads.index(0) == best_heads.index(0)]
    assert total(best_heads) == pytest.approx(max(map(total, trees)))


@pytest.mark.parametrize("words", [8, 20, 60])
def test_the_tree_equals_that_of_networkx(words):
    arcs = np.random.default_rng(words).normal(size=(words, words + 1)).astype(np.float32)
    best_heads = best_tree(arcs)
    root = best_heads.index(0) + 1
    graph = networkx.DiGraph()
    for dependent in {*range(1, words + 1)} - {root}:
        head_indices = {*range(1, words + 1)} - {dependent}
        graph.add_weighted_edges_from((head, dependent, float(arcs[dependent - 1, head])) for head in head_indices)
    assert {(head, dependent) for dependent, head in enumerate(best_heads, 1) if head} == {
        *networkx.maximum_spanning_arborescence(graph).edges
    }


# For each case: a tree from the network, and the words that the repairs change, as word/tag/head/relation.
EXPECTED_REPAIRS = {
    "name": ("a/a/DT/3/det player/player/NN/3/compound dunks/dunk/VBZ/0/root", ["a/DT/2/det", "player/NN/3/nsubj"]),
    "second clause": ("water/water/NN/2/nsubj drips/drip/VBZ/0/root and/and/CC/5/cc doors/door/NNS/5/compound creak/creak/VBP/2/conj", ["doors/NNS/5/nsubj"]),
    "clause after as": ("it/it/PRP/2/nsubj pours/pour/VBZ/0/root as/as/IN/5/mark rain/rain/NN/5/compound patters/patter/VBZ/2/nmod", ["rain/NN/5/nsubj", "patters/VBZ/2/advcl"]),
    "word with a subject": ("owls/owl/NNS/2/nsubj hoot/hoot/NN/0/root", ["hoot/VBP/0/root"]),
    "on the left": ("cat/cat/NN/0/root on/on/IN/4/case the/the/DT/4/det left/left/JJ/1/nmod", ["left/NN/1/nmod"]),
    "the final": ("teams/team/NNS/2/nsubj win/win/VBP/0/root the/the/DT/4/det final/final/JJ/2/obj", ["final/NN/2/obj"]),
    "the other": ("teams/team/NNS/2/nsubj beat/beat/VBP/0/root the/the/DT/4/det other/other/JJ/2/obj", []),
    "adult": ("an/a/DT/2/det adult/adult/JJ/3/nsubj dives/dive/VBZ/0/root", ["adult/NN/3/nsubj"]),
    "youngest": ("the/the/DT/2/det youngest/young/JJS/3/nsubj points/point/VBZ/0/root", ["youngest/NN/3/nsubj"]),
    "local": ("a/a/DT/3/det local/local/JJ/3/amod rides/ride/VBZ/0/root donkeys/donkey/NNS/3/obj", ["a/DT/2/det", "local/NN/3/nsubj"]),
    "elderly": ("an/a/DT/3/det elderly/elderly/JJ/3/amod waves/wave/NNS/0/root at/at/IN/5/case us/we/PRP/3/nmod", ["an/DT/2/det", "elderly/NN/3/nsubj", "waves/VBZ/0/root", "us/PRP/3/obl"]),
    "a few": ("a/a/DT/3/det few/few/JJ/3/amod waves/wave/NNS/0/root", []),
    "indoors": ("man/man/NN/2/nsubj reads/read/VBZ/0/root indoors/indoors/NNS/2/obj", ["indoors/RB/2/advmod"]),
    "side-by-side": ("seals/seal/NNS/2/nsubj sit/sit/VBP/0/root side-by-side/x/NN/2/obj", ["side-by-side/RB/2/advmod"]),
    "side by side": ("two/two/CD/2/nummod men/man/NNS/3/nsubj side/side/VBP/0/root by/by/IN/5/case side/side/NN/3/obl on/on/IN/7/case road/road/NN/3/obl",
     ["men/NNS/0/root", "side/RB/2/advmod", "by/IN/3/compound:prt", "side/NN/3/compound:prt", "road/NN/2/obl"]),
    "arm in arm": ("a/a/DT/3/det couple/couple/NN/3/compound arm/arm/NN/0/root in/in/IN/5/case arm/arm/NN/3/nmod",
     ["a/DT/2/det", "couple/NN/0/root", "arm/RB/2/advmod", "in/IN/3/compound:prt", "arm/NN/3/compound:prt"]),
    "face to face": ("men/man/NNS/2/nsubj stand/stand/VBP/0/root face/face/NN/2/obj to/to/IN/5/case face/face/NN/2/obl", ["face/RB/2/advmod", "to/IN/3/compound:prt", "face/NN/3/compound:prt"]),
    "from side to side": ("it/it/PRP/2/nsubj rolls/roll/VBZ/0/root from/from/IN/4/case side/side/NN/2/obl to/to/IN/6/case side/side/NN/2/obl", []),
    "turns left": ("car/car/NN/2/nsubj turns/turn/VBZ/0/root left/leave/VBN/2/xcomp at/at/IN/5/case corner/corner/NN/3/obl", ["left/JJ/2/xcomp", "corner/NN/2/obl"]),
    "push left": ("push/push/VB/0/root block/block/NN/1/obj left/leave/VBN/2/acl", ["left/JJ/1/xcomp"]),
    "left behind": ("eat/eat/VBP/0/root food/food/NN/1/obj left/leave/VBN/2/acl", []),
    "enjoys swimming": ("dogs/dog/NNS/2/nsubj enjoy/enjoy/VBP/0/root swimming/swimming/NN/2/obj", ["swimming/VBG/2/obj"]),
    "sees writing": ("dogs/dog/NNS/2/nsubj see/see/VBP/0/root writing/writing/NN/2/obj", []),
    "gets up and leaves": ("man/man/NN/2/nsubj gets/get/VBZ/0/root up/up/RB/2/advmod and/and/CC/5/cc leaves/leaf/NNS/2/conj", ["leaves/VBZ/2/conj"]),
    "eats cake and cream": ("man/man/NN/2/nsubj eats/eat/VBZ/0/root cake/cake/NN/2/obj and/and/CC/5/cc cream/cream/NN/2/conj", []),
    "kneeling": ("kneeling/kneel/VBG/2/amod angels/angel/NNS/0/root", ["kneeling/JJ/2/amod"]),
}  # fmt: skip


def tagged_text(tree: str) -> DependencyGraph:
    graph = read_tree(tree)
    return DependencyGraph(graph.tokens, sorted(graph.edges, key=lambda e: e.dependent))


def tree_rows(tree: DependencyGraph) -> list[str]:
    return [f"{token.text}/{token.tag}/{e.head}/{e.relation}" for token, e in zip(tree.tokens, tree.edges, strict=True)]


@pytest.mark.parametrize(("tree", "changed"), EXPECTED_REPAIRS.values(), ids=EXPECTED_REPAIRS)
def test_repairs_change_the_expected_edges(tree, changed):
    rows_before, rows_after = tree_rows(tagged_text(tree)), tree_rows(repair_tree(tagged_text(tree)))
    assert [row for row, old_row in zip(rows_after, rows_before) if row != old_row] == changed


@pytest.mark.parametrize(("tree", "conjunction"), [
    ("dog/dog/NN/2/nsubj sits/sit/VBZ/0/root and/and/CC/6/cc cat/cat/NN/6/nsubj is/be/VBZ/6/cop outside/outside/RB/2/conj", "and"),
    ("dog/dog/NN/2/nsubj sits/sit/VBZ/0/root ,/,/,/6/punct while/while/IN/6/mark cats/cat/NNS/6/nsubj play/play/VBP/2/advcl", "while"),
    # The second clause has no subject, no finite verb, or no main clause before it.
    ("dog/dog/NN/2/nsubj sits/sit/VBZ/0/root and/and/CC/4/cc barks/bark/VBZ/2/conj", ""),
    ("dog/dog/NN/2/nsubj sits/sit/VBZ/0/root and/and/CC/4/cc cat/cat/NN/1/conj sleeping/sleep/VBG/4/acl", ""),
    ("dog/dog/NN/4/nsubj and/and/CC/3/cc cat/cat/NN/1/conj sit/sit/VBP/0/root", ""),
])  # fmt: skip
def test_a_conjunction_joins_two_finite_clauses(tree, conjunction):
    graph = tagged_text(tree)
    assert graph.text(find_conjunction(graph)) == conjunction


@st.composite
def trees(draw) -> DependencyGraph:
    """Generate trees with one root, from tags, relations and words that the repairs check."""
    word_count = draw(st.integers(1, 9))
    order = draw(st.permutations(range(1, word_count + 1)))
    head_indices = {word: draw(st.sampled_from(order[:position])) if position else 0 for position, word in enumerate(order)}
    relation = st.sampled_from("nsubj obj obl nmod conj cc case det compound nummod punct xcomp ccomp dep acl".split())
    edges = [Dependency(head_indices[i], i, draw(relation) if head_indices[i] else "root") for i in range(1, word_count + 1)]
    tags = [draw(st.sampled_from("NN NNS NNP VBZ VBP VBD VBN VBG DT IN JJ MD CC CD".split())) for _ in edges]
    words = [draw(st.sampled_from("a an one dog says enjoy painting barking rings left and by".split())) for _ in edges]
    tokens = tuple(Token(token_index, word, "", tag) for token_index, (word, tag) in enumerate(zip(words, tags), 1))
    return DependencyGraph(tokens, edges)


@settings(max_examples=50)
@given(trees())
@example(tagged_text("painting/paint/VBD/0/root enjoy/enjoy/IN/1/nsubj painting/paint/JJ/1/ccomp"))
def test_every_repair_keeps_a_tree_with_one_root(tree):
    repaired_tree = repair_tree(tree)
    assert is_tree([e.head for e in repaired_tree.edges])
    assert [e.dependent for e in repaired_tree.edges] == list(range(1, len(tree.edges) + 1))
    assert [e.relation for e in repaired_tree.edges if not e.head] == ["root"]
