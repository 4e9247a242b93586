"""SPICE of dense captions: descriptions of events in videos (ActivityNet) or of regions in images (Visual Genome).

At a threshold, each description is compared with each reference of the same video or image whose span or box overlaps its own by at least the
threshold (intersection over union). A description without such a reference scores 0. The score of an image is the mean over these comparisons,
and the score at a threshold the mean over the images, as in Krishna et al., Dense-Captioning Events in Videos (ICCV 2017), section 5.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from spice_core.data.items import check_caption, field_place, nested_place
from spice_core.data.reader import ReadablePath, open_utf8
from spice_core.errors import InputError, Message
from spice_core.metrics.spice import Spice

VIDEO_THRESHOLDS, IMAGE_THRESHOLDS = (0.3, 0.5, 0.7, 0.9), (0.3, 0.4, 0.5, 0.6, 0.7)


class Description(NamedTuple):
    """A caption with its place: the start and end of each axis, in seconds or pixels."""

    caption: str
    ranges: tuple[tuple[float, float], ...]


DescriptionsById = dict[str, list[Description]]


def read_descriptions(path: ReadablePath) -> DescriptionsById:
    """Read the descriptions of each video or image.

    The file holds ``{id: {"timestamps": […], "sentences": […]}}`` or the results of ActivityNet, ``{"results": {id: [{"sentence": …,
    "timestamp": […]}]}}``, or a list of images with ``regions``, as Visual Genome's region descriptions. Raises InputError.
    """
    with open_utf8(path) as file:
        try:
            content = json.load(file)
        except (ValueError, RecursionError) as error:
            raise InputError(str(path), Message("found.unreadable", reason=str(error)), Message("expected.dense")) from None
    descriptions: DescriptionsById = {}
    for id, values in _lists(content, path):
        where = Message("where.inside", outer=str(path), inner=field_place(id))
        descriptions.setdefault(id, []).extend(_read_description(value, where) for value in values)
    return descriptions


def _lists(content: object, path: ReadablePath) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield the id and the descriptions of each video or image."""
    if isinstance(content, list) and all(isinstance(row, dict) and isinstance(row.get("regions"), list) for row in content):
        yield from ((str(row.get("image_id", row.get("id"))), row["regions"]) for row in content)
        return
    members = content.get("results", content) if isinstance(content, dict) else None
    if not isinstance(members, dict):
        raise InputError(str(path), Message("found.nothing"), Message("expected.dense"))
    for id, value in members.items():
        if isinstance(value, dict):
            timestamps, sentences = value.get("timestamps"), value.get("sentences")
            if not isinstance(timestamps, list) or not isinstance(sentences, list) or len(timestamps) != len(sentences):
                raise InputError(nested_place(str(path), id), value, Message("expected.dense"))
            value = [{"timestamp": timestamp, "sentence": sentence} for timestamp, sentence in zip(timestamps, sentences)]
        if not isinstance(value, list):
            raise InputError(nested_place(str(path), id), value, Message("expected.dense"))
        yield id, value


def _read_description(value: object, where: str) -> Description:
    """Return a description of an event or a region. Raises InputError naming its place."""
    row: Mapping[str, object] = value if isinstance(value, dict) else {}
    text = next((row[name] for name in ("sentence", "phrase", "caption") if name in row), None)
    span = row.get("timestamp", [row.get(name) for name in ("x", "y", "width", "height")])
    numbers = [float(n) for n in span if isinstance(n, int | float) and math.isfinite(n)] if isinstance(span, list) else []
    if len(numbers) == 2:
        return Description(check_caption(text, where), ((min(numbers), max(numbers)),))
    if len(numbers) == 4:
        x, y, width, height = numbers
        return Description(check_caption(text, where), ((x, x + width), (y, y + height)))
    raise InputError(where, value, Message("expected.dense"))


def overlap(a: Description, b: Description) -> float:
    """Return the intersection over union of two places (0–1).

    >>> overlap(Description("", ((0, 10),)), Description("", ((5, 20),)))
    0.25
    """
    common, sizes = 1.0, [1.0, 1.0]
    for (start, end), (other_start, other_end) in zip(a.ranges, b.ranges):
        common *= max(0.0, min(end, other_end) - max(start, other_start))
        sizes = [sizes[0] * (end - start), sizes[1] * (other_end - other_start)]
    union = sum(sizes) - common
    return common / union if union > 0 and len(a.ranges) == len(b.ranges) else 0.0


def dense_scores(
    spice: Spice, descriptions: DescriptionsById, references: Sequence[DescriptionsById], thresholds: Sequence[float]
) -> dict[float, dict[str, float]]:
    """Return the score of each video or image with references at each threshold, which is 0 without descriptions.

    ``references`` may hold several annotations; the score of a video is the mean over the annotations that have it.
    """
    texts = {d.caption for by_id in (descriptions, *references) for listed in by_id.values() for d in listed}
    captions = sorted(texts)
    parses = dict(zip(captions, spice.parse(captions)))
    scores: dict[tuple[str, str], float] = {}

    def score(candidate: Description, reference: Description) -> float:
        key = candidate.caption, reference.caption
        if key not in scores:
            scores[key] = spice.compare(parses[key[0]], [parses[key[1]]]).f1
        return scores[key]

    def score_image(listed: Sequence[Description], known: Sequence[Description], threshold: float) -> float:
        values = []
        for candidate in listed:
            values += [score(candidate, reference) for reference in known if overlap(candidate, reference) >= threshold] or [0.0]
        return fmean(values) if values else 0.0

    ids = list(dict.fromkeys(id for by_id in references for id in by_id))
    return {
        threshold: {
            id: fmean(score_image(descriptions.get(id, []), by_id[id], threshold) for by_id in references if id in by_id) for id in ids
        }
        for threshold in thresholds
    }
