"""Objects in images by COCO's instance annotations, for the CHAIR metrics (Rohrbach et al., EMNLP 2018)."""

from __future__ import annotations

from pathlib import Path

from spice_core.data.json_stream import only_names_message
from spice_core.data.reader import input_errors, json_scanner, open_utf8, text_lines
from spice_core.errors import InputError, Message


def read_instances(path: Path, synonyms: Path | None = None) -> dict[str, frozenset[str]]:
    """Return the names of the objects in each image by its id.

    Args:
        path: COCO's instances: a list ``annotations`` with ``image_id`` and ``category_id``, and a list ``categories`` with names.
        synonyms: CHAIR's list of synonyms. Each line begins with a category, whose other names follow after commas.

    Raises:
        InputError: a file cannot be read, or the first has no instances.
    """
    lines = text_lines(open_utf8(synonyms), synonyms) if synonyms else ()
    names_by_category = {names[0]: names for names in ([name.strip() for name in line.split(",")] for line in lines)}
    categories: dict[object, list[str]] = {}
    ids: dict[str, set[object]] = {}
    members: dict[str, None] = {}
    with open_utf8(path) as file, input_errors(path):
        for member, _, value in json_scanner(file, path).members():
            members[member] = None
            if member == "categories" and isinstance(value, dict) and isinstance(name := value.get("name"), str):
                categories[str(value.get("id"))] = names_by_category.get(name, [name])
            elif member == "annotations" and isinstance(value, dict) and "category_id" in value:
                ids.setdefault(str(value.get("image_id")), set()).add(str(value["category_id"]))
    if not categories or not ids:
        raise InputError(str(path), only_names_message(members), Message("expected.instances"))
    return {image: frozenset(name for id in found for name in categories.get(id, ())) for image, found in ids.items()}
