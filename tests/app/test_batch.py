"""Test the Batch page without a browser: validate, score, stop, filter, tag and save data."""

import csv
import io
import json
import math
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts.batch import columns, counts, downloads, filters, persistence
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs import tasks
from pages.parts.jobs.runs import ROW_FIELDS, ScoringRun
from pages.parts.kit import bounded
from pages.parts.kit import visit as visit_of_browser
from pages.parts.kit import worker as worker_module
from pages.parts.kit.html import escape_markdown
from pages.parts.kit.page import APP_FOLDER
from pages.parts.kit.texts import t
from pages.parts.kit.worker import Worker
from pages.parts.state import settings
from pages.parts.state.links import unpack_captions
from pages.parts.uploads import datasets, reading
from pages.parts.views import component, saved_work, scored_rows, tuples
from spice_core import Spice
from spice_core.cli.main import main
from spice_core.data.reader import Upload
from spice_core.data.work_file import ScoredWork, UnmatchedTuple, works_as_file
from spice_core.evaluation.row_statistics import caption_text
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.registry import METRICS, SPICE
from spice_core.scene.matching import MatchState
from spice_core.scene.scores import OVERALL
from tests.app.conftest import button_keys, component_data, page_html, page_messages, signature, visit

DEFAULT_CONFIG = settings.default_config("en")
pytestmark = pytest.mark.usefixtures("run_tasks_in_process")
GOOD_ROWS = [
    {"image_id": 1, "test": "A dog on a sofa.", "refs": ["A brown dog lies on a couch.", "A dog on a red sofa."]},
    {"image_id": "b", "test": "=Two cats.", "refs": ["Two cats on a bed."]},
]
CUSTOM_RULES_TEXT = (APP_FOLDER / "spice_core/lang/en/rules/caption.toml").read_text() + "# mine\n"
NO_REFERENCE, NO_CANDIDATE = {"image_id": 2, "test": "A cat.", "refs": []}, {"image_id": 3, "refs": ["<b>A cat."]}
FAULTY_ROWS = [GOOD_ROWS[0], NO_REFERENCE, {"image_id": 1, "test": "A cat.", "refs": ["A cat."]}, NO_CANDIDATE, GOOD_ROWS[1]]


def open_batch_page() -> AppTest:
    return visit("3_Batch")


def open_with_file(name: str, content: bytes) -> AppTest:
    return upload_files(open_batch_page(), Upload(name, content))


def upload_files(app: AppTest, *files: Upload) -> AppTest:
    app.segmented_control(key="batch.source").set_value("files").run()
    return app.file_uploader(key="batch.file").set_value([(file.name, file.content, "text/plain") for file in files]).run()


def test_a_parquet_file_is_refused_with_the_formats_that_the_page_reads():
    app = upload_files(open_batch_page(), Upload("captions.parquet", b"PAR1" + bytes(20)))
    assert ".parquet" in app.file_uploader(key="batch.file").proto.type  # the browser would reject the file silently
    assert "the command line reads Parquet" in page_html(app)


def upload(*rows: object) -> Upload:
    return Upload("mine.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())


def run_batch(app: AppTest, page: str = "batch") -> AppTest:
    """Press the run button and wait until the run has ended."""
    app = app.button(key=f"{page}.start").click().run()
    app.session_state[f"{page}.run"].wait(240)
    return app.run()


def score_data(data: reading.CaptionData) -> ScoringRun:
    run = ScoringRun(data.items, DEFAULT_CONFIG, data.name, data.digest).start()
    run.wait(240)
    return run


@pytest.fixture(scope="module")
def run() -> ScoringRun:
    """Return a run of the sample with stored scores (test_systems.py compares them with a new run)."""
    return ScoringRun.from_sample()


@pytest.fixture
def app(run: ScoringRun) -> AppTest:
    return visit("3_Batch", {"batch.run": run})


def test_the_page_opens_on_the_scored_sample(run: ScoringRun):
    page = open_batch_page()
    opened_run = page.session_state["batch.run"]
    assert not opened_run.is_working and (opened_run.settings, opened_run.digest, opened_run.items) == (
        DEFAULT_CONFIG,
        datasets.read_bundled_sample().digest,
        run.items,
    )
    assert [row.as_json(ROW_FIELDS) for row in opened_run.rows] == [row.as_json(ROW_FIELDS) for row in run.rows]
    assert counts.category_names(opened_run) == ["Object", "Attribute", "Relation", "Color", "Cardinality", "Size"], "as on Inspect"
    assert page.button(key="batch.start").proto.type == "secondary", "nothing has changed since"
    page = page.button_group(key="matching.switch").set_value("meaning").run()
    assert page.button(key="batch.start").proto.type == "primary"
    # In another interface language, the page replaces the run with the sample in that language.
    japanese = visit("3_Batch", {"batch.run": run}, ui="ja")
    assert t("batch.found", language="ja", number=24, total=24) in page_html(japanese)
    assert japanese.session_state["batch.run"].settings == settings.default_config("ja")


def test_only_the_first_of_many_rows_are_listed_unless_all_are_requested(run: ScoringRun):
    many_rows = [replace(run.rows[n % len(run.rows)], image_id=n) for n in range(1003)]
    app = visit("3_Batch", {"batch.run": ScoringRun((), run.settings, "many", "digest", rows=many_rows)})
    visible_row_count = lambda: next(len(frame.value) for frame in app.run().dataframe if "candidate" in frame.value.columns)
    assert visible_row_count() == 1000 and "1003 of 1003" in page_html(app)
    app.button(key="batch.all_rows").click()
    assert visible_row_count() == 1003


def test_invalid_rows_are_reported_and_valid_ones_scored_as_by_the_library():
    app = open_batch_page()
    app.segmented_control(key="batch.source").set_value("files").run()
    assert page_messages(app) == [t("batch.nothing")]
    app = upload_files(app, upload(*FAULTY_ROWS))
    assert page_messages(app, "alert") == [t("batch.problems", good=2, bad=3, plus="")]
    for place, field in (("line 2", "field refs"), ("line 3", "field image_id"), ("line 4", "field test")):
        assert f"<td>mine.jsonl</td><td>{place}</td><td>{field}</td>" in page_html(app)
    assert "<b>A cat" not in page_html(app)
    app = run_batch(app)
    run, spice = app.session_state["batch.run"], Spice()
    expected_scores = [spice.compute(row["test"], row["refs"]).f1 for row in GOOD_ROWS]
    assert [(line.id, line.f1) for line in counts.caption_lines(run)] == [(1, expected_scores[0]), ("b", expected_scores[1])]
    assert math.isclose(counts.mean_scores(run)["f1"].value, math.fsum(expected_scores) / 2)
    assert t("batch.found", number=2, total=2) in page_html(app) and f"<b>{math.fsum(expected_scores) / 2:.3f}</b>" in page_html(app)
    assert signature(app).startswith("spice|lang:en")


def test_many_problems_are_counted_and_the_first_listed(monkeypatch):
    content = upload(GOOD_ROWS[0], *({"image_id": n, "test": "A cat.", "refs": []} for n in range(2_500))).content
    data = datasets.read_data(Upload("mine.jsonl", content))
    assert (len(data.items), len(data.problems), data.problem_count) == (1, 1_000, 2_500)
    app = open_with_file("mine.jsonl", content)
    assert page_messages(app, "alert") == [t("batch.problems", good=1, bad=2_500, plus="")]
    assert "<td>2,500</td><td>mine.jsonl</td><td>line 2, 3, 4, 5, 6, …</td><td>field refs</td><td>[]</td>" in page_html(app)
    assert [button.proto.label for button in app.get("download_button")] == [t("batch.problems_first", number="1,000")]
    monkeypatch.setattr(reading, "MAX_COUNTED_PROBLEMS", 2_000)
    assert datasets.read_data(Upload("mine.jsonl", content)).problem_count == 2_000


@pytest.mark.parametrize("captions", [
    {"test": "A dog.", "refs": ["A dog.", "A cat."]},
    {"test": "A dog.", "refs": ["A dog. " * 30]},
    {"test": "A dog.", "refs": [[["dog"], ["cat"]]]},
], ids=["captions", "length", "propositions"])  # fmt: skip
def test_a_file_is_read_up_to_a_number_of_captions(monkeypatch, captions):
    rows = upload(*({"image_id": n} | captions for n in range(20)))
    assert len(datasets.read_data(rows).items) == 20
    monkeypatch.setattr(reading, "MAX_CAPTIONS", 12)
    data = datasets.read_data(rows)
    assert data.exceeds_limit and 2 <= len(data.items) <= 4


MANY_RESULTS = [{"image_id": n, "caption": "A dog."} for n in range(300)]


def test_the_page_suggests_a_fix_in_one_line():
    app = open_batch_page()
    for name, content, remedy, message_part in (
        ("r.json", json.dumps(MANY_RESULTS), "references", "results (image_id and caption) without references"),
        ("a.csv", "7,a dog,a brown dog\n8,a cat,a cat\n", "columns", "7, a dog, a brown dog"),
        ("a.json", '{"images": [{"id": 1}], "annotations": [{"image_id": 1, "caption": "A cat."}]}', "results", ""),
        ("a.csv", "画像ID,キャプション\n1,傘をさす人\n", "choose", ""),
    ):
        app = upload_files(app, Upload(name, content.encode()))
        assert page_messages(app, "alert") == [t(f"batch.remedy_{remedy}", file=name, found=message_part)]
        assert "sc-table sc-problems" not in page_html(app) and "batch.start" not in button_keys(app)
    assert page_messages(upload_files(app, Upload("empty.json", b"[]")), "alert") == [t("batch.empty", file="empty")]
    app = upload_files(app, upload(NO_REFERENCE, NO_CANDIDATE))
    assert page_messages(app, "alert") == [t("batch.no_good", bad=2, plus="")] and "batch.start" not in button_keys(app)


def test_a_second_file_provides_references_for_results_and_a_broken_file_is_reported():
    results = Upload("run-0.5.json", json.dumps(MANY_RESULTS[:1]).encode())
    swapped_file = Upload("a.json", b'{"annotations": [{"image_id": 0, "caption": "A cat."}]}')
    assert datasets.read_data(swapped_file, results).remedy[:2] == ("swapped", "a.json")
    assert datasets.read_data(results, Upload("a.csv", b"image_id,caption\n7,A cat.\n")).remedy[:2] == ("fit", "a.csv")
    data = datasets.read_data(results, Upload("a.csv", b"image_id,caption\n0,A cat.\n"))
    assert len(data.items) == 1 and not data.problem_count and data.remedy is None and data.name == "run-0.5"
    for name, content in (("a.json", b"{"), ("a.csv", b"a;b\n1;2\n"), ("a.jsonl.gz", b"\x1f\x8b")):
        broken = datasets.read_data(Upload(name, content))
        assert not broken.items and broken.problems[0][0] == name


PLAIN_TEXT_FILES = (Upload("a.txt", b"A brown dog.\nTwo men.\n"), Upload("b.txt", b"A dog lies down.\n\n"))


def test_several_files_of_references_are_paired_line_by_line():
    app = upload_files(open_batch_page(), Upload("said.txt", b"a dog\ntwo men\n"))
    app = app.file_uploader(key="batch.references").set_value([(file.name, file.content, "text/plain") for file in PLAIN_TEXT_FILES]).run()
    items = [(item.image_id, item.candidate, list(item.references)) for item in app.session_state["batch.data"].items]
    assert items == [(1, "a dog", ["A brown dog.", "A dog lies down."]), (2, "two men", ["Two men."])]
    assert "a.txt, b.txt" in page_html(app) and "batch.start" in button_keys(app)
    paired_data = datasets.read_data(Upload("said.txt", b"a dog\ntwo men\n"), (PLAIN_TEXT_FILES[0], Upload("b.txt", b"A cat.\n")))
    assert not paired_data.items and paired_data.problems[0][2:4] == ("b.txt", "1 line")
    unpaired_data = datasets.read_data(Upload("said.txt", b"a dog\ntwo men\n"), PLAIN_TEXT_FILES[0])
    assert [list(item.references) for item in unpaired_data.items] == [["A brown dog."], ["Two men."]]


def test_captions_are_grouped_by_a_field_and_the_work_file_stores_the_groups():
    domains = ("indoor", "outdoor", "indoor")
    images = [{"id": n, "domain": domain} for n, domain in enumerate(domains)]
    captions = [{"image_id": n, "caption": "A brown dog."} for n in range(3)]
    files = (
        Upload("r.json", json.dumps(MANY_RESULTS[:3]).encode()),
        Upload("a.json", json.dumps({"images": images, "annotations": captions}).encode()),
    )
    app = upload_files(open_batch_page(), files[0])
    app = app.file_uploader(key="batch.references").set_value([(files[1].name, files[1].content, "text/plain")]).run()
    app = run_batch(app.text_input(key="batch.grouping").set_value("domain").run())
    app = app.selectbox(key="batch.kind").set_value("field").run()
    app = app.selectbox(key="batch.value").set_value("indoor").run()
    assert t("batch.found", number=2, total=3) in page_html(app)
    run = app.session_state["batch.run"]
    work_upload = Upload("work.jsonl", "".join(ScoredWork(tuple(run.rows)).lines()).encode())
    opened_work = datasets.read_data(work_upload).saved_work
    assert tuple(row.group for row in opened_work.rows) == domains and not opened_work.unknown_head_fields
    assert datasets.read_data(*files, group_field="place").problems[0][2:4] == ("--by", "place")
    assert "field" not in open_batch_page().selectbox(key="batch.kind").options


def test_uploads_are_folded_once_their_captions_are_scored():
    app = upload_files(open_batch_page(), upload(*GOOD_ROWS))
    assert app.session_state["batch.uploads"] is True
    app = run_batch(app)
    name = t("batch.data_name", name=app.session_state["batch.run"].name, number=2)
    label = t("batch.uploads_done", name=escape_markdown(name))
    (uploads,) = [block for block in app.expander if block.label == label]
    assert app.session_state["batch.uploads"] is False and uploads.file_uploader
    saved = saved_work_file(app)
    app = upload_files(app, replace(upload(*GOOD_ROWS[:1]), name="other.jsonl")).run()
    assert app.session_state["batch.uploads"] is True, "new captions have no scores"
    assert upload_files(open_batch_page(), saved).session_state["batch.uploads"] is False


def test_the_heading_and_the_csv_of_a_run_name_its_matching():
    app = visit("3_Batch", matching="meaning")
    app = run_batch(upload_files(app, upload(*GOOD_ROWS)))
    run = app.session_state["batch.run"]
    assert run.settings.scheme == "entailed"
    heading = t("batch.mean_of", metric=t("matching.metric", metric="SPICE"))
    assert heading in page_html(app) and t("batch.by_meaning") in page_html(app) and "scheme:entailed" in signature(app)
    rows = list(csv.DictReader(io.StringIO(columns.rows_as_csv(run, Decisions()).decode("utf-8-sig"))))
    assert all("scheme:entailed" in row["signature"] for row in rows) and len(rows) == 2
    assert t("batch.mean_of", metric="SPICE") in page_html(visit("3_Batch"))


def test_a_stopped_run_keeps_its_results():
    run = ScoringRun(datasets.read_bundled_sample().items[:24], DEFAULT_CONFIG, "sample")
    run.stop()
    run.start().wait(240)
    assert run.is_stopped and len(run.rows) == 8
    app = visit("3_Batch", {"batch.run": run})
    assert t("batch.stopped", done=8, total=24) in page_messages(app) and t("batch.found", number=8, total=8) in page_html(app)


def test_a_link_opens_a_run_in_the_same_browser_only(monkeypatch):
    cookies = {"spice_core_visit": "mine"}
    monkeypatch.setattr(type(st.context), "cookies", property(lambda _: cookies))
    started_page = run_batch(upload_files(open_batch_page(), upload(*GOOD_ROWS)))
    run, (token,) = started_page.session_state["batch.run"], [started_page.query_params["run"]]
    token = token if isinstance(token, str) else token[-1]
    monkeypatch.setattr(tasks.Task, "is_page_connected", False)
    for browser in ("other", "", "mine"):
        cookies["spice_core_visit"] = browser
        assert (visit("3_Batch", run=token).session_state["batch.run"] is run) is (browser == "mine")


def test_filters_and_slices_select_the_matching_captions(app: AppTest, run: ScoringRun):
    lines = counts.caption_lines(run)
    app.slider(key="batch.range").set_value((0.0, 0.2)).run()
    assert t("batch.found", number=sum(line.f1 < 0.2 - 1e-9 for line in lines), total=240) in page_html(app)
    app.button(key="batch.clear").click().run()
    name, group = next(iter(counts.image_groups(run, "missing", Decisions()).items()))
    app.selectbox(key="batch.kind").set_value("missing").run()
    app.selectbox(key="batch.value").set_value(name).run()
    assert t("batch.found", number=group.count, total=240) in page_html(app)
    assert app.selectbox(key="batch.row").value in counts.images_in_group(run, "missing", name, Decisions())
    app.button(key="batch.clear").click().run()
    app.text_input(key="batch.search").set_value("zebra").run()
    zebras = sum("zebra" in " ".join(map(caption_text, (line.row.candidate, *line.row.references))).lower() for line in lines)
    assert t("batch.found", number=zebras, total=240) in page_html(app)
    app.text_input(key="batch.search").set_value("no such word").run()
    assert page_messages(app) == [t("batch.none_left")]
    app.button(key="batch.clear").click().run()
    for kind in filters.GROUPINGS[1:]:
        # The rows of the sample have no field to group by.
        if kind == "field":
            continue
        app.selectbox(key="batch.kind").set_value(kind).run()
        assert not app.exception and (kind == "tag" or kind in counts.STATES_BY_GROUPING or app.selectbox(key="batch.value").options)
    app.selectbox(key="batch.kind").set_value("category").run()
    means, options = counts.category_means(run), app.selectbox(key="batch.value").options
    assert t("batch.slice_own") in page_html(app)
    for name in ("Color", "Cardinality", "Object"):
        defined_count = sum(row.scores[name].defined for row in run.rows)
        assert t("batch.group_of", name=t(f"categories.{name}"), number=defined_count, mean=f"{means[name].value:.3f}") in options
    (chart,) = [json.loads(c.proto.spec) for c in app.get("plotly_chart") if c.proto.id.endswith("batch.bars.category")]
    labels = [label.strip() for label in chart["layout"]["yaxis"]["ticktext"]]
    (missing,) = [json.loads(c.proto.spec) for c in app.get("plotly_chart") if c.proto.id.endswith("batch.bars.missing")]
    assert all(label.count(" – ") != 1 for label in missing["layout"]["yaxis"]["ticktext"])  # attributes read "dog: red"
    assert {"Colour", "Count"} < set(labels) and not {"Color", "Cardinality"} & set(labels)
    assert dict(zip(labels, chart["data"][2]["text"]))["Colour"].startswith(f"{means['Color'].value:.3f} · ")


UMBRELLAS = [
    {"image_id": 1, "test": "A red umbrella.", "refs": ["A blue umbrella."]},
    {"image_id": 2, "test": "A red umbrella.", "refs": ["A red umbrella."]},
    {"image_id": 3, "test": "A red sofa.", "refs": ["A blue couch."]},
    {"image_id": 4, "test": "An umbrella.", "refs": ["A blue umbrella."]},
    {"image_id": 5, "test": "A dog.", "refs": ["A large dog."]},
]


def question_counts(app: AppTest) -> dict[str, list[int]]:
    return {name: [cell["item_count"] for cell in cells] for name, *cells in component_data(app, "spice_grid")["rows"]}


def test_questions_count_and_filter():
    counts_ = question_counts(app := run_batch(upload_files(open_batch_page(), upload(*UMBRELLAS))))
    assert counts_["Colour"] == [4, 1, 2, 1, 0] and counts_["Size"] == [1, 0, 0, 1, 0] and counts_["Object"][2] == 0
    app.session_state["batch.selected"] = ["Color.other"]
    app.run()
    assert app.query_params["q"] in ("Color.other", ["Color.other"])
    assert "2 of 5 captions" in page_html(app) and "umbrella: red → blue" in page_html(app)
    app.button(key="batch.next").click().run()
    # A sofa and a couch count as the same thing.
    assert "sofa: red → blue" in page_html(app)
    app.session_state["batch.selected"] = ["Color.other", "Object.missed"]
    assert "0 of 5 captions" in page_html(app.run())
    app.button(key="batch.chip.Object.missed").click().run()
    assert "2 of 5 captions" in page_html(app) and app.query_params["q"] in ("Color.other", ["Color.other"])
    app.button(key="batch.clear").click().run()
    assert "5 of 5 captions" in page_html(app) and "q" not in app.query_params


def test_a_link_opens_the_same_view():
    app = visit("3_Batch", q="Color.asked,Nothing.other", f1="0.50-1.00", find="umbrella", order="best")
    app = run_batch(upload_files(app, upload(*UMBRELLAS)))
    assert "3 of 5 captions" in page_html(app) and app.query_params["q"] in ("Color.asked", ["Color.asked"])
    assert {button.label for button in app.button} >= {
        f"{escape_markdown(label)} ✕" for label in ("Colour: In references", "F1 0.500–1.000", "with “umbrella”")
    }
    reopened = run_batch(app)
    assert "5 of 5 captions" in page_html(reopened) and "f1" not in reopened.query_params
    assert filters.parse_range("0.20-0.40") == (0.2, 0.4)
    assert {filters.parse_range(range_text) for range_text in ("0.4-0.2", "0.2-1.5", "nan-1.0", "٠.٢-0.4", "")} == {filters.FULL_RANGE}


def test_rows_may_have_different_categories(run: ScoringRun):
    missing_categories = [{"Color"}, {"Size", "Object"}, set()]
    rows = [
        replace(row, scores={name: score for name, score in row.scores.items() if name not in names})
        for row, names in zip(run.rows, missing_categories)
    ]
    test_run = ScoringRun(run.items[:3], run.settings, "mixed", "digest", rows=rows)
    names = set(run.rows[0].scores) - {OVERALL}
    assert set(counts.category_means(test_run)) == names == set(counts.category_names(test_run))
    assert counts.category_means(test_run)["Object"].value == (rows[0].scores["Object"].f1 + rows[2].scores["Object"].f1) / 2
    table = list(csv.DictReader(io.StringIO(columns.rows_as_csv(test_run, Decisions()).decode("utf-8-sig"))))
    assert [line["F1 Object"] != "" for line in table] == [True, False, True]
    assert {f"F1 {name}" for name in names} <= set(table[0])
    assert t("batch.found", number=3, total=3) in page_html(visit("3_Batch", {"batch.run": test_run}))


def test_a_row_shows_its_tuples_and_opens_in_inspect(app: AppTest, run: ScoringRun):
    line = filters.sort_lines(counts.caption_lines(run), "best")[0]
    app.segmented_control(key="batch.order").set_value("best").run()
    app.selectbox(key="batch.row").set_value(line.id).run()
    shown_html, links = page_html(app), scored_rows.rules_links(line.row, run.settings)
    for state, state_tuples in scored_rows.tuples_by_state(line.row).items():
        assert tuples.tuple_list(state, t(f"batch.state_{state}", number=len(state_tuples)), state_tuples, links) in shown_html
    assert 'src="data:image/svg+xml;base64,' in shown_html and f"<b>{line.f1:.3f}</b>" in shown_html
    captions, _ = unpack_captions(app.get("link_button")[0].proto.url.partition("t=")[2])
    assert (captions.candidate, captions.references) == (line.row.candidate, line.row.references)
    app.button(key="batch.next").click().run()
    assert app.selectbox(key="batch.row").value == filters.sort_lines(counts.caption_lines(run), "best")[1].id


def test_long_captions_have_a_column_and_rows_by_sentence(app: AppTest):
    assert "lowest" not in app.dataframe[0].value
    row = {"image_id": 1, "test": "A dog sleeps. A zebra reads a newspaper.", "refs": ["A dog sleeps on a sofa. It is brown."]}
    run = score_data(datasets.read_data(upload(row, {"image_id": 2, "test": "A cat.", "refs": ["A cat."]})))
    assert [line.lowest for line in counts.caption_lines(run)] == [0, None]
    app = visit("3_Batch", {"batch.run": run})
    shown_html = page_html(app)
    assert list(app.dataframe[0].value["lowest"])[:1] == [0]
    assert "<p><i>2/2</i><span>A dog sleeps.</span></p>" in shown_html
    assert "<p><i>0/4</i><span>A zebra reads a newspaper.</span></p>" in shown_html


@pytest.mark.parametrize(
    ("lang", "caption", "length", "words"),
    [("en", "A dog's ball, on a sofa.", "6", {"a", "dog's", "ball", "on", "sofa"}), ("ja", "赤い傘をさした人がいる。", "8", {"傘", "人"})],
)
def test_words_are_split_by_language(run: ScoringRun, lang: str, caption: str, length: str, words: set[str]):
    test_run = ScoringRun(run.items[:1], settings.default_config(lang), "words", "digest", rows=[replace(run.rows[0], candidate=caption)])
    assert list(counts.image_groups(test_run, "length", Decisions())) == [length]
    assert words <= set(counts.image_groups(test_run, "word", Decisions()))


def test_causes_are_stored_and_counted(app: AppTest, run: ScoringRun):
    """A rerun may interrupt the page before it receives the cause, so the server sends it again."""
    image, digest = app.selectbox(key="batch.row").value, run.digest[:12]
    chosen_causes = (
        app.pills(key=f"batch.cause.{digest}.{image}").set_value(["rule"]).run().run().pills(key=f"batch.cause.{digest}.{image}")
    )
    assert chosen_causes.value == ["rule"] and chosen_causes.proto.set_value
    app.text_input(key=f"batch.note.{digest}.{image}").set_value("no rule for this").run()
    app.button(key="batch.next").click().run()
    other_image = app.selectbox(key="batch.row").value
    app.pills(key=f"batch.cause.{digest}.{other_image}").set_value(["rule"]).run()
    assert app.session_state["BatchState"].decisions[run.digest].captions == {
        image: (("rule",), "no rule for this"),
        other_image: (("rule",), ""),
    }
    assert f"{t('batch.totals', number=2)}: {t('batch.rule')} 2" in page_html(app)
    app.selectbox(key="batch.kind").set_value("tag").run()
    app.selectbox(key="batch.value").set_value("rule").run()
    assert t("batch.found", number=2, total=240) in page_html(app)
    app.pills(key=f"batch.cause.{digest}.{app.selectbox(key='batch.row').value}").set_value([]).run()
    assert not app.exception


def saved_work_file(app: AppTest) -> Upload:
    run = app.session_state["batch.run"]
    view = {name: value[-1] if isinstance(value, list) else value for name, value in app.query_params.items() if name != "ui"}
    view["row"] = json.dumps(app.selectbox(key="batch.row").value)
    decisions = app.session_state["BatchState"].decisions[run.digest]
    return Upload("mine.jsonl.gz", works_as_file([persistence.work_of_run(run, view, decisions)]))


class TabStorage:
    """A simulated browser tab that stores the data sent by the page and returns it at the next visit."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.stored: dict = {"shown": {}, "rows": "", "decisions": {}}
        self.patch = monkeypatch
        monkeypatch.setattr(component, "exchange_work", self.keep)

    def keep(self, data: dict, *, on_mark, **_: object) -> None:
        if digest := data["shown"].get("digest"):
            self.stored["shown"] = data["shown"]
            self.stored["decisions"][digest] = data["decisions"]
        if data.get("rows"):
            self.stored["rows"] = data["rows"]
            on_mark(data["mark"])

    def reopen_page(self) -> AppTest:
        stored_data, original_request = json.loads(json.dumps(self.stored)), saved_work.StoredRun.request_stored_work
        contents = iter([stored_data])
        self.patch.setattr(component, "exchange_work", lambda *_, **__: None)
        self.patch.setattr(
            saved_work.StoredRun,
            "request_stored_work",
            lambda tab: (original_request(tab), persistence.restore_work(next(contents, None))),
        )
        return open_batch_page()


def test_results_causes_and_notes_survive_a_reload(monkeypatch: pytest.MonkeyPatch):
    tab = TabStorage(monkeypatch)
    app = run_batch(upload_files(open_batch_page(), upload(*GOOD_ROWS)))
    digest = app.session_state["batch.run"].digest
    app = app.button(key="batch.next").click().run()
    image = app.selectbox(key="batch.row").value
    app = app.pills(key=f"batch.cause.{digest[:12]}.{image}").set_value(["parser", "rule"]).run()
    app = app.text_input(key=f"batch.note.{digest[:12]}.{image}").set_value("odd").run()
    app = app.segmented_control(key="batch.source").set_value("sample").run()
    sampled_image = app.selectbox(key="batch.row").value
    app = app.pills(key=f"batch.cause.{datasets.read_bundled_sample().digest[:12]}.{sampled_image}").set_value(["caption"]).run()
    app = app.segmented_control(key="batch.source").set_value("files").run()
    assert len(tab.stored["rows"]) < 10_000
    reopened_page = tab.reopen_page()
    run = reopened_page.session_state["batch.run"]
    assert run.digest == digest
    assert run.rows == app.session_state["batch.run"].rows
    assert t("batch.found", number=2, total=2) in page_html(reopened_page)
    assert reopened_page.segmented_control(key="batch.source").value == "files"
    assert reopened_page.selectbox(key="batch.row").value == app.selectbox(key="batch.row").value
    assert reopened_page.session_state["BatchState"].decisions[digest].captions == {image: (("parser", "rule"), "odd")}
    reopened_page = reopened_page.button(key="batch.next").click().run()
    assert reopened_page.text_input(key=f"batch.note.{digest[:12]}.{image}").value == "odd"
    reopened_page = reopened_page.segmented_control(key="batch.source").set_value("sample").run()
    assert reopened_page.session_state["BatchState"].decisions[datasets.read_bundled_sample().digest].captions == {
        sampled_image: (("caption",), "")
    }


@pytest.mark.parametrize("change", [
    {"rows": "x"}, {"rows": "0" * 64 + ":AAAA"}, {"rows": "0" * 64 + ":" + "A" * 4_000_001}, {"rows": 3}, {"rows": ["a"]}, {"shown": 3},
    {"decisions": []}, {"decisions": {datasets.read_bundled_sample().digest[:16]: {"tags": 3, "rows": []}}},
    {"decisions": {datasets.read_bundled_sample().digest[:16]: {"tags": [], "rows": [{"image_id": [], "cause": "x"}]}}},
])  # fmt: skip
def test_content_of_the_tab_is_validated(monkeypatch: pytest.MonkeyPatch, change: dict):
    tab = TabStorage(monkeypatch)
    tab.stored |= change
    app = tab.reopen_page()
    assert not app.exception and t("batch.found", number=240, total=240) in page_html(app)


def test_rows_that_do_not_fit_into_the_tab_are_reported(monkeypatch: pytest.MonkeyPatch):
    TabStorage(monkeypatch)
    monkeypatch.setattr(saved_work, "_MAX_STORED_CHARS", 10)
    assert t("batch.not_kept") in page_messages(run_batch(upload_files(open_batch_page(), upload(*GOOD_ROWS))))


def test_a_work_file_restores_the_saved_work(app: AppTest, run: ScoringRun):
    app.slider(key="batch.range").set_value((0.1, 0.3)).run()
    app.text_input(key="batch.search").set_value("man").run()
    app.button(key="batch.next").click().run()
    image, digest = app.selectbox(key="batch.row").value, run.digest[:12]
    app.pills(key=f"batch.cause.{digest}.{image}").set_value(["synonym"]).run()
    app.text_input(key=f"batch.note.{digest}.{image}").set_value("<b>sofa</b> = couch").run()
    reopened_page = upload_files(open_batch_page(), saved_work_file(app))
    opened_run = reopened_page.session_state["batch.run"]
    assert t("batch.work_opened", number=240) in page_messages(reopened_page)
    assert t("batch.stale", name=opened_run.name) not in page_messages(reopened_page)
    assert (opened_run.rows, opened_run.items, opened_run.settings, opened_run.name) == (run.rows, run.items, run.settings, run.name)
    assert reopened_page.slider(key="batch.range").value == (0.1, 0.3) and reopened_page.text_input(key="batch.search").value == "man"
    captions = reopened_page.session_state["BatchState"].decisions[opened_run.digest].captions
    assert reopened_page.selectbox(key="batch.row").value == image and captions == {image: (("synonym",), "<b>sofa</b> = couch")}
    assert reopened_page.pills(key=f"batch.cause.{opened_run.digest[:12]}.{image}").value == ["synonym"]
    assert "<b>sofa" not in page_html(reopened_page)
    assert list(reopened_page.dataframe[0].value["id"]) == list(app.dataframe[0].value["id"])
    assert saved_work_file(reopened_page).content == saved_work_file(app).content
    reopened_page = reopened_page.pills(key=f"batch.cause.{opened_run.digest[:12]}.{image}").set_value([]).run()
    assert reopened_page.session_state["batch.run"] is opened_run and not reopened_page.exception, "opened once: what is changed stays"


def test_a_work_file_includes_custom_rules_and_categories(run: ScoringRun):
    config = replace(DEFAULT_CONFIG, rules="mine", rules_text=CUSTOM_RULES_TEXT, categories=(("Material", ("glass", "wood")),))
    file = Upload("a.jsonl.gz", works_as_file([ScoredWork(tuple(run.rows[:3]), "a", config.as_dict(), {}, {})]))
    app = upload_files(visit("3_Batch", {"own_rules": {"en": {"mine": "# another draft"}}}), file)
    opened_run = app.session_state["batch.run"]
    assert opened_run.settings == replace(config, rules="mine (2)") and app.session_state["own_rules"]["en"]["mine"] == "# another draft"
    assert app.sidebar.selectbox(key="batch.en.rules").value == "mine (2)"
    assert app.sidebar.text_area(key="batch.categories").value == "Material: glass, wood"
    assert t("batch.stale", name=opened_run.name) not in page_messages(app), "the settings of the page are those of the work"


UNKNOWN_SETTINGS = [
    {"lang": "en", "parser": "conllu:/etc/passwd"},
    {"lang": "en", "rules": "pyproject.toml"},
    {"lang": "en", "parser": "corenlp:http://localhost:9000"},
    {"lang": "en", "synonyms": "../../etc/passwd"},
    {"lang": "fr"},
    {"lang": "en", "rules": 3},
    {"lang": "en", "rules": "mine", "rules_text": "[[rule]"},
    {"lang": "en", "unknown": "x"},
]


def test_a_work_file_with_unknown_settings_opens_with_the_default_ones(run: ScoringRun):
    start, rows = t("batch.work_settings", problem="|").partition("|")[0], tuple(run.rows[:2])
    for config in UNKNOWN_SETTINGS:
        chosen, (message,) = saved_work.settings_of_work(ScoredWork(rows, "a", config, {}, {}), None)
        assert chosen == DEFAULT_CONFIG and message.startswith(start)
        assert "tool" not in message and "root:" not in message, "nothing of this machine's files"
    app = open_with_file("a.jsonl.gz", works_as_file([ScoredWork(rows, "a", UNKNOWN_SETTINGS[0], {}, {})]))
    opened_run = app.session_state["batch.run"]
    assert opened_run.settings == DEFAULT_CONFIG and len(opened_run.rows) == 2 and any(row.startswith(start) for row in page_messages(app))
    app = open_with_file("a.jsonl.gz", works_as_file([ScoredWork(rows, "a", {"lang": "en"}, {}, {})]))
    assert app.session_state["batch.run"].settings == DEFAULT_CONFIG, "settings without names are the usual ones"
    assert len(page_messages(app)) == 1, "settings without names are the usual ones"


def test_a_result_file_of_the_command_line_is_shown_with_its_scores(run: ScoringRun):
    results = upload(*(row.as_json(ROW_FIELDS) for row in run.rows[:5]))
    opened_run = upload_files(open_batch_page(), replace(results, name="results.jsonl")).session_state["batch.run"]
    assert (opened_run.rows, opened_run.name, opened_run.settings) == (
        run.rows[:5],
        "results",
        DEFAULT_CONFIG,
    ) and not opened_run.is_working


def test_downloads_contain_scores_causes_and_notes(run: ScoringRun):
    image = run.rows[0].image_id
    decisions = Decisions(
        {image: (("parser", "rule"), "odd")}, {image: {UnmatchedTuple(MatchState.EXTRA, ("dog", "red")): "=1+1"}}, ["=1+1"]
    )
    table = list(csv.DictReader(io.StringIO(columns.rows_as_csv(run, decisions).decode("utf-8-sig"))))
    assert len(table) == 240 and table[0]["cause"] == "parser; rule" and float(table[3]["f1"]) == counts.caption_lines(run)[3].f1
    assert table[0]["tuple_causes"] == "'+ dog: red = =1+1" and not table[1]["tuple_causes"]
    page = downloads.dataset_page_html(downloads.report_summary(run, decisions))
    assert f"<td>{t('batch.parser')}, {t('batch.rule')}</td><td>odd</td>" in page
    assert "http" not in page.replace("http://www.w3.org", "") and "<script" not in page and run.rows[0].signature in page


def test_the_jsonl_download_equals_the_output_of_the_command(tmp_path):
    file, reopened = tmp_path / "mine.jsonl", tmp_path / "out.jsonl"
    file.write_bytes(upload(*GOOD_ROWS).content)
    assert main(["score", str(file), "--out", str(reopened), "--subset", "--detailed", "--sentences", "--silent"]) == 0
    run = score_data(datasets.read_data(upload(*GOOD_ROWS)))
    command_rows = [json.loads(line) for line in reopened.read_text(encoding="utf-8").splitlines()]
    page_rows = [json.loads(line) for line in downloads.rows_as_jsonl(run).decode().splitlines()]
    assert page_rows == command_rows and [list(r) for r in page_rows] == [list(r) for r in command_rows]
    assert b"'=Two cats." in columns.rows_as_csv(run, Decisions())


def test_measured_metrics_are_columns_of_the_table_and_of_the_csv_file():
    app = run_batch(upload_files(open_batch_page(), upload(*GOOD_ROWS, {"image_id": 4, "test": [["dog"]], "refs": [[["dog"]]]})))
    app.session_state["batch.others"] = True
    app.run().button(key="batch.measure").click().run()
    app.session_state["batch.measured"].wait(240)
    table, run = app.run().dataframe[0].value, app.session_state["batch.run"]
    expected_scores = segment_scores([(row["test"], row["refs"]) for row in GOOD_ROWS], ["METEOR"])["METEOR"]
    scores = dict(zip(table["id"], table["METEOR"]))
    assert [scores[str(row["image_id"])] for row in GOOD_ROWS] == expected_scores and math.isnan(scores["4"])
    assert {*METRICS} - {SPICE.name} <= {*table} and SPICE.name not in table
    saved_rows = list(csv.DictReader(io.StringIO(columns.rows_as_csv(run, Decisions()).decode("utf-8-sig"))))
    assert [row["METEOR"] for row in saved_rows] == [*map(str, expected_scores), ""]
    app.button(key="batch.start").click().run()
    app.session_state["batch.run"].wait(240)
    assert "METEOR" in app.run().dataframe[0].value  # the captions are the same


def test_reading_ends_when_the_visitor_leaves(monkeypatch):
    sessions: list[str] = []
    active = SimpleNamespace(is_active_session=sessions.append)
    monkeypatch.setattr(visit_of_browser.st, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: active))
    monkeypatch.setattr(visit_of_browser, "get_script_run_ctx", lambda **_: SimpleNamespace(session_id="gone"))
    worker = Worker(is_bounded=True)
    monkeypatch.setattr(bounded, "_WORKER_KEY", "worker_of_this_test")
    monkeypatch.setattr(bounded, "Worker", lambda is_bounded: worker)
    monkeypatch.setattr(worker_module, "_ABANDONED_CALL_S", 0.0)
    monkeypatch.setattr(st, "stop", lambda: sys.exit("stopped"))
    with pytest.raises(SystemExit, match="stopped"):
        bounded.call_bounded(time.sleep, 600)
    assert {*sessions} == {"gone"} and worker._process is None


def test_the_result_of_the_sample_is_shown_only_below_the_sample():
    app = open_batch_page()
    for source, is_shown in (("sample", True), ("files", False), ("sample", True)):
        app = app.segmented_control(key="batch.source").set_value(source).run()
        assert ('class="sc-score' in page_html(app)) == is_shown
    app = upload_files(app, upload(NO_REFERENCE))
    assert 'class="sc-score' not in page_html(app) and "batch.start" not in button_keys(app)


def test_texts_mention_no_button_that_is_not_shown():
    app = run_batch(upload_files(open_batch_page(), upload(GOOD_ROWS[0])))
    app = upload_files(app, upload(NO_REFERENCE))
    assert t("batch.stale_file", name="mine") in page_messages(app) and "batch.start" not in button_keys(app)
