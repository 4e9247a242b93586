"""The Systems page without a browser: files read, scored where needed, compared; what does not match is listed."""

from __future__ import annotations

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from pages.parts.session import datasets, settings
from pages.parts.session.runs import FIELDS, Run
from pages.parts.systems import inputs, pairs
from pages.parts.views import metric_table
from spice_core.data.reader import Upload
from spice_core.data.results import ScoredItem
from spice_core.evaluation.system_questions import Pair
from spice_core.metrics.registry import METRICS
from spice_core.scene.scores import OVERALL, Score
from tests.app.conftest import APP, said, shown

USUAL = settings.usual("en")
pytestmark = pytest.mark.parser


@pytest.fixture(scope="module")
def run() -> Run:
    data = inputs.to_score(inputs.sample())
    run = Run(data.items, USUAL, data.name, data.digest).start()
    run.wait(240)
    return run


@pytest.fixture
def app(run: Run) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/4_Systems.py")
    app.session_state["systems.run"] = run
    return app.run()


def result(image: object, matched: int, caption: str = "") -> dict:
    row = {"image_id": image, "scores": {"All": {"tp": matched, "fp": 4 - matched, "fn": 4 - matched}}}
    if caption:
        same = [{"tuple": [caption], "truth_value": bool(matched)}]
        row |= {"test": caption, "refs": ["A dog."], "test_tuples": same, "ref_tuples": same}
    return row


def file(name: str, *rows: dict) -> tuple[str, bytes, str]:
    return name, "".join(json.dumps(row) + "\n" for row in rows).encode(), "application/jsonl"


def with_files(*files: tuple[str, bytes, str]) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/4_Systems.py").run()
    app.segmented_control(key="systems.source").set_value("files").run()
    return app.file_uploader(key="systems.files").set_value(list(files)).run()


def test_the_page_opens_on_the_sample_scored_and_compared(run: Run):
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/4_Systems.py").run()
    told, opened = shown(app), app.session_state["systems.run"]
    assert t("systems.used", number=214) in told and "sc-standings" in told and not opened.working
    assert [row.as_json(FIELDS) for row in opened.rows] == [row.as_json(FIELDS) for row in run.rows]  # tools/score_sample.py writes them
    systems = inputs.scored(inputs.sample(), opened)
    assert [*systems] == [t("systems.named", name=name) for name in "ABCD"] and {len(rows) for rows in systems.values()} == {214}


def test_the_baseline_can_be_chosen(app: AppTest):
    before = shown(app)
    app.selectbox(key="systems.baseline").set_value(t("systems.named", name="B")).run()
    assert shown(app) != before and app.selectbox(key="systems.other").options == [t("systems.named", name=name) for name in "ACD"]


def test_result_files_are_compared_and_ids_without_partner_listed():
    app = with_files(file("a.jsonl", result(1, 3), result(2, 2), result("<b>", 1)), file("b.jsonl", result(2, 1), result(1, 3)))
    told = shown(app)
    assert said(app) == [t("systems.left_out", name="a", number=1)]
    assert "<b>a</b> &lt;b&gt;" in told and "0 / 1 / 1" in told and t("systems.used", number=2) in told
    assert t("systems.no_rows") in told


def test_an_image_that_several_systems_have_is_left_out_once():
    some, all_ = [result(i, 1) for i in range(10)], [result(i, 1) for i in range(20)]
    app = with_files(file("a.jsonl", *all_), file("b.jsonl", *all_), file("c.jsonl", *some))
    assert said(app) == [t("systems.left_out", name=name, number=10) for name in "ab"]
    assert t("systems.left_list", number=10) in [block.label for block in app.expander]


def test_numbers_below_zero_have_one_minus_sign():
    worse = [result(i, i % 3, "pig") for i in range(6)]
    app = with_files(file("a.jsonl", *(result(i, 4, "dog") for i in range(6))), file("b.jsonl", *worse))
    told = shown(app) + "".join(app.selectbox(key="systems.image").options)
    assert "−0.750 <small>[−" in told
    assert not re.search(r"(?<![\w.])-\d", re.sub("<style>.*?</style>", "", told, flags=re.DOTALL)) and re.search(r"0 · −1\.000", told)


def test_other_metrics_have_a_column_for_each_system(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(metric_table, "MOST", 6)
    app.session_state["systems.others"] = True
    app.run()
    app = app.button(key="systems.measure").click().run()
    app.session_state["systems.measured"].wait(240)
    app.run()
    assert not app.exception
    (found,) = [text for text in shown(app).split("<table") if ">CIDEr-D<" in text and ">BLEU-3<" in text]
    assert all(f">{name}<" in found for name in (*METRICS, t("systems.named", name="A"), t("systems.named", name="D")))


def test_results_without_captions_are_measured_by_nothing_else():
    rows = {name: Upload(f"{name}.jsonl", json.dumps(result(1, i)).encode()) for i, name in enumerate("ab")}
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/4_Systems.py")
    app.session_state["systems.source"], app.session_state["systems.entries"] = "files", inputs.read([*rows.values()])
    app.session_state["systems.others"] = True
    app.run()
    assert t("others.no_text") in shown(app) and "systems.measure" not in {b.key for b in app.button}


def test_captions_where_two_differ_with_their_tuples():
    app = with_files(file("a.jsonl", result(1, 4, "dog"), result(2, 4, "cat")), file("b.jsonl", result(1, 0, "pig"), result(2, 4, "cat")))
    assert app.selectbox(key="systems.image").value == 1 and "−0.500" in shown(app)
    assert ">dog</li>" in shown(app) and ">pig</li>" in shown(app)
    app.segmented_control(key="systems.side").set_value("other").run()
    assert t("systems.none") in shown(app)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([file("a.jsonl", result(1, 1))], ["one"]),
        ([file("a.jsonl", result(1, 1)), file("b.jsonl", {"image_id": 1, "scores": {}})], ["one"]),
    ],
)
def test_less_than_two_systems_are_said(files, expected):
    app = with_files(*files)
    assert t("systems.one", name="a") in said(app) and not app.exception


def test_files_without_a_common_image_are_said():
    assert "no common image" in said(with_files(file("a.jsonl", result(1, 1)), file("b.jsonl", result(2, 1))), "alert")[0]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([{"image_id": 1, "scores": {"All": {"tp": -1, "fp": 0, "fn": 0}}}], "tp, fp and tp + fn not below 0"),
        ([{"image_id": n, "scores": {"All": {"tp": 1, "fp": 0, "fn": 0}}} for n in range(4)], "at most 3 here"),
    ],
)
def test_result_files_that_cannot_be_used_are_said(monkeypatch, rows, found):
    monkeypatch.setattr(datasets, "MOST", 3)
    (entry,) = inputs.read([Upload("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())])
    assert (entry.rows, entry.data.bad) == ((), 1) and found in entry.data.problems[0][4]


def test_equal_names_are_told_apart():
    entries = inputs.read([Upload("a.jsonl", file("", result(1, 1))[1])] * 3)
    assert len({entry.name for entry in entries}) == 3


def test_names_keep_their_dots():
    entries = inputs.read([Upload(f"model-0.{n}.{end}", file("", result(1, 1))[1]) for n, end in ((5, "jsonl"), (7, "jsonl.gz"))])
    assert [entry.name for entry in entries] == ["model-0.5", "model-0.7"]


def test_blind_pairs_are_hidden_until_voted(app: AppTest):
    app.toggle(key="systems.blind").set_value(True).run()
    assert t("systems.blind_place", number=1, total=214) in shown(app) and "F1 0" not in shown(app)
    app.button(key="systems.left_better").click().run()
    assert app.button(key="systems.left_better").disabled and " is System " in shown(app)
    app.button(key="systems.next").click().run()
    assert t("systems.blind_place", number=2, total=214) in shown(app) and not app.button(key="systems.left_better").disabled


def test_thetally_says_how_often_the_score_agrees():
    some = [Pair(*(ScoredItem(i, "", (), {OVERALL: Score(n, 10, 10)}) for n in (5, other))) for i, other in enumerate((6, 4, 5))]
    assert pairs.tally(some, {0: 1, 1: 1, 2: 0}) == {"n_base": 1, "n_other": 2, "n_equal": 0, "agreed": 1, "judged": 2}


def test_a_run_over_systems_stops_with_both_alike(run: Run):
    half = Run(run.items, run.settings, run.name, run.digest, rows=run.rows[:16])
    assert [len(rows) for rows in inputs.scored(inputs.sample(), half).values()] == [4, 4, 4, 4]
