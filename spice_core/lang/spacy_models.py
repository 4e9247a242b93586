"""Metadata, loading and running of spaCy pipelines, with faster matrix products and without plugins of other languages."""

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

_MAX_NEW_WORDS = 1 << 19  # words that a pipeline reads before it is reloaded; a word counts once per batch


class Pipeline:
    """spaCy pipeline, loaded at first use; only one thread uses it at a time, and new words do not stay in its vocabulary.

    A copy loads its own pipeline. It can be pickled if the function that loads it can.
    """

    batch = 256  # texts per spaCy batch

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
        """Return a document for each text, in order."""
        texts = iter(texts)
        while batch := list(islice(texts, self.batch)):
            with self._lock:
                with self._nlp.memory_zone():  # otherwise spaCy keeps every word that it has seen
                    documents = list(map(self._to_document, self._nlp.pipe(batch, batch_size=self.batch)))
                if len(self._nlp.vocab) > self._max_words:  # otherwise the words' slots in spaCy's table remain (spaCy issue 13882)
                    del self._nlp
            yield from documents

    def _to_document(self, doc: Doc) -> Document:
        """Return a copy of the needed data of spaCy's document, which loses its words afterwards."""
        raise NotImplementedError


def package_folder(name: str) -> Path | None:
    """Return the folder of an installed package, or None if no package has this name."""
    try:
        spec = find_spec(name) if re.fullmatch(r"\w+", name) else None
    except ValueError:  # the module runs as a program
        return None
    return Path(spec.origin).parent if spec and spec.has_location and spec.origin else None


def read_metadata(folder: Path) -> dict[str, str]:
    """Return the metadata of a pipeline's folder (lang, name, version) without loading it. Raises MissingResourceError."""
    path = folder / "meta.json"
    with _check_complete(path, "pipeline_meta"):
        metadata = json.loads(path.read_bytes())
        identity = {key: metadata[key] for key in ("lang", "name", "version")}
        if not all(isinstance(value, str) and re.fullmatch(r"[\w.+-]+", value) for value in identity.values()):
            raise ValueError(f"{identity}")
        return identity


@contextmanager
def convert_loading_errors(name: str) -> Iterator[None]:
    """Load a third-party pipeline; any failure raises MissingResourceError with a one-line message."""
    with _check_complete(name, "pipeline"):
        yield


@contextmanager
def _check_complete(where: object, expected: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # spaCy and the pipelines raise arbitrary exceptions
        reason = getattr(error, "strerror", None) or " ".join(f"{type(error).__name__}: {error}".split())
        raise MissingResourceError(
            Message("error.broken_pipeline", where=str(where), found=reason[:200], expected=Message(f"expected.{expected}"))
        ) from None


@contextmanager
def use_fast_cpu() -> Iterator[None]:
    """Build models that use NumPy's BLAS for matrix products, several times faster than the default on many machines."""
    from thinc.api import NumpyOps, get_current_ops, set_current_ops

    previous_ops = get_current_ops()
    set_current_ops(NumpyOps(use_blis=False))
    try:
        yield
    finally:
        set_current_ops(previous_ops)


@contextmanager
def without_plugins() -> Iterator[None]:
    """Build a pipeline without importing installed spaCy plugins such as GiNZA."""
    from spacy.util import registry

    factories = registry._entry_point_factories
    previous_setting, factories.entry_points = factories.entry_points, False
    try:
        yield
    finally:
        factories.entry_points = previous_setting
