"""The signature of a score: every choice that moves it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from spice_core.errors import InputError


@dataclass(frozen=True)
class Signature:
    """Every choice that moves a score; prints as ``spice|lang:en|…|version:…`` and is read back by ``parse``.

    ``categories`` is the digest of categories of one's own, and stands there only where there are some.
    """

    lang: str
    parser: str
    rules: str
    synonyms: str
    categories: str = field(default="", kw_only=True)
    version: str

    def __str__(self) -> str:
        said = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "categories" or self.categories}
        return "|".join(["spice", *(f"{name}:{value}" for name, value in said.items())])

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a printed signature. Raises InputError if it has other keys."""
        head, *pairs = text.split("|")
        found = dict(pair.split(":", 1) for pair in pairs if ":" in pair)
        found = {"parser" if name == "analyser" else name: value for name, value in found.items()}  # as signatures said until 0.2
        names = [f.name for f in fields(cls) if f.name != "categories" or f.name in found]
        if head != "spice" or list(found) != names:
            raise InputError("signature", text, f"spice|{'|'.join(f'{n}:…' for n in names)}")
        return cls(**found)
