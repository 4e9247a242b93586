"""HTML fragments: numbers, changes, tables, notes, headings, messages."""

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape

import streamlit as st

from pages.parts.kit.texts import t
from spice_core.draw.style import PLAIN, DisplayStyle

MAX_NARROW_COLUMNS = 6  # phones show tables with more columns as lists of labelled values


def signed_change(value: float, *, style: DisplayStyle = PLAIN) -> str:
    """Return a change as HTML, with a sign and a class for its direction, or "±0" if it rounds to 0."""
    if abs(value) < 0.5 * 10**-3:
        return "±0"
    return f'<span class="sc-{"rise" if value > 0 else "fall"}">{style.format_change(value)}</span>'


def table(headers: Iterable[str], body: Iterable[Sequence[str]], *, css_class: str = "", is_wide: bool = False) -> str:
    """Return an HTML table with text in the first column and numbers in the other columns.

    Headers and cells are HTML. ``css_class`` is an additional class. On a phone, a table that ``is_wide`` or has many columns becomes
    lists of labelled values.
    """
    headers = list(headers)
    is_wide = is_wide or len(headers) > MAX_NARROW_COLUMNS
    head = "".join(f"<th scope=col>{name}</th>" for name in headers)
    labels = [f' data-label="{name}"' if is_wide else "" for name in headers]
    cells = "".join(
        f"<tr><th scope=row>{row[0]}</th>{''.join(f'<td{label}>{cell}</td>' for label, cell in zip(labels[1:], row[1:]))}</tr>"
        for row in body
    )
    classes = " ".join(filter(None, ("sc-table sc-numbers", css_class, "sc-wide" if is_wide else "")))
    return scrolling_table(f'<table class="{classes}"><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>', map(unescape, headers))


def plain_table(
    headers: Iterable[str],
    body: Iterable[Sequence[str]],
    css_class: str,
    *,
    labels: Sequence[str] = (),
    lang: str = "",
    scrolls_vertically: bool = False,
) -> str:
    """Return an HTML table of text. Headers and cells are HTML. ``labels`` name the columns on phones, which show each row as a list."""
    headers = list(headers)
    head = "".join(f"<th scope=col>{name}</th>" for name in headers)
    marks = [f' data-label="{label}"' if label else "" for label in labels or [""] * len(headers)]
    rows = "".join(f"<tr>{''.join(f'<td{mark}>{cell}</td>' for mark, cell in zip(marks, row, strict=True))}</tr>" for row in body)
    body_tag = f'<tbody lang="{lang}">' if lang else "<tbody>"
    table = f'<table class="sc-table {css_class}"><thead><tr>{head}</tr></thead>{body_tag}{rows}</tbody></table>'
    return scrolling_table(table, map(unescape, headers), scrolls_vertically=scrolls_vertically)


def scrolling_table(table: str, headers: Iterable[str], *, scrolls_vertically: bool = False) -> str:
    """Return a table in a focusable box that scrolls horizontally and, on request, vertically. The headers are its accessible label."""
    name = escape(", ".join(filter(None, headers)))
    return f'<div class="sc-scroll{" sc-high" if scrolls_vertically else ""}" role="group" aria-label="{name}" tabindex="0">{table}</div>'


def escape_markdown(text: str) -> str:
    """Escape a text for labels, which Streamlit renders as Markdown."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def show_note(text: str) -> None:
    """Show a note in small type."""
    st.html(f'<p class="sc-note">{escape(text)}</p>')


def show_heading(text: str) -> None:
    """Show a small heading."""
    st.html(f'<h3 class="sc-small">{escape(text)}</h3>')


def show_copyable(text: str) -> None:
    """Show a copyable text, such as a signature. One click selects it."""
    st.html(f'<pre class="sc-quoted">{escape(text)}</pre>')


def show_titled_note(title: str, remark: str) -> None:
    """Show a small heading with a note on the right. Both are HTML."""
    st.html(f'<div class="sc-titled"><h3 class="sc-small">{title}</h3><span>{remark}</span></div>')


def show_messages(messages: list[str], *, severity: str = "note") -> None:
    """Show messages as notes (``note``) or as problems to fix first (``problem``)."""
    role = "alert" if severity == "problem" else "status"
    lines = "".join(f"<p>{escape(message)}</p>" for message in messages)
    if lines:
        st.html(f'<div class="sc-say sc-{severity}" role="{role}">{lines}</div>')


def requested_text(name: str, max_chars: int) -> str:
    """Return a text parameter of the URL, or "" after a message if it is too long."""
    value = st.query_params.get(name, "").strip()
    if len(value) <= max_chars:
        return value
    show_messages([t("states.too_long", name=name, number=f"{len(value):,}", most=f"{max_chars:,}")])
    return ""
