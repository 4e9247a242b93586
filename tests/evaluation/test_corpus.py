"""Test scores of a corpus, and of densely annotated captions."""

import json
import math
import re
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from spice_core import CorpusResult, Spice, to_frame
from spice_core.cli.main import main
from spice_core.errors import InputError
from spice_core.evaluation.dense import Description, dense_scores, overlap, read_descriptions
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


EVENTS = {
    "v1": {"duration": 20, "timestamps": [[0, 10], [10, 20]], "sentences": ["A brown dog runs.", "A man rides a bike."]},
    "v2": {"timestamps": [[0, 9]], "sentences": ["It rains."]},
}
RESULTS = {
    "version": "1",
    "results": {"v1": [{"sentence": "A dog runs.", "timestamp": [0, 8]}, {"sentence": "A cat sleeps.", "timestamp": [16, 9]}]},
}
REGIONS = [{"id": 1, "regions": [{"x": 0, "y": 0, "width": 10, "height": 10, "phrase": "a brown dog"}]}]
FOUND_REGIONS = [{"image_id": 1, "regions": [{"x": 0, "y": 0, "width": 10, "height": 6, "caption": "a dog"}]}]


def write(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_overlap_is_intersection_over_union():
    assert overlap(Description("", ((0, 10), (0, 10))), Description("", ((0, 10), (0, 6)))) == 0.6
    assert (
        overlap(Description("", ((0, 1),)), Description("", ((2, 3),)))
        == overlap(Description("", ((1, 1),)), Description("", ((1, 1),)))
        == 0
    )


def test_descriptions_are_compared_with_overlapping_references(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    spice = Spice()
    events, results = write(tmp_path, "events.json", EVENTS), write(tmp_path, "results.json", RESULTS)
    scores = dense_scores(spice, read_descriptions(results), [read_descriptions(events)], [0.5, 0.75])
    dog = spice.compute("A dog runs.", ["A brown dog runs."]).f1
    assert scores == {0.5: {"v1": dog / 2, "v2": 0}, 0.75: {"v1": dog / 2, "v2": 0}} and dog > 0
    images = [read_descriptions(write(tmp_path, f"{n}.json", content)) for n, content in enumerate((FOUND_REGIONS, REGIONS))]
    assert dense_scores(spice, images[0], images[1:], [0.6, 0.7]) == {0.6: {"1": spice.compute("a dog", ["a brown dog"]).f1}, 0.7: {"1": 0}}
    assert main(["dense", str(results), "--references", str(events), str(events), "--thresholds", "0.5"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"IoU 0.5    {dog / 4:.3f}"


@pytest.mark.parametrize("content", [
    [1], {"v1": {"timestamps": [[0, 1]], "sentences": []}}, {"v1": 3}, {"v1": {"sentences": ["a"]}}, {"results": {"v1": [{"sentence": "a"}]}},
    {"results": {"v1": [{"sentence": 4, "timestamp": [0, 1]}]}}, [{"regions": [{"x": 1, "phrase": "a"}]}],
])  # fmt: skip
def test_invalid_files_are_reported(tmp_path: Path, content: object):
    with pytest.raises(InputError, match=r"in\.json"):
        read_descriptions(write(tmp_path, "in.json", content))
