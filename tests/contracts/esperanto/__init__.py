"""The Esperanto language pack, a toy language in a package like that of docs/extending.md."""

from pathlib import Path

from spice_core.lang.pack import Examples, LanguagePack

_HERE = Path(__file__).parent

PACK = LanguagePack(
    code="eo",
    name="Esperanto",
    parsers={"endings": "tests.contracts.esperanto.parser:Endings"},
    rules={"eo-caption": _HERE / "rules" / "eo-caption.toml"},
    synonyms={"none": "spice_core.scene.synonyms:NoSynonyms"},
    categories={"Color": frozenset("ruĝa bruna nigra blanka verda blua flava".split())},
    scripts=("LATIN",),
    examples=Examples(caption="Viro rajdas brunan ĉevalon sur la strato.", gold=_HERE / "gold.jsonl"),
)
