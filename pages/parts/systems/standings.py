"""The comparison of systems: means, differences from the baseline with p-values, categories, omitted images."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.charts import show_chart
from pages.parts.kit.html import show_heading, show_note
from pages.parts.kit.html import table as as_table
from pages.parts.kit.texts import join_items, t
from pages.parts.views import tuples
from pages.parts.views.score import metric_label_of
from spice_core.draw import charts
from spice_core.draw.style import DisplayStyle
from spice_core.draw.texts import difference_texts
from spice_core.evaluation.systems import SystemComparison, SystemDifference
from spice_core.scene.scores import OVERALL
from spice_core.stats.bootstrap import MIN_PAIRS, Estimate

_MAX_SHOWN_IDS = 200
_MAX_MARKED_POINTS = 4


def show_remarks(result: SystemComparison) -> None:
    """Show messages about omitted images, categories with too few images for a p-value, and differing settings."""
    notes = [t("systems.left_out", name=name, number=len(ids)) for name, ids in result.omitted_images.items() if ids]
    if result.categories_with_too_few_images:
        notes.append(
            t("systems.too_few", number=MIN_PAIRS, list=join_items(map(tuples.category_label, result.categories_with_too_few_images)))
        )
    if len(signatures := dict.fromkeys(s for system_signatures in result.signatures.values() for s in system_signatures)) > 1:
        notes.append(t("systems.signatures", list="; ".join(signatures)))
    html.show_messages(notes)
    if omitted_ids := [(name, ids) for name, ids in result.omitted_images.items() if ids]:
        with st.expander(t("systems.left_list", number=len({image for _, ids in omitted_ids for image in ids}))):
            for name, ids in omitted_ids:
                more_count = f" … +{len(ids) - _MAX_SHOWN_IDS}" if len(ids) > _MAX_SHOWN_IDS else ""
                st.html(f'<p class="sc-ids"><b>{escape(name)}</b> {escape(", ".join(map(str, ids[:_MAX_SHOWN_IDS])))}{more_count}</p>')


def show_table(result: SystemComparison, *, style: DisplayStyle) -> None:
    """Show F1 with its interval, the difference from the baseline, p-values, and images won, tied and lost."""
    headers = [t(f"systems.{name}") for name in ("system", "f1", "difference", "p", "p_holm", "record")]
    metrics = {metric_label_of(s) for signatures in result.signatures.values() for s in signatures}
    if len(metrics) == 1 and metrics != {""}:
        headers[1] = f"{escape(metrics.pop())}: {headers[1]}"
    body = []
    for name in result.systems:
        f1, d = result.means[name][OVERALL], result.differences.get(name, {}).get(OVERALL)
        difference_cells = difference_texts(d, style) if d else [t("systems.is_baseline"), "", "", ""]
        change, _, interval = difference_cells[0].partition(" ")
        difference_cells[0] = f"{change} <small>{interval}</small>" if interval else change
        body.append([escape(name), f"<b>{style.format_ratio(f1.value)}</b> <small>{style.format_interval(f1)}</small>", *difference_cells])
    values: dict[str, Any] = {"resamples": result.resamples, "seed": result.seed, "tests": result.test_counts[0]}
    notes = (t("systems.used", number=result.images), t("systems.table_note", **values))
    st.html(as_table(headers, body, css_class="sc-standings", is_wide=True) + "".join(f'<p class="sc-note">{text}</p>' for text in notes))


def show_categories(result: SystemComparison, other_name: str, *, style: DisplayStyle) -> None:
    """Show the F1 of each category by system and the differences from the baseline, as charts and tables.

    With many systems, only the baseline and the system ``other_name`` have distinct marks.
    """
    names = {name: tuples.category_label(name) for name in tuples.sort_categories(result.categories)}
    marked_systems = result.systems if len(result.systems) <= _MAX_MARKED_POINTS else (result.baseline, other_name)
    differences = {s: {c: d.estimate for c, d in by_category.items()} for s, by_category in result.differences.items()}
    left, right = st.columns(2, gap="large")
    with left:
        show_heading(t("systems.means"))
        _show_chart(result.means, names, marked_systems, key="systems.dots", style=style)
    with right:
        show_heading(t("systems.differences", base=result.baseline))
        _show_chart(differences, names, marked_systems, with_sign=True, key="systems.differences", style=style)
    with st.expander(t("systems.categories_table")):
        headers = [t("systems.system"), *map(escape, names.values())]
        st.html(as_table(headers, ([escape(s), *(style.format_estimate(result.means[s][c]) for c in names)] for s in result.systems)))
        show_heading(t("systems.differences", base=result.baseline))
        st.html(as_table(headers, ([escape(s), *(_difference_cell(result.differences[s][c], style) for c in names)] for s in differences)))
        show_note(t("systems.categories_note", number=result.test_counts[1]))


def _show_chart(
    values: Mapping[str, Mapping[str, Estimate]],
    names: Mapping[str, str],
    marked_systems: Sequence[str],
    *,
    with_sign: bool = False,
    key: str,
    style: DisplayStyle,
) -> None:
    """Show the values as dots. The alternative text lists the values of the ``marked_systems``."""
    text = style.format_change if with_sign else style.format_ratio
    lines = {s: ", ".join(f"{names[c]} {text(x.value)}" for c, x in by_category.items()) for s, by_category in values.items()}
    notes = "; ".join(f"{s}: {line}" for s, line in lines.items() if s in marked_systems)
    figure = charts.draw_dot_plot(
        values, names, highlighted_systems=marked_systems, other_systems_name=t("systems.rest"), is_difference=with_sign, style=style
    )
    show_chart(figure, key=key, alt=t("categories.alt", values=notes))


def _difference_cell(difference: SystemDifference, style: DisplayStyle) -> str:
    if math.isnan(difference.estimate.value):
        return t("categories.undefined")
    values = f"{style.format_change(difference.estimate.value)} <small>{style.format_interval(difference.estimate)}</small>"
    holm = "" if math.isnan(difference.p) else f" · Holm {difference.p_holm:.3f}"
    return f"{values}<br><small>{t('systems.p')} {style.format_p_value(difference.p)}{holm}</small>"
