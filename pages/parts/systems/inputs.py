"""The systems to compare: files of results, files of captions to score, or the bundled sample."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any

import streamlit as st

from pages.parts.jobs.runs import ScoringRun, stored_rows
from pages.parts.kit.bounded import call_bounded
from pages.parts.kit.texts import t
from pages.parts.state.settings import default_config
from pages.parts.systems.state import FileEntry, systems_state
from pages.parts.uploads import columns, datasets, reading, samples
from pages.parts.uploads.reading import DEFAULT_COLUMNS, CaptionData, ChosenColumns, UploadedReferences
from spice_core import SpiceConfig
from spice_core.data.reader import Upload, stem_of
from spice_core.data.results import ScoredItem
from spice_core.errors import InputError
from spice_core.evaluation.systems import SystemComparison, make_system
from spice_core.evaluation.systems import compare_systems as compare
from spice_core.lang import LANGUAGES

RowsByImage = Mapping[int | str, ScoredItem]


def sample_entries() -> list[FileEntry]:
    """Return one entry per system of the bundled sample in the interface language, with the captions of the same images."""
    return [
        FileEntry(t("systems.named", name=name), datasets.read_bundled_sample(name, only_shared_images=True))
        for name in datasets.bundled_sample().systems
    ]


def scored_sample(entries: Sequence[FileEntry]) -> ScoringRun | None:
    """Return the stored run of the sample with default settings, or None if the entries are not the sample."""
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
) -> list[FileEntry]:
    """Read one entry per file, with the chosen columns.

    Entries are named after their files, with suffixes that make equal names different.
    """
    entries: list[FileEntry] = []
    for file, columns_ in zip(files, [*chosen_columns, *[DEFAULT_COLUMNS] * len(files)]):
        base_name = name = stem_of(file)
        names = [entry.name for entry in entries]
        while name in names:
            name = f"{base_name} ({names.count(name) + 1})" if name == base_name else f"{name}'"
        entries.append(_read_entry(name, file, references, columns_))
    return entries


def choose_entries() -> list[FileEntry]:
    """Show the choice between the sample and files. Return the entries."""
    note = t("systems.sample_note", number=len(sample_entries()[0].caption_data.items))
    if datasets.choose_sample(t("systems.sample"), note, key="systems"):
        return sample_entries()
    left, right = st.columns(2, gap="medium")
    options: dict[str, Any] = {"type": datasets.DATA_FILE_SUFFIXES, "accept_multiple_files": True}
    files = left.file_uploader(t("systems.upload"), key="systems.files", help=t("systems.upload_help"), **options)
    references = right.file_uploader(t("systems.references"), key="systems.references", help=t("batch.references_help"), **options)
    samples.show_menu(key="systems")
    state, chosen_columns = systems_state(), columns.choose_columns(files, references, key="systems") if files else []
    upload_key = (tuple(file.file_id for file in [*files, *references]), chosen_columns)
    if files and state.upload_key != upload_key:
        state.entries = read_entries([*map(columns.to_upload, files)], columns.upload_references(references), chosen_columns)
        state.upload_key = upload_key
    return state.entries


def items_to_score(entries: Sequence[FileEntry]) -> CaptionData:
    """Return the items to score, alternating between the systems, so that a stopped run covers about the same images for each system."""
    item_rounds = zip_longest(*(entry.caption_data.items for entry in entries if not entry.rows))
    items = tuple(item for item in chain.from_iterable(item_rounds) if item)
    return CaptionData("systems", items, digest=" ".join(entry.caption_data.digest for entry in entries))


def systems_of_items(entries: Sequence[FileEntry]) -> list[str]:
    """Return the name of the system of each item of ``items_to_score``."""
    name_rounds = zip_longest(*([entry.name] * len(entry.caption_data.items) for entry in entries if not entry.rows))
    return [name for name in chain.from_iterable(name_rounds) if name]


def scored_rows_by_system(entries: Sequence[FileEntry], run: ScoringRun | None) -> dict[str, RowsByImage]:
    """Return the scored rows by system, without systems that have no scored rows."""
    by_system: dict[str, dict[int | str, ScoredItem]] = {entry.name: {row.image_id: row for row in entry.rows} for entry in entries}
    if run and run.digest == items_to_score(entries).digest:
        for name, row in zip(systems_of_items(entries), run.rows):
            by_system[name][row.image_id] = row
    return {name: rows for name, rows in by_system.items() if rows}


def common_rows(rows_by_system: Mapping[str, RowsByImage]) -> dict[str, list[ScoredItem]]:
    """Return each system's rows for the images that all systems have, in the same order."""
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


def rows_cache_key(run: ScoringRun | None, entries: Sequence[FileEntry]) -> tuple[object, ...]:
    """Return a cache key that changes with the settings of the run and with the files."""
    settings: SpiceConfig | None = run.settings if run else None
    return settings, tuple((entry.name, entry.caption_data.digest) for entry in entries)


def _read_entry(name: str, file: Upload, references: UploadedReferences, chosen_columns: ChosenColumns) -> FileEntry:
    try:
        caption_data, rows = call_bounded(reading.read_entry, file, references, chosen_columns)
        if rows:
            make_system(name, rows, where=str(file))
    except InputError as error:
        return FileEntry(name, replace(reading.refused_data(file.name, error, digest=name), name=name))
    return FileEntry(name, caption_data, rows)
