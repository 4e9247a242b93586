"""Japanese words for text metrics."""

from __future__ import annotations

from importlib.metadata import version

from spice_core.lang.ja.sudachi import convert_tokenizer_errors, load_dictionary, thread_tokenizer


class SudachiWords:
    """Tokenizer that returns Sudachi's words. Raises MissingResourceError."""

    def __init__(self) -> None:
        load_dictionary()  # if a package is missing, raise here, not at the first caption
        self.signature = f"sudachidict-{version('SudachiDict-core')}"

    def __call__(self, text: str) -> list[str]:
        """Return the words of a caption."""
        with convert_tokenizer_errors():
            return [morpheme.surface() for morpheme in thread_tokenizer().tokenize(text)]
