"""The systems to compare: files of results, files of captions to score, or the bundled sample."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import chain, zip_longest
from typing import Any

import streamlit as st

from pages.parts.jobs import runs
from pages.parts.jobs.runs import ScoringRun, stored_rows
from pages.parts.jobs.tasks import current_task
from pages.parts.kit import choice
from pages.parts.kit.bounded import call_bounded
from pages.parts.kit.texts import t
from pages.parts.state import settings
from pages.parts.state.settings import default_config
from pages.parts.systems import filters
from pages.parts.systems.state import System, systems_state
from pages.parts.uploads import columns, datasets, reading, samples
from pages.parts.uploads.reading import DEFAULT_COLUMNS, CaptionData, ChosenColumns, UploadedReferences
from pages.parts.views import saved_work
from pages.parts.views.filters import filter_params, restore_filters
from spice_core import SpiceConfig
from spice_core.data.reader import Upload, stem_of
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import ScoredWork
from spice_core.errors import InputError
from spice_core.evaluation.differences import SystemSide
from spice_core.evaluation.systems import SystemComparison, make_system
from spice_core.evaluation.systems import compare_systems as compare
from spice_core.lang import LANGUAGES

RowsByImage = Mapping[int | str, ScoredItem]
RUN_KEY = "systems.run"


def sample_entries() -> list[System]:
    """Return one entry per system of the bundled sample in the interface language, for the same images."""
    return [
        System(t("systems.named", name=name), datasets.read_bundled_sample(name, only_shared_images=True))
        for name in datasets.bundled_sample().systems
    ]


def scored_sample(entries: Sequence[System]) -> ScoringRun | None:
    """Return the sample's stored run with default settings, or None for other entries."""
    data = items_to_score(entries)
    if data.digest != items_to_score(sample_entries()).digest:
        return None
    names, sample = [entry.name for entry in entries], datasets.bundled_sample()
    rows = [
        stored_rows(sample, sample.systems[names.index(name)])[item.image_id] for name, item in zip(systems_of_items(entries), data.items)
    ]
    return ScoringRun(data.items, default_config(sample.lang), data.name, data.digest, rows=rows)


def read_entries(
    files: Sequence[Upload], references: UploadedReferences = None, chosen_columns: Sequence[ChosenColumns] = ()
) -> list[System]:
    """Read the systems of the files, with the chosen columns.

    Entries are named after saved systems or files, with suffixes that make equal names different.
    """
    entries: list[System] = []
    for file, columns_ in zip(files, [*chosen_columns, *[DEFAULT_COLUMNS] * len(files)]):
        for entry in _read_file(file, references, columns_):
            name, names = entry.name, [other.name for other in entries]
            while name in names:
                name = f"{entry.name} ({names.count(name) + 1})" if name == entry.name else f"{name}'"
            entries.append(replace(entry, name=name))
    return entries


def open_entries(entries: list[System]) -> ScoringRun | None:
    """Show these entries. If all were saved with captions and equal settings, return their run."""
    state, works = systems_state(), [entry.caption_data.saved_work for entry in entries]
    state.entries, state.opening_messages = entries, []
    first_work = works[0] if works else None
    if not first_work or not all(w and w.settings and w.settings == first_work.settings for w in works):
        return None
    if not all(row.references for entry in entries for row in entry.rows):
        return None
    config, messages = saved_work.settings_of_work(first_work)
    state.entries = [replace(entry, rows=()) for entry in entries]
    data = items_to_score(state.entries)
    state.opening_messages = [t("batch.work_opened", number=len(data.items)), *messages]
    config = settings.restore_settings(config)
    st.session_state[f"systems.lang.{data.digest[:12]}"] = config.lang
    rows = [row for round_ in zip_longest(*(entry.rows for entry in entries)) for row in round_ if row]
    return ScoringRun(data.items, config, data.name, data.digest, rows=rows)


def restore_view(view: Mapping[str, str], entries: Sequence[System]) -> None:
    """Restore the filters, the compared systems and the image of a saved run."""
    restore_filters(filters.FILTERS, view)
    for name in ("baseline", "other"):
        st.session_state[f"systems.{name}"] = view.get(name, "")
    work = next((entry.caption_data.saved_work for entry in entries), None)
    st.session_state["systems.image"] = saved_work.selected_image(view, work) if work else None


def saved_works(rows_by_system: Mapping[str, RowsByImage], entries: Sequence[System], run: ScoringRun | None) -> list[ScoredWork]:
    """Return the content of a run's file, including the unknown fields of the opened files."""
    works = []
    for entry in entries:
        work = entry.caption_data.saved_work or ScoredWork(())
        config = work.settings if entry.rows or not run else run.settings.as_dict()
        if rows := rows_by_system.get(entry.name):
            works.append(replace(work, rows=tuple(rows.values()), name=entry.name, settings=config, view={}))
    return works


def saved_view(answers: filters.SystemAnswers) -> dict[str, str]:
    """Return the filters, the compared systems and the image."""
    view = filter_params(filters.FILTERS, answers.images) | {
        "baseline": answers.names[SystemSide.BASE],
        "other": answers.names[SystemSide.OTHER],
    }
    return {name: value for name, value in view.items() if value} | saved_work.row_view(st.session_state.get("systems.image"))


def restore_run(content: object) -> None:
    """Restore the run stored in a browser tab. Ignore invalid data, because a browser may send anything."""
    stored = saved_work.unpack_rows(content.get("rows")) if isinstance(content, dict) else None
    if systems_state().entries or not stored or not isinstance(content, dict):
        return
    shown, entries = saved_work.as_dict(content.get("shown")), read_entries([stored[1]])
    if not all(entry.rows for entry in entries):
        return
    st.session_state[RUN_KEY] = open_entries(entries)
    if shown.get("digest") == stored[0][: saved_work.DIGEST_CHARS]:
        view = {name: value for name, value in saved_work.as_dict(shown.get("view")).items() if isinstance(value, str)}
        restore_view(view, entries)
        st.session_state["systems.source"] = "files"


def store_run(
    rows_by_system: Mapping[str, RowsByImage], entries: Sequence[System], run: ScoringRun | None, view: Mapping[str, str]
) -> None:
    """Store a run on the visitor's files in the tab, or for other data only the view."""
    digest, is_sample = items_to_score(entries).digest, any(datasets.is_sample(entry.caption_data.digest) for entry in entries)
    digest = digest if is_sample or not digest else sha256(digest.encode()).hexdigest()
    rows_key = [(name, len(rows)) for name, rows in rows_by_system.items()] if not is_sample else []
    full_key, make_works = rows_key and (rows_key, run and run.settings), lambda: saved_works(rows_by_system, entries, run)
    systems_state().tab.store({"view": view}, None, digest, full_key, make_works, on_content=restore_run)


def choose_entries() -> list[System]:
    """Show the choice between the sample and files. Return the entries."""
    note = t("systems.sample_note", number=len(sample_entries()[0].caption_data.items))
    if datasets.choose_sample(t("systems.sample"), note, key="systems"):
        return sample_entries()
    state = systems_state()
    entries, state.read_entries = state.read_entries, []
    if entries and (run := open_entries(entries)):  # files that the last run of the page has read
        st.session_state[RUN_KEY] = run
        if view := next((work.view for entry in entries if (work := entry.caption_data.saved_work)), None):
            restore_view(view, entries)
    digest = items_to_score(state.entries).digest
    is_done = bool(state.entries) and (runs.is_scored(RUN_KEY, digest) or all(entry.rows for entry in state.entries))
    with choice.upload_block(", ".join(entry.name for entry in state.entries), digest if is_done else "", key="systems"):
        _choose_files()
    return state.entries


def _choose_files() -> None:
    """Show the uploads. Read new files."""
    left, right = st.columns(2, gap="medium")
    options: dict[str, Any] = {"type": datasets.DATA_FILE_SUFFIXES, "accept_multiple_files": True}
    files = left.file_uploader(t("systems.upload"), key="systems.files", help=t("systems.upload_help"), **options)
    references = right.file_uploader(t("systems.references"), key="systems.references", help=t("batch.references_help"), **options)
    samples.show_menu(key="systems")
    state, chosen_columns = systems_state(), columns.choose_columns(files, references, key="systems") if files else []
    upload_key = (tuple(file.file_id for file in [*files, *references]), chosen_columns)
    if files and state.upload_key != upload_key:
        state.read_entries = read_entries([*map(columns.to_upload, files)], columns.upload_references(references), chosen_columns)
        state.upload_key = upload_key
        st.rerun()


def restore_entries() -> None:
    """Show a run's files again after a reload."""
    run, state = current_task(RUN_KEY, ScoringRun), systems_state()
    if run and not state.entries and "entries" in run.cache:
        state.entries = run.cache["entries"]
        st.session_state.setdefault("systems.source", "files")


def items_to_score(entries: Sequence[System]) -> CaptionData:
    """Return the items to score, alternating between systems so that a stopped run covers similar images for each."""
    item_rounds = zip_longest(*(entry.caption_data.items for entry in entries if not entry.rows))
    items = tuple(item for item in chain.from_iterable(item_rounds) if item)
    return CaptionData("systems", items, digest=" ".join(entry.caption_data.digest for entry in entries))


def systems_of_items(entries: Sequence[System]) -> list[str]:
    """Return the name of the system of each item of ``items_to_score``."""
    name_rounds = zip_longest(*([entry.name] * len(entry.caption_data.items) for entry in entries if not entry.rows))
    return [name for name in chain.from_iterable(name_rounds) if name]


def scored_rows_by_system(entries: Sequence[System], run: ScoringRun | None) -> dict[str, RowsByImage]:
    """Return the scored rows by system, without systems that have none."""
    by_system: dict[str, dict[int | str, ScoredItem]] = {entry.name: {row.image_id: row for row in entry.rows} for entry in entries}
    if run and run.digest == items_to_score(entries).digest:
        for name, row in zip(systems_of_items(entries), run.rows):
            by_system[name][row.image_id] = row
    return {name: rows for name, rows in by_system.items() if rows}


def common_rows(rows_by_system: Mapping[str, RowsByImage]) -> dict[str, list[ScoredItem]]:
    """Return each system's rows for the images common to all systems, in the same order."""
    first_rows, *other_rows = rows_by_system.values()
    images = [image for image in first_rows if all(image in rows for rows in other_rows)]
    return {name: [rows[image] for image in images] for name, rows in rows_by_system.items()}


def compare_systems(rows_by_system: Mapping[str, RowsByImage], baseline: str, *, rows_key: object) -> SystemComparison:
    """Return the comparison, cached by rows and baseline. Raises InputError if no image is common to all systems."""
    cache_key = (rows_key, baseline, {name: len(rows) for name, rows in rows_by_system.items()})
    systems = lambda: [make_system(name, rows.values()) for name, rows in rows_by_system.items()]
    return systems_state().cached("comparison", cache_key, lambda: compare(systems(), baseline))


def settings_of(rows_by_system: Mapping[str, RowsByImage], run: ScoringRun | None) -> SpiceConfig:
    """Return the settings of the run or, without a run, the default settings of the language in the first signature."""
    signature = next((row.signature for rows in rows_by_system.values() for row in rows.values()), "")
    lang = match[1] if (match := re.search(r"\|lang:(\w+)", signature)) else ""
    return run.settings if run else default_config(lang if lang in LANGUAGES else next(iter(LANGUAGES)))


def _read_file(file: Upload, references: UploadedReferences, chosen_columns: ChosenColumns) -> list[System]:
    try:
        entries = [System(data.name, data, rows) for data, rows in call_bounded(reading.read_systems, file, references, chosen_columns)]
        for entry in entries:
            if entry.rows:
                make_system(entry.name, entry.rows, where=str(file))
    except InputError as error:
        return [System(stem_of(file), reading.rejected_data(file.name, error, digest=stem_of(file)))]
    return entries
