"""Penn-Treebank-like tokenizer that the parser `spice-2016` is trained with: it splits contractions, but not hyphenated words and "and/or"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from spacy.language import Language
from spacy.symbols import ORTH
from spacy.tokenizer import Tokenizer
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex, registry

# spaCy's own infixes also split at hyphens, slashes and full stops between letters; the Penn Treebank does not.
_INFIXES = [r"--+", r"\.\.\.+", r"…", r"[—–]", r"(?<=[A-Za-z])[,;:!?](?=[A-Za-z])", r"[\"“”()\[\]{}]"]
# A pair of backquotes is a token, and so is a final slash or full stop.
_SUFFIXES = [r"``", r"/$", r"\.$"]
_PREFIXES = "``|"
METHOD_BY_TABLE = {
    "prefix": "prefix_search",
    "suffix": "suffix_search",
    "infix": "infix_finditer",
}  # names of the methods of spaCy's tokenizer
_ABBREVIATIONS = ("t.v.", "T.V.", "D.V.D.", "w/", "approx.", "ft.", "in-between")


@registry.tokenizers("spice_core.penn_treebank")
def penn_treebank_tokenizer() -> Callable[[Language], Tokenizer]:
    """Return a function that creates spaCy's English tokenizer, adapted to the Penn Treebank. spaCy configurations use it by name."""

    def make_tokenizer(nlp: Language) -> Tokenizer:
        defaults = nlp.Defaults
        rules = {word: parts for word, parts in defaults.tokenizer_exceptions.items() if _is_penn_exception(word, parts)}
        rules |= {word: [{ORTH: word}] for word in _ABBREVIATIONS}
        return Tokenizer(
            nlp.vocab,
            rules=rules,
            prefix_search=compile_prefix_regex([_PREFIXES.rstrip("|"), *(defaults.prefixes or ())]).search,
            suffix_search=compile_suffix_regex([*(defaults.suffixes or ()), *_SUFFIXES]).search,
            infix_finditer=compile_infix_regex(_INFIXES).finditer,
        )

    return make_tokenizer


def _is_penn_exception(word: str, parts: Sequence[Mapping[int, str]]) -> bool:
    """Return whether to keep an exception. Split words need an apostrophe ("don't", not "dont"), except "cannot", "gonna" and the like."""
    return len(parts) == 1 or "'" in word or "’" in word or word.lower() in ("cannot", "gonna", "wanna", "gotta")
