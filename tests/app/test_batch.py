"""The Batch page without a browser: data checked row by row, scored, stopped, filtered, tagged, saved."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.batch import counts, filters, saved, work
from pages.parts.batch.decisions import Decisions
from pages.parts.kit.page import ROOT
from pages.parts.kit.texts import t
from pages.parts.session import datasets, settings
from pages.parts.session.links import unpack
from pages.parts.session.runs import FIELDS, Run
from pages.parts.views import scored_rows, tuples
from pages.parts.views.concerns import in_words
from spice_core import Spice
from spice_core.data.reader import Upload
from spice_core.data.work_file import Unmatched, Work
from spice_core.evaluation.questions import Concern
from spice_core.scene.matching import MatchState
from tests.app.conftest import APP, said, shown, signature

USUAL = settings.usual("en")
pytestmark = pytest.mark.parser
GOOD = [
    {"image_id": 1, "test": "A dog on a sofa.", "refs": ["A brown dog lies on a couch.", "A dog on a red sofa."]},
    {"image_id": "b", "test": "=Two cats.", "refs": ["Two cats on a bed."]},
]
RULES = (ROOT / "spice_core/lang/en/rules/caption.toml").read_text() + "# mine\n"
FAULTY = [
    GOOD[0],
    {"image_id": 2, "test": "A cat.", "refs": []},
    {"image_id": 1, "test": "A cat.", "refs": ["A cat."]},
    {"image_id": 3, "refs": ["<b>A cat."]},
    GOOD[1],
]


def page() -> AppTest:
    return AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/3_Batch.py").run()


def with_file(name: str, content: bytes) -> AppTest:
    """The page with this file uploaded."""
    app = page()
    app.segmented_control(key="batch.source").set_value("files").run()
    return app.file_uploader(key="batch.file").set_value([(name, content, "text/plain")]).run()


def upload(*rows: object) -> Upload:
    return Upload("mine.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())


def ran(app: AppTest) -> AppTest:
    """Press the button and wait for the end."""
    app = app.button(key="batch.start").click().run()
    app.session_state["batch.run"].wait(240)
    return app.run()


def scored(data: datasets.Data) -> Run:
    run = Run(data.items, USUAL, data.name, data.digest).start()
    run.wait(240)
    return run


@pytest.fixture(scope="module")
def run() -> Run:
    return scored(datasets.sample())


@pytest.fixture
def app(run: Run) -> AppTest:
    """The page with the sample scored."""
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/3_Batch.py")
    app.session_state["batch.run"] = run
    return app.run()


def test_the_page_opens_on_the_sample_as_a_run_would_score_it(run: Run):
    opened = page().session_state["batch.run"]
    assert not opened.working and (opened.settings, opened.digest, opened.items) == (run.settings, run.digest, run.items)
    assert [row.as_json(FIELDS) for row in opened.rows] == [row.as_json(FIELDS) for row in run.rows]  # tools/score_sample.py writes them


def test_of_many_rows_the_first_are_listed_until_all_are_asked_for(run: Run):
    many = [replace(run.rows[n % len(run.rows)], image_id=n) for n in range(1003)]
    app = page()
    app.session_state["batch.run"] = Run(many, run.settings, "many", "digest", rows=many)
    listed = lambda: next(len(frame.value) for frame in app.run().dataframe if "candidate" in frame.value.columns)
    assert listed() == 1000 and "1003 of 1003" in shown(app)
    app.button(key="batch.all_rows").click()
    assert listed() == 1003


def test_the_sample_is_scored_as_the_library_scores_it():
    app = ran(page())
    items = datasets.sample().items
    alone = Spice()
    mean = math.fsum(alone.compute(i.candidate, i.references).f1 for i in items[:8]) / 8
    found = counts.lines(app.session_state["batch.run"])
    assert len(found) == len(items) and math.isclose(math.fsum(line.f1 for line in found[:8]) / 8, mean)
    assert f"<b>{counts.means(app.session_state['batch.run'])['f1'].value:.3f}</b>" in shown(app)
    assert signature(app).startswith("spice|lang:en")


def test_faulty_rows_are_named_and_good_ones_scored():
    app = page()
    app.segmented_control(key="batch.source").set_value("files").run()
    assert said(app) == [t("batch.nothing")]
    app.file_uploader(key="batch.file").set_value([("mine.jsonl", upload(*FAULTY).content, "application/jsonl")]).run()
    assert said(app, "alert") == [t("batch.problems", good=2, bad=3, plus="")]
    told = shown(app)
    for place, field in (("line 2", "field refs"), ("line 3", "field image_id"), ("line 4", "field test")):
        assert f"<td>mine.jsonl</td><td>{place}</td><td>{field}</td>" in told
    assert "<b>A cat" not in told
    app = ran(app)
    assert [line.id for line in counts.lines(app.session_state["batch.run"])] == [1, "b"]
    assert t("batch.found", number=2, total=2) in shown(app)


@pytest.mark.parametrize(
    ("name", "content", "references"),
    [
        ("a.csv", b"image_id,test,ref1,ref2\n1,A dog.,A cat.,A dog.\n", None),
        ("a.tsv", b"image_id\ttest\tref1\n1\tA dog.\tA dog.\n", None),
        ("a.json", b'[{"image_id": 1, "test": "A dog.", "refs": ["A dog."]}]', None),
        ("a.json", b'[{"image_id": 1, "caption": "A dog."}]', b'{"annotations": [{"image_id": 1, "caption": "A cat."}]}'),
    ],
)
def test_layouts(name, content, references):
    data = datasets.read(Upload(name, content), references and Upload("captions.json", references))
    assert [item.image_id for item in data.items] == [1] and not data.problems


@pytest.mark.parametrize(("name", "content"), [("a.json", b""), ("a.json", b"{"), ("a.csv", b"a;b\n1;2\n"), ("a.jsonl.gz", b"\x1f\x8b")])
def test_what_cannot_be_read_is_a_problem(name, content):
    data = datasets.read(Upload(name, content))
    assert not data.items and data.problems and data.problems[0][0] == name


def test_many_problems_are_counted_and_the_first_kept(monkeypatch):
    content = upload(GOOD[0], *({"image_id": n, "test": "A cat.", "refs": []} for n in range(2_500))).content
    data = datasets.read(Upload("mine.jsonl", content))
    assert (len(data.items), len(data.problems), data.bad) == (1, 1_000, 2_500)
    app = with_file("mine.jsonl", content)
    assert said(app, "alert") == [t("batch.problems", good=1, bad=2_500, plus="")]
    assert "<td>2,500</td><td>mine.jsonl</td><td>line 2, 3, 4, 5, 6, …</td><td>field refs</td><td>[]</td>" in shown(app)
    assert [button.proto.label for button in app.get("download_button")] == [t("batch.problems_first", number="1,000")]
    monkeypatch.setattr(datasets, "COUNTED", 2_000)
    assert datasets.read(Upload("mine.jsonl", content)).bad == 2_000


RESULTS = [{"image_id": n, "caption": "A dog."} for n in range(300)]
REMEDIES = [
    ("r.json", json.dumps(RESULTS), "references", "results (image_id and caption) without references"),
    ("r.csv", "image_id,caption\n1,A dog.\n", "references", "results (image_id and caption) without references"),
    ("a.csv", "7,a dog,a brown dog\n8,a cat,a cat\n", "columns", "7, a dog, a brown dog"),
    ("a.json", '{"images": [{"id": 1}], "annotations": [{"image_id": 1, "caption": "A cat."}]}', "results", ""),
    ("a.csv", "画像ID,キャプション\n1,傘をさす人\n", "choose", ""),
]


@pytest.mark.parametrize(("name", "content", "remedy", "found"), REMEDIES)
def test_what_would_help_is_said_in_one_line(name, content, remedy, found):
    app = with_file(name, content if isinstance(content, bytes) else content.encode())
    assert said(app, "alert") == [t(f"batch.remedy_{remedy}", file=name, found=found)]
    assert "sc-table sc-problems" not in shown(app) and app.button(key="batch.start").disabled


def test_references_beside_make_results_whole():
    results, swapped = (
        Upload("r.json", json.dumps(RESULTS[:1]).encode()),
        Upload("a.json", b'{"annotations": [{"image_id": 0, "caption": "A cat."}]}'),
    )
    assert datasets.read(swapped, results).remedy[:2] == ("swapped", "a.json")
    assert datasets.read(results, Upload("a.csv", b"image_id,caption\n7,A cat.\n")).remedy[:2] == ("fit", "a.csv")
    data = datasets.read(Upload("r.json", json.dumps(RESULTS[:1]).encode()), Upload("a.csv", b"image_id,caption\n0,A cat.\n"))
    assert len(data.items) == 1 and not data.bad and data.remedy is None


def test_without_a_good_row_nothing_is_offered():
    app = with_file("mine.jsonl", upload(*FAULTY[1:2], *FAULTY[3:4]).content)
    assert said(app, "alert") == [t("batch.no_good", bad=2, plus="")] and app.button(key="batch.start").disabled


def test_a_data_set_is_named_after_its_file():
    assert datasets.read(Upload("run-0.5.jsonl", b"{}")).name == "run-0.5"


def test_a_stopped_run_keeps_what_is_done():
    run = Run(datasets.sample().items, USUAL, "sample").start()
    while run.working and not run.rows:
        run.wait(0.01)
    run.stop()
    run.wait(240)
    assert run.stopped and 0 < len(run.rows) < len(run.items) and len(run.rows) % 8 == 0
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/3_Batch.py")
    app.session_state["batch.run"] = run
    app.run()
    assert t("batch.stopped", done=len(run.rows), total=len(run.items)) in said(app)
    assert t("batch.found", number=len(run.rows), total=len(run.rows)) in shown(app)


def test_a_new_run_opens_on_its_own_captions():
    app = page()
    app.segmented_control(key="batch.source").set_value("files").run()
    for word in ("dog", "zebra"):
        some = [{"image_id": i, "test": f"A {word} on {i + 2} sofas.", "refs": ["A brown dog."] * (i + 1)} for i in range(3)]
        app.file_uploader(key="batch.file").set_value([(f"{word}.jsonl", upload(*some).content, "application/jsonl")]).run()
        app = ran(app)
        first = app.selectbox(key="batch.row").value
        app.button(key="batch.next").click().run()
        assert app.selectbox(key="batch.row").value != first
    assert first == filters.sorted_(counts.lines(app.session_state["batch.run"]), "worst")[0].id


def test_filters(app: AppTest, run: Run):
    lines = counts.lines(run)
    app.slider(key="batch.range").set_value((0.0, 0.2)).run()
    assert t("batch.found", number=sum(line.f1 < 0.2 - 1e-9 for line in lines), total=240) in shown(app)
    app.button(key="batch.clear").click().run()
    name, group = counts.slices(run, "missing", Decisions()).most(1)[0]
    app.selectbox(key="batch.kind").set_value("missing").run()
    app.selectbox(key="batch.value").set_value(name).run()
    assert t("batch.found", number=group.count, total=240) in shown(app)
    assert app.selectbox(key="batch.row").value in group.ids
    app.button(key="batch.clear").click().run()
    app.text_input(key="batch.search").set_value("zebra").run()
    zebras = sum("zebra" in " ".join(map(scored_rows.caption_text, (line.row.candidate, *line.row.references))).lower() for line in lines)
    assert t("batch.found", number=zebras, total=240) in shown(app)
    app.text_input(key="batch.search").set_value("no such word").run()
    assert said(app) == [t("batch.none_left")]


@pytest.mark.parametrize("kind", filters.KINDS[1:])
def test_every_slice_opens(app: AppTest, kind: str):
    app.selectbox(key="batch.kind").set_value(kind).run()
    assert not app.exception and (kind == "tag" or kind in counts.STATES or app.selectbox(key="batch.value").options)


def test_the_slice_by_category_shows_the_score_of_each_category(app: AppTest, run: Run):
    app.selectbox(key="batch.kind").set_value("category").run()
    told, means = shown(app), counts.categories(run)
    assert t("batch.slice_own") in told
    options = app.selectbox(key="batch.value").options
    for name in ("Color", "Cardinality", "Object"):
        known = [score for row in run.rows if (score := row.scores[name]).defined]
        mean = f"{means[name].value:.3f}"
        assert t("batch.group_of", name=t(f"categories.{name}"), number=len(known), mean=mean) in options
    (chart,) = [json.loads(c.proto.spec) for c in app.get("plotly_chart") if c.proto.id.endswith("batch.bars.category")]
    labels = [label.strip() for label in chart["layout"]["yaxis"]["ticktext"]]
    assert {"Colour", "Count"} < set(labels) and not {"Color", "Cardinality"} & set(labels)
    texts = dict(zip(labels, chart["data"][2]["text"]))
    assert texts["Colour"].startswith(f"{means['Color'].value:.3f} · ")


UMBRELLAS = [
    {"image_id": 1, "test": "A red umbrella.", "refs": ["A blue umbrella."]},
    {"image_id": 2, "test": "A red umbrella.", "refs": ["A red umbrella."]},
    {"image_id": 3, "test": "A red sofa.", "refs": ["A blue couch."]},
    {"image_id": 4, "test": "An umbrella.", "refs": ["A blue umbrella."]},
    {"image_id": 5, "test": "A dog.", "refs": ["A large dog."]},
]


def grid(app: AppTest) -> dict[str, list[int]]:
    """The numbers of the table of questions by category."""
    (found,) = (json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.component_name == "spice_grid")
    return {name: [cell["number"] for cell in cells] for name, *cells in found["rows"]}


def umbrellas(**asked: str) -> AppTest:
    """A run of some captions on a page that was opened with these parameters."""
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/3_Batch.py")
    for name, value in asked.items():
        app.query_params[name] = value
    app.run().segmented_control(key="batch.source").set_value("files").run()
    content = "".join(json.dumps(row) + "\n" for row in UMBRELLAS).encode()
    return ran(app.file_uploader(key="batch.file").set_value([("mine.jsonl", content, "text/plain")]).run())


def test_questions_count_and_filter():
    app = umbrellas()
    found = grid(app)
    assert found["Colour"] == [4, 1, 2, 1, 0] and found["Size"] == [1, 0, 0, 1, 0] and found["Object"][2] == 0
    app.session_state["batch.asked"] = ["Color.other"]
    app.run()
    assert (
        app.query_params["q"] in ("Color.other", ["Color.other"])
        and "2 of 5 captions" in shown(app)
        and "umbrella: red → blue" in shown(app)
    )
    app.button(key="batch.next").click().run()
    assert "sofa: red → blue" in shown(app)  # a sofa and a couch are one thing
    app.session_state["batch.asked"] = ["Color.other", "Object.missed"]
    assert "0 of 5 captions" in shown(app.run())
    app.button(key="batch.chip.Object.missed").click().run()
    assert "2 of 5 captions" in shown(app) and app.query_params["q"] in ("Color.other", ["Color.other"])
    app.button(key="batch.clear").click().run()
    assert "5 of 5 captions" in shown(app) and "q" not in app.query_params


def test_a_link_opens_the_same_view():
    app = umbrellas(q="Color.asked,Nothing.other", f1="0.50-1.00", find="umbrella", order="best")
    assert "3 of 5 captions" in shown(app) and app.query_params["q"] in ("Color.asked", ["Color.asked"])
    assert {button.label for button in app.button} >= {"Colour: In references ✕", "F1 0.500–1.000 ✕", "with “umbrella” ✕"}
    again = ran(app)
    assert "5 of 5 captions" in shown(again) and "f1" not in again.query_params


@pytest.mark.parametrize(
    ("written", "wanted"),
    [("0.20-0.40", (0.2, 0.4)), ("0.4-0.2", filters.FULL), ("0.2-1.5", filters.FULL), ("nan-1.0", filters.FULL), ("٠.٢-0.4", filters.FULL), ("", filters.FULL)],
)  # fmt: skip
def test_a_range_of_the_address(written, wanted):
    assert filters._range(written) == wanted


def test_a_row_tells_its_tuples_and_opens_in_inspect(app: AppTest, run: Run):
    line = filters.sorted_(counts.lines(run), "best")[0]
    app.segmented_control(key="batch.order").set_value("best").run()
    app.selectbox(key="batch.row").set_value(line.id).run()
    told, links = shown(app), scored_rows.to_rules(line.row, run.settings)
    for state, found in scored_rows.tuples(line.row).items():
        assert tuples.listed(state, t(f"batch.state_{state}", number=len(found)), found, links) in told
    assert 'src="data:image/svg+xml;base64,' in told and f"<b>{line.f1:.3f}</b>" in told
    link = app.get("link_button")[0].proto.url
    captions, _ = unpack(link.partition("t=")[2])
    assert (captions.candidate, captions.references) == (line.row.candidate, line.row.references)
    app.button(key="batch.next").click().run()
    assert app.selectbox(key="batch.row").value == filters.sorted_(counts.lines(run), "best")[1].id


def test_long_captions_have_a_column_and_rows_by_sentence(app: AppTest):
    assert "lowest" not in app.dataframe[0].value  # of the sample only references have several sentences
    row = {"image_id": 1, "test": "A dog sleeps. A zebra reads a newspaper.", "refs": ["A dog sleeps on a sofa. It is brown."]}
    run = scored(datasets.read(upload(row, {"image_id": 2, "test": "A cat.", "refs": ["A cat."]})))
    assert [line.lowest for line in counts.lines(run)] == [0, None]
    app.session_state["batch.run"] = run
    told = shown(app.run())
    assert list(app.dataframe[0].value["lowest"])[:1] == [0] and t("batch.column_lowest")
    assert "<p><i>2/2</i><span>A dog sleeps.</span></p>" in told and "<p><i>0/4</i><span>A zebra reads a newspaper.</span></p>" in told


def test_causes_are_kept_and_counted(app: AppTest, run: Run):
    image = app.selectbox(key="batch.row").value
    of = run.digest[:12]
    app.pills(key=f"batch.cause.{of}.{image}").set_value("rule").run()
    app.text_input(key=f"batch.note.{of}.{image}").set_value("no rule for this").run()
    app.button(key="batch.next").click().run()
    other = app.selectbox(key="batch.row").value
    app.pills(key=f"batch.cause.{of}.{other}").set_value("rule").run()
    assert app.session_state["batch.decisions"][run.digest].captions == {image: ("rule", "no rule for this"), other: ("rule", "")}
    assert f"{t('batch.totals', number=2)}: {t('batch.rule')} 2" in shown(app)
    app.selectbox(key="batch.kind").set_value("tag").run()
    app.selectbox(key="batch.value").set_value("rule").run()
    assert t("batch.found", number=2, total=240) in shown(app)
    app.pills(key=f"batch.cause.{of}.{app.selectbox(key='batch.row').value}").set_value(None).run()
    assert not app.exception


def test_a_page_that_lost_the_diagnosis_is_told_it_again(app: AppTest, run: Run):
    """Else it would take it back with the next note: messages of a run that another one interrupts may never reach the page."""
    image, of = app.selectbox(key="batch.row").value, run.digest[:12]
    chosen = app.pills(key=f"batch.cause.{of}.{image}").set_value("rule").run().run().pills(key=f"batch.cause.{of}.{image}")
    assert chosen.value == "rule" and chosen.proto.set_value
    app.text_input(key=f"batch.note.{of}.{image}").set_value("the reference says blue").run()
    decided = app.session_state["batch.decisions"][run.digest]
    assert decided.captions[image] == ("rule", "the reference says blue")


def file_of(app: AppTest) -> Upload:
    """The work file that the page offers."""
    run = app.session_state["batch.run"]
    view = {name: value for name, value in app.query_params.items() if name != "ui"}
    view = {name: value[-1] if isinstance(value, list) else value for name, value in view.items()}
    row = json.dumps(app.selectbox(key="batch.row").value)
    config = run.settings.as_dict()
    return Upload(
        "mine.jsonl.gz",
        work.as_file(
            Work(tuple(run.rows), run.name, config, view | {"row": row}, app.session_state["batch.decisions"][run.digest].captions)
        ),
    )


def uploaded(app: AppTest, *files: Upload) -> AppTest:
    app.segmented_control(key="batch.source").set_value("files").run()
    return app.file_uploader(key="batch.file").set_value([(file.name, file.content, "application/gzip") for file in files]).run()


def test_work_is_opened_as_it_was_saved(app: AppTest, run: Run):
    app.slider(key="batch.range").set_value((0.1, 0.3)).run()
    app.text_input(key="batch.search").set_value("man").run()
    app.button(key="batch.next").click().run()
    image, of = app.selectbox(key="batch.row").value, run.digest[:12]
    app.pills(key=f"batch.cause.{of}.{image}").set_value("synonym").run()
    app.text_input(key=f"batch.note.{of}.{image}").set_value("<b>sofa</b> = couch").run()

    other = uploaded(page(), file_of(app))
    opened = other.session_state["batch.run"]
    assert t("batch.work_opened", number=240) in said(other) and t("batch.stale", name=opened.name) not in said(other)
    assert (opened.rows, opened.items, opened.settings, opened.name) == (run.rows, run.items, run.settings, run.name)
    assert other.slider(key="batch.range").value == (0.1, 0.3) and other.text_input(key="batch.search").value == "man"
    assert other.selectbox(key="batch.row").value == image and other.session_state["batch.decisions"][opened.digest].captions == {
        image: ("synonym", "<b>sofa</b> = couch")
    }
    assert other.pills(key=f"batch.cause.{opened.digest[:12]}.{image}").value == "synonym" and "<b>sofa" not in shown(other)
    assert list(other.dataframe[0].value["id"]) == list(app.dataframe[0].value["id"])
    assert file_of(other).content == file_of(app).content

    other = other.pills(key=f"batch.cause.{opened.digest[:12]}.{image}").set_value(None).run()
    assert other.session_state["batch.run"] is opened and not other.exception, "opened once: what is changed stays"


def test_own_rules_and_categories_travel_with_the_work(run: Run):
    config = replace(USUAL, rules="mine", rules_text=RULES, categories=(("Material", ("glass", "wood")),))
    rows = tuple(run.rows[:3])
    file = Upload("a.jsonl.gz", work.as_file(Work(rows, "a", config.as_dict(), {}, {})))
    app = page()
    app.session_state["own_rules"] = {"en": {"mine": "# another draft"}}
    app = uploaded(app.run(), file)
    opened = app.session_state["batch.run"]
    assert opened.settings == replace(config, rules="mine (2)") and app.session_state["own_rules"]["en"]["mine"] == "# another draft"
    assert app.sidebar.selectbox(key="batch.en.rules").value == "mine (2)"
    assert app.sidebar.text_area(key="batch.categories").value == "Material: glass, wood"
    assert t("batch.stale", name=opened.name) not in said(app), "the settings of the page are those of the work"


@pytest.mark.parametrize(
    "config",
    [
        {"lang": "en", "rules": "pyproject.toml"},
        {"lang": "en", "parser": "spacy:/tmp"},
        {"lang": "en", "parser": "corenlp:http://localhost:9000"},
        {"lang": "en", "parser": "conllu:/etc/passwd"},
        {"lang": "en", "synonyms": "../../etc/passwd"},
        {"lang": "fr"},
        {"lang": "en", "rules": "/etc/x.toml", "rules_text": ""},
        {"lang": "en", "rules": 3},
        {"lang": "en", "rules": "mine", "rules_text": "[[rule]"},
        {"lang": "en", "unknown": "x"},
    ],
)
def test_settings_that_are_not_to_be_had_open_with_the_usual_ones(run: Run, config):
    head = {"version": 1, "name": "a", "settings": config, "view": {}}
    lines = [run.rows[0].as_json(FIELDS) | {"work": head}, run.rows[1].as_json(FIELDS)]
    app = uploaded(page(), Upload("a.jsonl", "".join(json.dumps(line) + "\n" for line in lines).encode()))
    opened = app.session_state["batch.run"]
    assert opened.settings == USUAL and len(opened.rows) == 2 and not app.exception
    (told,) = [each for each in said(app) if each.startswith(t("batch.work_settings", problem="|").partition("|")[0])]
    assert "tool" not in told and "root:" not in told, "nothing of this machine's files"


def test_settings_that_are_not_named_are_the_usual_ones(run: Run):
    file = Upload("a.jsonl.gz", work.as_file(Work(tuple(run.rows[:2]), "a", {"lang": "en"}, {}, {})))
    app = uploaded(page(), file)
    assert app.session_state["batch.run"].settings == USUAL and len(said(app)) == 1


def test_a_damaged_work_file_keeps_its_whole_rows(run: Run):
    whole = gzip.decompress(work.as_file(Work(tuple(run.rows), "a", USUAL.as_dict(), {}, {})))
    app = uploaded(page(), Upload("a.jsonl", whole[:-50]))
    assert len(app.session_state["batch.run"].rows) == len(run.rows) - 1 and "line 240" in shown(app)
    newer = uploaded(page(), Upload("a.jsonl", whole.replace(b'"version": 1', b'"version": 7', 1)))
    assert "field work.version" in shown(newer) and newer.session_state["batch.run"].digest == datasets.sample().digest


def test_a_result_file_of_the_command_line_is_shown_as_it_is_scored(run: Run):
    lines = "".join(json.dumps(row.as_json(FIELDS)) + "\n" for row in run.rows[:5])
    app = uploaded(page(), Upload("results.jsonl", lines.encode()))
    opened = app.session_state["batch.run"]
    assert (opened.rows, opened.name, opened.settings) == (run.rows[:5], "results", USUAL) and not opened.working


def test_exports(run: Run, tmp_path):
    image = run.rows[0].image_id
    decided = Decisions({image: ("parser", "odd")}, {image: {Unmatched(MatchState.EXTRA, ("dog", "red")): "=1+1"}}, ["=1+1"])
    table = list(csv.DictReader(io.StringIO(saved.as_csv(run, decided).decode("utf-8-sig"))))
    assert len(table) == 240 and table[0]["cause"] == "parser" and float(table[3]["f1"]) == counts.lines(run)[3].f1
    assert table[0]["tuple_causes"] == "'+ dog: red = =1+1" and not table[1]["tuple_causes"]
    page = saved.report(saved.summary(run, decided))
    assert f"<td>{t('batch.parser')}</td><td>odd</td>" in page
    assert "http" not in page.replace("http://www.w3.org", "") and "<script" not in page and run.rows[0].signature in page


def test_jsonl_is_what_the_command_writes(tmp_path, monkeypatch):
    from spice_core.cli.main import main

    file, out = tmp_path / "mine.jsonl", tmp_path / "out.jsonl"
    file.write_bytes(upload(*GOOD).content)
    assert main(["score", str(file), "--out", str(out), "--subset", "--detailed", "--sentences", "--silent"]) == 0
    run = scored(datasets.read(upload(*GOOD)))
    theirs = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    ours = [json.loads(line) for line in saved.as_jsonl(run).decode().splitlines()]
    assert ours == theirs and [list(r) for r in ours] == [list(r) for r in theirs]
    assert b"'=Two cats." in saved.as_csv(run, Decisions())


def test_the_page_speaks_japanese(run: Run):
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/3_Batch.py")
    app.session_state["batch.run"], app.query_params["ui"] = run, "ja"
    assert t("batch.found", language="ja", number=240, total=240) in shown(app.run())


@pytest.mark.parametrize(
    ("candidate", "reference", "wanted"),
    [
        (("umbrella", "red"), ("umbrella", "blue"), "umbrella: red → blue"),
        (("umbrella", "red"), (), "umbrella: red"),
        ((), ("woman", "hold", "bag"), "woman – hold – bag"),
        (("woman", "hold", "bag"), ("woman", "near", "bag"), "woman – hold – bag → woman – near – bag"),
        (("[PHI]", "撮る", "人"), (), "(implicit subject) – 撮る – 人"),
    ],
)
def test_what_answers_a_question_is_told_in_one_line(candidate, reference, wanted):
    assert in_words(Concern(candidate, reference)) == wanted
