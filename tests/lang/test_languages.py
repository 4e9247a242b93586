"""Test language packs: their parts, messages about missing parts, language detection, and labels above the words of a tree."""

import re
from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.errors import MissingResourceError, UnknownNameError
from spice_core.lang import LANGUAGES, detect_language, language
from spice_core.lang.pack import Argument, Examples, TextTools
from spice_core.metrics.soft.soft import SIMILARITY_LOADERS
from spice_core.syntax.document import Dependency, Document, Sentence, Token

MISSING_PARTS = {"enhancement": "", "argument_structure": "", "text": TextTools(), "factual_style": "", "examples": Examples()}
BARE_PACK = replace(language("en"), name="Bare", similarities=("hypernyms",), **MISSING_PARTS)
DOG_SENTENCE = Sentence((Token(1, "dog", "dog", "NN", 0, 3),), (Dependency(0, 1, "root"),))


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_part_named_by_a_pack_exists(code):
    pack = language(code)
    assert pack.text.synonyms in pack.synonyms and set(pack.similarities) <= set(SIMILARITY_LOADERS)
    assert pack.original in ("", *pack.parsers) and pack.original in ("", *pack.rules)
    assert pack.examples.gold.is_file() and (pack.examples.captions or pack.examples.gold).is_file()
    assert pack.first_caption and pack.first_patterns
    assert pack.tokenizer()(pack.first_caption) and pack.tokenizer().signature
    assert pack.stemmer().stem(pack.first_caption) and isinstance(pack.stop_words(), frozenset)


@pytest.mark.parametrize("code", LANGUAGES)
def test_tags_have_word_classes_of_universal_dependencies(code):
    pack = language(code)
    expected = {
        "en": "NNS:NOUN NNP:PROPN VBG:VERB MD:AUX JJR:ADJ RP:ADP PRP$:PRON WRB:ADV UH:INTJ",
        "ja": "名詞-普通名詞-一般:NOUN 名詞-固有名詞:PROPN 名詞-数詞:NUM 代名詞:PRON 動詞-サ変:VERB 助動詞:AUX 形状詞-一般:ADJ 助詞-格助詞:ADP",
    }
    assert {tag: pack.word_class(tag) for tag in (pair.split(":")[0] for pair in expected[code].split())} == dict(
        pair.split(":") for pair in expected[code].split()
    )
    assert replace(pack, word_classes={}).word_class("VERB") == "VERB"


def test_a_bare_pack_works_and_reports_missing_parts_in_one_line():
    rule = BARE_PACK.rule_set().rules[0]
    assert BARE_PACK.first_caption == rule.example.caption and BARE_PACK.first_patterns == (rule.pattern.source.strip(),)
    assert BARE_PACK.tokenizer()("Two dogs' balls, re-used.") == ["two", "dogs'", "balls", "re", "used"]
    assert BARE_PACK.stemmer().stem("dogs") == "dogs" and BARE_PACK.stop_words() == frozenset()
    document = Document("dog", (DOG_SENTENCE,))
    assert BARE_PACK.enhance(document) is document and BARE_PACK.trace(DOG_SENTENCE) == [] and BARE_PACK.structure(DOG_SENTENCE) is None
    with pytest.raises(UnknownNameError, match="enhancement step 'conjuncts'"):
        BARE_PACK.enhance(document, ["conjuncts"])
    with pytest.raises(MissingResourceError, match="^no word similarity for Bare: the language pack defines no vectors$"):
        BARE_PACK.word_vectors()
    with pytest.raises(
        MissingResourceError,
        match="^no scene graph in FACTUAL's conventions for Bare: the language pack defines no conversion to these conventions$",
    ):
        BARE_PACK.to_factual_style(Spice().parse_document(Document("dog", (DOG_SENTENCE,))))


def test_the_help_lists_the_parts_of_every_language(capsys):
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    help_text = " ".join(capsys.readouterr().out.split())
    argument_by_prefix = {"corenlp:": "URL", "wordnet:": "FILE", "sudachi+wordnet:": "FILE"}
    for part in ("parsers", "rules", "synonyms"):
        for code in LANGUAGES:
            names = [name + (argument_by_prefix.get(name, "NAME") if name.endswith(":") else "") for name in getattr(language(code), part)]
            assert f"{code}: {', '.join(names)}" in re.sub(r"- ", "-", help_text)


def test_the_language_is_detected_from_the_script():
    for texts, code in [
        (["A dog."], "en"), (["犬がいる"], "ja"), (["ＴシャツのロゴはABC"], "ja"), (["A sign says 止まれ in Japan"], "en"), (["犬", "A dog.", "A cat."], "en"),
        (["犬", "A dog."], "ja"), (["A dog.", "犬"], "en"), (["?", "犬"], "ja"), (["?"], "en"), ([], "en"), (["Собака"], "en"),
    ]:  # fmt: skip
        assert detect_language(texts) == code
    assert (
        language("en").is_mostly_in_script("?!")
        and language("ja").is_mostly_in_script("3")
        and not language("en").is_mostly_in_script("犬")
        and not language("ja").is_mostly_in_script("dog")
    )


def test_bunsetsu_and_arguments_have_their_words():
    words = "二/名詞-数詞 匹/接尾辞 の/助詞 犬/名詞 が/助詞 見/動詞 た/助動詞 海/名詞".split()
    tokens = tuple(Token(i, text, "見る" if text == "見" else text, tag) for i, (text, tag) in enumerate((w.split("/") for w in words), 1))
    expected_heads = "2/nummod 4/nmod 2/case 6/nsubj 4/case 8/acl 6/aux 0/root".split()
    basic = tuple(Dependency(int(head.split("/")[0]), i, head.split("/")[1]) for i, head in enumerate(expected_heads, 1))
    sentence = Sentence(tokens, basic, (*basic, Dependency(6, 8, "obl:外の関係")))
    units, arguments = language("ja").structure(sentence)
    assert ["".join(token.text for token in unit) for unit in units] == ["二匹の", "犬が", "見た", "海"]
    assert arguments == (Argument("見る", "が", "犬"), Argument("見る", "外の関係", "海", is_explicit=False))
    assert language("en").structure(sentence) is None
