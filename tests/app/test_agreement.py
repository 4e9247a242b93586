"""The Agreement page, and the other metrics beside SPICE on Inspect."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from tests.app.conftest import APP, opened, said, shown


@pytest.fixture
def agreement() -> AppTest:
    return AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/5_Agreement.py").run()


def test_opens_on_a_measured_sample(agreement):
    page = shown(agreement)
    assert "300 items" in page and "soft+" in page and "CIDEr-D" in page
    assert agreement.get("plotly_chart")
    assert page.count("Open in Inspect") == 10 and "./?t=" in page
    assert "CapEval1k" in page and "lang:en" in page


def test_each_language_has_its_sample(agreement):
    page = shown(agreement.segmented_control(key="agreement.source").set_value("ja").run())
    assert "JSTS" in page and "lang:ja" in page and "300 items" in page
    other = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/5_Agreement.py")
    other.query_params["ui"] = "ja"
    assert "JSTS" in shown(other.run())


@pytest.mark.parser
def test_ratings_in_another_encoding_are_read_and_said(agreement):
    agreement.segmented_control(key="agreement.source").set_value("upload").run()
    rows = "candidate,ref1,rating\n犬がいる。,犬が寝ている。,3\n猫がいる。,猫がいる部屋。,4\n傘がある。,赤い傘がある。,5\n"
    agreement.file_uploader(key="agreement.file").set_value([("a.csv", rows.encode("cp932"), "text/csv")]).run()
    agreement.button(key="agreement.measure").click().run()
    agreement.session_state["agreement.study"].wait(240)
    assert t("batch.encoding", file="a.csv", encoding="Shift_JIS") in said(agreement.run())


def test_another_metric_has_other_disagreements(agreement):
    before = shown(agreement)
    after = shown(agreement.button_group(key="agreement.metric").set_value("BLEU-4").run())
    assert "BLEU-4 high, people low" in after and "BLEU-4 high, people low" not in before


def test_published_figures_are_marked(agreement):
    assert "Reported, not computed here" in shown(agreement)


def test_inspect_shows_other_metrics_and_their_pairs(app):
    page = shown(opened(app, "beside"))
    assert "SPICE does not see fluency" in page
    assert "METEOR" in page and "BLEU-4" in page and "hypernyms-wn3.0" in page
    assert "Without a sentence, the list" in page
    assert not said(app, "alert")
