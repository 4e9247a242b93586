"""Patterns as phrases: which word stands on top, and what it must have, may have and must not have."""

from __future__ import annotations

import pytest

from spice_core.lang import LANGUAGES, language
from spice_core.rules import Pattern
from spice_core.workbench.reading import Phrase, reading


def told(phrase: Phrase) -> str:
    """A phrase in brackets: + must, ? may, ! must not; ^ leads to a head."""
    marks = {"must": "+", "may": "?", "must_not": "!"}
    ends = [f"{marks[r.mode]}{'' if r.governs else '^'}{r.label} {told(r.other)}" for r in phrase.relations]
    return f"{phrase.name}({' '.join(ends)})" if ends else phrase.name


PATTERNS = [
    ("{tag:NN}=noun >amod {}=adjective", ["noun(+amod adjective)"]),
    ("{}=adjective <amod {}=noun", ["noun(+amod adjective)"]),
    ("{}=verb >nsubj ({}=subject >det {word:a}) !>cop {}=copula", ["verb(+nsubj subject(+det word1) !cop copula)"]),
    ("{}=verb >nsubj {}=a ?>obj {}=b", ["verb(+nsubj a ?obj b)"]),
    ("{}=a >conj {}=b <nsubj {}=v", ["v(+nsubj a(+conj b))"]),
    ("{}=v >nsubj {}=a >obj ({}=b >acl {}=a)", ["v(+nsubj a +obj b(+acl a))"]),
    ("{}=a >x {}=b !<y ({} >z {})", ["a(+x b !^y word1(!z word2))"]),
    ("{}=a .. {}=b", ["a", "b"]),
    ("{}=a >x ({}=b >y {}=a)", ["a(+x b(+y a))"]),
]


@pytest.mark.parametrize(("source", "phrases"), PATTERNS, ids=[p[0] for p in PATTERNS])
def test_phrases_of_a_pattern(source, phrases):
    found = reading(Pattern(source))
    assert sorted(map(told, found.phrases) if ".." not in source else phrases) == sorted(phrases)
    assert len(found.orders) == source.count("..")


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_bundled_pattern_has_a_reading(code):
    for name in language(code).rules:
        for rule in language(code).rule_set(name).rules:
            found = reading(rule.pattern)
            assert len(found.phrases) == 1 and found.phrases[0].name, rule.name
