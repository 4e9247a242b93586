"""Scores against ratings."""

from __future__ import annotations

import pytest

from spice_core.draw import charts, design
from spice_core.draw.style import DisplayStyle


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_of_tuples_are_for_tuples(theme: str):
    (box,) = charts.by_rating([0.1, 0.4], [1.0, 5.0], names=("Rating", "soft"), style=DisplayStyle(theme)).data
    colours = design.colours(theme)
    assert not {box.marker.color, box.line.color} & {colours[kind] for kind in design.KINDS}
