"""Results as pandas data frames: one row per result or per tuple."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from spice_core.data.results import ScoredItem, ScoredTuple, caption_json
from spice_core.errors import InputError, Message, require_module
from spice_core.metrics.result import SpiceResult, score_row
from spice_core.scene.propositions import KIND_BY_LENGTH

if TYPE_CHECKING:
    import pandas as pd

ROW_KINDS = ("results", "tuples")


def to_frame(results: Iterable[SpiceResult | ScoredItem], rows: str = "results") -> pd.DataFrame:
    """Return results as a pandas data frame.

    Args:
        results: results, or scored items, such as ``CorpusResult.items`` or the rows of ``spice_core.data.results.read_results``.
        rows: ``results`` for one row per result, with captions, F1, precision, recall and counts by category, and signature; or ``tuples``
            for one row per tuple, with the position of the result, the side, the words, the kind, and whether the tuple matched.

    Returns:
        The data frame. Undefined ratios are nan. Rows of scored items also have the image id.

    Raises:
        MissingResourceError: pandas is not installed.
        InputError: ``rows`` has another value, or an element of ``results`` is neither a result nor a scored item.

    >>> from spice_core import Spice
    >>> to_frame([Spice().compute("a dog on a sofa", ["a brown dog lies on a couch"])]).loc[0, "All f1"].item()
    0.5
    """
    if rows not in ROW_KINDS:
        raise InputError("rows", rows, Message("expected.one_of", names=", ".join(ROW_KINDS)))
    pandas = require_module("pandas", "pip install pandas")
    make = _result_rows if rows == "results" else _tuple_rows
    return pandas.DataFrame([row for position, result in enumerate(results) for row in make(_check_result(result, position), position)])


def _check_result(result: object, position: int) -> SpiceResult | ScoredItem:
    if not isinstance(result, (SpiceResult, ScoredItem)):
        raise InputError(Message("where.nth", list="results", number=position), result, Message("expected.result"))
    return result


def _result_rows(result: SpiceResult | ScoredItem, position: int) -> Iterator[dict[str, object]]:
    if isinstance(result, SpiceResult):
        yield {"candidate": result.candidate.caption, "references": [parse.caption for parse in result.references], **result.as_row()}
        return
    captions = {"candidate": caption_json(result.candidate), "references": [caption_json(reference) for reference in result.references]}
    yield {"image_id": result.image_id, **captions, **score_row(result.scores), "signature": result.signature}


def _tuple_rows(result: SpiceResult | ScoredItem, position: int) -> Iterator[dict[str, object]]:
    image = {"image_id": result.image_id} if isinstance(result, ScoredItem) else {}
    for side, tuples in _tuples_by_side(result):
        for words, is_matched in tuples:
            yield {"result": position, **image, "side": side, "tuple": words, "kind": KIND_BY_LENGTH[len(words)], "matched": is_matched}


def _tuples_by_side(result: SpiceResult | ScoredItem) -> Iterator[tuple[str, Sequence[ScoredTuple]]]:
    """Yield the name and the tuples of each side, the candidate first."""
    for side in ("candidate", "reference"):
        tuples = getattr(result, f"{side}_tuples")
        if isinstance(result, SpiceResult):
            tuples = [ScoredTuple(t.words, result.state(t).matched) for t in tuples]
        yield "candidate" if side == "candidate" else "references", tuples
