"""The Batch page: score a data set, list its frequent errors, and show the captions behind each number."""

from contextlib import nullcontext

import streamlit as st

from pages.parts.batch import (
    annotators,
    answers,
    downloads,
    filters,
    outcome_filters,
    overview,
    pareto,
    persistence,
    reasons,
    rows,
    tab_work,
)
from pages.parts.batch.decisions import decisions_of
from pages.parts.jobs import runs, tasks
from pages.parts.kit import messages, page
from pages.parts.kit.texts import t
from pages.parts.state import settings
from pages.parts.uploads import custom_trees, datasets, images, problems, reading
from pages.parts.views import component, metric_table, score
from spice_core.lang import LANGUAGES

STATE_KEY = "batch"
RUN_KEY = f"{STATE_KEY}.run"


def main() -> None:
    """Show the choice of data, the run, and its results."""
    page.begin("batch")
    filters.init_filters(key=STATE_KEY)
    tab_work.request_stored_work(key=STATE_KEY)
    if (run := tasks.current_task(RUN_KEY, runs.ScoringRun)) and not datasets.is_sample(run.digest):  # a link can name a run
        st.session_state.setdefault(f"{STATE_KEY}.source", "files")
    caption_data = datasets.choose_data(key=STATE_KEY)
    runs.recall_run(RUN_KEY, caption_data.digest if caption_data else "")
    places = st.columns(2, gap="medium") if caption_data not in (None, datasets.read_bundled_sample()) else (nullcontext(), nullcontext())
    with places[0]:
        photos = images.choose_images(caption_data, key=STATE_KEY)
    with places[1]:
        trees = custom_trees.choose_trees(caption_data, key=STATE_KEY)
    if caption_data is None:
        settings.choose_settings(next(iter(LANGUAGES)), key=STATE_KEY)
        messages.show_messages([t("batch.nothing")])
    else:
        problems.report_problems(caption_data, key=STATE_KEY)
        show_start(caption_data, trees)
    run, save_place = tasks.current_task(RUN_KEY, runs.ScoringRun), st.container()
    if run:
        run.images = photos
        with st.container():
            runs.show_progress(run, key=STATE_KEY)
        if run.rows and not run.is_working:
            show_run(run)
    with save_place:  # must come last: the browser's answer reruns the page, which drops filters that this run has not shown yet
        tab_work.store_work(run, decisions_of(run, key=STATE_KEY) if run else None, key=STATE_KEY)


def show_start(caption_data: reading.CaptionData, tree_file: custom_trees.UploadedTrees | None) -> None:
    """Show the choice of language, the settings, and the button that scores the valid rows.

    A file of trees replaces the parser. The rows of a work file are already scored and become the finished run.
    """
    valid_data = custom_trees.rows_with_trees(caption_data, tree_file) if tree_file else caption_data
    if tree_file:
        custom_trees.report_missing(tree_file, caption_data, valid_data, key=STATE_KEY)
    content = tree_file.content if tree_file else None
    if opened_work := persistence.open_work_file(caption_data, content, key=STATE_KEY):
        st.session_state[RUN_KEY] = opened_work
    run = tasks.current_task(RUN_KEY, runs.ScoringRun)
    persistence.attach_trees(caption_data, run, content, key=STATE_KEY)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        lang = datasets.choose_language(caption_data, key=STATE_KEY)
        config = settings.choose_settings(lang, key=STATE_KEY, trees=(tree_file.parser, tree_file.name) if tree_file else None)
        if (
            run is None
            and caption_data == datasets.read_bundled_sample()
            and config == settings.default_config(datasets.bundled_sample().lang)
        ):
            st.session_state[RUN_KEY] = run = runs.ScoringRun.from_sample()
        label = t("batch.run_good" if caption_data.problems or valid_data.problems else "batch.run", number=len(valid_data.items))
        is_running = bool(run and run.is_working)
        if valid_data.items and st.button(label, type="primary", key=f"{STATE_KEY}.start", disabled=is_running):
            forget_previous(run)
            st.session_state[RUN_KEY] = runs.ScoringRun(
                valid_data.items, config, caption_data.name, caption_data.digest, trees=content
            ).start(RUN_KEY)
            st.rerun()
    persistence.report_opening(caption_data, run, key=STATE_KEY)
    if run and not run.is_working and (run.settings, run.digest) != (config, caption_data.digest):
        messages.show_messages([t("batch.stale" if valid_data.items else "batch.stale_file", name=run.name)])


def forget_previous(run: runs.ScoringRun | None) -> None:
    """Forget the selected caption and, after a run that the visitor started, the filters.

    After the sample or a work file, the filters stay, because they may come from a link.
    """
    if run and run.token:
        filters.clear_filters(key=STATE_KEY)
    st.session_state.pop(f"{STATE_KEY}.row", None)  # otherwise the list still shows a caption of the previous run


def show_run(run: runs.ScoringRun) -> None:
    """Show the summary of a run, the captions behind its numbers, and one caption in detail."""
    style = settings.choose_style(key=STATE_KEY)
    decisions = decisions_of(run, key=STATE_KEY)
    columns = st.columns([2, 3, 3], gap="large")
    with columns[0]:
        overview.show_means(run, style=style)
        downloads.show_menu(run, decisions, key=STATE_KEY, style=style)
    with columns[1]:
        overview.show_distribution(run, key=STATE_KEY, style=style)
        outcome_filters.show_table(run, key=STATE_KEY)
    with columns[2]:
        overview.show_categories(run, key=STATE_KEY, style=style)
    metric_table.show_drawer({run.name: run.rows}, run.settings, key=STATE_KEY, style=style, trees=run.trees)
    st.subheader(t("batch.errors"))
    overview.show_frequent_errors(run, key=STATE_KEY)
    pareto.show_section(run, decisions, key=STATE_KEY)
    annotators.show_section(run, decisions, key=STATE_KEY)
    answers.show_section(run, decisions, key=STATE_KEY)
    with st.container(key=f"{STATE_KEY}-captions"):
        st.subheader(t("batch.captions"))
    component.scroll_to(f"{STATE_KEY}-captions", st.session_state.get(f"{STATE_KEY}.brought", 0))
    matching_lines = filters.choose_lines(run, decisions, key=STATE_KEY, style=style)
    if not matching_lines:
        messages.show_messages([t("batch.none_left")])
        rows.show_undo(decisions, key=STATE_KEY)
        return
    rows.show_table(matching_lines, run, decisions, key=STATE_KEY, style=style)
    rows.edit_all_causes(matching_lines, decisions, key=STATE_KEY)
    with st.container(border=True, key=f"{STATE_KEY}.detail"):
        if line := rows.choose_line(matching_lines, key=STATE_KEY):
            rows.show_detail(line, run, key=STATE_KEY, style=style)
            reasons.show_reasons(line.row, run, decisions, key=STATE_KEY)
            rows.edit_cause(line, run, decisions, key=STATE_KEY)
    downloads.show_totals(decisions)
    persistence.warn_if_unsaved(run, decisions, key=STATE_KEY)
    score.show_signature(run.rows[0].signature)


main()
