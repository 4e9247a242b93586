"""English parsers based on spaCy pipelines that the user has installed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from spice_core.data.items import check_caption
from spice_core.errors import Message, MissingResourceError, not_installed_error
from spice_core.lang.en.parsers.clearnlp import is_clear_style, to_universal
from spice_core.lang.spacy_models import Pipeline, convert_loading_errors, package_folder, read_metadata, use_fast_cpu
from spice_core.syntax.document import Dependency, Document, Sentence, Token

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Token as SpacyToken


class SpacyParser(Pipeline):
    """Parser of captions with a spaCy pipeline that yields Penn tags and UD or ClearNLP-style dependencies."""

    @cached_property
    def _has_clear_labels(self) -> bool:
        return is_clear_style(self._nlp)

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield a document for each caption, with normalised white space."""
        return self._documents(" ".join(check_caption(caption, "caption").split()) for caption in captions)

    def _to_document(self, doc: Doc) -> Document:
        sentences = tuple(self._to_sentence(list(span)) for span in doc.sents) if len(doc) else ()
        return Document(doc.text, sentences)

    def _to_sentence(self, words: list[SpacyToken]) -> Sentence:
        offset = words[0].i - 1
        tokens = tuple(Token(w.i - offset, w.text, w.lemma_.lower(), w.tag_, w.idx, w.idx + len(w)) for w in words)
        basic = tuple(
            Dependency(0, w.i - offset, "root") if w.head is w or w.head.i == w.i else Dependency(w.head.i - offset, w.i - offset, w.dep_)
            for w in words
        )
        return Sentence(tokens, to_universal(tokens, basic) if self._has_clear_labels else basic)


def installed_parser(name: str) -> SpacyParser:
    """Return the parser ``spacy:NAME`` with an installed spaCy pipeline or a pipeline in a folder.

    The pipeline must have UD labels, or the labels of ``en_core_web_*``, which the parser converts to UD. Raises
    MissingResourceError with the command that installs the pipeline if it is missing.
    """
    folder = Path(name) if os.path.isdir(name) else package_folder(name)
    if not folder:
        raise MissingResourceError(Message("error.spacy_not_installed", name=name))
    metadata = read_metadata(folder)
    return SpacyParser(partial(_load_pipeline, name), f"spacy-{metadata['lang']}_{metadata['name']}-{metadata['version']}")


def _load_pipeline(name: str) -> Language:
    try:
        import spacy
    except ImportError:
        raise not_installed_error("spaCy", "pip install 'spice_core[spacy]'") from None
    with use_fast_cpu(), convert_loading_errors(name):
        return spacy.load(name, exclude=["ner"])
