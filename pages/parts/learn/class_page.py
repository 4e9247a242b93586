"""The page of a class set: build it, or open it from a file or a link, then answer it item by item."""

import json
import math
import zlib
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import html, page, url
from pages.parts.kit.texts import error_text, interface_language, t
from pages.parts.learn import class_builder, class_set, elements, results
from pages.parts.learn.class_set import ClassItem, ClassSet
from pages.parts.learn.state import learn_state
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import captions, present, sheet
from spice_core.errors import InputError

ITEM_KEY = "learn.item"


def show_class_set() -> None:
    """Show the class set item by item, or how to build or open a set."""
    _open_link()
    class_set = learn_state().class_set
    if class_set is None:
        st.html(f'<p class="sc-told">{t("classes.intro")}</p>')
        class_builder.show_form(None, use_created_set)
        _show_upload()
        return
    is_own = learn_state().created_digest == class_set.digest
    if is_own:
        class_builder.show_share(class_set)
        _show_set_editor(class_set)
    _show_item(class_set)
    if not is_own:
        _show_set_editor(class_set)
    _show_upload()


def _show_set_editor(class_set: ClassSet) -> None:
    """Show the items of the set and the form for a new item. For somebody else's set, also show its link and file."""
    is_own = learn_state().created_digest == class_set.digest
    with st.expander(t("classes.change" if is_own else "classes.copy")):
        if not is_own:
            class_builder.show_share(class_set)
        class_builder.show_items(class_set, use_created_set, _go_to)
        class_builder.show_form(class_set, use_created_set)


def use_created_set(class_set: ClassSet | None) -> None:
    """Use the visitor's set and show its last item. None closes the set."""
    open_set(class_set)
    learn_state().created_digest = class_set.digest if class_set else ""
    st.session_state[ITEM_KEY] = len(class_set.items) - 1 if class_set else 0


def open_set(class_set: ClassSet | None, *, requested_item: str = "") -> None:
    """Use a set and show the requested item, by default the first. The URL stores sets that fit."""
    state = learn_state()
    state.class_set, state.set_token = class_set, class_set.token if class_set else ""
    state.presented_inputs.pop("item", None)
    st.session_state[ITEM_KEY] = 0
    url.set_param("set", state.set_token)
    if state.items_digest != (digest := class_set.digest if class_set else ""):
        state.items, state.items_digest = {}, digest
    for name in [name for name in st.session_state if str(name).startswith(f"{ITEM_KEY}.")]:  # answers to the previous set
        del st.session_state[name]
    if class_set and requested_item.isascii() and requested_item.isdigit() and 0 < int(requested_item[:4]) <= len(class_set.items):
        st.session_state[ITEM_KEY] = int(requested_item[:4]) - 1


def _open_link() -> None:
    """Open the set in the URL unless it is already open."""
    token, state = st.query_params.get("set", ""), learn_state()
    if not token or state.set_token == token:
        return
    state.set_token = token
    try:
        open_set(class_set.unpack_set(token), requested_item=st.query_params.get("item", ""))
        state.set_token = st.query_params.get("set", "")
    except (InputError, ValueError, TypeError, RecursionError, zlib.error) as error:
        reason = error_text(error) if isinstance(error, InputError) else t("classes.no_link", found=url.quote_value(token, 24))
        html.show_messages([t("classes.refused", reason=reason)], severity="problem")
        url.set_param("set", "")


def _show_upload() -> None:
    """Show the file uploader and describe the file format."""
    with st.expander(t("classes.file")):
        st.html(f'<p class="sc-note">{t("classes.layout")}</p>')
        candidate, *references = t("classes.captions_example").splitlines()
        item = {"id": "1", "candidate": candidate, "references": references, "ask": t("classes.ask_matched"), "answer": "matched"}
        example = {class_set.FILE_MARK: 1, "lang": interface_language(), "items": [item]}
        st.code(json.dumps(example, ensure_ascii=False, indent=1), language=None)
        options: dict[str, Any] = {"type": ["json", "csv"], "max_upload_size": 1, "label_visibility": "collapsed"}  # in MB
        file = st.file_uploader(t("classes.file"), key="learn.file", **options)
        if file is not None and learn_state().file_id != file.file_id:
            learn_state().file_id = file.file_id
            try:
                opened_set = class_set.read_set(file.name, file.getvalue())
            except InputError as error:
                html.show_messages([t("classes.refused", reason=error_text(error))], severity="problem")
                return
            open_set(opened_set)
            learn_state().created_digest = opened_set.digest
            st.rerun()


def _show_item(opened_set: ClassSet) -> None:
    """Show the current item with its question, navigation, Present and the printable sheet.

    After a correct answer or Reveal, show the graph too.
    """
    total = len(opened_set.items)
    position: int = min(st.session_state.setdefault(ITEM_KEY, 0), total - 1)
    url.set_param("item", str(position + 1), "1")
    item, key = opened_set.items[position], f"{ITEM_KEY}.{position}"
    title, position_text = class_builder.item_titles(item, position, total)
    with st.spinner(t("states.loading")):
        scored_captions = results.cached_result(item.inputs, opened_set.config)
    with st.container(key="learn.body"):
        with st.container(key="learn.told"):
            st.html(f'<h2 class="sc-step"><small>{position_text}</small>{escape(title)}</h2>')
            st.html(f'<p class="sc-told">{escape(class_builder.question_text(item))}</p>')
            is_solution_shown = _ask_answer(item, scored_captions, position)
        with st.container(key="learn.picture"):
            if is_solution_shown:
                captions.show_captions(scored_captions)
                elements.show_graph(scored_captions, key=key)
            else:
                elements.show_scored_captions(scored_captions)
    elements.show_navigation(position, total, _go_to)
    link = {"section": "set", "set": opened_set.token, "item": str(position + 1)} if opened_set.token else {}
    slide = present.PresentedSlide(title, position_text, class_builder.question_text(item), link=link and {**link, **page.page_query()})
    elements.present_result(scored_captions, slide, "item", lambda offset: _go_to((position + offset) % total))
    set_link = {name: value for name, value in link.items() if name != "item"}

    def solve(item: ClassItem) -> tuple[ScoredCaptions, str]:
        """Return the result of an item and its answer, or "" for an open question."""
        scored_captions = results.cached_result(item.inputs, opened_set.config)
        return scored_captions, _figure_text(class_set.figure_of(scored_captions, item.answer)) if item.answer else ""

    questions = [sheet.SetQuestion(class_builder.question_text(i), i.inputs, partial(solve, i)) for i in opened_set.items]
    sheet.show_set(questions, scored_captions, link=set_link, key="learn.set")


def _figure_text(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.3f}".rstrip("0").rstrip(".")


def _ask_answer(item: ClassItem, scored_captions: ScoredCaptions, index: int) -> bool:
    """Show the answer field, the verdict and the Reveal button. Return whether the picture may be shown."""
    key = f"{ITEM_KEY}.{index}"
    if item.answer:
        expected_value = class_set.figure_of(scored_captions, item.answer)
        answers = learn_state().items
        st.session_state.setdefault(f"{key}.answer", answers.get(str(index), ""))
        label = t("classes.answer", figure=item.answer) if item.question else t("classes.your_answer")
        answer = st.text_input(label, key=f"{key}.answer").strip()
        answers[str(index)] = answer
        if answer:
            is_right = class_set.is_answer(answer, expected_value)
            reason = t("classes.is", figure=item.answer, value=_figure_text(expected_value)) if is_right else ""
            elements.show_feedback(t("learn.right" if is_right else "learn.wrong"), reason, is_right=is_right)
            if is_right:
                return True
    if st.session_state.get(f"{key}.revealed"):
        return True
    st.button(t("learn.reveal"), key=f"{key}.reveal", type="primary", on_click=st.session_state.__setitem__, args=(f"{key}.revealed", True))
    return False


def _go_to(index: int) -> None:
    st.session_state[ITEM_KEY] = max(index, 0)
