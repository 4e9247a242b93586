"""The English language pack: names of parsers, rule sets, synonym sources and categories."""

from pathlib import Path

from spice_core.lang.en.word_lists import CATEGORIES
from spice_core.lang.pack import LanguagePack

_HERE = Path(__file__).parent

PACK = LanguagePack(
    code="en",
    name="English",
    parsers={
        "caption": "spice_core.lang.en.parser:caption",
        "spice-2016": "spice_core.lang.en.parser:bundled",
        "spacy:": "spice_core.lang.en.parser:installed",
    },
    rules={name: _HERE / "rules" / f"{name}.toml" for name in ("caption", "spice-2016")},
    synonyms={
        "wn3.0+collisions": "spice_core.lang.en.wordnet:with_collisions",
        "wn3.0": "spice_core.lang.en.wordnet:without_collisions",
        "none": "spice_core.scene.synonyms:NoSynonyms",
    },
    categories=CATEGORIES,
    enhancement="spice_core.lang.en.enhancement:enhance",
    scripts=("LATIN",),
)
