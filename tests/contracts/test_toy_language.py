"""A third language, registered by one line, goes through every metric, command and page, or is told what its pack lacks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from pages.parts.session.worker import Worker
from spice_core import Spice
from spice_core.cli.main import main
from spice_core.data.gold import read_gold
from spice_core.evaluation.gold import compare
from spice_core.lang import LANGUAGES, language
from spice_core.lang.pack import Examples, TextTools
from spice_core.metrics.measure import segment_scores, signatures
from spice_core.metrics.registry import DEFAULT, METRICS, available, unavailable
from spice_core.scene.propositions import Parse
from spice_core.scene.synonyms import Sense
from tests.app.conftest import APP, opened, score, shown, signature
from tests.contracts.esperanto import PACK

ROOT = Path(__file__).parents[2]
CANDIDATE = "Viro rajdas brunan ĉevalon sur la strato."
REFERENCES = ["Viro rajdas ĉevalon.", "Nigra hundo kaj blanka kato."]
ITEMS = [(CANDIDATE, REFERENCES), ("Blanka kato dormas en domo.", ["Blanka kato dormas en domo."])]
LACKING = [
    "no soft for Esperanto: the pack names no vectors",
    "no soft+ for Esperanto: the pack names no vectors",
    "no support for Esperanto: the pack names no vectors",
    "no METEOR for Esperanto: the pack names no synonyms",
]
SECTIONS = ("trace", "why", "edit", "query", "parsers", "gold", "book")


class Pairs:
    """Synonyms: hundo and kato are one kind."""

    signature = "pairs"

    def ids(self, phrase: str) -> frozenset[int]:
        return frozenset({1} if phrase in ("hundo", "kato") else ())

    def synset(self, id: int) -> Sense:
        return Sense(id, "besto.1", ("hundo", "kato"), "besto")


class Letters:
    """Vectors: how often each letter occurs."""

    signature = "letters"

    def phrase(self, words: tuple[str, ...]) -> np.ndarray:
        counts = np.bincount([ord(c) % 64 for word in words for c in word], minlength=64).astype(float)
        return counts / (np.linalg.norm(counts) or 1)

    def content(self, parse: Parse) -> tuple[str, ...]:
        return tuple(parse.caption.lower().split())


FULL = replace(
    PACK,
    synonyms={"pairs": "tests.contracts.test_toy_language:Pairs", **PACK.synonyms},
    text=TextTools(synonyms="pairs"),
    similarities=("words", "hypernyms"),
    vectors="tests.contracts.test_toy_language:Letters",
    factual_style="tests.contracts.test_toy_language:unchanged",
    metric_name="SPICEo",
)
BARE = replace(PACK, examples=Examples())


def unchanged(parse: Parse) -> Parse:
    return parse


@pytest.fixture
def register(monkeypatch) -> Callable[[str], None]:
    """Registers the language; the process beside the pages, which would not know it, is left out."""

    def one_line(name: str) -> None:
        monkeypatch.setitem(LANGUAGES, "eo", name)
        for cache in (st.cache_data, st.cache_resource):
            cache.clear()  # of another pack with this code

    monkeypatch.setattr(Worker, "call", lambda self, function, *args, abandoned: function(*args))
    return one_line


@pytest.fixture
def eo(register) -> None:
    register("tests.contracts.esperanto:PACK")


@pytest.fixture
def files(tmp_path, monkeypatch, eo) -> Path:
    """A folder with the inputs of the commands."""
    monkeypatch.chdir(tmp_path)
    rows = [{"image_id": i, "test": test, "refs": refs} for i, (test, refs) in enumerate(ITEMS)]
    Path("rows.json").write_text(json.dumps(rows), encoding="utf-8")
    Path("captions.txt").write_text(f"{CANDIDATE}\n", encoding="utf-8")
    rated = [{"candidate": test, "references": refs, "ratings": [i + 1]} for i, (test, refs) in enumerate(ITEMS)]
    Path("ratings.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rated), encoding="utf-8")
    choice = {"a": CANDIDATE, "b": REFERENCES[1], "references": REFERENCES, "choice": "a"}
    Path("preferences.jsonl").write_text(json.dumps(choice), encoding="utf-8")
    Path("factual.jsonl").write_text(json.dumps({"caption": CANDIDATE, "scene_graph": "( viro , rajdas , ĉevalo )"}), encoding="utf-8")
    return tmp_path


# metrics


def test_every_metric_scores_or_is_said_to_be_lacking(eo):
    assert unavailable(PACK) == LACKING
    scores = segment_scores(ITEMS, spice=Spice("eo"))
    assert list(scores) == available(PACK) == [name for name in METRICS if name not in ("soft", "soft+", "support", "METEOR")]
    assert all(first < second == pytest.approx(METRICS[name].best) for name, (first, second) in scores.items())
    assert all("|lang:eo|" in line for line in signatures(scores, Spice("eo")))


def test_synonyms_and_vectors_are_all_that_the_others_need(register):
    register("tests.contracts.test_toy_language:FULL")
    scores = segment_scores([*ITEMS, ("Hundo.", ["Kato."])], spice=Spice("eo"))
    assert list(scores) == list(METRICS) and all(values[1] == pytest.approx(METRICS[name].best) for name, values in scores.items())
    assert scores["SPICE"][2] == 1 and scores["METEOR"][2] > 0 and 0 < scores["soft+"][0] < 1


# commands


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments, "--lang", "eo"] if arguments[0] != "compare" else [*arguments])
    return code, *capsys.readouterr()


def test_score_and_compare(files, capsys):
    for name, options in (("a", ["--workers", "2"]), ("b", ["--no-synsets", "--cache", "parses"])):
        assert run(capsys, "score", "rows.json", "--subset", "--detailed", "--out", f"{name}.jsonl", *options)[0] == 0
    rows = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["scores"]["All"]["f"] for row in rows] == [Spice("eo").compute(*item).f1 for item in ITEMS]
    assert rows[0]["scores"]["Color"]["fp"] == 1 and {"tuple": ["viro", "sur", "strato"], "truth_value": False} in rows[0]["test_tuples"]
    code, out, _ = run(capsys, "compare", "a.jsonl", "b.jsonl")
    assert code == 0 and "F1 on 2 images" in out


def test_metrics_names_what_is_lacking(files, capsys):
    code, out, error = run(capsys, "metrics", "rows.json")
    assert code == 0 and [line.split()[0] for line in out.split("\n2 images")[0].splitlines()] == available(PACK)
    assert error.splitlines() == [f"spice-core: {line}" for line in LACKING]
    assert run(capsys, "metrics", "rows.json", "--metrics", "METEOR") == (2, "", f"spice-core: {LACKING[3]}\n")


def test_agree(files, capsys):
    code, out, error = run(capsys, "agree", "ratings.jsonl", "--resamples", "20", "--format", "json")
    assert (code, error) == (0, "") and list(json.loads(out)["coefficients"]) == available(PACK, DEFAULT) == ["SPICE"]
    code, out, error = run(capsys, "agree", "preferences.jsonl", "--metrics", "all", "--resamples", "20")
    assert code == 0 and "1 preferences" in out and error.splitlines() == [f"spice-core: {line}" for line in LACKING]


def test_why_and_parse(files, capsys):
    code, out, _ = run(capsys, "why", CANDIDATE, "viro", "ĉevalon")
    assert code == 0 and "object" in out
    code, out, _ = run(capsys, "parse", "captions.txt")
    assert code == 0 and ["ĉevalo", "bruna"] in json.loads(out)["tuples"]


def test_gold(files, capsys):
    code, out, _ = run(capsys, "gold", str(PACK.examples.gold))
    assert code == 0 and re.search(r"^all +1\.000", out, re.M) and "2 captions, 0 differ" in out


@pytest.mark.parametrize("command", [["factual", "factual.jsonl"], ["parse", "captions.txt", "--factual"]])
def test_factual_says_what_is_lacking(files, register, capsys, command):
    line = "no scene graph in FACTUAL's conventions for Esperanto: the pack names no conversion"
    assert run(capsys, *command)[::2] == (2, f"spice-core: {line}\n")
    register("tests.contracts.test_toy_language:FULL")
    assert run(capsys, *command)[::2] == (0, "")


@pytest.mark.parametrize("part", ["parser", "rules", "synonyms"])
def test_unknown_parts_are_answered_with_the_known_ones(files, capsys, part):
    known = next(iter(getattr(PACK, part if part != "parser" else "parsers")))
    code, _, error = run(capsys, "score", "rows.json", f"--{part}", "caption")
    assert code == 2 and "for Esperanto 'caption'" in error and known in error


def test_the_gold_graphs_are_what_the_rules_make_of_their_captions(eo):
    gold = read_gold(PACK.examples.gold)
    assert compare(gold, list(Spice("eo").parse(graph.caption for graph in gold))).overall.f1 == 1


# pages


def page(name: str, **asked: str) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page(f"pages/{name}.py")
    for key, value in asked.items():
        app.query_params[key] = value
    return app.run()


def uploaded(app: AppTest, key: str, *names: str) -> AppTest:
    contents = [(name, Path(name).read_bytes(), "text/plain") for name in names]
    return app.file_uploader(key=key).set_value(contents).run()


def measured(app: AppTest, button: str, task: str) -> AppTest:
    app = app.button(key=button).click().run()
    app.session_state[task].wait(60)
    return app.run()


@pytest.mark.parametrize("pack", ["tests.contracts.esperanto:PACK", "tests.contracts.test_toy_language:FULL"])
def test_inspect(register, pack):
    register(pack)
    app = AppTest.from_file(str(APP), default_timeout=240).run()
    assert "Esperanto" in app.segmented_control(key="inspect.lang").options
    app = score(app.segmented_control(key="inspect.lang").set_value("eo").run(), CANDIDATE, *REFERENCES)
    assert f"{language('eo').metric_name} (F1)" in shown(app) and f"{Spice('eo').compute(CANDIDATE, REFERENCES).f1:.3f}" in shown(app)
    told = shown(opened(app, "beside"))
    assert all(f"<dt>{name}</dt>" in told for name in available(language("eo")) if name not in ("SPICE", "CIDEr-D"))
    assert all((line in told) == (pack != "tests.contracts.test_toy_language:FULL") for line in LACKING)
    for drawer in ("shares", "whatif", "parses", "downloads"):
        opened(app, drawer)
        assert not app.exception


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("pack", ["tests.contracts.esperanto:PACK", "tests.contracts.test_toy_language:BARE"])
def test_rules(register, pack, section):
    register(pack)
    app = page("2_Rules", section=section, lang="eo")
    caption = language("eo").first_caption
    assert app.text_input(key="rules.caption.eo").value == caption and t(f"sections.{section}_help") in shown(app)
    assert 'role="alert"' not in shown(app)
    lacking = t("gold.lacking", name="Esperanto") in shown(app)
    assert lacking == (section in ("edit", "gold") and pack.endswith(":BARE"))


def test_batch(files):
    app = page("3_Batch")
    app = uploaded(app.segmented_control(key="batch.source").set_value("files").run(), "batch.file", "rows.json")
    (choice,) = [control for control in app.segmented_control if control.key.startswith("batch.lang.")]
    app = measured(choice.set_value("eo").run(), "batch.start", "batch.run")
    assert "Esperanto" in choice.options and signature(app) == str(Spice("eo").signature)
    app.session_state["batch.others"] = True
    told = shown(measured(app.run(), "batch.measure", "batch.measured"))
    assert ">chrF<" in told and all(line in told for line in LACKING)


def test_systems(files, capsys):
    for name in "ab":
        run(capsys, "score", "rows.json", "--detailed", "--out", f"{name}.jsonl")
    app = page("4_Systems").segmented_control(key="systems.source").set_value("files").run()
    assert t("systems.used", number=2) in shown(uploaded(app, "systems.files", "a.jsonl", "b.jsonl"))
    app = page("4_Systems").segmented_control(key="systems.source").set_value("files").run()
    app = uploaded(app, "systems.files", "rows.json", "a.jsonl")
    (choice,) = [control for control in app.segmented_control if control.key.startswith("systems.lang.")]
    app = measured(choice.set_value("eo").run(), "systems.start", "systems.run")
    assert t("systems.used", number=2) in shown(app) and t("systems.signatures", list="").split("{")[0][:10] not in shown(app)


@pytest.mark.parametrize("name", ["ratings.jsonl", "preferences.jsonl"])
def test_agreement(files, name):
    app = page("5_Agreement").segmented_control(key="agreement.source").set_value("upload").run()
    app = app.segmented_control(key="agreement.lang").set_value("eo").run()
    metrics = app.multiselect(key="agreement.metrics.eo")
    assert metrics.options == available(PACK) and metrics.value == ["SPICE"]
    app = measured(uploaded(app, "agreement.file", name), "agreement.measure", "agreement.study")
    assert ">SPICE<" in shown(app) and signature(app) == str(Spice("eo").signature)


# the recipe


def test_the_recipe_of_contributing_is_this_language(eo):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").replace("spice_core.lang.eo", "tests.contracts.esperanto")
    recipe = text[text.index("### Add a language") : text.index("### Add a metric")]
    folder = Path(PACK.examples.gold).parent
    for name in ("__init__.py", "parser.py"):
        code = (folder / name).read_text(encoding="utf-8")
        assert code[code.index('"""\n') + 4 :].strip() in recipe, name
    first = (folder / "rules" / "eo-caption.toml").read_text(encoding="utf-8").split("\n\n")[0]
    assert first in recipe
