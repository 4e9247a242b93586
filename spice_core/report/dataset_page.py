"""Report of a scored data set as a self-contained page, with means, distribution, categories, frequent errors and worst captions."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.report.fragments import render_template
from spice_core.report.result_page import page_css
from spice_core.stats.bootstrap import Estimate

_BAR_X_PX, _BAR_WIDTH_PX, _ROW_HEIGHT_PX, _MAX_NAME_CHARS = 150, 400, 26, 18  # dimensions of the Pareto chart


@dataclass(frozen=True)
class DatasetSummary:
    """Content of the report.

    Attributes:
        name: Name of the data set.
        images: Number of images.
        means: Means with intervals, by the name of the score.
        categories: Mean F1 by category.
        histogram: Number of images in each bin of F1.
        frequent: Frequent missing tuples, extra tuples and other values with their numbers of images, by title of the table.
        worst: Image, candidate, references and F1 of the captions with the lowest scores.
        signature: Signature of the scores.
        causes: Causes of wrong scores with their numbers of captions.
        notes: Image, candidate, decided causes and note of the captions with a cause or a note.
        pictures: JPEG images by image id.
        pareto: Causes of unmatched tuples, the most frequent first. Each has the number of tuples for which a person decided it, and
            the number for which it is only suggested.
    """

    name: str
    images: int
    means: Mapping[str, Estimate]
    categories: Mapping[str, Estimate]
    histogram: Sequence[int]
    frequent: Mapping[str, Sequence[tuple[str, int]]]
    worst: Sequence[tuple[str, str, Sequence[str], float]]
    signature: str
    causes: Sequence[tuple[str, int]] = field(default=())
    notes: Sequence[tuple[str, str, str, str]] = field(default=())
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    pareto: Sequence[tuple[str, int, int]] = field(default=())


def dataset_page_html(summary: DatasetSummary, style: DisplayStyle = PLAIN) -> str:
    """Return the page as HTML for light and dark themes, without scripts or external resources."""
    return render_template(
        "dataset",
        summary=summary,
        style=style,
        css=page_css(style, "report", "dataset"),
        means=[(name, style.format_estimate(x)) for name, x in summary.categories.items()],
        bars=list(_histogram_bars(summary.histogram)),
        pareto=_pareto_chart(summary.pareto) if summary.pareto else None,
        worst=[(image, candidate, " / ".join(references), style.format_ratio(f1)) for image, candidate, references, f1 in summary.worst],
        pictures={name: b64encode(jpeg).decode() for name, jpeg in summary.pictures.items()},
    )


def _histogram_bars(counts: Sequence[int]) -> Iterator[dict[str, object]]:
    """Yield the bars of a histogram (400 × 120 pixels)."""
    max_count, width = max([1, *counts]), 400 / max(len(counts), 1)
    for i, count in enumerate(counts):
        height = 110 * count / max_count
        place = {"x": i * width + 1, "y": 120 - height, "width": width - 2, "height": height}
        yield {"count": count, **{name: f"{value:.1f}" for name, value in place.items()}}


def _pareto_chart(causes: Sequence[tuple[str, int, int]]) -> dict[str, object]:
    """Return the contents of a Pareto chart of the causes: bars, cumulative line and table rows."""
    totals = [decided_count + suggested_count for _, decided_count, suggested_count in causes]
    tuple_count = sum(totals)
    shares = [cumulative_count / tuple_count for cumulative_count in accumulate(totals)]
    bars = [
        {
            "name": name if len(name) <= _MAX_NAME_CHARS else f"{name[: _MAX_NAME_CHARS - 1]}…",
            "text_x": _BAR_X_PX - 8,
            "x": _BAR_X_PX,
            "y": _ROW_HEIGHT_PX * i,
            "height": _ROW_HEIGHT_PX - 8,
            "total": f"{_BAR_WIDTH_PX * total / tuple_count:.1f}",
            "decided": f"{_BAR_WIDTH_PX * decided_count / tuple_count:.1f}",
        }
        for i, ((name, decided_count, _), total) in enumerate(zip(causes, totals))
    ]
    return {
        "width": _BAR_X_PX + _BAR_WIDTH_PX + 4,
        "height": _ROW_HEIGHT_PX * len(causes),
        "alt": "; ".join(f"{name} {total}" for (name, *_), total in zip(causes, totals)),
        "bars": bars,
        "points": " ".join(f"{_BAR_X_PX + _BAR_WIDTH_PX * share:.1f},{_ROW_HEIGHT_PX * (i + 0.5):.1f}" for i, share in enumerate(shares)),
        "rows": [(*cause, total, f"{100 * share:.1f}%") for cause, total, share in zip(causes, totals, shares)],
    }
