"""The rules of the Stanford Scene Graph Parser on constructions of its paper, with stored basic trees and through the parser."""

import pytest

from spice_core import Spice
from spice_core.lang import language
from spice_core.lang.en.steps.original import MAX_COPIES
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.document import Document, Sentence

RULES = language("en").rule_set("stanford-2015")


def propositions(tree: str) -> set[tuple[str, ...]]:
    """Return the tuples of a basic tree."""
    graph = read_tree(tree)
    document = Document(tree, (Sentence(graph.tokens, graph.edges),))
    return {p.words for p in RULES.apply(language("en").enhance(document, RULES.steps))}


@pytest.mark.parametrize(("tree", "tuples"), [
    # Quantificational modifiers: the semantic head is the noun after "of". "Both" means two.
    ("Both/both/DT/6/nsubj of/of/IN/4/case the/the/DT/4/det men/man/NNS/1/nmod are/be/VBP/6/aux riding/ride/VBG/0/root "
     "their/they/PRP$/8/nmod:poss horses/horse/NNS/6/obj",
     {("man", "ride", "horse"), ("man 2", "ride", "horse 2"), ("man", "have", "horse"), ("man 2", "have", "horse 2")}),
    ("a/a/DT/2/det lot/lot/NN/0/root of/of/IN/4/case snow/snow/NN/2/nmod on/on/IN/6/case roofs/roof/NNS/4/nmod", {("snow", "on", "roof")}),
    ("a/a/DT/2/det couple/couple/NN/5/nsubj of/of/IN/4/case dogs/dog/NNS/2/nmod sleep/sleep/VBP/0/root", {("dog", "sleep"), ("dog 2", "sleep")}),
    # pronouns: "it" is the bed
    ("a/a/DT/2/det bed/bed/NN/0/root with/with/IN/5/case a/a/DT/5/det pillow/pillow/NN/2/nmod on/on/IN/7/case it/it/PRP/5/nmod", {("bed", "with", "pillow"), ("pillow", "on", "bed")}),
    # Plurals: each man wears a hat of his own, but all men carry the same piano.
    ("three/three/CD/2/nummod men/man/NNS/3/nsubj carry/carry/VBP/0/root a/a/DT/5/det piano/piano/NN/3/obj", {("man", "carry", "piano"), ("man 2", "carry", "piano"), ("man 3", "carry", "piano")}),
    ("3/3/CD/2/nummod men/man/NNS/0/root wearing/wear/VBG/2/acl black/black/JJ/5/amod hats/hat/NNS/3/obj", {("man", "wear", "hat"), ("man 2", "wear", "hat 2"), ("man 3", "wear", "hat 3")} | {("hat", "black"), ("hat 2", "black"), ("hat 3", "black")}),
    # The paper does not describe these cases. If two plurals have different numbers, all pairs are related. A plural without a number is one object.
    ("two/two/CD/2/nummod men/man/NNS/3/nsubj hold/hold/VBP/0/root three/three/CD/5/nummod kites/kite/NNS/3/obj", {(man, "hold", kite) for man in ("man", "man 2") for kite in ("kite", "kite 2", "kite 3")}),
    ("men/man/NNS/2/nsubj ride/ride/VBP/0/root horses/horse/NNS/2/obj", {("man", "ride", "horse")}),
    ("one/one/CD/2/nummod man/man/NN/3/nsubj rides/ride/VBZ/0/root horses/horse/NNS/3/obj", {("man", "ride", "horse")}),
    # Unlike SPICE, these rules yield no object for a noun alone and no attribute for a number, and a compound is one object.
    ("a/a/DT/2/det dog/dog/NN/0/root", set()), ("two/two/CD/2/nummod dogs/dog/NNS/0/root", set()),
    ("a/a/DT/4/det red/red/JJ/4/amod stop/stop/NN/4/compound sign/sign/NN/0/root", {("stop sign", "red")}),
    # other patterns of the paper
    ("The/the/DT/2/det bus/bus/NN/4/nsubj is/be/VBZ/4/cop red/red/JJ/0/root", {("bus", "red")}),
    ("a/a/DT/2/det jacket/jacket/NN/4/nsubj:pass is/be/VBZ/4/aux:pass worn/wear/VBN/0/root by/by/IN/7/case a/a/DT/7/det man/man/NN/4/obl", {("man", "wear", "jacket")}),
])  # fmt: skip
def test_a_tree_yields_these_propositions(tree, tuples):
    assert propositions(tree) == tuples


def test_copies_are_separate_bounded_objects_hidden_from_other_rules():
    tuples = propositions("9999/9999/CD/2/nummod dogs/dog/NNS/3/nsubj sleep/sleep/VBP/0/root")
    assert len(tuples) == MAX_COPIES and ("dog 12", "sleep") in tuples
    # Two of the three men match. All copies have the position of their noun.
    result = Spice(rules=RULES, parser=_FixedTrees()).compute("Three men sleep.", ["Two men sleep."])
    assert [t.words[0] for t in result.candidate_tuples if len(t.words) == 1] == ["man", "man 2", "man 3"]
    assert (result.overall.matched, result.overall.candidate, result.overall.reference) == (4, 6, 4)
    assert {p.tokens[0][0].text for p in result.candidate.propositions} == {"men"}
    graph = read_tree("three/three/CD/2/nummod men/man/NNS/3/nsubj sleep/sleep/VBP/0/root")
    document = Document("three men sleep", (Sentence(graph.tokens, graph.edges),))
    rules = language("en").rule_set("spice-2016")
    assert {p.words for p in rules.apply(language("en").enhance(document))} == {("man", "sleep"), ("man", "three"), ("man",)}


class _FixedTrees:
    """Parser that returns the tree of "NUMBER men sleep" with the caption's first word as the number."""

    signature = "trees"

    def parse(self, captions):
        for caption in captions:
            caption_number = caption.split()[0]
            graph = read_tree(f"{caption_number}/{caption_number.lower()}/CD/2/nummod men/man/NNS/3/nsubj sleep/sleep/VBP/0/root")
            yield Document(caption, (Sentence(graph.tokens, graph.edges),))


def test_captions_are_parsed_by_the_default_parser():
    spice = Spice(rules="stanford-2015")
    (parse,) = spice.parse(["Both of the men are riding their horses."])
    assert {p.words for p in parse.propositions} >= {("man 2", "ride", "horse 2"), ("man 2", "have", "horse 2")}
    assert spice.config.parser == "caption" and spice.signature.rules.startswith("stanford-2015-")
