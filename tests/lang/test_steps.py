"""Each named step has a caption that it changes and a caption that it does not change."""

import pytest

from spice_core.lang import LANGUAGES, language

ENTRIES = [(lang, entry) for lang in LANGUAGES for entry in language(lang).steps()]


@pytest.mark.parametrize(("lang", "entry"), ENTRIES, ids=[f"{lang} {entry.step.name}" for lang, entry in ENTRIES])
def test_the_example_of_a_step_is_changed_and_its_near_miss_is_not(lang, entry):
    assert entry.step.reason
    assert entry.example.is_changed
    assert not entry.near_miss.is_changed, (entry.near_miss.added, entry.near_miss.removed)


def test_every_step_of_a_bundled_rule_set_is_in_the_book():
    for lang in LANGUAGES:
        pack = language(lang)
        for rules in map(pack.rule_set, pack.rules):
            names = [step if isinstance(step, str) else step.name for step in rules.steps or ()]
            assert names == [entry.step.name for entry in pack.steps(rules)] or rules.steps is None
