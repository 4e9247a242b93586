"""Links that open captions in Inspect or Rules, and the captions in the URL of Inspect."""

import base64
import json
import zlib
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.parts.kit import matching, page, url
from pages.parts.kit.texts import t
from pages.parts.state import engine, examples, settings
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from pages.parts.state.inspect_state import OpenedLink, inspect_state
from spice_core import SpiceConfig
from spice_core.data.work_file import UnmatchedTuple
from spice_core.errors import InputError
from spice_core.explain.evidence import TupleRow, locate_tuple

MAX_LINK_CHARS = 4_096  # some servers truncate longer URLs
_MAX_ADDRESS_CHARS = 8_000  # most servers accept this length
_MAX_UNPACKED_BYTES = 100_000
VIEW_PARAMS = ("ui", "view", "show", "category", "focus")  # parameters of the current view, which a link copies from the URL


def link_params(scored_captions: ScoredCaptions) -> tuple[dict[str, str], bool]:
    """Return the parameters of a link to this result, and whether they include the captions."""
    config = settings.link_config(scored_captions.settings)
    is_default = replace(config, scheme="") == settings.default_config(config.lang)
    example = examples.example_id_of(scored_captions.inputs) if is_default else ""
    content_params = {"example": example} if example else {"t": pack_captions(scored_captions.inputs, config)}
    content_params |= {"refs": scored_captions.reference_numbers} if scored_captions.reference_numbers else {}
    return content_params | _matching_param(config), not example


def _matching_param(config: SpiceConfig) -> dict[str, str]:
    return {matching.MATCHING_PARAM: "meaning"} if config.scheme == settings.MEANING_SCHEME else {}


def inspect_address(captions: CaptionInputs, config: SpiceConfig, *, image: str = "") -> str:
    """Return a relative URL that opens captions with their image in Inspect, or "" if Inspect would reject them."""
    captions_token = pack_captions(captions, config)
    return (
        ""
        if len(captions_token) > MAX_LINK_CHARS or engine.find_exceeded_limits(captions)
        else f"./?{urlencode({'t': captions_token, **({'image': image} if image else {}), **_matching_param(config), **page.page_query()})}"
    )


def rules_address(caption: str, config: SpiceConfig, words: str = "") -> str:
    """Return the URL of the Rules page for a caption, with the parser and rules of these settings.

    ``words`` selects two words: 0.3-7 stands for tokens 3 and 7 of the first sentence. The result is "" if the caption or the URL is too
    long.
    """
    default, config = settings.default_config(config.lang), settings.link_config(config)
    params = {"caption": caption, "section": "why" if words else "", "words": words, "lang": config.lang}
    params |= {part: getattr(config, part) for part in ("parser", "rules") if getattr(config, part) != getattr(default, part)}
    address = f"./Rules?{urlencode({**{name: value for name, value in params.items() if value}, **page.page_query()})}"
    return address if len(caption) <= engine.MAX_CAPTION_CHARS and len(address) <= _MAX_ADDRESS_CHARS else ""


def tuple_link(scored_captions: ScoredCaptions, row: TupleRow) -> tuple[str, bool]:
    """Return the Rules URL of a tuple, and whether that page explains why the candidate has the words but not the tuple.

    The URL is "" for given propositions, and if the caption or the URL is too long.
    """
    parse, pair = locate_tuple(scored_captions.result, row)
    if parse.document is None or not isinstance(parse.caption, str):
        return "", False
    explains_rules = row.side == "r" and not row.state.matched and parse is scored_captions.result.candidate and pair is not None
    return rules_address(parse.caption, scored_captions.settings, str(pair or "")), explains_rules


def unmatched_links(scored_captions: ScoredCaptions) -> dict[UnmatchedTuple, tuple[str, bool]]:
    """Return the :func:`tuple_link` of each unmatched tuple. Tuples with the same words share one link."""
    links_: dict[UnmatchedTuple, tuple[str, bool]] = {}
    for row in scored_captions.explanation.rows:
        tuple_ = scored_captions.explanation.unmatched_tuple(row)
        if tuple_ and tuple_ not in links_:
            links_[tuple_] = tuple_link(scored_captions, row)
    return links_


def pack_captions(captions: CaptionInputs, config: SpiceConfig) -> str:
    """Pack captions and settings as URL-safe text."""
    return pack_json(link_content(captions, config))


def link_content(captions: CaptionInputs, config: SpiceConfig) -> dict[str, object]:
    """Return captions and settings as stored by links and the browser tab in JSON, without the matching."""
    config = replace(settings.link_config(config), scheme="")
    return {"captions": [captions.candidate, *captions.references], "settings": config.as_dict()}


def pack_json(content: object, dictionary: str = "") -> str:
    """Pack JSON as compressed, URL-safe text. :func:`unpack_json` needs the same ``dictionary``."""
    content_bytes = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    deflate = zlib.compressobj(9, zdict=_packing_dictionary(dictionary)) if dictionary else zlib.compressobj(9)
    return base64.urlsafe_b64encode(deflate.compress(content_bytes) + deflate.flush()).decode().rstrip("=")


def _packing_dictionary(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False).encode()


def unpack_json(token: str, dictionary: str = "") -> object:
    """Return the content of a text from :func:`pack_json`.

    Raises InputError if the text is too long, and ValueError or zlib.error if it is not packed JSON.
    """
    if len(token) > MAX_LINK_CHARS:
        raise InputError("link", t("share.found_long", number=f"{len(token):,}"), t("share.most_long", most=f"{MAX_LINK_CHARS:,}"))
    inflate = zlib.decompressobj(zdict=_packing_dictionary(dictionary)) if dictionary else zlib.decompressobj()
    content_bytes = inflate.decompress(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)), _MAX_UNPACKED_BYTES)
    if not inflate.eof:
        raise ValueError("cut short, or too large")
    return json.loads(content_bytes)


def unpack_captions(token: str) -> tuple[CaptionInputs, SpiceConfig]:
    """Return the captions and settings of a packed text. Raises InputError if the text is invalid or the captions exceed a limit."""
    if len(token) > MAX_LINK_CHARS:
        unpack_json(token)
    try:
        content_ = unpack_json(token)
    except (ValueError, zlib.error, RecursionError):
        content_ = None
    return read_link_content(content_, quoted_text=url.quote_value(token, 24))


def read_link_content(content: Any, *, quoted_text: str) -> tuple[CaptionInputs, SpiceConfig]:
    """Return the captions and settings from the output of :func:`link_content`.

    Raises InputError if the content is invalid or the captions exceed a limit. For invalid content, the error quotes ``quoted_text``.
    """
    try:
        captions, settings_ = content["captions"], content["settings"]
        if not (captions and isinstance(captions, list) and isinstance(settings_, dict)):
            raise ValueError("no list of captions, or no settings")
        for text in (*captions, *settings_.values()):
            text.encode()  # lone surrogates cannot be displayed
        config = settings.link_config(SpiceConfig.from_dict(settings_))
    except (InputError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError("link", quoted_text, t("share.expected")) from None
    captions_inputs = CaptionInputs(captions[0], tuple(captions[1:]))
    for length, limit in engine.find_exceeded_limits(captions_inputs):
        raise InputError("link", length, limit)
    return captions_inputs, config


def open_link() -> list[str]:
    """Open the captions in the URL, or else an example, in an empty form. Return messages about problems."""
    token, name = st.query_params.get("t", ""), st.query_params.get("example", "")
    if not examples.prepare_form(name):
        return []
    try:
        if token:
            captions, config = unpack_captions(token)
            examples.fill_form(captions)
            settings.apply_settings(config)
            inspect_state().opened_link = OpenedLink(captions, token)
        elif name and name not in examples.examples_by_id():
            url.set_param("refs", "")
            return [t("states.unknown_example", name=url.quote_value(name))]
    except InputError as error:
        url.set_param("refs", "")  # these references are those of the link that failed to open
        return [t("share.unopened", found=error.found, expected=error.expected)]
    return []


def image_token(captions: CaptionInputs) -> str:
    """Return the image token of the opened link, or "" if the captions have changed."""
    opened_captions, _ = inspect_state().opened_link
    return st.query_params.get("image", "") if captions == opened_captions else ""


def write_captions_to_url(captions: CaptionInputs) -> None:
    """Write the captions' example or opened link to the URL, and remove parameters of other captions."""
    opened_captions, token = inspect_state().opened_link
    name = examples.example_id_of(captions)
    is_default = (
        name == examples.first_example_id() and not {"example", "t"} & url.current_params().keys() and not inspect_state().custom_inputs
    )
    url.set_param("example", "" if is_default else name)
    url.set_param("t", token if captions == opened_captions else "")
    if captions != opened_captions:
        url.set_param("image", "")
