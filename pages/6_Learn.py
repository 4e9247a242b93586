"""Learn: a tour of the metric and exercises, for a single reader, a class or a screen."""

import streamlit as st

from pages.parts.kit import choice, messages, page, url
from pages.parts.kit.texts import problem, t
from pages.parts.learn import class_page, practice, progress, tour
from pages.parts.learn.results import KEY
from spice_core.errors import SpiceError

SECTIONS = {"tour": tour.show, "exercises": practice.show, "set": class_page.show}


def main() -> None:
    """Show the chosen section."""
    page.begin("learn")
    url.init_from_param(f"{KEY}.section", "section", SECTIONS, "exercises" if "exercise" in st.query_params else "tour")
    labels = {name: t(f"learn.{name}") for name in SECTIONS}
    section = choice.segmented_control(
        t("learn.section"), labels, key=f"{KEY}.section", label_visibility="collapsed", persist_state="session"
    )
    url.set_param("section", section, "tour")
    try:
        SECTIONS[section]()
    except SpiceError as error:
        messages.show_messages([problem(error)], kind="problem")
    progress.exchange()


main()
