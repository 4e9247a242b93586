"""Test uploaded trees on the Batch page, which scores captions on the trees of a CoNLL-U file instead of parsing them."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.batch import downloads
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit.texts import t
from pages.parts.state import settings
from pages.parts.uploads import custom_trees
from spice_core import Spice
from spice_core.cli.main import main
from spice_core.data.reader import Upload
from spice_core.data.work_file import ScoredWork, UnmatchedTuple, works_as_file
from spice_core.lang import tree_file
from spice_core.scene.matching import MatchState
from tests.app.conftest import button_keys, page_html, page_messages, signature
from tests.app.test_batch import open_with_file, run_batch, upload
from tests.conftest import DATA

# The worker process receives only the uploaded trees and needs a real parser for other captions.
ENGLISH_ROWS = [
    {"image_id": 1, "test": "A man riding a wave on a surfboard.", "refs": ["A surfer rides a small wave.", "A man on a blue surfboard."]},
    {
        "image_id": 2,
        "test": "Two brown dogs  sleep on a red couch.",
        "refs": ["Two dogs are sleeping on a sofa.", "Brown dogs on a couch."],
    },
    {"image_id": "c", "test": "A kitchen with a wooden table.", "refs": ["A table made of wood stands in the kitchen."]},
]
TREE_FILE_NAME = "mine.conllu"


@pytest.fixture(scope="module")
def surf_trees() -> str:
    """Return stored trees of `ENGLISH_ROWS` by a parser other than the page's. The first row has the lowest score."""
    return (DATA / "own_trees.conllu").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def trees_with_odd_lemma(surf_trees: str) -> str:
    """Return ``surf_trees`` with a lemma of no parser."""
    return surf_trees.replace("wave\twave\t_\tNN", "wave\twavelet\t_\tNN")


def upload_trees(app: AppTest, text: str | bytes, name: str = TREE_FILE_NAME) -> AppTest:
    content = text.encode() if isinstance(text, str) else text
    return app.file_uploader(key="batch.trees").set_value([(name, content, "text/plain")]).run()


def open_with_trees(rows: list[dict], text: str | bytes) -> AppTest:
    return upload_trees(open_with_file("mine.jsonl", upload(*rows).content), text)


def run_of(app: AppTest) -> ScoringRun:
    return app.session_state["batch.run"]


def score_with_trees(rows: list[dict], text: str, folder: Path, *options: str) -> list[dict]:
    """Score the rows on the command line with these trees."""
    (folder / "in.json").write_text(json.dumps(rows))
    (folder / "trees.conllu").write_text(text)
    files = (str(folder / "in.json"), "--parser", f"conllu:{folder}/trees.conllu", "--out", str(folder / "out.json"))
    assert main(["score", *files, "--subset", *options]) == 0
    return [row["scores"] for row in json.loads((folder / "out.json").read_text())]


def scores_of_run(run: ScoringRun) -> list[dict]:
    return [json.loads(line)["scores"] for line in downloads.rows_as_jsonl(run).splitlines()]


def test_scores_and_signature_equal_those_of_the_command(surf_trees: str, tmp_path: Path):
    app = open_with_trees(ENGLISH_ROWS, surf_trees)
    assert t("trees.found", file=TREE_FILE_NAME, number=8) in page_html(app) and not page_messages(app, "alert")
    for rules in ("spice-2016", "caption"):
        run = run_of(app := run_batch(app.selectbox(key="batch.en.rules").set_value(rules).run()))
        expected_scores = score_with_trees(
            ENGLISH_ROWS, surf_trees, tmp_path, "--rules", rules, *(["--synonyms", run.settings.synonyms] if run.settings.synonyms else [])
        )
        assert scores_of_run(run) == expected_scores
        assert "|parser:conllu-" in signature(app) and f"|rules:{rules}" in signature(app)
        assert signature(app) == str(Spice(replace(run.settings, parser=f"conllu:{tmp_path}/trees.conllu")).signature)
    links = [button.proto.url for button in app.get("link_button")]
    assert links and not any("conllu" in link or "upload" in link for link in links)
    assert t("trees.links") in page_html(app)


def test_a_second_tree_file_starts_a_run_whose_causes_and_other_metrics_use_its_trees(surf_trees: str, trees_with_odd_lemma: str):
    """The first file's results are marked as outdated until the button is pressed. The second run does not use its parses."""
    first_run = run_of(app := run_batch(open_with_trees(ENGLISH_ROWS, surf_trees)))
    assert "wavelet" not in page_html(app)
    app = upload_trees(app, trees_with_odd_lemma, "other.conllu")
    assert t("batch.stale", name="mine") in page_messages(app) and run_of(app) is first_run and "wavelet" not in page_html(app)
    second_run = run_of(app := run_batch(app))
    assert t("batch.stale", name="mine") not in page_messages(app) and "wavelet" in page_html(app) and not page_messages(app, "alert")
    assert {row.signature for row in first_run.rows}.isdisjoint(row.signature for row in second_run.rows)
    app.session_state["batch.reasons"] = app.session_state["batch.others"] = app.session_state["batch.answers"] = True
    assert t("answers.with_trees") in page_html(app.run())
    app.button(key="batch.find_causes").click().run()
    second_run.search.wait(240)
    words = {word for causes_by_tuple in second_run.search.causes.values() for of in causes_by_tuple for word in of.words}
    assert not second_run.search.failure and len(second_run.search.causes) == 3 and "wavelet" in words and "wave" not in words
    app = app.run().button(key="batch.measure").click().run()
    app.session_state["batch.measured"].wait(240)
    assert not app.session_state["batch.measured"].failure and "conllu-" in page_html(app.run())
    assert b"wavelet" in downloads.rows_as_jsonl(second_run)
    assert "conllu-" in downloads.dataset_page_html(downloads.report_summary(second_run, Decisions()))
    app = run_batch(upload_trees(app, surf_trees))
    assert scores_of_run(run_of(app)) == scores_of_run(first_run) and "wavelet" not in page_html(app)


def test_captions_without_a_tree_are_listed_and_the_other_rows_scored(surf_trees: str):
    reduced_trees = "# caption = ".join(
        part for part in surf_trees.split("# caption = ") if not part.startswith(("A table made", "Brown dogs"))
    )
    app = open_with_trees(ENGLISH_ROWS, reduced_trees)
    assert page_messages(app, "alert") == [t("trees.missing", file=TREE_FILE_NAME, number=2, rows=2)]
    assert all(part in page_html(app) for part in ("A table made of wood", "image 2", "image c", "field refs"))
    assert app.button(key="batch.start").label == t("batch.run_good", number=1)
    run = run_of(run_batch(app))
    assert [row.image_id for row in run.rows] == [1] and not run.failure
    app = open_with_trees([{"image_id": 1, "test": "<b>A cat.", "refs": ["A dog."]}], surf_trees)
    assert page_messages(app, "alert") == [t("trees.missing_all", file=TREE_FILE_NAME, number=2)]
    assert "batch.start" not in button_keys(app) and "<b>A cat" not in page_html(app)
    app = app.file_uploader(key="batch.trees").set_value([]).run()
    assert not page_messages(app, "alert") and app.button(key="batch.start")
    assert "|parser:caption" in signature(run_batch(app))


UNREADABLE_TREES = [
    ("# caption = a\n1\ta\n", ["line 2", "2 columns", "ten columns"]),
    ("# caption = a\n\n2\ta\ta\t_\tDT\t_\t0\troot\t_\t_\n", ["line 3", "ID", "2"]),
    ("# caption = a\n1\ta\ta\t_\tDT\t_\t7\tdet\t_\t_\n", ["line 2", "head 7", "0 to 1"]),
    ("", [TREE_FILE_NAME, "no tree", "trees in CoNLL-U"]),
    (b"\x1f\x8b broken", [TREE_FILE_NAME, "a compressed file that is cut off", "the complete file"]),
]


def test_an_unreadable_tree_file_is_reported(surf_trees: str):
    app = open_with_trees(ENGLISH_ROWS, surf_trees + surf_trees)
    assert not page_messages(app, "alert"), "the same tree twice"
    expected_message = "two trees for the caption: A man riding"
    for text, cells in [*UNREADABLE_TREES, (surf_trees + surf_trees.replace("\tNN\t", "\tJJ\t"), [expected_message])]:
        app = upload_trees(app, text)
        assert page_messages(app, "alert") == [t("trees.unreadable", file=TREE_FILE_NAME)] and "batch.start" not in button_keys(app)
        assert [cell for cell in cells if cell not in page_html(app)] == []


def test_a_tree_file_that_is_too_large_is_reported(surf_trees: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tree_file, "_MAX_UPLOAD_LINES", 20)
    assert custom_trees.read_trees(Upload(TREE_FILE_NAME, surf_trees.encode())).problem.found == "more than 20 lines"
    monkeypatch.setattr(tree_file, "_MAX_UPLOAD_LINES", 2_000)
    monkeypatch.setattr(tree_file, "_MAX_UPLOAD_CAPTIONS", 6)
    assert "at most 6 here" in custom_trees.read_trees(Upload(TREE_FILE_NAME, surf_trees.encode())).problem.expected
    monkeypatch.setattr("spice_core.data.reader.MAX_UNPACKED_UPLOAD_BYTES", 100)
    assert "unpacked" in custom_trees.read_trees(Upload(f"{TREE_FILE_NAME}.gz", gzip.compress(surf_trees.encode()))).problem.found


def test_equal_trees_are_stored_once_and_removed_with_their_visitor(surf_trees: str):
    content = f"# of this test alone\n{surf_trees}".encode()
    stored_trees = custom_trees.read_trees(Upload(TREE_FILE_NAME, content))
    archive_content = custom_trees.read_trees(Upload("x.gz", gzip.compress(content)))
    key = stored_trees.parser.rpartition(":")[2]
    assert tree_file._SHARED_TREES.get(key) is stored_trees.content is archive_content.content
    assert stored_trees.parser == archive_content.parser
    del stored_trees, archive_content
    assert key not in tree_file._SHARED_TREES


def test_a_work_file_is_scored_again_with_its_trees(surf_trees: str, trees_with_odd_lemma: str):
    """Without the trees, the page shows the saved rows. With them, the graphs fit the scores again."""
    run = run_of(app := run_batch(open_with_trees(ENGLISH_ROWS, trees_with_odd_lemma)))
    stored_causes = {1: {UnmatchedTuple(MatchState.EXTRA, ("wavelet",)): "left out"}}
    work_before = ScoredWork(tuple(run.rows), "mine", run.settings.as_dict(), {}, {1: (("parser",), "odd")})
    file = works_as_file([replace(work_before, suggested_causes=stored_causes, suggested_by=signature(app))])
    app = open_with_file("mine.jsonl.gz", file)
    assert t("batch.work_trees") in page_messages(app) and run_of(app).settings == settings.default_config("en")
    assert run_of(app).rows == run.rows and not run_of(app).trees
    app = upload_trees(app, surf_trees)
    assert t("batch.work_trees") in page_messages(app), "other trees"
    reopened = run_of(app := upload_trees(app, trees_with_odd_lemma))
    assert t("batch.work_trees") not in page_messages(app) and t("batch.stale", name="mine") not in page_messages(app)
    assert reopened.settings == run.settings and reopened.rows == run.rows
    assert app.session_state["BatchState"].decisions[reopened.digest].captions == {1: (("parser",), "odd")}
    assert reopened.suggested_causes == stored_causes
    app = app.file_uploader(key="batch.file").set_value([("again.jsonl.gz", file, "application/gzip")]).run()
    assert run_of(app) is not reopened and run_of(app).trees is reopened.trees and t("batch.work_trees") not in page_messages(app)
    assert "wavelet" in page_html(app)
