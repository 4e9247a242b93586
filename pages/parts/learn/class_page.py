"""The page of a class set: open a file or a link, then go through it item by item like the tour."""

from __future__ import annotations

import json
import math
import zlib
from html import escape
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.parts.kit import messages, url
from pages.parts.kit.texts import problem, t
from pages.parts.learn import ask, class_set, graph, results
from pages.parts.learn.class_set import ClassSet, Item
from pages.parts.learn.results import KEY
from pages.parts.state import links
from pages.parts.state.engine import Scored
from pages.parts.views import captions
from spice_core.errors import InputError

SET, ITEM = f"{KEY}.set", f"{KEY}.item"
_TOLERANCE = 0.0015  # tolerance for an answer written with three decimals


def show() -> None:
    """Show one item of the class set at a time; without a set, explain how to open one."""
    _open_link()
    chosen: ClassSet | None = st.session_state.get(SET)
    _show_upload(chosen)
    if chosen is None:
        return
    at = _current_position(len(chosen.items))
    item = chosen.items[at]
    with st.spinner(t("states.loading")):
        scored = results.cached_result(item.inputs, chosen.config)
    key = f"{ITEM}.{at}"
    with st.container(key=f"{KEY}.body"):
        with st.container(key=f"{KEY}.told"):
            _show_question(item, at, len(chosen.items))
            opened = _ask_answer(item, scored, key=key)
        with st.container(key=f"{KEY}.picture"):
            if opened:
                captions.show_captions(scored)
                graph.show(scored, key=key)
            else:
                graph.show_captions(dict(zip(scored.captions, (item.inputs.candidate, *item.inputs.references))), lang=chosen.config.lang)
    _show_navigation(at, len(chosen.items))


def _open_link() -> None:
    """Open the set of the address at the first visit."""
    token = st.query_params.get("set", "")
    if not token or st.session_state.get(f"{SET}.token") == token:
        return
    st.session_state[f"{SET}.token"] = token
    try:
        _use_set(class_set.from_json(links.unpack_json(token), "set"), token)
    except (InputError, ValueError, TypeError, RecursionError, zlib.error) as error:
        reason = problem(error) if isinstance(error, InputError) else t("classes.no_link", found=url.quote_value(token, 24))
        messages.say([t("classes.refused", reason=reason)], kind="problem")
        url.set_param("set", "")


def _use_set(chosen: ClassSet, token: str = "") -> None:
    st.session_state[SET] = chosen
    st.session_state[ITEM] = 0
    for name in [name for name in st.session_state if str(name).startswith(f"{ITEM}.")]:  # answers to the previous set
        del st.session_state[name]
    requested = st.query_params.get("item", "") if token else ""
    if requested.isascii() and requested.isdigit() and 0 < int(requested[:4]) <= len(chosen.items):
        st.session_state[ITEM] = int(requested[:4]) - 1


def _show_upload(chosen: ClassSet | None) -> None:
    """Show the file uploader and, once a set is open, its link."""
    with st.expander(t("classes.file"), expanded=chosen is None):
        st.html(f'<p class="sc-note">{t("classes.layout")}</p>')
        st.code(json.dumps(_example(), ensure_ascii=False, indent=1), language=None)
        options: dict[str, Any] = {"type": ["json", "csv"], "max_upload_size": 1, "label_visibility": "collapsed"}  # in MB
        file = st.file_uploader(t("classes.file"), key=f"{KEY}.file", **options)
        if file is not None and st.session_state.get(f"{SET}.file") != file.file_id:
            st.session_state[f"{SET}.file"] = file.file_id
            try:
                _use_set(class_set.read(file.name, file.getvalue()))
                st.rerun()
            except InputError as error:
                messages.say([t("classes.refused", reason=problem(error))], kind="problem")
        if chosen:
            token = links.pack_json(chosen.as_dict())
            if len(token) > links.MAX_LINK_CHARS:
                st.html(f'<p class="sc-note">{t("classes.too_long")}</p>')
            else:
                st.html(f'<p class="sc-note">{t("classes.link")}</p>')
                st.code(
                    f"{(st.context.url or '').split('?')[0]}?{urlencode({'section': 'set', 'set': token})}", language=None, wrap_lines=True
                )


def _example() -> dict[str, object]:
    captions_ = {"candidate": "A dog sleeps on a couch.", "references": ["A dog sleeps on a sofa."]}
    item = {"id": "dogs", **captions_, "ask": "How many tuples match?", "answer": "matched"}
    return {class_set.MARK: 1, "lang": "en", "items": [item]}


def _current_position(total: int) -> int:
    at: int = min(st.session_state.setdefault(ITEM, 0), total - 1)
    url.set_param("item", str(at + 1), "1")
    return at


def _show_question(item: Item, at: int, total: int) -> None:
    st.html(f'<h2 class="sc-step"><small>{t("classes.at", number=at + 1, total=total)}</small>{escape(item.id)}</h2>')
    st.html(f'<p class="sc-told">{escape(item.ask or t("classes.no_question"))}</p>')


def _ask_answer(item: Item, scored: Scored, *, key: str) -> bool:
    """Show the answer field, the verdict of the engine, and Reveal; return whether the picture may be shown."""
    if item.answer:
        expected = class_set.figure(scored, item.answer)
        answer = st.text_input(t("classes.answer", figure=item.answer), key=f"{key}.answer").strip()
        if answer:
            right = is_answer(answer, expected)
            value = "n/a" if math.isnan(expected) else f"{expected:.3f}".rstrip("0").rstrip(".")
            ask.show_feedback(
                t("learn.right" if right else "learn.wrong"), t("classes.is", figure=item.answer, value=value) if right else "", right=right
            )
            if right:
                return True
    if st.session_state.get(f"{key}.revealed"):
        return True
    st.button(t("learn.reveal"), key=f"{key}.reveal", type="primary", on_click=st.session_state.__setitem__, args=(f"{key}.revealed", True))
    return False


def is_answer(answer: str, expected: float) -> bool:
    """Return whether a written number, fraction such as 5/11, or n/a equals this figure to three decimals."""
    text = answer.strip().lower().replace(",", ".")
    if math.isnan(expected):
        return text in ("n/a", "na", "nan", "–", "-", "該当なし")
    above, slash, below = text.partition("/")
    try:
        value = float(above) / float(below) if slash else float(above)
    except (ValueError, ZeroDivisionError):
        return False
    return abs(value - expected) < _TOLERANCE


def _show_navigation(at: int, total: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{KEY}.ways"):
        st.button(t("learn.back"), key=f"{KEY}.back", on_click=_go_to, args=(at - 1,), disabled=at == 0, shortcut="Left")
        st.button(t("learn.next"), key=f"{KEY}.next", on_click=_go_to, args=(at + 1,), disabled=at == total - 1, shortcut="Right")


def _go_to(to: int) -> None:
    st.session_state[ITEM] = max(to, 0)
