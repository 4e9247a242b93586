"""Systems compared: means, differences from the baseline with p-values, categories, images left out, downloads."""

from __future__ import annotations

import math
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import charts, messages
from pages.parts.kit.html import change, ends, number
from pages.parts.kit.html import table as as_table
from pages.parts.kit.texts import t
from pages.parts.views import tuples
from spice_core.draw import charts as statistics
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.systems import SystemComparison, SystemDifference
from spice_core.report.comparison import FORMATS
from spice_core.scene.scores import OVERALL

_LISTED = 200
_FILES = {"latex": ("tex", "application/x-tex"), "csv": ("csv", "text/csv"), "html": ("html", "text/html")}


def remarks(result: SystemComparison, *, key: str) -> None:
    """Images that not all systems have, counted and listed; settings that differ."""
    notes = [t("systems.left_out", name=name, number=len(ids)) for name, ids in result.left_out.items() if ids]
    if len(found := dict.fromkeys(s for each in result.signatures.values() for s in each)) > 1:
        notes.append(t("systems.signatures", list="; ".join(found)))
    messages.say(notes)
    if left := [(name, ids) for name, ids in result.left_out.items() if ids]:
        with st.expander(t("systems.left_list", number=len({image for _, ids in left for image in ids}))):
            for name, ids in left:
                more = f" … +{len(ids) - _LISTED}" if len(ids) > _LISTED else ""
                st.html(f'<p class="sc-ids"><b>{escape(name)}</b> {escape(", ".join(map(str, ids[:_LISTED])))}{more}</p>')


def table(result: SystemComparison, *, style: DisplayStyle) -> None:
    """F1 with its interval, the difference from the baseline, p-value, images won, tied and lost."""
    heads = (t(f"systems.{name}") for name in ("system", "f1", "difference", "p", "record"))
    body = []
    for name in result.systems:
        f1, d = result.means[name][OVERALL], result.differences.get(name, {}).get(OVERALL)
        against = _against(d, style) if d else [t("systems.is_baseline"), "", ""]
        body.append([escape(name), f"<b>{number(f1.value, style=style)}</b> <small>{ends(f1, style=style)}</small>", *against])
    note = f'<p class="sc-note">{t("systems.used", number=result.images)}. {t("systems.table_note")}</p>'
    st.html(as_table(heads, body, css_class="sc-standings") + note)


def categories(result: SystemComparison, *, key: str, style: DisplayStyle) -> None:
    """Each category with one marker per system, and the same as a table."""
    names = {name: tuples.category(name) for name in result.categories}
    notes = "; ".join(
        f"{s}: {', '.join(f'{names[c]} {number(x.value, style=style)}' for c, x in found.items())}" for s, found in result.means.items()
    )
    figure = statistics.dots(result.means, names, style=style)
    st.plotly_chart(figure, key=f"{key}.dots", alt=t("categories.alt", values=notes), **charts.LOOK)
    with st.expander(t("systems.categories_table")):
        heads = map(escape, (t("categories.category"), *result.systems))
        st.html(as_table(heads, ([names[c], *(_cell(result, s, c, style) for s in result.systems)] for c in names)))


def save(result: SystemComparison, *, key: str) -> None:
    """Downloads in the formats of the command ``compare``."""
    with st.popover(t("download.title"), key=f"{key}.downloads"):
        for name, (ending, mime) in _FILES.items():
            options: dict[str, Any] = {"file_name": f"spice-systems.{ending}", "mime": mime, "on_click": "ignore", "type": "tertiary"}
            st.download_button(t(f"systems.save_{name}"), FORMATS[name](result), key=f"{key}.save.{name}", **options)


def _against(d: SystemDifference, style: DisplayStyle) -> list[str]:
    if math.isnan(d.estimate.value):
        return [t("categories.undefined"), "", ""]
    return [
        f"{change(d.estimate.value, style=style)} <small>{ends(d.estimate, style=style)}</small>",
        f"{d.p:.3f}",
        f"{d.wins} / {d.ties} / {d.losses}",
    ]


def _cell(result: SystemComparison, system: str, category: str, style: DisplayStyle) -> str:
    mean, d = result.means[system][category], result.differences.get(system, {}).get(category)
    p = f" <small>p {d.p:.3f}</small>" if d and not math.isnan(d.p) else ""
    return f"{number(mean.value, style=style)} <small>{ends(mean, style=style)}</small>{p}"
