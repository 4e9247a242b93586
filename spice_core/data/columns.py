"""Guess which columns of a table or fields of JSON rows are image ids, candidates, references and image files.

The guess uses English and Japanese column names, and the contents if the names do not suffice.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePosixPath
from statistics import fmean

from spice_core.errors import encodable_text

Rows = Sequence[Mapping[str, object]]

ITEM_FIELDS, RESULT_FIELDS, REFERENCE_FIELDS = ("image_id", "test", "refs"), ("image_id", "caption"), ("image_id", "captions")
IMAGE_FILE_FIELD = "file_name"
MAX_COLUMNS = 100  # maximum number of columns for guessing fields
_MAX_LIST_CHARS = 100_000  # maximum length of a list literal
_MAX_KEY_CHARS = 64
_MAX_SAMPLE_CHARS = 1_000  # length of the beginning that determines a column's kind
_MIN_CAPTION_WORDS = 3  # a cell with fewer words can be a column name
_MIN_MEAN_WORDS, _MIN_MEAN_JAPANESE_CHARS = 2.5, 4.0  # minimum mean lengths of the captions in a column


class Certainty(StrEnum):
    """The basis of a guess of columns: documented names, other names, or contents. ``NONE`` marks an incomplete guess."""

    KNOWN = "known"
    NAMES = "names"
    CONTENT = "content"
    NONE = "none"


@dataclass(frozen=True)
class Columns:
    """The columns of the parts of an item. Without ``image_id``, rows are numbered."""

    image_id: str = ""
    candidate: str = ""
    references: tuple[str, ...] = ()
    image_file: str = ""
    certainty: Certainty = Certainty.NONE

    def is_complete(self, layout: tuple[str, ...]) -> bool:
        """Return whether all required columns of the layout are known."""
        return bool(self.candidate or layout == REFERENCE_FIELDS) and bool(self.references or layout == RESULT_FIELDS)

    def by_field(self, layout: tuple[str, ...]) -> dict[str, list[str]]:
        """Return the columns by field of the layout, as ``Source`` expects them."""
        captions = {"test": [self.candidate], "refs": [*self.references]}
        captions |= {"caption": [self.candidate], "captions": [*self.references]}
        single_columns = {"image_id": self.image_id, IMAGE_FILE_FIELD: self.image_file}
        return {name: [column] if column else [] for name, column in single_columns.items()} | {name: captions[name] for name in layout[1:]}

    def option_value(self, layout: tuple[str, ...], given_columns: Mapping[str, Sequence[str]] | None = None) -> str:
        """Return the guess as values of ``--columns``, with the given columns of other fields.

        Return "" if the option cannot contain one of the names.
        """
        fields = {**(given_columns or {}), **self.by_field(layout)}
        if any("," in name or not name.isprintable() for names in fields.values() for name in names):
            return ""
        values = [f"{field}={','.join(names)}" for field, names in fields.items() if field != IMAGE_FILE_FIELD]
        return " ".join(shlex.quote(value) if re.search(r"[^\w@%+=:,./-]", value) else value for value in values)


class _ColumnRole(StrEnum):
    """The meaning of a column name. ``CAPTION`` means a candidate or a reference, and ``IMAGE`` an id or a file."""

    OTHER = "other"
    FILE = "file"
    REFERENCE = "reference"
    CANDIDATE = "candidate"
    ID = "id"
    IMAGE = "image"
    CAPTION = "caption"


_NAME_PATTERN_BY_ROLE = {
    _ColumnRole.OTHER: r"\b(scores?|ratings?|rated|len|lengths?|count|num|tokens?|split|lang|language|weights?|width|height|license|date|time)\b"
    r"|\b(sent|sentence|caption|cap|ann|annotation|user|worker|rater|author|seg|segment|set)s? ids?\b|\b(sentids?|capids?|annids?)\b"
    r"|\b(model|system|answer) (name|id)s?\b|^(model|system)$|\b(prompts?|instructions?|questions?|inputs?)\b(?! ids?\b)|評価|スコア|点数|長さ|言語|日付|日時|備考|メモ",
    _ColumnRole.FILE: r"\b(files?|filenames?|filepath|path|imagepath|imagefile|imgpath|url|uri|cocourl|src)\b|ファイル|パス$|画像名",
    _ColumnRole.REFERENCE: r"\b(refs?|references?|gts?|ground ?truths?|gold|golden|targets?|labels?|humans?|annotations?)\b"
    r"|参照|正解|教師|リファレンス|人手|お手本",
    _ColumnRole.CANDIDATE: r"\b(test|cands?|candidates?|preds?|predictions?|predicted|hyps?|hypos?|hypothes[ie]s|generated|generations?|outputs?"
    r"|responses?|results?|resps?|system|model|mt)\b|候補|生成|予測|出力|仮説|推論|システム|モデル",
    _ColumnRole.ID: r"\b(ids?|imageid|imgid|cocoid|ytid|vid|no|number|index|idx|key)\b|番号|通し",
    _ColumnRole.IMAGE: r"\b(image|images|img|picture|photo)\b|画像|写真",
    _ColumnRole.CAPTION: r"\b(captions?|caps?|answers?|sentences?|sents?|texts?|raws?|descriptions?|comments?)\b|キャプション|説明|文$|文章|テキスト",
}
_ALTERNATIVE_FIELDS = {ITEM_FIELDS: (), REFERENCE_FIELDS: ("caption", "objects")}  # JSON fields that may replace the list of references
_IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff")
_CAPTION_SEPARATOR = re.compile(r"\s\|{1,2}\s")
_QUOTED_PATTERN = r"""(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")"""
_LIST_LITERAL_PATTERN = re.compile(rf"\[\s*+(?:{_QUOTED_PATTERN}(?:\s*+,\s*+|\s*+(?=\])|\s++(?=['\"])))++\]")
_CAPTION_FIELDS = ("raw", "caption", "text", "sentence")  # caption fields of a JSON object


@lru_cache(maxsize=4096)
def _column_role(name: str) -> _ColumnRole | None:
    """Return the meaning of a column name, or None if it is unknown."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unicodedata.normalize("NFKC", name[:200])).casefold()
    words = re.sub(r"[\W_]+|(?<=\D)(?=\d)|(?<=\d)(?=\D)|(?<=[ -~])(?=[^ -~])|(?<=[^ -~])(?=[ -~])", " ", words).strip()
    return next((role for role, pattern in _NAME_PATTERN_BY_ROLE.items() if re.search(pattern, words)), None)


class _ColumnKind(StrEnum):
    EMPTY = "empty"
    FILE = "file"
    LIST = "list"
    KEY = "key"
    CAPTION = "caption"
    PHRASE = "phrase"
    NUMBER = "number"
    OBJECT = "object"
    OTHER = "other"


def _column_kind(values: Sequence[object]) -> _ColumnKind:
    """Return the kind of a column's values. Keys are short and unique; phrases are shorter than captions."""
    if not values:
        return _ColumnKind.EMPTY
    if _is_mostly_true(is_image_file(value) for value in values):
        return _ColumnKind.FILE
    if _is_mostly_true(isinstance(value, list) or (isinstance(value, str) and len(read_captions(value)) > 1) for value in values):
        return _ColumnKind.LIST
    texts = [str(value).strip()[:_MAX_SAMPLE_CHARS] for value in values if isinstance(value, str | int) and not isinstance(value, bool)]
    return _text_column_kind(texts) if len(texts) == len(values) else _ColumnKind.OBJECT


def _text_column_kind(texts: Sequence[str]) -> _ColumnKind:
    """Return the kind of a column of texts and numbers."""
    word_count, char_count = fmean(len(text.split()) for text in texts), fmean(len(re.findall("[ぁ-ヿ一-鿿]", text)) for text in texts)
    if word_count >= _MIN_MEAN_WORDS or char_count >= _MIN_MEAN_JAPANESE_CHARS:
        return _ColumnKind.CAPTION
    is_key = re.compile(rf"(?!-?\d*\.\d+$)\S{{0,{_MAX_KEY_CHARS}}}").fullmatch  # excludes decimal fractions
    if all(map(is_key, texts)) and len({*texts}) == len(texts):
        return _ColumnKind.KEY
    if all(re.fullmatch(r"-?[\d.]+", text) for text in texts):
        return _ColumnKind.NUMBER
    return _ColumnKind.PHRASE if word_count > 1 or char_count > 0 else _ColumnKind.OTHER


def _is_mostly_true(answers: Iterator[bool]) -> bool:
    votes = [*answers]
    return sum(votes) * 2 > len(votes)


def is_image_file(value: object) -> bool:
    """Return whether a value looks like the name, path or URL of an image, by its suffix."""
    return isinstance(value, str) and value.partition("?")[0].strip().lower().endswith(_IMAGE_SUFFIXES)


def image_file(row: Mapping[str, object]) -> str:
    """Return the name, path or URL of the image file of a row, or "" if there is none."""
    if isinstance(file_name := row.get(IMAGE_FILE_FIELD), str) and file_name:
        return encodable_text(file_name[:1000])
    roles = (_ColumnRole.FILE, _ColumnRole.IMAGE)
    file_columns = (name for name, value in row.items() if is_image_file(value) and _column_role(name) in roles)
    return encodable_text(str(row.get(next(file_columns, ""), ""))[:1000])


def file_name(path: str) -> str:
    """Return the file name at the end of a path or URL."""
    return PurePosixPath(path.partition("?")[0].replace("\\", "/")).name


def are_documented_names(names: Collection[str], layout: tuple[str, ...], *, table: bool) -> bool:
    """Return whether these include all documented names of the layout. A table may split a list into columns (ref1, ref2)."""
    if layout == RESULT_FIELDS:
        return {*RESULT_FIELDS} <= {*names}
    prefix = layout[-1].removesuffix("s")
    list_columns = [name for name in names if name.startswith(prefix)] if table else {*names} & {layout[-1], *_ALTERNATIVE_FIELDS[layout]}
    return {*layout[:-1]} <= {*names} and bool(list_columns)


def guess_columns(names: Sequence[str], rows: Rows, layout: tuple[str, ...] = ITEM_FIELDS, *, table: bool = True) -> Columns:
    """Guess the columns of a file from some rows. Return an empty guess if ``names`` cannot be column names."""
    if are_documented_names(names, layout, table=table):
        references = tuple(name for name in names if layout != RESULT_FIELDS and name.startswith(layout[-1].removesuffix("s")))
        file = next((name for name in names if any(image_file({name: row.get(name)}) for row in rows)), "")
        return Columns("image_id", layout[1] if layout != REFERENCE_FIELDS else "", references, file, Certainty.KNOWN)
    return _ColumnGuess(names, rows, layout).columns() if are_names(names) else Columns()


def are_names(names: Sequence[str]) -> bool:
    """Return whether these can be column names: at most ``MAX_COLUMNS``, no numbers and no image files."""
    return len(names) <= MAX_COLUMNS and not any(name.strip().isdecimal() or is_image_file(name) for name in names)


def starts_with_captions(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row of a table contains captions rather than column names, judged by known names and long cells."""
    names = rows[0] if rows else ()
    is_name = [len(name.split()) < _MIN_CAPTION_WORDS and _column_role(name) is not None and not is_image_file(name) for name in names]
    columns = zip(*(row for row in rows[1:] if len(row) == len(names)))
    kinds = [_column_kind([cell for cell in column if cell]) for column in columns]
    return not any(is_name) and any(
        len(name.split()) >= _MIN_CAPTION_WORDS and kind is _ColumnKind.CAPTION for name, kind in zip(names, kinds)
    )


def caption_columns(names: Sequence[str], rows: Rows, layout: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the columns of a table without column names by field of the layout: the first other column is the id."""
    captions = [n for n in names if _column_kind([v for row in rows if (v := row.get(n))]) in (_ColumnKind.CAPTION, _ColumnKind.PHRASE)]
    columns = {"image_id": [name for name in names if name not in captions][:1], "test": captions[:1], "refs": captions[1:]}
    return {field: (columns | {"caption": captions[:1], "captions": captions})[field] for field in layout}


class _ColumnGuess:
    """Columns guessed from names and contents. No column is used twice, except a column of image files, which may also be the id column."""

    def __init__(self, names: Sequence[str], rows: Rows, layout: tuple[str, ...]):
        values = {name: [value for row in rows if (value := row.get(name)) not in (None, "", [])] for name in names}
        self._kinds = {name: _column_kind(column_values) for name, column_values in values.items()}
        self._unique_columns = {name for name, column_values in values.items() if len({*map(str, column_values)}) == len(column_values)}
        self._roles = {name: _column_role(name) for name in names}
        self._layout = layout
        self._by_content = False

    def columns(self) -> Columns:
        """Return the guess for all parts of an item."""
        file = self._image_file_column()
        image_id = self._image_id_column(file)
        candidate, references = self._caption_columns({image_id, file})
        out = Columns(image_id, candidate, references, file)
        if not out.is_complete(self._layout):
            return out
        return replace(out, certainty=Certainty.CONTENT if self._by_content else Certainty.NAMES)

    def _columns_with_role(self, *roles: _ColumnRole | None, kinds: Collection[_ColumnKind] = frozenset(_ColumnKind)) -> list[str]:
        return [name for name, role in self._roles.items() if role in roles and self._kinds[name] in kinds]

    def _image_file_column(self) -> str:
        """Return the column of image files, preferably one with a suitable name, and file names rather than URLs."""
        file_columns = self._columns_with_role(_ColumnRole.FILE, _ColumnRole.IMAGE, kinds=[_ColumnKind.FILE])
        file_columns.sort(key=lambda name: bool(re.search("ur[il]", name, re.IGNORECASE)))
        return next(iter(file_columns or self._columns_with_role(*_ColumnRole, None, kinds=[_ColumnKind.FILE])), "")

    def _image_id_column(self, file: str) -> str:
        """Return the id column: preferably an image id, then another id, then a column of files, then a column of keys."""
        excluded_kinds = (_ColumnKind.CAPTION, _ColumnKind.LIST, _ColumnKind.FILE, _ColumnKind.OBJECT)
        id_columns = [
            name for name in self._columns_with_role(_ColumnRole.ID, _ColumnRole.IMAGE) if self._kinds[name] not in excluded_kinds
        ]
        id_columns.sort(key=lambda name: not re.search("im(a|g)|coco|画像|写真|photo|pic", name, re.IGNORECASE))
        if id_columns or (file and (file in self._unique_columns or self._layout != ITEM_FIELDS)):
            return next(iter(id_columns), file)
        files = [name for name in self._columns_with_role(_ColumnRole.FILE) if name in self._unique_columns]  # audio and video files
        return next(iter(files or self._columns_with_role(None, kinds=[_ColumnKind.KEY])), "")

    def _caption_columns(self, used_columns: Collection[str]) -> tuple[str, tuple[str, ...]]:
        """Return the columns of the candidate and the references, identified by clear names, then ambiguous names, then content."""
        candidates = [] if self._layout == REFERENCE_FIELDS else self._word_columns(_ColumnRole.CANDIDATE)
        candidates.sort(key=lambda name: not name.startswith("filtered"))  # prefer lm-eval's filtered answers
        references = [] if self._layout == RESULT_FIELDS else self._word_columns(_ColumnRole.REFERENCE)
        ambiguous = [name for name in self._word_columns(_ColumnRole.CAPTION) if name not in used_columns]
        candidates, references = self._assign_ambiguous(candidates[:1], references, ambiguous)
        if not Columns(candidate="".join(candidates), references=tuple(references)).is_complete(self._layout):
            free_columns = [
                name
                for name in self._columns_with_role(None, _ColumnRole.CAPTION, kinds=(_ColumnKind.CAPTION, _ColumnKind.LIST))
                if name not in used_columns
            ]
            before = candidates, references
            candidates, references = self._assign_ambiguous(
                candidates, references, [n for n in free_columns if n not in (*candidates, *references)]
            )
            self._by_content = before != (candidates, references)
        return "".join(candidates), tuple(references)

    def _word_columns(self, role: _ColumnRole) -> list[str]:
        """Return the text columns with this role: those with captions or phrases, or else all of them."""
        texts = (_ColumnKind.CAPTION, _ColumnKind.PHRASE, _ColumnKind.LIST, _ColumnKind.KEY, _ColumnKind.OTHER, _ColumnKind.EMPTY)
        names = self._columns_with_role(role, kinds=texts)
        has_captions = _ColumnKind.CAPTION in self._kinds.values()
        return [name for name in names if self._kinds[name] not in (_ColumnKind.KEY, _ColumnKind.OTHER)] or names * (not has_captions)

    def _assign_ambiguous(self, candidates: list[str], references: list[str], ambiguous: list[str]) -> tuple[list[str], list[str]]:
        """Assign ambiguous columns to missing fields: the first column becomes the candidate, and lists and numbered columns become references."""
        stems = [re.sub(r"\d+\W*$", "", name) for name in ambiguous]  # columns that differ only in a final number form a list
        lists = [n for n, stem in zip(ambiguous, stems) if self._kinds[n] is _ColumnKind.LIST or (n != stem and stems.count(stem) > 1)]
        if self._layout != REFERENCE_FIELDS and not candidates:
            candidates = (_names_without(ambiguous, lists) or (ambiguous if references else []))[:1]
        if self._layout != RESULT_FIELDS and not references:
            references = _names_without(lists, candidates) or _names_without(ambiguous, candidates)
        return candidates, references


def _names_without(names: Sequence[str], excluded_names: Sequence[str]) -> list[str]:
    return [name for name in names if name not in excluded_names]


def read_captions(value: object) -> list[object]:
    """Return the captions of a cell or field: a list, a list written as text (JSON, Python, NumPy), or texts separated by |."""
    if isinstance(value, str):
        text = value.strip()
        captions = _parse_list_literal(text) if text.startswith("[") and len(text) <= _MAX_LIST_CHARS else None
        value = captions if captions is not None else [part for part in _CAPTION_SEPARATOR.split(text) if part.strip()]
    return [text_of_caption(caption) for caption in value] if isinstance(value, list) else [value]


def _parse_list_literal(text: str) -> list[object] | None:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        if not _LIST_LITERAL_PATTERN.fullmatch(text):
            return None
        try:
            return [ast.literal_eval(part) for part in re.findall(_QUOTED_PATTERN, text)]
        except (ValueError, SyntaxError):
            return None
    return values if isinstance(values, list) else None


def text_of_caption(value: object) -> object:
    """Return the caption in a JSON object, or any other value unchanged."""
    if isinstance(value, dict):
        return next((value[name] for name in _CAPTION_FIELDS if name in value), value)
    return value
