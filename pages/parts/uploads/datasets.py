"""Uploaded data sets and the bundled samples. Uploads are checked row by row and stored only in the session."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.kit import choice
from pages.parts.kit.bounded import call_bounded
from pages.parts.kit.texts import interface_language, language_names, t
from pages.parts.uploads import columns, reading, samples
from pages.parts.uploads.reading import DEFAULT_COLUMNS, CaptionData, ChosenColumns, UploadedReferences
from spice_core.data.items import Item
from spice_core.data.reader import Upload, read_rows
from spice_core.errors import InputError

SAMPLES_FOLDER = Path(__file__).parents[3] / "assets" / "samples"
_SAMPLE_DIGEST_PREFIX = "sample-"  # prefix of digests of bundled captions; digests of files are hexadecimal
_MAX_FIELD_CHARS = 100  # maximum number of characters of the grouping field
# Parquet and Arrow files are accepted so that the page can say what to upload instead.
DATA_FILE_SUFFIXES = "json,jsonl,jsonlines,ndjson,csv,tsv,txt,token,xlsx,gz,zst,parquet,arrow,feather".split(",")


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
        """Return the path of a system's captions, which ``tools/samples.py`` scored with the default settings."""
        return SAMPLES_FOLDER / f"{self.name}-{system}-scored.jsonl.gz"


ENGLISH_SAMPLE, JAPANESE_SAMPLE = BundledSample("en", "capeval1k", ("A", "B", "C", "D")), BundledSample("ja", "scenes_ja", ("A", "B"))
SAMPLE_BY_LANGUAGE = {sample.lang: sample for sample in (ENGLISH_SAMPLE, JAPANESE_SAMPLE)}


def bundled_sample() -> BundledSample:
    """Return the sample in the interface language, or else the English sample."""
    return SAMPLE_BY_LANGUAGE.get(interface_language(), ENGLISH_SAMPLE)


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
    """Read a file in a bounded process. Exceeding its memory or time becomes a problem too."""
    try:
        return call_bounded(reading.read_data, file, references, chosen_columns, group_field)
    except InputError as error:
        return reading.rejected_data(file.name, error, digest=sha256(file.content).hexdigest())


def choose_data(*, key: str) -> CaptionData | None:
    """Show the upload of a data set. Return the data, or None until there is a file."""
    left, right = st.columns(2, gap="medium")
    file = left.file_uploader(t("batch.upload"), type=DATA_FILE_SUFFIXES, key=f"{key}.file", help=t("batch.upload_help"))
    references = right.file_uploader(
        t("batch.references"), type=DATA_FILE_SUFFIXES, accept_multiple_files=True, key=f"{key}.references", help=t("batch.references_help")
    )
    samples.show_menu(key=key)
    slot = f"{key}.data"
    if file:
        (chosen_columns,) = columns.choose_columns([file], references, key=key)
        allow_repeated = left.checkbox(t("batch.repeated"), key=f"{key}.repeated", help=t("batch.repeated_help"))
        chosen_columns = replace(chosen_columns, allow_repeated=allow_repeated)
        options: dict[str, Any] = {"help": t("batch.grouping_help"), "placeholder": t("batch.grouping_hint"), "max_chars": _MAX_FIELD_CHARS}
        group_field = right.text_input(t("batch.grouping"), key=f"{key}.grouping", **options)
        mark = (file.file_id, [reference_file.file_id for reference_file in references], chosen_columns, group_field)
        if st.session_state.get(f"{key}.read") != mark:
            st.session_state[slot] = read_data(
                columns.to_upload(file), columns.upload_references(references), chosen_columns, group_field.strip()
            )
            st.session_state[f"{key}.read"] = mark
    return st.session_state.get(slot)


def choose_sample(name: str, note: str, *, key: str) -> bool:
    """Show the choice between files and the sample called ``name``. For the sample, show its note and return True."""
    names = {"sample": name, "files": t("batch.files")}
    options = {"label_visibility": "collapsed", "width": "content", "persist_state": "session"}
    chosen_name = choice.segmented_control(t("batch.source"), names, key=f"{key}.source", **options)
    if chosen_name == "sample":
        st.html(f'<p class="sc-note">{note}</p>')
    return chosen_name == "sample"


def choose_language(caption_data: CaptionData, *, key: str) -> str:
    """Show the choice of the caption language, by default detected from the script. Return it."""
    names = language_names()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"{key}.languages"):
        st.html(f'<p class="sc-label">{t("language.title")}</p>', width="content")
        options = {"label_visibility": "collapsed", "width": "content", "persist_state": "session"}
        widget = f"{key}.lang.{caption_data.digest[:12]}"
        return choice.segmented_control(t("language.title"), names, key=widget, default=caption_data.language, **options)
