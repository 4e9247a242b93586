"""Readers of layouts that are detected from the content: JSON objects of public data sets, Flickr's tokens, Parquet, Arrow, Excel."""

from __future__ import annotations

import importlib.util
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from os.path import basename, splitext
from pathlib import Path, PurePath
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from spice_core.data.columns import text_of_caption
from spice_core.data.json_stream import MAX_TEXT_CHARS, MAX_VALUES, JsonScanner, only_names_message
from spice_core.data.reader import (
    MAX_UNPACKED_UPLOAD_BYTES,
    MAX_UPLOADED_COLUMNS,
    EncodingByFile,
    ReadablePath,
    Row,
    Upload,
    check_names,
    input_errors,
    max_row_size,
    max_values,
    open_unpacked,
    open_utf8,
    text_lines,
)
from spice_core.errors import InputError, Message, not_installed_error

_HEAD_BYTES = 1 << 16  # bytes from which a layout is detected
_ROW_FIELDS = {
    "image_id",
    "test",
    "refs",
    "caption",
    "captions",
    "candidate",
    "references",
    "id",
    "regions",
    "relationships",
    "objects",
}  # an object with one of these members is a row
_LIST_NAMES = ("images", "annotations", "data", "sentences")  # members of an object that hold the rows of a public layout
_LIST_START = re.compile(rf'"(?:{"|".join((*_LIST_NAMES, "videos"))})"\s*:\s*\[\s*[{{\]]')
_OBJECT_BY_ID_START = re.compile(
    r'\{\s*"(?P<name>(?:[^"\\]|\\.)*)"\s*:\s*(?:"|\[\s*(?:"|\{[^{}]*"caption")|\{[^{}]*"objects"\s*:\s*\{)'  # texts, lists, GQA's graphs
)
_JUDGEMENTS_START = re.compile(r'\s*\{\s*"[^"]*"\s*:\s*\{[^{}]*"human_judgement"\s*:\s*\[')
_TOKEN_LINE = re.compile(r"(?P<name>[^\t]+)#\d+[A-Za-z]?\t(?P<caption>.*)")
_ROW_TAG = re.compile(rb"<(?:\w+:)?(?:row|si)\b")  # start of a row of a sheet, or of a text of the part with texts
_MAX_TEXTS_BEFORE_LIST = 1_000  # if an object begins with so many texts, they are captions by id
_EXCLUSION_FLAGS = ("is_rejected", "is_precanned")  # fields of VizWiz that mark captions that its API excludes
_COLUMNS_BY_TABLE: dict[
    tuple[str, ...], dict[str, tuple[str, ...]]
] = {  # columns by field, for the headers of Flickr8k, Flickr30k, AudioCaps, DOCCI and Clotho
    ("image", "caption"): {"image_id": ("image",), "captions": ("caption",)},
    ("image_name", "comment_number", "comment"): {"image_id": ("image_name",), "captions": ("comment",)},
    ("audiocap_id", "youtube_id", "start_time", "caption"): {
        "image_id": ("youtube_id",),
        "captions": ("caption",),
        "other_ids": ("audiocap_id",),
    },
    ("example_id", "split", "image_file", "description"): {
        "image_id": ("example_id",),
        "captions": ("description",),
        "other_ids": ("image_file",),
    },
    ("file_name", *(f"caption_{i}" for i in range(1, 6))): {
        "image_id": ("file_name",),
        "captions": tuple(f"caption_{i}" for i in range(1, 6)),
    },
}
ImageCallback = Callable[[Mapping[str, object]], None]
_OFFICE_SIGNATURE, _PARQUET_SIGNATURE, _ARROW_SIGNATURE, _ARROW_STREAM_SIGNATURE = b"PK\x03\x04", b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"


def read_packed_table(path: ReadablePath) -> tuple[list[str], Iterator[Row[object]]] | None:
    """Return column names and rows of a Parquet, Arrow or Excel file, or None if the file has another format.

    Arrow includes Feather files and Hugging Face datasets on disk. Raises MissingResourceError if the package that reads
    the file is missing, and InputError if the file is invalid or is an uploaded Parquet or Arrow file.
    """
    with open_unpacked(path) as file, input_errors(path):
        head = file.peek(8)[:8]
    excel = head.startswith(_OFFICE_SIGNATURE) and PurePath(str(path)).suffix.lower() in (".xlsx", ".xlsm")
    if not (excel or head.startswith((_PARQUET_SIGNATURE, _ARROW_SIGNATURE, _ARROW_STREAM_SIGNATURE))):
        return None
    if isinstance(path, Upload) and not excel:  # a few compressed bytes can hold any number of long texts
        raise InputError(str(path), Message("found.parquet"), Message("expected.no_parquet"))
    package = "openpyxl" if excel else "pyarrow"
    if importlib.util.find_spec(package) is None:
        raise not_installed_error(package, "pip install 'spice_core[files]'")
    if excel:
        return _read_excel(path)
    if head.startswith(_PARQUET_SIGNATURE):
        return _read_parquet(path)
    return _read_arrow(path, head)


def is_object_layout(path: ReadablePath) -> bool:
    """Return whether a file is a JSON object (not JSON lines) with the rows of a public layout or captions by image id."""
    with open_utf8(path, {}) as file, input_errors(path):
        head = file.peek(_HEAD_BYTES)[:_HEAD_BYTES].decode("utf-8", "replace").lstrip()
    if not head.startswith("{"):
        return False
    try:
        value, end = json.JSONDecoder().raw_decode(head)
    except ValueError:  # the object is longer than the head
        match = _OBJECT_BY_ID_START.match(head)
        return bool(_LIST_START.search(head)) or bool(match and match["name"] not in _ROW_FIELDS)
    return not head[end:].strip() and not _ROW_FIELDS & {*value} and all(isinstance(region, str | list | dict) for region in value.values())


def object_rows(
    path: ReadablePath, encodings: EncodingByFile, notices: list[Message], images: ImageCallback | None = None
) -> Iterator[Row[object]]:
    """Yield the rows of a JSON object in a public layout, with ``image_id`` and captions or a scene graph.

    The layouts are COCO, Karpathy's files, TextCaps, MSR-VTT, GQA scene graphs, and captions by image id. Appends a
    notice about excluded captions to ``notices``. Calls ``images`` with each element without captions of the list ``images``.
    """
    with open_utf8(path, encodings) as file, input_errors(path):
        text = io.TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="")
        members = JsonScanner(text, str(path), max_row_size(path), max_values(path)).members()
        preceding_members: list[tuple[str, int, object]] = []
        texts = 0
        for member in members:
            preceding_members.append(member)
            name, _, value = member
            if is_list := name in _LIST_NAMES and (isinstance(value, dict) or value == []):
                break
            texts += isinstance(value, str)
            if texts == _MAX_TEXTS_BEFORE_LIST:
                break
        else:
            is_list = False
        yield from (
            _rows_of_lists(chain(preceding_members, members), path, notices, images)
            if is_list
            else _rows_by_id(chain(preceding_members, members))
        )


def _rows_of_lists(
    members: Iterator[tuple[str, int, object]], path: ReadablePath, notices: list[Message], images: ImageCallback | None
) -> Iterator[Row[object]]:
    """Yield the rows of an object whose lists hold the captions. Raises InputError if no list has captions."""
    excluded_count, names, any_list = 0, dict[str, bool](), False
    for name, index, value in members:
        names[name] = not index and value == []
        if name not in _LIST_NAMES or not index:
            continue
        if name == "images" and isinstance(value, dict) and "sentences" not in value:
            if images:
                images(value)
            continue
        any_list = True
        if isinstance(value, dict) and any(value.get(field) is True for field in _EXCLUSION_FLAGS):
            excluded_count += 1
        else:
            yield Row(Message("where.row_of", list=name, number=index), _convert_element(name, value))
    if not any_list:
        raise _missing_list_error(path, names)
    if excluded_count:
        notices.append(Message("notice.left_out", file=str(path), number=excluded_count))


def _missing_list_error(path: ReadablePath, names: Mapping[str, bool]) -> InputError:
    """Return the error for a file without captions, given the names of its members and whether each is an empty list."""
    empty_names = [name for name, is_empty in names.items() if is_empty and name in _LIST_NAMES and name != "images"]
    if empty_names:
        return InputError(str(path), Message("found.empty_list", name=empty_names[-1]), Message("expected.captions"))
    return InputError(str(path), only_names_message(names), Message("expected.list", name="annotations"))


def _convert_element(name: str, value: object) -> object:
    """Convert an element of the list ``name`` to a row."""
    if not isinstance(value, dict):
        return value
    if name == "images":
        return _convert_karpathy_image(value)
    if name == "data" and "caption_str" in value:
        return {"image_id": value.get("image_id"), "caption": value["caption_str"], "layout": Message("notice.named", name="TextCaps")}
    if name == "sentences" and "video_id" in value:
        return {"image_id": value["video_id"], "caption": value.get("caption"), "layout": Message("notice.named", name="MSR-VTT")}
    return value


def _convert_karpathy_image(image: Mapping[str, Any]) -> dict[str, object]:
    """Convert an image of Karpathy's files to a row. The image id is ``cocoid`` or, if that is missing, ``imgid``."""
    sentences, file = image["sentences"], image.get("filename")
    other_ids = [file, splitext(basename(file))[0]] if isinstance(file, str) else []
    captions = sentences
    if isinstance(sentences, list):
        captions = [
            sentence["raw"] if type(sentence) is dict and "raw" in sentence else text_of_caption(sentence) for sentence in sentences
        ]
    id = next(({"image_id": image[name]} for name in ("cocoid", "imgid") if name in image), {})
    return {**image, **id, "captions": captions, "other_ids": other_ids, "layout": Message("notice.named", name="Karpathy split")}


def _rows_by_id(members: Iterator[tuple[str, int, object]]) -> Iterator[Row[object]]:
    """Yield a row for each caption (text or object) or GQA graph of an object that maps image ids to these."""
    for id, _, value in members:
        row: dict[str, object] = {"caption": text_of_caption(value), "layout": Message("notice.by_id")}
        if isinstance(value, dict) and isinstance(value.get("objects"), dict):
            row = _convert_gqa_graph(value)
        yield Row(Message("where.field", name=id), {**row, "image_id": id})


def _convert_gqa_graph(graph: Mapping[str, Any]) -> dict[str, object]:
    """Convert the scene graph of a GQA image to Visual Genome's layout."""
    things = {id: thing for id, thing in graph["objects"].items() if isinstance(thing, dict)}
    relations = [
        {"subject_id": id, "predicate": relation.get("name"), "object_id": relation.get("object")}
        for id, thing in things.items()
        for relation in thing.get("relations") or ()
        if isinstance(relation, dict)
    ]
    objects = [{"object_id": id, "names": [thing.get("name")], "attributes": thing.get("attributes")} for id, thing in things.items()]
    return {**graph, "objects": objects, "relationships": relations, "layout": Message("notice.named", name="GQA scene graphs")}


def reference_rows(rows: Iterator[Row[object]], path: ReadablePath, notices: list[Message]) -> Iterator[Row[object]]:
    """Convert rows of Visual Genome and VATEX to the documented fields, and yield other rows unchanged.

    Images without a region or object are excluded, and a notice about these is appended to ``notices``.
    """
    excluded_count = 0
    for place, value in rows:
        row = _convert_reference_row(value) if isinstance(value, dict) else value
        if isinstance(row, dict) and row.get("objects") == [] and not row.get("relationships"):
            excluded_count += 1
        else:
            yield Row(place, row)
    if excluded_count:
        notices.append(Message("notice.empty_graphs", file=str(path), number=excluded_count))


def _convert_reference_row(row: Mapping[str, Any]) -> Mapping[str, object]:
    """Convert a row of references to the documented fields."""
    if isinstance(regions := row.get("regions"), list):
        texts = [region.get("phrase") if isinstance(region, dict) else region for region in regions]
        id = row.get("image_id", row.get("id"))
        return {
            **row,
            "image_id": id,
            **({"captions": texts} if texts else {"objects": []}),
            "layout": Message("notice.named", name="Visual Genome regions"),
        }
    if "enCap" in row:
        return {**row, "image_id": row.get("videoID"), "captions": row["enCap"], "layout": Message("notice.named", name="VATEX")}
    if "image_id" not in row or "caption" in row or "captions" in row:
        return row
    if isinstance(relations := row.get("relationships"), list) and "objects" not in row:
        return _convert_relationships(row, relations)
    kind = next((name for name in ("objects", "attributes") if isinstance(row.get(name), list)), "")
    if not kind or "relationships" in row:
        return row
    return {**row, "objects": row[kind], "relationships": [], "layout": Message("notice.named", name=f"Visual Genome {kind}")}


def _convert_relationships(row: Mapping[str, object], relations: list[Any]) -> dict[str, object]:
    """Convert an image of Visual Genome's file of relationships, in which each relationship contains its objects."""
    objects: dict[object, object] = {}
    relationships: list[object] = []
    for relation in relations:
        ends = [end for name in ("subject", "object") if isinstance(relation, dict) and isinstance(end := relation.get(name), dict)]
        if len(ends) < 2:
            relationships.append(relation)
            continue
        for end in ends:
            objects.setdefault(str(end.get("object_id")), {"names": [end.get("name")], **end, "object_id": str(end.get("object_id"))})
        relationships.append({**relation, **{f"{name}_id": str(end.get("object_id")) for name, end in zip(("subject", "object"), ends)}})
    return {
        **row,
        "objects": [*objects.values()],
        "relationships": relationships,
        "layout": Message("notice.named", name="Visual Genome relationships"),
    }


def public_columns(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns by field if the names are the header of a public data set, otherwise an empty dictionary."""
    return {name: [*columns] for name, columns in _COLUMNS_BY_TABLE.get(tuple(names), {}).items()}


def judgement_rows(path: ReadablePath, encodings: EncodingByFile | None, notices: list[Message]) -> Iterator[Row[object]] | None:
    """Return the rows of Flickr8k-Expert or Flickr8k-CF, or None if the file has another layout.

    The layout is ``{image: {"human_judgement": […], "ground_truth": […]}}``. Appends a notice about captions without a
    rating to ``notices``.
    """
    with open_utf8(path, {}) as file, input_errors(path):
        head = file.peek(_HEAD_BYTES)[:_HEAD_BYTES].decode("utf-8", "replace")
    return _judgement_rows(path, encodings, notices) if _JUDGEMENTS_START.match(head) else None


def _judgement_rows(path: ReadablePath, encodings: EncodingByFile | None, notices: list[Message]) -> Iterator[Row[object]]:
    excluded_count = 0
    with open_utf8(path, encodings) as file, input_errors(path):
        text = io.TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="")
        for id, _, value in JsonScanner(text, str(path), max_row_size(path), max_values(path)).members():
            image: Mapping[str, Any] = value if isinstance(value, dict) else {}
            for judgement in image.get("human_judgement") or ():
                rating = judgement.get("rating") if isinstance(judgement, dict) else None
                if rating != rating:  # NaN: not rated
                    excluded_count += 1
                    continue
                row = (
                    {"candidate": judgement.get("caption"), "references": image.get("ground_truth"), "rating": rating}
                    if rating is not None
                    else judgement
                )
                yield Row(Message("where.field", name=id), row)
    if excluded_count:
        notices.append(Message("notice.not_rated", file=str(path), number=excluded_count))


def token_rows(path: ReadablePath, encodings: EncodingByFile) -> Iterator[Row[object]] | None:
    """Return the rows of Flickr's ``NAME.jpg#0<tab>caption`` files, or None if the file has another layout."""
    with open_utf8(path, {}) as file, input_errors(path):
        head = file.peek(_HEAD_BYTES)[:_HEAD_BYTES].decode("utf-8", "replace")
    if not _TOKEN_LINE.fullmatch(head.partition("\n")[0].rstrip("\r")):
        return None
    return _token_rows(path, encodings)


def _token_rows(path: ReadablePath, encodings: EncodingByFile) -> Iterator[Row[object]]:
    for line_number, line in enumerate(text_lines(open_utf8(path, encodings), path), 1):
        if not (line := line.rstrip("\r\n")):
            continue
        match = _TOKEN_LINE.fullmatch(line)
        name = match["name"] if match else ""
        value: object = (
            {"image_id": name, "caption": match["caption"], "layout": Message("notice.named", name="Flickr tokens")}
            if match
            else InputError("", line, Message("expected.token"))
        )
        yield Row(Message("where.line", number=line_number), value)


def _open_source(path: ReadablePath) -> Any:
    return io.BytesIO(path.content) if isinstance(path, Upload) else str(Path(path))


def _read_excel(path: ReadablePath) -> tuple[list[str], Iterator[Row[object]]]:
    """Return column names and rows of the first sheet of a workbook. Its first row holds the names."""
    from openpyxl import load_workbook

    try:
        if isinstance(path, Upload):
            _check_workbook(path)
        sheet = load_workbook(_open_source(path), read_only=True, data_only=True).worksheets[0]
        sheet.reset_dimensions()  # the dimensions that the file states may be wrong and very large
        cells = sheet.iter_rows(values_only=True)
        names = ["" if name is None else str(name).strip() for name in next(cells, ())]
    except InputError:
        raise
    except Exception as error:
        raise _unreadable_error(path, error) from None
    check_names(path, [name for name in names if name], Message("where.row", number=1))
    return [name for name in names if name], _sheet_rows(path, names, cells)


def _check_workbook(upload: Upload) -> None:
    """Unpack the parts of an uploaded workbook in small blocks, because openpyxl reads most parts at once.

    Raises InputError if a part is not compressed by deflate, or if there are too many bytes, or XML tags in a row or in another part.
    """
    remaining_bytes = MAX_UNPACKED_UPLOAD_BYTES
    with ZipFile(io.BytesIO(upload.content)) as archive:
        for part in archive.infolist():
            if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise InputError(str(upload), Message("found.packing", name=part.filename), Message("expected.deflate"))
            if part.compress_size > part.file_size + _HEAD_BYTES:
                raise BadZipFile
            tag_count = 0
            with archive.open(part) as file:
                for block in iter(partial(file.read, _HEAD_BYTES), b""):
                    remaining_bytes -= len(block)
                    if remaining_bytes < 0:
                        megabytes = MAX_UNPACKED_UPLOAD_BYTES >> 20
                        raise InputError(str(upload), Message("found.unpacked", megabytes=megabytes), Message("expected.unpacked_file"))
                    for row_index, row in enumerate(_ROW_TAG.split(block)):
                        tag_count = row.count(b"<") + (0 if row_index else tag_count)
                        if tag_count > MAX_VALUES:
                            raise InputError(str(upload), Message("found.many_values", number=MAX_VALUES), Message("expected.smaller_file"))


def _sheet_rows(path: ReadablePath, names: list[str], cells: Iterator[tuple[object, ...]]) -> Iterator[Row[object]]:
    """Yield the nonempty rows of a sheet below its column names. Raises InputError if a row cannot be read."""
    row_number = 1
    while True:
        row_number += 1
        try:
            row = next(cells, None)
        except Exception as error:
            raise _unreadable_error(path, error) from None
        if row is None:
            return
        if isinstance(path, Upload) and len(row) > MAX_UPLOADED_COLUMNS:
            raise InputError(
                str(path), Message("found.many_columns", number=len(row)), Message("expected.at_most_many", number=MAX_UPLOADED_COLUMNS)
            )
        if any(cell is not None for cell in row):
            yield Row(Message("where.row", number=row_number), {name: _cell_value(cell) for name, cell in zip(names, row) if name})


def _cell_value(cell: object) -> object:
    """Return the value of a cell: None as "", whole floats as integers, and other floats, dates and booleans as texts."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell if isinstance(cell, str | int | list | dict) and not isinstance(cell, bool) else str(cell)


def _read_parquet(path: ReadablePath) -> tuple[list[str], Iterator[Row[object]]]:
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(_open_source(path))
        heavy_columns = _columns_of_long_texts(file.metadata)
    except Exception as error:
        raise _unreadable_error(path, error) from None
    check_names(path, file.schema_arrow.names, "")
    light_columns = [name for name in _columns_without_binaries(file.schema_arrow) if name not in heavy_columns]
    return file.schema_arrow.names, _batch_rows(path, file.iter_batches(256, columns=light_columns))


def _columns_of_long_texts(metadata: Any) -> set[str]:
    """Return the columns whose texts are on average too long for captions, such as images in base64."""
    column_bytes: dict[str, int] = {}
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(group.num_columns)):
            column_bytes[column.path_in_schema] = column_bytes.get(column.path_in_schema, 0) + column.total_uncompressed_size
    return {name for name, total in column_bytes.items() if total > MAX_TEXT_CHARS * max(metadata.num_rows, 1)}


def _read_arrow(path: ReadablePath, head: bytes) -> tuple[list[str], Iterator[Row[object]]]:
    """Return the column names and rows of an Arrow file, or of an Arrow stream such as ``Dataset.save_to_disk`` writes."""
    import pyarrow

    try:
        if head.startswith(_ARROW_STREAM_SIGNATURE):
            batches = file = pyarrow.ipc.open_stream(_open_source(path))
        else:
            file = pyarrow.ipc.open_file(_open_source(path))
            batches = map(file.get_batch, range(file.num_record_batches))
    except Exception as error:
        raise _unreadable_error(path, error) from None
    light_columns = _columns_without_binaries(file.schema)
    check_names(path, file.schema.names, "")
    return file.schema.names, _batch_rows(path, (batch.select(light_columns) for batch in batches))


def _columns_without_binaries(schema: Any) -> list[str]:
    """Return the columns without binary data, so that images are not read."""
    import pyarrow

    def is_binary(arrow_type: Any) -> bool:
        return (
            pyarrow.types.is_binary(arrow_type)
            or pyarrow.types.is_large_binary(arrow_type)
            or (pyarrow.types.is_struct(arrow_type) and any(is_binary(f.type) for f in arrow_type))
        )

    return [field.name for field in schema if not is_binary(field.type)]


def _batch_rows(path: ReadablePath, batches: Iterator[Any]) -> Iterator[Row[object]]:
    """Yield the rows of Arrow batches. Raises InputError if a batch cannot be read."""
    row_number = 0
    while True:
        try:
            batch = next(batches, None)
            if batch is not None:
                batch.validate(full=True)  # a damaged batch would crash the process
            rows = [] if batch is None else batch.to_pylist()
        except Exception as error:
            raise _unreadable_error(path, error) from None
        if batch is None:
            return
        for row in rows:
            row_number += 1
            yield Row(Message("where.row", number=row_number), {name: _cell_value(value) for name, value in row.items()})


def _unreadable_error(path: ReadablePath, error: Exception) -> InputError:
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, BadZipFile):  # an Excel file is an archive
        return InputError(str(path), Message("found.damaged"), Message("expected.complete_file"))
    return InputError(str(path), Message("found.unreadable", reason=str(error).split("\n")[0]), Message("expected.readable_file"))
