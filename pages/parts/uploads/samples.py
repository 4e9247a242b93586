"""Sample files to download, in the most common formats that the pages read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import streamlit as st

from pages.parts.kit.texts import t
from pages.parts.state import engine, settings
from spice_core.data.reader import read_rows
from spice_core.syntax import conllu

_ASSETS_FOLDER = Path(__file__).parents[3] / "assets"
_ROWS_PER_FILE, _ROW_INTERVAL, _SAMPLE_SYSTEM = 8, 7, "A"  # interval of rows in the sample, and the system with the captions


@st.fragment
def show_menu(*, key: str) -> None:
    """Show a privacy note and a menu of sample files. Each file is created when its button is pressed.

    This is a fragment because Streamlit loses uploads that start during a run of the full page.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="sc-note">{t("batch.private")}</p>')
        popover = st.popover(t("samples.title"), key=f"{key}.samples", on_change="rerun", type="tertiary", width="content")
    if not popover.open:
        return
    with popover:
        for name, (file, mime, make_file) in SAMPLE_FILES.items():
            st.download_button(
                t(f"samples.{name}"), make_file, key=f"{key}.samples.{name}", file_name=file, mime=mime, on_click="ignore", type="tertiary"
            )
        st.html(f'<p class="sc-note">{t("samples.note")}</p>')


def sample_table() -> bytes:
    """Return a CSV file with standard column names and one column per reference."""
    rows = ([row["image_id"], row["captions"][_SAMPLE_SYSTEM], *row["refs"]] for row in _english_rows())
    return _rows_as_csv(["image_id", "test", *(f"ref{n}" for n in range(1, 6))], rows).encode("utf-8-sig")


def sample_lines() -> bytes:
    """Return JSON Lines with the fields of the original SPICE."""
    rows = ({"image_id": row["image_id"], "test": row["captions"][_SAMPLE_SYSTEM], "refs": row["refs"]} for row in _english_rows())
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def sample_japanese_table() -> bytes:
    """Return a Japanese CSV file in Shift_JIS, as exported by Excel."""
    items = json.loads((_ASSETS_FOLDER / "agreement" / "sample_ja.json").read_text(encoding="utf-8"))["items"]
    cells = ([n, row["candidate"], *row["references"]] for n, row in enumerate(items[:: _ROW_INTERVAL * 3][:_ROWS_PER_FILE], 1))
    return _rows_as_csv(["画像ID", "候補文", "参照1"], cells).encode("cp932")


def sample_results() -> bytes:
    """Return results as JSON in the format of the COCO evaluation."""
    rows = [{"image_id": row["image_id"], "caption": row["captions"][_SAMPLE_SYSTEM]} for row in _english_rows()]
    return json.dumps(rows, indent=1).encode()


def sample_annotations() -> bytes:
    """Return the references of the images in ``sample_results``, in the format of COCO annotations."""
    images = [{"id": row["image_id"]} for row in _english_rows()]
    captions = [(row["image_id"], caption) for row in _english_rows() for caption in row["refs"]]
    annotations = [{"image_id": image, "id": caption_id, "caption": caption} for caption_id, (image, caption) in enumerate(captions, 1)]
    return json.dumps({"images": images, "annotations": annotations}, indent=1).encode()


def sample_trees() -> bytes:
    """Return the default parser's trees of the captions in ``sample_table``, in CoNLL-U."""
    captions = dict.fromkeys(caption for row in _english_rows() for caption in (row["captions"][_SAMPLE_SYSTEM], *row["refs"]))
    documents = (engine.cached_parse(caption, settings.default_config("en")).document for caption in captions)
    return "".join(conllu.write(document) for document in documents if document).encode()


def _english_rows() -> Iterable[dict]:
    rows: list = [row for _, row in read_rows(_ASSETS_FOLDER / "samples" / "capeval1k.jsonl")]
    return [row for row in rows if _SAMPLE_SYSTEM in row["captions"]][::_ROW_INTERVAL][:_ROWS_PER_FILE]


def _rows_as_csv(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([headers, *rows])
    return buffer.getvalue()


SAMPLE_FILES: dict[str, tuple[str, str, Callable[[], bytes]]] = {
    "table": ("sample_captions.csv", "text/csv", sample_table),
    "lines": ("sample_captions.jsonl", "application/jsonl", sample_lines),
    "japanese": ("sample_captions_ja.csv", "text/csv", sample_japanese_table),
    "results": ("sample_results.json", "application/json", sample_results),
    "annotations": ("sample_annotations.json", "application/json", sample_annotations),
    "trees": ("sample_captions.conllu", "text/plain", sample_trees),
}
