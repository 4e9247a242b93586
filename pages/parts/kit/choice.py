"""Widgets: choices, whose labels may change and may contain what visitors wrote; downloads; expanders that show their content when open."""

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

import streamlit as st

from pages.parts.kit.html import escape_markdown
from pages.parts.kit.texts import t

T = TypeVar("T")
P = ParamSpec("P")


def segmented_control(label: str, options: Mapping[T, str], *, key: str, default: T | None = None, **settings: Any) -> T:
    """Show a segmented control of labelled options. Return the choice, by default the first option.

    Streamlit identifies options by their labels and returns None if the browser sends an outdated label (with an old number
    or in another language). In this case, the function returns the last choice.
    """
    default_option = next(iter(options)) if default is None else default
    initial: dict[str, Any] = {} if key in st.session_state else {"default": default_option}
    chosen_option = st.segmented_control(
        label, list(options), key=key, format_func=_plain_label(options), required=True, **initial, **settings
    )
    if chosen_option not in options:
        chosen_option = last_choice(key, options, default_option)
    st.session_state[_last_choice_key(key)] = chosen_option
    return chosen_option


def pills(label: str, options: Mapping[T, str], *, key: str, **settings: Any) -> Any:
    """Show pills with labelled options. Return the choice or, if ``selection_mode`` is "multi", a list."""
    return st.pills(label, list(options), key=key, format_func=_plain_label(options), **settings)


def _plain_label(options: Mapping[T, str]) -> Callable[[T], str]:
    """Return a function from options to labels, escaped because Streamlit renders labels as Markdown."""
    return lambda option: escape_markdown(options[option])


def selectbox(label: str, options: Mapping[T, str], *, key: str, container: Any = st, **settings: Any) -> T:
    """Show a select box of labelled options. Return the choice, or None if ``index`` is None and nothing is chosen.

    After the label of the choice has changed (with a number or the language), a browser keeps sending the old label. In this case, the
    function sets the choice again, so that the browser shows the new label.
    """
    state = st.session_state
    widget_value: Any = state.get(key)
    last_option: Any = state.get(_last_choice_key(key))
    if is_restored := last_option in options and (
        (widget_value == last_option and options[last_option] != state.get(_shown_label_key(key))) or widget_value not in (None, *options)
    ):
        state[key] = last_option
    index = settings.pop("index", 0)
    start = 0 if is_restored and index else index  # Streamlit warns about two initial values of a widget
    chosen_option: T = container.selectbox(label, list(options), start, key=key, format_func=options.__getitem__, **settings)
    state[_last_choice_key(key)], state[_shown_label_key(key)] = chosen_option, options.get(chosen_option)
    return chosen_option


def download_button(
    label: str, content: Any, file_name: str, mime: str, *, key: str, type: Literal["secondary", "tertiary"] = "tertiary"
) -> None:
    """Show a button that saves a file. If ``content`` is a function, it creates the file when the button is pressed.

    A click does not rerun the page, because a rerun would delete the file before the browser has fetched it.
    """
    st.download_button(label, content, file_name, mime, key=key, type=type, on_click="ignore")


def last_choice(key: str, options: Collection[T], default: T) -> T:
    """Return the last choice if it is still an option, otherwise ``default``."""
    chosen_option = st.session_state.get(_last_choice_key(key), default)
    return chosen_option if chosen_option in options else default


def _last_choice_key(key: str) -> str:
    return f"{key}.last"


def _shown_label_key(key: str) -> str:
    return f"{key}.label"


def clicked_row(widget: str) -> int | None:
    """Return the index of the clicked row in a table with ``selection_mode="single-cell"``, or None."""
    cells = st.session_state[widget].selection.cells
    return int(cells[0][0]) if cells else None


def upload_block(name: str, done_id: str, *, key: str) -> Any:
    """Return an expander for uploads, labelled with the ``name`` of the data.

    It is open until there is a result, and closes once for each new ``done_id``, which identifies the data with a result.
    """
    widget, slot = f"{key}.uploads", f"{key}.uploads_done"
    if widget not in st.session_state or st.session_state.get(slot, "") != done_id:
        st.session_state[widget], st.session_state[slot] = not done_id, done_id
    label = t("batch.uploads_done", name=escape_markdown(name)) if done_id else t("batch.files")
    return st.expander(label, key=widget, on_change="rerun")


def drawer(title_key: str, key: str, place: Callable[..., Any] = st.expander) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Make a function show its elements in an expander or popover. The function runs only while this ``place`` is open."""

    def decorate(show: Callable[P, None]) -> Callable[P, None]:
        @wraps(show)
        def show_drawer(*args: P.args, **kwargs: P.kwargs) -> None:
            container = place(t(title_key), key=key, on_change="rerun")
            if container.open:
                with container:
                    show(*args, **kwargs)

        return show_drawer

    return decorate
