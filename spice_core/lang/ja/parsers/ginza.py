"""The Japanese parser: GiNZA's pipeline, converted to documents of morphemes with UD trees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from importlib.metadata import version
from itertools import tee
from typing import TYPE_CHECKING

from spice_core.data.items import check_caption
from spice_core.errors import not_installed_error
from spice_core.lang.ja.sudachi import INSTALL_COMMAND, convert_tokenizer_errors, load_dictionary
from spice_core.lang.ja.vector_table import read_vectors
from spice_core.lang.spacy_models import Pipeline, convert_loading_errors, package_folder, read_metadata, use_fast_cpu
from spice_core.syntax.document import Dependency, Document, Sentence, Token

if TYPE_CHECKING:
    from spacy.lang.ja import DetailedToken, JapaneseTokenizer
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Token as SpacyToken
    from sudachipy import MorphemeList

DEFAULT_PIPELINE = "ja_ginza"
UNUSED_COMPONENTS = ["ner", "compound_splitter", "bunsetu_recognizer"]
_JAPANESE_SPACE = re.compile(r"(?<![!-~]) | (?![!-~])")  # a space that is not between two ASCII words
_QUOTED_CAPTION = re.compile('[「『“"]([^「」『』“”"]+)[」』”"]')
_SENTENCE = re.compile("(?:「[^「」]*」|『[^『』]*』|（[^（）]*）|[^。])+。*|。+")
_DO_VERBS = frozenset(("する", "できる", "いたす", "なさる", "出来る"))
_VERB_ENDINGS = tuple("うくぐすつぬぶむる")
_CLAUSE_LABELS = frozenset(("advcl_bunsetu", "acl_bunsetu", "ROOT"))
_BUNSETSU_SUFFIX = "_bunsetu"  # GiNZA's mark of a bunsetsu's head; the heads also follow from the UD labels


class GinzaParser(Pipeline):
    """Parser of captions by GiNZA, which returns Sudachi's morphemes and tags with UD dependencies."""

    texts_per_batch = 128

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield one document per caption, in order. White space is removed except between ASCII characters.

        GiNZA reads each sentence on its own, without quotation marks around the caption and with a final 。, so that none of these
        changes the tree of a sentence.
        """
        texts, copies = tee(_JAPANESE_SPACE.sub("", " ".join(check_caption(caption, "caption").split())) for caption in captions)
        with convert_tokenizer_errors():
            documents = self._documents(_with_stop(text[start:end]) for text in copies for start, end in _sentence_spans(text))
            for text in texts:
                spans = _sentence_spans(text)
                sentences = (_shift_offsets(s, span) for span, document in zip(spans, documents, strict=False) for s in document.sentences)
                yield Document(text, tuple(s for s in sentences if s.tokens))

    def _to_document(self, doc: Doc) -> Document:
        return Document(doc.text, tuple(self._to_sentence(list(span)) for span in doc.sents) if len(doc) else ())

    def _to_sentence(self, words: list[SpacyToken]) -> Sentence:
        offset = words[0].i - 1
        tokens = tuple(Token(w.i - offset, w.text, *_lemma_and_tag(w), w.idx, w.idx + len(w)) for w in words)
        basic = tuple(
            Dependency(0, w.i - offset, "root")
            if w.head.i == w.i
            else Dependency(w.head.i - offset, w.i - offset, w.dep_.removesuffix(_BUNSETSU_SUFFIX))
            for w in words
        )
        return Sentence(tokens, basic)


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each sentence of a caption, without quotation marks around the caption."""
    quoted = _QUOTED_CAPTION.fullmatch(text)
    return [match.span() for match in _SENTENCE.finditer(text, *(quoted.span(1) if quoted else ()))]


def _with_stop(sentence: str) -> str:
    return sentence if sentence.endswith(("。", "！", "？", "!", "?", ".", "．", "…")) else sentence + "。"


def _shift_offsets(sentence: Sentence, span: tuple[int, int]) -> Sentence:
    """Return a sentence with its offsets in the caption, without a 。 that the caption lacks."""
    start, end = span
    tokens = tuple(t._replace(start=t.start + start, end=t.end + start) for t in sentence.tokens if t.start + start < end)
    edges = (Dependency(0, e.dependent, "root") if e.head > len(tokens) else e for e in sentence.basic[: len(tokens)])
    return Sentence(tokens, tuple(edges))


def _lemma_and_tag(word: SpacyToken) -> tuple[str, str]:
    """Return the lemma (dictionary form of verbs and adjectives, surface form of other words) and Sudachi's tag, with ambiguous tags (…可能) resolved."""
    tag, pos, text = word.tag_, word.pos_, word.text
    if tag.startswith("副詞"):
        is_light_verb = any(w.lemma_ in _DO_VERBS and w.i == word.i + 1 for w in word.children)  # にこにこ|する
        return (text + "する", "動詞-サ変") if is_light_verb else (text, tag)
    if tag.startswith("名詞"):
        if (pos == "VERB" and _is_used_as_verb(word)) or _forms_verb_with_suru(word):
            return text + "する", "動詞-サ変"
        return text, "形状詞-一般" if pos == "ADJ" and tag.endswith("形状詞可能") else tag
    if tag.startswith(("動詞", "形容詞", "助動詞")):
        if pos in ("NOUN", "PROPN") and not _is_finite(word) and not word.dep_.startswith(("advcl", "acl", "ROOT")):
            return text, "名詞-転成"
        return word.lemma_, tag
    return text, tag


def _is_finite(word: SpacyToken) -> bool:
    """Return whether a verb form cannot be a noun: the form that ends a clause, or the volitional form (登ろう, "let's climb")."""
    return word.tag_.startswith("動詞") and word.text.endswith(_VERB_ENDINGS if word.text == word.lemma_ else ("う",))


def _forms_verb_with_suru(word: SpacyToken) -> bool:
    """Return whether する right after a noun only makes the noun a verb: 胴上げ|する ("toss into the air")."""
    return any(w.lemma_ == "する" and w.i == word.i + 1 and w.dep_ == "aux" for w in word.children)


def _is_used_as_verb(word: SpacyToken) -> bool:
    """Return whether a noun is used as a verb: する follows it, or it ends a clause that omits する."""
    if any(w.lemma_ in _DO_VERBS and w.i > word.i for w in word.children):
        return True
    return word.tag_.endswith("サ変可能") and word.dep_ in _CLAUSE_LABELS and not any(w.dep_ == "case" for w in word.children)


def ginza_parser() -> GinzaParser:
    """Return the parser ``ginza``: ja_ginza without components that the rules do not need. Raises MissingResourceError."""
    return installed_parser(DEFAULT_PIPELINE)


def installed_parser(name: str) -> GinzaParser:
    """Return the parser ``ginza:NAME``: another pipeline with GiNZA's labels, such as ja_ginza_electra."""
    folder = package_folder(name) if package_folder("ginza") else None
    if folder is None:
        is_other_pipeline = (
            package_folder("ginza") and name != DEFAULT_PIPELINE and name.isidentifier()
        )  # the extra does not install such a pipeline
        raise not_installed_error(
            name if package_folder("ginza") else "ginza", f"pip install {name.replace('_', '-')}" if is_other_pipeline else INSTALL_COMMAND
        )
    metadata = read_metadata(folder)
    return GinzaParser(partial(_load_pipeline, name), f"{name}-{metadata['version']}+sudachidict-{version('SudachiDict-core')}")


def _load_pipeline(name: str) -> Language:
    import spacy
    from spacy.lang.ja import JapaneseTokenizer

    with use_fast_cpu(), convert_loading_errors(name):
        nlp = spacy.load(name, exclude=[*UNUSED_COMPONENTS, "strings", "vectors"])  # the components bring their labels' strings
        if vectors := read_vectors(nlp.path):
            nlp.vocab.vectors = vectors
        if isinstance(nlp.tokenizer, JapaneseTokenizer):
            _reduce_tokenizer_memory(nlp.tokenizer)
    return nlp


def _reduce_tokenizer_memory(tokenizer: JapaneseTokenizer) -> None:
    """Share the dictionary, and drop data that the parser does not use: shorter units, readings, inflections."""
    tokenizer.tokenizer = load_dictionary().create(mode=tokenizer.split_mode or "A")
    read_tokens = tokenizer._get_dtokens
    tokenizer.need_subtokens = False

    def lighten_tokens(tokens: MorphemeList) -> list[DetailedToken]:
        return [m._replace(inf="", reading="") for m in read_tokens(tokens)]

    tokenizer._get_dtokens = lighten_tokens  # type: ignore[method-assign, assignment]
