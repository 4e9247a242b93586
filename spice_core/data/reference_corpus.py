"""A file of references without candidates, for counting document frequencies."""

from __future__ import annotations

from spice_core.data.columns import ITEM_FIELDS, REFERENCE_FIELDS
from spice_core.data.items import check_fields, check_image_id, check_reference, field_place
from spice_core.data.reader import read_each
from spice_core.data.sources import Source
from spice_core.errors import InputError, Message


class ReferenceCorpus(Source):
    """The references in a file ``path``: a file of references in any layout, or a file with candidates and ``refs``."""

    _has_documented_fields = True  # there are no results, so the user need not choose their columns

    def captions(self) -> list[list[str]]:
        """Return the list of captions of each image. Raises InputError if a row has no captions, or if there is no row."""
        layout = ITEM_FIELDS if self._has_candidates() else REFERENCE_FIELDS
        images: dict[str, list[str]] = {}
        for key, captions, split in read_each(self._rows_of_layout(self.path, layout, self.columns), self.path, _read_captions):
            if not self.split or split == self.split:
                images.setdefault(key, []).extend(captions)
        if not images:
            raise InputError(str(self.path), Message("found.no_row"), Message("expected.captions"))
        return list(images.values())

    def _has_candidates(self) -> bool:
        names, rows, _ = self._open_rows(self.path, ITEM_FIELDS, [])
        first_row = next(rows, None)
        fields = first_row.value if first_row and isinstance(first_row.value, dict) else {}
        return "refs" in names or "ref1" in names or "refs" in fields


def _read_captions(row: object) -> tuple[str, list[str], object]:
    """Return the id, the captions and the split of a row. Raises InputError for scene graphs, because they have no n-grams."""
    kind = next((name for name in ("refs", "captions") if isinstance(row, dict) and name in row), "caption")
    image, value = check_fields(row, "image_id", kind)
    values = value if isinstance(value, list) else [value]
    if not values:
        raise InputError(field_place(kind), value, Message("expected.captions"))
    captions = [_check_caption(caption, f"{kind}[{i}]") for i, caption in enumerate(values)]
    return str(check_image_id(image)), captions, row.get("split") if isinstance(row, dict) else None


def _check_caption(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise InputError(name, value, Message("expected.caption"))
    return str(check_reference(value, name))
