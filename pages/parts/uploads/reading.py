"""Reading of uploads within the limits of the pages. A bounded worker runs these functions, so this module does not import Streamlit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from spice_core.data.items import Item
from spice_core.data.problems import Problem, Problems, describe_problem
from spice_core.data.ratings import Preference, RatedCaption, read_judgements
from spice_core.data.reader import Upload, json_rows, stem_of
from spice_core.data.results import ScoredItem, read_results
from spice_core.data.sources import Preview, Source
from spice_core.data.work_file import ScoredWork, read_work, read_works
from spice_core.errors import InputError, Message
from spice_core.lang import detect_language

MAX_IMAGES = 10_000  # maximum number of images of a data set; the command line has no limit
MAX_CAPTIONS = 300_000  # maximum per file (about 100 MB), where 100 characters or one given proposition count as one more caption
MAX_RATED_ROWS = 2_000
MAX_LISTED_PROBLEMS = 1_000  # further problems are only counted
MAX_COUNTED_PROBLEMS = 100_000  # reading stops at this number
_MAX_PREVIEW_ROWS, _MAX_CELL_CHARS = 5, 120  # maximum sizes of a preview
ColumnsByField = dict[str, list[str]]
UploadedReferences = Upload | Sequence[Upload] | None


@dataclass(frozen=True)
class ChosenColumns:
    """The columns chosen in a file and in its file of references, and whether image ids may repeat.

    ``is_complete`` is False if a required field has no column.
    """

    columns: ColumnsByField
    reference_columns: ColumnsByField | None = None
    is_complete: bool = True
    allow_repeated: bool = False


DEFAULT_COLUMNS = ChosenColumns({})


@dataclass(frozen=True)
class CaptionData:
    """The valid rows of a file, and the problems of its invalid rows.

    Attributes:
        problems: The first problems, each with file, row, field, value found and value expected.
        exceeds_limit: Whether the file exceeds a limit of the page, so that later rows are ignored.
        problem_count: The total number of problems.
        groups: The problems, with similar problems of several rows combined into one.
        remedy: For an invalid file, the name of a remedy (see InputError), the file, and the value found.
        encodings: The encodings other than UTF-8, by file.
        notices: Messages about how the files were interpreted.
        saved_work: The content of a file of scored rows.
    """

    name: str
    items: tuple[Item, ...]
    problems: tuple[tuple[str, ...], ...] = ()
    exceeds_limit: bool = False
    digest: str = ""
    problem_count: int = 0
    remedy: tuple[str, str, str] | None = None
    saved_work: ScoredWork | None = None
    groups: tuple[Problem, ...] = ()
    encodings: tuple[tuple[str, str], ...] = ()
    notices: tuple[Message, ...] = ()

    @cached_property
    def language(self) -> str:
        """The language whose script most of the first captions use."""
        return detect_language(text for item in self.items[:50] for text in item.captions)


def read_data(
    file: Upload, references: UploadedReferences = None, chosen_columns: ChosenColumns = DEFAULT_COLUMNS, group_field: str = ""
) -> CaptionData:
    """Read the chosen columns of a file, with ``group_field`` as the group of a row. Invalid rows become problems, not exceptions."""
    digest = _digest_of(file, references, chosen_columns, group_field)
    if not references and (data := _read_scored_rows(file, digest)):
        return data
    if not chosen_columns.is_complete:
        return CaptionData(stem_of(file), (), digest=digest, problem_count=1, remedy=("choose", file.name, ""))
    columns, reference_columns, is_repeated = chosen_columns.columns, chosen_columns.reference_columns, chosen_columns.allow_repeated
    source = Source(file, references, columns, allow_repeated=is_repeated, reference_columns=reference_columns, by=group_field)
    items, counts = list[Item](), Counter[int | str]()
    problems, groups, remedy = list[Problem](), Problems(), None
    weight, problem_count, exceeds_limit = 0, 0, False
    for row in _items_and_errors(source):
        if isinstance(row, InputError):
            problem_count += 1
            problem = groups.add(row, file.name)
            problems += [problem] if problem_count <= MAX_LISTED_PROBLEMS else []
            if row.remedy:
                remedy = (row.remedy, getattr(row, "file", row.where), problem.found)
            if problem_count == MAX_COUNTED_PROBLEMS:
                break
        else:
            captions = (row.candidate, *row.references)
            weight += sum(1 + (len(c) // 100 if isinstance(c, str) else len(c.propositions)) for c in captions)
            if exceeds_limit := len(items) == MAX_IMAGES or weight > MAX_CAPTIONS:
                break
            counts[row.image_id] += 1
            count = counts[row.image_id]
            items.append(row if count == 1 else replace(row, image_id=f"{row.image_id}#{count}"))  # make the ids of repeated images unique
    notes = problem_rows(problems), exceeds_limit, digest, problem_count, remedy, None, tuple(groups)
    return CaptionData(stem_of(file), tuple(items), *notes, tuple(source.encodings.items()), tuple(source.notices))


def _items_and_errors(source: Source) -> Iterator[Item | InputError]:
    """Yield the items and errors of a file, up to an error that prevents further reading."""
    try:
        yield from source
    except InputError as error:
        yield error


def rejected_data(file: str, error: InputError, digest: str = "") -> CaptionData:
    """Return a file without valid rows and with this problem."""
    problems = (describe_problem(error, file),)
    return CaptionData(stem_of(file), (), problem_rows(problems), digest=digest, problem_count=1, groups=problems)


def _digest_of(file: Upload, references: UploadedReferences, chosen_columns: ChosenColumns, group_field: str) -> str:
    """Return the digest that identifies files, columns and group field."""
    reference_files = (references,) if isinstance(references, Upload) else references or ()
    contents = [reference_file.content for reference_file in reference_files] or [b""]
    parts = [file.name.encode(), file.content, *contents, repr(chosen_columns).encode() if chosen_columns != DEFAULT_COLUMNS else b""]
    digest = sha256()
    for position, part in enumerate([*parts, group_field.encode()] if group_field else parts):
        digest.update(b"\0" if position else b"")
        digest.update(part)
    return digest.hexdigest()


def problem_rows(problems: Iterable[Problem]) -> tuple[tuple[str, ...], ...]:
    """Return problems as rows of a table."""
    return tuple((problem.file, problem.places, problem.field, problem.found, problem.expected) for problem in problems)


def _read_scored_rows(file: Upload, digest: str) -> CaptionData | None:
    """Return the rows of a result file before its first error, and the error as a problem, or None for other files."""
    work, error = read_work(file, max_rows=MAX_IMAGES)
    if not work:
        return rejected_data(file.name, error, digest) if error else None
    problems = (describe_problem(error, file.name),) if error else ()
    return _data_of_work(work, work.name or stem_of(file), digest, problems)


def _data_of_work(work: ScoredWork, name: str, digest: str, problems: tuple[Problem, ...] = ()) -> CaptionData:
    items = tuple(Item(row.image_id, row.candidate, row.references, image_file=work.image_files.get(row.image_id, "")) for row in work.rows)
    return CaptionData(name, items, problem_rows(problems), digest=digest, problem_count=len(problems), saved_work=work, groups=problems)


def read_previews(files: Sequence[Upload], references: UploadedReferences) -> list[Preview | None]:
    """Return the previews of the files and of the references, if any."""
    previews = [_read_preview(Source(file, references)) for file in files]
    return [*previews, _read_preview(Source(Upload("", b""), references), of_references=True)] if references else previews


def _read_preview(source: Source, *, of_references: bool = False) -> Preview | None:
    """Return a preview with shortened cells, or None for standard columns, result files and invalid files."""
    try:
        preview = source.preview(of_references=of_references)
    except InputError:
        return None
    if preview is None or "scores" in preview.names:
        return None
    rows = [{name: str(row.get(name, ""))[:_MAX_CELL_CHARS] for name in preview.names} for row in preview.rows[:_MAX_PREVIEW_ROWS]]
    return replace(preview, rows=tuple(rows))


def read_systems(
    file: Upload, references: UploadedReferences, chosen_columns: ChosenColumns
) -> list[tuple[CaptionData, tuple[ScoredItem, ...]]]:
    """Read the data of each system in a file, with the scored rows of a result file or saved run.

    Raises InputError if such a file is invalid or has more than ``MAX_IMAGES`` rows of a system.
    """
    first_value = None
    with suppress(InputError):
        first_value = next((row.value for row in json_rows(file)), None)
    if not isinstance(first_value, dict) or "scores" not in first_value:
        return [(read_data(file, references, chosen_columns), ())]
    if "work" in first_value:
        works, error = read_works(file, max_rows=MAX_IMAGES)
        if error:
            raise error
    else:
        works = (ScoredWork(tuple(islice(read_results(file), MAX_IMAGES + 1))),)
    if len(works[0].rows) > MAX_IMAGES:
        raise InputError(file.name, Message("found.more_rows"), Message("expected.at_most_here", number=MAX_IMAGES))
    digest = sha256(file.content).hexdigest()
    return [(_data_of_work(work, name := work.name or stem_of(file), f"{digest} {name}"), work.rows) for work in works]


class RatingFile(NamedTuple):
    """Human judgements, the encodings of files other than UTF-8, and notes on the columns."""

    rows: list[RatedCaption] | list[Preference]
    encodings: tuple[tuple[str, str], ...]
    notices: tuple[Message, ...]


def read_ratings(file: Upload, references: Upload | None = None, columns: ColumnsByField | None = None) -> RatingFile:
    """Read a file of ratings, with or without a file of references by image, or of preferences. Raises InputError if it is invalid or has more than ``MAX_RATED_ROWS`` rows."""
    encodings: dict[str, str] = {}
    notices: list[Message] = []
    rows = read_judgements(file, MAX_RATED_ROWS + 1, encodings, notices, references=references, columns=columns)
    if len(rows) > MAX_RATED_ROWS:
        raise InputError(file.name, Message("found.more_rows"), Message("expected.at_most_here", number=MAX_RATED_ROWS))
    return RatingFile(rows, tuple(encodings.items()), tuple(notices))
