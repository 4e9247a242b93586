"""Uploaded data sets and the bundled sample: checked row by row, kept in the session only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.kit import choice, messages
from pages.parts.kit.html import scrolling
from pages.parts.kit.texts import language_names, problem, t
from spice_core.data.items import Item
from spice_core.data.reader import Upload, read_rows, stem
from spice_core.data.sources import Source
from spice_core.data.work_file import Work, read_work
from spice_core.errors import InputError, Message
from spice_core.lang import detect_language
from spice_core.report.tables import as_csv

SAMPLES = Path(__file__).parents[3] / "assets" / "samples"
SAMPLE = SAMPLES / "capeval1k.jsonl"
SYSTEMS = ("A", "B", "C", "D")
MOST = 10_000  # images accepted by the page; the command line has no limit
TYPES = ["json", "jsonl", "csv", "tsv", "gz"]
KEPT, _COUNTED = 1_000, 100_000  # problems: of more than these they are only counted, of more than those the file is left
_SHOWN = 100
_FIELDS = ("file", "row", "field", "found", "expected")


@dataclass(frozen=True)
class Data:
    """The good rows of a file, and what is wrong with the others: file, row, field, found and expected.

    Of many problems the first are in ``problems``, ``bad`` is the number of all. Where a file cannot be used as it is,
    ``remedy`` names what would help (see InputError), the file and what was found. ``work`` is what a file holds that is
    scored already.
    """

    name: str
    items: tuple[Item, ...]
    problems: tuple[tuple[str, ...], ...] = ()
    too_many: bool = False
    digest: str = ""
    bad: int = 0
    remedy: tuple[str, str, str] | None = None
    work: Work | None = None


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


def read(file: Upload, references: Upload | None = None) -> Data:
    """All rows of a file, good or bad; bad contents never raise."""
    digest = sha256(b"\0".join((file.name.encode(), file.content, references.content if references else b""))).hexdigest()
    if not references and (data := _scored(file, digest)):
        return data
    items: list[Item] = []
    problems: list[tuple[str, ...]] = []
    bad, too_many, remedy = 0, False, None
    for found in _all(file, references):
        if isinstance(found, Item):
            if too_many := len(items) == MOST:
                break
            items.append(found)
            continue
        bad += 1
        if bad <= KEPT:
            problems.append(described(found, file))
        if found.remedy:
            remedy = (
                found.remedy,
                getattr(found, "file", found.where),
                found.found if isinstance(found.found, Message) else str(found.found)[:200],
            )
        if bad == _COUNTED:
            break
    return Data(stem(file), tuple(items), tuple(problems), too_many, digest, bad, remedy)


def _scored(file: Upload, digest: str) -> Data | None:
    """A file of scored rows; None for any other."""
    work, error = read_work(file, most=MOST)
    problems = (described(error, file),) if error else ()
    if not work and not error:
        return None
    items = tuple(Item(row.image_id, row.candidate, row.references) for row in work.rows) if work else ()
    name = work.name if work and work.name else stem(file)
    return Data(name, items, problems, digest=digest, bad=len(problems), work=work)


def _all(file: Upload, references: Upload | None) -> Iterator[Item | InputError]:
    """Items and problems; where a file cannot be read on, that is the last problem."""
    try:
        yield from Source(file, references)
    except InputError as error:
        yield error


def choose(*, key: str) -> Data | None:
    """The choice between sample and files; returns the data, or None while there is no file."""
    if from_sample(t("batch.sample"), t("batch.sample_note", number=len(sample().items)), key=key):
        return sample()
    left, right = st.columns(2, gap="medium")
    file = left.file_uploader(t("batch.upload"), type=TYPES, key=f"{key}.file", help=t("batch.upload_help"))
    references = right.file_uploader(t("batch.references"), type=TYPES, key=f"{key}.references", help=t("batch.references_help"))
    st.html(f'<p class="sc-note">{t("batch.private")}</p>')
    slot, mark = f"{key}.data", (getattr(file, "file_id", ""), getattr(references, "file_id", ""))
    if file and st.session_state.get(f"{key}.read") != mark:
        st.session_state[slot] = read(uploaded(file), uploaded(references) if references else None)
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


def uploaded(file: UploadedFile) -> Upload:
    """The uploaded file as an ``Upload``."""
    return Upload(file.name, file.getvalue())


def language(data: Data, *, key: str) -> str:
    """The choice of the captions' language; the default follows their script."""
    names = language_names()
    texts = [text for item in data.items[:50] for text in item.captions]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"{key}.languages"):
        st.html(f'<p class="sc-label">{t("language.title")}</p>', width="content")
        options = {"label_visibility": "collapsed", "width": "content", "persist_state": "session"}
        widget = f"{key}.lang.{data.digest[:12]}"
        return choice.one_of(t("language.title"), names, key=widget, default=detect_language(texts), **options)


def report(data: Data, *, key: str) -> None:
    """The number of good rows, and the problems of the others."""
    if data.too_many:
        messages.say([t("batch.too_many", most=f"{MOST:,}")])
    if not data.bad:
        return
    if data.remedy:
        name, file, found = data.remedy
        messages.say([t(f"batch.remedy_{name}", file=file, found=problem(found))], kind="problem")
        return
    bad: dict[str, Any] = {"bad": data.bad, "plus": "+" if data.bad == _COUNTED else ""}
    messages.say([t("batch.problems" if data.items else "batch.no_good", good=len(data.items), **bad)], kind="problem")
    with st.expander(t("batch.problems_list", **bad), expanded=True):
        st.html(problems_html(data.problems, bad=data.bad))
        options: dict[str, Any] = {"file_name": f"{data.name}-problems.csv", "mime": "text/csv", "on_click": "ignore", "type": "tertiary"}
        label = t("batch.problems_csv" if data.bad == len(data.problems) else "batch.problems_first", number=f"{len(data.problems):,}")
        st.download_button(label, as_csv(_FIELDS, data.problems), key=f"{key}.problems", **options)


def problems_html(problems: Sequence[Sequence[str]], *, bad: int) -> str:
    """The first of so many problems as a table; every text of the file is escaped."""
    heads = [t("batch.found_value" if name == "found" else f"batch.{name}") for name in _FIELDS]
    head = "".join(f"<th scope=col>{text}</th>" for text in heads)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(problem(text))}</td>' for text in row)}</tr>" for row in problems[:_SHOWN])
    more = f'<p class="sc-note">{t("batch.more", number=f"{bad - _SHOWN:,}")}</p>' if bad > _SHOWN else ""
    table = f'<table class="sc-table sc-problems"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>'
    return scrolling(table, heads) + more


def described(error: InputError, file: Upload) -> tuple[str, ...]:
    """File, row, field, found and expected of a problem."""
    where = (getattr(error, "file", file.name), getattr(error, "row", ""), getattr(error, "field", error.where))
    return tuple(_cut(text) for text in (*where, _short(error.found), error.expected))


def _cut(text: str) -> str:
    return text if len(text) <= 200 else text[:200]


def _short(found: object) -> str:
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False, default=str)
