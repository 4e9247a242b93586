"""Scored items and result files, which are written and read row by row and can be resumed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TextIO, TypeGuard, TypeVar

from spice_core.data.items import Caption, Item, caption_json, check_caption_value, check_fields, check_image_id, check_utf8, field_place
from spice_core.data.json_stream import decode_line
from spice_core.data.reader import ReadablePath, RowError, input_errors, json_rows, read_each
from spice_core.data.references import group_of
from spice_core.errors import InputError, Message
from spice_core.files import check_regular
from spice_core.scene.scores import OVERALL, Score, SentenceScore

_COUNT_FIELDS = ("tp", "fp", "fn")
_MAX_RATIO_DIFFERENCE = 1e-6  # maximum difference between a stored ratio and that of its counts
_MAX_TUPLE_COUNT = 10**15  # larger numbers are rejected, because floats may not represent them exactly
_DIGEST_CHARS = 32
T = TypeVar("T")


class ScoredTuple(NamedTuple):
    """The words of a tuple, and whether it is matched."""

    words: tuple[str, ...]
    matched: bool


@dataclass(frozen=True, slots=True)
class RowFields:
    """Optional fields of the rows of a result file. All rows have the id and the scores of the image.

    Attributes:
        categories: Whether rows have the scores of all categories.
        detailed: Whether rows have the tuples.
        lines: Whether rows have the candidate, signature and digest, and with ``detailed`` the references.
        sentences: Whether rows have the scores of each sentence.
        group: Whether rows have the group of the image.
    """

    categories: bool = False
    detailed: bool = False
    lines: bool = False
    sentences: bool = False
    group: bool = False

    def names(self) -> list[str]:
        """Return the names of the fields of a row, in order."""
        presence = {
            "image_id": True,
            "group": self.group,
            "test": self.lines,
            "refs": self.lines and self.detailed,
            "scores": True,
            "test_tuples": self.detailed,
            "ref_tuples": self.detailed,
            "sentences": self.sentences,
            "signature": self.lines,
            "digest": self.lines,
        }
        return [name for name, is_present in presence.items() if is_present]


_ALL_FIELDS = RowFields(categories=True, detailed=True, sentences=True)


@dataclass(frozen=True, slots=True)
class ScoredItem:
    """One scored image. Fields missing from a result file are empty."""

    image_id: int | str
    candidate: Caption
    references: tuple[Caption, ...]
    scores: Mapping[str, Score]
    candidate_tuples: tuple[ScoredTuple, ...] = ()
    reference_tuples: tuple[ScoredTuple, ...] = ()
    signature: str = ""
    sentences: tuple[SentenceScore, ...] = ()
    group: str = ""

    @property
    def overall(self) -> Score:
        """The score over all tuples."""
        return self.scores[OVERALL]

    @property
    def extra(self) -> Iterator[tuple[str, ...]]:
        """The candidate tuples without a match."""
        return (words for words, is_matched in self.candidate_tuples if not is_matched)

    @property
    def missing(self) -> Iterator[tuple[str, ...]]:
        """The reference tuples without a match."""
        return (words for words, is_matched in self.reference_tuples if not is_matched)

    def as_json(self, row_fields: RowFields) -> dict[str, object]:
        """Return a row in the original SPICE's format, with additional fields."""
        values: dict[str, object] = {"image_id": self.image_id, "scores": self._scores_json(row_fields)}
        if row_fields.group:
            values["group"] = self.group
        if row_fields.detailed:
            for name, tuples in (("test_tuples", self.candidate_tuples), ("ref_tuples", self.reference_tuples)):
                values[name] = [{"tuple": list(words), "truth_value": is_matched} for words, is_matched in tuples]
        if row_fields.sentences:
            values["sentences"] = [sentence.as_json() for sentence in self.sentences]
        if row_fields.lines:
            values |= {"test": caption_json(self.candidate), "refs": [caption_json(r) for r in self.references]}
            values |= {"signature": self.signature, "digest": digest_of(self, self.signature) + self.result_digest(row_fields)}
        return {name: values[name] for name in row_fields.names()}

    def result_digest(self, row_fields: RowFields) -> str:
        """Return a hash (32 hexadecimal digits) of the signature, counts, tuples and scores of sentences in a row with these fields."""
        names = self.scores if row_fields.categories else (OVERALL,)
        counts = sorted(
            (name, float(s.matched), s.candidate, s.reference, float(s.recalled)) for name, s in self.scores.items() if name in names
        )
        tuples = (self.candidate_tuples, self.reference_tuples) if row_fields.detailed else ((), ())
        sentences = [(s.caption, s.text, float(s.matched), s.tuples) for s in self.sentences] if row_fields.sentences else []
        return _hash_json([self.signature, [counts], tuples, sentences])

    @classmethod
    def from_json(cls, row: object) -> ScoredItem:
        """Read a row of a result file. Raises InputError naming the field, including for rows changed after scoring."""
        image, scores = check_fields(row, "image_id", "scores")
        assert isinstance(row, dict)
        image = check_image_id(image)
        references = row.get("refs", [])
        if not isinstance(references, list):
            raise InputError(field_place("refs"), references, Message("expected.caption_list"))
        if not isinstance(signature := row.get("signature", ""), str):
            raise InputError(field_place("signature"), signature, Message("expected.text"))
        item = cls(
            image,
            check_caption_value(row.get("test", ""), "test"),
            tuple(check_caption_value(reference, f"refs[{i}]") for i, reference in enumerate(references)),
            _read_scores(scores, "scores"),
            _read_list(row, "test_tuples", _read_tuple),
            _read_list(row, "ref_tuples", _read_tuple),
            check_utf8(signature, "field signature"),
            _read_list(row, "sentences", _read_sentence),
            group_of(row, "group"),
        )
        digest = row.get("digest")  # until version 0.3, it did not cover the results
        if isinstance(digest, str) and digest[_DIGEST_CHARS:] not in ("", item.result_digest(_ALL_FIELDS)):
            raise InputError(field_place("digest"), Message("found.changed_row"), Message("expected.unchanged_row"))
        return item

    def _scores_json(self, row_fields: RowFields) -> dict[str, dict[str, float | int | None]]:
        names = self.scores if row_fields.categories else [OVERALL]
        return {name: self.scores[name].as_spice_json() for name in names}


def digest_of(item: Item | ScoredItem, signature: str) -> str:
    """Return a hash (32 hexadecimal digits) of the captions of an item and the signature of its result."""
    return _hash_json([[caption_json(item.candidate), [caption_json(r) for r in item.references], signature]])


def _hash_json(value: object) -> str:
    return sha256(json.dumps(value).encode()).hexdigest()[:_DIGEST_CHARS]


class RowWriter:
    """A writer of JSON rows to a file: one per line, or as one array (the original SPICE's layout).

    An array is closed at the end or after KeyboardInterrupt. After any other error, it remains unclosed, so that the file is
    not mistaken for a complete one.
    """

    def __init__(self, file: TextIO, *, lines: bool):
        self._file, self._as_json_lines, self._is_first = file, lines, True

    def __enter__(self) -> RowWriter:
        return self

    def write(self, row: str) -> None:
        """Write one row. JSON lines are flushed at once, so that a crash loses no complete row."""
        if self._as_json_lines:
            self._file.write(row + "\n")
            self._file.flush()
        else:
            self._file.write(("[" if self._is_first else ", ") + row)
        self._is_first = False

    def __exit__(self, error_type: type[BaseException] | None, *_: object) -> None:
        if not self._as_json_lines and (error_type is None or issubclass(error_type, KeyboardInterrupt)):
            self._file.write("[]\n" if self._is_first else "]\n")
        self._file.flush()


def read_results(path: ReadablePath) -> Iterator[ScoredItem]:
    """Read a result file of the command ``score``, row by row.

    Args:
        path: A file of JSON or JSON lines, which may be compressed with gzip or Zstandard.

    Returns:
        An iterator over the scored images.

    Raises:
        InputError: A row cannot be read; the error names file, row and field.
    """
    return read_each(json_rows(path), path, ScoredItem.from_json)


def complete_rows(path: Path) -> Iterator[tuple[dict[str, object], int]]:
    """Yield the complete rows at the start of a JSON-lines file, each with the byte offset of its end.

    An incomplete or invalid last line is ignored. Raises InputError if an earlier line is invalid.
    """
    check_regular(path)
    with input_errors(path), path.open("rb") as file:
        end = 0
        for line_number, line in enumerate(iter(file.readline, b""), 1):
            row = decode_line(line.decode("utf-8", "replace"))
            if not line.endswith(b"\n") or (not isinstance(row, dict) and not file.peek(1)):
                return
            if not isinstance(row, dict):
                raise RowError(path, Message("where.line", number=line_number), InputError("", line[:20], Message("expected.result_row")))
            end += len(line)
            yield row, end


def _read_scores(scores: object, name: str) -> dict[str, Score]:
    if not isinstance(scores, dict) or OVERALL not in scores:
        raise InputError(field_place(name), scores, Message("expected.counts", overall=OVERALL))
    return {sys.intern(check_utf8(category, field_place(name))): _read_score(counts, category, name) for category, counts in scores.items()}


def _read_score(counts: object, category: str, name: str) -> Score:
    where = field_place(f"{name}.{category}")
    fields: dict[str, object] = counts if isinstance(counts, dict) else {}
    numbers = {key: value for key, value in fields.items() if _is_number(value)}
    if not set(_COUNT_FIELDS) <= numbers.keys():
        raise InputError(where, counts, Message("expected.numbers", names=", ".join(_COUNT_FIELDS)))
    matched_count, extra_count, missed_count = (numbers[key] for key in _COUNT_FIELDS)
    covered_credit = float(numbers["covered"]) if "covered" in numbers else None  # only for schemes that count each side separately
    references = (matched_count if covered_credit is None else covered_credit) + missed_count
    # fn is negative if more candidate tuples match than the references have
    if min(matched_count, extra_count, references) < 0:
        raise InputError(where, counts, Message("expected.not_negative"))
    score = Score(matched_count, round(matched_count + extra_count), round(references), strict=category == OVERALL, covered=covered_credit)
    ratios = {"f": score.f1, "pr": score.precision, "re": score.recall}
    for key, ratio in ratios.items() if score.candidate and score.defined and missed_count >= 0 else ():
        if abs(numbers.get(key, ratio) - ratio) > _MAX_RATIO_DIFFERENCE:
            expected = Message("expected.ratio_of_counts", ratio=f"{ratio:.3f}")
            raise InputError(field_place(f"{name}.{category}.{key}"), numbers[key], expected)
    return score


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _MAX_TUPLE_COUNT


def _read_list(row: dict[str, Any], name: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
    """Return the elements of a list, or () if the row lacks it. Raises InputError for any other value."""
    rows = row.get(name, [])
    if not isinstance(rows, list):
        raise InputError(field_place(name), rows, Message("expected.sentences" if name == "sentences" else "expected.tuples"))
    return tuple(read(element, field_place(f"{name}[{i}]")) for i, element in enumerate(rows))


def _read_sentence(row: object, where: str) -> SentenceScore:
    caption_index, text, matched_count, tuple_count = check_fields(row, *SentenceScore._fields)
    numbers = [v for v in (caption_index, matched_count, tuple_count) if _is_number(v) and v >= 0]
    if len(numbers) < 3 or not isinstance(text, str):
        raise InputError(where, row, Message("expected.sentence_row"))
    return SentenceScore(round(numbers[0]), check_utf8(text, where), numbers[1], round(numbers[2]))


def _read_tuple(row: object, where: str) -> ScoredTuple:
    words, is_matched = (row.get("tuple"), row.get("truth_value")) if isinstance(row, dict) else (None, None)
    if not are_words(words) or not isinstance(is_matched, bool):
        raise InputError(where, row, Message("expected.scored_tuple"))
    return _share_tuple(ScoredTuple(tuple(check_utf8(word, where) for word in words), is_matched))


@lru_cache(maxsize=1 << 15)
def _share_tuple(scored_tuple: ScoredTuple) -> ScoredTuple:
    """Return the first of equal tuples. Sharing the tuples of many rows cuts memory to a third."""
    return scored_tuple


def are_words(words: object) -> TypeGuard[Sequence[str]]:
    """Return whether a value is a tuple's list of one to three strings."""
    return isinstance(words, list) and 1 <= len(words) <= 3 and all(isinstance(word, str) for word in words)
