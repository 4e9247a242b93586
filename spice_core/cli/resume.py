"""The option ``--resume``: continue the file of an earlier run after its last complete row."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from spice_core.data import Item
from spice_core.data.items import caption_json
from spice_core.data.reader import RowError
from spice_core.data.results import ScoredItem, complete_rows, digest_of
from spice_core.errors import InputError
from spice_core.evaluation.run import RunOptions, signature_of
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL


class Summary(Protocol):
    """A summary that counts the rows of a run."""

    def add(self, row: ScoredItem) -> None:
        """Add a row to the counts."""


def resume(run_options: RunOptions, items: Iterator[Item], out: Path, summary: Summary, skip_bad: bool, shard: Mapping[str, str]) -> None:
    """Add the complete rows of an earlier run to the summary, truncate the file after them, and skip their items.

    Items may lack a row only with ``skip_bad``. Raises InputError if a row does not fit its item or the settings of this run.
    """
    earlier_rows, end = _EarlierRows(run_options), 0
    for line_number, (row, row_end) in enumerate(complete_rows(out), 1):
        where = f"{out}, line {line_number}"
        try:
            stored_item = ScoredItem.from_json(row)
        except InputError as error:
            raise RowError(out, f"line {line_number}", error) from None
        item = next(items, None)
        while skip_bad and item and item.image_id != stored_item.image_id:
            item = next(items, None)
        if item is None:
            raise InputError(where, {"image_id": stored_item.image_id}, "the end of the file, because the input has no more items")
        if row.pop("shard", None) != shard.get("shard"):
            raise InputError(where, {"image_id": stored_item.image_id}, f"a row of shard {shard.get('shard', '1/1')}")
        earlier_rows.check(row, stored_item, item, where)
        summary.add(stored_item)
        end = row_end
    os.truncate(out, end)


class _EarlierRows:
    """Compares the rows of an earlier run with the items and settings of this run."""

    def __init__(self, options: RunOptions):
        self._fields, self._spice = options.fields, options.spice
        self._names = [OVERALL, *KIND_CATEGORIES, *self._spice.categories] if options.fields.categories else [OVERALL]

    def check(self, row: Mapping[str, object], stored_item: ScoredItem, item: Item, where: str) -> None:
        """Raise InputError if a stored row does not fit the item or the settings of this run."""
        signature = signature_of(self._spice, item)
        expected: dict[str, object] = {"image_id": item.image_id, "test": caption_json(item.candidate), "signature": signature}
        expected |= {"group": item.group} if self._fields.group else {}
        stored_fields = {key: row.get(key) for key in expected}
        row_names = [key for key in row if key != "digest"]
        if stored_fields != expected or row_names != self._fields.names()[:-1] or list(stored_item.scores) != self._names:
            raise InputError(where, stored_fields, f"a row of this input and these settings ({expected})")
        _check_digest(row, digest_of(item, signature) + stored_item.result_digest(self._fields), where)


def _check_digest(row: Mapping[str, object], digest: str, where: str) -> None:
    if row.get("digest") != digest:
        other = "other references or settings" if "digest" in row else "none, as in files of older versions"
        raise InputError(
            f"{where}, field digest",
            other,
            "the digest of this input and these settings; without --resume the run starts from the beginning",
        )
