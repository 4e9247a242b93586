"""Captions of several sentences: pronouns, members, frames, negation, hedges and where sentences end, on a table of captions."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.lang import language
from spice_core.lang.en.discourse import members_named_before, pronouns_across_sentences
from spice_core.rules.rule_file import read_tree
from spice_core.scene.propositions import closed
from spice_core.syntax.document import Sentence
from spice_core.workbench.trace import trace

CHECKS = tomllib.loads((Path(__file__).parent / "discourse.toml").read_text(encoding="utf-8"))
LEAST = {"pronouns": 0.85, "members": 0.85, "frames": 0.95, "negation": 0.95, "hedges": 0.8, "sentences": 0.95}


@pytest.fixture(scope="module")
def right() -> Spice:
    return Spice()


def tuples(text: str) -> set[tuple[str, ...]]:
    return {tuple(part.split("/")) for part in text.split("; ") if part}


def failures(spice: Spice, checks: list[dict[str, str]]) -> list[str]:
    """The captions that lack a tuple or have a wrong one."""
    out = []
    for check, parse in zip(checks, spice.parse(check["text"] for check in checks)):
        found = closed(p.words for p in parse.propositions)
        lacking, wrong = tuples(check["has"]) - found, tuples(check.get("lacks", "")) & found
        if lacking or wrong:
            out.append(f"{check['text']} lacks {lacking}, has {wrong}; {sorted(found)}")
    return out


@pytest.mark.parser
@pytest.mark.parametrize("phenomenon", CHECKS)
def test_checks_pass(right: Spice, phenomenon: str) -> None:
    checks = CHECKS[phenomenon]
    failed = failures(right, checks)
    assert 1 - len(failed) / len(checks) >= LEAST[phenomenon], "\n".join(failed)


TREES = [
    # a man holds a dog. he smiles. | it barks. | they sleep.
    ("man/man/NN/2/nsubj holds/hold/VBZ/0/root dogs/dog/NNS/2/obj", "he/he/PRP/2/nsubj smiles/smile/VBZ/0/root", {"he": ["man"]}),
    ("man/man/NN/2/nsubj holds/hold/VBZ/0/root dogs/dog/NNS/2/obj", "they/they/PRP/2/nsubj bark/bark/VBP/0/root", {"they": ["dogs"]}),
    ("man/man/NN/0/root and/and/CC/3/cc boy/boy/NN/1/conj", "they/they/PRP/2/nsubj walk/walk/VBP/0/root", {"they": ["man", "boy"]}),
    ("man/man/NN/0/root and/and/CC/3/cc boy/boy/NN/1/conj", "he/he/PRP/2/nsubj walks/walk/VBZ/0/root", {}),  # open
    ("woman/woman/NN/0/root", "he/he/PRP/2/nsubj smiles/smile/VBZ/0/root", {}),
    ("man/man/NN/0/root", "boys/boy/NNS/2/nsubj see/see/VBP/0/root him/he/PRP/2/obj", {"him": ["man"]}),
    ("men/man/NNS/0/root", "men/man/NNS/2/nsubj see/see/VBP/0/root them/they/PRP/2/obj", {"them": ["men"]}),
    ("dog/dog/NN/0/root", "it/it/PRP/2/nsubj rains/rain/VBZ/0/root", {}),
    ("two/two/CD/2/nummod cats/cat/NNS/0/root", "one/one/CD/2/nsubj sleeps/sleep/VBZ/0/root", {"one": ["cats"]}),
    ("cat/cat/NN/0/root", "one/one/CD/2/nsubj sleeps/sleep/VBZ/0/root", {}),
]


@pytest.mark.parametrize(("first", "second", "resolved"), TREES)
def test_words_are_resolved_to_nouns_of_an_earlier_sentence(first: str, second: str, resolved: dict[str, list[str]]) -> None:
    graphs = map(read_tree, (first, second))
    sentences = members_named_before(pronouns_across_sentences(tuple(Sentence(g.tokens, g.edges) for g in graphs)))
    found = {sentences[1].tokens[a.index - 1].text: [h.text for h in a.heads] for a in sentences[1].antecedents}
    assert sentences[0].antecedents == () and found == resolved


@pytest.mark.parser
def test_they_are_all_that_they_refer_to_and_keep_their_place() -> None:
    """Every conjunct has a tuple of its own, whose token is the pronoun."""
    (parse,) = Spice().parse(["A man and a woman are walking. They carry bags."])
    carry = [p for p in parse.propositions if p.words[1:2] == ("carry",)]
    assert [p.words for p in carry] == [("man", "carry", "bag"), ("woman", "carry", "bag")]
    assert {p.tokens[0][0].text for p in carry} == {"They"} and {p.sentence for p in carry} == {1}


@pytest.mark.parser
def test_discourse_steps_are_switched_by_the_rule_set_and_traced() -> None:
    spice, pack = Spice(), language("en")
    (document,) = spice.parser.parse(["A man sits. He smiles."])
    assert spice.rules.steps is not None
    rest = tuple(step for step in spice.rules.steps if step != "pronouns across sentences")
    assert ("man", "smile") in {p.words for p in spice.parse_document(document).propositions}
    without = replace(spice.rules, steps=rest)
    assert ("man", "smile") not in {p.words for p in without.apply(pack.enhance(document, rest))}
    traced = trace(pack, spice.rules, document.sentences)
    (found,) = traced[1].resolved
    assert (found.step.name, found.token.text, found.antecedent.heads[0].text) == ("pronouns across sentences", "He", "man")
    assert traced[0].resolved == () == trace(pack, without, document.sentences)[1].resolved
