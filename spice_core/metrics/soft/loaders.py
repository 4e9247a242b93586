"""The similarities by name, loaded at first use."""

from __future__ import annotations

from collections.abc import Callable

from spice_core.errors import UnknownNameError
from spice_core.metrics.soft.similarity import Similarity
from spice_core.metrics.spice import Spice


def similarity(name: str | None, spice: Spice) -> Similarity:
    """The similarity of this name for the metric's language; None selects the language's default. Raises UnknownNameError."""
    known = _KNOWN[spice.lang]
    name = name or next(iter(known))
    if name not in known:
        raise UnknownNameError(f"similarity for {spice.lang}", name, known)
    return known[name](spice)


def names(lang: str) -> tuple[str, ...]:
    """The names of a language's similarities, the default first."""
    return tuple(_KNOWN[lang])


def _minilm(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.contextual import InContext
    from spice_core.metrics.soft.encoder import encoder

    return InContext(encoder())


def _static(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.static import static
    from spice_core.metrics.soft.word_vectors import PhraseVectors

    return PhraseVectors(static())


def _words(spice: Spice) -> Similarity:
    from spice_core.lang.ja.vectors import vectors
    from spice_core.metrics.soft.word_vectors import WordVectors

    return WordVectors(vectors())


def _hypernyms(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.hypernyms import Hypernyms

    return Hypernyms(spice.synonyms)


_KNOWN: dict[str, dict[str, Callable[[Spice], Similarity]]] = {
    "en": {"minilm": _minilm, "static": _static, "hypernyms": _hypernyms},
    "ja": {"words": _words, "hypernyms": _hypernyms},
}
