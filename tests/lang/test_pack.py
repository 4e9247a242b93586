"""What a language pack brings, and what it says about parts that it lacks."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.errors import MissingResourceError, UnknownNameError
from spice_core.lang import LANGUAGES, language
from spice_core.lang.pack import Examples, TextTools
from spice_core.metrics.soft.loaders import SIMILARITIES
from spice_core.syntax.document import Dependency, Document, Sentence, Token

ROOT = Path(__file__).parents[2]
BARE = replace(
    language("en"),
    name="Bare",
    enhancement="",
    argument_structure="",
    text=TextTools(),
    similarities=("hypernyms",),
    factual_style="",
    examples=Examples(),
)
SENTENCE = Sentence((Token(1, "dog", "dog", "NN", 0, 3),), (Dependency(0, 1, "root"),))


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_part_that_a_pack_names_exists(code):
    pack = language(code)
    assert pack.text.synonyms in pack.synonyms and set(pack.similarities) <= set(SIMILARITIES)
    assert pack.original in ("", *pack.parsers) and pack.original in ("", *pack.rules)
    assert pack.examples.gold.is_file() and (pack.examples.captions or pack.examples.gold).is_file()
    assert pack.first_caption and pack.first_patterns
    assert pack.tokenizer()(pack.first_caption) and pack.tokenizer().signature
    assert pack.stemmer().stem(pack.first_caption) and isinstance(pack.stop_words(), frozenset)


def test_a_bare_pack_splits_at_what_is_no_word():
    assert BARE.tokenizer()("Two dogs' balls, re-used.") == ["two", "dogs'", "balls", "re", "used"]
    assert BARE.stemmer().stem("dogs") == "dogs" and BARE.stop_words() == frozenset()


def test_a_bare_pack_begins_with_its_first_rule():
    rule = BARE.rule_set().rules[0]
    assert BARE.first_caption == rule.example.caption and BARE.first_patterns == (rule.pattern.source.strip(),)


def test_without_enhancement_rules_read_the_trees_of_the_parser():
    document = Document("dog", (SENTENCE,))
    assert BARE.enhance(document) is document and BARE.trace(SENTENCE) == [] and BARE.structure(SENTENCE) is None
    with pytest.raises(UnknownNameError, match="enhancement step 'conjuncts'"):
        BARE.enhance(document, ["conjuncts"])


def test_what_a_pack_lacks_is_said_in_one_line():
    with pytest.raises(MissingResourceError, match="^no word similarity for Bare: the pack names no vectors$"):
        BARE.word_vectors()
    with pytest.raises(MissingResourceError, match="^no scene graph in FACTUAL's conventions for Bare: the pack names no conversion$"):
        BARE.in_factual_style(Spice().parse_document(Document("dog", (SENTENCE,))))


def test_the_help_lists_the_parts_of_every_language(capsys):
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    for part in ("parsers", "rules", "synonyms"):
        for code in LANGUAGES:
            names = (f"{name}NAME" if name.endswith(":") else name for name in getattr(language(code), part))
            assert f"{code}: {', '.join(names)}" in re.sub(r"- ", "-", told)


def test_no_module_outside_a_language_asks_for_its_code():
    asks = re.compile(
        r"(lang|code|language)\w*\s*(==|!=|in)\s*\(?[\"'](en|ja)[\"']|[\"'](en|ja)[\"']\s*(==|!=)|^\s*[\"'](en|ja)[\"']: ", re.M
    )
    files = [path for room in ("spice_core", "pages") for path in (ROOT / room).rglob("*.py")] + [ROOT / "app.py"]
    inside = [ROOT / "spice_core" / "lang" / code for code in LANGUAGES]
    asking = [path.name for path in files if not set(inside) & set(path.parents) and asks.search(path.read_text(encoding="utf-8"))]
    assert asking == []
