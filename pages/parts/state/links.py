"""Links that restore the view. Captions are put into a link only when the visitor asks for it."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.parts.kit import page, url
from pages.parts.kit.texts import t
from pages.parts.state import examples, limits, settings
from pages.parts.state.engine import Inputs, Scored
from spice_core import SpiceConfig
from spice_core.data.work_file import STATES, Unmatched
from spice_core.errors import InputError
from spice_core.explain.evidence import TupleRow
from spice_core.explain.places import locate_tuple

LONGEST = 4_096  # characters of a packed link; some servers cut longer addresses
_LONGEST_ADDRESS = 8_000  # characters; most servers take as many
_LARGEST = 100_000  # bytes of an unpacked link
VIEW = ("ui", "view", "show", "category", "focus")  # parts of the view that the address already holds


def link_params(scored: Scored) -> tuple[dict[str, str], bool]:
    """What a link to this result asks for, and whether it contains the captions."""
    config = settings.link_config(scored.settings)
    example = examples.example_of(scored.inputs) if config == settings.default_config(config.lang) else ""
    what = {"example": example} if example else {"t": pack(scored.inputs, config)}
    return ({"refs": scored.numbers} if scored.numbers else {}) | what, not example


def opening(captions: Inputs, config: SpiceConfig, *, image: str = "") -> str:
    """The address, seen from another page, that opens captions in Inspect with their image; empty where it would not be opened."""
    packed = pack(captions, config)
    return (
        ""
        if len(packed) > LONGEST or limits.find_excess(captions)
        else f"./?{urlencode({'t': packed, **({'image': image} if image else {}), **page.query_of()})}"
    )


def rules(caption: str, config: SpiceConfig, words: str = "") -> str:
    """The address of the Rules page with a caption, the parser and the rules of these settings, and two words: 0.3-7.

    Empty where the caption is longer than the page takes or than an address may be.
    """
    usual, config = settings.default_config(config.lang), settings.link_config(config)
    asked = {"caption": caption, "section": "why" if words else "trace", "words": words, "lang": config.lang}
    asked |= {part: getattr(config, part) for part in ("parser", "rules") if getattr(config, part) != getattr(usual, part)}
    address = f"./Rules?{urlencode({**{name: value for name, value in asked.items() if value}, **page.query_of()})}"
    return address if len(caption) <= limits.LONGEST and len(address) <= _LONGEST_ADDRESS else ""


def tuple_link(scored: Scored, row: TupleRow) -> tuple[str, bool]:
    """The address of the Rules page with a tuple's caption and words, and whether it asks why the candidate lacks the tuple.

    Empty for given propositions and where the caption is too long.
    """
    parse, pair = locate_tuple(scored.result, row)
    if parse.document is None or not isinstance(parse.caption, str):
        return "", False
    why = row.side == "r" and not row.state.matched and parse is scored.result.candidate and pair is not None
    return rules(parse.caption, scored.settings, str(pair or "")), why


def unmatched_links(scored: Scored) -> dict[Unmatched, tuple[str, bool]]:
    """What ``of_tuple`` says of each unmatched tuple; of tuples with the same words of the first."""
    found: dict[Unmatched, tuple[str, bool]] = {}
    for row in scored.explanation.rows:
        tuple_ = Unmatched(row.state, scored.explanation.tuple_of(row.id).words)
        if row.state in STATES and tuple_ not in found:
            found[tuple_] = tuple_link(scored, row)
    return found


def pack(now: Inputs, config: SpiceConfig) -> str:
    """Captions and settings packed as URL-safe text."""
    return pack_json(content(now, config))


def content(now: Inputs, config: SpiceConfig) -> dict[str, object]:
    """Captions and settings as JSON."""
    return {"captions": [now.candidate, *now.references], "settings": settings.link_config(config).as_dict()}


def pack_json(content: object, known: str = "") -> str:
    """JSON packed as URL-safe text; what it shares with a ``known`` text, which opens it, takes no room."""
    plain = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    deflate = zlib.compressobj(9, zdict=_dictionary(known)) if known else zlib.compressobj(9)
    return base64.urlsafe_b64encode(deflate.compress(plain) + deflate.flush()).decode().rstrip("=")


def _dictionary(known: str) -> bytes:
    """A text as it stands within JSON."""
    return json.dumps(known, ensure_ascii=False).encode()


def unpack_json(token: str, known: str = "") -> object:
    """The JSON of a packed text. Raises InputError if it is too long, ValueError and zlib.error if it is no such text."""
    if len(token) > LONGEST:
        raise InputError("link", t("share.found_long", number=f"{len(token):,}"), t("share.most_long", most=f"{LONGEST:,}"))
    inflate = zlib.decompressobj(zdict=_dictionary(known)) if known else zlib.decompressobj()
    plain = inflate.decompress(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)), _LARGEST)
    if not inflate.eof:
        raise ValueError("cut short, or too large")
    return json.loads(plain)


def unpack(token: str) -> tuple[Inputs, SpiceConfig]:
    """The captions and settings of a packed text. Raises InputError for anything else."""
    if len(token) > LONGEST:
        unpack_json(token)
    try:
        found = unpack_json(token)
    except (ValueError, zlib.error, RecursionError):
        found = None
    return read(found, quoted=url.quote_value(token, 24))


def read(found: Any, *, quoted: str) -> tuple[Inputs, SpiceConfig]:
    """The captions and settings of a :func:`content`. Raises InputError for anything else, with what was found as it is ``quoted``."""
    try:
        captions, named = found["captions"], found["settings"]
        if not (captions and isinstance(captions, list) and isinstance(named, dict)):
            raise ValueError("no list of captions, or no settings")
        for text in (*captions, *named.values()):
            text.encode()  # a lone surrogate is half a character, which cannot be shown
        config = settings.link_config(SpiceConfig.from_dict(named))
    except (InputError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError("link", quoted, t("share.expected")) from None
    opened = Inputs(captions[0], tuple(captions[1:]))
    for much, most in limits.find_excess(opened):
        raise InputError("link", much, most)
    return opened, config


def begin(*, key: str) -> list[str]:
    """At the first visit, open what the address names; returns messages about what could not be opened."""
    if not examples.prepare(key=key):
        return []
    url.accept_old_name("ex", "example")
    token, name = st.query_params.get("t", ""), st.query_params.get("example", "")
    try:
        if token:
            captions, config = unpack(token)
            examples.fill(captions, key=key)
            settings.put(config, key=key)
            st.session_state[f"{key}.opened"] = captions, token
        elif name in examples.examples():
            examples.load(name, key=key)
        elif name:
            url.set_param("refs", "")
            return [t("states.unknown_example", name=url.quote_value(name))]
    except InputError as error:
        url.set_param("refs", "")  # they were those of the link
        return [t("share.unopened", found=error.found, expected=error.expected)]
    return []


def image_token(captions: Inputs, *, key: str) -> str:
    """Return the token of the image that the link opened with these captions, or "" for other captions."""
    opened, _ = st.session_state.get(f"{key}.opened", (None, ""))
    return st.query_params.get("image", "") if captions == opened else ""


def leave() -> None:
    """Let the address name no captions."""
    for name in ("example", "t", "image", "refs"):
        url.set_param(name, "")


def follow(captions: Inputs, *, key: str) -> None:
    """Keep the address true: it holds the example or the link that the captions come from, or neither once they were edited."""
    opened, token = st.session_state.get(f"{key}.opened", (None, ""))
    name = examples.example_of(captions)
    begins = (
        name == next(iter(examples.examples()))
        and not {"example", "t"} & url.current_params().keys()
        and not st.session_state.get(f"{key}.own")
    )
    url.set_param("example", "" if begins else name)
    url.set_param("t", token if captions == opened else "")
    if captions != opened:
        url.set_param("image", "")
