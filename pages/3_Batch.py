"""The Batch page: score a data set, list its frequent errors, and show the captions behind each number."""

from contextlib import nullcontext

import streamlit as st

from pages.parts.batch import annotators, answers, downloads, filters, overview, persistence, reasons, rows
from pages.parts.batch.decisions import Decisions
from pages.parts.batch.state import batch_state, decisions_of
from pages.parts.jobs import runs, tasks
from pages.parts.kit import choice, html, matching, page
from pages.parts.kit.texts import t
from pages.parts.state import settings
from pages.parts.uploads import custom_trees, datasets, images, problems, reading
from pages.parts.views import metric_table, score
from pages.parts.views.filters import clear_filters, init_filters, show_rows_heading
from pages.parts.views.scored_rows import choose_row
from spice_core.draw.style import DisplayStyle
from spice_core.lang import LANGUAGES, language

RUN_KEY = "batch.run"


def main() -> None:
    """Show the choice of data, the run, and its results."""
    page.begin("batch")
    matching.write_url()
    init_filters(filters.FILTERS)
    batch_state().tab.request_stored_work()
    if (run := tasks.current_task(RUN_KEY, runs.ScoringRun)) and not datasets.is_sample(run.digest):  # a link can name a run
        st.session_state.setdefault("batch.source", "files")
    sample = datasets.read_bundled_sample()
    caption_data: reading.CaptionData | None = sample
    photos, trees = images.folder_images(), None
    if not datasets.choose_sample(t("batch.sample"), t("batch.sample_note", number=len(sample.items)), key="batch"):
        caption_data, photos, trees = choose_files()
    runs.restore_stored_run(RUN_KEY, caption_data.digest if caption_data else "")
    if caption_data is None:
        settings.choose_settings(next(iter(LANGUAGES)))
        html.show_messages([t("batch.nothing")])
    else:
        problems.report_problems(caption_data, key="batch")
        show_start(caption_data, trees)
    run, save_place = tasks.current_task(RUN_KEY, runs.ScoringRun), st.container()
    if run:
        run.images = photos
        with st.container():
            runs.show_progress(run, key="batch")
        if run.rows and not run.is_working:
            show_run(run)
    with save_place:  # must come last: the browser's answer reruns the page, which drops filters that this run has not shown yet
        persistence.store_work(run, decisions_of(run) if run else None)


def choose_files() -> tuple[reading.CaptionData | None, images.ImageSet | None, custom_trees.UploadedTrees | None]:
    """Show the uploads of captions, images and trees, which are folded once the captions are scored."""
    read_data: reading.CaptionData | None = st.session_state.get("batch.data")
    images_text = st.session_state.get("batch.images_found", "").rstrip(".。")
    name = (
        " · ".join(filter(None, (t("batch.data_name", name=read_data.name, number=len(read_data.items)), images_text))) if read_data else ""
    )
    done_id = read_data.digest if read_data and (read_data.saved_work or runs.is_scored(RUN_KEY, read_data.digest)) else ""
    with choice.upload_block(name, done_id, key="batch"):
        caption_data = datasets.choose_data(key="batch")
        if caption_data and caption_data.saved_work and caption_data is not read_data:
            st.rerun()  # reruns with folded uploads
        places = st.columns(2, gap="medium") if caption_data else (nullcontext(), nullcontext())
        with places[0]:
            photos = images.choose_images(caption_data, key="batch")
        with places[1]:
            return caption_data, photos, custom_trees.choose_trees(caption_data, key="batch")


def show_start(caption_data: reading.CaptionData, tree_file: custom_trees.UploadedTrees | None) -> None:
    """Show the choice of language, the settings, and the button that scores the valid rows.

    A file of trees replaces the parser. The rows of a work file are already scored and become the finished run.
    """
    valid_data = custom_trees.rows_with_trees(caption_data, tree_file) if tree_file else caption_data
    if tree_file:
        custom_trees.report_missing(tree_file, caption_data, valid_data, key="batch")
    content = tree_file.content if tree_file else None
    if opened_work := persistence.open_work_file(caption_data, content):
        st.session_state[RUN_KEY] = opened_work
    run = tasks.current_task(RUN_KEY, runs.ScoringRun)
    persistence.attach_trees(caption_data, run, content)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        lang = datasets.choose_language(caption_data, key="batch")
        matching.choose()
        config = settings.choose_settings(lang, trees=(tree_file.parser, tree_file.name) if tree_file else None)
        if (
            run is None
            and caption_data == datasets.read_bundled_sample()
            and config == settings.default_config(datasets.bundled_sample().lang)
        ):
            st.session_state[RUN_KEY] = run = runs.ScoringRun.from_sample()
        label = t("batch.run_good" if caption_data.problems or valid_data.problems else "batch.run", number=len(valid_data.items))
        is_current = bool(run and (run.settings, run.digest) == (config, caption_data.digest))
        if valid_data.items and runs.show_start_button(label, run, is_current=is_current, key="batch.start"):
            if run and run.token:  # after the sample or a work file, the filters stay, because they may come from a link
                clear_filters(filters.CLEARED_FILTERS)
            st.session_state.pop("batch.row", None)  # otherwise the list still shows a caption of the previous run
            run = runs.ScoringRun(valid_data.items, config, caption_data.name, caption_data.digest, trees=content)
            st.session_state[RUN_KEY] = run.start(RUN_KEY)
            st.rerun()
    if caption_data.saved_work and run and run.digest == caption_data.digest:
        html.show_messages([t("batch.work_opened", number=len(caption_data.items)), *batch_state().opening_messages])
    if run and not run.is_working and not is_current:
        html.show_messages([t("batch.stale" if valid_data.items else "batch.stale_file", name=run.name)])


def show_run(run: runs.ScoringRun) -> None:
    """Show the summary of a run, its captions, one caption in detail, the causes and other metrics."""
    style, decisions = settings.choose_style(), decisions_of(run)
    with st.container(key="batch.board"):
        charts, captions = st.columns([5, 7], gap="large")
    with st.container():  # measured metrics are columns of the table above
        scores_by_system = metric_table.show_drawer({run.name: run.rows}, run.settings, style=style, trees=run.trees)
        run.cache["metrics"] = scores_by_system.get(run.name, {})
    with captions:  # sent first, because the browser takes longer to draw charts
        show_captions(run, decisions, style)
    with charts:
        overview.show_means(run, style=style)
        downloads.show_menu(run, decisions, style=style)
        overview.show_distribution(run, style=style)
        filters.show_table(run)
        overview.show_categories(run, style=style)
        st.subheader(t("batch.errors"))
        overview.show_frequent_errors(run)
    overview.show_causes(run, decisions)
    annotators.show_section(run, decisions)
    if language(run.settings.lang).questions:
        answers.show_section(run, decisions)
    downloads.show_totals(decisions)
    persistence.warn_if_unsaved(run, decisions)
    score.show_signature(run.rows[0].signature)


def show_captions(run: runs.ScoringRun, decisions: Decisions, style: DisplayStyle) -> None:
    """Show the filters, the captions that match them, and one caption in detail."""
    show_rows_heading(t("batch.captions"))
    matching_lines = filters.choose_lines(run, decisions, style=style)
    if not matching_lines:
        html.show_messages([t("batch.none_left")])
        rows.show_undo(decisions)
        return
    rows.show_table(matching_lines, run, decisions, style=style)
    with st.container(border=True, key="batch.detail"):
        by_id = {line.id: line for line in matching_lines}
        line = by_id[choose_row(t("batch.caption"), list(by_id), lambda id: f"{id} · {by_id[id].candidate}", key="batch.row")]
        rows.show_detail(line, run, style=style)
        reasons.show_reasons(line.row, run, decisions)
        rows.edit_cause(line, run, decisions)
    rows.edit_all_causes(matching_lines, decisions)


main()
