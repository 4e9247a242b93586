"""Trees of a visitor's own beside captions: a CoNLL-U file that takes the place of the parser, checked before anything is scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.parts.kit import messages
from pages.parts.kit.html import note, plain
from pages.parts.kit.texts import t
from pages.parts.uploads import columns, datasets, problems
from pages.parts.uploads.datasets import KEPT, Data
from spice_core.data.items import field_named
from spice_core.data.problems import PLACES, Problem, describe_problem
from spice_core.data.reader import RowError, Upload
from spice_core.errors import InputError, Message
from spice_core.lang.tree_file import TreeFile, shared

TYPES = ["conllu", "conll", "txt", "gz"]
_TEST, _REFS = "test", "refs"


@dataclass(frozen=True, eq=False)
class Trees:
    """A file of trees by its name; without ``content`` it cannot be used, as ``problem`` says."""

    name: str
    content: TreeFile | None
    problem: Problem | None = None
    cache: list[Data] = field(default_factory=list, repr=False)

    @property
    def parser(self) -> str:
        """The parser of settings with these trees."""
        return self.content.name if self.content else ""


def choose(data: Data | None, *, key: str) -> Trees | None:
    """The choice of a file of trees beside a visitor's data; returns it, or None without one."""
    if data is None or data == datasets.sample():
        return None
    widget, slot = f"{key}.trees", f"{key}.trees_read"

    def changed() -> None:
        if st.session_state[widget] is None:  # taken away, as a visit to another page does not
            st.session_state.pop(slot, None)

    file = st.file_uploader(t("trees.upload"), type=TYPES, key=widget, help=t("trees.upload_help"), on_change=changed)
    if file and st.session_state.get(slot, ("",))[0] != file.file_id:
        with st.spinner(t("trees.reading")):
            st.session_state[slot] = file.file_id, read(columns.upload(file))
    _, trees = st.session_state.get(slot, ("", None))
    if not trees:
        return None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if trees.content:
            note(t("trees.found", file=trees.name, number=len(trees.content)))
        if not file:
            options: dict[str, Any] = {"on_click": st.session_state.pop, "args": (slot,), "type": "tertiary"}
            st.button(t("trees.remove", file=plain(trees.name)), key=f"{key}.trees_remove", **options)
    return trees


def read(file: Upload) -> Trees:
    """The trees of a file; a file that cannot be read never raises."""
    try:
        return Trees(file.name, shared(TreeFile(file)))
    except InputError as error:
        return Trees(file.name, None, describe_problem(_with_place(error, file.name), file.name))


def rows_with_trees(data: Data, trees: Trees) -> Data:
    """What ``checked`` finds, kept for the data that was asked for last."""
    if not trees.cache or trees.cache[0] is not data:
        trees.cache[:] = data, check_trees(data, trees)
    return trees.cache[1]


def check_trees(data: Data, trees: Trees) -> Data:
    """The rows whose captions all have a tree, and the other captions as problems; none where the trees cannot be used."""
    if trees.content is None:
        lacking: tuple[Problem, ...] = (trees.problem,) if trees.problem else ()
        return replace(data, items=(), problems=datasets.problem_rows(lacking), bad=len(lacking), groups=lacking)
    items, places = [], dict[str, list[tuple[int | str, str]]]()
    for item in data.items:
        named = [(_TEST, item.candidate), *((_REFS, text) for text in item.references)]
        missing = [(name, text) for name, text in named if isinstance(text, str) and trees.content.lacks(text)]
        for name, text in missing:
            places.setdefault(" ".join(text.split()), []).append((item.image_id, name))
        if not missing:
            items.append(item)
    groups = tuple(_without_tree(trees.name, text, found) for text, found in list(places.items())[:KEPT])
    return replace(data, items=tuple(items), problems=datasets.problem_rows(groups), bad=len(places), groups=groups)


def report(trees: Trees, data: Data, found: Data, *, key: str) -> None:
    """What is wrong with the file, or the captions that have no tree in it, and what helps."""
    if not found.bad:
        return
    if trees.content is None:
        text = t("trees.unreadable", file=trees.name)
    else:
        rows = len(data.items) - len(found.items)
        text = t("trees.missing" if found.items else "trees.missing_all", file=trees.name, number=found.bad, rows=rows)
    messages.say([text], kind="problem")
    problems.show_problems(replace(found, name=trees.name), key=f"{key}.trees")


def _without_tree(file: str, caption: str, places: Sequence[tuple[int | str, str]]) -> Problem:
    """A caption without a tree, with the images that it belongs to."""
    ids = list(dict.fromkeys(str(image) for image, _ in places))
    fields = {name for _, name in places}
    images = Message("where.images", ids=", ".join(ids[:PLACES]) + (", …" if len(ids) > PLACES else ""))
    error = InputError(
        field_named(fields.pop()) if len(fields) == 1 else "", Message("found.no_tree_of", caption=caption), Message("expected.tree_in")
    )
    return replace(describe_problem(RowError(file, images, error), file), count=len(places))


def _with_place(error: InputError, file: str) -> InputError:
    """An error with the line and the column of the file apart, as the errors of other files have them."""
    where: object = error.where
    column = ""
    if isinstance(where, Message) and where.key == "where.token_column":
        column, where = str(where.values["name"]), where.values["row"]
    if isinstance(where, Message) and where.key == "where.token_row":
        return RowError(file, Message("where.line", number=where.values["number"]), InputError(column, error.found, error.expected))
    return error
