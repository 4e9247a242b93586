"""The catalogues: every text that the code asks for exists in every language, and nothing is left over."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest

from pages.parts.kit import rule_texts
from pages.parts.kit.texts import FOLDER, INTERFACE, catalogue, t, written
from pages.parts.session.examples import examples
from spice_core import errors, lang
from spice_core.cli.main import main
from spice_core.draw import style
from spice_core.lang.en import enhancement as en
from spice_core.lang.ja import enhancement as ja

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "app.py", *(path for room in ("pages", "spice_core/draw", "spice_core/report") for path in (ROOT / room).rglob("*.py"))]
CODE = "\n".join(path.read_text(encoding="utf-8") for path in FILES)


def flat(language: str) -> dict[str, str]:
    return {f"{section}.{name}": text for section, texts in catalogue(language).items() for name, text in texts.items()}


def test_all_texts_are_there_and_used():
    asked = set(re.findall(r"""["']([a-z]+\.[A-Za-z0-9_]+)["']""", CODE))
    built = set(re.findall(r"""["']([a-z]+)\.(?:\{|["'])""", CODE))
    known = flat("en").keys()
    assert {
        key for key in asked if key.partition(".")[0] in catalogue("en") and not key.endswith((".json", ".css", ".html", ".js"))
    } <= known
    assert {key for key in known - asked if key.partition(".")[0] not in built} == set()


@pytest.mark.parametrize("language", list(INTERFACE)[1:])
def test_every_language_has_the_same_texts_with_the_same_values(language):
    def values(texts: dict[str, str]) -> dict[str, set]:
        return {key: {field for _, field, *_ in Formatter().parse(text) if field is not None} for key, text in texts.items()}

    assert values(flat(language)) == values(flat("en"))
    assert [key for key, text in flat(language).items() if not text.strip()] == []


@pytest.mark.parametrize("language", INTERFACE)
def test_no_text_is_written_twice(language):
    library = style.catalogue(language)
    assert [key for section, texts in written(language).items() for key in texts if key in library.get(section, {})] == []
    files = [tomllib.loads(file.read_text(encoding="utf-8")) for file in (FOLDER / language).glob("*.toml")]
    assert sum(map(len, files)) == len(written(language)), "a section stands in one file"


# What stood in the interface, and the term of the field that stands there now: by key, or "" where no text of its own has it.
OLD = [
    (r"\bfound · covered\b|tuples (found|covered)\b", "score.found", "{matched} of {total} candidate tuples match"),
    (r"counts as found", "score.covered", "{matched} of {total} reference tuples are matched"),
    (r"bar F1.*found", "categories.counts", "matched / total: candidate · references"),
    (r"\banalysers?\b", "settings.parser", "Parser"),
    (r"reference program", "download.reference", "original SPICE (Java)"),
    (r"What each reference does", "references.title", "Effect of each reference"),
    (r"\bworth\b", "whatif.worth", "Contribution to F1"),
    (r"\bhangs?\b", "graphs.difference_note", "the objects involved"),
    (r"\bof one kind\b", "near.sibling", "share a broader term"),
    (r"\bin force\b", "edit.force", "Active rules"),
    (r"\bthat ship\b|\bas the rules ship\b", "edit.reset", "Reset to the default rules"),
    (r"^Read$", "rules.read", "Parse"),
    (r"\bBound\b", "trace.bindings", "Matched words"),
    (r"\b[Yy]ields?\b", "trace.yields", "Output"),
    (r"\bfollows? people\b|with people$", "page.agreement_tagline", "Agreement with human ratings"),
    (r"fluency-minded", "beside.fluency", "a metric that measures fluency"),
    (r"as you see it", "batch.cause", "Your diagnosis"),
    (r"said → wanted", "batch.most_near", "candidate → reference"),
    (r"\bwanted\b", "effect.of", "in gold"),
    (r"understood subject", "tuples.implicit_subject", "implicit subject"),
    (r"[Nn]earest miss", "batch.most_near", "Other values"),
    (r"\bsoftly\b", "", ""),
    (r"\bless the baseline", "", ""),
    (r"\bought to\b", "", ""),
]
SHORN = r"\bsoftly\b|\bless the baseline|\bthat ships?\b|\bhangs? (on|by)\b|\breference program\b|\bis worth\b|\brules in force\b"


def docstrings() -> Iterator[tuple[str, str]]:
    """Every docstring of the code, by where it stands."""
    for path in [ROOT / "app.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "spice_core").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield f"{path.relative_to(ROOT)}:{getattr(node, 'name', '')}", ast.get_docstring(node) or ""


def said_in_english() -> dict[str, str]:
    """The texts of the pages and exports without what is filled in, and what the examples teach."""
    texts = {**flat("en"), **{name: example["teaches"]["en"] for name, example in examples().items()}}
    return {where: re.sub(r"\{.*?\}", "", text) for where, text in texts.items()}


@pytest.mark.parametrize("old, key, new", OLD)
def test_one_term_has_taken_the_place_of_the_old(old, key, new):
    assert [where for where, text in said_in_english().items() if re.search(old, text)] == []
    assert not key or new in flat("en")[key]


@pytest.mark.parametrize("command", ["score", "compare", "metrics", "agree", "why", "parse", "gold", "factual"])
def test_the_help_of_commands_uses_the_same_terms(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    text = re.sub(r"--analyser|ANALYSER", "", capsys.readouterr().out)
    assert [old for old, *_ in OLD if old != r"\bwanted\b" and re.search(old, text)] == []


def test_docstrings_are_plain_english():
    assert [where for where, text in docstrings() if re.search(SHORN, " ".join(text.split()))] == []


@pytest.mark.parametrize(
    "key, values, said",
    [
        ("batch.totals", {"number": 1}, "1 caption with a cause"),
        ("batch.totals", {"number": 20}, "20 captions with a cause"),
        ("graphs.many", {"tuples": 1, "captions": 4}, "1 tuple from 4 captions"),
        ("batch.problems", {"good": 1, "bad": 1, "plus": ""}, "1 row is good, 1 problem was found. The good rows can be scored."),
        ("effect.changed", {"number": 2, "gained": 1, "lost": 0}, "2 captions change: 1 tuple gained, 0 lost."),
    ],
)
def test_a_noun_agrees_with_its_number(key, values, said):
    assert t(key, **values) == said


def placeholders(text: str) -> set[str]:
    return {field for _, field, *_ in Formatter().parse(text) if field is not None}


def test_errors_have_the_same_templates_in_every_language():
    english, *others = (errors.catalogue(language) for language in INTERFACE)
    for other in others:
        assert other.keys() == english.keys()
        apart = {key: placeholders(text) ^ placeholders(english[key]) for key, text in other.items()}
        assert {key: found for key, found in apart.items() if found - {"reason"}} == {}, "a reason is another program's, in English"
    used = "".join(path.read_text(encoding="utf-8") for room in ("pages", "spice_core") for path in (ROOT / room).rglob("*.py"))
    built = ("pattern.", "lacks.", "kind.", "language.", "class.", "expected.share_or", "expected.number", "expected.pipeline")
    assert [key for key in english if f'"{key}"' not in used and not key.startswith(built)] == []


def test_no_error_of_the_library_is_written_in_the_code():
    """Texts of errors stand in the catalogues; where a text is data, such as the name of a field, it is one word."""
    found = []
    for path in (ROOT / "spice_core").rglob("*.py"):
        if path.parent.name == "cli":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and name.endswith("Error") and name not in ("ValueError", "KeyError", "TypeError", "LookupError"):
                texts = [one.value for each in node.args for one in ast.walk(each) if isinstance(one, ast.Constant)]
                found += [f"{path.name}: {text}" for text in texts if isinstance(text, str) and re.search(r"[a-z] [a-z]", text)]
    assert found == []


def bundled() -> dict[tuple[str, str, str], str]:
    """The reasons of all bundled rules and enhancement steps."""
    packs = [lang.language(code) for code in lang.LANGUAGES]
    rules = {("rules", name, rule.name): rule.reason for pack in packs for name in pack.rules for rule in pack.rule_set(name).rules}
    steps = {"en": [*en.DISCOURSE, *en.STEPS, *en.ALL], "ja": [*ja.DISCOURSE, *ja.STEPS]}
    return rules | {("steps", code, step.name): step.reason for code, known in steps.items() for step in known}


@pytest.mark.parametrize("language", list(INTERFACE)[1:])
def test_every_bundled_rule_and_step_has_a_name_and_a_reason(language):
    texts = dict(rule_texts.entries(language))
    assert {where: text["english"] for where, text in texts.items()} == bundled(), "translate the reason anew where the English one changed"
    names = {name: text["name"] for (*_, name), text in texts.items()}
    assert all(text["name"] == names[name] and text["reason"].endswith("。") for (*_, name), text in texts.items())
    for group in {where[:2] for where in texts}:
        inside = [text["name"] for where, text in texts.items() if where[:2] == group]
        assert len(inside) == len(set(inside)), f"two of one name in {group}"


def test_a_rule_of_ones_own_keeps_its_reason(monkeypatch):
    monkeypatch.setattr(rule_texts, "interface", lambda: "ja")
    noun = next(rule for rule in lang.language("en").rule_set("caption").rules if rule.name == "noun")
    assert rule_texts.name("noun") == "名詞" and rule_texts.reason(noun).startswith("修飾語でも")
    assert rule_texts.reason(replace(noun, reason="All nouns.")) == "All nouns." and rule_texts.name("mine") == "mine"


# Terms that have gone from the Japanese interface, each with what stands there now (wording of the interface).
OLD_JAPANESE = (
    "類義語 インスペクト 人との一致 得点 依存構造木 依存語 推定 参照プログラム 網羅 余り 余った 欠け 惜しい もしも 価値 固定した 追跡 訪問 綴り "
    "同点 件ごと 切り口 あなたの判断 解析器 soft 測って 読み込む 物体が付く"
).split()


def japanese() -> dict[str, str]:
    """All Japanese texts: of the pages, of drawings, of examples, of errors and of rules."""
    lessons = {f"{kind}.{id}": one[kind]["ja"] for id, one in examples().items() for kind in ("title", "teaches")}
    rules = {".".join((*where, kind)): text[kind] for where, text in rule_texts.entries("ja") for kind in ("name", "reason")}
    return {**flat("ja"), **errors.catalogue("ja"), **lessons, **rules}


def test_japanese_uses_one_term_for_one_thing():
    allowed = {"edit.load", "gold.load", "states.loading", "parsers.upload_first", "expected.pipeline"}  # loading, not parsing
    found = {
        key: old for key, text in japanese().items() for old in OLD_JAPANESE if old in text and not (key in allowed and old == "読み込む")
    }
    assert found == {}


def test_japanese_sentences_are_polite_and_without_spaces_around_latin_words():
    letter = "[ぁ-んァ-ヶ一-龥々、。」）]"
    plain = r"(?<!ま)(?:する|ある|いる|ない|った|いた|れる|える|う|く|だ|た)。"
    texts = {key: re.sub(r" [+·:] ", "+", text) for key, text in japanese().items()}
    gaps = rf"{letter} [A-Za-z0-9{{]|[A-Za-z0-9}}%] {letter}|\d %"
    symbols = {"pattern.no_flags", "pattern.in_set", "pattern.quantifiers"}
    assert {key: text for key, text in texts.items() if re.search(gaps, text) and key not in symbols | {"agreement.facts"}} == {}
    assert {key: text for key, text in texts.items() if re.search(plain, re.sub("ました。|ません。|でした。|しょう。", "", text))} == {}


def test_every_source_of_synonyms_has_a_name():
    sources = {name for code in lang.LANGUAGES for name in lang.language(code).synonyms if not name.endswith(":")}
    assert sources == set(catalogue("ja")["synonyms"])
