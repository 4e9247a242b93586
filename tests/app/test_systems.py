"""Test the Systems page without a browser: it reads, scores (if needed) and compares files, and lists mismatches."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.jobs.runs import ROW_FIELDS, ScoringRun
from pages.parts.kit.html import escape_markdown
from pages.parts.kit.texts import t
from pages.parts.state import settings
from pages.parts.systems import downloads, inputs, pairs
from pages.parts.systems.state import SystemsState
from pages.parts.uploads import datasets, reading
from pages.parts.uploads.datasets import ENGLISH_SAMPLE, JAPANESE_SAMPLE, SAMPLE_BY_LANGUAGE
from pages.parts.views import component, metric_table, saved_work
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import ScoredWork, works_as_file
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.differences import RowPair, SystemSide
from spice_core.metrics.registry import METRICS
from spice_core.report.systems_page import systems_page_html
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL, Score
from tests.app.conftest import page_html, page_messages, visit
from tests.app.test_batch import question_counts, run_batch, upload

DEFAULT_CONFIG = settings.default_config("en")
pytestmark = pytest.mark.usefixtures("run_tasks_in_process")


@pytest.mark.parametrize(
    ("sample", "step"),
    [
        (ENGLISH_SAMPLE, 5),
        (JAPANESE_SAMPLE, 5),
        *(pytest.param(sample, 1, marks=pytest.mark.release) for sample in SAMPLE_BY_LANGUAGE.values()),
    ],
)
def test_the_samples_are_stored_as_a_run_scores_them(sample, step, monkeypatch):
    """Score every ``step``-th image again. ``tools/samples.py`` updates the stored scores."""
    monkeypatch.setattr(datasets, "interface_language", lambda: sample.lang)
    config = settings.default_config(sample.lang)
    systems = (inputs.items_to_score(inputs.sample_entries()), inputs.scored_sample(inputs.sample_entries()))
    single_system = (datasets.read_bundled_sample(), ScoringRun.from_sample())
    for (data, stored_run), images in ((systems, len(sample.systems)), (single_system, 1)):
        places = [place for place in range(len(data.items)) if place // images % step == 0]
        run = ScoringRun([data.items[place] for place in places], config, data.name).start()
        run.wait(240)
        assert stored_run.items == data.items and stored_run.settings == config
        assert [row.as_json(ROW_FIELDS) for row in run.rows] == [stored_run.rows[place].as_json(ROW_FIELDS) for place in places]


@pytest.fixture
def app() -> AppTest:
    return visit("4_Systems")


def result(image: object, matched_count: int, caption: str = "") -> dict:
    same_tuples = [{"tuple": [caption], "truth_value": bool(matched_count)}]
    captions = {"test": caption, "refs": ["A dog."], "test_tuples": same_tuples, "ref_tuples": same_tuples} if caption else {}
    return {"image_id": image, "scores": {"All": {"tp": matched_count, "fp": 4 - matched_count, "fn": 4 - matched_count}}} | captions


def result_file(name: str, *rows: dict) -> tuple[str, bytes, str]:
    return name, upload(*rows).content, "application/jsonl"


def open_with_uploads(*files: tuple[str, bytes, str]) -> AppTest:
    app = visit("4_Systems", {"systems.source": "files"})
    return app.file_uploader(key="systems.files").set_value(list(files)).run()


def open_with_results(files: Mapping[str, Sequence[dict]], **params: str) -> AppTest:
    entries = inputs.read_entries([replace(upload(*rows), name=f"{name}.jsonl") for name, rows in files.items()])
    return visit("4_Systems", {"systems.source": "files", "SystemsState": SystemsState(entries=entries)}, **params)


def caption_file(name: str, captions: Sequence[str]) -> tuple[str, bytes, str]:
    return result_file(name, *({"image_id": n, "test": text, "refs": ["A brown dog sits.", "A dog."]} for n, text in enumerate(captions)))


def scored_run() -> AppTest:
    """Return the page with a run on three systems, two of them compared."""
    files = [
        caption_file(f"{name}.jsonl", [f"A {word} dog.", f"A {word} cat."]) for name, word in (("x", "brown"), ("y", "red"), ("z", "big"))
    ]
    app = run_batch(open_with_uploads(*files), "systems")
    app.selectbox(key="systems.other").set_value("z").run()
    app.segmented_control(key="systems.side").set_value("base").run()
    return app.selectbox(key="systems.image").set_value(0).run()


def works_of(app: AppTest) -> list[ScoredWork]:
    entries, run = app.session_state["SystemsState"].entries, app.session_state["systems.run"]
    return inputs.saved_works(inputs.scored_rows_by_system(entries, run), entries, run)


VIEW = {"side": "base", "baseline": "x", "other": "z", "row": "0"}


def check_reopened(app: AppTest, run: ScoringRun) -> None:
    assert not app.exception and app.session_state["systems.run"].rows == run.rows
    choices = [app.selectbox(key=f"systems.{name}").value for name in ("baseline", "other", "image")]
    assert choices == ["x", "z", 0] and app.segmented_control(key="systems.side").value == "base"
    assert app.button(key="systems.start").label == t("systems.run", number=6, systems=3), "the run can be repeated"


def test_the_file_of_a_run_opens_the_same_comparison():
    app = scored_run()
    works = works_of(app)
    assert [work.name for work in works] == ["x", "y", "z"] and works[0].settings == DEFAULT_CONFIG.as_dict()
    content = works_as_file([replace(works[0], view=VIEW), *works[1:]])
    reopened = open_with_uploads(("run.jsonl.gz", content, "application/gzip"))
    check_reopened(reopened, app.session_state["systems.run"])
    assert [replace(work, view={}) for work in works_of(reopened)] == works
    bare = open_with_uploads(("run.jsonl.gz", works_as_file([work.without_captions() for work in works]), "application/gzip"))
    assert not bare.exception
    assert t("systems.no_rows") in page_html(bare)
    assert '<table class="sc-table sc-numbers sc-standings' in page_html(bare)


def test_a_run_survives_a_reload(monkeypatch: pytest.MonkeyPatch):
    stored: dict = {}
    keep = lambda data, on_mark, **_: (
        stored.update({"shown": data["shown"], "rows": data["rows"] or stored.get("rows")}),
        on_mark(data["mark"]),
    )
    monkeypatch.setattr(component, "exchange_work", keep)
    app = scored_run()
    assert {name: stored["shown"]["view"][name] for name in VIEW} == VIEW
    contents = iter([json.loads(json.dumps(stored))])
    monkeypatch.setattr(component, "exchange_work", lambda *_, **__: None)
    monkeypatch.setattr(saved_work.StoredRun, "request_stored_work", lambda tab: inputs.restore_run(next(contents, None)))
    check_reopened(visit("4_Systems"), app.session_state["systems.run"])
    for content in (3, {"rows": 3}, {"rows": "0" * 64 + ":AAAA"}, {"rows": stored["rows"], "shown": {"view": 3}}):
        contents = iter([content])
        app = visit("4_Systems")
        assert not app.exception and app.segmented_control(key="systems.source").value == "sample"


def test_the_page_opens_on_the_sample_scored_and_compared(app: AppTest):
    shown_html, opened_run = page_html(app), app.session_state["systems.run"]
    assert t("systems.used", number=214) in shown_html and "sc-standings" in shown_html and not opened_run.is_working
    systems = inputs.scored_rows_by_system(inputs.sample_entries(), opened_run)
    assert [*systems] == [t("systems.named", name=name) for name in "ABCD"] and {len(rows) for rows in systems.values()} == {214}
    half_run = replace(opened_run, rows=opened_run.rows[:16])
    assert [len(rows) for rows in inputs.scored_rows_by_system(inputs.sample_entries(), half_run).values()] == [4, 4, 4, 4], (
        "a stopped run has all systems alike"
    )
    app.selectbox(key="systems.baseline").set_value(t("systems.named", name="B")).run()
    assert page_html(app) != shown_html and app.selectbox(key="systems.other").options == [t("systems.named", name=name) for name in "ACD"]
    app.segmented_control(key="systems.source").set_value("files").run()
    app.file_uploader(key="systems.files").set_value([result_file("a.jsonl", *BASELINE_ROWS), result_file("b.jsonl", *OTHER_ROWS)]).run()
    places = app.selectbox(key="systems.baseline").value, app.selectbox(key="systems.other").value
    assert places == ("b", "a"), "the second place stays chosen"


def test_result_files_are_compared_and_ids_without_partner_listed_once():
    app = open_with_uploads(
        result_file("a.jsonl", result(1, 3), result(2, 2), result("<b>", 1)), result_file("b.jsonl", result(2, 1), result(1, 3))
    )
    few_note = t("systems.too_few", number=6, list=t("categories.All"))
    assert page_messages(app) == [t("systems.left_out", name="a", number=1), few_note]
    assert all(part in page_html(app) for part in ("<b>a</b> &lt;b&gt;", "0 / 1 / 1", t("systems.used", number=2), t("systems.no_rows")))

    full_rows = [result(i, 1) for i in range(20)]
    app = open_with_results({"a": full_rows, "b": full_rows, "c": full_rows[:10]})
    assert page_messages(app) == [t("systems.left_out", name=name, number=10) for name in "ab"]
    assert t("systems.left_list", number=10) in [block.label for block in app.expander]


def without_labels(html: str) -> str:
    """Remove the cell labels that a phone shows."""
    return re.sub(r' data-label="[^"]*"', "", html)


def test_other_metrics_have_a_column_for_each_system_and_need_captions(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(metric_table, "MAX_IMAGES", 2)
    app.session_state["systems.others"] = True
    app.run().button(key="systems.measure").click().run()
    app.session_state["systems.measured"].wait(240)
    app.run()
    (table_text,) = [text for text in page_html(app).split("<table") if ">CIDEr-D<" in text and ">BLEU-3<" in text]
    assert all(f">{name}<" in table_text for name in (*METRICS, t("systems.named", name="A"), t("systems.named", name="D")))
    app = open_with_results({"a": [result(1, 0)], "b": [result(1, 1)]})
    app.session_state["systems.others"] = True
    assert t("others.no_text") in page_html(app.run()) and "systems.measure" not in {b.key for b in app.button}


def test_images_with_different_scores_are_listed_with_their_tuples():
    same_row = result(2, 4, "cat")
    app = open_with_uploads(result_file("a.jsonl", result(1, 4, "dog"), same_row), result_file("b.jsonl", result(1, 0, "pig"), same_row))
    assert app.selectbox(key="systems.image").value == 1 and "−0.500" in page_html(app)
    assert ">dog</li>" in page_html(app) and ">pig</li>" in page_html(app)
    app.segmented_control(key="systems.side").set_value("other").run()
    assert t("systems.none") in page_html(app)


def make_row(image: object, candidate: str, *tuples: tuple[str, ...], references: tuple[tuple[str, ...], ...]) -> dict:
    """Return a result row with these tuples, in which a tuple matches if it is on both sides."""

    def counts(belongs: Callable[[tuple[str, ...]], bool]) -> dict[str, int]:
        candidate_count, reference_count = [sum(map(belongs, side)) for side in (tuples, references)]
        matched_count = sum(map(belongs, set(tuples) & set(references)))
        return {"tp": matched_count, "fp": candidate_count - matched_count, "fn": reference_count - matched_count}

    kinds = {name: counts(lambda t, n=n: len(t) == n) for name, n in KIND_CATEGORIES.items()}
    counts_by_category = {"All": counts(lambda t: True), **kinds, "Color": counts(lambda t: t[-1] in ("red", "blue"))}
    side_tuples = [
        [{"tuple": t, "truth_value": t in other_tuples} for t in side]
        for side, other_tuples in ((tuples, references), (references, tuples))
    ]
    return {
        "image_id": image,
        "scores": counts_by_category,
        "test": candidate,
        "refs": ["A dog."],
        "test_tuples": side_tuples[0],
        "ref_tuples": side_tuples[1],
    }


DOG, RED, BLUE, SIT = ("dog",), ("dog", "red"), ("dog", "blue"), ("dog", "sit", "sofa")
BASELINE_ROWS = [make_row(i, "A red dog.", DOG, RED, references=(DOG, RED)) for i in range(3)] + [
    make_row(3, "A dog.", DOG, references=(DOG, SIT))
]
OTHER_ROWS = [
    make_row(0, "A blue dog.", DOG, BLUE, references=(DOG, RED)),
    make_row(1, "A dog.", DOG, references=(DOG, RED)),
    make_row(2, "A red dog.", DOG, RED, references=(DOG, RED)),
    make_row(3, "A dog sits on a sofa.", DOG, SIT, references=(DOG, SIT)),
]


def open_dog_results(**params: str) -> AppTest:
    return open_with_results({"a": BASELINE_ROWS, "b": OTHER_ROWS}, **params)


def chip_labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button if (button.key or "").startswith("systems.chip.")]


def offered_files(app: AppTest) -> list[str]:
    return [option.partition(" ")[0] for option in app.selectbox(key="systems.image").options]


def test_questions_have_counts_and_filter_images_and_are_removed_by_their_chips():
    app = open_dog_results()
    assert question_counts(app) == {
        t("categories.Relation"): [0, 1, 0, 0, 0, 1],
        t("categories.Attribute"): [2, 0, 0, 1, 2, 0],
        t("categories.Color"): [2, 0, 0, 1, 2, 0],
        t("categories.Object"): [0, 0, 0, 0, 0, 0],
        t("systems.together"): [0, 0, 0, 0, 0, 0],
    }
    assert offered_files(app) == ["0", "1", "3", "2"] and chip_labels(app) == []
    app.session_state["systems.selected"] = ["Color.base-found"]
    app.run()
    assert t("systems.found_of", number=2, total=4) in page_html(app) and offered_files(app) == ["0", "1"]
    assert app.query_params["q"] in ("Color.base-found", ["Color.base-found"])
    app.session_state["systems.selected"] = ["Color.base-found", "Color.other-value"]
    app.run()
    assert offered_files(app) == ["0"] and len(chip_labels(app)) == 2
    assert "dog: red" in page_html(app) and "dog: blue → red" in page_html(app)
    app.button(key="systems.chip.Color.other-value").click().run()
    assert offered_files(app) == ["0", "1"]
    app.button(key="systems.clear").click().run()
    assert offered_files(app) == ["0", "1", "3", "2"] and "q" not in app.query_params
    rows = {
        name: [{key: row[key] for key in ("image_id", "scores")} for row in rows]
        for name, rows in (("a", BASELINE_ROWS), ("b", OTHER_ROWS))
    }
    assert question_counts(open_with_results(rows))[t("categories.Color")] == [0, 0, 0, 0, 2, 0], (
        "without tuples the counts alone are asked"
    )


def test_names_of_files_and_categories_become_neither_markdown_nor_html():
    link, category = "[click](mailto:x) *x*", '<a href="http://203.0.113.9/">click</a>'
    rows = {name: [result(image, count, f"a dog {name}") for image in range(4)] for name, count in ((link, 1), ("B", 2))}
    for row in (row for system_rows in rows.values() for row in system_rows):
        row["scores"] |= {category: row["scores"]["All"]}
    app = open_with_results(rows, q=f"{category}.other-wins", side="base")
    shown_by_type: dict[str, list[str]] = {}
    for element in app:
        shown_by_type.setdefault(element.type, []).append(str(getattr(element, "proto", "")))
    # Streamlit reads the labels of all other elements as Markdown.
    texts_by_type = {name: [text for text in texts if "[click](" in text] for name, texts in shown_by_type.items()}
    assert {name for name, texts in texts_by_type.items() if texts} <= {"html", "selectbox", "bidi_component", "plotly_chart"}
    assert any("click" in text for text in shown_by_type["button_group"]) and any("click" in text for text in shown_by_type["plotly_chart"])
    assert "<a href" not in page_html(app) and escape(category) in page_html(app)
    charts = [json.loads(element.proto.spec) for element in app.get("plotly_chart")]
    assert charts and "203.0.113.9" in json.dumps(charts) and "<a" not in json.dumps(charts)


def test_images_decided_by_several_categories_can_be_selected(app: AppTest):
    row = question_counts(app)[t("systems.together")]
    app.session_state["systems.selected"] = ["*.base-wins", "*.other-value"]
    app.run()
    assert t("systems.found_of", number=row[4], total=214) in page_html(app) and row[:4] == [0] * 4 and " + " in page_html(app)
    question = t("systems.wins_by", name=t("systems.named", name="A"))
    assert chip_labels(app) == [f"{escape_markdown(t('systems.together') + ': ' + question)} ✕"]


def test_the_detail_names_the_deciding_category():
    app = open_dog_results(q="Color.base-wins")
    detail_html = page_html(app).partition('class="sc-concerns"')[2].partition("</ul>")[0]
    wins = t("systems.wins_in", name="a", categories=t("categories.Color"))
    assert wins in detail_html and "dog: red" in detail_html and t("systems.wrong", name="b", tuples="dog: blue") in detail_html
    # One item names the category of colours, and the other the category of attributes.
    assert detail_html.count("<li>") == 2


def test_a_link_opens_the_same_view_and_filters_combine():
    app = open_dog_results(base="2", other="1", gap="0.30", side="other", box="0.000-0.700,0.900-1.000")
    assert (app.selectbox(key="systems.baseline").value, app.selectbox(key="systems.other").value) == ("b", "a")
    # System b is the baseline, so `side="other"` selects system a.
    assert offered_files(app) == ["0", "1"] and len(chip_labels(app)) == 3
    assert f"{t('systems.chip_side', name='a')} ✕" in chip_labels(app)
    reopened = open_dog_results(**app.query_params)
    assert offered_files(reopened) == offered_files(app)
    assert chip_labels(reopened) == chip_labels(app)
    assert dict(reopened.query_params) == dict(app.query_params)
    reopened.button(key="systems.chip.box").click().run()
    assert "box" not in reopened.query_params and len(chip_labels(reopened)) == 2
    reopened.selectbox(key="systems.baseline").set_value("a").run()
    assert "base" not in reopened.query_params and offered_files(reopened) == ["3"]


def test_invalid_parts_of_the_address_are_ignored():
    for params in (
        {"base": "0", "other": "-1"},
        {"base": "99999999999999999999", "other": "２"},
        {"base": "1", "other": "1"},
        {"gap": "nan", "side": "<b>", "box": "0.500-0.100,0.000-1.000"},
        {"gap": "0.33", "box": "٠.٠٠٠-1.000,0.000-1.000"},
        {"q": "Color.base-found-x,Color.,.,Taste.base-found," * 50},
    ):
        app = open_dog_results(**params)
        assert offered_files(app) == ["0", "1", "3", "2"] and chip_labels(app) == [] and set(app.query_params) <= {"ui", "lang"}


def test_the_sample_shows_corrected_p_values_graphs_and_wins_that_add_up(app: AppTest):
    standings = without_labels(page_html(app)).partition("sc-standings")[2].partition("</table>")[0]
    assert f">{t('systems.p_holm')}<" in standings and t("systems.table_note", resamples=1000, seed=0, tests=3) in page_html(app)
    for differences in app.session_state["SystemsState"].latest["comparison"][1].differences.values():
        assert f"<td>{differences['All'].p:.3f}</td><td>{differences['All'].p_holm:.3f}</td>" in standings
        assert f"Holm {differences['Color'].p_holm:.3f}" in page_html(app)
    shown_html = page_html(app)
    assert shown_html.count('<figure class="sc-graph" role="group" aria-label="') == 2
    assert [button.proto.label for button in app.get("link_button")].count(t("batch.inspect")) == 2
    answers = app.session_state["SystemsState"].latest["answers"][1]
    for side in SystemSide:
        wins = answers.count_wins(side)
        lists = [answers.images.get(f"{category}.{side}-wins", []) for category in answers.categories]
        assert wins[1] + wins[2] == len({image for images in lists for image in images}) and sum(map(len, lists)) >= wins[1] + 2 * wins[2]
        numbers = {"all": sum(wins.values()), "none": wins[0], "one": wins[1], "several": wins[2]}
        assert escape(t("systems.win_sum", name=answers.names[side], **numbers)) in shown_html


def test_the_report_contains_what_the_page_shows(app: AppTest):
    answers, result = (app.session_state["SystemsState"].latest[name][1] for name in ("answers", "comparison"))
    rows = inputs.scored_rows_by_system(inputs.sample_entries(), app.session_state["systems.run"])
    pair = pairs.pair_rows(*(rows[name] for name in answers.names.values()))
    content = downloads.report_content(result, pair, answers, "en")
    largest_pair, page = max(pair, key=lambda pair_: -pair_.gap), systems_page_html(content, DisplayStyle(lang="ja"))
    assert page.count('<p class="image">') == 20 and page.count("<tr") > 7 * 4
    assert f'<p class="image">{largest_pair.id} ' in page and "<script" not in page and "http" not in page and "spice|lang:en" in page
    assert sum(map(len, answers.images.values())) == sum(sum(counts.values()) for counts in content.counts.values())
    assert content.wins == {side: sum(pair_.winner is side for pair_ in pair) for side in SystemSide}


def test_systems_that_cannot_be_compared_are_reported():
    for other_files in ([], [result_file("b.jsonl", {"image_id": 1, "scores": {}})]):
        assert t("systems.one", name="a") in page_messages(open_with_uploads(result_file("a.jsonl", result(1, 1)), *other_files))
    (problem,) = page_messages(open_with_uploads(result_file("a.jsonl", result(1, 1)), result_file("b.jsonl", result(2, 1))), "alert")
    assert "no common image" in problem


def test_unusable_result_files_are_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reading, "MAX_IMAGES", 3)
    for rows, expected_message in (
        ([{"image_id": 1, "scores": {"All": {"tp": -1, "fp": 0, "fn": 0}}}], "tp, fp and tp + fn of at least 0"),
        ([result(n, 1) for n in range(4)], "at most 3 here"),
    ):
        (entry,) = inputs.read_entries([upload(*rows)])
        assert (entry.rows, entry.caption_data.problem_count) == ((), 1) and expected_message in entry.caption_data.problems[0][4]


def test_equal_names_get_suffixes_and_names_keep_their_dots():
    entries = inputs.read_entries([replace(upload(result(1, 1)), name=f"model-0.{n}.jsonl") for n in (5, 5, 5, 7)])
    assert len({entry.name for entry in entries}) == 4 and [entry.name for entry in entries[::3]] == ["model-0.5", "model-0.7"]


def test_blind_pairs_are_hidden_until_voted(app: AppTest):
    app.toggle(key="systems.blind").set_value(True).run()
    assert t("systems.blind_place", number=1, total=214) in page_html(app) and "F1 0" not in page_html(app)
    app.button(key="systems.left_better").click().run()
    assert app.button(key="systems.left_better").disabled and " is System " in page_html(app)
    app.button(key="systems.next").click().run()
    assert t("systems.blind_place", number=2, total=214) in page_html(app) and not app.button(key="systems.left_better").disabled


def test_the_tally_shows_how_often_the_score_agrees():
    row_pairs = [
        RowPair(*(ScoredItem(i, "", (), {OVERALL: Score(n, 10, 10)}) for n in (5, other_count))) for i, other_count in enumerate((6, 4, 5))
    ]
    assert pairs.count_votes(row_pairs, {0: 1, 1: 1, 2: 0}) == {"n_base": 1, "n_other": 2, "n_equal": 0, "agreed": 1, "judged": 2}
