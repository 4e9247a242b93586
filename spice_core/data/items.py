"""Items to score: a candidate and its references, read from rows in the original SPICE's layout and validated."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from spice_core.data.encodings import encoding_of, expected_encoding_message
from spice_core.data.graph_parts import MAX_PROPOSITIONS
from spice_core.data.json_stream import only_names_message
from spice_core.data.reader import Row, json_rows, read_each
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import Parse, parse_from_tuples
from spice_core.syntax.clean_text import clean_caption

Caption = str | Parse
MAX_CAPTION_CHARS = 10_000
_MAX_OBJECT_WORDS = 3  # a text with more words in a nested list is a caption, not an object
_MAX_ID, _MAX_ID_CHARS = 2**63, 1_000
_LONE_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # half of a surrogate pair; \udc80 to \udcff encode bytes that are not UTF-8


@dataclass(frozen=True, slots=True)
class Item:
    """One image to score: its id, the candidate and the references (captions or given propositions).

    Attributes:
        image_file: Name or path of the image file.
        group: The value of the field by which images are grouped.
    """

    image_id: int | str
    candidate: Caption
    references: tuple[Caption, ...]
    image_file: str = ""
    group: str = ""

    @property
    def captions(self) -> Iterator[str]:
        """The captions to parse, without given propositions."""
        return (c for c in (self.candidate, *self.references) if isinstance(c, str))


def read_items(path: Path) -> list[Item]:
    """Read the items of a JSON or JSONL file: ``[{"image_id": …, "test": caption, "refs": [caption, …]}, …]``.

    A caption may also be a list of propositions. Raises InputError naming file, row (from 1) and field.
    """
    return [*read_each(json_rows(path), path, read_item)]


def convert_rows(rows: Iterator[Row[object]], make: Callable[[object], Item]) -> Iterator[Row[Item | InputError]]:
    """Yield rows with their items. ``make`` returns the item of a value or raises InputError."""
    for place, value in rows:
        try:
            yield Row(place, value if isinstance(value, InputError) else make(value))
        except InputError as error:
            yield Row(place, error)


def read_item(row: object, *, allow_empty: bool = False) -> Item:
    """Convert a row in the original SPICE's layout to an item. Raises InputError naming the field.

    An empty candidate is invalid unless ``allow_empty`` is set.
    """
    image, text, references = check_fields(row, "image_id", "test", "refs")
    if not isinstance(references, list) or not references:
        raise InputError(field_place("refs"), references, Message("expected.captions"))
    id, caption = check_image_id(image), check_candidate(text, "test", allow_empty=allow_empty)
    return Item(id, caption, tuple(check_reference(r, f"refs[{i}]") for i, r in enumerate(references)))


@lru_cache
def field_place(name: str) -> Message:
    """Return the message that locates a problem in a field."""
    return Message("where.field", name=name)


def nested_place(where: str, name: str) -> Message:
    """Return the message that locates a problem in a field of ``where``."""
    return Message("where.inside", outer=where, inner=field_place(name))


def check_fields(row: object, *names: str) -> list[object]:
    """Return the values of these fields. Raises InputError unless ``row`` is a JSON object with all these fields."""
    if not isinstance(row, dict):
        raise InputError("", row, Message("expected.object", names=", ".join(names[:-1]), last=names[-1]))
    for name in names:
        if name not in row:
            raise InputError(field_place(name), only_names_message(row), Message("expected.field", name=name))
    return [row[name] for name in names]


def check_image_id(value: object) -> int | str:
    """Return the id of an image, with 7.0 as 7. Raises InputError unless it is an integer or a nonempty text of limited size."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, str)) or value == "":
        raise InputError(field_place("image_id"), value, Message("expected.id"))
    if len(value) > _MAX_ID_CHARS if isinstance(value, str) else abs(value) >= _MAX_ID:
        raise InputError(field_place("image_id"), value, Message("expected.id_size", number=_MAX_ID_CHARS))
    return check_utf8(value, field_place("image_id")) if isinstance(value, str) else value


def check_caption_value(value: object, field: str) -> Caption:
    """Return a caption as text, or given propositions as a parse. Raises InputError naming the field."""
    if isinstance(value, str):
        return check_caption(value, field_place(field))
    where = field_place(field)
    if isinstance(value, list):
        if len(value) > MAX_PROPOSITIONS:
            found, expected = (Message(key, number=MAX_PROPOSITIONS) for key in ("found.more_tuples", "expected.at_most_many"))
            raise InputError(where, found, expected)
        parse = parse_from_tuples(value, where=where)
        check_utf8(parse.caption, where)
        return parse
    raise InputError(where, value, Message("expected.caption_or_propositions"))


def caption_json(caption: Caption) -> object:
    """Return a caption as files store it: a text, or a list of propositions."""
    return caption if isinstance(caption, str) else [list(p.words) for p in caption.propositions]


def unwrap_single_caption(value: object) -> object:
    """Return the only caption of a list, or any other value unchanged.

    If the caption has more than three words, the list may be nested in another list. ``res`` of pycocoevalcap and the samples
    of lmms-eval contain such lists.
    """
    inner_value = value[0] if isinstance(value, list) and len(value) == 1 else None
    if (
        isinstance(inner_value, list)
        and len(inner_value) == 1
        and isinstance(inner_value[0], str)
        and len(inner_value[0].split()) > _MAX_OBJECT_WORDS
    ):
        return inner_value[0]  # too many words for an object, so the list is no proposition
    return inner_value if isinstance(inner_value, str) else value


def check_candidate(value: object, field: str, *, allow_empty: bool = False) -> Caption:
    """Return a candidate as text or as a parse. Raises InputError naming the field.

    An empty candidate is invalid unless ``allow_empty`` is set, because most empty captions are mistakes.
    """
    caption = check_caption_value(unwrap_single_caption(value), field)
    if isinstance(caption, str) and not caption.strip() and not allow_empty:
        raise InputError(field_place(field), Message("found.empty_candidate"), Message("expected.caption_empty"))
    return caption


def check_reference(value: object, field: str) -> Caption:
    """Return a reference, which is a nonempty caption or given propositions. Raises InputError naming the field."""
    caption = check_caption_value(value, field)
    if isinstance(caption, str) and not caption.strip():
        raise InputError(field_place(field), value, Message("expected.caption_not_empty"))
    return caption


def is_nonempty(value: object) -> bool:
    """Return whether a value is a nonempty collection, but no text."""
    return isinstance(value, Collection) and not isinstance(value, str) and len(value) > 0


def check_nonempty(captions: object, where: str) -> None:
    """Raise InputError unless the captions are a nonempty collection."""
    if not is_nonempty(captions):
        raise InputError(where, captions, Message("expected.captions"))


def check_reference_lists(references: Sequence[object], candidates: Sequence[object], where: str) -> None:
    """Raise InputError unless each candidate has a list of references."""
    if isinstance(references, str) or len(references) != len(candidates):
        expected = Message("expected.reference_lists", number=len(candidates))
        raise InputError(where, Message("found.reference_lists", number=len(references)), expected)


def check_caption(caption: object, where: str) -> str:
    """Return a caption as ``clean_caption`` does.

    Raises InputError if it is not a text, is too long for parsers, or cannot be encoded in UTF-8.
    """
    if not isinstance(caption, str):
        raise InputError(where, caption, Message("expected.caption"))
    if len(caption) > MAX_CAPTION_CHARS:
        expected = Message("expected.caption_size", number=MAX_CAPTION_CHARS)
        raise InputError(where, Message("found.characters", number=len(caption)), expected)
    return clean_caption(check_utf8(caption, where))


def check_utf8(value: str, where: str) -> str:
    """Return the text. Raises InputError with the first invalid characters or bytes if UTF-8 cannot encode it."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        if surrogate := _LONE_SURROGATE.search(value):
            raise InputError(where, surrogate[0], expected_encoding_message("")) from None
        invalid_text = value[error.start : error.end]
        encoding = encoding_of(value.encode("utf-8", "surrogateescape"))  # surrogates encode bytes that are not UTF-8
        raise InputError(where, invalid_text.encode("utf-8", "surrogateescape"), expected_encoding_message(encoding)) from None
    return value
