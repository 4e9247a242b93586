"""Uploaded data sets and the bundled sample: checked row by row, kept in the session only."""

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
from pages.parts.kit.texts import language_names, t
from pages.parts.uploads import columns, samples
from pages.parts.uploads.columns import USUAL, Chosen, References
from spice_core.data.items import Caption, Item
from spice_core.data.problems import Problem, Problems, describe_problem
from spice_core.data.reader import Upload, read_rows, stem
from spice_core.data.sources import Source
from spice_core.data.work_file import Work, read_work
from spice_core.errors import InputError, Message
from spice_core.lang import detect_language

SAMPLES = Path(__file__).parents[3] / "assets" / "samples"
SAMPLE = SAMPLES / "capeval1k.jsonl"
SYSTEMS = ("A", "B", "C", "D")
_MAX_FIELD_CHARS = 100  # of the name of a field
MOST = 10_000  # images accepted by the page; the command line has no limit
TYPES = ["json", "jsonl", "jsonlines", "ndjson", "csv", "tsv", "txt", "token", "xlsx", "gz", "zst"]
MAX_CAPTIONS = 300_000  # of a file, about 100 MB in a session; a tuple or 100 characters count as one
_ROWS_PER_CHECK, _REST_S = 500, 0.05  # rows between two checks that the visitor is still there, and a rest for others in very long files
KEPT, COUNTED = 1_000, 100_000  # problems: of more than these they are only counted, of more than those the file is left


@dataclass(frozen=True)
class Data:
    """The good rows of a file, and what is wrong with the others: file, row, field, found and expected.

    Of many problems the first are in ``problems``, ``bad`` is the number of all, ``groups`` holds equal ones together. Where a
    file cannot be used as it is, ``remedy`` names what would help (see InputError), the file and what was found. ``encodings``
    names by file those that are not UTF-8, ``notices`` say how files were understood. ``work`` is what a file holds that is scored already.
    """

    name: str
    items: tuple[Item, ...]
    problems: tuple[tuple[str, ...], ...] = ()
    too_many: bool = False
    digest: str = ""
    bad: int = 0
    remedy: tuple[str, str, str] | None = None
    work: Work | None = None
    groups: tuple[Problem, ...] = ()
    encodings: tuple[tuple[str, str], ...] = ()
    notices: tuple[Message, ...] = ()

    @cached_property
    def language(self) -> str:
        """The language of most of the first captions, by their script."""
        return detect_language(text for item in self.items[:50] for text in item.captions)


@cache
def sample(system: str = SYSTEMS[0], *, shared: bool = False) -> Data:
    """The captions of a system for images of COCO, each with five references (CapEval1k); ``shared`` by all systems, or all."""
    wanted = SYSTEMS if shared else (system,)
    read: list[Any] = [row for _, row in read_rows(SAMPLE)]
    rows = [row for row in read if all(name in row["captions"] for name in wanted)]
    items = tuple(Item(row["image_id"], row["captions"][system], tuple(row["refs"])) for row in rows)
    return Data(f"capeval1k-{system}", items, digest=f"sample {system} {shared}")


def scored_sample(system: str = SYSTEMS[0]) -> Path:
    """The file with the captions of a system of the sample as the usual settings score them; ``tools/score_sample.py`` writes it."""
    return SAMPLES / f"capeval1k-{system}-scored.jsonl.gz"


def read(file: Upload, references: References = None, chosen: Chosen = USUAL, by: str = "") -> Data:
    """All rows of a file, good or bad, by the columns that were chosen, in groups ``by`` a field; bad contents never raise."""
    beside = (references,) if isinstance(references, Upload) else references or ()
    contents = [each.content for each in beside] or [b""]
    parts = [file.name.encode(), file.content, *contents, repr(chosen).encode() if chosen != USUAL else b""]
    digest = sha256(b"\0".join([*parts, by.encode()] if by else parts)).hexdigest()
    if not references and (data := _read_scored(file, digest)):
        return data
    if not chosen.complete:
        return Data(stem(file), (), digest=digest, bad=1, remedy=("choose", file.name, ""))
    source = Source(file, references, chosen.columns, reference_columns=chosen.reference_columns, by=by)
    items: list[Item] = []
    problems: list[Problem] = []
    groups = Problems()
    bad, too_many, remedy, held = 0, False, None, 0
    for number, found in enumerate(_all(source)):
        if number % _ROWS_PER_CHECK == 0:
            visit.stop_if_closed()
            if number > MOST:  # others come first
                time.sleep(_REST_S)
        if isinstance(found, Item):
            held += sum(map(_weight, (found.candidate, *found.references)))
            if too_many := len(items) == MOST or held > MAX_CAPTIONS:
                break
            items.append(found)
            continue
        bad += 1
        each = groups.add(found, file.name)
        if bad <= KEPT:
            problems.append(each)
        if found.remedy:
            remedy = (found.remedy, getattr(found, "file", found.where), each.found)
        if bad == COUNTED:
            break
    encodings = tuple(source.encodings.items())
    told: dict[str, Any] = {"groups": tuple(groups), "encodings": encodings, "notices": tuple(source.notices)}
    return Data(stem(file), tuple(items), problem_rows(problems), too_many, digest, bad, remedy, **told)


def _weight(caption: Caption) -> int:
    """Memory that a caption takes, in captions of usual length."""
    return 1 + (len(caption) // 100 if isinstance(caption, str) else len(caption.propositions))


def problem_rows(problems: Iterable[Problem]) -> tuple[tuple[str, ...], ...]:
    """Problems as rows of a table."""
    return tuple((each.file, each.places, each.field, each.found, each.expected) for each in problems)


def _read_scored(file: Upload, digest: str) -> Data | None:
    """A file of scored rows; None for any other."""
    work, error = read_work(file, most=MOST)
    problems = (describe_problem(error, file.name),) if error else ()
    if not work and not error:
        return None
    files = work.files if work else {}
    items = (
        tuple(Item(row.image_id, row.candidate, row.references, image_file=files.get(row.image_id, "")) for row in work.rows)
        if work
        else ()
    )
    name = work.name if work and work.name else stem(file)
    return Data(name, items, problem_rows(problems), digest=digest, bad=len(problems), work=work, groups=problems)


def _all(source: Source) -> Iterator[Item | InputError]:
    """Items and problems; where a file cannot be read on, that is the last problem."""
    try:
        yield from source
    except InputError as error:
        yield error


def choose(*, key: str) -> Data | None:
    """The choice between sample and files; returns the data, or None while there is no file."""
    if from_sample(t("batch.sample"), t("batch.sample_note", number=len(sample().items)), key=key):
        return sample()
    left, right = st.columns(2, gap="medium")
    file = left.file_uploader(t("batch.upload"), type=TYPES, key=f"{key}.file", help=t("batch.upload_help"))
    references = right.file_uploader(
        t("batch.references"), type=TYPES, accept_multiple_files=True, key=f"{key}.references", help=t("batch.references_help")
    )
    samples.menu(key=key)
    slot = f"{key}.data"
    if file:
        (chosen,) = columns.choose([file], references, key=key)
        by = right.text_input(
            t("batch.grouping"),
            key=f"{key}.grouping",
            help=t("batch.grouping_help"),
            placeholder=t("batch.grouping_hint"),
            max_chars=_MAX_FIELD_CHARS,
        )
        mark = (file.file_id, [each.file_id for each in references], chosen, by)
        if st.session_state.get(f"{key}.read") != mark:
            st.session_state[slot] = read(columns.upload(file), columns.upload_references(references), chosen, by.strip())
            st.session_state[f"{key}.read"] = mark
    return st.session_state.get(slot)


def from_sample(name: str, note: str, *, key: str) -> bool:
    """The choice between the sample, labelled ``name`` with a note, and files; returns True for the sample."""
    names = {"sample": name, "files": t("batch.files")}
    options = {"label_visibility": "collapsed", "width": "content", "persist_state": "session"}
    chosen = choice.one_of(t("batch.source"), names, key=f"{key}.source", **options)
    if chosen == "sample":
        st.html(f'<p class="sc-note">{note}</p>')
    return chosen == "sample"


def language(data: Data, *, key: str) -> str:
    """The choice of the captions' language; the default follows their script."""
    names = language_names()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"{key}.languages"):
        st.html(f'<p class="sc-label">{t("language.title")}</p>', width="content")
        options = {"label_visibility": "collapsed", "width": "content", "persist_state": "session"}
        widget = f"{key}.lang.{data.digest[:12]}"
        return choice.one_of(t("language.title"), names, key=widget, default=data.language, **options)
