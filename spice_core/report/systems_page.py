"""Report of a comparison of systems on A4: standings, differences by category, why one of two wins, images, methods."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spice_core.draw import design
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.texts import difference_texts, plain
from spice_core.evaluation.system_questions import QUESTIONS, Question, Side
from spice_core.evaluation.systems import SystemComparison
from spice_core.report.result_page import page_css
from spice_core.report.templates import render
from spice_core.scene.scores import OVERALL
from spice_core.stats.bootstrap import MIN_PAIRS

_ROW_HEIGHT, _NAME_WIDTH, _CHART_WIDTH, _MAX_NAME_CHARS = 22, 110, 680, 15


class Reason(NamedTuple):
    """Categories that decide an image, with the tuples in words that only the winner matches, and that only the other has wrong."""

    categories: str
    matched: Sequence[str]
    wrong: Sequence[str]


@dataclass(frozen=True)
class Example:
    """An image with its captions and F1 (baseline, other system), and the reasons why one of them wins."""

    image: str
    captions: tuple[str, str]
    f1: tuple[float, float]
    reasons: Sequence[Reason]


@dataclass(frozen=True)
class Comparison:
    """What the page tells: the systems, and the baseline against one other, with counts of images by category's label and question."""

    systems: SystemComparison
    other: str
    counts: Mapping[str, Mapping[Question, int]]
    wins: Mapping[Side, int]
    undecided: int
    examples: Mapping[Side, Sequence[Example]]
    lang: str = ""

    @property
    def names(self) -> dict[Side, str]:
        """The two systems."""
        return {Side.BASE: self.systems.baseline, Side.OTHER: self.other}


def report(content: Comparison, style: DisplayStyle = PLAIN) -> str:
    """Return the page, light and for print; no script, nothing fetched."""
    result = content.systems
    base, other = content.names.values()
    page = render(
        "systems",
        content=content,
        result=result,
        style=style,
        css=page_css(style, "report", "systems"),
        base=base,
        other=other,
        sides=[(content.names[side], content.names[side.opposite], content.examples[side]) for side in Side],
        standings=[_standing(result, name, style) for name in result.systems],
        chart=_chart(result, other, style),
        counts=[[category, *(counts[question] for question in QUESTIONS)] for category, counts in content.counts.items()],
        questions=[style.say(f"systems.{q.difference}_by", name=content.names[q.side]) for q in QUESTIONS],
        wins={"base_wins": content.wins[Side.BASE], "other_wins": content.wins[Side.OTHER]},
        categories=list(_categories(result, other, style)),
        methods=_methods(result, style),
        signatures=_signatures(result),
    )
    return plain(page)


def _standing(result: SystemComparison, name: str, style: DisplayStyle) -> list[str]:
    """Return F1, the difference from the baseline, p-values and record of a system."""
    d = result.differences.get(name, {}).get(OVERALL)
    against = difference_texts(d, style) if d else [style.say("systems.is_baseline"), "", "", ""]
    return [name, style.estimate(result.means[name][OVERALL]), *against]


def _categories(result: SystemComparison, other: str, style: DisplayStyle) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each system with its rows by category, the compared one first after the baseline."""
    for name in (result.baseline, *sorted(result.differences, key=lambda name: name != other)):
        differences = result.differences.get(name)
        means = {c: x for c, x in result.means[name].items() if c != OVERALL}
        baseline = [style.say("systems.is_baseline"), "", "", ""]
        yield (
            name,
            [
                [style.category(c), style.estimate(x), *(difference_texts(differences[c], style) if differences else baseline)]
                for c, x in means.items()
            ],
        )


def _chart(result: SystemComparison, other: str, style: DisplayStyle) -> dict[str, object]:
    """Return the differences of one system from the baseline with their intervals, by category, around a line at zero."""
    found = {c: d.estimate for c, d in result.differences[other].items()}
    most = max([0.02, *(abs(end) for x in found.values() for end in x if not math.isnan(end))])
    centre, half = (_NAME_WIDTH + _CHART_WIDTH) / 2, (_CHART_WIDTH - _NAME_WIDTH) / 2 - 30

    def x_of(value: float) -> str:
        return "" if math.isnan(value) else f"{centre + value / most * half:.1f}"

    height = _ROW_HEIGHT * len(found)
    rows = [
        {
            "y": f"{(i + 0.5) * _ROW_HEIGHT:.1f}",
            "text_y": f"{(i + 0.5) * _ROW_HEIGHT + 4:.1f}",
            "kind": design.KIND_OF.get(category, "attribute") if category != OVERALL else "ink",
            "name": _shorten(style.category(category)),
            "value": style.ratio(x.value),
            "x": x_of(x.value),
            "low": x_of(x.low),
            "high": x_of(x.high),
        }
        for i, (category, x) in enumerate(found.items())
    ]
    return {
        "width": _CHART_WIDTH,
        "height": height,
        "zero": x_of(0),
        "rows": rows,
        "ends": [(x_of(end), style.change(end)) for end in (-most, 0.0, most)],
        "alt": "; ".join(f"{style.category(c)} {style.change(x.value)} {style.interval(x)}" for c, x in found.items()),
    }


def _methods(result: SystemComparison, style: DisplayStyle) -> str:
    overall, categories = result.tests
    numbers = {"images": result.images, "resamples": f"{result.resamples:,}", "seed": result.seed, "base": result.baseline}
    text = [style.say("systems.methods_text", overall=overall, categories=categories, **numbers)]
    if result.too_few:
        text.append(style.say("systems.too_few", number=MIN_PAIRS, list=", ".join(map(style.category, result.too_few))))
    return " ".join(text)


def _signatures(result: SystemComparison) -> list[tuple[str, str]]:
    """Return each system with its settings, or one entry without a name where all have the same."""
    if len(found := dict.fromkeys(signature for each in result.signatures.values() for signature in each)) == 1:
        return [("", next(iter(found)))]
    return [(name, "; ".join(each)) for name, each in result.signatures.items()]


def _shorten(name: str) -> str:
    return name if len(name) <= _MAX_NAME_CHARS else f"{name[: _MAX_NAME_CHARS - 1]}…"
