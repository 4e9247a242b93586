"""A third language, which a package adds by entry point, works with the metrics, commands and pages. A message names each part that it lacks."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from pages.parts.kit.worker import Worker
from spice_core import Spice
from spice_core.cli.main import main
from spice_core.lang import language
from spice_core.lang.pack import Examples, TextTools
from spice_core.metrics.measure import metric_signatures, segment_scores
from spice_core.metrics.registry import DEFAULT_METRICS, METRICS, available_metrics, describe_unavailable_metrics
from spice_core.plugins import added_paths
from spice_core.scene.propositions import Parse
from spice_core.scene.synonyms import Sense
from tests.app.conftest import APP, enter_and_score, open_drawer, page_html, signature
from tests.contracts.esperanto import PACK

ROOT = Path(__file__).parents[2]
CANDIDATE = "Viro rajdas brunan ĉevalon sur la strato."
REFERENCES = ["Viro rajdas ĉevalon.", "Nigra hundo kaj blanka kato."]
ESPERANTO_ITEMS = [(CANDIDATE, REFERENCES), ("Blanka kato dormas en domo.", ["Blanka kato dormas en domo."])]
MISSING_VECTORS_MESSAGES = [f"no {metric} for Esperanto: the language pack defines no vectors" for metric in ("soft", "soft+", "support")]
MISSING_METRICS = [
    "no entailed for Esperanto: the language pack defines no inference rules",
    *MISSING_VECTORS_MESSAGES,
    "no METEOR for Esperanto: the language pack defines no synonyms",
]
SECTIONS = ("trace", "why", "edit", "query", "parsers", "gold", "book")


class PairSynonyms:
    """A synonym resource in which hundo and kato share a synset."""

    signature = "pairs"

    def ids(self, phrase: str) -> frozenset[int]:
        return frozenset({1} if phrase in ("hundo", "kato") else ())

    def synset(self, id: int) -> Sense:
        return Sense(id, "besto.1", ("hundo", "kato"), "besto")


class LetterVectors:
    """Vectors of letter frequencies."""

    signature = "letters"

    def phrase_vector(self, words: tuple[str, ...]) -> np.ndarray:
        counts = np.bincount([ord(c) % 64 for word in words for c in word], minlength=64).astype(float)
        return counts / (np.linalg.norm(counts) or 1)

    def caption_words(self, parse: Parse) -> tuple[str, ...]:
        return tuple(parse.caption.lower().split())


keep_parse = lambda parse: parse
SYNONYMS = {"pairs": f"{__name__}:PairSynonyms", **PACK.synonyms}
ADDED_PARTS = {
    "vectors": f"{__name__}:LetterVectors",
    "factual_style": f"{__name__}:keep_parse",
    "similarities": ("words", "hypernyms"),
    "inference_rules": language("en").inference_rules,
}
FULL_PACK = replace(PACK, synonyms=SYNONYMS, text=TextTools(synonyms="pairs"), metric_name="SPICEo", **ADDED_PARTS)
BARE_PACK = replace(PACK, examples=Examples())
PACK_NAME, FULL_NAME, BARE_NAME = "tests.contracts.esperanto:PACK", f"{__name__}:FULL_PACK", f"{__name__}:BARE_PACK"


@pytest.fixture
def register_pack(monkeypatch, tmp_path_factory) -> Iterator[Callable[[str], None]]:
    """Yield a function that installs a package with the language. Tasks bypass the worker process, which cannot see it."""
    package_folder = tmp_path_factory.mktemp("site") / "spice_eo-1.dist-info"
    package_folder.mkdir()
    monkeypatch.syspath_prepend(package_folder.parent)

    def set_pack(name: str) -> None:
        (package_folder / "entry_points.txt").write_text(f"[spice_core.languages]\neo = {name}\n", encoding="utf-8")
        added_paths.cache_clear()
        for cache in (st.cache_data, st.cache_resource):
            # Discard the app's caches for another pack with this code.
            cache.clear()

    monkeypatch.setattr(Worker, "call", lambda self, function, *args, is_abandoned: function(*args))
    yield set_pack
    monkeypatch.undo()
    added_paths.cache_clear()


@pytest.fixture
def register_esperanto(register_pack) -> None:
    register_pack(PACK_NAME)


@pytest.fixture
def write_input_files(tmp_path, monkeypatch, register_esperanto) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"image_id": i, "test": test, "refs": refs} for i, (test, refs) in enumerate(ESPERANTO_ITEMS)]
    Path("rows.json").write_text(json.dumps(rows), encoding="utf-8")
    Path("captions.txt").write_text(f"{CANDIDATE}\n", encoding="utf-8")
    rated_rows = [{"candidate": test, "references": refs, "ratings": [i + 1]} for i, (test, refs) in enumerate(ESPERANTO_ITEMS)]
    Path("ratings.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rated_rows), encoding="utf-8")
    choice = {"a": CANDIDATE, "b": REFERENCES[1], "references": REFERENCES, "choice": "a"}
    Path("preferences.jsonl").write_text(json.dumps(choice), encoding="utf-8")
    Path("factual.jsonl").write_text(json.dumps({"caption": CANDIDATE, "scene_graph": "( viro , rajdas , ĉevalo )"}), encoding="utf-8")


@pytest.mark.usefixtures("register_esperanto")
def test_every_metric_scores_or_reports_missing_parts(register_pack):
    assert describe_unavailable_metrics(PACK) == MISSING_METRICS
    scores_by_metric = segment_scores(ESPERANTO_ITEMS, spice=Spice("eo"))
    assert (
        list(scores_by_metric)
        == available_metrics(PACK)
        == [name for name in METRICS if name not in ("entailed", "soft", "soft+", "support", "METEOR")]
    )
    assert all(
        first_value < second_value == pytest.approx(METRICS[name].max_score)
        for name, (first_value, second_value) in scores_by_metric.items()
    )
    assert all("|lang:eo|" in line for line in metric_signatures(scores_by_metric, Spice("eo")))
    register_pack(FULL_NAME)
    scores_by_metric = segment_scores([*ESPERANTO_ITEMS, ("Hundo.", ["Kato."])], spice=Spice("eo"))
    assert list(scores_by_metric) == list(METRICS)
    assert all(values[1] == pytest.approx(METRICS[name].max_score) for name, values in scores_by_metric.items())
    assert scores_by_metric["SPICE"][2] == 1 and scores_by_metric["METEOR"][2] > 0 and 0 < scores_by_metric["soft+"][0] < 1


def run(capsys, command: str, *arguments: str) -> tuple[int, str, str]:
    lang = () if command == "compare" else ("--lang", "eo")
    return main([command, *arguments, *lang]), *capsys.readouterr()


@pytest.mark.usefixtures("write_input_files")
def test_commands_run_or_name_missing_parts(capsys, register_pack):
    for name, options in (("a", ["--workers", "2"]), ("b", ["--no-synsets", "--cache", "parses"])):
        assert run(capsys, "score", "rows.json", "--subset", "--detailed", "--out", f"{name}.jsonl", *options)[0] == 0
    rows = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["scores"]["All"]["f"] for row in rows] == [Spice("eo").compute(*item).f1 for item in ESPERANTO_ITEMS]
    assert rows[0]["scores"]["Color"]["fp"] == 1 and {"tuple": ["viro", "sur", "strato"], "truth_value": False} in rows[0]["test_tuples"]
    code, output, _ = run(capsys, "compare", "a.jsonl", "b.jsonl")
    assert code == 0 and "F1 on 2 images" in output
    code, output, error = run(capsys, "metrics", "rows.json")
    assert code == 0 and [line.split()[0] for line in output.split("\n2 images")[0].splitlines()] == available_metrics(PACK)
    assert error.splitlines() == [f"spice-core: {line}" for line in MISSING_METRICS]
    assert run(capsys, "metrics", "rows.json", "--metrics", "METEOR") == (2, "", f"spice-core: {MISSING_METRICS[4]}\n")
    code, output, error = run(capsys, "agree", "ratings.jsonl", "--resamples", "20", "--format", "json")
    assert (code, error) == (0, "") and list(json.loads(output)["coefficients"]) == available_metrics(PACK, DEFAULT_METRICS) == ["SPICE"]
    code, output, error = run(capsys, "agree", "preferences.jsonl", "--metrics", "all", "--resamples", "20")
    assert code == 0 and "1 preferences" in output and error.splitlines() == [f"spice-core: {line}" for line in MISSING_METRICS]
    code, output, _ = run(capsys, "why", CANDIDATE, "viro", "ĉevalon")
    assert code == 0 and "object" in output
    code, output, _ = run(capsys, "parse", "captions.txt")
    assert code == 0 and ["ĉevalo", "bruna"] in json.loads(output)["tuples"]
    # The gold graphs equal the output of the rules.
    code, output, _ = run(capsys, "gold", str(PACK.examples.gold))
    assert code == 0 and re.search(r"^all +1\.000", output, re.M) and "2 captions, 0 differ" in output
    for part, known_names in (("parser", PACK.parsers), ("rules", PACK.rules), ("synonyms", PACK.synonyms)):
        code, _, error = run(capsys, "score", "rows.json", f"--{part}", "caption")
        assert code == 2 and "for Esperanto 'caption'" in error and next(iter(known_names)) in error
    commands = [["factual", "factual.jsonl"], ["parse", "captions.txt", "--format", "factual"]]
    line = "no scene graph in FACTUAL's conventions for Esperanto: the language pack defines no conversion to these conventions"
    assert [run(capsys, *command)[::2] for command in commands] == [(2, f"spice-core: {line}\n")] * 2
    register_pack(FULL_NAME)
    assert [run(capsys, *command)[::2] for command in commands] == [(0, "")] * 2


def open_page_with(name: str, state: Mapping[str, str], **params: str) -> AppTest:
    """Open a page with these parameters and this session state."""
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page(f"pages/{name}.py")
    for values, stored_values in ((app.session_state, state), (app.query_params, params)):
        for key, value in stored_values.items():
            values[key] = value
    return app.run()


def upload_files(app: AppTest, key: str, *names: str) -> AppTest:
    contents = [(name, Path(name).read_bytes(), "text/plain") for name in names]
    return app.file_uploader(key=key).set_value(contents).run()


def choose_esperanto(app: AppTest, key: str) -> AppTest:
    (choice,) = [control for control in app.segmented_control if control.key.startswith(f"{key}.lang")]
    assert "Esperanto" in choice.options
    return choice.set_value("eo").run()


def measure(app: AppTest, button: str, task: str) -> AppTest:
    app = app.button(key=button).click().run()
    app.session_state[task].wait(60)
    return app.run()


@pytest.mark.parametrize("pack", [PACK_NAME, FULL_NAME])
def test_inspect_works_in_a_toy_language(register_pack, pack):
    register_pack(pack)
    app = choose_esperanto(AppTest.from_file(str(APP), default_timeout=240).run(), "inspect")
    app = enter_and_score(app, CANDIDATE, *REFERENCES)
    assert f"{language('eo').metric_name} (F1)" in page_html(app)
    assert f"{Spice('eo').compute(CANDIDATE, REFERENCES).f1:.3f}" in page_html(app)
    for drawer in ("shares", "whatif", "parses", "downloads"):
        app.session_state[f"inspect.{drawer}"] = True
    shown_html = page_html(open_drawer(app, "beside"))
    assert all(f"<dt>{name}</dt>" in shown_html for name in available_metrics(language("eo")) if name not in ("SPICE", "CIDEr-D"))
    assert all((line in shown_html) == (pack == PACK_NAME) for line in MISSING_METRICS)


@pytest.mark.parametrize("pack", [PACK_NAME, BARE_NAME])
def test_rules_works_in_a_toy_language(register_pack, pack):
    register_pack(pack)
    for section in SECTIONS if pack == PACK_NAME else ("edit", "gold"):
        app = open_page_with("2_Rules", {}, section=section, lang="eo")
        assert app.text_input(key="rules.caption.eo").value == language("eo").first_caption
        assert t(f"sections.{section}_help") in page_html(app) and 'role="alert"' not in page_html(app)
        lacks_gold = t("gold.lacking", name="Esperanto") in page_html(app)
        assert lacks_gold == (section in ("edit", "gold") and pack == BARE_NAME)


@pytest.mark.usefixtures("write_input_files")
def test_batch_systems_and_agreement_work_in_a_toy_language(capsys):
    app = upload_files(open_page_with("3_Batch", {"batch.source": "files"}), "batch.file", "rows.json")
    app = measure(choose_esperanto(app, "batch"), "batch.start", "batch.run")
    assert signature(app) == str(Spice("eo").signature)
    app.session_state["batch.others"] = True
    shown_html = page_html(measure(app.run(), "batch.measure", "batch.measured"))
    assert ">chrF<" in shown_html and all(line in shown_html for line in MISSING_METRICS)
    for name in "ab":
        run(capsys, "score", "rows.json", "--detailed", "--out", f"{name}.jsonl")
    app = upload_files(open_page_with("4_Systems", {"systems.source": "files"}), "systems.files", "a.jsonl", "b.jsonl")
    assert t("systems.used", number=2) in page_html(app)
    app = choose_esperanto(upload_files(app, "systems.files", "rows.json", "a.jsonl"), "systems")
    app = measure(app, "systems.start", "systems.run")
    assert t("systems.used", number=2) in page_html(app) and t("systems.signatures", list="").split("{")[0][:10] not in page_html(app)
    app = open_page_with("5_Agreement", {"agreement.source": "upload", "agreement.lang": "eo"})
    metrics = app.multiselect(key="agreement.metrics.eo")
    assert metrics.options == available_metrics(PACK) and metrics.value == ["SPICE"]
    for name in ("ratings.jsonl", "preferences.jsonl"):
        app = measure(upload_files(app, "agreement.file", name), "agreement.measure", "agreement.study")
        assert ">SPICE<" in page_html(app) and signature(app) == str(Spice("eo").signature)


@pytest.mark.usefixtures("register_esperanto")
def test_the_recipe_in_the_documentation_is_this_language():
    text = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8").replace("spice_eo", "tests.contracts.esperanto")
    recipe = text[text.index("## Add a language") : text.index("## Add a metric")]
    folder = Path(PACK.examples.gold).parent
    for name in ("__init__.py", "parser.py"):
        code = (folder / name).read_text(encoding="utf-8")
        assert code[code.index('"""\n') + 4 :].strip() in recipe, name
    first_rule = (folder / "rules" / "eo-caption.toml").read_text(encoding="utf-8").split("\n\n")[0]
    assert first_rule in recipe
