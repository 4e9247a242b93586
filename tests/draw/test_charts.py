"""The chart of categories."""

from __future__ import annotations

from spice_core.draw import charts, look
from spice_core.scoring import Score

NAMES = {"Object": "Object", "Relation": "Relation", "Size": "Size"}
SCORES = {"Object": Score(2, 4, 2), "Relation": Score(0, 1, 1), "Size": Score(0, 0, 0)}


def test_undefined_is_said_and_zero_is_shown():
    figure = charts.categories(SCORES, NAMES)
    ground, bars, precision, recall, values, _ = figure.data
    assert list(values.text) == ["0.667", "0.000", "n/a"]
    assert list(bars.x) == [SCORES["Object"].f1, 0, 0] and len(set(ground.x)) == 1
    assert list(precision.x) == [0.5, 0, None] and list(recall.x) == [1, 0, None]


def test_counts_stand_beside():
    figure = charts.categories(SCORES, NAMES, theme="dark", scale=100)
    assert list(figure.data[-1].text) == ["2/4 · 2/2", "0/1 · 0/1", "0/0 · 0/0"]
    assert figure.data[1].marker.color[0] == look.PALETTES["dark"]["object"] and figure.data[-2].text[0] == "66.7"


def test_all_but_the_chosen_category_are_pale():
    bars = charts.categories(SCORES, NAMES, paper=True, chosen="Relation").data[1]
    assert list(bars.marker.opacity) == [0.3, 1, 0.3] and bars.marker.color[1] == look.PAPER["light"]["relation"]
