"""Trees of a visitor's own on the Batch page: captions scored on a CoNLL-U file in place of the parser."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.batch import counts, saved, work
from pages.parts.batch.decisions import Decisions
from pages.parts.kit.texts import t
from pages.parts.session import own_trees, settings
from pages.parts.session.runs import Run
from spice_core import Spice
from spice_core.cli.main import main
from spice_core.data.reader import Upload
from spice_core.data.work_file import Unmatched, Work
from spice_core.lang import tree_file
from spice_core.scene.matching import MatchState
from tests.app.conftest import said, shown, signature
from tests.app.test_batch import ran, upload, with_file
from tests.conftest import DATA

pytestmark = pytest.mark.parser
ROWS = [
    {"image_id": 1, "test": "A man riding a wave on a surfboard.", "refs": ["A surfer rides a small wave.", "A man on a blue surfboard."]},
    {
        "image_id": 2,
        "test": "Two brown dogs  sleep on a red couch.",
        "refs": ["Two dogs are sleeping on a sofa.", "Brown dogs on a couch."],
    },
    {"image_id": "c", "test": "A kitchen with a wooden table.", "refs": ["A table made of wood stands in the kitchen."]},
]
JAPANESE = [{"image_id": 1, "test": "赤い傘をさした女性が歩いている。", "refs": ["女性が赤い傘をさしている。", "道を歩く女性"]}]
FILE = "mine.conllu"


def captions(rows: list[dict]) -> list[str]:
    return list(dict.fromkeys(text for row in rows for text in (row["test"], *row["refs"])))


def command(*arguments: str) -> str:
    """What the command writes."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(list(arguments)) == 0
    return out.getvalue()


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory):
    """The trees of rows as the command writes them."""

    def make(rows: list[dict], *options: str) -> str:
        file = tmp_path_factory.mktemp("trees") / "captions.txt"
        file.write_text("\n".join(captions(rows)), encoding="utf-8")
        return command("parse", str(file), "--format", "conllu", *options)

    return make


@pytest.fixture(scope="module")
def surf() -> str:
    """Stored trees of `ROWS` by another parser than the page's, of which the first has the lowest score."""
    return (DATA / "own_trees.conllu").read_text(encoding="utf-8")


def content(rows: list[dict]) -> bytes:
    return upload(*rows).content


def opened(rows: list[dict], text: str | bytes, name: str = FILE) -> AppTest:
    """The page with these rows and trees."""
    return put(with_file("mine.jsonl", content(rows)), text, name)


def put(app: AppTest, text: str | bytes, name: str = FILE) -> AppTest:
    sent = text.encode() if isinstance(text, str) else text
    return app.file_uploader(key="batch.trees").set_value([(name, sent, "text/plain")]).run()


def run_of(app: AppTest) -> Run:
    return app.session_state["batch.run"]


def scores(rows: list[dict], text: str, folder: Path, *options: str) -> list[dict]:
    """Scores of the command with these trees."""
    (folder / "in.json").write_text(json.dumps(rows))
    (folder / "trees.conllu").write_text(text)
    out = str(folder / "out.json")
    command("score", str(folder / "in.json"), "--parser", f"conllu:{folder}/trees.conllu", "--out", out, "--subset", *options)
    return [row["scores"] for row in json.loads((folder / "out.json").read_text())]


def in_rows(run: Run) -> list[dict]:
    return [json.loads(line)["scores"] for line in saved.as_jsonl(run).splitlines()]


@pytest.mark.parametrize("rules", ["caption", "spice-2016"])
def test_scores_and_signature_are_those_of_the_command(surf: str, tmp_path: Path, rules: str):
    app = opened(ROWS, surf)
    assert t("trees.found", file=FILE, number=8) in shown(app) and not said(app, "alert")
    app.selectbox(key="batch.en.rules").set_value(rules).run()
    app = ran(app)
    run = run_of(app)
    expected = scores(ROWS, surf, tmp_path, "--rules", rules, *(["--synonyms", run.settings.synonyms] if run.settings.synonyms else []))
    assert in_rows(run) == expected
    assert "|parser:conllu-" in signature(app) and f"|rules:{rules}" in signature(app)
    assert signature(app) == str(Spice(replace(run.settings, parser=f"conllu:{tmp_path}/trees.conllu")).signature)


def test_the_detail_causes_and_other_metrics_read_the_trees(surf: str):
    """The lemma of one word is of the file alone: no parser knows it."""
    odd = surf.replace("wave\twave\t_\tNN", "wave\twavelet\t_\tNN")
    app = ran(opened(ROWS, odd))
    assert "wavelet" in shown(app) and not said(app, "alert")
    app.session_state["batch.reasons"] = True
    app = app.run()
    app = app.button(key="batch.find_causes").click().run()
    search = run_of(app).search
    search.wait(240)
    words = {word for found in search.found.values() for of in found for word in of.words}
    assert not search.failure and len(search.found) == 3 and "wavelet" in words and "wave" not in words
    app.session_state["batch.others"] = True
    app = app.run().button(key="batch.measure").click().run()
    app.session_state["batch.measured"].wait(240)
    assert not app.session_state["batch.measured"].failure
    assert "conllu-" in shown(app.run())
    assert b"wavelet" in saved.as_jsonl(run_of(app)) and "conllu-" in saved.report(saved.summary(run_of(app), Decisions()))


def test_captions_without_a_tree_are_listed_and_the_other_rows_scored(surf: str):
    parts = surf.split("# caption = ")
    without = "# caption = ".join(part for part in parts if not part.startswith(("A table made", "Brown dogs")))
    app = opened(ROWS, without)
    assert said(app, "alert") == [t("trees.missing", file=FILE, number=2, rows=2)]
    told = shown(app)
    assert "A table made of wood" in told and "image 2" in told and "image c" in told and "field refs" in told
    assert app.button(key="batch.start").label == t("batch.run_good", number=1)
    app = ran(app)
    assert [row.image_id for row in run_of(app).rows] == [1] and not run_of(app).failure


def test_a_file_of_other_captions_offers_nothing_to_score(surf: str):
    app = opened([{"image_id": 1, "test": "<b>A cat.", "refs": ["A dog."]}], surf)
    assert said(app, "alert") == [t("trees.missing_all", file=FILE, number=2)]
    assert app.button(key="batch.start").disabled and "<b>A cat" not in shown(app)
    app = app.file_uploader(key="batch.trees").set_value([]).run()
    assert not said(app, "alert") and not app.button(key="batch.start").disabled
    assert "|parser:caption" in signature(ran(app))


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("# caption = a\n1\ta\n", ["line 2", "2 columns", "ten columns"]),
        ("# caption = a\n\n2\ta\ta\t_\tDT\t_\t0\troot\t_\t_\n", ["line 3", "ID", "2"]),
        ("# caption = a\n1\ta\ta\t_\tDT\t_\t7\tdet\t_\t_\n", ["line 2", "head 7", "0 to 1"]),
        ("# caption = 犬が走る。\n".encode("cp932"), [FILE, "Shift_JIS", "UTF-8"]),
        ("", [FILE, "no tree", "trees in CoNLL-U"]),
        (b"\x1f\x8b broken", [FILE, "a readable file"]),
        ("# caption = a\n" + "1\ta\ta\t_\tDT\t_\t0\troot\t_\t_\n\n" * 1001, ["line 1", "1,001 rows", "at most 1,000"]),
    ],
)
def test_a_file_that_cannot_be_read_is_a_problem(text: str | bytes, cells: list[str]):
    app = opened(ROWS, text)
    assert said(app, "alert") == [t("trees.unreadable", file=FILE)] and app.button(key="batch.start").disabled
    told = shown(app)
    assert [cell for cell in cells if cell not in told] == []


def test_two_trees_of_a_caption_are_a_problem(surf: str):
    app = opened(ROWS, surf + surf.replace("\tNN\t", "\tJJ\t"))
    assert said(app, "alert") == [t("trees.unreadable", file=FILE)] and "two trees of the caption: A man riding" in shown(app)
    assert not said(opened(ROWS, surf + surf), "alert")


def test_a_file_that_is_too_large_is_a_problem(surf: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tree_file, "_LINES", 20)
    assert own_trees.read(Upload(FILE, surf.encode())).problem.found == "more than 20 lines"
    monkeypatch.setattr(tree_file, "_LINES", 2_000)
    monkeypatch.setattr(tree_file, "_CAPTIONS", 6)
    assert "at most 6 here" in own_trees.read(Upload(FILE, surf.encode())).problem.expected
    monkeypatch.setattr("spice_core.data.reader._UNPACKED", 100)
    assert "unpacked" in own_trees.read(Upload(f"{FILE}.gz", gzip.compress(surf.encode()))).problem.found


def test_a_second_file_gives_a_second_run(surf: str):
    """The results of the first are marked as such until the button is pressed; no parse of it is taken for the second."""
    odd = surf.replace("wave\twave\t_\tNN", "wave\twavelet\t_\tNN")
    first = run_of(app := ran(opened(ROWS, surf)))
    app = put(app, odd, "other.conllu")
    assert t("batch.stale", name="mine") in said(app) and run_of(app) is first and "wavelet" not in shown(app)
    second = run_of(app := ran(app))
    assert t("batch.stale", name="mine") not in said(app) and "wavelet" in shown(app)
    assert {row.signature for row in first.rows}.isdisjoint(row.signature for row in second.rows)
    app = put(app, surf)
    app = ran(app)
    assert in_rows(run_of(app)) == in_rows(first) and "wavelet" not in shown(app)


def test_gzipped_trees_are_the_same_trees(surf: str):
    plain, packed = own_trees.read(Upload(FILE, surf.encode())), own_trees.read(Upload("x.gz", gzip.compress(surf.encode())))
    assert plain.parser == packed.parser and plain.content is packed.content


def test_trees_are_forgotten_with_their_visitor(surf: str):
    name = (held := own_trees.read(Upload(FILE, f"# of this test alone\n{surf}".encode()))).parser
    key = name.rpartition(":")[2]
    assert tree_file._SHARED.get(key) is held.content
    del held
    assert key not in tree_file._SHARED


def test_links_name_no_trees(surf: str):
    app = ran(opened(ROWS, surf))
    links = [button.proto.url for button in app.get("link_button")]
    assert links and not any("conllu" in link or "upload" in link for link in links)
    assert t("trees.links") in shown(app)


def test_japanese_captions_are_scored_on_trees(parsed, tmp_path: Path):
    text = parsed(JAPANESE, "--lang", "ja")
    app = opened(JAPANESE, text)
    app = ran(app)
    run = run_of(app)
    assert run.settings.lang == "ja" and "|parser:conllu-" in signature(app)
    expected = scores(JAPANESE, text, tmp_path, "--lang", "ja")
    assert in_rows(run) == expected
    assert counts.lines(run)[0].f1 > 0


def test_a_work_file_is_scored_anew_on_its_trees(surf: str):
    """Without the trees its rows are as they were saved; with them its graphs are again those of its scores."""
    odd = surf.replace("wave\twave\t_\tNN", "wave\twavelet\t_\tNN")
    run = run_of(app := ran(opened(ROWS, odd)))
    found = {1: {Unmatched(MatchState.EXTRA, ("wavelet",)): "left out"}}
    before = Work(tuple(run.rows), "mine", run.settings.as_dict(), {}, {1: ("parser", "odd")})
    file = work.as_file(replace(before, suggested=found, suggested_by=signature(app)))
    app = with_file("mine.jsonl.gz", file)
    assert t("batch.work_trees") in said(app) and run_of(app).settings == settings.usual("en")
    assert run_of(app).rows == run.rows and not run_of(app).trees
    app = put(app, surf)
    assert t("batch.work_trees") in said(app), "other trees"
    app = put(app, odd)
    again = run_of(app)
    assert t("batch.work_trees") not in said(app) and t("batch.stale", name="mine") not in said(app)
    assert again.settings == run.settings and again.rows == run.rows
    assert app.session_state["batch.decisions"][again.digest].captions == {1: ("parser", "odd")} and again.suggested == found
    app = app.file_uploader(key="batch.file").set_value([("again.jsonl.gz", file, "application/gzip")]).run()
    assert run_of(app) is not again and run_of(app).trees is again.trees and t("batch.work_trees") not in said(app)
    assert "wavelet" in shown(app)
