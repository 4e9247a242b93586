"""English: the pack that names its analysers, rule sets, synonym sources and categories."""

from pathlib import Path

from spice_core.lang import Language
from spice_core.lang.en.words import CATEGORIES

_HERE = Path(__file__).parent

PACK = Language(
    code="en",
    name="English",
    analysers={
        "caption": "spice_core.lang.en.pipeline:caption",
        "spice-2016": "spice_core.lang.en.pipeline:bundled",
        "spacy:": "spice_core.lang.en.pipeline:installed",
    },
    rules={name: _HERE / "rules" / f"{name}.toml" for name in ("caption", "spice-2016")},
    synonyms={
        "wn3.0+collisions": "spice_core.lang.en.wordnet:with_collisions",
        "wn3.0": "spice_core.lang.en.wordnet:without_collisions",
        "none": "spice_core.synonyms:NoSynonyms",
    },
    categories=CATEGORIES,
    enhancement="spice_core.lang.en.enhance:enhance",
    scripts=("LATIN",),
)
