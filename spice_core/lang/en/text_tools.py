"""English tokenizer, stemmer and stop words for text metrics."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from spice_core.errors import require_module
from spice_core.lang.en.parsers.penn_tokenizer import PennTokenizer

if TYPE_CHECKING:
    from spice_core.lang.pack import Stemmer

_STOP_WORDS_PATH = Path(__file__).with_name("stop_words.txt")
INSTALL_COMMAND = 'pip install ".[baselines]"'


class PennTreebank:
    """Tokenizer that returns lower-case tokens close to those of the Penn Treebank."""

    signature = "penn"

    def __init__(self) -> None:
        self._tokenizer = PennTokenizer.read()

    def __reduce__(self) -> tuple[type[PennTreebank], tuple[()]]:
        """Pickle and copy the tokenizer without its tables, so that a copy reads them again."""
        return type(self), ()

    def __call__(self, text: str) -> list[str]:
        return [word.text for word in self._tokenizer.words(" ".join(text.lower().split()))]


def porter_stemmer() -> Stemmer:
    """Return NLTK's Porter stemmer. Raises MissingResourceError if NLTK is not installed."""
    stemmer: Stemmer = require_module("nltk.stem.porter", INSTALL_COMMAND).PorterStemmer()
    return stemmer


def stop_words() -> frozenset[str]:
    """Return spaCy's English stop words (MIT licence)."""
    return frozenset(_STOP_WORDS_PATH.read_text(encoding="utf-8").split())
