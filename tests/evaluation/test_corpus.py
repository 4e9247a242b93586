"""Spice.score_many gives the same scores as compute, compute_score and the command line."""

import json
import math
import re
from statistics import fmean

import numpy as np
import pytest

from spice_core import CorpusResult, Spice, to_frame
from spice_core.cli.main import main
from spice_core.errors import InputError
from spice_core.evaluation.executors import MAX_WORKERS
from spice_core.evaluation.systems import compare_systems, make_system
from tests.conftest import DATA, rows

CAPTIONS = [row["caption"] for row in rows(DATA / "propositions.jsonl")[:48]]
# Every other candidate is also its own first reference.
CANDIDATES = CAPTIONS[:12]
REFERENCES = [[CAPTIONS[i + i % 2], *CAPTIONS[i + 12 : i + 15]] for i in range(12)]


@pytest.fixture(scope="module")
def corpus() -> CorpusResult:
    return Spice().score_many(CANDIDATES, REFERENCES)


def test_means_categories_and_items_equal_those_of_other_methods(corpus):
    mean, images = Spice().compute_score(dict(enumerate(REFERENCES)), {i: [caption] for i, caption in enumerate(CANDIDATES)})
    assert corpus.mean == pytest.approx(mean)
    assert [{name: s.as_spice_json() for name, s in item.scores.items()} for item in corpus.items] == images
    colors = [image["Color"]["f"] for image in images if image["Color"]["f"] is not None]
    assert 0 < len(colors) == corpus.categories["Color"].images < 12 and corpus.categories["Color"].f1 == pytest.approx(fmean(colors))
    assert [item.image_id for item in corpus.items] == list(range(1, 13)) and corpus.items[0].candidate_tuples
    assert len(to_frame(corpus.items)) == 12 and corpus.signatures == (str(Spice().signature),)


def test_intervals_equal_those_of_the_comparison_of_systems(corpus):
    comparison = compare_systems([make_system("a", corpus.items), make_system("b", corpus.items)])
    assert corpus.intervals["All"] == pytest.approx(comparison.means["a"]["All"])
    lower_bound, upper_bound = corpus.intervals["All"][1:]
    assert lower_bound < corpus.mean < upper_bound
    assert f"All          {corpus.mean:.3f} [{lower_bound:.3f}, {upper_bound:.3f}]  12 images" in str(corpus)
    single_result = Spice().score_many([[["dog"]]], [[[["dog"], ["cat"]]]])
    assert single_result.mean == pytest.approx(2 / 3) and np.isnan(single_result.intervals["All"].low)
    assert str(single_result).splitlines()[:3] == [
        "All          0.667  1 image",
        "Object       0.667  1 image",
        "Attribute    n/a  0 images",
    ]


def test_processes_give_the_same_scores_and_progress_is_reported(corpus):
    progress = []
    rescored = Spice(rules=Spice().rules).score_many(CANDIDATES, REFERENCES, workers=2, progress=lambda *numbers: progress.append(numbers))
    assert str(rescored) == str(corpus) and [item.scores for item in rescored.items] == [item.scores for item in corpus.items]
    assert progress == [(done_count, 12) for done_count in range(1, 13)]


def test_an_empty_corpus_has_no_mean():
    empty = Spice().score_many([], [])
    assert math.isnan(empty.mean) and empty.categories == empty.intervals == {} and str(empty) == ""


@pytest.mark.parametrize(
    "candidates, references, options, message",
    [
        (["a dog"], [], {}, "references: found 0 lists, expected 1 list of references, one for each candidate"),
        ("a dog", ["a dog"], {}, "candidates: found 'a dog', expected"),
        (["a dog"], ["a dog"], {}, "references[0]: found 'a dog', expected"),
        (["a dog"], [[]], {}, "references[0]: found [], expected"),
        ([3], [["a dog"]], {}, "candidates[0]: found 3, expected"),
        ([[["dog"]]], [[["cat"]]], {}, "references[0][0]"),
        (["a dog"], [["a dog"]], {"workers": 0}, f"workers: found 0, expected 1 to {MAX_WORKERS}"),
        (["a dog"], [["a dog"]], {"resamples": 0}, "resamples: found 0, expected 1 to 100,000"),
    ],
)
def test_invalid_input_is_reported(candidates, references, options, message):
    with pytest.raises(InputError, match=re.escape(message)):
        Spice().score_many(candidates, references, **options)


@pytest.mark.parametrize(
    ("references", "notices"),
    [
        (["The scene is the same as before."], ["1 of 2 images has references without a tuple; it counts as 0"]),
        (["It looks great!", "Same as before."], ["1 of 2 images has references without a tuple; it counts as 0"]),
        (["The image conveys a sense of calm.", "They are identical."], ["1 of 2 images has references without a tuple; it counts as 0"]),
        (["It looks great!", "A red kite."], []),
    ],
)
def test_references_without_a_tuple_are_counted(references, notices, tmp_path, capsys):
    assert [str(n) for n in Spice().score_many(["A kite.", "A cat."], [references, ["A cat."]]).notices] == notices
    rows_ = [{"image_id": 1, "test": "A kite.", "refs": references}, {"image_id": 2, "test": "A cat.", "refs": ["A cat."]}]
    (tmp_path / "captions.json").write_text(json.dumps(rows_), encoding="utf-8")
    assert main(["score", str(tmp_path / "captions.json"), "--silent"]) == 0
    assert capsys.readouterr().err == "".join(f"spice-core: {notice}\n" for notice in notices)
