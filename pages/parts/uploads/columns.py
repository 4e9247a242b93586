"""The column choice for a file with unusual column names: a preview, and a select box for each field, set to the guessed column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from html import escape
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.kit import choice, html
from pages.parts.kit.bounded import call_bounded
from pages.parts.kit.html import escape_markdown, plain_table
from pages.parts.kit.texts import t
from pages.parts.uploads import reading
from pages.parts.uploads.reading import ChosenColumns, ColumnsByField, UploadedReferences
from spice_core.data.columns import ITEM_FIELDS, REFERENCE_FIELDS, RESULT_FIELDS, Columns
from spice_core.data.ratings import RatingPreview, preview_ratings
from spice_core.data.reader import Upload
from spice_core.data.sources import Preview
from spice_core.errors import InputError, encodable_text

_MAX_COLUMN_NAME_CHARS, _MAX_CELL_CHARS, _MAX_PREVIEW_ROWS = 60, 120, 5  # maximum sizes of a column name, a cell and a preview
_SCORE_COLUMN_PATTERN = re.compile(r"(?i)spice|cider|bleu|meteor|rouge|chrf|clip|bert|metric")  # columns that probably contain scores


def choose_columns(files: Sequence[UploadedFile], references: Sequence[UploadedFile], *, key: str) -> list[ChosenColumns]:
    """Show the column choice of each file. Return one choice per file.

    Files with standard column names need no choice, and neither do several files of references, which are plain text.
    """
    previews = _read_previews(files, references, key=key)
    chosen_columns = [
        _choose_fields(file, preview, RESULT_FIELDS if references else ITEM_FIELDS, key=key) for file, preview in zip(files, previews)
    ]
    reference_columns = _choose_fields(references[0], previews[-1], REFERENCE_FIELDS, key=key) if references else None
    return [
        ChosenColumns(columns or {}, reference_columns, is_complete={} not in (columns, reference_columns)) for columns in chosen_columns
    ]


def choose_rating_columns(file: UploadedFile, references: UploadedFile | None, *, key: str) -> ColumnsByField | None:
    """Show the choice of the columns of a file of ratings.

    Returns:
        The columns by field, {} for documented or guessed columns, or None if a required field has no column.
    """
    slot, mark = f"{key}.preview", (file.file_id, bool(references))
    if st.session_state.get(slot, [[]])[0] != mark:
        st.session_state[slot] = mark, None  # the next step reports unreadable files
        with suppress(InputError):
            st.session_state[slot] = mark, call_bounded(partial(preview_ratings, with_references=bool(references)), to_upload(file))
    preview: RatingPreview | None = st.session_state[slot][1]
    if not preview:
        return {}
    names = [encodable_text(name) for name in dict.fromkeys(name for row in preview.rows for name in row)]
    guess = {field: next(iter(preview.columns.get(field, ())), "") for field in ("image_id", "candidate", "rating")}
    widget = f"{key}.columns.{file.file_id}.{bool(references)}"
    with st.expander(t("columns.title", file=escape_markdown(file.name)), expanded=not preview.are_documented, key=widget):
        certainty = (
            "documented" if preview.are_documented else "names" if all(guess[field] for field in ("candidate", "rating")) else "none"
        )
        html.show_note(t(f"columns.{certainty}"))
        places = iter(st.columns(4, gap="small"))
        fields = ("image_id", "candidate", "rating") if references else ("candidate", "rating")
        columns = {field: [_choose_column(field, names, guess[field], next(places), key=widget)] for field in fields}
        if not references:
            columns["references"] = _choose_columns(names, preview.columns.get("references", ()), next(places), key=widget)
        other_names = [name for name in names if [name] not in columns.values() and name not in columns.get("references", ())]
        numeric_names = [name for name in other_names if all(_is_number(row.get(name)) for row in preview.rows)]
        default = [name for name in numeric_names if _SCORE_COLUMN_PATTERN.search(name)]
        metrics = next(places).multiselect(
            t("columns.metrics"), numeric_names, default, key=f"{widget}.metrics", help=t("columns.metrics_help")
        )
        show_preview(
            [_shorten_name(name) for name in names],
            [[str(row.get(name, ""))[:_MAX_CELL_CHARS] for name in names] for row in preview.rows[:_MAX_PREVIEW_ROWS]],
        )
    chosen = {field: [name for name in chosen_names if name] for field, chosen_names in columns.items()}
    if not all(chosen.values()):
        return None
    if not metrics and chosen == {field: [*preview.columns.get(field, ())] for field in columns}:
        return {}
    return chosen | ({"metrics": metrics} if metrics else {})


def _is_number(value: object) -> bool:
    try:
        return value in (None, "") or float(str(value)) is not None
    except ValueError:
        return False


def show_preview(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Show the first rows of a file."""
    st.html(plain_table(map(escape, headers), ([escape(encodable_text(str(cell))) for cell in row] for row in rows), "sc-preview"))


def to_upload(file: UploadedFile) -> Upload:
    """Return an uploaded file as an ``Upload``."""
    return Upload(file.name, file.getvalue())


def upload_references(files: Sequence[UploadedFile]) -> UploadedReferences:
    """Return uploaded reference files in the form that ``Source`` expects."""
    return tuple(map(to_upload, files)) or None


def _read_previews(files: Sequence[UploadedFile], references: Sequence[UploadedFile], *, key: str) -> list[Preview | None]:
    """Return the previews of the files and their references, cached until other files are uploaded."""
    slot, mark = f"{key}.previews", [file.file_id for file in [*files, *references]]
    if st.session_state.get(slot, [[]])[0] != mark:
        try:
            previews = call_bounded(reading.read_previews, [*map(to_upload, files)], upload_references(references))
        except InputError:
            previews = [None] * (len(files) + bool(references))  # the next step reports the unreadable file
        st.session_state[slot] = mark, previews
    stored_previews: list[Preview | None] = st.session_state[slot][1]
    return stored_previews


def _choose_fields(file: UploadedFile, preview: Preview | None, layout: tuple[str, ...], *, key: str) -> ColumnsByField | None:
    """Show the choice of columns for a file.

    Returns:
        The columns by field, None if there is nothing to choose, or an empty dict if a required field has no column.
    """
    if not preview:
        return None
    guessed_columns, widget = preview.columns, f"{key}.columns.{file.file_id}.{layout[-1]}"
    names = [name for name in preview.names if name]
    with st.container(border=True):
        title, note = escape(t("columns.title", file=file.name)), t(f"columns.{guessed_columns.certainty}")
        st.html(f'<h3 class="sc-small">{title}</h3><p class="sc-note">{note}</p>')
        places = iter(st.columns(2 if layout == REFERENCE_FIELDS else 3 if layout == RESULT_FIELDS else 4, gap="small"))
        image_id = _choose_column("image_id", names, guessed_columns.image_id, next(places), key=widget)
        candidate = (
            "" if layout == REFERENCE_FIELDS else _choose_column("candidate", names, guessed_columns.candidate, next(places), key=widget)
        )
        reference_columns = [] if layout == RESULT_FIELDS else _choose_columns(names, guessed_columns.references, next(places), key=widget)
        image_file = (
            "" if layout == REFERENCE_FIELDS else _choose_column("image_file", names, guessed_columns.image_file, next(places), key=widget)
        )
        show_preview([_shorten_name(name) for name in preview.names], (list(row.values()) for row in preview.rows))
    chosen_columns = Columns(image_id, candidate, tuple(reference_columns), image_file)
    return chosen_columns.by_field(layout) if chosen_columns.is_complete(layout) else {}


def _choose_column(content_name: str, names: Sequence[str], guessed_name: str, container: Any, *, key: str) -> str:
    """Show a select box for the column of one field. Return the name of the column, or "" for no column."""
    empty_option = t("columns.numbered") if content_name == "image_id" else t("columns.no_column")
    options = {"": empty_option, **{name: _shorten_name(name) for name in names}}
    index = list(options).index(guessed_name) if guessed_name in options else 0
    return choice.selectbox(t(f"columns.{content_name}"), options, index=index, container=container, key=f"{key}.{content_name}")


def _choose_columns(names: Sequence[str], guessed_names: Sequence[str], container: Any, *, key: str) -> list[str]:
    default = [name for name in guessed_names if name in names]
    label, hint = t("columns.references"), t("columns.hint")
    chosen_names: list[str] = container.multiselect(
        label, names, default, key=f"{key}.references", format_func=_shorten_name, placeholder=hint
    )
    return chosen_names


def _shorten_name(name: str) -> str:
    return encodable_text(name[:_MAX_COLUMN_NAME_CHARS])
