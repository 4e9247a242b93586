"""The style of a display: numbers, texts, colours."""

from __future__ import annotations

from math import nan

import pytest

from spice_core.draw import design
from spice_core.draw.style import DisplayStyle

NUMBERS = [(0.5, "0.500", "50.0"), (-0.25, "−0.250", "−25.0"), (-0.0001, "0.000", "0.0"), (nan, "n/a", "n/a")]


@pytest.mark.parametrize(("value", "ratio", "percent"), NUMBERS)
def test_scores_are_ratios_or_percent(value, ratio, percent):
    assert (DisplayStyle().ratio(value), DisplayStyle(percent=True).ratio(value)) == (ratio, percent)


def test_texts_are_given_or_of_the_language_or_english():
    assert DisplayStyle(texts={"legend.object": "thing"}).say("legend.object") == "thing"
    assert DisplayStyle(lang="ja").category("Color") == "色" and DisplayStyle(lang="eo").category("Color") == "Colour"
    assert DisplayStyle().category("Material") == "Material"


def test_colours_are_of_theme_and_palette_or_of_the_page():
    assert DisplayStyle("dark", "paper").colours == design.PALETTES["paper"]["dark"]
    assert DisplayStyle("auto").colours["object"] == "var(--sc-object)"


def test_a_style_is_a_value():
    assert len({DisplayStyle(), DisplayStyle(), DisplayStyle(percent=True)}) == 2
