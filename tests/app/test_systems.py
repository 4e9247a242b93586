"""The Systems page without a browser: files read, scored where needed, compared; what does not match is listed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.html import plain
from pages.parts.kit.texts import INTERFACE, t
from pages.parts.session import datasets, settings
from pages.parts.session.runs import FIELDS, Run
from pages.parts.systems import inputs, pairs, saved
from pages.parts.views import metric_table
from spice_core.data.reader import Upload
from spice_core.data.results import ScoredItem
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.system_questions import Pair, Side
from spice_core.metrics.registry import METRICS
from spice_core.report.systems_page import report
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL, Score
from tests import twelve
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


# Questions about two systems


COLOURS = {"red", "blue"}


def told(image: object, candidate: str, *tuples: tuple[str, ...], references: tuple[tuple[str, ...], ...]) -> dict:
    """A result row of these tuples, which match if both sides have them."""

    def counts(inside: Callable[[tuple[str, ...]], bool]) -> dict[str, int]:
        said, wanted = [sum(map(inside, side)) for side in (tuples, references)]
        matched = sum(map(inside, set(tuples) & set(references)))
        return {"tp": matched, "fp": said - matched, "fn": wanted - matched}

    kinds = {name: counts(lambda t, n=n: len(t) == n) for name, n in KIND_CATEGORIES.items()}
    scores = {"All": counts(lambda t: True), **kinds, "Color": counts(lambda t: t[-1] in COLOURS)}
    sides = [[{"tuple": t, "truth_value": t in other} for t in side] for side, other in ((tuples, references), (references, tuples))]
    return {"image_id": image, "scores": scores, "test": candidate, "refs": ["A dog."], "test_tuples": sides[0], "ref_tuples": sides[1]}


DOG, RED, BLUE, SIT = ("dog",), ("dog", "red"), ("dog", "blue"), ("dog", "sit", "sofa")
BASE = [told(i, "A red dog.", DOG, RED, references=(DOG, RED)) for i in range(3)] + [told(3, "A dog.", DOG, references=(DOG, SIT))]
OTHER = [
    told(0, "A blue dog.", DOG, BLUE, references=(DOG, RED)),
    told(1, "A dog.", DOG, references=(DOG, RED)),
    told(2, "A red dog.", DOG, RED, references=(DOG, RED)),
    told(3, "A dog sits on a sofa.", DOG, SIT, references=(DOG, SIT)),
]


def dogs(**asked: str) -> AppTest:
    """Two systems on four images, as a link opens them."""
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/4_Systems.py")
    for name, value in asked.items():
        app.query_params[name] = value
    app.session_state["systems.source"] = "files"
    rows = {"a": BASE, "b": OTHER}
    app.session_state["systems.entries"] = inputs.read([Upload(f"{n}.jsonl", file("", *found)[1]) for n, found in rows.items()])
    return app.run()


def grid(app: AppTest) -> dict[str, list[int]]:
    """The counts of the table of questions, by category."""
    (found,) = (json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.component_name == "spice_grid")
    return {name: [cell["number"] for cell in cells] for name, *cells in found["rows"]}


def chips(app: AppTest) -> list[str]:
    return [button.label for button in app.button if (button.key or "").startswith("systems.chip.")]


def offered(app: AppTest) -> list[str]:
    return [option.partition(" ")[0] for option in app.selectbox(key="systems.image").options]


def test_the_table_counts_what_only_one_finds_says_otherwise_and_wins_by():
    assert grid(dogs()) == {
        t("categories.Relation"): [0, 1, 0, 0, 0, 1],
        t("categories.Attribute"): [2, 0, 0, 1, 2, 0],
        t("categories.Color"): [2, 0, 0, 1, 2, 0],
        t("categories.Object"): [0, 0, 0, 0, 0, 0],
        t("systems.together"): [0, 0, 0, 0, 0, 0],
    }


def test_a_question_filters_the_images_and_its_chip_removes_it():
    app = dogs()
    assert offered(app) == ["0", "1", "3", "2"] and chips(app) == []
    app.session_state["systems.asked"] = ["Color.base-found"]
    app.run()
    assert t("systems.found_of", number=2, total=4) in shown(app) and offered(app) == ["0", "1"]
    assert app.query_params["q"] in ("Color.base-found", ["Color.base-found"])
    app.session_state["systems.asked"] = ["Color.base-found", "Color.other-value"]
    app.run()
    assert offered(app) == ["0"] and len(chips(app)) == 2
    assert "dog: red" in shown(app) and "dog: blue → red" in shown(app)
    app.button(key="systems.chip.Color.other-value").click().run()
    assert offered(app) == ["0", "1"]
    app.button(key="systems.clear").click().run()
    assert offered(app) == ["0", "1", "3", "2"] and "q" not in app.query_params


def test_images_that_several_categories_decide_together_are_asked_for(app: AppTest):
    row = grid(app)[t("systems.together")]
    app.session_state["systems.asked"] = ["*.base-wins", "*.other-value"]
    app.run()
    assert t("systems.found_of", number=row[4], total=214) in shown(app) and row[:4] == [0] * 4 and " + " in shown(app)
    question = t("systems.wins_by", name=t("systems.named", name="A"))
    assert chips(app) == [f"{plain(t('systems.together') + ': ' + question)} ✕"]


def test_the_detail_says_what_decides():
    app = dogs(q="Color.base-wins")
    found = shown(app).partition('class="sc-concerns"')[2].partition("</ul>")[0]
    wins = t("systems.wins_in", name="a", categories=t("categories.Color"))
    assert wins in found and "dog: red" in found and t("systems.wrong", name="b", tuples="dog: blue") in found
    assert found.count("<li>") == 2  # colour and attribute


def test_a_link_opens_the_same_view_and_filters_combine():
    app = dogs(base="2", other="1", gap="0.30", side="other", box="0.000-0.700,0.900-1.000")
    assert (app.selectbox(key="systems.baseline").value, app.selectbox(key="systems.other").value) == ("b", "a")
    assert offered(app) == ["0", "1"] and len(chips(app)) == 3  # of b against a
    again = dogs(**app.query_params)
    assert offered(again) == offered(app) and chips(again) == chips(app) and dict(again.query_params) == dict(app.query_params)
    again.button(key="systems.chip.box").click().run()
    assert "box" not in again.query_params and len(chips(again)) == 2
    again.selectbox(key="systems.baseline").set_value("a").run()
    assert "base" not in again.query_params and offered(again) == ["3"]


def test_the_places_of_a_link_hold_for_files_that_are_sent_after_it_opened(app: AppTest):
    app.selectbox(key="systems.baseline").set_value(t("systems.named", name="B")).run()
    app.segmented_control(key="systems.source").set_value("files").run()
    app.file_uploader(key="systems.files").set_value([file("a.jsonl", *BASE), file("b.jsonl", *OTHER)]).run()
    assert (app.selectbox(key="systems.baseline").value, app.selectbox(key="systems.other").value) == ("b", "a")


@pytest.mark.parametrize(
    "asked",
    [
        {"base": "0", "other": "-1"},
        {"base": "99999999999999999999", "other": "２"},
        {"base": "1", "other": "1"},
        {"gap": "nan", "side": "<b>", "box": "0.500-0.100,0.000-1.000"},
        {"gap": "0.33", "box": "٠.٠٠٠-1.000,0.000-1.000"},
        {"q": "Color.base-found-x,Color.,.,Taste.base-found," * 50},
    ],
)
def test_what_the_address_asks_wrongly_is_left_out(asked):
    app = dogs(**asked)
    assert offered(app) == ["0", "1", "3", "2"] and chips(app) == [] and set(app.query_params) <= {"ui", "lang"}


def test_systems_without_tuples_are_asked_by_their_counts_alone():
    rows = (
        [{key: row[key] for key in ("image_id", "scores")} for row in BASE],
        [{key: row[key] for key in ("image_id", "scores")} for row in OTHER],
    )
    app = with_files(*(file(f"{name}.jsonl", *found) for name, found in zip("ab", rows)))
    assert grid(app)[t("categories.Color")] == [0, 0, 0, 0, 2, 0] and not app.exception


def test_names_of_files_are_text_everywhere():
    app = with_files(file("<i>*a*.jsonl", *BASE), file("[b](x).jsonl", *OTHER))
    app.session_state["systems.side"] = "base"
    app.run()
    assert "<i>*" not in shown(app) and "\\[b\\]" in app.subheader[1].value
    assert all("*a*" not in label for label in chips(app))


def test_p_values_stand_beside_their_correction(app: AppTest):
    standings = shown(app).partition("sc-standings")[2].partition("</table>")[0]
    assert f">{t('systems.p_holm')}<" in standings and t("systems.table_note", resamples="1,000", seed=0, tests=3) in shown(app)
    result = app.session_state["systems.compared"][1]
    for found in result.differences.values():
        assert f"<td>{found['All'].p:.3f}</td><td>{found['All'].p_holm:.3f}</td>" in standings
        assert f"Holm {found['Color'].p_holm:.3f}" in shown(app)


def test_of_many_systems_two_stand_out_and_the_rest_is_grey():
    uploads = [Upload(name, content) for name, content in twelve.files(images=20)]
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/4_Systems.py")
    app.session_state["systems.source"], app.session_state["systems.entries"] = "files", inputs.read(uploads)
    app.query_params["other"] = "12"
    app.run()
    assert app.selectbox(key="systems.other").value == "captioner-12-of-the-year" and not app.exception
    charts = [json.loads(chart.proto.spec)["data"] for chart in app.get("plotly_chart")]
    for chart, names in zip(charts, ([1, 12], [12])):
        legend = [trace["name"] for trace in chart if trace["mode"] == "markers"]
        assert legend == [t("systems.rest"), *(f"captioner-{n}-of-the-year" for n in names)]
    assert shown(app).count("captioner-7-of-the-year") == 3  # standings and both tables


@pytest.mark.parametrize("language", INTERFACE)
def test_the_report_tells_what_the_page_shows(app: AppTest, language: str, monkeypatch: pytest.MonkeyPatch):
    answers, result = app.session_state["systems.answers"][1], app.session_state["systems.compared"][1]
    rows = inputs.scored(inputs.sample(), app.session_state["systems.run"])
    pair = pairs.paired(*(rows[name] for name in answers.names.values()))
    told = saved.content(result, pair, answers, "en")
    page = report(told, DisplayStyle(lang=language))
    assert page.count('<p class="image">') == 20 and page.count("<tr") > 7 * 4
    first = max(pair, key=lambda each: -each.gap)
    assert f'<p class="image">{first.id} ' in page and "<script" not in page and "http" not in page
    assert sum(map(len, answers.images.values())) == sum(sum(counts.values()) for counts in told.counts.values())
    assert told.wins == {side: sum(each.winner is side for each in pair) for side in Side} and "spice|lang:en" in page


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
