"""English: the pack that names its analysers, rule sets, synonym sources and categories."""

from pathlib import Path

from spice_core.lang import Language
from spice_core.lang.en.words import CATEGORIES

_HERE = Path(__file__).parent

PACK = Language(
    code="en",
    name="English",
    analysers={
        "spice-2016": "spice_core.lang.en.pipeline:bundled",
        "caption": "spice_core.lang.en.pipeline:caption",
        "spacy:": "spice_core.lang.en.pipeline:installed",
    },
    rules={name: _HERE / "rules" / f"{name}.toml" for name in ("spice-2016", "caption")},
    synonyms={
        "wn3.0+collisions": "spice_core.lang.en.wordnet:with_collisions",
        "wn3.0": "spice_core.lang.en.wordnet:without_collisions",
        "none": "spice_core.synonyms:NoSynonyms",
    },
    categories=CATEGORIES,
    enhancement="spice_core.lang.en.enhance:enhance",
    scripts=("LATIN",),
)
