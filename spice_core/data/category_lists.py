"""Reader of user-defined attribute categories, which are named word lists."""

from __future__ import annotations

import re
from collections.abc import Iterable

from spice_core.errors import InputError, Message
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL


def read_word_list(text: str, *, reserved_names: Iterable[str] = ()) -> dict[str, frozenset[str]]:
    """Read categories written as ``name: word, word``, one per line or separated by semicolons, for ``Spice(categories=…)``.

    The separators 、，；： are also accepted. Words are lower-cased. Each name may occur once, and must differ from ``All``,
    from the kinds of tuples and from ``reserved_names`` (the categories of the language). Names are compared without case.
    Raises InputError naming the line.
    """
    all_reserved_names = {name.casefold() for name in (OVERALL, *KIND_CATEGORIES, *reserved_names)}
    out: dict[str, frozenset[str]] = {}
    for line_number, line in enumerate(text.splitlines(), 1):
        for entry in filter(str.strip, re.split("[;；]", line)):
            name, *words = (" ".join(piece.split()) for piece in re.split("[,、，]", re.sub("[:：]", ",", entry, count=1)))
            if not re.search("[:：]", entry) or not name or not any(words):
                raise InputError(Message("where.line", number=line_number), entry.strip(), Message("expected.category_line"))
            if name.casefold() in all_reserved_names:
                raise InputError(Message("where.line", number=line_number), name, Message("expected.free_name"))
            all_reserved_names.add(name.casefold())
            out[name] = frozenset(word.lower() for word in words if word)
    return out
