"""Report of a comparison of systems, for printing on A4: standings, differences by category, reasons for wins, images and methods."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spice_core.data.graph_parts import replace_invalid_characters
from spice_core.draw import design
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.texts import difference_texts
from spice_core.evaluation.differences import SYSTEM_QUESTIONS, Question, SystemSide
from spice_core.evaluation.systems import SystemComparison
from spice_core.report.fragments import render_template
from spice_core.report.result_page import page_css
from spice_core.scene.scores import OVERALL
from spice_core.stats.bootstrap import MIN_PAIRS

_ROW_HEIGHT_PX, _NAME_WIDTH_PX, _CHART_WIDTH_PX, _MAX_NAME_CHARS = 22, 110, 680, 15


class DecidingReason(NamedTuple):
    """Categories that decide an image, with the tuples that only the winner matches or only the loser has wrong."""

    categories: str
    matched_tuples: Sequence[str]
    wrong_tuples: Sequence[str]


@dataclass(frozen=True)
class ExampleImage:
    """An image with captions and F1 of baseline and other system, and the reasons for the win."""

    image: str
    captions: tuple[str, str]
    f1: tuple[float, float]
    reasons: Sequence[DecidingReason]


@dataclass(frozen=True)
class SystemsReport:
    """Content of the report: the comparison of all systems, and details on one system against the baseline."""

    systems: SystemComparison
    other: str
    counts: Mapping[str, Mapping[Question, int]]
    wins: Mapping[SystemSide, int]
    undecided_count: int
    examples: Mapping[SystemSide, Sequence[ExampleImage]]
    lang: str = ""

    @property
    def names(self) -> dict[SystemSide, str]:
        """The names of the baseline and the other system."""
        return {SystemSide.BASE: self.systems.baseline, SystemSide.OTHER: self.other}


def systems_page_html(content: SystemsReport, style: DisplayStyle = PLAIN) -> str:
    """Return the page as HTML, in the light theme for printing, without scripts or external resources."""
    result = content.systems
    base, other = content.names.values()
    page = render_template(
        "systems",
        content=content,
        result=result,
        style=style,
        css=page_css(style, "report", "systems"),
        base=base,
        other=other,
        sides=[(content.names[side], content.names[side.opposite], content.examples[side]) for side in SystemSide],
        standings=[_standing_cells(result, name, style) for name in result.systems],
        chart=_difference_chart(result, other, style),
        counts=[[category, *(counts[question] for question in SYSTEM_QUESTIONS)] for category, counts in content.counts.items()],
        questions=[style.format_text(f"systems.{q.difference}_by", name=content.names[q.side]) for q in SYSTEM_QUESTIONS],
        wins={"base_wins": content.wins[SystemSide.BASE], "other_wins": content.wins[SystemSide.OTHER]},
        categories=list(_category_rows(result, other, style)),
        methods=_methods_text(result, style),
        signatures=_distinct_signatures(result),
    )
    return replace_invalid_characters(page)


def _standing_cells(result: SystemComparison, name: str, style: DisplayStyle) -> list[str]:
    """Return a system's name, F1, difference from the baseline, p-values, and the images it won, tied and lost."""
    d = result.differences.get(name, {}).get(OVERALL)
    difference = difference_texts(d, style) if d else [style.format_text("systems.is_baseline"), "", "", ""]
    return [name, style.format_estimate(result.means[name][OVERALL]), *difference]


def _category_rows(result: SystemComparison, other: str, style: DisplayStyle) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the table rows of each system: the baseline, the compared system, then the others."""
    for name in (result.baseline, *sorted(result.differences, key=lambda name: name != other)):
        differences = result.differences.get(name)
        means = {c: x for c, x in result.means[name].items() if c != OVERALL}
        baseline = [style.format_text("systems.is_baseline"), "", "", ""]
        yield (
            name,
            [
                [style.category_label(c), style.format_estimate(x), *(difference_texts(differences[c], style) if differences else baseline)]
                for c, x in means.items()
            ],
        )


def _difference_chart(result: SystemComparison, other: str, style: DisplayStyle) -> dict[str, object]:
    """Return the contents of a chart of a system's differences from the baseline, with intervals and a zero line."""
    estimates = {c: d.estimate for c, d in result.differences[other].items()}
    limit = max([0.02, *(abs(end) for x in estimates.values() for end in x if not math.isnan(end))])
    centre, half_width = (_NAME_WIDTH_PX + _CHART_WIDTH_PX) / 2, (_CHART_WIDTH_PX - _NAME_WIDTH_PX) / 2 - 30

    def x_of(value: float) -> str:
        return "" if math.isnan(value) else f"{centre + value / limit * half_width:.1f}"

    height = _ROW_HEIGHT_PX * len(estimates)
    rows = [
        {
            "y": f"{(i + 0.5) * _ROW_HEIGHT_PX:.1f}",
            "text_y": f"{(i + 0.5) * _ROW_HEIGHT_PX + 4:.1f}",
            "kind": design.KIND_BY_CATEGORY.get(category, "attribute") if category != OVERALL else "ink",
            "name": _shorten_name(style.category_label(category)),
            "value": style.format_ratio(x.value),
            "x": x_of(x.value),
            "low": x_of(x.low),
            "high": x_of(x.high),
        }
        for i, (category, x) in enumerate(estimates.items())
    ]
    return {
        "width": _CHART_WIDTH_PX,
        "height": height,
        "zero": x_of(0),
        "rows": rows,
        "ends": [(x_of(end), style.format_change(end)) for end in (-limit, 0.0, limit)],
        "alt": "; ".join(
            f"{style.category_label(c)} {style.format_change(x.value)} {style.format_interval(x)}" for c, x in estimates.items()
        ),
    }


def _methods_text(result: SystemComparison, style: DisplayStyle) -> str:
    overall, categories = result.test_counts
    numbers = {"images": result.images, "resamples": f"{result.resamples:,}", "seed": result.seed, "base": result.baseline}
    text = [style.format_text("systems.methods_text", overall=overall, categories=categories, **numbers)]
    if result.categories_with_too_few_images:
        text.append(
            style.format_text(
                "systems.too_few", number=MIN_PAIRS, list=", ".join(map(style.category_label, result.categories_with_too_few_images))
            )
        )
    return " ".join(text)


def _distinct_signatures(result: SystemComparison) -> list[tuple[str, str]]:
    """Return each system's signatures by name, or a single entry without a name if all are equal."""
    if len(signatures := dict.fromkeys(signature for group in result.signatures.values() for signature in group)) == 1:
        return [("", next(iter(signatures)))]
    return [(name, "; ".join(group)) for name, group in result.signatures.items()]


def _shorten_name(name: str) -> str:
    return name if len(name) <= _MAX_NAME_CHARS else f"{name[: _MAX_NAME_CHARS - 1]}…"
