"""CITATION.cff: the fields that version 1.2.0 of the format requires, and what is said about project and papers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spice_core.version import __version__

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
REFERENCES = {2016: ("SPICE: Semantic", 4), 2023: ("JaSPICE: Automatic", 3)}  # by year: title and number of authors


def test_the_project_is_cited_as_it_is():
    assert {"cff-version", "message", "title", "authors"} <= set(CITATION)
    assert CITATION["cff-version"] == "1.2.0" and CITATION["type"] == "software"
    assert CITATION["authors"] == [{"name": "The spice_core authors"}]
    assert CITATION["version"] == __version__
    assert "The spice_core authors" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_both_papers_are_named_with_their_authors():
    assert {each["year"] for each in CITATION["references"]} == set(REFERENCES)
    for each in CITATION["references"]:
        title, number = REFERENCES[each["year"]]
        assert each["type"] == "conference-paper" and each["title"].startswith(title)
        assert len(each["authors"]) == number and all(set(author) == {"family-names", "given-names"} for author in each["authors"])
        assert each["conference"]["name"] == re.sub("^Proceedings of the 27th ", "", each["collection-title"])


def test_nothing_in_it_has_an_unknown_name():
    known = "cff-version message type title abstract authors version license keywords references".split()
    of_papers = "type title authors year collection-title conference start end notes".split()
    assert set(CITATION) <= set(known)
    assert {name for each in CITATION["references"] for name in each} <= set(of_papers)
