"""The ratings of the Agreement page: a bundled sample with stored scores, or an uploaded file."""

import json
from functools import cache
from pathlib import Path

import streamlit as st

from pages.parts.jobs import calculations, runs
from pages.parts.jobs.calculations import RatingStudy, build_study
from pages.parts.kit import choice, html
from pages.parts.kit.bounded import call_bounded
from pages.parts.kit.texts import error_text, interface_language, language_names, t
from pages.parts.state import settings
from pages.parts.uploads import columns, reading
from pages.parts.uploads.datasets import DATA_FILE_SUFFIXES
from spice_core.data.ratings import RatedCaption
from spice_core.errors import InputError
from spice_core.lang import LANGUAGES, language
from spice_core.metrics.registry import DEFAULT_METRICS, available_metrics

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


@cache
def published_results() -> list[dict]:
    """Return the bundled table of published results."""
    return json.loads((AGREEMENT_FOLDER / "published.json").read_text(encoding="utf-8"))
