"""The interface in Japanese: no page says an English sentence, whatever its state."""

from __future__ import annotations

import html
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.session.datasets import SYSTEMS
from pages.parts.session.engine import Scored
from pages.parts.session.examples import examples
from pages.parts.session.runs import stored
from spice_core import lang
from tests.app.conftest import APP, opened, rows
from tests.app.test_batch import FAULTY, GOOD
from tests.app.test_causes import ROWS, second
from tests.app.test_systems import file, result

pytestmark = pytest.mark.parser
ASSETS = APP.parent / "assets"
SENTENCE = re.compile(r"[A-Za-z][A-Za-z'’-]*(?: [A-Za-z][A-Za-z'’-]*){2,}")
# Names, and what a visitor types: fields of files, options of commands, licences, titles of publications.
NAMES = (
    r"Noto Sans JP|Yu Gothic UI|JSON Lines|CC BY(-SA)? [\d.]+|Universal Sentence Encoder|spice-core \w+(?: --?[\w-]+)*(?: FILE[.\w]*)?|image_id, test, \w+( and \w+)?|image_id, caption|"
    r"candidate, references,? \w+|Visual Genome|Shift_JIS|Sentence Encoder|\w+ et al|--[\w-]+|pip install \S+"
)


def page(path: str = "", **asked: str) -> AppTest:
    """A page as a link opens it in Japanese."""
    app = AppTest.from_file(str(APP), default_timeout=240)
    if path:
        app = app.switch_page(f"pages/{path}.py")
    for name, value in {"ui": "ja", **asked}.items():
        app.query_params[name] = value
    return app.run()


def first_candidate() -> str:
    """The candidate of the first example."""
    return next(iter(examples().values()))["candidate"]


@cache
def data() -> str:
    """Captions, lessons and trees of the assets and rule files: what a page shows as data."""
    texts = [path.read_text(encoding="utf-8") for path in (*ASSETS.rglob("*.txt"), *ASSETS.rglob("*.jsonl"), *ASSETS.rglob("*.json"))]
    texts += [path.read_text(encoding="utf-8") for path in ASSETS.glob("gold/*.toml")]
    texts += [path.read_text(encoding="utf-8") for path in (APP.parent / "pages" / "parts" / "learn").glob("*.py")]  # captions of lessons
    texts += [" ".join(words[:i] + words[i + 1 :]) for words in [first_candidate().split()] for i in range(len(words))]  # What if
    rows = [row for system in SYSTEMS for row in stored(system).values()]
    texts += [part for row in rows for words, _ in (*row.candidate_tuples, *row.reference_tuples) for part in words]
    packs = [lang.language(code) for code in lang.LANGUAGES]
    rules = [tomllib.loads(path.read_text(encoding="utf-8"))["rule"] for pack in packs for path in pack.rules.values()]
    examples = [rule[kind]["caption"] for found in rules for rule in found for kind in ("example", "near_miss")]
    return " ".join(
        re.findall(r"[a-z'’-]+", " ".join([*texts, *examples, *(pack.first_caption for pack in packs)]).lower().replace("\\u2019", "’"))
    )


def texts(app: AppTest) -> Iterator[str]:
    """Every text that a visitor can read or hear: of HTML without code, with titles and labels; of widgets; of charts."""
    assert not app.exception
    for element in app.main, app.sidebar:
        for each in element:
            yield from _texts(each.proto)


def _texts(proto: object) -> Iterator[str]:
    for field, value in getattr(proto, "ListFields", lambda: [])():
        if field.name in (
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
        ):
            continue
        for one in value if hasattr(value, "append") or hasattr(value, "extend") else [value]:
            if isinstance(one, str):
                yield from _plain(one, field.name)
            else:
                yield from _texts(one)


def _plain(text: str, field: str) -> Iterator[str]:
    if field in ("spec", "figure", "json"):
        yield from _strings(json.loads(text))
        return
    if field in ("code_text", "js_content", "css_content") or "[[rule]]" in text:
        return
    text = re.sub(r"<(style|script|code|pre|svg)\b.*?</\1>", " ", text, flags=re.S)
    text = re.sub(r'<(\w+)[^>]* class="sc-tuple\b[^>]*>.*?</\1>', " ", text, flags=re.S)
    yield from map(html.unescape, re.findall(r'(?:title|aria-label|alt|data-label|placeholder)="([^"]*)"', text))
    yield from (html.unescape(piece) for piece in re.split(r"<[^>]*>", text))


def _strings(found: object) -> Iterator[str]:
    if isinstance(found, str):
        if "visjs.github.io" not in found:  # the library that draws graphs
            yield from _plain(found, "")
    elif isinstance(found, dict):
        for key, value in found.items():
            if key not in ("family", "hovertemplate", "bdata"):
                yield from _strings(value)
    elif isinstance(found, list):
        for value in found:
            yield from _strings(value)


def english(app: AppTest, *own: str) -> list[str]:
    """Runs of three Latin words or more that are no caption, code, name or sense of WordNet; ``own`` is what the test put in."""
    known = f"{data()} {' '.join(re.findall(r'[a-z’-]+', ' '.join(own).lower()))} {_senses(app)}"
    found = [run for text in texts(app) for run in SENTENCE.findall(re.sub(NAMES, "、", text))]
    return [run for run in found if " ".join(re.findall(r"[a-z'’-]+", run.lower())) not in known]


def _senses(app: AppTest) -> str:
    """The glosses of WordNet on the page."""
    if "inspect.scored" not in app.session_state:
        return ""
    scored: Scored = app.session_state["inspect.scored"]
    found = [scored.explanation.details(row.id) for row in scored.explanation.rows]
    return " ".join(re.findall(r"[a-z'’-]+", repr((found, [row.reasons for row in scored.explanation.rows])).lower()))


def rules(section: str, lang: str) -> Callable[[], AppTest]:
    return lambda: page("2_Rules", section=section, lang=lang, words="0.2-4")


def switched_off() -> AppTest:
    return page("2_Rules", section="why", off="subject-object,noun", caption="A man rides a wave.", words="0.2-5")


def pattern(text: str) -> Callable[[], AppTest]:
    def made() -> AppTest:
        app = page("2_Rules", section="query", q=text)
        return app

    return made


def edited(text: str) -> Callable[[], AppTest]:
    def made() -> AppTest:
        app = page("2_Rules", section="edit")
        next(area for area in app.text_area if area.key.startswith("rules.text.")).set_value(text)
        return app.button(key="rules.apply").click().run()

    return made


def uploaded(name: str, content: bytes) -> Callable[[], AppTest]:
    def made() -> AppTest:
        app = page("3_Batch")
        app.segmented_control(key="batch.source").set_value("files").run()
        return app.file_uploader(key="batch.file").set_value([(name, content, "text/plain")]).run()

    return made


def scored_batch() -> AppTest:
    app = page("3_Batch").button(key="batch.start").click().run()
    app.session_state["batch.run"].wait(240)
    return app.run()


def causes_found() -> AppTest:
    """Causes of a run found, some decided, many captions tagged, and compared with a second file."""
    content = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    app = uploaded("a.jsonl", content)().button(key="batch.start").click().run()
    app.session_state["batch.run"].wait(240)
    app = app.run().button(key="batch.find_causes").click().run()
    app.session_state["batch.run"].search.wait(240)
    app.session_state["batch.reasons"], app.session_state["batch.annotators"] = True, True
    app = app.run().button(key="batch.reasons_table.accept").click().run()
    app.multiselect(key="batch.own_tags").set_value(["霧", "霧" * 50, "parser"]).run()
    app.selectbox(key="batch.cause_of_all").set_value("霧").run()
    app.button(key="batch.tag_all").click().run()
    run = app.session_state["batch.run"]
    decided = app.session_state["batch.decisions"][run.digest]
    return app.file_uploader(key="batch.second").set_value([("b.jsonl", second(run, decided).content, "text/plain")]).run()


def scored_systems() -> AppTest:
    app = page("4_Systems").button(key="systems.start").click().run()
    app.session_state["systems.run"].wait(240)
    return app.run()


def systems(*files: tuple[str, bytes, str]) -> Callable[[], AppTest]:
    def made() -> AppTest:
        app = page("4_Systems")
        app.segmented_control(key="systems.source").set_value("files").run()
        return app.file_uploader(key="systems.files").set_value(list(files)).run()

    return made


def rated(name: str, content: bytes) -> Callable[[], AppTest]:
    def made() -> AppTest:
        app = page("5_Agreement")
        app.segmented_control(key="agreement.source").set_value("upload").run()
        app.file_uploader(key="agreement.file").set_value([(name, content, "text/plain")]).run()
        app.button(key="agreement.measure").click().run()
        app.session_state["agreement.study"].wait(240)  # until then the page has nothing to say of the file
        return app.run()

    return made


def without_candidate() -> AppTest:
    app = page()
    app.text_area(key="inspect.candidate").set_value("")
    return app.button(key="inspect.score").click().run()


def without_references() -> AppTest:
    app = page()
    for row in rows(app):
        app.text_area(key=f"inspect.reference.{row}").set_value("")
    return app.button(key="inspect.score").click().run()


def focused() -> AppTest:
    app = page(ex="pizza")
    first = app.session_state["inspect.scored"].explanation.rows[0].id
    return page(ex="pizza", focus=first)


def sample_files() -> AppTest:
    app = page("3_Batch")
    app.segmented_control(key="batch.source").set_value("files").run()
    app.session_state["batch.samples"] = True
    return app.run()


LINES = "".join(json.dumps(row) + "\n" for row in FAULTY).encode()
STATES: dict[str, Callable[[], AppTest]] = {
    "inspect": page,
    "inspect, a tuple in focus": focused,
    "inspect, Japanese captions": lambda: page(ex="ja-umbrella"),
    "inspect, nothing matches": lambda: page(ex="nothing"),
    "inspect, no such example": lambda: page(ex="nowhere"),
    "inspect, a broken link": lambda: page(t="broken"),
    "inspect, no such references": lambda: page(refs="9.x"),
    "inspect, no candidate": without_candidate,
    "inspect, no references": without_references,
    "inspect, examples": lambda: page().toggle(key="inspect.gallery").set_value(True).run(),
    **{f"inspect, {name}": lambda name=name: opened(page(), name) for name in ("beside", "parses", "whatif", "downloads")},
    **{
        f"rules, {section}, {code}": rules(section, code)
        for section in ("trace", "why", "edit", "query", "parsers", "gold", "book")
        for code in ("en", "ja")
    },
    "rules, some switched off": switched_off,
    "rules, a pattern that cannot be read": pattern("{tag:NN} >"),
    "rules, a test that is none": pattern("{colour:red}"),
    "rules, a regular expression that is refused": pattern("{word:/(a)*/}"),
    "rules, a rule without fields": edited('[[rule]]\nname = "x"\n'),
    "rules, no TOML": edited("[[rule\n"),
    "rules, two rules": edited("[[rule]]\n[[rule]]\n"),
    "batch": lambda: page("3_Batch"),
    "batch, scored": scored_batch,
    "batch, causes": causes_found,
    "batch, faulty rows": uploaded("a.jsonl", LINES),
    "batch, an empty file": uploaded("a.jsonl", b""),
    "batch, no JSON": uploaded("a.json", b"{nothing"),
    "batch, a broken array": uploaded("a.json", b'[{"image_id": 1}, '),
    "batch, results alone": uploaded("a.jsonl", b'{"image_id": 1, "caption": "A dog."}\n'),
    "batch, other columns": uploaded("a.csv", b"id,text\n1,a dog\n"),
    "batch, another encoding": uploaded("a.csv", "画像,キャプション\n1,犬がいる\n".encode("cp932")),
    "batch, results with other columns": uploaded("a.csv", "画像ID,生成文\n1,犬がいる。\n2,猫がいる。\n".encode()),
    "batch, annotations alone": uploaded("a.json", b'{"annotations": [{"image_id": 1, "caption": "A dog."}]}'),
    "batch, a first line of data": uploaded("a.csv", b"1,a dog,a dog\n"),
    "batch, sample files": sample_files,
    "batch, an archive": uploaded("a.json", b"PK\x03\x04"),
    "systems": lambda: page("4_Systems"),
    "systems, scored": scored_systems,
    "systems, one": systems(file("a.jsonl", result(1, 2))),
    "systems, two": systems(file("a.jsonl", result(1, 2)), file("b.jsonl", result(1, 3))),
    "systems, no common image": systems(file("a.jsonl", result(1, 2)), file("b.jsonl", result(2, 3))),
    "systems, a row twice": systems(file("a.jsonl", result(1, 2), result(1, 2)), file("b.jsonl", result(2, 3))),
    "learn": lambda: page("6_Learn"),
    "learn, exercises": lambda: page("6_Learn", section="exercises"),
    "learn, a set": lambda: page("6_Learn", section="set"),
    "learn, a broken set": lambda: page("6_Learn", section="set", set="broken"),
    "agreement": lambda: page("5_Agreement"),
    "agreement, no ratings": rated("a.jsonl", json.dumps(GOOD[0]).encode()),
    "agreement, a rating that is none": rated("a.csv", b"candidate,ref1,rating\na dog,a cat,good\n"),
}


@pytest.mark.parametrize("state", STATES)
def test_no_english_sentence_in_japanese(state):
    app = STATES[state]()
    assert any(re.search("[ぁ-ん]", text) for text in texts(app)), "the page speaks Japanese"
    own = "a woman holds a red umbrella near a zebra a dog sits on a sofa two cats a man rides a wave a brown dog lies on a couch id text"
    assert english(app, own) == []


def test_an_english_sentence_is_seen():
    app = page("5_Agreement", ui="en")
    assert any("interval" in text for text in texts(app)) and english(app)
