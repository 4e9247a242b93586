"""Test causes on the Batch page: decisions on tuples and captions, custom tags, bulk changes, frequencies, two annotators."""

import csv
import io
import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.batch import annotators, counts, overview, persistence, reasons
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import CauseSearch, ScoringRun
from pages.parts.kit.html import escape_markdown
from pages.parts.kit.texts import t
from pages.parts.uploads import datasets
from spice_core.data.reader import Upload
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import MAX_TAG_CHARS, MAX_TAGS, ScoredWork, UnmatchedTuple
from spice_core.explain.causes.suggest import UNCLEAR_CAUSE, Cause
from spice_core.scene.matching import MatchState
from tests.app.conftest import button_keys, page_html, page_messages, visit
from tests.app.test_batch import DEFAULT_CONFIG, open_with_file, score_data, upload

pytestmark = pytest.mark.usefixtures("run_tasks_in_process")
HOSTILE_TAG = "<img src=x onerror=alert(1)> *red*"
UMBRELLA_ROWS = [
    {
        "image_id": 1,
        "test": "A woman holds a red umbrella near a zebra.",
        "refs": ["A woman holds a blue umbrella.", "A woman with a blue umbrella in the rain.", "A lady under an umbrella in the rain."],
    },
    {"image_id": 2, "test": "A red umbrella.", "refs": ["A blue umbrella.", "An umbrella.", "A large umbrella."]},
    {"image_id": "c", "test": "A dog.", "refs": ["A dog.", "A cat.", "A cat."]},
]
EXTRA_RED, EXTRA_ZEBRA = UnmatchedTuple(MatchState.EXTRA, ("umbrella", "red")), UnmatchedTuple(MatchState.EXTRA, ("zebra",))
MISSING_BLUE = UnmatchedTuple(MatchState.MISSING, ("umbrella", "blue"))


@pytest.fixture(scope="module")
def run() -> ScoringRun:
    return score_data(datasets.read_data(upload(*UMBRELLA_ROWS)))


@pytest.fixture(scope="module")
def searched_run(run: ScoringRun) -> ScoringRun:
    """The run after the search for causes."""
    searched = replace(run, cache={}, search=CauseSearch(run.rows, run.settings).start())
    searched.search.wait(240)
    return searched


@pytest.fixture
def app(run: ScoringRun) -> AppTest:
    """The page with scored rows, before the search for causes."""
    return visit("3_Batch", {"batch.run": replace(run, cache={})})


def decisions_on_page(app: AppTest) -> Decisions:
    return app.session_state["BatchState"].decisions[app.session_state["batch.run"].digest]


def table_rows(app: AppTest, column: str = "decided") -> list[list[str]]:
    """Return the rows of the table with this column."""
    (frame,) = (element.value for element in app.dataframe if column in element.value.columns)
    return frame.astype(object).fillna("").values.tolist()


def test_each_unmatched_tuple_has_a_suggestion_and_a_decision(app: AppTest):
    """Accepting suggestions does not replace decisions."""
    app.session_state["batch.row"], app.session_state["batch.reasons"] = 1, True
    decisions_on_page(app).set_tuple_causes(1, {EXTRA_ZEBRA: "parser"})
    rows = {cells[1]: cells for cells in table_rows(app.run())}
    *shown_cells, support, decisions = rows["umbrella: red"]
    assert shown_cells == ["+ candidate only", "umbrella: red", "other value → umbrella: blue"] and decisions == ""
    assert 0 <= rows["zebra"][3] < support <= 1 and rows["rain"][3] == "", "tuples of the references have no support"
    assert rows["zebra"][2] == "unsupported" and rows["rain"][2] == "left out · 2/3" and rows["rain"][0].startswith("–")
    app.button(key="batch.reasons_table.accept").click().run()
    assert {cells[1]: cells[-1] for cells in table_rows(app)}["umbrella: red"] == "other value" and len(table_rows(app)) == len(rows)
    assert decisions_on_page(app).tuples[1][EXTRA_RED] == Cause.OTHER_VALUE and "batch.reasons_table.accept" not in button_keys(app)
    assert decisions_on_page(app).tuples[1][EXTRA_ZEBRA] == "parser"
    assert t("reasons.decided", number=len(rows), total=len(rows)) in page_html(app)
    app.button(key="batch.next").click().run()
    assert [cells[1] for cells in table_rows(app)] == ["cat"]


def test_edits_of_the_table_become_decisions():
    for edited_rows, expected_causes in (
        ({0: {"decided": "parser"}}, {EXTRA_RED: "parser"}),
        ({"1": {"decided": "fog"}}, {EXTRA_ZEBRA: "fog"}),
        ({0: {"decided": None}}, {EXTRA_RED: ""}),
        ({0: {"decided": "no such cause"}, 1: {"suggested": "x"}}, {}),
    ):
        assert reasons.edited_causes(edited_rows, [EXTRA_RED, EXTRA_ZEBRA], ["parser", "fog"]) == expected_causes


def test_given_propositions_can_be_decided_on():
    row = {"image_id": 1, "test": [["dog"], ["dog", "red"]], "refs": [[["dog"]]]}
    app = visit("3_Batch", {"batch.run": score_data(datasets.read_data(upload(row))), "batch.reasons": True})
    assert table_rows(app) == [["+ candidate only", "dog: red", "not clear", "", ""]]
    assert "batch.reasons_table.accept" not in button_keys(app)


def test_custom_tags_are_limited_in_number_and_length_and_differ_from_causes():
    """A tag in use is not removed."""
    for tag_texts, tags, messages_ in (
        (["fog", " fog ", "FOG", "", "night  scene"], ["fog", "night scene"], []),
        (["Parser", "other value", "値の相違", "linked differently", UNCLEAR_CAUSE], [], ["tagging.taken"] * 5),
        (["x" * MAX_TAG_CHARS, "y" * (MAX_TAG_CHARS + 1)], ["x" * MAX_TAG_CHARS], ["tagging.too_long"]),
        ([f"tag {n}" for n in range(MAX_TAGS + 5)], [f"tag {n}" for n in range(MAX_TAGS)], ["tagging.too_many"]),
        ([HOSTILE_TAG, "a\u202eb"], [HOSTILE_TAG, "ab"], []),
    ):
        problems = (decisions := Decisions()).set_tags(tag_texts)
        assert decisions.tags == tags and len(problems) == len(messages_)
        assert all(problem.startswith(t(key, tag="|", most=MAX_TAGS).partition("|")[0][:5]) for problem, key in zip(problems, messages_))
    decisions = Decisions(tags=["fog", "night"], tuples={1: {EXTRA_RED: "fog"}})
    assert decisions.set_tags([]) == [t("tagging.used", tags="fog")] and decisions.tags == ["fog"]
    decisions.set_tuple_causes(1, {EXTRA_RED: ""})
    assert decisions.set_tags([]) == [] and not decisions


def test_custom_tags_are_offered_everywhere_and_shown_as_text(app: AppTest):
    app.multiselect(key="batch.custom_tags").set_value([HOSTILE_TAG, "fog"]).run()
    assert decisions_on_page(app).tags == [HOSTILE_TAG, "fog"] and HOSTILE_TAG in decisions_on_page(app).tuple_causes
    app.selectbox(key="batch.cause_of_all").set_value(HOSTILE_TAG).run()
    app.button(key="batch.tag_all").click().run()
    app.selectbox(key="batch.kind").set_value("tag").run()
    app.selectbox(key="batch.value").set_value(HOSTILE_TAG).run()
    assert "<img src=x" not in page_html(app) and "&lt;img src=x" in page_html(app), "in the totals"
    assert not any("<img src=x" in button.label for button in app.button), "labels are Markdown"
    (chart,) = [json.loads(c.proto.spec) for c in app.get("plotly_chart") if c.proto.id.endswith("batch.bars.tag")]
    assert chart["layout"]["yaxis"]["ticktext"][0].startswith("&lt;img")


def test_many_captions_are_tagged_and_untagged_in_one_step(app: AppTest):
    image, digest = app.selectbox(key="batch.row").value, app.session_state["batch.run"].digest[:12]
    app.text_input(key=f"batch.note.{digest}.{image}").set_value("odd").run()
    app.text_input(key="batch.search").set_value("umbrella").run()
    app.selectbox(key="batch.cause_of_all").set_value("reference").run()
    assert app.button(key="batch.tag_all").label == t("tagging.all", number=2)
    app.button(key="batch.tag_all").click().run()
    assert {image: causes for image, (causes, _) in decisions_on_page(app).captions.items() if causes} == {
        1: ("reference",),
        2: ("reference",),
    }
    assert app.pills(key=f"batch.cause.{digest}.{app.selectbox(key='batch.row').value}").value == ["reference"]
    app.text_input(key="batch.search").set_value("no such word").run()
    app.button(key="batch.undo").click().run()
    assert decisions_on_page(app).captions == {image: ((), "odd")} and not decisions_on_page(app).undo_count
    app.button(key="batch.clear").click().run()
    assert app.pills(key=f"batch.cause.{digest}.{app.selectbox(key='batch.row').value}").value == []


def test_a_cause_for_many_captions_replaces_no_other_and_undo_removes_only_added_ones():
    decisions = Decisions({1: (("parser",), "a")})
    decisions.set_causes(2, ["caption", "rule"])
    mark = decisions.revision
    decisions.add_cause([1, 2, 3], "caption")
    assert decisions.captions == {1: (("parser", "caption"), "a"), 2: (("caption", "rule"), ""), 3: (("caption",), "")}
    assert decisions.undo_count == 2
    decisions.undo()
    assert decisions.captions == {1: (("parser",), "a"), 2: (("caption", "rule"), "")} and decisions.revision == mark
    decisions.add_cause([1, 2], "synonym")
    decisions.set_causes(2, ["reference"])
    decisions.undo()
    assert decisions.captions == {1: (("parser",), "a"), 2: (("reference",), "")} and decisions.revision > mark


def test_causes_are_searched_on_request_and_replaced_by_decisions(app: AppTest):
    run = app.session_state["batch.run"]
    assert not any("batch.pareto" in c.proto.id for c in app.get("plotly_chart")) and run.search is None
    app.button(key="batch.find_causes").click().run()
    run.search.wait(240)
    app.run()
    causes_found = counts.count_grouped_causes(run, decisions_on_page(app))
    assert sum(count.total for count in causes_found.values()) == sum(map(len, run.suggested_causes.values()))
    assert not causes_found["other value"].decided_count
    assert list(causes_found.values()) == sorted(causes_found.values(), key=lambda count: -count.total)
    total_before = causes_found["other value"].total
    decisions_on_page(app).set_tuple_causes(2, {EXTRA_RED: "parser", MISSING_BLUE: "other value"})
    app.run()
    causes_found = counts.count_grouped_causes(run, decisions_on_page(app))
    assert causes_found["parser"].decided_count == 1
    assert causes_found["other value"].total == total_before - 1
    assert causes_found["other value"].decided_count == 1
    assert ["parser" in counts.count_grouped_causes(run, decisions_on_page(app), kind) for kind in counts.STATES_BY_GROUPING] == [
        True,
        True,
        False,
    ]
    assert t("pareto.counted", total=sum(n.total for n in causes_found.values()), decided=2) in page_html(app)
    assert "<tr><th scope=row>parser</th><td>1</td><td>0</td><td>1</td>" in page_html(app)
    (chart,) = [c.proto for c in app.get("plotly_chart") if "batch.pareto" in c.proto.id]
    assert "parser: 1, 1 decided" in chart.alt


def test_a_cause_filters_captions_and_is_in_the_url(searched_run: ScoringRun):
    app = visit("3_Batch", {"batch.run": searched_run})
    count = counts.count_grouped_causes(searched_run, Decisions(), "cause_extra")["other value"]
    app.selectbox(key="batch.kind").set_value("cause_extra").run()
    app.selectbox(key="batch.value").set_value("other value").run()
    assert t("batch.found", number=len(count.images), total=3) in page_html(app)
    assert app.query_params["by"] in ("cause_extra", ["cause_extra"]) and app.query_params["only"] in ("other value", ["other value"])
    assert f"{escape_markdown(t('batch.by_cause_extra') + ': other value')} ✕" in {button.label for button in app.button}
    for image in list(count.images):
        decisions_on_page(app).set_tuple_causes(image, {EXTRA_RED: "parser"})
    app.run()
    assert t("batch.found", number=3, total=3) in page_html(app), "no tuple has the cause any more"


def test_a_link_to_a_cause_waits_until_causes_are_found(run: ScoringRun):
    app = visit("3_Batch", {"batch.run": replace(run, cache={})}, by="cause", only="unsupported")
    assert t("pareto.ask_first") in page_messages(app) and t("batch.found", number=0, total=3) in page_html(app)
    app.button(key="batch.find_causes").click().run()
    app.session_state["batch.run"].search.wait(240)
    app.run()
    assert t("batch.found", number=1, total=3) in page_html(app) and t("pareto.ask_first") not in page_messages(app)


def test_rows_that_cannot_be_read_have_no_causes(run: ScoringRun):
    search = CauseSearch([*run.rows, ScoredItem("none", "A dog.", (), run.rows[0].scores)], DEFAULT_CONFIG).start()
    search.wait(240)
    assert search.causes["none"] == {} and len(search.causes) == 4 and not search.failure


def test_decisions_are_saved_in_the_work_file_and_restored(searched_run: ScoringRun):
    decisions = Decisions(
        {1: (("fog", "rule"), "n"), 2: (("parser",), "")}, {2: {EXTRA_RED: "other value", MISSING_BLUE: "fog"}}, ["fog", HOSTILE_TAG]
    )
    lines = saved_work(searched_run, decisions)
    lines[0]["work"]["of_tomorrow"], lines[1]["stars"] = {"a": [1]}, 5
    assert {"state": "extra", "tuple": ["umbrella", "red"], "cause": "other value"} in lines[1]["tuple_causes"]
    opened_page = open_with_file("mine.jsonl", upload(*lines).content)
    restored, run_before = decisions_on_page(opened_page), opened_page.session_state["BatchState"].opened_work.saved_work
    assert (restored.captions, restored.tuples, restored.tags) == (decisions.captions, decisions.tuples, decisions.tags)
    assert run_before.unknown_head_fields == '{"of_tomorrow": {"a": [1]}}' and run_before.unknown_fields == {2: '{"stars": 5}'}


def test_an_unknown_cause_in_a_file_becomes_a_tag():
    restored = persistence.decisions_of_work(
        ScoredWork((), caption_causes={1: (("fog",), ""), 2: (("parser",), "")}, causes={1: {EXTRA_RED: "night", EXTRA_ZEBRA: "x" * 50}})
    )
    conflicting = persistence.decisions_of_work(ScoredWork((), caption_causes={1: (("near word",), "a"), 2: (("near word",), "")}))
    assert conflicting.captions == {1: ((), "a")} and not conflicting.tags, "the cause of a tuple is none of a caption"
    assert restored.tags == ["fog", "night"] and restored.tuples == {1: {EXTRA_RED: "night"}} and restored.captions[1] == (("fog",), "")


def test_the_table_of_tuples_contains_causes_and_no_formulas(searched_run: ScoringRun):
    csv_text = overview.tuples_csv(searched_run, Decisions(tuples={2: {EXTRA_RED: "=fog"}})).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(csv_text)))
    assert {"image_id": "2", "state": "extra", "tuple": "umbrella – red", "cause": "'=fog", "decided": "yes"} in rows
    assert len(rows) == sum(map(len, searched_run.suggested_causes.values()))


FIRST_DECISIONS = Decisions(
    {1: (("parser",), ""), 2: (("rule",), ""), "c": (("rule",), "")}, {1: {EXTRA_RED: "other value", EXTRA_ZEBRA: "unsupported"}}
)
SECOND_DECISIONS = Decisions({1: (("parser",), ""), 2: (("synonym",), "")}, {1: {EXTRA_RED: "fog"}})


def run_of_second_annotator(run: ScoringRun, decisions: Decisions) -> Upload:
    return Upload("b.jsonl", "".join(ScoredWork(tuple(run.rows), "b", {}, {}, decisions.captions, decisions.tuples).lines()).encode())


def test_the_agreement_of_two_annotators_is_shown(app: AppTest, run: ScoringRun):
    app.session_state["BatchState"].decisions[run.digest], app.session_state["batch.annotators"] = FIRST_DECISIONS, True
    file = ("b.jsonl", run_of_second_annotator(run, SECOND_DECISIONS).content, "application/jsonl")
    app.run().file_uploader(key="batch.second").set_value([file]).run()
    shown_html = page_html(app)
    assert "<tr><th scope=row>Captions</th><td>2</td><td>0.500</td><td>0.333 " in shown_html
    assert "<tr><th scope=row>Tuples</th><td>1</td><td>0.000</td><td>0.000 " in shown_html
    assert f"<th scope=row>{t('batch.rule')}</th>" in shown_html and t("annotators.disagreements", number=1) in shown_html
    assert table_rows(app, t("annotators.second")) == [["2", "A red umbrella.", "rule", "synonym"]]
    app.segmented_control(key="batch.annotators_unit").set_value("tuples").run()
    assert table_rows(app, t("annotators.second")) == [["1", UMBRELLA_ROWS[0]["test"], "umbrella: red", "other value", "fog"]]


def test_files_that_cannot_be_compared_are_reported_in_one_line(run: ScoringRun):
    other_run = score_data(datasets.read_data(upload(UMBRELLA_ROWS[0] | {"test": "A cat."})))
    files = {
        "no_causes": run_of_second_annotator(run, Decisions()),
        "other_data": run_of_second_annotator(other_run, SECOND_DECISIONS),
        "no_work": Upload("b.jsonl", b"x"),
    }
    for message, file in files.items():
        assert annotators.compare_with_work_file(file, run, FIRST_DECISIONS) == t(f"annotators.{message}", file="b.jsonl")
    damaged_content = run_of_second_annotator(run, SECOND_DECISIONS).content.replace(b'"cause": "parser"', b'"cause": 3')
    message = annotators.compare_with_work_file(Upload("b.jsonl", damaged_content), run, FIRST_DECISIONS)
    assert "line 1, field cause" in message and "\n" not in message


def saved_work(run: ScoringRun, decisions: Decisions | None = None) -> list[dict]:
    """Return the lines of a run's work file."""
    return [json.loads(line) for line in persistence.work_of_run(run, {}, decisions or Decisions()).lines()]


def test_suggestions_are_saved_in_the_work_file_and_restored(searched_run: ScoringRun):
    lines = saved_work(searched_run)
    assert lines[0]["work"]["suggested_by"] == searched_run.rows[0].signature
    assert {"state": "extra", "tuple": ["umbrella", "red"], "cause": "other value"} in lines[0]["suggested_causes"]
    opened_page = open_with_file("mine.jsonl", upload(*lines).content)
    run = opened_page.session_state["batch.run"]
    assert run.suggested_causes == searched_run.suggested_causes
    assert counts.count_grouped_causes(run, Decisions()) == counts.count_grouped_causes(searched_run, Decisions())
    assert t("pareto.find", number=3) not in [button.label for button in opened_page.button], "no new search is needed"
    assert saved_work(run) == lines and t("batch.work_suggested") not in page_messages(opened_page)


def test_a_stopped_search_can_be_repeated_after_reopening(searched_run: ScoringRun):
    """A suggestion of an unknown cause is ignored."""
    lines = saved_work(searched_run)
    lines[0]["suggested_causes"][0]["cause"] = HOSTILE_TAG
    del lines[2]["suggested_causes"]
    opened_page = open_with_file("mine.jsonl", upload(*lines).content)
    assert t("pareto.find", number=3) in [button.label for button in opened_page.button]
    assert t("pareto.stopped", done=2, total=3) in page_messages(opened_page)
    causes_found = opened_page.session_state["batch.run"].suggested_causes
    assert len(causes_found[1]) == len(searched_run.suggested_causes[1]) - 1 and HOSTILE_TAG not in page_html(opened_page)


def test_suggestions_of_another_version_are_ignored_and_reported(searched_run: ScoringRun):
    for signature in ("", "spice|lang:en|parser:older|version:0.1.0", HOSTILE_TAG):
        lines = saved_work(searched_run)
        lines[0]["work"]["suggested_by"] = signature
        opened_page = open_with_file("mine.jsonl", upload(*lines).content)
        assert opened_page.session_state["batch.run"].suggested_causes == {} and t("batch.work_suggested") in page_messages(opened_page)
        assert t("pareto.find", number=3) in [button.label for button in opened_page.button]
