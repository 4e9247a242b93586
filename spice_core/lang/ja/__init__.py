"""The Japanese language pack: names of parsers, rule sets, synonym sources and categories."""

from pathlib import Path

from spice_core.lang.ja.word_lists import CATEGORIES
from spice_core.lang.pack import LanguagePack

_HERE = Path(__file__).parent

PACK = LanguagePack(
    code="ja",
    name="Japanese",
    parsers={
        "ginza": "spice_core.lang.ja.parser:ginza",
        "ginza:": "spice_core.lang.ja.parser:installed",
    },
    rules={
        "ja-caption": _HERE / "rules" / "ja-caption.toml",
        "jaspice-2023": _HERE / "rules" / "jaspice-2023.toml",
        "ja-ud": _HERE / "rules" / "ja-ud.toml",
    },
    synonyms={
        "sudachi+captions": "spice_core.lang.ja.sudachi:with_captions",
        "sudachi": "spice_core.lang.ja.sudachi:Sudachi",
        "sudachi+wordnet": "spice_core.lang.ja.wordnet:with_sudachi",
        "sudachi+wordnet:": "spice_core.lang.ja.wordnet:with_sudachi",
        "wordnet": "spice_core.lang.ja.wordnet:JapaneseWordNet",
        "wordnet:": "spice_core.lang.ja.wordnet:JapaneseWordNet",
        "none": "spice_core.scene.synonyms:NoSynonyms",
    },
    categories=CATEGORIES,
    enhancement="spice_core.lang.ja.enhancement:enhance",
    scripts=("HIRAGANA", "KATAKANA", "CJK", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH"),
    described="spice_core.lang.ja.argument_structure:structure",
)
