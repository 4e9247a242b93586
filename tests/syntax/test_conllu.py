"""Test trees: reading and writing CoNLL-U, and edits by hand."""

import pytest

from spice_core import Spice
from spice_core.errors import InputError
from spice_core.lang import LANGUAGES, language
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.conllu import read, write
from spice_core.syntax.document import Document, Sentence, align_words
from spice_core.syntax.tree_edit import UNIVERSAL_RELATIONS, TreeLabels, TreeRow, apply_rows, replace_sentence, tree_rows
from tests.conftest import DATA

UD_V1_TREES = """# caption = Cats and dogs were fed by him. They slept
1\tCats\tcat\t_\tNNS\t_\t5\tnsubjpass\t5:nsubjpass\t_
2\tand\tand\t_\tCC\t_\t1\tcc\t1:cc\t_
3\tdogs\tdog\t_\tNNS\t_\t1\tconj\t1:conj:and|5:nsubjpass\t_
4\twere\tbe\t_\tVBD\t_\t5\tauxpass\t5:auxpass\t_
5\tfed\tfeed\t_\tVBN\t_\t0\troot\t0:root\t_
6\tby\tby\t_\tIN\t_\t7\tcase\t7:case\t_
7\thim\the\t_\tPRP\t_\t5\tnmod\t5:nmod:agent\t_
8\t.\t.\t_\t.\t_\t5\tpunct\t5:punct\t_

1\tThey\tthey\t_\tPRP\t_\t2\tnsubj\t2:nsubj\t_
2\tslept\tsleep\t_\tVBD\t_\t0\troot\t0:root\t_

"""


def test_ud_v1_is_converted_to_v2_and_tokens_have_offsets():
    (document,) = read(UD_V1_TREES.splitlines(keepends=True))
    first_sentence, second_sentence = document.sentences
    assert {(e.head, e.dependent, e.relation) for e in first_sentence.basic} == {
        (5, 1, "nsubj:pass"), (3, 2, "cc"), (1, 3, "conj"), (5, 4, "aux:pass"), (0, 5, "root"), (7, 6, "case"), (5, 7, "obl"), (5, 8, "punct"),
    }  # fmt: skip
    assert (5, 7, "obl:agent") in first_sentence.enhanced
    assert [t.text for t in second_sentence.tokens] == ["They", "slept"]
    (document,) = read(UD_V1_TREES.splitlines())
    tokens = [t for s in document.sentences for t in s.tokens]
    assert [document.text[t.start : t.end] for t in tokens] == [t.text for t in tokens]
    for text, words, spans in [
        ('a "dog" (brown)', ["a", "``", "dog", "''", "-LRB-", "brown", "-RRB-"], [(0, 1), (2, 3), (3, 6), (6, 7), (8, 9), (9, 14), (14, 15)]),
        ("dog dog", ["dog", "dog"], [(0, 3), (4, 7)]), ("a dog", ["a", "cat"], [(0, 1), (-1, -1)]),
    ]:  # fmt: skip
        assert align_words(text, words) == spans


def test_written_trees_are_read_back():
    with open(DATA / "propositions.conllu", encoding="utf-8") as lines:
        documents = list(read(lines))
    assert len(documents) == 250
    assert list(read("".join(map(write, documents)).splitlines())) == documents
    row = "1\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_\n2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n2\trun\trun\tVERB\tVBP\t_\t1\tacl\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
    (document,) = read(row.splitlines())
    assert document.text == "dogs run"
    assert [e.relation for e in document.sentences[0].basic] == ["root", "acl"]
    row = "1\tmen\tman\t_\tNNS\t_\t0\troot\t0:root|2:nsubj\t_\n2\tsmiling\tsmile\t_\tVBG\t_\t1\tacl\t1:acl\t_"
    (document,) = read(row.splitlines())
    assert {(e.head, e.dependent) for e in document.sentences[0].enhanced} == {(0, 1), (2, 1), (1, 2)}
    row = "1\tdogs\tdog\t_\tNNS\t_\t0\troot\t_\t_\n\n"
    both_documents = list(read((f"# caption = Dogs. Dogs.\n# text = Dogs.\n{row}# text = Dogs.\n{row}" * 2).splitlines()))
    assert [(d.text, len(d.sentences)) for d in both_documents] == [("Dogs. Dogs.", 2)] * 2
    single_documents = list(read(f"# text = Dogs.\n{row}# text = dogs\n{row}".splitlines()))
    assert [(d.text, len(d.sentences)) for d in single_documents] == [("Dogs.", 1), ("dogs", 1)]


def test_a_parse_is_written_with_both_graphs(spice):
    (parse,) = spice.parse(["Cats and dogs sleep on a sofa. A man watches them."])
    (back,) = read(write(parse.document).splitlines())
    assert len(back.sentences) == len(parse.document.sentences) == 2 and back.text == parse.document.text
    for own_sentence, read_sentence in zip(parse.document.sentences, back.sentences):
        assert (own_sentence.tokens, set(own_sentence.basic), set(own_sentence.enhanced)) == (
            read_sentence.tokens,
            set(read_sentence.basic),
            set(read_sentence.enhanced),
        )
    assert any(set(sentence.enhanced) - set(sentence.basic) for sentence in back.sentences)


def circular_tree(length: int, start: int = 1) -> str:
    """Return a sentence in which each token depends on the next, and the last on the one at ``start``."""
    head_indices = [*range(2, length + 1), start]
    return "\n".join(f"{n}\ta\ta\t_\tNN\t_\t{head}\tconj\t_\t_" for n, head in enumerate(head_indices, 1))


@pytest.mark.parametrize(("text", "message"), [
    ("1-2\tdon't" + "\t_" * 8 + "\n1\tdo\tdo\t_\tVB\t_\t9\taux\t_\t_", "row 2: found head 9, expected 0 to 1"),
    ("1\tdog", "row 1: found 2 columns, expected ten columns separated by tabs"),
    (UD_V1_TREES.replace("4\twere", "9\twere"), "row 5, column ID: found '9', expected 4"),
    (UD_V1_TREES.replace("\t5\tauxpass", "\tx\tauxpass"), "row 5, column HEAD: found 'x', expected an integer"),
    (UD_V1_TREES.replace("\t5\tauxpass", "\t12\tauxpass"), "row 5: found head 12, expected 0 to 8"),
    ("1\ta\ta\t_\tNN\t_\t1\tconj\t_\t_", "row 1: found a cycle of heads: 1 → 1, expected heads that lead to the root (0)"),
    (circular_tree(2), "row 1: found a cycle of heads: 1 → 2 → 1, expected heads that lead to the root (0)"),
    (circular_tree(5, start=3), "row 3: found a cycle of heads: 3 → 4 → 5 → 3, expected heads that lead to the root (0)"),
    (circular_tree(2001), "row 1: found a sentence of 2001 rows, expected at most 2000"),
    (circular_tree(2000), "row 1: found a cycle of heads: 1 → 2 → 3 → 4 → 5 → 6 → 7 → 8 → 9 → 10 → 11 → 12 → 13 → 14 → 15 → 16 → 17 → 18 …, expected heads that lead to the root (0)"),
    (UD_V1_TREES.replace("4\twere", "1" * 5000 + "\twere"), "row 5, column ID: found 5000 digits, expected at most 9"),
    (UD_V1_TREES.replace("\t5\tauxpass", f"\t{'9' * 5000}\tauxpass"), "row 5, column HEAD: found 5000 digits, expected at most 9"),
    (UD_V1_TREES.replace("5:auxpass", f"{'9' * 5000}:auxpass"), "row 5, column DEPS: found 5000 digits, expected at most 9"),
    (UD_V1_TREES.replace("5:auxpass", "auxpass"), "row 5, column DEPS: found 'auxpass', expected an integer"),
], ids=lambda value: str(value)[:60])  # fmt: skip
def test_errors_name_row_and_column(text, message):
    with pytest.raises(InputError) as error:
        list(read(text.splitlines(), name="trees.conllu"))
    assert str(error.value) == f"trees.conllu, {message}"


@pytest.mark.parametrize("rows", [
    "1\tmen\tman\t_\tNNS\t_\t0\tconj\t_\t_", "1\tmen\tman\t_\tNNS\t_\t_\tnsubj\t_\t_\n2\tsmile\tsmile\t_\tVBP\t_\t1\tconj\t_\t_",
    "1\t犬\t犬\t_\t名詞\t_\t_\t_\t_\t_\n2\t走る\t走る\t_\t動詞\t_\t0\tobl:に\t_\t_",
])  # fmt: skip
@pytest.mark.parametrize(("lang", "rules"), [(code, name) for code in LANGUAGES for name in language(code).rules])
def test_a_token_without_a_head_is_a_root(rows, lang, rules):
    (document,) = read(rows.splitlines())
    assert {e.relation for e in document.sentences[0].basic if e.head == 0} == {"root"}
    spice = Spice(lang, rules=rules, synonyms="none")
    assert spice.parse_document(document).caption == document.text and (lang == "en" or language(lang).structure(document.sentences[0]))


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
