"""The Agreement page: a bundled sample or an uploaded file of ratings, and views of the study of these ratings."""

import json
import math
from html import escape
from pathlib import Path

import streamlit as st

from pages.parts.jobs import calculations, runs
from pages.parts.jobs.calculations import RatingStudy, build_study
from pages.parts.kit import choice, html, page
from pages.parts.kit.bounded import call_bounded
from pages.parts.kit.charts import show_chart
from pages.parts.kit.html import table as as_table
from pages.parts.kit.texts import error_text, interface_language, language_names, t, text_catalogue
from pages.parts.state import links, settings
from pages.parts.state.engine import CaptionInputs
from pages.parts.uploads import columns, reading
from pages.parts.uploads.datasets import DATA_FILE_SUFFIXES
from pages.parts.views import tuples
from spice_core.data.ratings import RatedCaption
from spice_core.draw import charts
from spice_core.errors import InputError
from spice_core.evaluation.agreement import Agreement
from spice_core.evaluation.agreement import find_disagreements as farthest
from spice_core.lang import LANGUAGES, language
from spice_core.metrics.registry import DEFAULT_METRICS, METRICS, SPICE, available_metrics
from spice_core.report import tables
from spice_core.stats.bootstrap import MIN_PAIRS, Estimate
from spice_core.stats.correlation import COEFFICIENT_NAMES

_MAX_SHOWN_DISAGREEMENTS = 5


def show_table(study: RatingStudy) -> None:
    """Show each metric's coefficients with intervals. Asterisks mark significant differences from the baseline."""
    agreement = study.agreement
    st.html(_coefficient_cells(agreement, {name: escape(metric_label(name, study)) for name in agreement.coefficients}))
    values = {name: getattr(agreement, name) for name in ("items", "judgements", "resamples")}
    description = t("agreement.note", **values, baseline=escape(metric_label(agreement.baseline, study)))
    remarks = [t("agreement.too_few", number=MIN_PAIRS)] if agreement.has_too_few_items else []
    st.html(f'<p class="sc-note">{" ".join([description, *remarks])}</p>')
    with st.expander(t("agreement.explained")):
        names = [name for name in next(iter(agreement.coefficients.values())) if name in COEFFICIENT_NAMES or name == "all"]
        lines = [(t("agreement.all") if name == "all" else name, t(f"coefficients.{name}")) for name in names]
        for name in agreement.coefficients:
            in_catalogue = name in text_catalogue(interface_language())["measures"]
            summary = METRICS[name].summary if name in METRICS else t("agreement.in_file")
            lines.append((metric_label(name, study), t(f"measures.{name}") if in_catalogue else summary))
        st.html("".join(f'<p class="sc-note"><b>{escape(label)}</b> {escape(text)}</p>' for label, text in lines))
    html.show_copyable(study.signature)


def show_plot(study: RatingStudy, metric: str) -> None:
    """Show the scores of one metric by rating, and a download of all ratings and scores."""
    means = [sum(r.ratings) / len(r.ratings) for r in study.captions]
    name = metric_label(metric, study)
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
    lines: list[list[object]] = []
    for row, row_scores in zip(study.captions, columns):
        ratings = "; ".join(f"{r:g}" for r in row.ratings)
        lines.append([row.candidate, " | ".join(row.references), ratings, sum(row.ratings) / len(row.ratings), *row_scores])
    return headers, lines


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
            st.html(f'<h3 class="sc-small">{t(f"agreement.{side}", metric=escape(metric_label(metric, study)))}</h3>')
            st.html("".join(_caption_card_html(study, metric, i) for i in positions) or f'<p class="sc-note">{t("agreement.none")}</p>')


def show_published_results() -> None:
    """Show published results, separate from computed ones."""
    with st.expander(t("agreement.reported")):
        headers = [t("agreement.metric"), "Flickr8k-Expert τc", t("agreement.origin")]
        results = json.loads((AGREEMENT_FOLDER / "published.json").read_text(encoding="utf-8"))
        body = ([escape(row["metric"]), f"{row['tau_c']:.1f}", escape(row["source"])] for row in results)
        st.html(as_table(headers, body, css_class="sc-metrics") + f'<p class="sc-note">{t("agreement.reported_note")}</p>')


def metric_label(metric: str, study: RatingStudy) -> str:
    """Return the display name of a metric. SPICE is named after the default rules of the language."""
    return language(study.lang).name_of_metric(settings.default_config(study.lang).rule_set().signature) if metric == SPICE.name else metric


def _coefficient_cells(agreement: Agreement, names: dict[str, str], *, with_asterisk: bool = True) -> str:
    coefficient_names = list(next(iter(agreement.coefficients.values())))
    names_in_head = (t(f"agreement.{name}") if name == "all" else escape(name) for name in coefficient_names)
    headers = [t("agreement.metric"), *names_in_head, t("agreement.ties"), t("agreement.missing")]
    body = []
    for metric, row in agreement.coefficients.items():
        differences = agreement.differences.get(metric, {}) if with_asterisk else {}
        cells = [_coefficient_cell(value, differences[name].p if differences else math.nan) for name, value in row.items()]
        ties = t("agreement.percent", number=round(100 * agreement.ties[metric]))
        body.append([names[metric], *cells, ties, str(agreement.undefined[metric])])
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


AGREEMENT_FOLDER = Path(__file__).parents[3] / "assets" / "agreement"
_FILE_SUFFIXES = ["csv", "tsv", "json", "jsonl"]


def choose_study() -> RatingStudy | None:
    """Show the choice of data. Return the study, or None until an upload has been scored.

    The option ``sample`` stands for the sample in the interface language, so the data follow a change of this language.
    """
    samples = [lang for lang in (interface_language(), *LANGUAGES) if (AGREEMENT_FOLDER / f"sample_{lang}.json").exists()]
    languages = {"sample" if lang == interface_language() else lang: lang for lang in samples}
    sources = {name: t(f"agreement.source_{lang}") for name, lang in [*languages.items(), ("upload", "upload")]}
    source = choice.segmented_control(t("agreement.data"), sources, key="agreement.source", persist_state="session")
    if source == "upload":
        return _choose_upload()
    st.html(f'<p class="sc-note">{t(f"agreement.about_{languages[source]}")}</p>')
    return load_sample_study(languages[source])


@st.cache_resource(show_spinner=False)
def load_sample_study(lang: str) -> RatingStudy:
    """Return the study of the bundled ratings in a language, with the scores that ``tools/samples.py`` stored."""
    sample = json.loads((AGREEMENT_FOLDER / f"sample_{lang}.json").read_text(encoding="utf-8"))
    captions = tuple(RatedCaption(row["candidate"], tuple(row["references"]), (row["rating"],)) for row in sample["items"])
    return build_study(captions, sample["scores"], "caption", lang, sample["signature"])


def _choose_upload() -> RatingStudy | None:
    st.html(f'<p class="sc-note">{t("agreement.layout")}</p>')
    left, right = st.columns(2, gap="medium")
    file = left.file_uploader(t("agreement.file"), type=_FILE_SUFFIXES, key="agreement.file")
    references = right.file_uploader(
        t("batch.references"), type=DATA_FILE_SUFFIXES, key="agreement.references", help=t("agreement.references")
    )
    chosen_columns = columns.choose_rating_columns(file, references, key="agreement") if file else {}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        lang = choice.segmented_control(t("language.title"), language_names(), key="agreement.lang")
        levels = {name: t(f"agreement.level_{name}") for name in ("caption", "system")}
        level = choice.segmented_control(t("agreement.level"), levels, key="agreement.level")
    names, default = available_metrics(language(lang)), available_metrics(language(lang), DEFAULT_METRICS)
    metrics = st.multiselect(t("agreement.metrics"), names, default=default, key=f"agreement.metrics.{lang}")
    task: runs.MeasurementTask | None = st.session_state.get("agreement.study")
    is_disabled = file is None or chosen_columns is None or not metrics or bool(task and task.is_working)
    if st.button(t("agreement.measure"), disabled=is_disabled, type="primary", key="agreement.measure") and file:
        task = st.session_state["agreement.study"] = runs.MeasurementTask(calculations.score_ratings, ())
        try:
            files = columns.to_upload(file), columns.to_upload(references) if references else None
            ratings = call_bounded(reading.read_ratings, *files, chosen_columns)
            task.args = ratings, settings.default_config(lang), level, metrics
            task.start()
        except InputError as error:
            task.failure = error
        st.rerun()
    if task is None:
        html.show_messages([t("agreement.incomplete" if chosen_columns is None else "agreement.ready" if file else "agreement.waiting")])
        return None
    runs.show_progress(task, key="agreement")
    if task.result:
        html.show_messages([t("batch.encoding", file=name, encoding=encoding) for name, encoding in task.result.encodings])
        html.show_messages([error_text(notice) for notice in task.result.notices])
    return task.result
