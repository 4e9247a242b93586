"""SPICE of dense captions: events of videos and regions of images, at thresholds of overlap."""

import json
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.errors import InputError
from spice_core.evaluation.dense import Description, dense_scores, overlap, read_descriptions

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
