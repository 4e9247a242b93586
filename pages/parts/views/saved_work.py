"""Saved runs of Batch and Systems: the download, the settings and the selected row of a saved run, and its copy in the browser tab."""

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import streamlit as st

from pages.parts.kit import html, visit
from pages.parts.kit.choice import download_button
from pages.parts.kit.texts import error_text, t
from pages.parts.kit.url import widget_key
from pages.parts.state import engine, settings
from pages.parts.views import component
from spice_core import SpiceConfig
from spice_core.data.reader import Upload
from spice_core.data.work_file import ScoredWork, works_as_file
from spice_core.errors import InputError, SpiceError
from spice_core.lang import LANGUAGES, language
from spice_core.lang.tree_file import TreeFile, is_uploaded

DIGEST_CHARS = 16  # length of the ids of data sets and rows in the tab
ROW_FIELD = "row"  # field of a saved view: the id of the selected image
_MAX_STORED_CHARS = 4_000_000  # maximum length of the packed rows and their digest; browsers store about 5 million characters per tab
_MAX_STORED_ROWS = 5_000


def show_save_button(works: Sequence[ScoredWork], file_name: str, *, on_save: Callable[[], None] = lambda: None) -> None:
    """Show a button that saves a run with or without its captions. The file is created on demand."""
    with_captions = st.checkbox(t("batch.save_captions"), value=True, key=widget_key("save.captions"), help=t("batch.save_captions_help"))

    def make() -> bytes:
        on_save()
        return works_as_file(works if with_captions else [work.without_captions() for work in works])

    download_button(t("batch.save_work"), make, file_name, "application/gzip", key=widget_key("save.work"))


def settings_of_work(work: ScoredWork, trees: TreeFile | None = None) -> tuple[SpiceConfig, list[str]]:
    """Return the settings of a saved run, and messages about problems.

    If the settings are missing or unusable, return the default settings of the language of the signature.
    """
    code = next((part[5:] for part in work.rows[0].signature.split("|") if part.startswith("lang:")), "")
    default = settings.default_config(code if code in LANGUAGES else next(iter(LANGUAGES)))
    if not work.settings:
        return default, []
    try:
        config = SpiceConfig.from_dict(work.settings)
        if is_uploaded(config.parser) and not trees_of_settings(config, trees):
            return default, [t("batch.work_trees")]
        _check_names(config, trees)
        config = config.resolved()
        engine.cached_metric(config)
    except SpiceError as error:
        return default, [t("batch.work_settings", problem=error_text(error).partition("\n")[0])]
    return config, []


def trees_of_settings(config: SpiceConfig, trees: TreeFile | None) -> TreeFile | None:
    """Return the trees if the settings use them, or None."""
    return trees if trees and config.parser == trees.name else None


def _check_names(config: SpiceConfig, trees: TreeFile | None) -> None:
    """Check that the settings name only options of the page, because a file must not name paths on the server.

    Raises InputError or UnknownNameError.
    """
    pack = language(config.lang)
    for part in settings.PART_NAMES:
        name, known_names = getattr(config, part), settings.part_options(pack, part)
        is_custom = (part == "rules" and config.rules_text) or (part == "parser" and trees_of_settings(config, trees))
        if name and name not in known_names and not is_custom:
            raise InputError(t(f"settings.{part}"), name, ", ".join(known_names))


def row_view(row: object) -> dict[str, str]:
    """Return the selected image's id as a field of a saved view."""
    return {ROW_FIELD: json.dumps(row)}


def selected_image(view: Mapping[str, str], work: ScoredWork) -> Any:
    """Return the id of the image selected in a saved run, or None if the run has no such row."""
    try:
        image = json.loads(view.get(ROW_FIELD, "null"))
    except (ValueError, RecursionError):
        return None
    return next((row.image_id for row in work.rows if row.image_id == image), None)


@dataclass
class StoredRun:
    """State of the copy of a run in the browser tab.

    Attributes:
        request: Identifies the request for the stored copy.
        stored_rows: The id of the rows that the tab was last sent, and whether they fit into the tab.
        do_decisions_fit: Whether the decisions fit into the tab.
    """

    request: str = ""
    stored_rows: tuple[str, bool] = ("", False)
    do_decisions_fit: bool = True

    def request_stored_work(self) -> None:
        """Request the run stored in the tab, once per session."""
        self.request = self.request or visit.session_id()

    def mark_stored(self, digest: str, rows_key: object) -> None:
        """Record that the tab has these rows."""
        self.stored_rows = _id_of_rows(digest, rows_key), True

    def store(
        self,
        shown: Mapping[str, object],
        decisions: Mapping[str, object] | None,
        digest: str,
        rows_key: object,
        make_works: Callable[[], Sequence[ScoredWork]],
        *,
        on_content: Callable[[object], None],
    ) -> None:
        """Store a run in the tab, or show a message if something does not fit.

        Args:
            shown: The view of the run that the page shows, empty without a run.
            decisions: Decisions on the run.
            digest: The digest of the data of the run.
            rows_key: Identifies the rows. If it is false, they are not stored.
            make_works: Return the works with the rows, without decisions. It is called when the tab lacks these rows.
            on_content: Receives the requested copy, and must check it, because a browser sent it.
        """
        rows_id = _id_of_rows(digest, rows_key)
        data = {"ask": self.request, "mark": rows_id, "decisions": decisions, "rows": ""}
        data["shown"] = {"digest": digest[:DIGEST_CHARS], **shown} if digest else {}
        if rows_id and self.stored_rows[0] != rows_id:
            data["rows"] = self._packed_rows(digest, rows_id, make_works())

        store_mark = lambda stored_id: setattr(self, "stored_rows", (rows_id, stored_id == rows_id))
        store_answer = lambda answer: setattr(self, "do_decisions_fit", answer != {"fits": False})
        key = widget_key("").removesuffix(".")
        component.exchange_work(data, on_content=on_content, on_mark=store_mark, on_answer=store_answer, key=key)
        if rows_id and self.stored_rows == (rows_id, False):
            html.show_messages([t("batch.not_kept")])
        elif decisions and not self.do_decisions_fit:
            html.show_messages([t("batch.decisions_not_kept")])

    def _packed_rows(self, digest: str, rows_id: str, works: Sequence[ScoredWork]) -> str:
        """Return the digest and the rows as text, or "" if they do not fit."""
        row_count = sum(len(work.rows) for work in works)
        packed_text = f"{digest}:{base64.b64encode(works_as_file(works)).decode()}" if row_count <= _MAX_STORED_ROWS else ""
        if not packed_text or len(packed_text) > _MAX_STORED_CHARS:
            self.stored_rows = rows_id, False
            return ""
        return packed_text


def _id_of_rows(digest: str, rows_key: object) -> str:
    return sha256(repr((digest, rows_key)).encode()).hexdigest()[:DIGEST_CHARS] if rows_key else ""


def unpack_rows(content: object) -> tuple[str, Upload] | None:
    """Return the digest and the rows file from the tab, or None if invalid."""
    if not isinstance(content, str) or len(content) > _MAX_STORED_CHARS:
        return None
    if not (match := re.fullmatch(r"([0-9a-f]{64}):([A-Za-z0-9+/=]+)", content, re.ASCII)):
        return None
    try:
        return match[1], Upload("work.jsonl.gz", base64.b64decode(match[2], validate=True))
    except binascii.Error:
        return None


def as_dict(value: object) -> dict[str, object]:
    """Return a value from the tab if it is a dictionary, otherwise an empty dictionary."""
    return value if isinstance(value, dict) else {}
