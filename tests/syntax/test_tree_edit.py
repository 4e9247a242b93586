"""Test manual correction of a tree: changes are applied, and each type of error has a message."""

import pytest

from spice_core.errors import InputError
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.document import Document, Sentence
from spice_core.syntax.tree_edit import UNIVERSAL_RELATIONS, TreeLabels, TreeRow, apply_rows, replace_sentence, tree_rows

GRAPH = read_tree("A/a/DT/2/det man/man/NN/0/root loading/loading/NN/4/compound boxes/box/NNS/2/dep")
MAN_SENTENCE = Sentence(GRAPH.tokens, GRAPH.edges, enhanced=GRAPH.edges)
LABELS = TreeLabels(frozenset(("DT", "NN", "NNS", "VBG", "VBN")), UNIVERSAL_RELATIONS)


def test_corrections_are_applied_and_an_unchanged_tree_remains():
    table = [*tree_rows(MAN_SENTENCE)[:2], TreeRow(" Load ", "VBG", 2, "acl"), TreeRow("box", "NNS", 3, "obj")]
    sentence = apply_rows(MAN_SENTENCE, table, LABELS)
    assert [(t.lemma, t.tag) for t in sentence.tokens[2:]] == [("load", "VBG"), ("box", "NNS")]
    assert [(e.head, e.relation) for e in sentence.basic] == [(2, "det"), (0, "root"), (2, "acl"), (3, "obj")]
    assert sentence.enhanced is None and tree_rows(sentence)[2] == TreeRow("load", "VBG", 2, "acl")
    assert apply_rows(MAN_SENTENCE, tree_rows(MAN_SENTENCE), LABELS).basic == MAN_SENTENCE.basic
    for tagset, tags in [(frozenset(), {"DT", "NN", "NNS"}), (frozenset(("N",)), {"N"})]:
        labels = TreeLabels.from_documents([Document("", (MAN_SENTENCE,))], tagset)
        assert labels.tags == tags and labels.relations == UNIVERSAL_RELATIONS
    other_sentence = Sentence(GRAPH.tokens, GRAPH.edges)
    assert replace_sentence(Document("", (MAN_SENTENCE, MAN_SENTENCE)), 1, other_sentence).sentences == (MAN_SENTENCE, other_sentence)


INVALID_EDITS = {
    "circle": ({2: TreeRow("load", "VBG", 4, "acl"), 3: TreeRow("box", "NNS", 3, "obj")}, "word 3 (loading), head: found a cycle of heads: loading → boxes → loading, expected heads that lead to the root (0)"),
    "itself": ({2: TreeRow("load", "NN", 3, "acl")}, "a cycle of heads: loading → loading"),
    "no root": ({1: TreeRow("man", "NN", 4, "nsubj")}, "tree: found no word with head 0, expected exactly one word with head 0, the root"),
    "two roots": ({3: TreeRow("box", "NNS", 0, "obj")}, "tree: found several words with head 0 (man, boxes)"),
    "unknown label": ({2: TreeRow("load", "VBG", 2, "obbl")}, "word 3 (loading), relation: found 'obbl', expected a known value, such as obl"),
    "strange label": ({2: TreeRow("load", "VBG", 2, "%")}, "found '%', expected one of acl, acl:relcl"),
    "label of the root": ({2: TreeRow("load", "VBG", 2, "root")}, "found 'root', expected another relation: only the word with head 0 is the root"),
    "unknown tag": ({2: TreeRow("load", "VBX", 2, "acl")}, "word 3 (loading), tag: found 'VBX', expected a known value, such as VBN, VBG"),
    "head out of the sentence": ({2: TreeRow("load", "VBG", 9, "acl")}, "word 3 (loading), head: found 9, expected 0 to 4"),
    "no head": ({2: TreeRow("load", "VBG", -1, "acl")}, "found -1, expected 0 to 4"),
    "no lemma": ({2: TreeRow(" ", "VBG", 2, "acl")}, "word 3 (loading), lemma: found '', expected a lemma of 1 to 100 characters"),
    "long lemma": ({2: TreeRow("a" * 101, "VBG", 2, "acl")}, "expected a lemma of 1 to 100 characters"),
}  # fmt: skip


def test_errors_name_the_expectation():
    for changed_rows, expected_message in INVALID_EDITS.values():
        with pytest.raises(InputError) as error:
            apply_rows(MAN_SENTENCE, [changed_rows.get(n, row) for n, row in enumerate(tree_rows(MAN_SENTENCE))], LABELS)
        assert expected_message in str(error.value)
    with pytest.raises(InputError) as error:
        apply_rows(MAN_SENTENCE, [*tree_rows(MAN_SENTENCE)[:3], TreeRow("box", "NNS", 2, "obbl")], LABELS)
    assert all(part in error.value.text("ja") for part in ("語4（boxes）の関係", "obl", "などの既知の値"))
