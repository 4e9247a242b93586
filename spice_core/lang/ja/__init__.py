"""Japanese: the pack that names its analysers, rule sets, synonym sources and categories."""

from pathlib import Path

from spice_core.lang import Language
from spice_core.lang.ja.words import CATEGORIES

_HERE = Path(__file__).parent

PACK = Language(
    code="ja",
    name="Japanese",
    analysers={
        "ginza": "spice_core.lang.ja.pipeline:ginza",
        "ginza:": "spice_core.lang.ja.pipeline:installed",
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
        "none": "spice_core.synonyms:NoSynonyms",
    },
    categories=CATEGORIES,
    enhancement="spice_core.lang.ja.enhance:enhance",
    scripts=("HIRAGANA", "KATAKANA", "CJK", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH"),
    described="spice_core.lang.ja.structure:structure",
)
