"""Words of Japanese for text metrics."""

from __future__ import annotations

from importlib.metadata import version
from threading import local

from spice_core.lang.ja.sudachi import dictionary, tokenizable


class SudachiWords:
    """Sudachi's words, by one tokenizer for each thread. Raises MissingResourceError."""

    def __init__(self) -> None:
        self._dictionary, self._local = dictionary(), local()
        self.signature = f"sudachidict-{version('SudachiDict-core')}"

    def __call__(self, text: str) -> list[str]:
        """The words of a caption."""
        if not hasattr(self._local, "tokenizer"):
            self._local.tokenizer = self._dictionary.create()
        with tokenizable():
            return [morpheme.surface() for morpheme in self._local.tokenizer.tokenize(text)]
