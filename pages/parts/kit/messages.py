"""Messages to the visitor."""

from html import escape

import streamlit as st

from pages.parts.kit.texts import t


def show_messages(messages: list[str], *, severity: str = "note") -> None:
    """Show messages as notes (``note``) or as problems to fix first (``problem``)."""
    role = "alert" if severity == "problem" else "status"
    lines = "".join(f"<p>{escape(message)}</p>" for message in messages)
    if lines:
        st.html(f'<div class="sc-say sc-{severity}" role="{role}">{lines}</div>')


def requested_text(name: str, max_chars: int) -> str:
    """Return a text parameter of the URL. If the text is too long, show a message and return ""."""
    value = st.query_params.get(name, "").strip()
    if len(value) <= max_chars:
        return value
    show_messages([t("states.too_long", name=name, number=f"{len(value):,}", most=f"{max_chars:,}")])
    return ""
