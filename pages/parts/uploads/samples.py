"""Sample files to download, each of which the pages read."""

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

_ASSETS = Path(__file__).parents[3] / "assets"
_ROWS, _STEP, _SYSTEM = 8, 7, "A"  # rows of a sample: one of so many


@st.fragment
def menu(*, key: str) -> None:
    """What becomes of files that are sent, and a button that opens the list of sample files; each is made when its button is pressed.

    A fragment: Streamlit forgets to say where a file goes that is sent just as a run of the whole page begins.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="sc-note">{t("batch.private")}</p>')
        opened = st.popover(t("samples.title"), key=f"{key}.samples", on_change="rerun", type="tertiary", width="content")
    if not opened.open:
        return
    with opened:
        for name, (file, mime, make) in FILES.items():
            st.download_button(
                t(f"samples.{name}"), make, key=f"{key}.samples.{name}", file_name=file, mime=mime, on_click="ignore", type="tertiary"
            )
        st.html(f'<p class="sc-note">{t("samples.note")}</p>')


def as_table() -> bytes:
    """A table with the usual columns, one for each reference."""
    heads = ["image_id", "test", *(f"ref{n}" for n in range(1, 6))]
    return _csv(heads, ([row["image_id"], row["captions"][_SYSTEM], *row["refs"]] for row in _english())).encode("utf-8-sig")


def as_lines() -> bytes:
    """One JSON object a line, in the layout of the original SPICE."""
    rows = ({"image_id": row["image_id"], "test": row["captions"][_SYSTEM], "refs": row["refs"]} for row in _english())
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_japanese_table() -> bytes:
    """A Japanese table as Excel writes it, in Shift_JIS."""
    rows = json.loads((_ASSETS / "agreement" / "sample_ja.json").read_text(encoding="utf-8"))["items"][:: _STEP * 3][:_ROWS]
    cells = ([number, row["candidate"], *row["references"]] for number, row in enumerate(rows, 1))
    return _csv(["画像ID", "候補文", "参照1"], cells).encode("cp932")


def as_results() -> bytes:
    """Results as COCO's evaluation takes them."""
    return json.dumps([{"image_id": row["image_id"], "caption": row["captions"][_SYSTEM]} for row in _english()], indent=1).encode()


def as_annotations() -> bytes:
    """The references of the same images, in the layout of COCO's annotations."""
    rows = list(_english())
    captions = [(row["image_id"], caption) for row in rows for caption in row["refs"]]
    annotations = [{"image_id": image, "id": number, "caption": caption} for number, (image, caption) in enumerate(captions, 1)]
    return json.dumps({"images": [{"id": row["image_id"]} for row in rows], "annotations": annotations}, indent=1).encode()


def as_trees() -> bytes:
    """The trees of the captions of the table, as the usual parser reads them."""
    captions = dict.fromkeys(caption for row in _english() for caption in (row["captions"][_SYSTEM], *row["refs"]))
    documents = (engine.parse(caption, settings.default_config("en")).document for caption in captions)
    return "".join(conllu.write(document) for document in documents if document).encode()


def _english() -> Iterable[dict]:
    rows: list = [row for _, row in read_rows(_ASSETS / "samples" / "capeval1k.jsonl")]
    return [row for row in rows if _SYSTEM in row["captions"]][::_STEP][:_ROWS]


def _csv(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([heads, *rows])
    return out.getvalue()


FILES: dict[str, tuple[str, str, Callable[[], bytes]]] = {
    "table": ("sample_captions.csv", "text/csv", as_table),
    "lines": ("sample_captions.jsonl", "application/jsonl", as_lines),
    "japanese": ("sample_captions_ja.csv", "text/csv", as_japanese_table),
    "results": ("sample_results.json", "application/json", as_results),
    "annotations": ("sample_annotations.json", "application/json", as_annotations),
    "trees": ("sample_captions.conllu", "text/plain", as_trees),
}
