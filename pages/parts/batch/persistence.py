"""Saved work of Batch: files and the browser tab store scored rows, settings, filters, causes and notes."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import streamlit as st

from pages.parts.batch import filters
from pages.parts.batch.decisions import CAUSE_NAMES, Decisions
from pages.parts.batch.state import batch_state
from pages.parts.jobs.runs import MAX_SEARCHED_ROWS, CauseSearch, ScoringRun, stored_rows
from pages.parts.kit import capacity
from pages.parts.kit.texts import t
from pages.parts.state import engine, settings
from pages.parts.uploads import datasets, reading
from pages.parts.views import component, saved_work
from pages.parts.views.filters import filter_params, restore_filters
from pages.parts.views.saved_work import DIGEST_CHARS, as_dict, row_view, unpack_rows
from spice_core.data.columns import file_name
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import MAX_TAGS, ScoredWork, read_decisions
from spice_core.errors import InputError
from spice_core.explain.causes.suggest import UNCLEAR_CAUSE, Cause
from spice_core.lang.tree_file import TreeFile

_MIN_ROWS_TO_FREEZE = 500  # runs with at least this many rows are excluded from garbage collection


def open_work_file(caption_data: reading.CaptionData, trees: TreeFile | None) -> ScoringRun | None:
    """Restore settings, filters and decisions from a new work file, and return its run.

    Return None for other data, or if the file is already open.
    """
    state = batch_state()
    if not caption_data.saved_work or state.opened_work is caption_data:
        return None
    state.opened_work = caption_data
    config, state.opening_messages = saved_work.settings_of_work(caption_data.saved_work, trees)
    config = settings.restore_settings(config)
    st.session_state[f"batch.lang.{caption_data.digest[:12]}"] = config.lang
    state.decisions[caption_data.digest] = decisions = decisions_of_work(caption_data.saved_work)
    restore_filters(filters.FILTERS, caption_data.saved_work.view)
    st.session_state["batch.row"] = saved_work.selected_image(caption_data.saved_work.view, caption_data.saved_work)
    rows, used_trees = list(caption_data.saved_work.rows), saved_work.trees_of_settings(config, trees)
    run = ScoringRun(caption_data.items, config, caption_data.name, caption_data.digest, rows=rows, trees=used_trees)
    run.search = _restore_search(caption_data.saved_work, run)
    if state.restored_digest != caption_data.digest:  # work from the tab stays unsaved: closing the tab deletes it
        state.saved_fingerprints[:] = [_work_fingerprint(run, decisions)]
    if len(run.rows) >= _MIN_ROWS_TO_FREEZE:
        capacity.freeze_loaded_objects()
    return run


def attach_trees(caption_data: reading.CaptionData, run: ScoringRun | None, trees: TreeFile | None) -> None:
    """Attach the trees to a run whose work file was scored with them, and restore the file's settings."""
    from_file = run and caption_data.saved_work and run.rows and run.rows[0] is caption_data.saved_work.rows[0]
    if (
        not run
        or not caption_data.saved_work
        or not from_file
        or run.trees
        or not trees
        or caption_data.saved_work.settings.get("parser") != trees.name
    ):
        return
    config, batch_state().opening_messages = saved_work.settings_of_work(caption_data.saved_work, trees)
    run.settings, run.trees = settings.restore_settings(config), saved_work.trees_of_settings(config, trees)
    run.search = run.search or _restore_search(caption_data.saved_work, run)
    run.cache.clear()


def decisions_of_work(work: ScoredWork) -> Decisions:
    """Return the decisions in a work file. Unknown causes become custom tags, up to a maximum."""
    decisions = Decisions(dict(work.caption_causes), {image: dict(causes) for image, causes in work.causes.items()})
    used_causes = chain(*(causes for causes, _ in work.caption_causes.values()), *(causes.values() for causes in work.causes.values()))
    custom_tags = dict.fromkeys(cause for cause in used_causes if cause and cause not in CAUSE_NAMES)
    decisions.set_tags([*work.tags, *islice(custom_tags, MAX_TAGS)])
    caption_tags, tuple_tags = set(decisions.caption_causes), set(decisions.tuple_causes)
    for image, (causes_, _) in work.caption_causes.items():
        decisions.set_causes(image, (cause for cause in causes_ if cause in caption_tags))
    for image, causes in work.causes.items():
        decisions.set_tuple_causes(image, {tuple_: "" for tuple_, cause in causes.items() if cause not in tuple_tags})
    decisions.revision = 0
    return decisions


def show_save_button(run: ScoringRun, decisions: Decisions) -> None:
    """Show a button that saves the work."""
    view = filter_params(filters.FILTERS, filters.images_by_question(run)) | saved_work.row_view(st.session_state.get("batch.row"))
    work = work_of_run(run, {name: value for name, value in view.items() if value}, decisions)
    saved_fingerprints, fingerprint = batch_state().saved_fingerprints, _work_fingerprint(run, decisions)
    file_name = f"spice-{run.name}-{run.settings.lang}-work.jsonl.gz"
    saved_work.show_save_button([work], file_name, on_save=lambda: saved_fingerprints.__setitem__(slice(None), [fingerprint]))


def work_of_run(run: ScoringRun, view: dict[str, str], decisions: Decisions) -> ScoredWork:
    """Return the work file's content for a run. Unknown fields of the opened file are copied."""
    caption_data = batch_state().opened_work
    opened_work = (
        caption_data.saved_work if caption_data and caption_data.saved_work and caption_data.digest == run.digest else ScoredWork(())
    )
    causes = {image: dict(by_tuple) for image, by_tuple in decisions.tuples.items()}
    image_ids = {row.image_id for row in run.rows}
    files = {item.image_id: file_name(item.image_file) for item in run.items if item.image_file and item.image_id in image_ids}
    suggested_by = str(engine.cached_metric(run.settings).signature) if run.suggested_causes else ""
    fields = (opened_work.unknown_fields, opened_work.unknown_head_fields, files, dict(run.suggested_causes), suggested_by)
    return ScoredWork(
        tuple(run.rows), run.name, run.settings.as_dict(), view, dict(decisions.captions), causes, tuple(decisions.tags), *fields
    )


def warn_if_unsaved(run: ScoringRun, decisions: Decisions) -> None:
    """Make the browser ask for confirmation before the visitor leaves unsaved work."""
    is_worth_saving = not datasets.is_sample(run.digest) or bool(decisions)
    is_unsaved = is_worth_saving and batch_state().saved_fingerprints != [_work_fingerprint(run, decisions)]
    component.warn_before_leaving(is_unsaved=is_unsaved, save="batch.save.work", key="batch.leave")


def _work_fingerprint(run: ScoringRun, decisions: Decisions) -> tuple[object, ...]:
    return run.digest, run.settings, len(run.rows), decisions.revision


def _restore_search(work: ScoredWork, run: ScoringRun) -> CauseSearch | None:
    """Return the search for causes with the suggestions in a file.

    Return None if the file has no suggestions, or if other settings or another version made them. In the second case, add a message.
    """
    if not work.suggested_causes:
        return None
    if work.suggested_by != str(engine.cached_metric(run.settings).signature):
        batch_state().opening_messages.append(t("batch.work_suggested"))
        return None
    rows = run.rows[:MAX_SEARCHED_ROWS]
    names = {*map(str, Cause), UNCLEAR_CAUSE}
    stored_causes = {row.image_id: work.suggested_causes[row.image_id] for row in rows if row.image_id in work.suggested_causes}
    valid_causes = {image: {tuple_: cause for tuple_, cause in causes.items() if cause in names} for image, causes in stored_causes.items()}
    return CauseSearch(rows, run.settings, valid_causes, run.trees)


def store_work(run: ScoringRun | None, decisions: Decisions | None) -> None:
    """Store the decisions in the tab, with the rows if the files are the visitor's."""
    state, tab = batch_state(), batch_state().tab
    has_rows = bool(run and run.rows and not run.is_working and not datasets.is_sample(run.digest))
    rows_key = (len(run.rows), len(run.suggested_causes), run.settings) if run and has_rows else None
    if run and state.restored_digest:
        if state.restored_digest == run.digest:  # the rows came from the tab
            tab.mark_stored(run.digest, rows_key)
        state.restored_digest = ""
    content = ScoredWork((), "", {}, {}, decisions.captions, decisions.tuples, tuple(decisions.tags)).decisions if decisions else None
    make_works = lambda: [work_of_run(run, {}, Decisions())] if run else []
    shown = {"row": st.session_state.get("batch.row")}
    tab.store(shown, content, run.digest if run else "", rows_key, make_works, on_content=restore_work)


def restore_work(content: object) -> None:
    """Restore the work stored in a browser tab. Ignore invalid data, because a browser may send anything."""
    if not isinstance(content, dict) or st.session_state.get("batch.data"):
        return
    shown_view, decisions = (as_dict(content.get(name)) for name in ("shown", "decisions"))
    for sample_set in datasets.SAMPLE_BY_LANGUAGE.values():
        digest = datasets.read_sample(sample_set).digest
        sample_decisions = decisions.get(digest[:DIGEST_CHARS])
        if sample_decisions and (sample_work := _read_decisions(sample_decisions, stored_rows(sample_set, sample_set.systems[0]).values())):
            batch_state().decisions[digest] = decisions_of_work(sample_work)
    for widget in [name for name in st.session_state if str(name).startswith("batch.note.")]:
        del st.session_state[widget]  # otherwise the field would show the previous note
    caption_data = _read_rows(content.get("rows"))
    if not caption_data or not caption_data.saved_work:
        return
    is_shown = shown_view.get("digest") == caption_data.digest[:DIGEST_CHARS]
    view = {name: value for name, value in st.query_params.items() if is_shown and name in {filter_.param for filter_ in filters.FILTERS}}
    saved_decisions = _read_decisions(decisions.get(caption_data.digest[:DIGEST_CHARS]), caption_data.saved_work.rows) or ScoredWork(())
    fields: dict[str, Any] = {name: getattr(saved_decisions, name) for name in ("caption_causes", "causes", "tags")}
    work = replace(caption_data.saved_work, view=view | row_view(shown_view.get("row")), **fields)
    st.session_state["batch.data"], batch_state().restored_digest = replace(caption_data, saved_work=work), caption_data.digest
    if is_shown:
        st.session_state["batch.source"] = "files"


def _read_decisions(content: object, rows: Iterable[ScoredItem]) -> ScoredWork | None:
    """Return the stored decisions on these rows, or None if they are invalid."""
    try:
        return read_decisions(content, rows)
    except InputError:
        return None


def _read_rows(content: object) -> reading.CaptionData | None:
    """Return the stored rows as a data set, or None if they are invalid."""
    if not (stored := unpack_rows(content)):
        return None
    data = datasets.read_data(stored[1])
    return replace(data, digest=stored[0]) if data.saved_work else None
