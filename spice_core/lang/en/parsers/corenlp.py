"""Parser ``corenlp:URL``: trees from a user's CoreNLP server. Version 3.6.0 returns the trees of the original SPICE.

The original SPICE takes trees and tags from the PCFG parser. The requests therefore name only the annotators
``tokenize,ssplit,parse``, because a tagger before the parser changes trees. A request contains several captions with two
line breaks between them, which end sentences. The offsets of each sentence in the answer show which caption contains it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from spice_core.data.items import check_caption
from spice_core.errors import InputError, Message
from spice_core.lang.en.lemmas import Lemmas
from spice_core.lang.en.parsers.corenlp_server import TIMEOUT_S, CoreNLPClient, ServerTimeout
from spice_core.syntax.conllu import convert_to_v2
from spice_core.syntax.document import Dependency, Document, Sentence, Token, find_cycle

_LEMMAS_PATH = Path(__file__).parents[1] / "models" / "spice-2016" / "lemmas.json"
_ANNOTATORS = "tokenize,ssplit,parse"
_MAX_REQUEST_CAPTIONS, _MAX_REQUEST_CHARS = 24, 2_400  # limits of one request
_CAPTION_SEPARATOR = "\n\n"
_GRAPH_KEYS = {  # names of the basic tree, and of the enhanced graph if the rules of 2016 read that graph
    "basic-dependencies": "collapsed-ccprocessed-dependencies",  # version 3.6
    "basicDependencies": "",  # version 3.7 and later
}
# probe captions, parsed differently by different parsers and versions
_PROBE_CAPTIONS = (
    "A man is riding a wave on top of a surfboard.",
    "A couple of dogs and a cat that are lying next to two of the red chairs",
    "A woman standing in a kitchen by a window",
    "Two brown horses stand close to each other, and a zebra is behind them. It is sunny.",
    "a stop sign that is hanging upside down",
    "A tray with cut carrots, mixed nuts, celery and oranges.",
    "The boy's mother watches him skateboard down a set of stairs while wearing a helmet.",
    "young girls playing soccer outside being watched by people in the stands",
    "Various fruit and bread slices sit beside a half eaten sandwich plate",
    "A bathroom features white walls, a glass shower stall and a toilet seat left up",
)
_VERSION_BY_DIGEST = {"70a26328": "3.6.0", "55a1706c": "4.5.10"}  # versions by digest of the answers to the probe captions


class CoreNLP:
    """Parser that sends captions to a CoreNLP server. Its signature depends on the server's answers, not on the URL."""

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S):
        self._client = CoreNLPClient(url, timeout_s=timeout_s)
        self._lemmas = Lemmas.read(_LEMMAS_PATH)

    @cached_property
    def signature(self) -> str:
        """The version of CoreNLP (or "other") and a digest of the annotators and the server's answers to the probe captions.

        Raises MissingResourceError if no server answers, and InputError if an answer is not CoreNLP's.
        """
        trees = [[s.tokens, s.basic, s.enhanced] for document in self._request_documents(_PROBE_CAPTIONS) for s in document.sentences]
        digest = sha256(json.dumps([_ANNOTATORS, trees]).encode()).hexdigest()[:8]
        return f"corenlp-{_VERSION_BY_DIGEST.get(digest, 'other')}-{digest}"

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield a document for each caption, with normalised white space. Raises MissingResourceError and InputError."""
        batch: list[str] = []
        for caption in captions:
            text = " ".join(check_caption(caption, "caption").split())
            if batch and (len(batch) == _MAX_REQUEST_CAPTIONS or sum(map(len, batch)) + len(text) > _MAX_REQUEST_CHARS):
                yield from self._request_documents(batch)
                batch = []
            batch.append(text)
        yield from self._request_documents(batch)

    def _request_documents(self, captions: Sequence[str]) -> list[Document]:
        """Return the document of each caption, from one request if possible.

        If the request times out, send one request for each half of the captions. If a word of a caption has several prepositions,
        send that caption again alone.
        """
        if not any(captions):
            return [Document(caption, ()) for caption in captions]
        try:
            sentences = self._client.annotate(_CAPTION_SEPARATOR.join(captions), _ANNOTATORS)
        except ServerTimeout:
            if len(captions) == 1:
                raise
            half = len(captions) // 2
            return self._request_documents(captions[:half]) + self._request_documents(captions[half:])
        documents = self._split_by_caption(captions, sentences)
        if len(captions) == 1:
            return documents
        # The original SPICE sends each caption separately: other captions in a request can change the choice between two prepositions.
        return [self._request_documents([d.text])[0] if any(map(_has_several_prepositions, d.sentences)) else d for d in documents]

    def _split_by_caption(self, captions: Sequence[str], sentences: list[Any]) -> list[Document]:
        """Return the document of each caption, with the sentences in its span.

        Raises InputError if a sentence is malformed or spans two captions, or a caption with letters or digits has no sentence.
        """
        text = _CAPTION_SEPARATOR.join(captions)
        character_offsets, starts = _utf16_offsets(text), [0]
        for caption in captions:
            starts.append(starts[-1] + len(caption) + len(_CAPTION_SEPARATOR))
        sentences_by_caption: list[list[Sentence]] = [[] for _ in captions]
        for json_sentence in sentences:
            try:
                sentence = self._read_sentence(json_sentence, text, character_offsets)
            except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
                raise self._client.unreadable_answer_error(json.dumps(json_sentence, ensure_ascii=False)) from None
            caption_index = bisect_right(starts, sentence.tokens[0].start) - 1
            if sentence.tokens[-1].end > starts[caption_index] + len(captions[caption_index]):
                found_words = Message("found.unreadable", reason=" ".join(t.text for t in sentence.tokens))
                raise InputError(self._client.url, found_words, Message("expected.sentence_end", caption=captions[caption_index]))
            sentences_by_caption[caption_index].append(_shift_offsets(sentence, starts[caption_index]))
        for caption, caption_sentences in zip(captions, sentences_by_caption):
            if not caption_sentences and any(map(str.isalnum, caption)):
                raise InputError(self._client.url, Message("found.nothing"), Message("expected.parse_of", caption=caption))
        return [Document(caption, tuple(sentences)) for caption, sentences in zip(captions, sentences_by_caption)]

    def _read_sentence(self, json_sentence: Any, text: str, character_offsets: Sequence[int]) -> Sentence:
        """Return a sentence of an answer in UD v2. Raises InputError, or another exception if the sentence is malformed."""
        basic_name = next((name for name in _GRAPH_KEYS if name in json_sentence), "")
        if not basic_name:
            raise InputError(self._client.url, Message("found.no_answer_trees"), Message("expected.annotators", names=_ANNOTATORS))
        tokens = [self._read_token(index, token, text, character_offsets) for index, token in enumerate(json_sentence["tokens"], 1)]
        if not tokens or any(previous.end > token.start for previous, token in pairwise(tokens)):
            raise ValueError
        basic_edges, enhanced_edges = (
            _read_edges(json_sentence[name], len(tokens)) if name else [] for name in (basic_name, _GRAPH_KEYS[basic_name])
        )
        headless_tokens = {t.index for t in tokens} - {e.dependent for e in basic_edges}
        basic_edges = sorted([*basic_edges, *(Dependency(0, index, "root") for index in headless_tokens)], key=lambda e: e.dependent)
        if len(basic_edges) != len(tokens) or find_cycle(basic_edges):
            raise ValueError
        basic_edges, enhanced_edges = convert_to_v2(tokens, basic_edges, enhanced_edges)
        return Sentence(tuple(tokens), tuple(basic_edges), tuple(enhanced_edges) or None)

    def _read_token(self, index: int, json_token: Any, text: str, character_offsets: Sequence[int]) -> Token:
        start, end = character_offsets[json_token["characterOffsetBegin"]], character_offsets[json_token["characterOffsetEnd"]]
        if not json_token["originalText"] == text[start:end] != "":
            found = Message("found.unreadable", reason=str(json_token["originalText"]))
            raise InputError(self._client.url, found, Message("expected.words", words=text[start:end]))
        lemma = self._lemmas.lemma(json_token["word"].replace("\xa0", " "), json_token["pos"]).strip()
        return Token(index, json_token["originalText"], lemma, json_token["pos"], start, end)


def connect(url: str) -> CoreNLP:
    """Return the parser ``corenlp:URL`` once its server has answered. Raises MissingResourceError and InputError."""
    parser = CoreNLP(url)
    parser.signature  # noqa: B018  # asks the server
    return parser


def _has_several_prepositions(sentence: Sentence) -> bool:
    """Return whether a word has several prepositions, in which case CoreNLP may label its enhanced edge with any of them."""
    count_by_head = Counter(e.head for e in sentence.basic if e.relation == "case")
    return sentence.enhanced is not None and any(count > 1 for count in count_by_head.values())


def _read_edges(json_edges: Any, token_count: int) -> list[Dependency]:
    """Return the edges of a graph, sorted by dependent. Raises ValueError if an edge names a word that the sentence lacks."""
    edges = [Dependency(int(e["governor"]), int(e["dependent"]), str(e["dep"])) for e in json_edges]
    if not all(0 <= e.head <= token_count and 1 <= e.dependent <= token_count for e in edges):
        raise ValueError
    return sorted((e if e.head else e._replace(relation="root") for e in edges), key=lambda e: e.dependent)


def _shift_offsets(sentence: Sentence, start: int) -> Sentence:
    """Return the sentence with offsets into its caption, which starts at ``start`` in the text of the request."""
    return replace(sentence, tokens=tuple(t._replace(start=t.start - start, end=t.end - start) for t in sentence.tokens))


def _utf16_offsets(text: str) -> Sequence[int]:
    """Return the character offset of each UTF-16 unit of a text, and of its end. Java counts UTF-16 units."""
    if text.isascii():
        return range(len(text) + 1)
    return [i for i, c in enumerate(text) for _ in range(1 + (c > "\uffff"))] + [len(text)]
