"""Tokens of captions for the text metrics, and the signatures of these metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import NamedTuple

from spice_core.lang import language
from spice_core.lang.pack import LanguagePack
from spice_core.metrics.metric import Batch, CaptionItems
from spice_core.metrics.spice import Spice
from spice_core.syntax.clean_text import clean_caption
from spice_core.version import __version__

INSTALL_BASELINES_COMMAND = 'pip install ".[baselines]"'
_PUNCTUATION_MARKS = frozenset(
    "'' ' `` ` -LRB- -RRB- -LCB- -RCB- ( ) { } [ ] . ? ! , : ; - -- ... … \" “ ” ’ ‘ 。 、 ！ ？ 「 」 （ ） ・".split()
)
TokenTexts = list[str]


class TokenPair(NamedTuple):
    """Tokens of a candidate and of its references."""

    candidate: TokenTexts
    references: tuple[TokenTexts, ...]


def tokenise_captions(captions: Iterable[str], pack: LanguagePack) -> list[TokenTexts]:
    """Split each caption into tokens of the language's tokenizer, without punctuation."""
    split = pack.tokenizer()
    return [[w for w in split(" ".join(clean_caption(caption).split())) if w and w not in _PUNCTUATION_MARKS] for caption in captions]


def tokenise_items(items: CaptionItems, pack: LanguagePack) -> list[TokenPair]:
    """Tokenise candidates and references. Each distinct caption is tokenised only once."""
    distinct_texts = list(dict.fromkeys(c for candidate, references in items for c in (candidate, *references)))
    tokens_by_text = dict(zip(distinct_texts, tokenise_captions(distinct_texts, pack)))
    return [TokenPair(tokens_by_text[candidate], tuple(tokens_by_text[r] for r in references)) for candidate, references in items]


def token_pairs(batch: Batch) -> list[TokenPair]:
    """Return the tokens of a batch.

    Call this function through ``batch.compute_once``, which caches the tokens.
    """
    return tokenise_items(batch.items, batch.pack)


def text_signature(name: str, *libraries: str, synonyms: Callable[[LanguagePack], str] | None = None) -> Callable[[Spice], str]:
    """Return a function from settings to the signature of a text metric.

    The signature contains the name, the language, the tokenizer, the synonym source if any, and the versions of the libraries and of this
    package.
    """

    def signature_of_metric(spice: Spice) -> str:
        pack = language(spice.lang)
        parts = {"lang": pack.code, "tokens": pack.tokenizer().signature}
        if synonyms:
            parts["synonyms"] = synonyms(pack)
        parts |= {library: version(library) for library in libraries} | {"version": __version__}
        return "|".join([name, *(f"{key}:{value}" for key, value in parts.items())])

    return signature_of_metric
