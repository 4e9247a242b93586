"""Test language packs: their parts, messages about missing parts, language detection, and labels above the words of a tree."""

import re
from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.errors import MissingResourceError, UnknownNameError
from spice_core.lang import LANGUAGES, detect_language, language, other_language
from spice_core.lang.pack import Argument, Examples, TextTools
from spice_core.lang.wording import read_phrase_book
from spice_core.metrics.soft.soft import SIMILARITY_LOADERS
from spice_core.questions import ask
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
    assert BARE_PACK.enhance(document) is document
    assert BARE_PACK.enhancer.trace(DOG_SENTENCE) == []
    assert BARE_PACK.structure(DOG_SENTENCE) is None
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
    assert language("en").is_mostly_in_script("?!")
    assert language("ja").is_mostly_in_script("3")
    assert not language("en").is_mostly_in_script("犬")
    assert not language("ja").is_mostly_in_script("dog")


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


ENTRIES = [(lang, entry) for lang in LANGUAGES for entry in language(lang).steps()]


@pytest.mark.parametrize(("lang", "entry"), ENTRIES, ids=[f"{lang} {entry.step.name}" for lang, entry in ENTRIES])
def test_the_example_of_a_step_is_changed_and_its_near_miss_is_not(lang, entry):
    assert entry.step.reason
    assert entry.example.is_changed
    assert not entry.near_miss.is_changed, (entry.near_miss.added, entry.near_miss.removed)


def test_every_step_of_a_bundled_rule_set_is_in_the_book():
    for lang in LANGUAGES:
        pack = language(lang)
        for rules in map(pack.rule_set, pack.rules):
            names = [step if isinstance(step, str) else step.name for step in rules.steps or ()]
            assert names == [entry.step.name for entry in pack.steps(rules)] or rules.steps is None


JA, EN, RU, ZH = "犬がソファに座っている", "A dog sits on a sofa.", "Собака на диване", "一只棕色的狗坐在沙发上"


@pytest.mark.parametrize(("captions", "lang", "expected_language"), [
    ([JA, JA], "en", "ja"), ([EN, EN], "ja", "en"), ([EN, EN], "en", None), ([JA], "ja", None), ([], "en", None), ([], "ja", None),
    (["犬", "カバン", "ｶﾊﾞﾝ"], "en", "ja"),
    # No supported language is written in Cyrillic, or in Chinese characters without kana.
    ([RU, RU], "en", ""), ([RU, RU], "ja", ""), ([ZH, ZH], "en", ""), ([ZH] * 3, "ja", ""),
    (["犬", "猫"], "ja", None),  # short captions without kana may be Japanese
    # Kana identify Japanese.
    ([ZH, JA, JA], "en", "ja"), ([JA] + [ZH] * 20, "en", ""),
    # More than half of the captions must be in another script.
    ([JA, EN], "en", None), ([JA, EN], "ja", None), ([JA, JA, EN], "en", "ja"), ([JA, EN, EN], "en", None),
    ([RU, RU, JA], "en", ""), ([RU, JA, JA], "en", "ja"),
    (["A sign says 止まれ in Japan"], "en", None), (["ＴシャツのロゴはABC"], "ja", None),
    # Captions without letters do not count.
    (["?", "3", "", "🐕", JA], "en", "ja"), (["?", "3", "", "🐕"], "en", None), (["?"], "ja", None),
    (["Café à Zürich"], "en", None), ((text for text in [JA]), "en", "ja"),
])  # fmt: skip
def test_most_captions_are_in_another_script(captions, lang, expected_language):
    assert other_language(captions, lang) == expected_language


def test_only_the_first_200_captions_are_read():
    read_captions = []

    def captions():
        for _ in range(10_000):
            read_captions.append(JA)
            yield JA

    assert other_language(captions(), "en") == "ja" and len(read_captions) == 200
    assert other_language([*[EN] * 200, *[JA] * 1000], "en") is None


PHRASE_BOOKS = {lang: read_phrase_book(language(lang).phrase_book) for lang in LANGUAGES if language(lang).phrase_book}
PHRASINGS = [(lang, phrasing) for lang, book in PHRASE_BOOKS.items() for phrasing in book.phrasings]


@pytest.fixture(scope="module")
def spices() -> dict[str, Spice]:
    return {lang: Spice(lang) for lang in PHRASE_BOOKS}


@pytest.mark.parametrize(("lang", "phrasing"), PHRASINGS, ids=[f"{lang} {phrasing.name}" for lang, phrasing in PHRASINGS])
def test_a_phrasing_asks_its_question_of_its_example(lang, phrasing, spices):
    spice = spices[lang]
    questions = ask(spice, next(spice.parse([phrasing.example])))
    assert phrasing.reason
    assert phrasing.question in [q.text for q in questions if q.phrasing == phrasing.name], [(q.text, q.phrasing) for q in questions]


@pytest.mark.parametrize("lang", PHRASE_BOOKS)
def test_names_of_phrasings_are_unique_and_the_last_of_each_kind_always_applies(lang):
    phrasings = PHRASE_BOOKS[lang].phrasings
    assert len({phrasing.name for phrasing in phrasings}) == len(phrasings)
    last_by_kind = {phrasing.tuple_kind: phrasing for phrasing in phrasings}
    assert set(last_by_kind) == {"object", "attribute", "relation"}
    assert not any(phrasing.required_features or phrasing.excluded_features for phrasing in last_by_kind.values())
