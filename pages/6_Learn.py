"""The Learn page: a tour of the metric, exercises, and sets of questions for a class."""

import streamlit as st

from pages.parts.kit import choice, html, page, url
from pages.parts.kit.texts import error_text, t
from pages.parts.learn import class_page, practice, progress, tour
from spice_core.errors import SpiceError

SHOW_BY_SECTION = {"tour": tour.show_tour, "exercises": practice.show_practice, "set": class_page.show_class_set}


def main() -> None:
    """Show the chosen section."""
    page.begin("learn")
    url.init_from_param("learn.section", "section", SHOW_BY_SECTION, "exercises" if "exercise" in st.query_params else "tour")
    labels = {name: t(f"learn.{name}") for name in SHOW_BY_SECTION}
    section = choice.segmented_control(
        t("learn.section"), labels, key="learn.section", label_visibility="collapsed", persist_state="session"
    )
    url.set_param("section", section, "tour")
    try:
        SHOW_BY_SECTION[section]()
    except SpiceError as error:
        html.show_messages([error_text(error)], severity="problem")
    progress.exchange_progress()


main()
