"""The best tree of a table of arc scores, and repairs of trees whose tags and edges contradict each other."""

from itertools import product

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core.lang.en.parsers.likely_trees import best_tree, is_tree, runner_up_trees
from spice_core.lang.en.parsers.tree_repair import repair_tree
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
    # Fourteen words prefer each other as heads. The best arc that connects them to the tree is only the fourteenth best of its word.
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
    "verb in a phrase": ("boy/boy/NN/2/nsubj dressed/dress/VBZ/0/root as/as/IN/5/case a/a/DT/4/det pirate/pirate/NN/6/nsubj runs/run/VBZ/2/obl", []),
    "past participle": ("boy/boy/NN/2/nsubj dressed/dress/VBD/0/root as/as/IN/6/case a/a/DT/5/det pirate/pirate/NN/6/nsubj runs/run/VBZ/2/obl", ["boy/NN/6/nsubj", "dressed/VBN/1/acl", "as/IN/5/case", "pirate/NN/2/obl", "runs/VBZ/0/root"]),
    "plural of a singular":
     ("man/man/NN/2/nsubj dressed/dress/VBN/0/root as/as/IN/6/case a/a/DT/6/det clown/clown/NN/6/compound juggles/juggle/NNS/2/obl",
     ["man/NN/6/nsubj", "dressed/VBN/1/acl", "as/IN/5/case", "a/DT/5/det", "clown/NN/2/obl", "juggles/VBZ/0/root"]),
    "street signs": ("photo/photo/NN/0/root of/of/IN/5/case a/a/DT/5/det street/street/NN/5/compound signs/sign/NNS/1/nmod", []),
    "phrases of a subject": ("bird/bird/NN/0/root on/on/IN/3/case roofs/roof/NNS/1/nmod and/and/CC/7/cc in/in/IN/6/case tree/tree/NN/7/nsubj sings/sing/VBZ/1/conj", ["bird/NN/7/nsubj", "and/CC/6/cc", "tree/NN/1/conj", "sings/VBZ/0/root"]),
    "coordinated phrases": ("man/man/NN/7/nsubj in/in/IN/3/case boots/boot/NNS/1/nmod and/and/CC/6/cc with/with/IN/6/case beard/beard/NN/7/obl smiles/smile/VBZ/0/root", ["beard/NN/3/conj"]),
    "verb at the end": ("car/car/NN/0/root and/and/CC/4/cc a/a/DT/4/det man/man/NN/1/conj wait/wait/NN/1/conj", ["car/NN/5/nsubj", "wait/VBP/0/root"]),
    "noun at the end": ("cup/cup/NN/0/root ,/,/,/3/punct plate/plate/NN/1/conj and/and/CC/5/cc fork/fork/NN/1/conj", []),
    "run-on": ("dogs/dog/NNS/2/nsubj run/run/VBP/0/root one/one/CD/4/nummod barks/bark/NNS/2/obj", ["one/CD/4/nsubj", "barks/VBZ/2/parataxis"]),
    "name": ("a/a/DT/3/det player/player/NN/3/compound dunks/dunk/VBZ/0/root", ["a/DT/2/det", "player/NN/3/nsubj"]),
    "list of verbs": ("girl/girl/NN/2/nsubj smiles/smile/VBZ/0/root ,/,/,/4/punct waves/wave/NNS/2/conj and/and/CC/6/cc leaves/leaf/NNS/2/conj", ["waves/VBZ/2/conj", "leaves/VBZ/2/conj"]),
    "list of objects": ("girl/girl/NN/2/nsubj sees/see/VBZ/0/root waves/wave/NNS/2/obj and/and/CC/5/cc leaves/leaf/NNS/2/conj", []),
    "gerund": ("woman/woman/NN/2/nsubj enjoys/enjoy/VBZ/0/root cooking/cooking/NN/2/obj", ["cooking/VBG/2/obj"]),
    "noun in -ing": ("woman/woman/NN/2/nsubj enjoys/enjoy/VBZ/0/root the/the/DT/4/det painting/painting/NN/2/obj", []),
    "sign": ("sign/sign/NN/2/nsubj says/say/VBZ/0/root STOP/stop/VB/2/xcomp", ["STOP/UH/2/xcomp"]),
    "participle as root": ("man/man/NN/6/nsubj loading/load/VBG/1/acl boxes/box/NNS/2/obj into/into/IN/5/case trucks/truck/NNS/2/obl painted/paint/VBN/0/root blue/blue/JJ/6/xcomp", ["man/NN/0/root", "painted/VBN/5/acl"]),
    "passive": ("man/man/NN/5/nsubj holding/hold/VBG/1/acl boxes/box/NNS/2/obj is/be/VBZ/5/aux:pass painted/paint/VBN/0/root blue/blue/JJ/5/xcomp", []),
    "sound": ("a/a/DT/3/det frog/frog/NN/3/compound croaking/croaking/NN/0/root", ["a/DT/2/det", "frog/NN/0/root", "croaking/VBG/2/acl"]),
    "sound of a part": ("motor/motor/NN/4/nsubj of/of/IN/3/case cleaners/cleaner/NN/4/compound whines/whine/NNS/0/root", ["cleaners/NN/1/nmod", "whines/VBZ/0/root"]),
    "sport": ("horse/horse/NN/2/compound racing/racing/NN/0/root", []),
    "two clauses":
     ("a/a/DT/3/det bell/bell/NN/3/compound rings/ring/NNS/6/nsubj and/and/CC/5/cc steps/step/NNS/3/conj echo/echo/VBP/0/root",
     ["a/DT/2/det", "bell/NN/3/nsubj", "rings/VBZ/0/root", "and/CC/6/cc", "steps/NNS/6/nsubj", "echo/VBP/3/conj"]),
    "two subjects": ("stop/stop/NN/2/compound signs/sign/NNS/5/nsubj and/and/CC/4/cc cars/car/NNS/2/conj block/block/VBP/0/root", []),
    "second clause": ("water/water/NN/2/nsubj drips/drip/VBZ/0/root and/and/CC/5/cc doors/door/NNS/5/compound creak/creak/VBP/2/conj", ["doors/NNS/5/nsubj"]),
    "clause after as": ("it/it/PRP/2/nsubj pours/pour/VBZ/0/root as/as/IN/5/mark rain/rain/NN/5/compound patters/patter/VBZ/2/nmod", ["rain/NN/5/nsubj", "patters/VBZ/2/advcl"]),
    "pretended": ("boy/boy/NN/0/root pretending/pretend/VBG/1/acl to/to/TO/7/mark be/be/VB/7/cop a/a/DT/6/det pirate/pirate/NN/7/compound waves/wave/VBZ/2/xcomp",
     ["boy/NN/7/nsubj", "to/TO/6/mark", "be/VB/6/cop", "pirate/NN/2/xcomp", "waves/VBZ/0/root"]),
    "a singular and a plural":
     ("image/image/NN/0/root of/of/IN/6/case a/a/DT/6/det robot/robot/NN/6/compound watering/water/VBG/6/amod flowers/flower/NNS/1/nmod",
     ["of/IN/4/case", "a/DT/4/det", "robot/NN/1/nmod", "watering/VBG/4/acl", "flowers/NNS/5/obj"]),
    "running shoes": ("women/woman/NNS/4/compound red/red/JJ/4/amod running/running/NN/4/compound shoes/shoe/NNS/0/root", []),
    "subject as verb":
     ("owl/owl/NN/2/nsubj hoots/hoot/VBZ/0/root and/and/CC/4/cc branches/branch/VBZ/2/conj creak/creak/VBP/2/conj",
     ["and/CC/5/cc", "branches/NNS/5/nsubj"]),
    "seen": ("man/man/NN/2/nsubj watches/watch/VBZ/0/root dogs/dog/NNS/2/obj swim/swim/NN/2/ccomp", ["swim/VB/2/xcomp"]),
    "can": ("the/the/DT/2/det can/can/MD/3/nsubj leaks/leak/VBZ/0/root", ["can/NN/3/nsubj"]),
    "asleep": ("puppy/puppy/NN/0/root asleep/asleep/VBG/1/acl on/on/IN/4/case rugs/rug/NNS/2/obl", ["asleep/JJ/1/amod"]),
    "the final": ("teams/team/NNS/2/nsubj win/win/VBP/0/root the/the/DT/4/det final/final/JJ/2/obj", ["final/NN/2/obj"]),
    "the other": ("teams/team/NNS/2/nsubj beat/beat/VBP/0/root the/the/DT/4/det other/other/JJ/2/obj", []),
    "in black": ("car/car/NN/0/root in/in/IN/3/case black/black/JJ/1/amod", ["black/NN/1/nmod"]),
    "light candles":
     ("nuns/nun/NNS/3/nsubj light/light/JJ/3/amod candles/candle/NNS/0/root at/at/IN/5/case night/night/NN/3/nmod",
     ["nuns/NNS/2/nsubj", "light/VBP/0/root", "candles/NNS/2/obj", "night/NN/2/obl"]),
    "light candles burn": ("light/light/JJ/2/amod candles/candle/NNS/3/nsubj burn/burn/VBP/0/root", []),
    "counted": ("2/2/CD/2/nummod cats/cat/NNS/4/compound 1/1/CD/2/nummod dog/dog/NN/0/root", ["cats/NNS/0/root", "1/CD/4/nummod", "dog/NN/2/conj"]),
    "her back":
     ("she/she/PRP/2/nsubj sits/sit/VBZ/0/root her/she/PRP/5/nsubj back/back/RB/5/advmod turned/turn/VBN/2/conj",
     ["her/PRP$/4/nmod:poss", "back/NN/5/nsubj"]),
    "described":
     ("blue/blue/JJ/2/amod sky/sky/NN/4/compound green/green/JJ/4/amod grass/grass/NN/0/root", ["sky/NN/0/root", "grass/NN/2/conj"]),
    "one table": ("old/old/JJ/3/amod kitchen/kitchen/NN/3/compound table/table/NN/0/root", []),
    "shaped":
     ("bear/bear/NN/2/nsubj shaped/shape/VBD/0/root cake/cake/NN/2/obj on/on/IN/5/case plates/plate/NNS/2/obl",
     ["bear/NN/3/compound", "shaped/JJ/3/amod", "cake/NN/0/root", "plates/NNS/3/nmod"]),
    "shaped it": ("man/man/NN/2/nsubj shaped/shape/VBD/0/root the/the/DT/4/det cake/cake/NN/2/obj", []),
    "no apostrophe": ("a/a/DT/3/det mans/man/NN/3/compound hand/hand/NN/0/root", ["mans/NNS/3/nmod:poss"]),
    "tourists crowd":
     ("tourists/tourist/NNS/2/compound crowd/crowd/NN/0/root around/around/IN/4/case guides/guide/NNS/2/nmod",
     ["tourists/NNS/2/nsubj", "crowd/VBP/0/root", "guides/NNS/2/obl"]),
    "a sports crowd": ("sports/sport/NNS/2/compound crowd/crowd/NN/0/root in/in/IN/4/case stadiums/stadium/NNS/2/nmod", []),
    "saw a man fall": ("I/I/PRP/2/nsubj saw/see/VBD/0/root men/man/NNS/2/nsubj fall/fall/VB/2/ccomp", ["men/NNS/4/nsubj"]),
    "boy and girl":
     ("a/a/DT/2/det boy/boy/NN/8/nsubj with/with/IN/4/case caps/cap/NNS/2/nmod and/and/CC/7/cc a/a/DT/7/det girl/girl/NN/4/conj wait/wait/VB/0/root",
     ["girl/NN/2/conj", "wait/VBP/0/root"]),
    "boy with two":
     ("a/a/DT/2/det boy/boy/NN/8/nsubj with/with/IN/4/case caps/cap/NNS/2/nmod and/and/CC/7/cc a/a/DT/7/det bag/bag/NN/4/conj waits/wait/VBZ/0/root", []),
    "followed by":
     ("man/man/NN/0/root carrying/carry/VBG/1/acl bags/bag/NNS/2/obj followed/follow/VBN/2/advcl by/by/IN/6/case dogs/dog/NNS/2/obj",
     ["followed/VBN/1/acl", "dogs/NNS/4/obl"]),
    "followed below": ("man/man/NN/2/nsubj has/have/VBZ/0/root followed/follow/VBN/5/amod by/by/IN/5/case dogs/dog/NNS/2/obj", []),
    "view": ("View/view/VB/0/root from/from/IN/3/case windows/window/NNS/1/obl", ["View/NN/0/root", "windows/NNS/1/nmod"]),
    "drawing": ("Drawing/draw/VBG/0/root of/of/IN/3/case hands/hand/NNS/1/nmod", ["Drawing/NN/0/root"]),
    "page shows": ("page/page/NN/2/nsubj shows/show/VBZ/0/root kings/king/NNS/2/nsubj presenting/present/VBG/3/acl", ["kings/NNS/2/obj"]),
    "watering and singing":
     ("is/be/VBZ/2/aux watering/water/VBG/0/root plants/plant/NNS/2/obj and/and/CC/5/cc singing/singing/NN/3/conj", ["singing/VBG/2/conj"]),
    "eating and icing": ("is/be/VBZ/2/aux eating/eat/VBG/0/root cakes/cake/NNS/2/obj and/and/CC/5/cc icing/icing/NN/3/conj", []),
    "painted wood":
     ("model/model/NN/0/root with/with/IN/3/case workers/worker/NNS/1/nmod ,/,/,/3/punct painted/paint/VBN/3/amod wood/wood/NN/5/obj",
     ["painted/JJ/6/amod", "wood/NN/3/conj"]),
    "workers painted": ("workers/worker/NNS/0/root painted/paint/VBN/1/acl the/the/DT/4/det wood/wood/NN/2/obj", []),
    "self-portrait": ("Self-portrait/self-portrait/JJ/0/root with/with/IN/3/case hats/hat/NNS/1/nmod", ["Self-portrait/NN/0/root"]),
    "full of hats": ("Full/full/JJ/0/root of/of/IN/3/case hats/hat/NNS/1/obl", []),
    "back turned to us":
     ("she/she/PRP/2/nsubj sits/sit/VBZ/0/root ,/,/,/4/punct her/she/PRP$/2/conj back/back/RB/2/advmod to/to/IN/7/case us/us/NN/5/obl",
     ["her/PRP$/5/nmod:poss", "back/NN/2/conj", "us/NN/5/nmod"]),
    "view it": ("View/view/VB/0/root pictures/picture/NNS/1/obj", []),
    "kneeling": ("kneeling/kneel/VBG/2/amod angels/angel/NNS/0/root", ["kneeling/JJ/2/amod"]),
    "said": ("he/he/PRP/2/nsubj says/say/VBZ/0/root dogs/dog/NNS/4/nsubj bark/bark/VBP/2/ccomp", []),
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


@st.composite
def trees(draw) -> DependencyGraph:
    """Generate trees with one root, from tags, relations and words that the repairs check."""
    word_count = draw(st.integers(1, 9))
    order = draw(st.permutations(range(1, word_count + 1)))
    head_indices = {word: draw(st.sampled_from(order[:position])) if position else 0 for position, word in enumerate(order)}
    relation = st.sampled_from("nsubj obj obl nmod conj cc case det compound nummod punct xcomp ccomp dep acl".split())
    edges = [Dependency(head_indices[i], i, draw(relation) if head_indices[i] else "root") for i in range(1, word_count + 1)]
    tags = [draw(st.sampled_from("NN NNS NNP VBZ VBP VBD VBN VBG DT IN JJ MD CC CD".split())) for _ in edges]
    words = [draw(st.sampled_from("a an one dog says enjoy painting barking rings and by".split())) for _ in edges]
    tokens = tuple(Token(token_index, word, "", tag) for token_index, (word, tag) in enumerate(zip(words, tags), 1))
    return DependencyGraph(tokens, edges)


@settings(max_examples=50)
@given(trees())
def test_every_repair_keeps_a_tree_with_one_root(tree):
    repaired_tree = repair_tree(tree)
    assert is_tree([e.head for e in repaired_tree.edges]) and [e.dependent for e in repaired_tree.edges] == list(
        range(1, len(tree.edges) + 1)
    )
    assert [e.relation for e in repaired_tree.edges if not e.head] == ["root"]
