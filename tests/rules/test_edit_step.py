"""Steps of rule files: their edits, their place among the steps of the language, and errors with their positions."""

import pytest

from spice_core.errors import RuleError, UnknownNameError
from spice_core.lang import language
from spice_core.rules.edit_step import EditStep
from spice_core.rules.rule_file import parse_rules, read_tree
from spice_core.syntax.document import Document, Sentence

TREE = "cat/cat/NN/0/root on/on/IN/4/case a/a/DT/4/det mat/mat/NN/1/nmod:on of/of/IN/6/case wool/wool/NN/4/nmod:of"
ENTRY = """[[step]]
name = "wool"
reason = "A reason."
edits = '''{}=thing >nmod:of {lemma:wool}=wool
  => thing >amod wool'''
example.caption = "wool"
example.tree = "wool/wool/NN/0/root"
near_miss.caption = "wool"
near_miss.tree = "wool/wool/NN/0/root"
"""


@pytest.mark.parametrize(("edits", "changed_edges"), [
    ("{}=a >nmod:of {}=b => a >amod b", {"mat amod wool"}),
    ("{}=a >nmod:on ({}=b >/nmod:(.+)/=link {}=c) => a >obl:{link} c", {"cat obl:of wool"}),
    ("{}=a >nmod:on ({}=b >nmod:of {}=c) => drop c", set()),
    ("{}=a >nmod:on ({}=b >nmod:of {}=c) => drop c\n{}=a >nmod:on {}=b => a >x b", {"cat x mat"}),
    ("{}=a >det {}=b => a >x b\n{}=a >x {}=b => a >y b", {"mat y a"}),
    ("{}=a >/(?:\\w*):?\\w*/ ({}=b >/(nmod:of|case)/=link {}=c) => a >{link} c", {"cat case on", "cat nmod:of wool", "cat case of"}),
    ("{}=a >det {}=b => a >det b", set()),
    ("{}=a >aux {}=b => a >x b", set()),
])  # fmt: skip
def test_edits_replace_and_drop_edges(edits, changed_edges):
    graph = read_tree(TREE)
    new_graph = EditStep("step", "", edits).apply(graph)
    words = ["", *(t.text for t in graph.tokens)]
    assert {f"{words[e.head]} {e.relation} {words[e.dependent]}" for e in new_graph.edges if e not in graph.edges} == changed_edges
    assert ("wool" not in {words[e.dependent] for e in new_graph.edges}) is ("drop" in edits)


@pytest.mark.parametrize(("old", "new", "line", "message"), [
    ("{}=thing >nmod", "{}=thing nmod", 4, "expected a relation such as >amod"),
    ("{}=thing >nmod:of {lemma:wool}=wool", "{}=thing >nmod:of\n{lemma}=wool", 5, "expected a test such as tag:NN"),
    ("  => thing >amod wool", "", 4, "expected a pattern, an arrow (=>) and an edit"),
    ("  => thing >amod wool", "  => thing amod wool", 5, "found 'thing amod wool', expected an edit such as"),
    ("  => thing >amod wool", "  => rug >amod wool", 5, "expected words that the pattern requires: thing, wool"),
    ("  => thing >amod wool", "  => thing >{on} wool", 5, "expected a link of the pattern: "),
    ("  => thing >amod wool", "  => wool >amod wool", 5, "expected two words with distinct names"),
    ("  => thing >amod wool", "  => wool >amod thing", 5, "expected a pattern with exactly one edge to thing"),
    ("reason = ", "cause = ", 1, "reason is missing"),
    ("reason = ", "yields = '(wool)'\nreason = ", 3, "found yields, expected only"),
    ('name = "wool"', 'name = "silk"', 2, "step 'silk' is not in the list “steps”"),
    ("[[step]]", ENTRY + "[[step]]", 11, "step 'wool' is defined twice"),
    ("near_miss.caption", "near_miss.text", 8, "near_miss: expected the fields"),
])  # fmt: skip
def test_an_invalid_step_gives_an_error_with_its_line(old, new, line, message):
    text = ENTRY.replace(old, new, 1)
    assert text != ENTRY
    with pytest.raises(RuleError) as error:
        parse_rules(f'steps = ["negation", "wool"]\n{text}', name="mine")
    assert error.value.line == line + 1 and message in str(error.value), str(error.value)


def test_an_edited_or_removed_step_takes_effect():
    pack, graph = language("en"), read_tree(TREE)
    document = Document("", (Sentence(graph.tokens, graph.edges),))

    def relations(text: str) -> list[str]:
        return [e.relation for e in pack.enhance(document, parse_rules(text, name="mine").steps).sentences[0].edges]

    text = f'steps = ["negation", "wool"]\n{ENTRY}'
    assert "amod" in relations(text) and "x" in relations(text.replace(">amod", ">x"))
    assert "nmod:of" in relations('steps = ["negation"]')
    with pytest.raises(UnknownNameError, match="enhancement step 'wool'"):
        relations(text.replace(ENTRY, ""))
    digests = {parse_rules(t, name="mine").digest for t in (text, text.replace("A reason", "Another"), text.replace(">amod", ">x"))}
    assert len(digests) == 2, "the digest depends on edits, but not on reasons"
    (entry,) = [entry for entry in pack.steps(parse_rules(text, name="mine")) if entry.step.name == "wool"]
    assert entry.example.caption == "wool"
