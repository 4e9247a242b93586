"""The form that builds a class set from pasted captions, and the panel with the link, QR code and file of the set."""

import json
from collections.abc import Callable
from html import escape
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from pages.parts.kit import choice, html, url
from pages.parts.kit.html import escape_markdown
from pages.parts.kit.texts import error_text, t
from pages.parts.learn import class_set
from pages.parts.learn.class_set import ClassItem, ClassSet
from pages.parts.state.examples import captions_in
from pages.parts.views import component, graphs, present, tuples
from spice_core.errors import InputError

UseSet = Callable[[ClassSet | None], None]
BUILD_KEY = "learn.build"
CAPTIONS_KEY, QUESTION_KEY, ASK_KEY, PROBLEM_KEY = (f"{BUILD_KEY}.{name}" for name in ("captions", "question", "ask", "problem"))


def question_text(item: ClassItem) -> str:
    """Return the question of an item: the author's wording, or a standard text in the interface language."""
    return item.question or (_standard_question(item.answer) if item.answer else t("classes.no_question"))


def _standard_question(figure: str) -> str:
    category, _, measure = figure.rpartition(".")
    if category:
        return t("classes.ask_category", category=tuples.category_label(category), question=t(f"classes.ask_{measure}"))
    return t(f"classes.ask_{measure}")


def item_titles(item: ClassItem, index: int, total: int) -> tuple[str, str]:
    """Return an item's title and its position in the set, or for numeric ids the position as title and ""."""
    position = t("classes.at", number=index + 1, total=total)
    return (position, "") if item.id.isdigit() else (item.id, position)


def show_form(edited_set: ClassSet | None, use_set: UseSet) -> None:
    """Show the fields of a new item. ``use_set`` receives the set that includes the new item."""

    def add() -> None:
        state = st.session_state
        captions = captions_in(state[CAPTIONS_KEY])
        if len(captions) < 2:
            state[PROBLEM_KEY] = t("classes.captions_missing")
            return
        try:
            changed_set = class_set.add_item(edited_set, captions, state[ASK_KEY].strip(), state[QUESTION_KEY])
        except InputError as error:
            state[PROBLEM_KEY] = error_text(error)
            return
        state[CAPTIONS_KEY] = state[ASK_KEY] = ""
        use_set(changed_set)

    labels = {figure: _standard_question(figure) if figure else t("classes.ask_open") for figure in class_set.QUESTION_NAMES}
    with st.form(f"{BUILD_KEY}.form", border=False):
        st.text_area(t("classes.captions"), key=CAPTIONS_KEY, height=150, placeholder=t("classes.captions_example"))
        choice.selectbox(t("classes.figure"), labels, key=QUESTION_KEY)
        st.text_input(t("classes.wording"), key=ASK_KEY, max_chars=class_set.MAX_TEXT_CHARS)
        st.form_submit_button(t("classes.add"), type="primary", key=f"{BUILD_KEY}.add", on_click=add)
    if problem := st.session_state.pop(PROBLEM_KEY, ""):
        html.show_messages([problem], severity="problem")


def show_items(class_set: ClassSet, use_set: UseSet, open_item: Callable[[int], None]) -> None:
    """Show the items of the set with buttons to open, move and remove them."""
    for index, item in enumerate(class_set.items):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{BUILD_KEY}.item.{index}"):
            raised_set, reduced_set = class_set.with_item_moved_up(index) if index else class_set, class_set.without_item(index)
            label = escape_markdown(url.quote_value(item.inputs.candidate))  # tooltips are Markdown
            edits = (("up", "↑", raised_set, not index), ("remove", "✕", reduced_set, False))
            for name, symbol, changed_set, is_disabled in edits:
                options: dict[str, Any] = {"help": t(f"classes.{name}", caption=label), "disabled": is_disabled, "args": (changed_set,)}
                st.button(symbol, key=f"{BUILD_KEY}.{name}.{index}", type="tertiary", on_click=use_set, **options)
            st.button(t("classes.open"), key=f"{BUILD_KEY}.open.{index}", help=label, type="tertiary", on_click=open_item, args=(index,))
            st.html(
                f'<p class="sc-item"><b>{index + 1}</b> {escape(item.inputs.candidate)} <small>{escape(question_text(item))}</small></p>'
            )


def show_share(class_set: ClassSet) -> None:
    """Show the link of the set, its QR code, and a file to save."""
    token = class_set.token
    params = {"section": "set", "set": token} if token else {}
    address, code = present.address_and_code(params)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="learn.share"):
        if code:
            picture = graphs.data_url(code.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
            st.html(f'<img class="sc-qr" src="{picture}" alt="{escape(t("classes.code"))}">')
        with st.container(gap="small"):
            st.html(f'<p class="sc-ask">{t("classes.ready", number=len(class_set.items))}</p>')
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                if token:
                    component.show_copy_button(
                        params, view=(), contains_captions=True, base=st.session_state.get(present.ADDRESS_KEY, ""), key=f"{BUILD_KEY}.link"
                    )
                file = json.dumps(class_set.as_dict(), ensure_ascii=False, indent=1)
                choice.download_button(
                    t("classes.save"), file, "class-set.json", "application/json", key=f"{BUILD_KEY}.save", type="secondary"
                )
            _show_address_field()
            _show_link_note(token, address, code)


def _show_address_field() -> None:
    """Show the field for the address that phones use to reach the page, for links and QR codes on all pages."""
    key = f"{BUILD_KEY}.address"

    def read() -> None:
        text = st.session_state[key].strip()
        st.session_state[present.ADDRESS_KEY] = present.read_address(text) if text else ""

    st.session_state.setdefault(key, st.session_state.get(present.ADDRESS_KEY, ""))
    text = st.text_input(t("classes.address"), key=key, max_chars=200, placeholder="http://192.168.0.20:8501", on_change=read)
    if text.strip() and not st.session_state.get(present.ADDRESS_KEY):
        html.show_messages([t("classes.address_invalid", found=url.quote_value(text, 60))], severity="problem")


def _show_link_note(token: str, address: str, code: str) -> None:
    """Show where the link works, or why there is no link or QR code. Warn if only this computer can open the link."""
    if code and (urlsplit(address).hostname or "") in present.LOCAL_HOSTS:
        html.show_messages([t("classes.local")])
    else:
        note = "too_long" if not token else "link" if code else "no_code"
        st.html(f'<p class="sc-note">{escape(t(f"classes.{note}"))}</p>')
