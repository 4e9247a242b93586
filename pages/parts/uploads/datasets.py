"""Uploaded data sets and the bundled samples. Uploads are checked row by row and stored only in the session."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.kit import choice, visit
from pages.parts.kit.texts import interface_language, language_names, t
from pages.parts.uploads import columns, samples
from pages.parts.uploads.columns import DEFAULT_COLUMNS, ChosenColumns, UploadedReferences
from spice_core.data.items import Caption, Item
from spice_core.data.problems import Problem, Problems, describe_problem
from spice_core.data.reader import Upload, read_rows, stem_of
from spice_core.data.sources import Source
from spice_core.data.work_file import ScoredWork, read_work
from spice_core.errors import InputError, Message
from spice_core.lang import detect_language

SAMPLES_FOLDER = Path(__file__).parents[3] / "assets" / "samples"
_SAMPLE_DIGEST_PREFIX = "sample-"  # prefix of digests of bundled captions; digests of files are hexadecimal
_MAX_FIELD_CHARS = 100  # maximum number of characters of the grouping field
MAX_IMAGES = 10_000  # maximum number of images of a data set; the command line has no limit
# Parquet and Arrow files are accepted so that the page can say what to upload instead.
DATA_FILE_SUFFIXES = [
    "json",
    "jsonl",
    "jsonlines",
    "ndjson",
    "csv",
    "tsv",
    "txt",
    "token",
    "xlsx",
    "gz",
    "zst",
    "parquet",
    "arrow",
    "feather",
]
MAX_CAPTIONS = 300_000  # maximum per file (about 100 MB); 100 characters or one given proposition count as another caption
_ROWS_PER_CHECK, _PAUSE_S = (
    500,
    0.05,
)  # rows between two checks of the connection, and the pause in large files after each check, which lets other visitors go first
MAX_LISTED_PROBLEMS, MAX_COUNTED_PROBLEMS = (
    1_000,
    100_000,
)  # problems beyond the first number are only counted; reading stops at the second number


@dataclass(frozen=True)
class BundledSample:
    """Bundled captions by several systems for the same images, in one language."""

    lang: str
    name: str
    systems: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file with one line per image: its references, and the captions of the systems."""
        return SAMPLES_FOLDER / f"{self.name}.jsonl"

    def scored_path(self, system: str) -> Path:
        """Return the path of a system's captions, which ``tools/score_sample.py`` scored with the default settings."""
        return SAMPLES_FOLDER / f"{self.name}-{system}-scored.jsonl.gz"


ENGLISH_SAMPLE, JAPANESE_SAMPLE = BundledSample("en", "capeval1k", ("A", "B", "C", "D")), BundledSample("ja", "scenes_ja", ("A", "B"))
SAMPLE_BY_LANGUAGE = {sample.lang: sample for sample in (ENGLISH_SAMPLE, JAPANESE_SAMPLE)}


def bundled_sample() -> BundledSample:
    """Return the sample in the interface language, or else the English sample."""
    return SAMPLE_BY_LANGUAGE.get(interface_language(), ENGLISH_SAMPLE)


@dataclass(frozen=True)
class CaptionData:
    """The valid rows of a file, and the problems of its invalid rows.

    Attributes:
        problems: The first problems, each with file, row, field, value found and value expected.
        exceeds_limit: Whether the file exceeds a limit of the page, so that later rows are ignored.
        problem_count: The total number of problems.
        groups: The problems, with similar problems of several rows combined into one.
        remedy: For an invalid file, the name of a remedy (see InputError), the file, and the value found.
        encodings: The encodings other than UTF-8, by file.
        notices: Messages about how the files were interpreted.
        saved_work: The content of a file of scored rows.
    """

    name: str
    items: tuple[Item, ...]
    problems: tuple[tuple[str, ...], ...] = ()
    exceeds_limit: bool = False
    digest: str = ""
    problem_count: int = 0
    remedy: tuple[str, str, str] | None = None
    saved_work: ScoredWork | None = None
    groups: tuple[Problem, ...] = ()
    encodings: tuple[tuple[str, str], ...] = ()
    notices: tuple[Message, ...] = ()

    @cached_property
    def language(self) -> str:
        """The language in whose script most of the first captions are written."""
        return detect_language(text for item in self.items[:50] for text in item.captions)


def read_bundled_sample(system: str = "", *, only_shared_images: bool = False) -> CaptionData:
    """Return a system's captions (by default the first system's) with the references, from the sample in the interface language.

    With ``only_shared_images``, return only images that all systems captioned.
    """
    return read_sample(bundled_sample(), system, only_shared_images=only_shared_images)


@cache
def read_sample(sample: BundledSample, system: str = "", *, only_shared_images: bool = False) -> CaptionData:
    """Return a system's captions in a sample, with the options of ``read_bundled_sample``."""
    system = system or sample.systems[0]
    sample_rows: list[Any] = [row for _, row in read_rows(sample.path)]
    rows = [row for row in sample_rows if all(name in row["captions"] for name in (sample.systems if only_shared_images else (system,)))]
    items = tuple(Item(row["image_id"], row["captions"][system], tuple(row["refs"])) for row in rows)
    return CaptionData(f"{sample.name}-{system}", items, digest=f"{_SAMPLE_DIGEST_PREFIX}{sample.lang}-{system}-{only_shared_images}")


def is_sample(digest: str) -> bool:
    """Return whether a digest belongs to bundled captions."""
    return digest.startswith(_SAMPLE_DIGEST_PREFIX)


def read_data(
    file: Upload, references: UploadedReferences = None, chosen_columns: ChosenColumns = DEFAULT_COLUMNS, group_field: str = ""
) -> CaptionData:
    """Read the chosen columns of a file, with ``group_field`` as the group of a row. Invalid rows become problems, not exceptions."""
    reference_files = (references,) if isinstance(references, Upload) else references or ()
    contents = [reference_file.content for reference_file in reference_files] or [b""]
    parts = [file.name.encode(), file.content, *contents, repr(chosen_columns).encode() if chosen_columns != DEFAULT_COLUMNS else b""]
    digest = sha256(b"\0".join([*parts, group_field.encode()] if group_field else parts)).hexdigest()
    if not references and (data := _read_scored_rows(file, digest)):
        return data
    if not chosen_columns.is_complete:
        return CaptionData(stem_of(file), (), digest=digest, problem_count=1, remedy=("choose", file.name, ""))
    source = Source(file, references, chosen_columns.columns, reference_columns=chosen_columns.reference_columns, by=group_field)
    reading = _DataReading(file.name)
    for row_number, row in enumerate(_items_and_errors(source)):
        if row_number % _ROWS_PER_CHECK == 0:
            visit.stop_if_closed()
            if row_number > MAX_IMAGES:  # let other visitors go first
                time.sleep(_PAUSE_S)
        if not (reading.add_item(row) if isinstance(row, Item) else reading.add_problem(row)):
            break
    encodings = tuple(source.encodings.items())
    notes: dict[str, Any] = {"groups": tuple(reading.groups), "encodings": encodings, "notices": tuple(source.notices)}
    return CaptionData(
        stem_of(file),
        tuple(reading.items),
        problem_rows(reading.problems),
        reading.exceeds_limit,
        digest,
        reading.problem_count,
        reading.remedy,
        **notes,
    )


class _DataReading:
    """The items and problems of a file, within the limits of the page."""

    def __init__(self, file: str):
        self.items: list[Item] = []
        self.problems: list[Problem] = []
        self.groups = Problems()
        self.problem_count, self.exceeds_limit = 0, False
        self.remedy: tuple[str, str, str] | None = None
        self._file, self._weight = file, 0

    def add_item(self, item: Item) -> bool:
        """Add an item unless it exceeds a limit. Return whether the item was added."""
        self._weight += sum(map(_caption_weight, (item.candidate, *item.references)))
        self.exceeds_limit = len(self.items) == MAX_IMAGES or self._weight > MAX_CAPTIONS
        if not self.exceeds_limit:
            self.items.append(item)
        return not self.exceeds_limit

    def add_problem(self, error: InputError) -> bool:
        """Count a problem, and list it if it is among the first ``MAX_LISTED_PROBLEMS``. Return whether more problems will be counted."""
        self.problem_count += 1
        problem = self.groups.add(error, self._file)
        if self.problem_count <= MAX_LISTED_PROBLEMS:
            self.problems.append(problem)
        if error.remedy:
            self.remedy = (error.remedy, getattr(error, "file", error.where), problem.found)
        return self.problem_count < MAX_COUNTED_PROBLEMS


def _caption_weight(caption: Caption) -> int:
    """Return the approximate memory use of a caption, where 1 stands for a short caption."""
    return 1 + (len(caption) // 100 if isinstance(caption, str) else len(caption.propositions))


def problem_rows(problems: Iterable[Problem]) -> tuple[tuple[str, ...], ...]:
    """Return problems as rows of a table."""
    return tuple((problem.file, problem.places, problem.field, problem.found, problem.expected) for problem in problems)


def _read_scored_rows(file: Upload, digest: str) -> CaptionData | None:
    """Return the rows of a file of scored rows before its first error, and the error as a problem. Return None for any other file."""
    work, error = read_work(file, max_rows=MAX_IMAGES)
    problems = (describe_problem(error, file.name),) if error else ()
    if not work and not error:
        return None
    files = work.image_files if work else {}
    items = (
        tuple(Item(row.image_id, row.candidate, row.references, image_file=files.get(row.image_id, "")) for row in work.rows)
        if work
        else ()
    )
    name = work.name if work and work.name else stem_of(file)
    return CaptionData(name, items, problem_rows(problems), digest=digest, problem_count=len(problems), saved_work=work, groups=problems)


def _items_and_errors(source: Source) -> Iterator[Item | InputError]:
    """Yield the items and errors of a file, and stop after an error that prevents further reading."""
    try:
        yield from source
    except InputError as error:
        yield error


def choose_data(*, key: str) -> CaptionData | None:
    """Show the choice between the sample and files. Return the data, or None until there is a file."""
    if choose_sample(t("batch.sample"), t("batch.sample_note", number=len(read_bundled_sample().items)), key=key):
        return read_bundled_sample()
    left, right = st.columns(2, gap="medium")
    file = left.file_uploader(t("batch.upload"), type=DATA_FILE_SUFFIXES, key=f"{key}.file", help=t("batch.upload_help"))
    references = right.file_uploader(
        t("batch.references"), type=DATA_FILE_SUFFIXES, accept_multiple_files=True, key=f"{key}.references", help=t("batch.references_help")
    )
    samples.show_menu(privacy_note="batch.private_in_tab", key=key)
    slot = f"{key}.data"
    if file:
        (chosen_columns,) = columns.choose_columns([file], references, key=key)
        group_field = right.text_input(
            t("batch.grouping"),
            key=f"{key}.grouping",
            help=t("batch.grouping_help"),
            placeholder=t("batch.grouping_hint"),
            max_chars=_MAX_FIELD_CHARS,
        )
        mark = (file.file_id, [reference_file.file_id for reference_file in references], chosen_columns, group_field)
        if st.session_state.get(f"{key}.read") != mark:
            st.session_state[slot] = read_data(
                columns.to_upload(file), columns.upload_references(references), chosen_columns, group_field.strip()
            )
            st.session_state[f"{key}.read"] = mark
    return st.session_state.get(slot)


def choose_sample(name: str, note: str, *, key: str) -> bool:
    """Show the choice between files and the sample, labelled ``name``. For the sample, show its note and return True."""
    names = {"sample": name, "files": t("batch.files")}
    options = {"label_visibility": "collapsed", "width": "content", "persist_state": "session"}
    chosen_name = choice.segmented_control(t("batch.source"), names, key=f"{key}.source", **options)
    if chosen_name == "sample":
        st.html(f'<p class="sc-note">{note}</p>')
    return chosen_name == "sample"


def choose_language(caption_data: CaptionData, *, key: str) -> str:
    """Show the choice of the caption language, and return the language. The default is detected from the script."""
    names = language_names()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"{key}.languages"):
        st.html(f'<p class="sc-label">{t("language.title")}</p>', width="content")
        options = {"label_visibility": "collapsed", "width": "content", "persist_state": "session"}
        widget = f"{key}.lang.{caption_data.digest[:12]}"
        return choice.segmented_control(t("language.title"), names, key=widget, default=caption_data.language, **options)
