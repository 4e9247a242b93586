"""Test the interface in Japanese: the pages show no English sentence in a wide range of states."""

import html
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.jobs.runs import stored_rows
from pages.parts.state.engine import ScoredCaptions
from pages.parts.state.examples import examples_by_id
from pages.parts.uploads.datasets import SAMPLE_BY_LANGUAGE
from spice_core import lang
from spice_core.data.work_file import ScoredWork
from tests.app.conftest import APP, enter_and_score, open_drawer, open_page

pytestmark = pytest.mark.usefixtures("use_few_ratings", "run_tasks_in_process")
FIELDS_WITHOUT_TEXT = {
    "id",
    "element_id",
    "form_id",
    "key",
    "user_key",
    "color",
    "type",
    "url",
    "language",
    "page",
    "query_string",
    "icon",
}
ASSETS = APP.parent / "assets"
ENGLISH_SENTENCE = re.compile(r"[A-Za-z][A-Za-z'’-]*(?: [A-Za-z][A-Za-z'’-]*){2,}")
# Names of fonts, licences and publications, and texts that a visitor types, such as fields of files and options of commands.
PROPER_NAMES = (
    r"Noto Sans JP|Yu Gothic UI|JSON Lines|CC BY(-SA)? [\d.]+|Universal Sentence Encoder|spice-core \w+(?: --?[\w-]+)*(?: FILE[.\w]*)?|image_id, test, \w+( and \w+)?|image_id, caption|"
    r"「[^」]*」では|candidate, references,? \w+|Visual Genome|Shift_JIS|Sentence Encoder|\w+ et al|--[\w-]+|pip install \S+"
)


def open_japanese_page(name: str = "", **params: str) -> AppTest:
    return open_page(f"pages/{name}.py" if name else "app.py", **{"ui": "ja", **params})


@cache
def data_words() -> str:
    """Return, in lower case, the words of all captions, lessons and rule files that pages show as data."""
    texts = [path.read_text(encoding="utf-8") for path in (*ASSETS.rglob("*.txt"), *ASSETS.rglob("*.jsonl"), *ASSETS.rglob("*.json"))]
    texts += [path.read_text(encoding="utf-8") for path in ASSETS.glob("gold/*.toml")]
    # These modules contain captions of the lessons, which are data rather than interface texts.
    texts += [path.read_text(encoding="utf-8") for path in (APP.parent / "pages" / "parts" / "learn").glob("*.py")]
    # "What if" shows this caption without one of its words.
    words = next(iter(examples_by_id().values()))["candidate"].split()
    texts += [" ".join(words[:i] + words[i + 1 :]) for i in range(len(words))]
    rows = [row for sample in SAMPLE_BY_LANGUAGE.values() for system in sample.systems for row in stored_rows(sample, system).values()]
    texts += [part for row in rows for words, _ in (*row.candidate_tuples, *row.reference_tuples) for part in words]
    packs = [lang.language(code) for code in lang.LANGUAGES]
    rules = [tomllib.loads(path.read_text(encoding="utf-8"))["rule"] for pack in packs for path in pack.rules.values()]
    pairs = [rule[kind]["caption"] for rule_set in rules for rule in rule_set for kind in ("example", "near_miss")]
    inferred = [tomllib.loads(pack.inference_rules.read_text(encoding="utf-8"))["rule"] for pack in packs if pack.inference_rules]
    texts += [
        text
        for rule_set in inferred
        for rule in rule_set
        for text in (rule["name"], rule["reason"], *rule.get("example", ()), *rule.get("near_miss", ()))
    ]
    steps = [entry for pack in packs for entry in pack.steps()]
    pairs += [text for e in steps for text in (e.example.caption, e.near_miss.caption)]
    return " ".join(
        re.findall(r"[a-z'’-]+", " ".join([*texts, *pairs, *(pack.first_caption for pack in packs)]).lower().replace("\\u2019", "’"))
    )


def texts(app: AppTest) -> Iterator[str]:
    """Yield every text for visitors: from HTML (with titles and labels, without code), widgets and charts."""
    assert not app.exception
    for element in app.main, app.sidebar:
        for part in element:
            yield from _texts(part.proto)


def _texts(proto: object) -> Iterator[str]:
    for field, value in getattr(proto, "ListFields", lambda: [])():
        if field.name in FIELDS_WITHOUT_TEXT:
            continue
        for item in value if hasattr(value, "append") or hasattr(value, "extend") else [value]:
            if isinstance(item, str):
                yield from _without_markup(item, field.name)
            else:
                yield from _texts(item)


def _without_markup(text: str, field: str) -> Iterator[str]:
    if field in ("spec", "figure", "json", "columns"):
        yield from _iterate_strings(json.loads(text))
        return
    if field in ("code_text", "js_content", "css_content") or "[[rule]]" in text:
        return
    text = re.sub(r"<(style|script|code|pre|svg)\b.*?</\1>", " ", text, flags=re.S)
    text = re.sub(r'<(\w+)[^>]* class="sc-tuple\b[^>]*>.*?</\1>', " ", text, flags=re.S)
    yield from map(html.unescape, re.findall(r'(?:title|aria-label|alt|data-label|placeholder)="([^"]*)"', text))
    yield from (html.unescape(piece) for piece in re.split(r"<[^>]*>", text))


def _iterate_strings(content: object) -> Iterator[str]:
    if isinstance(content, str):
        # The script of the library that draws graphs contains English texts.
        if "visjs.github.io" not in content:
            yield from _without_markup(content, "")
    elif isinstance(content, dict):
        # The page shows the label of an option instead of its value.
        names = ("value",) if "label" in content else ()
        for key, value in content.items():
            if key not in ("family", "hovertemplate", "bdata", *names):
                yield from _iterate_strings(value)
    elif isinstance(content, list):
        for value in content:
            yield from _iterate_strings(value)


def english_texts(app: AppTest, *typed_words: str) -> list[str]:
    """Return runs of at least three Latin words, except captions, code, names, WordNet glosses and ``typed_words``."""
    known_words = f"{data_words()} {' '.join(re.findall(r'[a-z’-]+', ' '.join(typed_words).lower()))} {_glosses(app)}"
    runs_of_words = [run for text in texts(app) for run in ENGLISH_SENTENCE.findall(re.sub(PROPER_NAMES, "、", text))]
    return [run for run in runs_of_words if " ".join(re.findall(r"[a-z'’-]+", run.lower())) not in known_words]


def _glosses(app: AppTest) -> str:
    """Return the WordNet glosses and the edited captions on the page."""
    if "InspectState" not in app.session_state or not app.session_state["InspectState"].scored:
        return ""
    scored: ScoredCaptions = app.session_state["InspectState"].scored
    details = [scored.explanation.details(row.id) for row in scored.explanation.rows]
    edited_captions = [row.edit for row in scored.cache.get("ledger", ())]
    return " ".join(re.findall(r"[a-z'’-]+", repr((details, [row.reasons for row in scored.explanation.rows], edited_captions)).lower()))


State = tuple[str, AppTest]


def inspect_states() -> Iterator[State]:
    for params in ({}, {"example": "ja-umbrella"}, {"example": "nothing"}, {"example": "nowhere"}, {"t": "broken"}, {"refs": "9.x"}):
        yield str(params), open_japanese_page(**params)
    first_id = open_japanese_page(example="pizza").session_state["InspectState"].scored.explanation.rows[0].id
    yield "a tuple in focus", open_japanese_page(example="pizza", focus=first_id)
    yield "no captions", enter_and_score(open_japanese_page(), "", "")
    app = open_japanese_page().toggle(key="inspect.gallery").set_value(True).run()
    yield "examples", app
    for drawer in ("beside", "parses", "whatif", "downloads"):
        yield drawer, open_drawer(app, drawer)


def batch_states() -> Iterator[State]:
    app = open_japanese_page("3_Batch")
    yield "the sample", app
    app.segmented_control(key="batch.source").set_value("files").run()
    app.session_state["batch.samples"] = True
    yield "sample files", app.run()
    for name, content in UPLOADED_FILES:
        yield f"{name} {content!r:.40}", app.file_uploader(key="batch.file").set_value([(name, content, "text/plain")]).run()


def causes_states() -> Iterator[State]:
    """Yield the page after scoring and after each action on causes: found, accepted, assigned to all captions, compared with a
    second file."""
    app = open_japanese_page("3_Batch")
    app.segmented_control(key="batch.source").set_value("files").run()
    app = app.file_uploader(key="batch.file").set_value([("a.jsonl", json_lines(*UMBRELLA_ROWS), "text/plain")]).run()
    app = app.button(key="batch.start").click().run()
    run = app.session_state["batch.run"]
    run.wait(240)
    yield "scored", app.run()
    app = app.button(key="batch.find_causes").click().run()
    run.search.wait(240)
    app.session_state["batch.reasons"], app.session_state["batch.annotators"] = True, True
    app = app.run().button(key="batch.reasons_table.accept").click().run()
    app.multiselect(key="batch.custom_tags").set_value(["霧", "霧" * 50, "parser"]).run()
    app.selectbox(key="batch.cause_of_all").set_value("霧").run()
    app.button(key="batch.tag_all").click().run()
    decisions = app.session_state["BatchState"].decisions[run.digest]
    second_work = "".join(ScoredWork(tuple(run.rows), "b", {}, {}, decisions.captions, decisions.tuples).lines()).encode()
    yield "found", app.file_uploader(key="batch.second").set_value([("b.jsonl", second_work, "text/plain")]).run()


def systems_states() -> Iterator[State]:
    def result(image: int, matched_count: int) -> dict:
        return {"image_id": image, "scores": {"All": {"tp": matched_count, "fp": 4 - matched_count, "fn": 4 - matched_count}}}

    app = open_japanese_page("4_Systems")
    yield "the sample", app
    app.segmented_control(key="systems.source").set_value("files").run()
    for result_files in (
        [[result(1, 2)]], [[result(1, 2)], [result(1, 3)]], [[result(1, 2)], [result(2, 3)]], [[result(1, 2), result(1, 2)], [result(2, 3)]],
        [UMBRELLA_ROWS, [{**row, "test": "A dog on a sofa."} for row in UMBRELLA_ROWS]],
    ):  # fmt: skip
        uploads = [(f"{name}.jsonl", json_lines(*rows), "text/plain") for name, rows in zip("ab", result_files)]
        yield f"{result_files}", app.file_uploader(key="systems.files").set_value(uploads).run()
    app.button(key="systems.start").click().run()
    app.session_state["systems.run"].wait(240)
    yield "scored", app.run()


def learn_states() -> Iterator[State]:
    for params in ({}, {"section": "exercises"}, {"section": "set"}, {"section": "set", "set": "broken"}):
        yield str(params), open_japanese_page("6_Learn", **params)


def agreement_states() -> Iterator[State]:
    app = open_japanese_page("5_Agreement")
    yield "the sample", app
    app.segmented_control(key="agreement.source").set_value("upload").run()
    for name, content in (("a.jsonl", json_lines(UMBRELLA_ROWS[2])), ("a.csv", b"candidate,ref1,rating\na dog,a cat,good\n")):
        app.file_uploader(key="agreement.file").set_value([(name, content, "text/plain")]).run()
        yield f"{name} chosen", app
        if not app.button(key="agreement.measure").disabled:
            app.button(key="agreement.measure").click().run()
            app.session_state["agreement.study"].wait(240)
            yield name, app.run()


def json_lines(*rows: dict) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


UMBRELLA_ROWS = [
    {"image_id": 1, "test": "A woman holds a red umbrella near a zebra.", "refs": ["A woman holds a blue umbrella.", "A lady in the rain."]},
    {"image_id": 2, "test": "A red umbrella.", "refs": ["A blue umbrella.", "An umbrella.", "A large umbrella."]},
    {"image_id": "c", "test": "A dog.", "refs": ["A dog.", "A cat.", "A cat."]},
]  # fmt: skip
FAULTY_ROWS = [
    UMBRELLA_ROWS[0],
    {"image_id": 2, "test": "A cat.", "refs": []},
    {**UMBRELLA_ROWS[0], "test": "A cat."},
    {"image_id": 3, "refs": ["<b>A cat."]},
]
# Rows with problems, a table with unknown columns in another encoding, and results without references.
UPLOADED_FILES = [
    ("a.jsonl", json_lines(*FAULTY_ROWS)),
    ("a.csv", "画像,キャプション\n1,犬がいる\n".encode("cp932")),
    ("a.jsonl", b'{"image_id": 1, "caption": "A dog."}\n'),
]
VISITOR_TEXTS = f"{FAULTY_ROWS} {UMBRELLA_ROWS}. A dog on a sofa. A man rides a wave. id text"


def check_states(states: Iterator[State]) -> None:
    """Check that each state of a page contains Japanese text and no English sentence."""
    for state, app in states:
        assert any(re.search("[ぁ-ん]", text) for text in texts(app)), f"the page speaks Japanese: {state}"
        assert english_texts(app, VISITOR_TEXTS) == [], state


@pytest.mark.parametrize(
    "visit", [inspect_states, batch_states, causes_states, systems_states, learn_states, agreement_states], ids=lambda visit: visit.__name__
)
def test_japanese_pages_show_no_english_sentence(visit):
    """test_rules.py tests the Rules page, whose captions are already parsed there."""
    check_states(visit())


def test_an_english_sentence_is_detected():
    assert english_texts(open_japanese_page(ui="en"))
