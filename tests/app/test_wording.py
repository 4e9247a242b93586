"""Test descriptions of conditions and observations on the Rules page, in the interface language."""

import streamlit as st

from pages.parts.kit import texts
from pages.parts.rules import query, wording
from spice_core.errors import InputError, RuleError
from spice_core.rules import Pattern
from spice_core.rules.rule_file import read_tree

TREE = read_tree("a/a/DT/2/det dog/dog/NN/3/nsubj sits/sit/VBZ/0/root")


def test_observations_are_described_in_both_languages(monkeypatch):
    for pattern, bindings, *expected_texts in (
        ("{tag:VBG}", {}, "", ""),
        ("{tag:VBG}=x", {"x": 2}, "tag of dog is NN", "dogの品詞タグはNN"),
        ("{}=x >amod {}=y", {"x": 2}, "dog –det→ a", "dog –det→ a"),
        ("{}=x >amod {}=y", {"x": 1}, "no edge from a", "aから出る辺がありません"),
        ("{}=x >amod {}=y", {}, "no such edge anywhere", "そのような辺はどこにもありません"),
        ("{}=x !>det {}", {"x": 2}, "there is a", "aがあります"),
        ("{}=x .. {}=y", {"x": 2, "y": 1}, "y does not follow x", "yはxより後にありません"),
    ):
        observation = Pattern(pattern).failure(TREE, bindings).observation
        for language, expected_text in zip(("en", "ja"), expected_texts, strict=True):
            monkeypatch.setattr(texts, "interface_language", lambda language=language: language)
            assert wording.describe_observation(observation) == expected_text


def test_a_caret_marks_the_error_in_a_pattern(monkeypatch):
    monkeypatch.setattr(st, "html", lambda *_: None)
    monkeypatch.setattr(st, "session_state", {query.PATTERN_KEY: "{} >x"})
    for error, code in (
        (RuleError("position 4: found 'x'", part="pattern", position=3), "{} >x\n   ^"),
        (RuleError("the pattern takes more than 5 steps on position 3: a.txt"), None),
        (InputError("position 3: a.txt", "an empty file", "one caption a line"), None),
    ):
        shown_code = []
        monkeypatch.setattr(st, "code", lambda text, shown_code=shown_code, **_: shown_code.append(text))
        query._show_error(error)
        assert shown_code == ([code] if code else [])
