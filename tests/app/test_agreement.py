"""Test the Agreement page, and the metrics other than SPICE on Inspect."""

import json
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t, text_catalogue
from spice_core.metrics.registry import METRICS
from spice_core.stats.correlation import COEFFICIENT_NAMES
from tests.app.conftest import open_drawer, page_html, page_messages, visit


def test_the_page_opens_on_a_measured_sample_of_each_language():
    agreement = visit("5_Agreement")
    page = page_html(agreement)
    for part in ("300 items", "soft+", "CIDEr-D", "./?t=", "CapEval1k", "lang:en", "from publications, not computed here"):
        assert part in page
    (table,) = [button for button in agreement.get("download_button") if button.proto.id.endswith("agreement.save")]
    assert table.proto.label == t("agreement.save")
    assert agreement.get("plotly_chart") and page.count("Open in Inspect") == 10
    html_after = page_html(agreement.button_group(key="agreement.metric").set_value("BLEU-4").run())
    assert "BLEU-4 high, people low" in html_after and "BLEU-4 high, people low" not in page
    page = page_html(agreement.segmented_control(key="agreement.source").set_value("ja").run())
    assert "JSTS" in page and "lang:ja" in page and "300 items" in page
    assert "JSTS" in page_html(visit("5_Agreement", ui="ja"))


@pytest.mark.usefixtures("run_tasks_in_process")
def test_uploaded_ratings_are_measured_and_problems_reported():
    agreement = visit("5_Agreement", {"agreement.source": "upload"})

    def measure(content: bytes) -> AppTest:
        agreement.file_uploader(key="agreement.file").set_value([("mine.csv", content, "text/csv")]).run()
        agreement.button(key="agreement.measure").click().run()
        agreement.session_state["agreement.study"].wait(240)
        return agreement.run()

    rows = "candidate,ref1,rating\n犬がいる。,犬が寝ている。,3\n猫がいる。,猫がいる部屋。,4\n傘がある。,赤い傘がある。,5\n"
    app = measure(rows.encode("cp932"))
    assert t("batch.encoding", file="mine.csv", encoding="Shift_JIS") in page_messages(app) and "3 items" in page_html(app)
    assert "mine.csv" in "".join(page_messages(measure(b"a,b\n1,2\n"), "alert"))
    references = {
        "annotations": [{"image_id": n, "caption": text} for n, text in enumerate(("犬が寝ている。", "猫がいる部屋。", "赤い傘がある。"))]
    }
    agreement.file_uploader(key="agreement.references").set_value(
        [("stair.json", json.dumps(references).encode(), "application/json")]
    ).run()
    app = measure("imgid,mt,score\n0,犬がいる。,3\n1,猫がいる。,4\n2,傘がある。,5\n".encode())
    assert "3 items" in page_html(app) and any("imgid" in message for message in page_messages(app))


@pytest.mark.usefixtures("run_tasks_in_process")
def test_the_columns_of_ratings_can_be_chosen_and_contain_scores_of_other_metrics():
    app = visit("5_Agreement", {"agreement.source": "upload", "agreement.metrics.en": ["SPICE"]})
    rows = [("A dog.", "A dog on a sofa.", n, 9 - n, n / 10, "x" if n % 2 else "y") for n in range(1, 6)]
    content = "said,truth,first,second,my CIDEr,who\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    app.file_uploader(key="agreement.file").set_value([("odd.csv", content.encode(), "text/csv")]).run()
    assert t("agreement.incomplete") in page_messages(app) and app.button(key="agreement.measure").disabled
    choices = {box.key.rpartition(".")[2]: box for box in app.selectbox if ".columns." in str(box.key)}
    lists = {box.key.rpartition(".")[2]: box for box in app.multiselect if ".columns." in str(box.key)}
    assert lists["metrics"].options == ["first", "second", "my CIDEr"] and lists["metrics"].value == ["my CIDEr"]
    choices["candidate"].set_value("said")
    choices["rating"].set_value("second")
    lists["references"].set_value(["truth"])
    app.segmented_control(key="agreement.lang").set_value("en").run()
    assert t("agreement.ready") in page_messages(app)
    app.button(key="agreement.measure").click().run()
    app.session_state["agreement.study"].wait(240)
    study = app.run().session_state["agreement.study"].result
    assert [row.ratings for row in study.captions] == [(9 - n,) for n in range(1, 6)]
    assert study.scores["my CIDEr"] == [0.1, 0.2, 0.3, 0.4, 0.5] and study.agreement.coefficients["my CIDEr"]["Spearman"].value == -1
    assert t("agreement.in_file") in page_html(app)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_each_metric_and_coefficient_has_an_explanation(lang):
    notes = text_catalogue(lang)
    assert set(METRICS) <= notes["measures"].keys() and {*COEFFICIENT_NAMES, "all"} <= notes["coefficients"].keys()
    page = page_html(visit("5_Agreement", ui=lang))
    assert all(notes["coefficients"][name] in unescape(page) for name in COEFFICIENT_NAMES) and notes["measures"]["soft+"] in page


def test_inspect_shows_other_metrics_and_their_pairs(app):
    page = page_html(open_drawer(app, "beside"))
    for part in ("not measure fluency", "METEOR", "BLEU-4", "hypernyms-wn3.0", "is not a sentence, yet its SPICE", t("beside.context")):
        assert part in page
    assert not page_messages(app, "alert")
