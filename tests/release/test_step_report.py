"""Test that each enhancement step, parser repair and default rule is of use."""

import pytest

from tools.step_report import bundled_texts, make_report

pytestmark = [pytest.mark.release, pytest.mark.parser]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_each_part_changes_enough_sentences_or_is_needed_by_a_gold_half(lang):
    report = make_report(lang, bundled_texts(lang))
    assert report.superfluous_parts() == []
