"""The Japanese language pack."""

from pathlib import Path

from spice_core.lang.ja.word_lists import WORDS_BY_CATEGORY
from spice_core.lang.pack import ASSETS_FOLDER, Examples, LanguagePack, TextTools

_PACKAGE_FOLDER = Path(__file__).parent
_WORD_CLASSES = """名詞-固有名詞:PROPN 名詞-数詞:NUM 名詞:NOUN 代名詞:PRON 動詞:VERB 助動詞:AUX 形容詞:ADJ 形状詞:ADJ 連体詞:DET 副詞:ADV
助詞:ADP 接続詞:CCONJ 感動詞:INTJ 補助記号:PUNCT 記号:SYM"""

PACK = LanguagePack(
    code="ja",
    name="Japanese",
    parsers={
        "ginza": "spice_core.lang.ja.parsers.ginza:ginza_parser",
        "ginza:": "spice_core.lang.ja.parsers.ginza:installed_parser",
    },
    rules={
        "ja-caption": _PACKAGE_FOLDER / "rules" / "ja-caption.toml",
        "jaspice-2023": _PACKAGE_FOLDER / "rules" / "jaspice-2023.toml",
        "ja-ud": _PACKAGE_FOLDER / "rules" / "ja-ud.toml",
    },
    synonyms={
        "sudachi+captions": "spice_core.lang.ja.sudachi:SudachiWithCaptions",
        "sudachi+paraphrases": "spice_core.lang.ja.paraphrases:Paraphrases",
        "sudachi+representative": "spice_core.lang.ja.representative:RepresentativeSpellings",
        "representative": "spice_core.lang.ja.representative:Spellings",
        "sudachi": "spice_core.lang.ja.sudachi:Sudachi",
        "sudachi+wordnet": "spice_core.lang.ja.wordnet.database:wordnet_with_sudachi",
        "sudachi+wordnet:": "spice_core.lang.ja.wordnet.database:wordnet_with_sudachi",
        "wordnet": "spice_core.lang.ja.wordnet.database:JapaneseWordNet",
        "wordnet:": "spice_core.lang.ja.wordnet.database:JapaneseWordNet",
        "none": "spice_core.scene.synonyms:NoSynonyms",
    },
    categories=WORDS_BY_CATEGORY,
    enhancement="spice_core.lang.ja.enhancement:ENHANCEMENT",
    step_book=_PACKAGE_FOLDER / "steps.toml",
    step_digests=_PACKAGE_FOLDER / "step_digests.json",
    word_classes=dict(pair.split(":") for pair in _WORD_CLASSES.split()),
    individuals="spice_core.lang.ja.discourse.individuals:find_member_word",
    inference_rules=_PACKAGE_FOLDER / "inference.toml",
    scripts=("HIRAGANA", "KATAKANA", "CJK", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH"),
    own_scripts=("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA"),
    argument_structure="spice_core.lang.ja.argument_structure:sentence_structure",
    metric_names={name: f"SPICE ({name})" for name in ("jaspice-2023", "ja-caption", "ja-ud")},
    reproductions={"JaSPICE": {"parser": "ja_ginza-", "rules": "jaspice-2023", "scheme": "jaspice", "synonyms": "representative-"}},
    text=TextTools(tokenizer="spice_core.lang.ja.text_tools:SudachiWords", synonyms="sudachi", joiner="", comma="、"),
    similarities=("use", "words", "hypernyms"),
    vectors="spice_core.lang.ja.vectors:load_vectors",
    bundled_pipelines=("ja_ginza",),
    questions="spice_core.lang.ja.wordings:word_tuples",
    phrase_book=_PACKAGE_FOLDER / "questions.toml",
    examples=Examples(
        caption="白い犬がフリスビーをくわえて走っています。",
        patterns=(
            "{tag:/名詞.*/}=noun >nmod:の {}=owner",
            "{tag:/動詞.*/}=verb >nsubj {}=subject >obj {}=object",
            "{}=noun >/obl:(.+)/=particle {}=place",
        ),
        gold=ASSETS_FOLDER / "gold" / "gold_ja.jsonl",
        pairs=ASSETS_FOLDER / "gold" / "pairs_ja.toml",
    ),
)
