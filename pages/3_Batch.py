"""Batch: scores of a data set, its frequent errors, and the captions behind every number."""

from contextlib import nullcontext

import streamlit as st

from pages.parts.batch import annotators, decisions, downloads, filters, overview, pareto, persistence, questions, reasons, rows
from pages.parts.jobs import runs, tasks
from pages.parts.kit import messages, page
from pages.parts.kit.texts import t
from pages.parts.state import settings
from pages.parts.uploads import custom_trees, datasets, images, problems
from pages.parts.views import component, metric_table, score
from spice_core.lang import LANGUAGES

KEY = "batch"
RUN = f"{KEY}.run"


def main() -> None:
    """The data, then the run, then its results."""
    page.begin("batch")
    filters.begin(key=KEY)
    data = datasets.choose(key=KEY)
    beside = st.columns(2, gap="medium") if data not in (None, datasets.sample()) else (nullcontext(), nullcontext())
    with beside[0]:
        photos = images.choose(data, key=KEY)
    with beside[1]:
        own = custom_trees.choose(data, key=KEY)
    if data is None:
        settings.choose(next(iter(LANGUAGES)), key=KEY)
        messages.say([t("batch.nothing")])
    else:
        problems.report_problems(data, key=KEY)
        start(data, own)
    if (run := tasks.current(RUN, runs.Run)) and _belongs(run, data):
        run.images = photos
        with st.container():
            runs.follow(run, key=KEY)
        if run.rows and not run.working:
            show(run)


def _belongs(run: runs.Run, data: datasets.Data | None) -> bool:
    """Whether a run may stand below this data: that of the sample does not stand below a visitor's files."""
    sample = datasets.sample()
    return data == sample or run.digest != sample.digest


def start(data: datasets.Data, own: custom_trees.Trees | None) -> None:
    """The choice of language, and the button that scores the good rows, on the visitor's trees if there are; scored rows are shown at once."""
    good = custom_trees.rows_with_trees(data, own) if own else data
    if own:
        custom_trees.report(own, data, good, key=KEY)
    content = own.content if own else None
    if opened := persistence.open_once(data, content, key=KEY):
        st.session_state[RUN] = opened
    run = tasks.current(RUN, runs.Run)
    persistence.rejoin(data, run, content, key=KEY)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        lang = datasets.language(data, key=KEY)
        chosen = settings.choose(lang, key=KEY, trees=(own.parser, own.name) if own else None)
        if run is None and data == datasets.sample() and chosen == settings.default_config("en"):
            st.session_state[RUN] = run = runs.Run.of_sample()
        label = t("batch.run_good" if data.problems or good.problems else "batch.run", number=len(good.items))
        busy = bool(run and run.working)
        if good.items and st.button(label, type="primary", key=f"{KEY}.start", disabled=busy):
            if run and run.token:  # what a link asks for is asked of the first run
                filters.clear(key=KEY)
            st.session_state.pop(f"{KEY}.row", None)  # the list would go on showing the caption of the run before
            st.session_state[RUN] = runs.Run(good.items, chosen, data.name, data.digest, trees=content).start(RUN)
            st.rerun()
    persistence.report(data, run, key=KEY)
    if run and _belongs(run, data) and not run.working and (run.settings, run.digest) != (chosen, data.digest):
        messages.say([t("batch.stale" if good.items else "batch.stale_file", name=run.name)])


def show(run: runs.Run) -> None:
    """Summary of the run, the captions behind its numbers, and one caption in detail."""
    style = settings.style(key=KEY)
    decided = decisions.of(run, key=KEY)
    columns = st.columns([2, 3, 3], gap="large")
    with columns[0]:
        overview.numbers(run, style=style)
        downloads.menu(run, decided, key=KEY, style=style)
    with columns[1]:
        overview.distribution(run, key=KEY, style=style)
        questions.table(run, key=KEY)
    with columns[2]:
        overview.categories(run, key=KEY, style=style)
    metric_table.drawer({run.name: run.rows}, run.settings, key=KEY, style=style, trees=run.trees)
    st.subheader(t("batch.errors"))
    overview.frequent(run, key=KEY)
    pareto.section(run, decided, key=KEY)
    annotators.drawer(run, decided, key=KEY)
    with st.container(key=f"{KEY}-captions"):
        st.subheader(t("batch.captions"))
    component.reveal(f"{KEY}-captions", st.session_state.get(f"{KEY}.brought", 0))
    found = filters.choose(run, decided, key=KEY, style=style)
    if not found:
        messages.say([t("batch.none_left")])
        rows.undo(decided, key=KEY)
        return
    rows.table(found, run, decided, key=KEY, style=style)
    rows.tag_all(found, decided, key=KEY)
    with st.container(border=True, key=f"{KEY}.detail"):
        if line := rows.choose(found, key=KEY):
            rows.detail(line, run, key=KEY, style=style)
            reasons.show(line.row, run, decided, key=KEY)
            rows.edit_tag(line, run, decided, key=KEY)
    downloads.totals(decided)
    persistence.warn(run, decided, key=KEY)
    score.signature(run.rows[0].signature)


main()
