"""The chart of categories."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from spice_core.draw import charts, design
from spice_core.draw.labels import width
from spice_core.draw.style import DisplayStyle
from spice_core.scene.scores import Score

NAMES = {"Object": "Object", "Relation": "Relation", "Size": "Size"}
SCORES = {"Object": Score(2, 4, 2), "Relation": Score(0, 1, 1), "Size": Score(0, 0, 0)}


def texts(figure: go.Figure) -> list[str]:
    """The figures beside the bars: F1 of every row, then the counts."""
    return [note.text for note in figure.layout.annotations]


def test_undefined_is_said_and_zero_is_shown():
    figure = charts.categories(SCORES, NAMES)
    ground, bars, precision, recall = figure.data
    assert texts(figure)[:3] == ["0.667", "0.000", "n/a"]
    assert list(bars.x) == [SCORES["Object"].f1, 0, 0] and len(set(ground.x)) == 1
    assert list(precision.x) == [0.5, 0, None] and list(recall.x) == [1, 0, None]


def test_counts_stand_beside():
    figure = charts.categories(SCORES, NAMES, style=DisplayStyle("dark", percent=True))
    assert texts(figure) == ["66.7", "0.0", "n/a", "2/4 · 2/2", "0/1 · 0/1", "0/0 · 0/0"]
    assert figure.data[1].marker.color[0] == design.THEMES["dark"]["object"]


@pytest.mark.parametrize("counts", [(2, 4, 2), (12, 140, 230)])
def test_figures_have_a_margin_of_their_own(counts):
    figure = charts.categories({"Object": Score(*counts)}, NAMES)
    f1, beside = figure.layout.annotations
    assert f1.x == beside.x == 1 and f1.xref == "paper"  # the end of the bars
    assert f1.xshift + charts.GAP <= beside.xshift - width(beside.text, 13) + 1 and beside.xshift < figure.layout.margin.r


def test_all_but_the_chosen_category_are_pale():
    bars = charts.categories(SCORES, NAMES, style=DisplayStyle(palette="paper"), chosen="Relation").data[1]
    assert list(bars.marker.opacity) == [0.3, 1, 0.3] and bars.marker.color[1] == design.PALETTES["paper"]["light"]["relation"]
