"""Choice widgets keep their value and show the current labels when labels change."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from tests.app.conftest import open_page, page_html


def small_selectbox() -> AppTest:
    """Return an app with a list of two options whose labels contain a number. The second option is chosen."""

    def script() -> None:
        import streamlit as st

        from pages.parts.kit import choice

        option_count = st.session_state.get("number", 1)
        if "sent" in st.session_state:
            st.session_state["list"] = st.session_state.pop("sent")
        choice.selectbox("List", {name: f"{name} ({option_count})" for name in "ab"}, index=1, key="list")

    return AppTest.from_function(script, default_timeout=240).run()


def test_a_changed_label_is_sent_once_and_an_old_label_keeps_the_choice():
    app = small_selectbox()
    assert app.selectbox(key="list").value == "b" and not app.run().selectbox(key="list").proto.set_value
    app.session_state["number"] = 2
    select = app.run().selectbox(key="list")
    assert (select.value, select.proto.set_value, select.proto.raw_value) == ("b", True, "b (2)") and not app.warning
    assert not app.run().selectbox(key="list").proto.set_value
    select = app.selectbox(key="list").set_value("a").run().selectbox(key="list")
    assert select.value == "a" and not select.proto.set_value
    app = small_selectbox()
    app.session_state["sent"] = "b (0)"
    select = app.run().selectbox(key="list")
    assert (select.value, select.proto.raw_value) == ("b", "b (1)")


@pytest.mark.parametrize(
    ("page", "params", "key", "label_key"),
    [("app.py", {}, "inspect.focus", "focus.nothing"), ("pages/6_Learn.py", {"step": "tuples"}, "learn.step", "tour.tuples"),
     ("pages/3_Batch.py", {}, "batch.kind", "batch.by_none"), ("pages/2_Rules.py", {"section": "query"}, "rules.by", "parse.word")],
)  # fmt: skip
def test_options_are_in_the_interface_language(page: str, params: dict[str, str], key: str, label_key: str):
    app = open_page(page, **params)
    value_before = app.selectbox(key=key).value
    app = app.segmented_control(key="interface.switch").set_value("ja").run()
    select = app.selectbox(key=key)
    assert select.value == value_before and select.proto.set_value and t(label_key, language="ja") in select.proto.raw_value
    assert page_html(app)


PAGES = Path(__file__).parents[2] / "pages"


def test_saving_starts_no_run():
    texts = {path.name: path.read_text(encoding="utf-8") for path in PAGES.rglob("*.py")}
    assert sum(text.count("download_button(") for text in texts.values()) > 10
    # ``choice.download_button`` sets the option itself.
    saving_counts = {
        name: (len(re.findall(r"(?<!choice)\.download_button\(", text)), text.count('"ignore"')) for name, text in texts.items()
    }
    assert [name for name, (buttons, ignoring_count) in saving_counts.items() if buttons > ignoring_count] == []
