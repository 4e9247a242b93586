"""Attribute categories of one's own: named word lists, as a reader types them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from spice_core.errors import InputError
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL

_EXPECTED = "a name, a colon and words with commas between them, such as Material: wood, metal"


def read_word_list(text: str, *, taken: Iterable[str] = ()) -> dict[str, frozenset[str]]:
    """Categories written as ``name: word, word``, one a line or with semicolons between them, for ``Spice(categories=…)``.

    Words come out in lower case; 、，；： serve as well. Names in ``taken`` (the language's own categories) and those of
    the kinds of tuples are refused whatever their case. Raises InputError naming the line.
    """
    refused = {name.casefold() for name in (OVERALL, *KIND_CATEGORIES, *taken)}
    out: dict[str, frozenset[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        for entry in filter(str.strip, re.split("[;；]", line)):
            name, *words = (" ".join(piece.split()) for piece in re.split("[,、，]", re.sub("[:：]", ",", entry, count=1)))
            if not re.search("[:：]", entry) or not name or not any(words):
                raise InputError(f"line {number}", entry.strip(), _EXPECTED)
            if name.casefold() in refused:
                raise InputError(f"line {number}", name, "a name that is not taken")
            refused.add(name.casefold())
            out[name] = frozenset(word.lower() for word in words if word)
    return out
