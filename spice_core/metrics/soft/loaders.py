"""The similarities by name, loaded at first use; language packs name those that they use."""

from __future__ import annotations

from collections.abc import Callable

from spice_core.errors import UnknownNameError
from spice_core.lang import language
from spice_core.metrics.soft.similarity import Similarity
from spice_core.metrics.spice import Spice


def similarity(name: str | None, spice: Spice) -> Similarity:
    """The similarity of this name for the metric's language; None selects the language's default. Raises UnknownNameError."""
    pack = language(spice.lang)
    name = name or pack.similarities[0]
    if name not in pack.similarities:
        raise UnknownNameError(f"similarity for {pack.name}", name, pack.similarities)
    return SIMILARITIES[name](spice)


def _minilm(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.contextual import InContext
    from spice_core.metrics.soft.encoder import encoder

    return InContext(encoder())


def _static(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.static import static
    from spice_core.metrics.soft.word_vectors import PhraseVectors

    return PhraseVectors(static())


def _words(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.word_vectors import WordVectors

    return WordVectors(language(spice.lang).word_vectors())


def _hypernyms(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.hypernyms import Hypernyms

    return Hypernyms(spice.synonyms)


SIMILARITIES: dict[str, Callable[[Spice], Similarity]] = {
    "minilm": _minilm,
    "static": _static,
    "words": _words,
    "hypernyms": _hypernyms,
}
