"""Loading and running of spaCy pipelines, with faster matrix products."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from spice_core.errors import Message, MissingResourceError
from spice_core.syntax.document import Document

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_MAX_NEW_WORDS = 1 << 19  # number of new words after which a pipeline is reloaded; a word counts once per batch


class Pipeline:
    """spaCy pipeline, loaded at first use, for one thread at a time, with limited memory for new words.

    A copy loads its own pipeline. The object can be pickled if the function that loads the pipeline can.
    """

    texts_per_batch = 256

    def __init__(self, load: Callable[[], Language], signature: str):
        self._load, self.signature, self._lock = load, signature, Lock()
        self._max_words = 0

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._load, self.signature)

    @cached_property
    def _nlp(self) -> Language:
        nlp = self._load()
        self._max_words = len(nlp.vocab) + _MAX_NEW_WORDS
        return nlp

    def _documents(self, texts: Iterable[str]) -> Iterator[Document]:
        """Yield a document for each text, in order."""
        texts = iter(texts)
        while batch := list(islice(texts, self.texts_per_batch)):
            with self._lock:
                with self._nlp.memory_zone():  # otherwise spaCy keeps every new word
                    documents = list(map(self._to_document, self._nlp.pipe(batch, batch_size=self.texts_per_batch)))
                if len(self._nlp.vocab) > self._max_words:  # otherwise slots for the words remain in spaCy's table (spaCy issue 13882)
                    del self._nlp
            yield from documents

    def _to_document(self, doc: Doc) -> Document:
        """Return a copy of the data in spaCy's document, whose words are freed afterwards."""
        raise NotImplementedError


def package_folder(name: str) -> Path | None:
    """Return the folder of an installed package, or None if no package has this name."""
    try:
        spec = find_spec(name) if re.fullmatch(r"\w+", name) else None
    except ValueError:  # a module without a spec, such as ``__main__``
        return None
    return Path(spec.origin).parent if spec and spec.has_location and spec.origin else None


def read_metadata(folder: Path) -> dict[str, str]:
    """Return the language, name and version of the pipeline in a folder without loading it. Raises MissingResourceError."""
    path = folder / "meta.json"
    with _check_complete(path, "pipeline_meta"):
        metadata = json.loads(path.read_bytes())
        identity = {key: metadata[key] for key in ("lang", "name", "version")}
        if not all(isinstance(value, str) and re.fullmatch(r"[\w.+-]+", value) for value in identity.values()):
            raise ValueError(f"{identity}")
        return identity


@contextmanager
def convert_loading_errors(name: str) -> Iterator[None]:
    """Convert any error raised by a third-party pipeline to a MissingResourceError with a one-line message."""
    with _check_complete(name, "pipeline"):
        yield


@contextmanager
def _check_complete(where: object, expected: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # spaCy and its pipelines raise arbitrary exceptions
        reason = getattr(error, "strerror", None) or " ".join(f"{type(error).__name__}: {error}".split())
        raise MissingResourceError(
            Message("error.broken_pipeline", where=str(where), found=reason[:200], expected=Message(f"expected.{expected}"))
        ) from None


@contextmanager
def use_fast_cpu() -> Iterator[None]:
    """Let models loaded in the context use NumPy's BLAS, several times faster than BLIS on many machines."""
    from thinc.api import NumpyOps, get_current_ops, set_current_ops

    previous_ops = get_current_ops()
    set_current_ops(NumpyOps(use_blis=False))
    try:
        yield
    finally:
        set_current_ops(previous_ops)
