"""A class set: captions and questions in a JSON or CSV file, or packed into a link. Each item is validated before use."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Self

from pages.parts.state import engine, links, settings
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from spice_core import SpiceConfig
from spice_core.data.reader import decode_text
from spice_core.errors import InputError, Message
from spice_core.lang import LANGUAGES, detect_language, language

FILE_MARK = "spice_class_set"
MAX_ITEMS, MAX_FILE_BYTES, MAX_TEXT_CHARS = 50, 200_000, 500  # numbers of items, bytes of a file, characters of a question or id
FIGURE_NAMES = ("matched", "candidate", "reference", "precision", "recall", "f1")
QUESTION_NAMES = (*FIGURE_NAMES, "Color.f1", "Cardinality.f1", "Size.f1", "")  # offered by the form; "" is an open question
_CATEGORY_NAMES = ("", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size")
_REFERENCE_PREFIX = "ref"
_ANSWER_TOLERANCE = 0.0015  # tolerance for answers with three decimals
# The zlib dictionary of links, the text of a typical set. A change would break existing links.
_PACKING_DICTIONARY = (
    '{"spice_class_set":1,"lang":"en","items":[{"id":"1","candidate":"A","references":["A man is standing on top of a"," woman sitting '
    'in front of a"," person riding a"," people are playing on the"," young girl holding a"," little boy wearing a red"," white dog '
    'laying on the green grass next to the black"," with a large"," street in the background."," tennis court."," near a building.",'
    '" on a table."," down a snow covered hill."],"answer":"matched"},{"id":"2","candidate":"The'
)


@dataclass(frozen=True)
class ClassItem:
    """A question about a candidate and its references. ``answer`` names the figure that answers it, if any."""

    id: str
    inputs: CaptionInputs
    question: str = ""
    answer: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return the item in the format of files."""
        item: dict[str, object] = {"id": self.id, "candidate": self.inputs.candidate, "references": list(self.inputs.references)}
        return item | {name: value for name, value in (("ask", self.question), ("answer", self.answer)) if value}


@dataclass(frozen=True)
class ClassSet:
    """The items of a set, in order, with the settings for scoring them."""

    items: tuple[ClassItem, ...]
    config: SpiceConfig = field(default_factory=SpiceConfig)

    def as_dict(self) -> dict[str, object]:
        """Return the set in the format of files and links."""
        default = settings.default_config(self.config.lang)
        names_by_part = {part: name for part in settings.PART_NAMES if (name := getattr(self.config, part)) != getattr(default, part)}
        header = {FILE_MARK: 1, "lang": self.config.lang} | ({"settings": names_by_part} if names_by_part else {})
        return header | {"items": [item.as_dict() for item in self.items]}

    @cached_property
    def token(self) -> str:
        """The set packed for a link, or "" if the packed text is too long."""
        token = links.pack_json(self.as_dict(), _PACKING_DICTIONARY)
        return token if len(token) <= links.MAX_LINK_CHARS else ""

    @cached_property
    def digest(self) -> str:
        """A short id of the content."""
        return sha256(json.dumps(self.as_dict()).encode()).hexdigest()[:12]

    def without_item(self, index: int) -> Self | None:
        """Return the set without an item, or None if no item remains."""
        items = self.items[:index] + self.items[index + 1 :]
        return replace(self, items=items) if items else None

    def with_item_moved_up(self, index: int) -> Self:
        """Return the set with an item moved up by one."""
        items = list(self.items)
        items[index - 1 : index + 1] = reversed(items[index - 1 : index + 1])
        return replace(self, items=tuple(items))


def add_item(class_set: ClassSet | None, captions: Sequence[str], ask: str, answer: str) -> ClassSet:
    """Return the set, or a new set, with an added item that has a number as its id.

    Raises InputError if the item is invalid, if the set is full, or if the captions are in another language than the set.
    """
    items, form = class_set.items if class_set else (), Message("class.form")
    used_ids = {item.id for item in items}
    item_number = next(n for n in range(1, len(items) + 2) if str(n) not in used_ids)
    row = {"id": str(item_number), "candidate": captions[0], "references": list(captions[1:]), "ask": ask, "answer": answer}
    item, lang = _read_item(row, form), detect_language(captions)
    if len(items) == MAX_ITEMS:
        raise InputError(form, Message("class.number", number=MAX_ITEMS + 1), Message("class.numbers", most=MAX_ITEMS))
    if class_set and lang != class_set.config.lang:
        raise InputError(form, captions[0][:40], Message("class.language", lang=class_set.config.lang))
    return ClassSet((*items, item), class_set.config if class_set else SpiceConfig(lang).resolved())


def unpack_set(token: str) -> ClassSet:
    """Return the set in a link. Raises InputError for an invalid set, and ValueError or zlib.error for a damaged link."""
    return set_from_json(links.unpack_json(token, _PACKING_DICTIONARY), "set")


def is_answer(answer: str, expected_value: float) -> bool:
    """Return whether an answer (a number, a fraction such as 5/11, or n/a) is within 0.0015 of this figure."""
    text = answer.strip().lower().replace(",", ".")
    if math.isnan(expected_value):
        return text in ("n/a", "na", "nan", "–", "-", "該当なし")
    numerator, slash, denominator = text.partition("/")
    try:
        value = float(numerator) / float(denominator) if slash else float(numerator)
    except (ValueError, ZeroDivisionError):
        return False
    return abs(value - expected_value) < _ANSWER_TOLERANCE


def read_set(file_name: str, content: bytes) -> ClassSet:
    """Read a file of a set. Raises InputError naming the row and field of an invalid value."""
    if len(content) > MAX_FILE_BYTES:
        raise InputError(file_name, Message("found.bytes", number=len(content)), Message("expected.at_most_many", number=MAX_FILE_BYTES))
    text = decode_text(content, file_name)
    if file_name.lower().endswith(".csv"):
        return _check_set(_csv_rows(text, file_name), {}, file_name)
    try:
        content_ = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(file_name, text[:24], Message("class.file", mark=FILE_MARK)) from None
    return set_from_json(content_, file_name)


def set_from_json(content: object, name: str) -> ClassSet:
    """Return the set in parsed JSON. Raises InputError naming the row and field of an invalid value."""
    if not isinstance(content, dict) or content.get(FILE_MARK) != 1:
        raise InputError(name, str(content)[:40], Message("class.marked", mark=FILE_MARK))
    rows = content.get("items")
    if not isinstance(rows, list):
        raise InputError(_nested_place(name, "items"), str(rows)[:40], Message("class.list"))
    return _check_set(rows, content, name)


def figure_of(scored_captions: ScoredCaptions, figure_name: str) -> float:
    """Return a figure of a result by name, such as f1 or Color.f1, or nan if it is undefined."""
    category, _, measure = figure_name.rpartition(".")
    score = scored_captions.result.scores[category] if category else scored_captions.result.overall
    return float(getattr(score, measure))


def _csv_rows(text: str, name: str) -> list[dict[str, object]]:
    """Return the items of a CSV file with the columns id, candidate, ref1, ref2 …, ask and answer."""
    try:
        rows = list(csv.DictReader(io.StringIO(text), strict=True))
    except csv.Error as error:
        raise InputError(name, Message("found.unreadable", reason=str(error)), Message("class.columns")) from None
    items: list[dict[str, object]] = []
    for row in rows:
        references = [value for key, value in row.items() if isinstance(key, str) and key.startswith(_REFERENCE_PREFIX) and value]
        plain_fields = {key: row[key] for key in ("id", "candidate", "ask", "answer") if row.get(key)}
        items.append(plain_fields | {"references": references})
    return items


def _check_set(rows: list[Any], settings: Mapping[str, Any], name: str) -> ClassSet:
    if not 0 < len(rows) <= MAX_ITEMS:
        raise InputError(name, Message("class.number", number=len(rows)), Message("class.numbers", most=MAX_ITEMS))
    items = tuple(_read_item(row, Message("where.token_row", file=name, number=row_number)) for row_number, row in enumerate(rows, 1))
    if len({item.id for item in items}) < len(items):
        duplicate_id = next(item.id for i, item in enumerate(items) if item.id in [earlier_item.id for earlier_item in items[:i]])
        raise InputError(_nested_place(name, "id"), duplicate_id[:40], Message("class.once"))
    first_inputs = items[0].inputs
    lang = settings.get("lang") or detect_language((first_inputs.candidate, *first_inputs.references))
    if not isinstance(lang, str) or lang not in LANGUAGES:
        raise InputError(_nested_place(name, "lang"), str(lang)[:40], ", ".join(LANGUAGES))
    return ClassSet(items, _read_settings(settings.get("settings", {}), lang, _nested_place(name, "settings")))


def _read_settings(names_by_part: object, lang: str, place: str) -> SpiceConfig:
    """Return the settings of a set. Raises InputError if they name anything other than bundled parsers, rules and synonym sources."""
    if not isinstance(names_by_part, dict):
        raise InputError(place, str(names_by_part)[:40], Message("class.settings"))
    for part, value in names_by_part.items():
        allowed_names = settings.part_options(language(lang), part) if part in settings.PART_NAMES else []
        if value not in allowed_names:
            expectation = Message("expected.one_of", names=", ".join(allowed_names or settings.PART_NAMES))
            raise InputError(_nested_place(place, str(part)[:40]), str(value)[:40], expectation)
    return SpiceConfig(lang, **names_by_part).resolved()


def _read_item(row: object, place: str) -> ClassItem:
    """Return the item in a row. Raises InputError, which names the field, if a value is invalid."""
    if not isinstance(row, dict):
        raise InputError(place, str(row)[:40], Message("class.item"))
    texts = {key: _read_text(row, key, place, is_required=key in ("id", "candidate")) for key in ("id", "candidate", "ask", "answer")}
    references = row.get("references")
    if not isinstance(references, list) or not references or not all(isinstance(r, str) and r.strip() for r in references):
        raise InputError(_nested_place(place, "references"), str(references)[:40], Message("expected.captions"))
    inputs = CaptionInputs(texts["candidate"], tuple(" ".join(r.split()) for r in references))
    for length, limit in engine.find_exceeded_limits(inputs):
        raise InputError(place, length, limit)
    _read_text({"captions": "".join(inputs.references)}, "captions", place, is_required=True, max_chars=engine.MAX_TOTAL_CHARS)
    category, _, measure = texts["answer"].rpartition(".")
    if texts["answer"] and (measure not in FIGURE_NAMES or category not in _CATEGORY_NAMES):
        raise InputError(_nested_place(place, "answer"), texts["answer"][:40], Message("class.figure", names=", ".join(FIGURE_NAMES)))
    return ClassItem(texts["id"], inputs, texts["ask"], texts["answer"])


def _nested_place(place: str, key: str) -> Message:
    return Message("where.inside", outer=place, inner=key)


def _read_text(row: Mapping[str, object], key: str, place: str, *, is_required: bool, max_chars: int = 0) -> str:
    value = row.get(key, "")
    value = str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9 else value
    if not isinstance(value, str) or (is_required and not value.strip()):
        raise InputError(_nested_place(place, key), str(value)[:40], Message("expected.text"))
    max_chars = max_chars or (engine.MAX_CAPTION_CHARS if key == "candidate" else MAX_TEXT_CHARS)
    if len(value) > max_chars:
        raise InputError(
            _nested_place(place, key), Message("found.characters", number=len(value)), Message("expected.at_most_many", number=max_chars)
        )
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(_nested_place(place, key), Message("found.half_character"), Message("class.whole_characters")) from None
    return " ".join(value.split())
