"""The layouts of files, which ``sniff`` detects from their beginning, and the readers of layouts of public data sets."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from json import JSONDecoder
from os.path import basename, splitext
from typing import Any, NamedTuple

from spice_core.data.columns import starts_with_captions, text_of_caption
from spice_core.data.json_stream import only_names_message
from spice_core.data.packed_tables import Table, is_packed, read_packed_table
from spice_core.data.reader import (
    DELIMITER_BY_SUFFIX,
    EncodingByFile,
    Head,
    ReadablePath,
    Row,
    input_errors,
    json_rows,
    json_scanner,
    open_utf8,
    read_table,
    text_lines,
)
from spice_core.data.visual_genome import as_visual_genome
from spice_core.errors import InputError, Message
from spice_core.plugins import added_paths, load_added, load_working

# An object with one of these members is a row.
_ROW_FIELDS = {*"image_id test refs caption captions candidate references id regions relationships objects".split()}
_LIST_NAMES = ("images", "annotations", "data", "sentences")  # members of an object that hold the rows of a public layout
_LIST_START, _OBJECT_END = re.compile(r"\[\s*[{\]]"), re.compile(r"\s*\}\s*")
_MEMBER_START = re.compile(r'\s*,?\s*"(?P<name>(?:[^"\\]|\\.)*+)"\s*:\s*')
_MAX_START_CHARS = 100  # length of a value's beginning that shows its type
_SAMPLE_MEMBERS = 50  # number of members for detecting an object's layout
_SAMPLE_LINES = 20  # number of lines for detecting a missing header
_DECODER = JSONDecoder()
_ANNOTATION_START = (
    re.compile(r'\A\s*\{\s*"(?:info|images|annotations|licenses)"\s*:\s*[\[{]'),
    re.compile(r'"(?:images|annotations)"\s*:\s*\['),
)
_JUDGEMENTS_START = re.compile(r'\s*\{\s*"[^"]*"\s*:\s*\{[^{}]*"human_judgement"\s*:\s*\[')
_TOKEN_LINE = re.compile(r"(?P<name>[^\t]+)#\d+[A-Za-z]?\t(?P<caption>.*)")
_MAX_TEXTS_BEFORE_LIST = 1_000  # number of leading texts that identifies an object as captions by id
_SPLIT_NAMES = ("train", "val", "valid", "validation", "test")  # members that hold the rows of a split
# Name of a layout and field of its captions, by the fields of its rows: the image id, the captions, and others.
_LAYOUT_BY_FIELDS = {
    ("image_id", "caption_str"): ("TextCaps", "caption"),
    ("video_id", "caption", "sen_id"): ("MSR-VTT", "caption"),
    ("videoID", "enCap"): ("VATEX", "captions"),
    ("id", "report", "split"): ("R2Gen", "caption"),
}
_CAPTION_LISTS = ("captions", "references", "refs")  # names of the captions of an image
_EXCLUSION_FLAGS = ("is_rejected", "is_precanned")  # fields of VizWiz that mark captions that its API excludes
# Columns by field, for the headers of Flickr8k, Flickr30k, AudioCaps, DOCCI and Clotho.
COLUMNS_BY_TABLE = {
    "image caption": {"image_id": "image", "captions": "caption"},
    "image_name comment_number comment": {"image_id": "image_name", "captions": "comment"},
    "audiocap_id youtube_id start_time caption": {"image_id": "youtube_id", "captions": "caption", "other_ids": "audiocap_id"},
    "example_id split image_file description": {"image_id": "example_id", "captions": "description", "other_ids": "image_file"},
    "file_name caption_1 caption_2 caption_3 caption_4 caption_5": {
        "image_id": "file_name",
        "captions": "caption_1 caption_2 caption_3 caption_4 caption_5",
    },
}
JSON_SUFFIXES, _JSON_LINES_SUFFIXES = (".json", ".jsonl", ".jsonlines", ".ndjson"), (".jsonl", ".jsonlines", ".ndjson")
_OTHER_SUFFIXES = (*JSON_SUFFIXES, *DELIMITER_BY_SUFFIX, ".token")
_COLUMN_NAMES = {"image_id", "image", "image_name", "file_name", "caption", "captions", "test", "candidate", "refs"}  # names in a header
CONTENTS = ("items", "results", "references", "ratings", "questions")


@dataclass
class Reading:
    """How to read a file, and its detected encoding and notices.

    ``add_image`` receives the images of annotations. ``header`` states whether the first row of a table holds column names.
    """

    delimiter: str = ""
    encodings: EncodingByFile | None = None
    notices: list[Message] = field(default_factory=list)
    add_image: Callable[[Mapping[str, object]], None] | None = None
    header: bool | None = None


def _object_rows(path: ReadablePath, reading: Reading) -> Iterator[Row[object]]:
    """Yield the rows of a JSON object in a public layout, with ``image_id`` and captions or a scene graph.

    The layouts are COCO, Karpathy's files, TextCaps, MSR-VTT, GQA scene graphs, and captions by image id. Appends a
    notice about excluded captions, and calls ``add_image`` with each element without captions of the list ``images``.
    """
    with open_utf8(path, reading.encodings) as file, input_errors(path):
        members = json_scanner(file, path).members()
        preceding_members: list[tuple[str, int, object]] = []
        is_list, texts = False, 0
        for name, index, value in members:
            preceding_members.append((name, index, value))
            texts += isinstance(value, str)
            is_list = (name in _LIST_NAMES or (name in _SPLIT_NAMES and index > 0)) and (isinstance(value, dict) or value == [])
            if is_list or texts == _MAX_TEXTS_BEFORE_LIST:
                break
        results = next((value for name, _, value in preceding_members if name == "results" and isinstance(value, dict)), None)
        all_members = chain(preceding_members, members) if results is None else ((id, 0, value) for id, value in results.items())
        if is_list:
            yield from _rows_in_lists(all_members, path, reading)
        for id, _, value in all_members:  # captions (texts or objects), graphs or described events by image id
            yield Row(Message("where.field", name=id), {**_convert_value(value), "image_id": id})


def _rows_in_lists(members: Iterator[tuple[str, int, object]], path: ReadablePath, reading: Reading) -> Iterator[Row[object]]:
    """Yield the rows of an object whose lists contain the captions. Raises InputError if no list has captions."""
    excluded_count, names, any_list = 0, dict[str, bool](), False
    for name, index, value in members:
        names[name] = not index and value == []
        if name not in (*_LIST_NAMES, *_SPLIT_NAMES) or not index:
            continue
        if name == "images" and isinstance(value, dict) and "sentences" not in value:
            if reading.add_image:
                reading.add_image(value)
            continue
        any_list = True
        if isinstance(value, dict) and any(value.get(field) is True for field in _EXCLUSION_FLAGS):
            excluded_count += 1
        else:
            if isinstance(value, dict):
                value = _convert_karpathy_image(value) if name == "images" else {"split": name, **value} if name in _SPLIT_NAMES else value
            yield Row(Message("where.row_of", list=name, number=index), value)
    empty_names = [name for name, is_empty in names.items() if is_empty and name in _LIST_NAMES and name != "images"]
    if not any_list and empty_names:
        raise InputError(str(path), Message("found.empty_list", name=empty_names[-1]), Message("expected.captions"))
    if not any_list:
        raise InputError(str(path), only_names_message(names), Message("expected.list", name="annotations"))
    if excluded_count:
        reading.notices.append(Message("notice.left_out", file=str(path), number=excluded_count))


def _convert_karpathy_image(image: Mapping[str, Any]) -> dict[str, object]:
    """Convert an image of Karpathy's files to a row. The image id is ``cocoid``, or else ``imgid``."""
    sentences, file = image["sentences"], image.get("filename")
    other_ids = [file, splitext(basename(file))[0]] if isinstance(file, str) else []
    captions = sentences
    if isinstance(sentences, list):
        captions = [
            sentence["raw"] if type(sentence) is dict and "raw" in sentence else text_of_caption(sentence) for sentence in sentences
        ]
    id = next(({"image_id": image[name]} for name in ("cocoid", "imgid") if name in image), {})
    return {**image, **id, "captions": captions, "other_ids": other_ids, "layout": Message("notice.named", name="Karpathy split")}


def _convert_value(value: object) -> Mapping[str, object]:
    """Convert the value of an image id to a row. Sentences of dense captions are joined into a paragraph."""
    events = value.get("sentences") if isinstance(value, dict) else value
    is_dense = isinstance(value, dict) or (
        isinstance(value, list) and all(isinstance(event, dict) and "timestamp" in event for event in value)
    )
    if is_dense and events and isinstance(events, list) and all(isinstance(text_of_caption(event), str) for event in events):
        paragraph = " ".join(str(text_of_caption(event)).strip() for event in events)
        return {"caption": paragraph, "layout": Message("notice.named", name="ActivityNet paragraphs")}
    if isinstance(value, dict) and (name := next((name for name in _CAPTION_LISTS if isinstance(value.get(name), list)), "")):
        return {"captions": value[name], "layout": Message("notice.by_id")}
    graph = as_visual_genome(value) if isinstance(value, dict) else {}
    return graph if "relationships" in graph else {"caption": text_of_caption(value), "layout": Message("notice.by_id")}


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
        layout = Message("notice.named", name="Visual Genome regions")
        return {**row, "image_id": id, **({"captions": texts} if texts else {"objects": []}), "layout": layout}
    messages = row.get("conversations", row.get("messages"))
    if isinstance(messages, list) and messages and isinstance(messages[-1], dict):
        layout, images = Message("notice.named", name="conversations"), row.get("images")
        image = images[0] if isinstance(images, list) and images else row.get("image")
        caption = messages[-1].get("value", messages[-1].get("content"))
        return {**row, "image_id": row.get("id", image), "caption": caption, "other_ids": [image] if image else [], "layout": layout}
    for (id_name, text_name, *other_names), (name, caption_name) in _LAYOUT_BY_FIELDS.items():
        if {id_name, text_name, *other_names} <= row.keys():
            return {**row, "image_id": row[id_name], caption_name: row[text_name], "layout": Message("notice.named", name=name)}
    return row if {"caption", "captions"} & row.keys() else as_visual_genome(row)


def _judgement_rows(head: Head, reading: Reading) -> Iterator[Row[object]]:
    """Yield the judgements of Flickr8k-Expert or Flickr8k-CF: ``{image: {"human_judgement": […], "ground_truth": […]}}``."""
    excluded_count = 0
    with open_utf8(head.path, reading.encodings) as file, input_errors(head.path):
        for id, _, value in json_scanner(file, head.path).members():
            image: Mapping[str, Any] = value if isinstance(value, dict) else {}
            for judgement in image.get("human_judgement") or ():
                rating = judgement.get("rating") if isinstance(judgement, dict) else None
                if rating != rating:  # NaN means not rated
                    excluded_count += 1
                    continue
                if rating is not None:
                    judgement = {"candidate": judgement.get("caption"), "references": image.get("ground_truth"), "rating": rating}
                yield Row(Message("where.field", name=id), judgement)
    if excluded_count:
        reading.notices.append(Message("notice.not_rated", file=str(head.path), number=excluded_count))


def _token_rows(head: Head, reading: Reading) -> Iterator[Row[object]]:
    """Yield the rows of Flickr's ``NAME.jpg#0<tab>caption`` files."""
    for line_number, line in enumerate(text_lines(open_utf8(head.path, reading.encodings), head.path), 1):
        if line := line.rstrip("\r\n"):
            value: object = InputError("", line, Message("expected.token"))
            if match := _TOKEN_LINE.fullmatch(line):
                value = {"image_id": match["name"], "caption": match["caption"], "layout": Message("notice.named", name="Flickr tokens")}
            yield Row(Message("where.line", number=line_number), value)


def _is_object_file(head: Head) -> bool:
    """Return whether a file is a JSON object, other than JSON lines, in a public layout or with captions by image id.

    Only the first members decide, so that a file is read in the same way whatever its size.
    """
    text, starts, is_cut = head.text.lstrip(), dict[str, str](), False
    position = text.find("{") + 1
    while len(starts) < _SAMPLE_MEMBERS and (member := _MEMBER_START.match(text, position)):
        starts[member["name"]] = text[member.end() : member.end() + _MAX_START_CHARS]
        try:
            _, position = _DECODER.raw_decode(text, member.end())
        except ValueError:  # the value extends beyond the head
            is_cut = True
            break
    else:
        if (end := _OBJECT_END.match(text, position)) and text[end.end() :]:
            return False  # the next line follows
    lists = {name for name, start in starts.items() if _LIST_START.match(start)}
    if not text.startswith("{") or (_ROW_FIELDS - (lists & {*_SPLIT_NAMES})) & starts.keys():
        return False
    has_captions = [start.startswith(('"', "[", "{")) for start in starts.values()]
    return is_cut or bool(lists & {*_LIST_NAMES, *_SPLIT_NAMES, "videos"}) or (any if head.suffix == ".json" else all)(has_captions)


def _is_table_file(head: Head) -> bool:
    """Return whether a file is a table, by its suffix or, for an unknown suffix, because its first line has several columns and
    is not JSON."""
    if head.suffix in DELIMITER_BY_SUFFIX or head.suffix in JSON_SUFFIXES:
        return head.suffix in DELIMITER_BY_SUFFIX
    line = head.first_line.lstrip()
    return not line.startswith(("[", "{")) and any(separator in line for separator in ",;\t|")


def has_tokens(head: Head) -> bool:
    """Return whether the first line of a file is ``NAME#0<tab>caption``."""
    first_line = head.text.partition("\n")[0].rstrip("\r")
    return head.suffix not in (*JSON_SUFFIXES, *DELIMITER_BY_SUFFIX) and bool(_TOKEN_LINE.fullmatch(first_line))


def is_annotated(head: Head) -> bool:
    """Return whether a file is a JSON object with a list of images or annotations, like COCO's."""
    return all(pattern.search(head.text) for pattern in _ANNOTATION_START)


class Layout(NamedTuple):
    """A layout of files. A package adds one with an entry point of the group ``spice_core.layouts``.

    Attributes:
        name: The name of the layout.
        contents: What a file of this layout can hold: "items", "results", "references", "ratings", or several of these.
        matches: Returns whether a file with this beginning has the layout.
        open: Returns the column names (or an empty list, if the file is not a table) and an iterator over the rows. The value of a
            row is a dictionary, or an InputError.
    """

    name: str
    contents: Collection[str]
    matches: Callable[[Head], bool]
    open: Callable[[Head, Reading], Table]


def _open_table(head: Head, reading: Reading) -> Table:
    """Open a table. Without column names, the columns are named column1, column2, ….

    Raises InputError as ``read_table`` does.
    """
    delimiter = head.delimiter(reading.delimiter)
    rows = csv.reader(head.text.splitlines()[:_SAMPLE_LINES], delimiter=delimiter)
    has_header = not starts_with_captions([*rows]) if reading.header is None else reading.header
    return read_table(head.path, delimiter, reading.encodings, has_header=has_header)


_TABLE = Layout("table", CONTENTS, _is_table_file, _open_table)
LAYOUTS = (
    Layout("packed table", CONTENTS, is_packed, lambda head, reading: read_packed_table(head)),
    Layout(
        "Flickr8k judgements", ("ratings",), lambda head: bool(_JUDGEMENTS_START.match(head.text)),
        lambda head, reading: ([], _judgement_rows(head, reading)),
    ),
    Layout("Flickr tokens", ("items", "results", "references"), has_tokens, lambda head, reading: ([], _token_rows(head, reading))),
    _TABLE,
    Layout(
        "JSON object", ("results", "references"), lambda head: head.suffix not in _JSON_LINES_SUFFIXES and _is_object_file(head),
        lambda head, reading: ([], _object_rows(head.path, reading)),
    ),
    Layout("JSON", CONTENTS, lambda head: True, lambda head, reading: ([], json_rows(head.path, reading.encodings))),
)  # fmt: skip


@cache
def added_layouts() -> tuple[Layout, ...]:
    """Return the layouts of installed packages, without broken ones."""
    paths = added_paths("spice_core.layouts")
    return tuple(load_working(paths, lambda name: load_added(paths[name], Layout)))


def sniff(head: Head, content: str, delimiter: str = "") -> Layout:
    """Return the layout of a file with this beginning and content. With a ``delimiter``, a file that is not JSON is a table."""
    layouts = [layout for layout in (*added_layouts(), *LAYOUTS) if content in layout.contents]
    layout = next(layout for layout in layouts if layout.matches(head))
    is_text = layout in LAYOUTS and not is_packed(head)
    return _TABLE if delimiter and is_text and head.suffix not in JSON_SUFFIXES else layout


def is_plain_text(head: Head) -> bool:
    """Return whether a file is taken for plain text: not for JSON, a table with a header, or lines ``NAME#0<tab>caption``."""
    if head.suffix in _OTHER_SUFFIXES or is_packed(head) or any(layout.matches(head) for layout in added_layouts()):
        return False
    names = {cell.strip().strip('"').lower() for cell in head.first_line.split(head.delimiter())}
    return not head.first_line.lstrip().startswith(("[", "{")) and not names & _COLUMN_NAMES and not has_tokens(head)


def are_parallel_lines(head: Head) -> bool:
    """Return whether a file is plain text and no headerless table, whose first lines all have the same number of cells (at least two)."""
    counts = {line.count(head.delimiter()) for line in head.text.splitlines()[:_SAMPLE_LINES] if line.strip()}
    return is_plain_text(head) and (len(counts) != 1 or counts == {0})


def line_rows(
    heads: Sequence[Head], encodings: EncodingByFile, notices: list[Message], keys: ReadablePath | None = None
) -> Iterator[Row[object]]:
    """Yield a row for each line of the first file, with the same line of each other file as a reference.

    The row has the line number as ``image_id``, the line as ``test``, and the nonempty lines of the other files as
    ``refs``. With ``keys``, there is a row for each distinct line of that file, whose references are those of all such lines.
    Raises InputError if the files differ in length or a file of references is not plain text.
    """
    path, *references = files = [head.path for head in heads]
    for head in heads[1:]:
        if not is_plain_text(head):
            raise InputError(str(head.path), Message("found.no_plain_text"), Message("expected.plain_text"))
    files += [keys] if keys else []
    counts = [sum(1 for _ in _iterate_lines(file, encodings)) for file in files]
    for file, count in zip(files, counts):
        if count != counts[0]:
            expected = Message("expected.lines_of", number=counts[0], file=str(path))
            raise InputError(str(file), Message("found.lines_of", number=count), expected)
    notice = Message("notice.lines", file=str(path), references=", ".join(map(str, references)), number=counts[0])
    if notice not in notices:
        notices.append(notice)
    rows: dict[object, Row[Any]] = {}
    for line_number, (test, *captions) in enumerate(zip(*(_iterate_lines(file, encodings) for file in files)), 1):
        key = captions.pop().strip() if keys else line_number
        refs = [line for line in captions if line.strip()]
        row = Row(Message("where.line", number=line_number), {"image_id": key, "test": test, "refs": refs})
        if not keys:
            yield row
        elif (first := rows.setdefault(key, row)) is not row:
            first.value["refs"].extend(refs)
            if first.value["test"] != test:
                yield Row(row.place, InputError("", test, Message("expected.same_candidate", name=key)))
    yield from rows.values()


def _iterate_lines(file: ReadablePath, encodings: EncodingByFile) -> Iterator[str]:
    return (line.rstrip("\r\n") for line in text_lines(open_utf8(file, encodings), file))
