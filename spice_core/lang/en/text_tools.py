"""Words, stems and stop words of English for text metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spice_core.errors import require

if TYPE_CHECKING:
    from spice_core.lang.pack import Stemmer

INSTALL = "pip install spice_core[baselines]"


class PennTreebank:
    """Lower-case tokens, close to those of the Penn Treebank."""

    signature = "penn"

    def __init__(self) -> None:
        import spacy

        from spice_core.lang.en.tokenizer import penn_treebank_tokenizer

        self._tokenizer = penn_treebank_tokenizer()(spacy.blank("en"))

    def __call__(self, text: str) -> list[str]:
        """The tokens of a caption."""
        return [token.text for token in self._tokenizer(text.lower())]


def porter() -> Stemmer:
    """Porter's stemmer. Raises MissingResourceError."""
    stemmer: Stemmer = require("nltk.stem.porter", INSTALL).PorterStemmer()
    return stemmer


def stop_words() -> frozenset[str]:
    """The stop words of spaCy."""
    from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset(STOP_WORDS)
