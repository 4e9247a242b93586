"""The chart of categories."""

from __future__ import annotations

from spice_core.draw import charts, look
from spice_core.scoring import Score

NAMES = {"Object": "Object", "Relation": "Relation", "Size": "Size"}
SCORES = {"Object": Score(2, 4, 2), "Relation": Score(0, 1, 1), "Size": Score(0, 0, 0)}


def test_undefined_is_said_and_zero_is_shown():
    (bars,) = charts.categories(SCORES, NAMES).data
    assert [text.strip() for text in bars.text] == ["0.667", "0.000", "n/a"] and list(bars.x) == [SCORES["Object"].f1, 0, 0]


def test_counts_stand_beside():
    figure = charts.categories(SCORES, NAMES, theme="dark", scale=100)
    assert [note.text for note in figure.layout.annotations] == ["2/4 · 2/2", "0/1 · 0/1", "0/0 · 0/0"]
    assert figure.data[0].marker.color[0] == look.PALETTES["dark"]["object"] and figure.data[0].text[0].strip() == "66.7"
