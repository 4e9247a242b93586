"""Batch: a data set scored, what goes wrong in it, and the captions behind every number."""

import streamlit as st

from pages.parts import (
    batch_filters,
    batch_overview,
    batch_rows,
    batch_saved,
    datasets,
    others,
    results,
    runs,
    settings,
    shell,
    states,
    tasks,
)
from pages.parts.words import t

KEY = "batch"
RUN = f"{KEY}.run"


def main() -> None:
    """Data, then the run, then what it found."""
    shell.begin("batch")
    data = datasets.choose(key=KEY)
    if data is None:
        settings.choose("en", key=KEY)
        states.say([t("batch.nothing")])
    else:
        datasets.report(data, key=KEY)
        start(data)
    if run := tasks.current(RUN):
        with st.container():
            runs.follow(run, key=KEY)
        if run.rows and not run.working:
            show(run)


def start(data: datasets.Data) -> None:
    """The language and the button that scores the good rows."""
    run = tasks.current(RUN)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        lang = datasets.language(data, key=KEY)
        chosen = settings.choose(lang, key=KEY)
        label = t("batch.run_good" if data.problems else "batch.run", number=len(data.items))
        busy = bool(run and run.working)
        if st.button(label, type="primary", key=f"{KEY}.start", disabled=busy or not data.items):
            batch_filters.clear(key=KEY)
            st.session_state.pop(f"{KEY}.row", None)  # the list would go on showing the caption of the run before
            st.session_state[RUN] = runs.Run(data.items, chosen, data.name, data.digest).start(RUN)
            st.rerun()
    if run and not run.working and (run.settings, run.digest) != (chosen, data.digest):
        states.say([t("batch.stale", name=run.name)])


def show(run: runs.Run) -> None:
    """The run as a whole, the captions behind its numbers, one of them in detail."""
    scale = settings.scale(key=KEY)
    tags = st.session_state.setdefault(f"{KEY}.tags", {}).setdefault(run.digest, {})
    batch_filters.begin(key=KEY)
    columns = st.columns([2, 3, 3], gap="large")
    with columns[0]:
        batch_overview.numbers(run, scale=scale)
        batch_saved.menu(run, tags, key=KEY, scale=scale)
    with columns[1]:
        batch_overview.distribution(run, key=KEY, scale=scale)
    with columns[2]:
        batch_overview.categories(run, key=KEY, scale=scale)
    others.drawer({run.name: run.rows}, run.settings, key=KEY, scale=scale)
    st.subheader(t("batch.errors"))
    batch_overview.frequent(run, key=KEY)
    st.subheader(t("batch.captions"))
    found = batch_filters.choose(run, tags, key=KEY, scale=scale)
    if not found:
        states.say([t("batch.none_left")])
        return
    batch_rows.table(found, tags, key=KEY, scale=scale)
    with st.container(border=True, key=f"{KEY}.detail"):
        line = batch_rows.choose(found, key=KEY)
        batch_rows.detail(line, run, key=KEY, scale=scale)
        batch_rows.tag(line, tags, key=KEY)
    batch_saved.totals(tags)
    results.signature(run.rows[0]["signature"])


main()
