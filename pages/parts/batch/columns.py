"""The columns of the table of captions and of its CSV file. A metric that the visitor has measured is a column too."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any

import streamlit as st

from pages.parts.batch import counts, filters
from pages.parts.batch.counts import Line
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit.texts import interface_language, t, text_catalogue
from pages.parts.uploads import images
from pages.parts.views import tuples
from pages.parts.views.filters import selected_questions
from spice_core.data.work_file import ImageId
from spice_core.draw.design import MARK_BY_STATE
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.row_statistics import caption_text
from spice_core.explain.evidence import tuple_text
from spice_core.metrics.registry import SPICE
from spice_core.report.tables import table_csv

_CELL_SEPARATOR = "; "  # separates values in a cell of the CSV file


@dataclass(frozen=True)
class ColumnFormat:
    """How the page shows the values of a column: column type, options, and cell."""

    column_type: Callable[..., object] = st.column_config.Column
    options: Callable[[DisplayStyle], dict[str, Any]] = lambda style: {}
    cell: Callable[[Any, DisplayStyle], object] = lambda value, style: value


def _ratio_cell(value: float | None, style: DisplayStyle) -> float | None:
    return None if value is None else value * style.scale


def _number_format(style: DisplayStyle) -> dict[str, Any]:
    return {"format": "%.1f" if style.percent else "%.3f"}


PLAIN_FORMAT = ColumnFormat()
ID_FORMAT = ColumnFormat(cell=lambda value, style: str(value))
PICTURE_FORMAT = ColumnFormat(st.column_config.ImageColumn, lambda style: {"width": "small"})
CAPTION_FORMAT = ColumnFormat(st.column_config.TextColumn, lambda style: {"width": "large"})
TUPLES_FORMAT = ColumnFormat(st.column_config.TextColumn, lambda style: {"width": "medium"})
RATIO_FORMAT = ColumnFormat(st.column_config.NumberColumn, _number_format, _ratio_cell)
_BAR_OPTIONS: dict[str, Any] = {"min_value": 0, "width": "small", "color": "gray"}
BAR_FORMAT = ColumnFormat(
    st.column_config.ProgressColumn, lambda style: _BAR_OPTIONS | {"max_value": style.scale} | _number_format(style), _ratio_cell
)
CATEGORY_FORMAT = ColumnFormat(cell=lambda value, style: tuples.category_label(value) if value else "")
CAUSES_FORMAT = ColumnFormat(cell=lambda value, style: ", ".join(map(cause_label, value)))


@dataclass(frozen=True)
class TableData:
    """The input of the cells besides the caption: the run, the visitor's decisions, and the selected questions."""

    run: ScoringRun
    decisions: Decisions
    questions: Sequence[str] = field(default=())


@dataclass(frozen=True)
class Column:
    """A column of the table.

    Attributes:
        name: Name of the column in the CSV file. Its heading is the text ``batch.column_`` + name or, without such a text, the name.
        cell: Return the value of a caption. The value None means that there is none.
        format: How the page shows the values. None limits the column to the CSV file.
        in_csv: Whether the CSV file has the column.
        is_optional: Whether the page omits the column if no caption has a value.
    """

    name: str
    cell: Callable[[Line, TableData], Any]
    format: ColumnFormat | None = PLAIN_FORMAT
    in_csv: bool = True
    is_optional: bool = False

    @property
    def heading(self) -> str:
        """The heading in the interface language."""
        is_translated = f"column_{self.name}" in text_catalogue(interface_language())["batch"]
        return t(f"batch.column_{self.name}") if is_translated else self.name.replace("_", " ")


def _picture_address(line: Line, table: TableData) -> str | None:
    return table.run.images.address(line.id, images.SMALL_PX) if table.run.images else None


def _answering_tuples(line: Line, table: TableData) -> str | None:
    return "; ".join(filters.answering_tuple_texts(line, table.run, table.questions)) if table.questions else None


def _tuple_causes(line: Line, table: TableData) -> tuple[str, ...]:
    by_tuple = table.decisions.tuples.get(line.id, {})
    return tuple(f"{MARK_BY_STATE[tuple_.state]} {tuple_text(tuple_.words)} = {cause}" for tuple_, cause in by_tuple.items())


def _category_f1(category: str, line: Line, table: TableData) -> float | None:
    score = line.row.scores.get(category)
    return score.f1 if score and score.defined else None


def _metric_score(scores: Mapping[ImageId, float], line: Line, table: TableData) -> float | None:
    return scores.get(line.id)


def _value_of(name: str) -> Callable[[Line, TableData], Any]:
    value_of_line = attrgetter(name)
    return lambda line, table: value_of_line(line)


_FIRST_COLUMNS = (
    Column("id", _value_of("id"), ID_FORMAT),
    Column("image", _picture_address, PICTURE_FORMAT, in_csv=False, is_optional=True),
    Column("candidate", _value_of("candidate"), CAPTION_FORMAT),
    Column("tuples", _answering_tuples, TUPLES_FORMAT, in_csv=False, is_optional=True),
    Column("f1", _value_of("f1"), BAR_FORMAT),
    Column("precision", _value_of("precision"), RATIO_FORMAT),
    Column("recall", _value_of("recall"), RATIO_FORMAT),
    Column("lowest", _value_of("lowest"), RATIO_FORMAT, in_csv=False, is_optional=True),
    Column("weakest", _value_of("weakest"), CATEGORY_FORMAT),
    Column("missing", _value_of("missing")),
    Column("extra", _value_of("extra")),
)
_LAST_COLUMNS = (
    Column("cause", lambda line, table: table.decisions.causes_of(line.id), CAUSES_FORMAT),
    Column("note", lambda line, table: table.decisions.note_of(line.id), None),
    Column("tuple_causes", _tuple_causes, None),
    Column("signature", _value_of("row.signature"), None),
    Column("references", lambda line, table: " | ".join(map(caption_text, line.row.references)), None),
)


def columns_of(run: ScoringRun) -> list[Column]:
    """Return the columns of a run: the fixed columns, and those for its categories and for the measured metrics."""
    categories = [Column(f"F1 {name}", partial(_category_f1, name), None) for name in counts.category_names(run)]
    scores_by_metric = {name: scores for name, scores in run.cache.get("metrics", {}).items() if name != SPICE.name}
    metrics = [Column(name, partial(_metric_score, scores), RATIO_FORMAT) for name, scores in scores_by_metric.items()]
    return [*_FIRST_COLUMNS, *categories, *metrics, *_LAST_COLUMNS]


def show_columns(lines: Sequence[Line], run: ScoringRun, decisions: Decisions, *, style: DisplayStyle) -> dict[str, Any]:
    """Return the table's cells and column configuration, as arguments of ``st.dataframe``."""
    table = TableData(run, decisions, selected_questions(filters.images_by_question(run)))
    cells: dict[str, list[object]] = {}
    config = {}
    for column in columns_of(run):
        if column.format is None:
            continue
        values = [column.cell(line, table) for line in lines]
        if column.is_optional and all(value is None for value in values):
            continue
        cells[column.name] = [column.format.cell(value, style) for value in values]
        config[column.name] = column.format.column_type(column.heading, **column.format.options(style))
    return {"data": cells, "column_config": config}


def rows_as_csv(run: ScoringRun, decisions: Decisions) -> bytes:
    """Return a CSV file with a header and one line per caption: caption, scores, error counts, causes, note and references."""
    columns, table = [column for column in columns_of(run) if column.in_csv], TableData(run, decisions)
    lines = ([column.cell(line, table) for column in columns] for line in counts.caption_lines(run))
    csv_cell = lambda value: _CELL_SEPARATOR.join(value) if isinstance(value, tuple) else "" if value is None else value
    return table_csv((column.name for column in columns), (map(csv_cell, line) for line in lines))
