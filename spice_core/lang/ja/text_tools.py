"""Words of Japanese for text metrics."""

from __future__ import annotations

from importlib.metadata import version

from spice_core.lang.ja.sudachi import dictionary, tokenizable, tokenizer


class SudachiWords:
    """Sudachi's words. Raises MissingResourceError."""

    def __init__(self) -> None:
        dictionary()  # what is missing is said here
        self.signature = f"sudachidict-{version('SudachiDict-core')}"

    def __call__(self, text: str) -> list[str]:
        """The words of a caption."""
        with tokenizable():
            return [morpheme.surface() for morpheme in tokenizer().tokenize(text)]
