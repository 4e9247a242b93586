"""Results as pandas data frames: one row per result or per tuple."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from spice_core.data.items import caption_json
from spice_core.data.results import ScoredItem
from spice_core.errors import InputError, Message, require_module
from spice_core.metrics.result import SpiceResult, score_row
from spice_core.scene.propositions import KIND_BY_LENGTH, TupleWords

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
    out: list[dict[str, object]] = []
    for position, result in enumerate(results):
        if not isinstance(result, (SpiceResult, ScoredItem)):
            raise InputError(Message("where.nth", list="results", number=position), result, Message("expected.result"))
        out += [_result_row(result)] if rows == "results" else _tuple_rows(result, position)
    return pandas.DataFrame(out)


def _result_row(result: SpiceResult | ScoredItem) -> dict[str, object]:
    if isinstance(result, SpiceResult):
        return {"candidate": result.candidate.caption, "references": [parse.caption for parse in result.references], **result.as_row()}
    captions = {"candidate": caption_json(result.candidate), "references": [caption_json(reference) for reference in result.references]}
    return {"image_id": result.image_id, **captions, **score_row(result.scores), "signature": result.signature}


def _tuple_rows(result: SpiceResult | ScoredItem, position: int) -> Iterator[dict[str, object]]:
    image: dict[str, object] = {}
    sides: Sequence[Sequence[tuple[TupleWords, bool]]]
    if isinstance(result, ScoredItem):
        image, sides = {"image_id": result.image_id}, (result.candidate_tuples, result.reference_tuples)
    else:
        sides = [[(t.words, result.state(t).matched) for t in side] for side in (result.candidate_tuples, result.reference_tuples)]
    for side, tuples in zip(("candidate", "references"), sides):
        for words, is_matched in tuples:
            yield {"result": position, **image, "side": side, "tuple": words, "kind": KIND_BY_LENGTH[len(words)], "matched": is_matched}
