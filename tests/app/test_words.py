"""Test the text catalogues: every text that the code uses exists in every language, no text is unused, and Japanese terms are consistent."""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest

from pages.parts.kit import texts
from pages.parts.kit.texts import INTERFACE_LANGUAGES, TEXTS_FOLDER, app_texts, t, text_catalogue
from spice_core import errors, lang
from spice_core.cli.main import main
from spice_core.data import json_stream
from spice_core.draw import style
from spice_core.inference.rules import inference_rules

ROOT = Path(__file__).parents[2]
SOURCE_FILES = [
    ROOT / "app.py",
    *(
        path
        for folder_name in ("pages", "spice_core/draw", "spice_core/report")
        for path in (ROOT / folder_name).rglob("*.*")
        if path.suffix in {".py", ".html"}
    ),
]
SOURCE_CODE = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE_FILES)


def flat_texts(language: str) -> dict[str, str]:
    return {f"{section}.{name}": text for section, texts in text_catalogue(language).items() for name, text in texts.items()}


def placeholders(text: str) -> set[str]:
    return {field for _, field, *_ in Formatter().parse(text) if field is not None}


# Keys of widgets and of the session state have the form of text keys.
STATE_KEY = re.compile(
    r"""(?:key=|session_state\W|session_state\.\w+\(|_KEY = |widget = |form\(|drawer\("[\w.]+", |init_from_param\()["']([a-z]+\.\w+)["']"""
)


def test_all_texts_exist_and_are_used():
    state_keys = set(STATE_KEY.findall(SOURCE_CODE))
    used_keys = set(re.findall(r"""["']([a-z]+\.[A-Za-z0-9_]+)["']""", SOURCE_CODE)) - (state_keys - flat_texts("en").keys())
    built = tuple({*re.findall(r"""["']([a-z]+\.\w*)\{""", SOURCE_CODE), *re.findall(r"""["']([a-z]+\.)["']""", SOURCE_CODE)})
    known_keys = flat_texts("en").keys()
    texts = {
        key for key in used_keys if key.partition(".")[0] in text_catalogue("en") and not key.endswith((".json", ".css", ".html", ".js"))
    }
    assert texts <= known_keys
    assert {key for key in known_keys - used_keys if not key.startswith(built)} == set()


def test_both_languages_have_the_same_texts_with_the_same_values_each_written_once():
    other_texts, english = ({key: placeholders(text) for key, text in flat_texts(code).items()} for code in ("ja", "en"))
    assert other_texts == english
    assert [key for key, text in flat_texts("ja").items() if not text.strip()] == []
    for language in INTERFACE_LANGUAGES:
        library = style.display_texts(language)
        assert [key for section, texts in app_texts(language).items() for key in texts if key in library.get(section, {})] == []
        files = [tomllib.loads(file.read_text(encoding="utf-8")) for file in (TEXTS_FOLDER / language).glob("*.toml")]
        assert sum(map(len, files)) == len(app_texts(language)), "a section stands in one file"


def test_a_noun_agrees_with_its_number():
    for key, values, expected_text in (
        ("batch.totals", {"number": 1}, "1 caption with a cause"),
        ("batch.totals", {"number": 20}, "20 captions with a cause"),
        ("graphs.many", {"tuples": 1, "captions": 4}, "1 tuple from 4 captions"),
        ("batch.problems", {"good": 1, "bad": 1, "plus": ""}, "1 row is valid; found 1 problem. You can score the valid rows."),
        ("effect.changed", {"number": 2, "gained": 1, "lost": 0}, "2 captions change: 1 tuple gained, 0 lost."),
    ):
        assert t(key, **values) == expected_text


def test_every_command_prints_its_help(capsys):
    for command in ("score", "compare", "metrics", "agree", "why", "parse", "gold", "factual"):
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        assert f"spice-core {command}" in capsys.readouterr().out


def test_errors_have_the_same_templates_in_every_language():
    english, other_templates = errors.message_templates("en"), errors.message_templates("ja")
    assert other_templates.keys() == english.keys()
    differing_values = {key: placeholders(text) ^ placeholders(english[key]) for key, text in other_templates.items()}
    assert {key: differing for key, differing in differing_values.items() if differing - {"reason"}} == {}, (
        "a reason is another program's, in English"
    )
    source_text = "".join(path.read_text(encoding="utf-8") for folder in ("pages", "spice_core") for path in (ROOT / folder).rglob("*.py"))
    built = ("pattern.", "lacks.", "kind.", "language.", "class.", "expected.share_or", "expected.number", "expected.pipeline")
    required_names = {f"expected.{name}" for name in json_stream._REQUIRED_BY_ERROR.values()}
    assert required_names <= english.keys()
    assert [key for key in english if f'"{key}"' not in source_text and key not in required_names and not key.startswith(built)] == []


def test_no_error_of_the_library_is_written_in_the_code():
    """All error texts are in the catalogues for translation. Arguments such as field names are single words."""
    written_errors = []
    for path in (ROOT / "spice_core").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path.parent.name != "cli" else ():
            name = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and name.endswith("Error") and name not in ("ValueError", "KeyError", "TypeError", "LookupError"):
                texts = [constant.value for argument in node.args for constant in ast.walk(argument) if isinstance(constant, ast.Constant)]
                written_errors += [f"{path.name}: {text}" for text in texts if isinstance(text, str) and re.search(r"[a-z] [a-z]", text)]
    assert written_errors == []


def test_every_bundled_rule_and_step_has_a_name_and_a_reason_and_synonym_sources_have_names():
    packs = [lang.language(code) for code in lang.LANGUAGES]
    rules = {("rules", name, rule.name): rule.reason for pack in packs for name in pack.rules for rule in pack.rule_set(name).rules}
    bundled_reasons = rules | {("steps", pack.code, step.name): step.reason for pack in packs for step, *_ in pack.steps()}
    bundled_reasons |= {("inference", "en", rule.name): rule.reason for rule in inference_rules(lang.language("en").inference_rules).rules}
    entries = dict(texts.text_entries("ja"))
    assert {place: text["english"] for place, text in entries.items()}.items() <= bundled_reasons.items(), (
        "translate the reason anew where the English one changed"
    )
    assert all(place in rules for place in bundled_reasons.keys() - entries.keys()), "only rules may lack a translation"
    names = {name: text["name"] for (*_, name), text in entries.items()}
    assert all(text["name"] == names[name] and text["reason"].endswith("。") for (*_, name), text in entries.items())
    for group in {place[:2] for place in entries}:
        inner_texts = [text["name"] for place, text in entries.items() if place[:2] == group]
        assert len(inner_texts) == len(set(inner_texts)), f"two of one name in {group}"
    sources = {name for code in lang.LANGUAGES for name in lang.language(code).synonyms if not name.endswith(":")}
    assert sources == set(text_catalogue("ja")["synonyms"])


def test_an_untranslated_rule_has_its_english_name_and_reason(monkeypatch):
    monkeypatch.setattr(texts, "interface_language", lambda: "ja")
    noun = next(rule for rule in lang.language("en").rule_set("caption").rules if rule.name == "noun")
    assert texts.display_name("noun") == "名詞" and texts.reason_text(noun).startswith("修飾語でも")
    assert texts.reason_text(replace(noun, reason="All nouns.")) == "All nouns." and texts.display_name("mine") == "mine"


CATALOGUES = (
    *sorted((ROOT / "assets" / "words" / "ja").glob("*.toml")),
    ROOT / "assets" / "words" / "rules.ja.toml",
    ROOT / "spice_core" / "draw" / "texts" / "ja.toml",
    ROOT / "spice_core" / "messages" / "ja.toml",
)
DOCUMENTS = (ROOT / "README.ja.md", ROOT / "docs" / "japanese.md")
# Patterns that no text may contain, with the preferred forms.
GLOSSARY = {
    r"95 ?%区間|パーセンタイル区間": "95%信頼区間",
    r"\d %": "4%, without a space",
    r"(?<![一二三四五六七八九十唯統同第画万均])[一二三四五六七八九](つ(?!組|ひとつ)|文(?!字)|語|組目|種類|人用|番目)": "arabic numerals",
    r"(?<![\w.])\.\d": "0.9, with the zero",
    r"\d{4,}回": "1,000回",
    r"仮の主語|代わりの記号|主語の代替|不明な主語": "省略された主語（φ）",
    r"(以前|現在|公式実装|つ|別)の構文解析(?!器|の)|構文解析(の木|の代わり|と辞書|の比較|を選)": "構文解析器, the tool",
    r"\d件中\d件.*タプル|件中[^。]*件のタプル|タプル\{[^}]*\}件": "タプルは個で数える",
    r"言葉で表した|語で表したグラフ": "グラフのテキスト表示",
    r"は同じ語です": "相手側にも「…」があります",
    r"^発表$|消灯": "発表モード; 画面を暗くする",
    r"(?<!係り受け)木(の修正|を修正|を手で)": "係り受け木",
    r"前置詞や助詞を伴う": "連体修飾語, 連用修飾語",
    r"描写": "名詞修飾, 修飾語",
    r"正解グラフ\{[^}]*\}個": "正解…個",
    r"正解セット": "正解グラフ",
    r"ここでは動かない": "この環境では使えない",
    r"の多いタプル": "…になりやすいタプル",
    r"違う値|値が違う": "値の相違",
    r"^キャプションの原因$|^タプルの原因$|一致しなかった原因": "誤りの原因（…別）, 不一致の原因",
    r"言い落とし": "記述漏れ",
    r"結び付きの違い": "係り先の違い",
    r"画像のブートストラップ": "画像単位のブートストラップ",
    r"なし。$": "なし",
    r"スピアマン|ピアソン|ケンドール|コーエン": "Spearman, Pearson, Kendall, Cohen, as in the tables",
    r"選択の場合は": "優劣判定のデータでは",
    r"[がをにで]格": "ガ格, in katakana",
    r"」 (です|ます)|[ぁ-んァ-ヶ一-龠] (?=[ぁ-んァ-ヶ一-龠])": "no space between Japanese words",
    r"代償のない": "スコアが下がらない",
    r"近似例": "適用されない類例",
    r"をもつ|をもち|をもって": "を持つ",
    r"(?<!その)他の(?!人)": "ほかの",
    r"サーバ(?!ー)|ユーザ(?!ー)|フォルダー|ブラウザー": "サーバー, ユーザー, フォルダ, ブラウザ",
    r"\d～|～\d": "〜, the wave dash",
    r"出来る|下さい|(?<![すべ])全て|の為": "できる, ください, すべて, ため",
    r"部分的に一致|^部分的$": "部分一致",
    r"候補の各?組|参照にもない組|正しくない組|^組についての質問|組がなく": "タプル; 組 is a pair",
}


def japanese_texts() -> Iterator[tuple[str, str]]:
    """Yield each Japanese text with its place, without format specifications."""
    for path in CATALOGUES:
        for place, text in _iterate_strings(tomllib.loads(path.read_text(encoding="utf-8")), path.stem):
            yield place, re.sub(r":[^}:]*}", "}", text)
    remarks = re.findall(r'"ja": "([^"]*)"', (ROOT / "assets" / "examples.json").read_text(encoding="utf-8"))
    yield from (("examples.json", text) for text in remarks)
    for path in DOCUMENTS:
        prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", path.read_text(encoding="utf-8"), flags=re.S)
        paragraphs = (part for part in prose.split("\n\n") if re.search("[ぁ-ん]", part) and not part.startswith(("|", "*")))
        yield from ((path.name, part) for part in paragraphs)


def _iterate_strings(content: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(content, dict):
        for key, value in content.items():
            if key != "english":
                yield from _iterate_strings(value, f"{place}.{key}")
    elif isinstance(content, str):
        yield place, content


def test_no_text_contains_a_replaced_term():
    known_texts = list(japanese_texts())
    violations = [
        (place, preferred_term, text)
        for pattern, preferred_term in GLOSSARY.items()
        for place, text in known_texts
        if re.search(pattern, text)
    ]
    assert violations == []


ENGLISH_SENTENCE = re.compile(r"[A-Za-z][A-Za-z'’-]*(?: [A-Za-z][A-Za-z'’-]*){2,}")
# Captions and rules that pages show as data, reasons of errors that are caught, and names.
DATA_MODULES = ("foils.py", "class_set.py", "lessons.py", "exercises.py")
UNSEEN_TEXTS = ("cut short, or too large", "no list of captions, or no settings", "[[rule]]", "Too many images")


def written_sentences(path: Path) -> list[str]:
    """Return the English sentences that a module of the pages contains, except docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings]
    return [text for text in texts if ENGLISH_SENTENCE.search(re.sub(r"<[^>]*(?:>|$)", " ", text)) and not text.startswith(UNSEEN_TEXTS)]


def test_no_text_of_the_pages_is_written_in_the_code_and_errors_are_shown_in_the_language_of_the_interface():
    modules = list((ROOT / "pages").rglob("*.py"))
    assert {path.name: texts for path in modules if path.name not in DATA_MODULES and (texts := written_sentences(path))} == {}
    assert [path.name for path in modules if "escape(str(error))" in path.read_text(encoding="utf-8")] == []


def test_japanese_texts_contain_no_english_sentence():
    """Reasons of rules quote English phrases."""
    names = r"JSON Lines|CC BY|Visual Genome|Noto Sans JP|-m spacy download|(?:spice-core|pip install|image_id|candidate)[ ,\w.-]+|{[^}]*}|<[^>]*>|`[^`]*`"
    texts_by_place = {place: re.sub(names, "、", text) for place, text in japanese_texts() if not place.endswith(".reason")}
    assert {place: text for place, text in texts_by_place.items() if not place.endswith(".md") and ENGLISH_SENTENCE.search(text)} == {}
