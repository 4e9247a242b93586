"""Views of a study on the Agreement page: table, scores by rating, categories, disagreements, published results."""

import math
from html import escape

import streamlit as st

from pages.parts.agreement import data
from pages.parts.jobs.calculations import RatingStudy
from pages.parts.kit import choice, html, page
from pages.parts.kit.charts import show_chart
from pages.parts.kit.html import table as as_table
from pages.parts.kit.texts import interface_language, t, text_catalogue
from pages.parts.state import links, settings
from pages.parts.state.engine import CaptionInputs
from pages.parts.views import tuples
from spice_core.draw import charts
from spice_core.evaluation.agreement import Agreement
from spice_core.evaluation.agreement import find_disagreements as farthest
from spice_core.lang import language
from spice_core.metrics.registry import METRICS, SPICE
from spice_core.report import tables
from spice_core.stats.bootstrap import MIN_PAIRS, Estimate
from spice_core.stats.correlation import COEFFICIENT_NAMES

_MAX_SHOWN_DISAGREEMENTS = 5


def show_table(study: RatingStudy) -> None:
    """Show each metric's coefficients with intervals. Asterisks mark significant differences from the baseline."""
    agreement = study.agreement
    st.html(_coefficient_cells(agreement, {name: escape(_metric_label(name, study)) for name in agreement.coefficients}))
    description = t(
        "agreement.note",
        items=agreement.items,
        judgements=agreement.judgements,
        resamples=agreement.resamples,
        baseline=escape(_metric_label(agreement.baseline, study)),
    )
    remarks = [t("agreement.too_few", number=MIN_PAIRS)] if agreement.has_too_few_items else []
    st.html(f'<p class="sc-note">{" ".join([description, *remarks])}</p>')
    with st.expander(t("agreement.explained")):
        names = [name for name in next(iter(agreement.coefficients.values())) if name in COEFFICIENT_NAMES or name == "all"]
        lines = [(t("agreement.all") if name == "all" else name, t(f"coefficients.{name}")) for name in names]
        lines += [(_metric_label(name, study), _metric_explanation(name)) for name in agreement.coefficients]
        st.html("".join(f'<p class="sc-note"><b>{escape(label)}</b> {escape(text)}</p>' for label, text in lines))
    html.show_copyable(study.signature)


def _metric_explanation(name: str) -> str:
    """Return the explanation of a metric: the page's text, its registered summary, or a text for scores from the file."""
    if name in text_catalogue(interface_language())["measures"]:
        return t(f"measures.{name}")
    return METRICS[name].summary if name in METRICS else t("agreement.in_file")


def choose_metric(study: RatingStudy) -> str:
    """Show the choice of the metric for the plot and the disagreements. Return its name."""
    names = {name: _metric_label(name, study) for name in study.agreement.coefficients}
    return choice.segmented_control(t("agreement.metric"), names, key="agreement.metric", persist_state="session")


def show_plot(study: RatingStudy, metric: str) -> None:
    """Show the scores of one metric by rating, and a download of all ratings and scores."""
    means = [sum(r.ratings) / len(r.ratings) for r in study.captions]
    name = _metric_label(metric, study)
    figure = charts.draw_rating_boxes(study.scores[metric], means, names=(t("agreement.rating"), name), style=page.display_style())
    alt_text = t(
        "agreement.plot_alt", metric=name, value=page.display_style().format_ratio(study.agreement.coefficients[metric]["Spearman"].value)
    )
    st.subheader(t("agreement.by_rating"))
    make_csv = lambda: tables.table_csv(*_rated_scores(study))
    choice.download_button(t("agreement.save"), make_csv, "spice-agreement.csv", "text/csv", key="agreement.save")
    show_chart(figure, key="agreement.plot", alt=alt_text)


def _rated_scores(study: RatingStudy) -> tuple[list[str], list[list[object]]]:
    """Return a table of the captions with their ratings, mean rating and metric scores, as headers and rows."""
    headers = ["candidate", "references", "ratings", "mean rating", *study.scores]
    columns = list(zip(*study.scores.values()))
    return headers, [
        [
            row.candidate,
            " | ".join(row.references),
            "; ".join(f"{r:g}" for r in row.ratings),
            sum(row.ratings) / len(row.ratings),
            *row_scores,
        ]
        for row, row_scores in zip(study.captions, columns)
    ]


def show_categories(study: RatingStudy) -> None:
    """Show the agreement of SPICE by category, if there are scores by category."""
    if study.categories is None or not study.categories.coefficients:
        return
    st.subheader(t("agreement.by_category"))
    names = {name: tuples.category_label(name.partition(": ")[2]) for name in study.categories.coefficients}
    st.html(_coefficient_cells(study.categories, names, with_asterisk=False) + f'<p class="sc-note">{t("agreement.category_note")}</p>')


def show_disagreements(study: RatingStudy, metric: str) -> None:
    """Show the captions with the largest differences between metric and ratings, with links to Inspect."""
    st.subheader(t("agreement.disagreements"))
    pairs_by_side = zip(("high", "low"), farthest(study.captions, study.scores[metric], _MAX_SHOWN_DISAGREEMENTS))
    for column, (side, positions) in zip(st.columns(2, gap="medium"), pairs_by_side):
        with column:
            st.html(f'<h3 class="sc-small">{t(f"agreement.{side}", metric=escape(_metric_label(metric, study)))}</h3>')
            st.html("".join(_caption_card_html(study, metric, i) for i in positions) or f'<p class="sc-note">{t("agreement.none")}</p>')


def show_published_results() -> None:
    """Show published results, separate from computed ones."""
    with st.expander(t("agreement.reported")):
        headers = [t("agreement.metric"), "Flickr8k-Expert τc", t("agreement.origin")]
        body = ([escape(row["metric"]), f"{row['tau_c']:.1f}", escape(row["source"])] for row in data.published_results())
        st.html(as_table(headers, body, css_class="sc-metrics") + f'<p class="sc-note">{t("agreement.reported_note")}</p>')


def _metric_label(metric: str, study: RatingStudy) -> str:
    """Return the display name of a metric. SPICE is named after the default rules of the language."""
    return language(study.lang).name_of_metric(settings.default_config(study.lang).rule_set().signature) if metric == SPICE.name else metric


def _coefficient_cells(agreement: Agreement, names: dict[str, str], *, with_asterisk: bool = True) -> str:
    coefficient_names = list(next(iter(agreement.coefficients.values())))
    headers = [
        t("agreement.metric"),
        *(t(f"agreement.{name}") if name == "all" else escape(name) for name in coefficient_names),
        t("agreement.ties"),
        t("agreement.missing"),
    ]
    body = []
    for metric, row in agreement.coefficients.items():
        cells = [
            _coefficient_cell(
                value, agreement.differences[metric][name].p if with_asterisk and metric in agreement.differences else math.nan
            )
            for name, value in row.items()
        ]
        body.append(
            [names[metric], *cells, t("agreement.percent", number=round(100 * agreement.ties[metric])), str(agreement.undefined[metric])]
        )
    return as_table(headers, body, css_class="sc-metrics")


def _coefficient_cell(estimate: Estimate, p_value: float) -> str:
    mark = " **" if p_value < 0.01 else " *" if p_value < 0.05 else ""
    return f"{page.display_style().format_ratio(estimate.value)}{mark} <small>{page.display_style().format_interval(estimate)}</small>"


def _caption_card_html(study: RatingStudy, metric: str, position: int) -> str:
    row = study.captions[position]
    address = links.inspect_address(CaptionInputs(row.candidate, row.references), settings.default_config(study.lang))
    rating = ", ".join(f"{r:g}" for r in row.ratings)
    lines = "".join(f"<br><small>{escape(reference)}</small>" for reference in row.references)
    summary = t("agreement.facts", score=page.display_style().format_ratio(study.scores[metric][position]), rating=rating)
    link = f' · <a href="{escape(address)}" target="_self">{t("agreement.open")}</a>' if address else ""
    return f'<p lang="{study.lang}">{escape(row.candidate)}{lines}<br><small>{summary}{link}</small></p>'
