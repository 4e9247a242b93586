"""The columns of a file with other names than the usual ones: a preview, and the choice of each column, filled in as guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.kit import choice
from pages.parts.kit.html import scrolling_table
from pages.parts.kit.texts import t
from spice_core.data.columns import ITEMS, REFERENCES, RESULTS, Columns
from spice_core.data.reader import Upload
from spice_core.data.sources import Preview, Source
from spice_core.errors import InputError, encodable

_ROWS, _LONGEST, _NAME = 5, 120, 60  # of the preview: rows, characters of a cell and of a name

Fields = dict[str, list[str]]
References = Upload | Sequence[Upload] | None


@dataclass(frozen=True)
class Chosen:
    """The columns of a file and of its references as ``Source`` takes them; ``complete`` unless one is lacking."""

    columns: Fields
    reference_columns: Fields | None = None
    complete: bool = True


USUAL = Chosen({})


def choose(files: Sequence[UploadedFile], references: Sequence[UploadedFile], *, key: str) -> list[Chosen]:
    """The columns of each file; those of the usual names are not asked for, nor those of several files of references (plain text)."""
    found = _previews(files, references, key=key)
    asked = [_ask(file, preview, RESULTS if references else ITEMS, key=key) for file, preview in zip(files, found)]
    beside = _ask(references[0], found[-1], REFERENCES, key=key) if references else None
    return [Chosen(columns or {}, beside, complete={} not in (columns, beside)) for columns in asked]


def upload(file: UploadedFile) -> Upload:
    """The uploaded file as an ``Upload``."""
    return Upload(file.name, file.getvalue())


def upload_references(files: Sequence[UploadedFile]) -> References:
    """The uploaded files of references as ``Source`` takes them."""
    return tuple(map(upload, files)) or None


def _previews(files: Sequence[UploadedFile], references: Sequence[UploadedFile], *, key: str) -> list[Preview | None]:
    """The previews of files, and of the references; kept until other files are sent."""
    slot, mark = f"{key}.previews", [file.file_id for file in [*files, *references]]
    if st.session_state.get(slot, [[]])[0] != mark:
        beside = upload_references(references)
        sources = [Source(upload(file), beside) for file in files]
        found = [_preview(source) for source in sources]
        st.session_state[slot] = mark, [*found, _preview(Source(Upload("", b""), beside), of_references=True) if beside else None]
    previews: list[Preview | None] = st.session_state[slot][1]
    return previews


def _preview(source: Source, *, of_references: bool = False) -> Preview | None:
    """What is to be chosen from, its rows cut; None for the usual columns, for rows that are scored and for a file that cannot be read."""
    try:
        preview = source.preview(of_references=of_references)
    except InputError:
        return None
    if preview is None or "scores" in preview.names:
        return None
    rows = [{name: str(row.get(name, ""))[:_LONGEST] for name in preview.names} for row in preview.rows[:_ROWS]]
    return replace(preview, rows=tuple(rows))


def _ask(file: UploadedFile, preview: Preview | None, layout: tuple[str, ...], *, key: str) -> Fields | None:
    """The columns that the visitor chose for a file; None where there is nothing to choose, empty where one is lacking."""
    if not preview:
        return None
    guess, widget = preview.columns, f"{key}.columns.{file.file_id}.{layout[-1]}"
    names = [name for name in preview.names if name]
    with st.container(border=True):
        title, note = escape(t("columns.title", file=file.name)), t(f"columns.{guess.certainty}")
        st.html(f'<h3 class="sc-small">{title}</h3><p class="sc-note">{note}</p>')
        places = iter(st.columns(2 if layout == REFERENCES else 3 if layout == RESULTS else 4, gap="small"))
        image_id = _choose_column("image_id", names, guess.image_id, next(places), key=widget)
        candidate = "" if layout == REFERENCES else _choose_column("candidate", names, guess.candidate, next(places), key=widget)
        several = [] if layout == RESULTS else _choose_columns(names, guess.references, next(places), key=widget)
        image_file = "" if layout == REFERENCES else _choose_column("image_file", names, guess.image_file, next(places), key=widget)
        st.html(_table(preview))
    chosen = Columns(image_id, candidate, tuple(several), image_file)
    return chosen.by_field(layout) if chosen.complete(layout) else {}


def _choose_column(part: str, names: Sequence[str], guess: str, place: Any, *, key: str) -> str:
    """The choice of one column, or of none."""
    none = t("columns.numbered") if part == "image_id" else t("columns.no_column")
    options = {"": none, **{name: _short(name) for name in names}}
    index = list(options).index(guess) if guess in options else 0
    return choice.in_list(t(f"columns.{part}"), options, index=index, place=place, key=f"{key}.{part}")


def _choose_columns(names: Sequence[str], guess: Sequence[str], place: Any, *, key: str) -> list[str]:
    default = [name for name in guess if name in names]
    label, hint = t("columns.references"), t("columns.hint")
    found: list[str] = place.multiselect(label, names, default, key=f"{key}.references", format_func=_short, placeholder=hint)
    return found


def _short(name: str) -> str:
    return encodable(name[:_NAME])


def _table(preview: Preview) -> str:
    """The first rows; every text of the file is escaped and cut."""
    heads = [_short(name) for name in preview.names]
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(encodable(str(cell)))}</td>' for cell in row.values())}</tr>" for row in preview.rows)
    return scrolling_table(f'<table class="sc-table sc-preview"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>', heads)
