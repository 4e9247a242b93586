"""Uploaded dependency trees: a CoNLL-U file, checked before scoring, that replaces the parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.bounded import call_bounded
from pages.parts.kit.html import escape_markdown, show_note
from pages.parts.kit.texts import t
from pages.parts.uploads import columns, datasets, problems
from pages.parts.uploads.reading import MAX_LISTED_PROBLEMS, CaptionData, problem_rows
from spice_core.data.items import field_place
from spice_core.data.problems import MAX_PLACES_PER_GROUP, Problem, describe_problem
from spice_core.data.reader import RowError, Upload
from spice_core.errors import InputError, Message
from spice_core.lang.tree_file import TreeFile, share_trees

TREE_FILE_SUFFIXES = ["conllu", "conll", "txt", "gz"]


@dataclass(frozen=True, eq=False)
class UploadedTrees:
    """A file of trees. An invalid file has a ``problem`` instead of ``content``."""

    name: str
    content: TreeFile | None
    problem: Problem | None = None
    cache: list[CaptionData] = field(default_factory=list, repr=False)

    @property
    def parser(self) -> str:
        """The parser name in settings that use these trees."""
        return self.content.name if self.content else ""


def choose_trees(caption_data: CaptionData | None, *, key: str) -> UploadedTrees | None:
    """Show the upload of a tree file for a visitor's data. Return the uploaded trees, or None."""
    if caption_data is None or caption_data == datasets.read_bundled_sample():
        return None
    widget, slot = f"{key}.trees", f"{key}.trees_read"

    def handle_change() -> None:
        if st.session_state[widget] is None:  # the visitor removed the file (leaving the page does not call this)
            st.session_state.pop(slot, None)

    file = st.file_uploader(t("trees.upload"), type=TREE_FILE_SUFFIXES, key=widget, help=t("trees.upload_help"), on_change=handle_change)
    if file and st.session_state.get(slot, ("",))[0] != file.file_id:
        with st.spinner(t("trees.reading")):
            st.session_state[slot] = file.file_id, read_trees(columns.to_upload(file))
    _, trees = st.session_state.get(slot, ("", None))
    if not trees:
        return None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if trees.content:
            show_note(t("trees.found", file=trees.name, number=len(trees.content)))
        if not file:
            options: dict[str, Any] = {"on_click": st.session_state.pop, "args": (slot,), "type": "tertiary"}
            st.button(t("trees.remove", file=escape_markdown(trees.name)), key=f"{key}.trees_remove", **options)
    return trees


def read_trees(file: Upload) -> UploadedTrees:
    """Read a file of trees in a bounded process. An invalid file yields a problem instead of an exception."""
    try:
        return UploadedTrees(file.name, share_trees(call_bounded(TreeFile, file)))
    except InputError as error:
        return UploadedTrees(file.name, None, describe_problem(_with_place(error, file.name), file.name))


def rows_with_trees(caption_data: CaptionData, trees: UploadedTrees) -> CaptionData:
    """Return the result of ``check_trees``, cached for the last data."""
    if not trees.cache or trees.cache[0] is not caption_data:
        trees.cache[:] = caption_data, check_trees(caption_data, trees)
    return trees.cache[1]


def check_trees(caption_data: CaptionData, trees: UploadedTrees) -> CaptionData:
    """Return the rows in which every text has a tree, and a problem for each other text. An invalid file has no rows."""
    if trees.content is None:
        problems: tuple[Problem, ...] = (trees.problem,) if trees.problem else ()
        return replace(caption_data, items=(), problems=problem_rows(problems), problem_count=len(problems), groups=problems)
    items, images_by_problem = [], dict[str, list[tuple[int | str, str]]]()
    for item in caption_data.items:
        captions = [("test", item.candidate), *(("refs", text) for text in item.references)]
        missing_captions = [(name, text) for name, text in captions if isinstance(text, str) and trees.content.lacks_tree(text)]
        for name, text in missing_captions:
            images_by_problem.setdefault(" ".join(text.split()), []).append((item.image_id, name))
        if not missing_captions:
            items.append(item)
    groups = tuple(_missing_tree(trees.name, text, images) for text, images in list(images_by_problem.items())[:MAX_LISTED_PROBLEMS])
    return replace(caption_data, items=tuple(items), problems=problem_rows(groups), problem_count=len(images_by_problem), groups=groups)


def report_missing(trees: UploadedTrees, caption_data: CaptionData, usable_data: CaptionData, *, key: str) -> None:
    """Show why the file is invalid, or which captions lack a tree."""
    if not usable_data.problem_count:
        return
    if trees.content is None:
        text = t("trees.unreadable", file=trees.name)
    else:
        rows = len(caption_data.items) - len(usable_data.items)
        text = t(
            "trees.missing" if usable_data.items else "trees.missing_all", file=trees.name, number=usable_data.problem_count, rows=rows
        )
    html.show_messages([text], severity="problem")
    problems.show_problems(replace(usable_data, name=trees.name), key=f"{key}.trees")


def _missing_tree(file: str, caption: str, rows: Sequence[tuple[int | str, str]]) -> Problem:
    """Return the problem of a caption without a tree, with the ids of its images."""
    ids = list(dict.fromkeys(str(image) for image, _ in rows))
    fields = {name for _, name in rows}
    images = Message("where.images", ids=", ".join(ids[:MAX_PLACES_PER_GROUP]) + (", …" if len(ids) > MAX_PLACES_PER_GROUP else ""))
    error = InputError(
        field_place(fields.pop()) if len(fields) == 1 else "", Message("found.no_tree_of", caption=caption), Message("expected.tree_in")
    )
    return replace(describe_problem(RowError(file, images, error), file), count=len(rows))


def _with_place(error: InputError, file: str) -> InputError:
    """Return a CoNLL-U error with separate line and column, as in errors of other formats."""
    place: object = error.where
    column = ""
    if isinstance(place, Message) and place.key == "where.token_column":
        column, place = str(place.values["name"]), place.values["row"]
    if isinstance(place, Message) and place.key == "where.token_row":
        return RowError(file, Message("where.line", number=place.values["number"]), InputError(column, error.found, error.expected))
    return error
