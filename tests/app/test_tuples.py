"""The tuple table's HTML: reasons named, markup escaped."""

from __future__ import annotations

from types import SimpleNamespace

from pages.parts import tuples
from spice_core.draw.evidence import Reason, Row, Source

SENSE = {"name": "stand.n.01", "gloss": "a <b>place</b>", "accidental": False}


def row(**sense: object) -> Row:
    """A relation matched through one sense."""
    reasons = (Reason("man", "man", word="man"), Reason("stand", "bear", synset=SimpleNamespace(**(SENSE | sense))))
    words = (Source(0, "man … stands", "subject-verb-object"),)
    return Row(("man", "stand", "hill"), "relation", "synonym", (), ("man", "bear", "hill"), reasons, words, words)


def test_a_sense_is_named_with_its_gloss():
    page = tuples.html([row()])
    assert "“stand” and “bear” share the sense <code>stand.n.01</code>: a &lt;b&gt;place&lt;/b&gt;" in page
    assert "man – bear – hill" in page and "subject-verb-object" in page and "<small>1</small> man … stands" in page


def test_an_accident_is_called_one():
    assert "“stand” and “bear”: accidental" in tuples.html([row(accidental=True)])


def test_a_part_that_differs_is_said():
    reasons = (Reason("[PHI]", "man"), Reason("sit", "sit", word="sit"))
    page = tuples.html([Row(("[PHI]", "sit", "hill"), "relation", "partial", (), ("man", "sit", "hill"), reasons)])
    assert "“(understood subject)” is not “man”" in page and "½" in page


def test_no_rows():
    assert "No tuple of this kind." in tuples.html([])
