"""Forms of English words by Penn tag, learned from trees, and the words that are both nouns and verbs in captions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain

from spice_core.lang.en.lemmas import learn_lemmas
from spice_core.lang.en.wordnet.database import WordNet
from spice_core.syntax.document import Document, Sentence

_INFLECTED_TAGS = ("VB", "VBZ", "VBP", "VBD", "VBG", "VBN", "NN", "NNS")
_MIN_COUNT = 2  # minimum frequency of a replacement
_MIN_VERB_SHARE = 0.003  # minimum share of a word's uses as a verb
_MIN_NOUN_SHARE = 0.05  # minimum share of uses as a noun; "wear" is rarely a noun
_KNOWN_INTRANSITIVES = (
    "bat",
    "box",
    "chat",
    "clap",
    "crawl",
    "hike",
    "march",
    "sail",
)  # verbs without an object that are rare in the trees
_FORMS_OF_BE = {"VB": "be", "VBZ": "is", "VBP": "are", "VBD": "was", "VBG": "being", "VBN": "been"}


class Inflection:
    """Inflected forms of lemmas, from the trees or else by spelling rules."""

    def __init__(self, documents: Sequence[Document]):
        self._lemma = learn_lemmas(documents).lemma
        self._forms: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for token in chain.from_iterable(s.tokens for d in documents for s in d.sentences):
            if token.tag in _INFLECTED_TAGS and token.text.isalpha():
                self._forms[token.lemma, token.tag][token.text.lower()] += 1
        self.form = cache(self._find_form)

    def _find_form(self, lemma: str, tag: str) -> str | None:
        """Return the form of a lemma for a Penn tag, or None if uncertain."""
        if lemma == "be":
            return _FORMS_OF_BE.get(tag)
        group = "v" if tag.startswith("V") else "n"
        if tag not in _INFLECTED_TAGS or not lemma.isalpha() or group not in parts_of_speech(lemma):
            return None
        if tag in ("VB", "VBP", "NN"):
            return lemma
        form = self._attested_form(lemma, tag) or self._regular_form(lemma, tag)
        return form if form and self._lemma(form, tag) == lemma else None

    def _regular_form(self, lemma: str, tag: str) -> str | None:
        """Return the regular form. A past form is the "-ed" form attested under the other past tag."""
        if tag in ("VBD", "VBN"):
            participle_or_past = self._attested_form(lemma, "VBN" if tag == "VBD" else "VBD")
            return participle_or_past if participle_or_past and participle_or_past.endswith("ed") else None
        return s_form(lemma) if tag in ("VBZ", "NNS") else ing_form(lemma)

    def _attested_form(self, lemma: str, tag: str) -> str | None:
        """Return the most frequent plausible form in the trees, or None."""
        form_counts = Counter({form: n for form, n in self._forms[lemma, tag].items() if _is_plausible(form, lemma, tag)})
        return form_counts.most_common(1)[0][0] if form_counts else None


def _is_plausible(form: str, lemma: str, tag: str) -> bool:
    """Return whether a form can have the tag, by its ending (VBZ, VBG) or by its lemma in WordNet."""
    endings = {"VBZ": "s", "VBG": "ing"}
    if tag in endings:
        return form.endswith(endings[tag]) and form[0] == lemma[0] and (tag == "VBG" or form in (s_form(lemma), "has"))
    return lemma in _load_wordnet().bases(form) or (
        form == lemma and lemma in ("cut", "put", "hit", "set", "let", "shut", "hurt", "spread")
    )


def s_form(word: str) -> str:
    """Return the third person singular of a verb or the plural of a noun, by the spelling rules."""
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) or word in ("go", "do") else "s")


def ing_form(word: str) -> str | None:
    """Return the "-ing" form by the spelling rules, or None if doubling the last letter depends on stress ("visit", "begin")."""
    if word.endswith("e"):
        return None if word.endswith(("ie", "ee", "oe", "ye")) else word[:-1] + "ing"
    vowels = [letter in "aeiou" for letter in word]
    if vowels[-2:] != [True, False] or word[-1] in "wxy" or vowels[-3:-2] == [True]:
        return word + "ing"
    return f"{word}{word[-1]}ing" if sum(vowels) == 1 else None


class NounVerbWords:
    """Words that are nouns and verbs in both WordNet and the trees, weighted and grouped by verb frame."""

    def __init__(self, documents: Sequence[Document], inflection: Inflection, form_documents: Sequence[Document] = ()):
        counts = _count_uses(chain.from_iterable(d.sentences for d in (*documents, *form_documents)))
        of_captions = _count_nouns_and_verbs(documents)
        noun_verbs = (w for w, n in of_captions.items() if n >= _MIN_COUNT and _is_noun_and_verb(w) and _is_verb(counts[w]))
        words = [w for w in sorted({*_KNOWN_INTRANSITIVES, *noun_verbs}) if _has_all_forms(w, inflection)]
        weights = {w: max(_MIN_COUNT, of_captions[w]) ** 0.5 for w in words}
        self.intransitive = {w: n for w, n in weights.items() if w in _KNOWN_INTRANSITIVES or counts[w]["alone"] >= counts[w]["object"]}
        self.transitive = {w: n for w, n in weights.items() if w not in self.intransitive}
        self.nouns = {w: n for w, n in weights.items() if w in _KNOWN_INTRANSITIVES or _is_often_noun(counts[w])}


def _count_nouns_and_verbs(documents: Iterable[Document]) -> Counter[str]:
    tokens = chain.from_iterable(s.tokens for d in documents for s in d.sentences)
    return Counter(t.lemma for t in tokens if t.tag[:2] in ("NN", "VB"))


def _has_all_forms(word: str, inflection: Inflection) -> bool:
    return all(inflection.form(word, tag) for tag in ("VBZ", "VBG", "NNS"))


def _count_uses(sentences: Iterable[Sentence]) -> dict[str, Counter[str]]:
    """Return how often each lemma is a noun, a verb without arguments, a verb with only an object, and a verb with other arguments."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for verb, frame in _verb_frames(sentence):
            counts[verb]["alone" if not frame else "object" if frame == {"obj"} else "other"] += 1
        for token in sentence.tokens:
            if token.tag in ("NN", "NNS"):
                counts[token.lemma]["noun"] += 1
    return counts


def _is_often_noun(counts: Counter[str]) -> bool:
    return counts["noun"] >= max(_MIN_COUNT, _MIN_NOUN_SHARE * counts.total())


def _is_verb(counts: Counter[str]) -> bool:
    """Return whether the word is a verb too often for mistakes."""
    verbs = counts["alone"] + counts["object"]
    return verbs > 0 and verbs >= _MIN_VERB_SHARE * (verbs + counts["noun"])


def _verb_frames(sentence: Sentence) -> list[tuple[str, set[str]]]:
    """Return the lemma of each active verb with the relations of its arguments."""
    frames_by_verb: dict[int, set[str]] = defaultdict(set)
    for edge in sentence.basic:
        if edge.relation in ("obj", "iobj", "xcomp", "ccomp", "compound:prt", "aux:pass", "cop", "expl", "dep"):
            frames_by_verb[edge.head].add(edge.relation)
    return [(t.lemma, frames_by_verb[t.index]) for t in sentence.tokens if t.tag in ("VBG", "VBZ", "VBP", "VBD", "VB")]


def _is_noun_and_verb(word: str) -> bool:
    return word.isalpha() and len(word) > 2 and {"n", "v"} <= parts_of_speech(word)


@cache
def parts_of_speech(lemma: str) -> frozenset[str]:
    """Return the parts of speech under which WordNet lists the lemma itself."""
    synsets = (_load_wordnet().synset(synset_id) for synset_id in _load_wordnet().ids(lemma))
    return frozenset(s.pos for s in synsets if lemma in s.lemmas)


def _load_wordnet() -> WordNet:
    return WordNet.load(collisions=False)
