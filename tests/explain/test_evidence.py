"""The rows of the tuple table and the marked captions."""

from __future__ import annotations

import pytest

from spice_core.explain.evidence import rows, spans, text


def test_one_row_for_a_pair_and_one_for_each_other_tuple(result, synonyms):
    found = rows(result, synonyms)
    assert len(found) == len(result.candidate_tuples) + len(result.missed)
    assert [row.state for row in found] == sorted((row.state for row in found), key=["exact", "synonym", "extra", "missing"].index)


def test_a_synonym_names_its_sense(result, synonyms):
    (row,) = [row for row in rows(result, synonyms) if row.parts == ("racquet",)]
    assert row.partner == ("racket",) and row.reasons[0].synset.gloss == "a sports implement"


def test_references_that_mention_a_tuple_are_listed(result, synonyms):
    (row,) = [row for row in rows(result, synonyms) if row.parts == ("girl",)]
    assert {source.caption for source in row.in_references} == {0, 1} and {s.words for s in row.in_references} == {"girl"}


def test_word_categories_are_named(result, synonyms):
    found = rows(result, synonyms, categories={"Color": frozenset({"blue"})})
    assert [row.parts for row in found if row.categories] == [("court", "blue")]


@pytest.mark.parser
def test_marked_captions_keep_their_text(spice):
    captions = ["A black dog.", "A dog on a sofa!", "Dogs"]
    lines = spans(spice.compute(captions[0], captions[1:]))
    assert ["".join(stretch.text for stretch in line) for line in lines] == captions
    assert {"object", "attribute"} >= {stretch.kind for stretch in lines[0] if stretch.kind}


def test_text_reads_like_the_outline():
    assert [text(parts) for parts in (("girl",), ("girl", "young"), ("girl", "hold", "racket"))] == [
        "girl",
        "girl: young",
        "girl – hold – racket",
    ]
