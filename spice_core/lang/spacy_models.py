"""How pipelines are described, loaded (with the faster matrix products, without plugins of other languages) and run."""

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

_NEW_WORDS = 1 << 19  # that a pipeline reads until it is loaded anew, a word once a batch


class Pipeline:
    """A spaCy pipeline, loaded at first use; one thread at a time, and new words leave its vocabulary as it was.

    A copy loads its own pipeline. It can be pickled if the function that loads it can.
    """

    batch = 256  # texts that go through it together

    def __init__(self, load: Callable[[], Language], signature: str):
        self._load, self.signature, self._lock = load, signature, Lock()
        self._most_words = 0

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._load, self.signature)

    @cached_property
    def _nlp(self) -> Language:
        nlp = self._load()
        self._most_words = len(nlp.vocab) + _NEW_WORDS
        return nlp

    def _documents(self, texts: Iterable[str]) -> Iterator[Document]:
        """A document for each text, in order."""
        texts = iter(texts)
        while batch := list(islice(texts, self.batch)):
            with self._lock:
                with self._nlp.memory_zone():  # without it spaCy keeps every word that it ever saw
                    documents = list(map(self._document, self._nlp.pipe(batch, batch_size=self.batch)))
                if len(self._nlp.vocab) > self._most_words:  # with it, their places in spaCy's table stay (spaCy issue 13882)
                    del self._nlp
            yield from documents

    def _document(self, doc: Doc) -> Document:
        """What is kept of spaCy's document: nothing of spaCy itself, whose words are gone afterwards."""
        raise NotImplementedError


def package(name: str) -> Path | None:
    """The folder of an installed package; None where there is none of this name."""
    try:
        spec = find_spec(name) if re.fullmatch(r"\w+", name) else None
    except ValueError:  # of what runs as a program
        return None
    return Path(spec.origin).parent if spec and spec.has_location and spec.origin else None


def meta(folder: Path) -> dict[str, str]:
    """What a pipeline's folder says of it (lang, name, version), without loading it. Raises MissingResourceError."""
    path = folder / "meta.json"
    with _whole(path, "pipeline_meta"):
        found = json.loads(path.read_bytes())
        about = {key: found[key] for key in ("lang", "name", "version")}
        if not all(isinstance(value, str) and re.fullmatch(r"[\w.+-]+", value) for value in about.values()):
            raise ValueError(f"{about}")
        return about


@contextmanager
def loading(name: str) -> Iterator[None]:
    """Load a pipeline that others made. Raises MissingResourceError in one line, whatever is wrong with it."""
    with _whole(name, "pipeline"):
        yield


@contextmanager
def _whole(where: object, expected: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # spaCy and the pipelines raise what they like
        found = getattr(error, "strerror", None) or " ".join(f"{type(error).__name__}: {error}".split())
        raise MissingResourceError(
            Message("error.broken_pipeline", where=str(where), found=found[:200], expected=Message(f"expected.{expected}"))
        ) from None


@contextmanager
def fast_cpu() -> Iterator[None]:
    """Build models that use NumPy's BLAS for matrix products, several times faster than the default on many machines."""
    from thinc.api import NumpyOps, get_current_ops, set_current_ops

    before = get_current_ops()
    set_current_ops(NumpyOps(use_blis=False))
    try:
        yield
    finally:
        set_current_ops(before)


@contextmanager
def without_plugins() -> Iterator[None]:
    """Build a pipeline without importing installed spaCy plugins such as GiNZA."""
    from spacy.util import registry

    factories = registry._entry_point_factories
    before, factories.entry_points = factories.entry_points, False
    try:
        yield
    finally:
        factories.entry_points = before
