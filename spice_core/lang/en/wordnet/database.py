"""English WordNet 3.0: the synsets of words and phrases.

The folder of this module contains the index that `tools/build_wordnet.py` writes, the collisions of ids in the original
SPICE, and WordNet's licence.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect, bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import overload
from zipfile import BadZipFile, ZipFile

from spice_core.errors import Message, MissingResourceError
from spice_core.scene.synonyms import MAX_ORDINARY_RANK, Senses
from spice_core.syntax.document import Token

WORDNET_FOLDER = Path(__file__).parent
ARCHIVE_NAME = "wordnet-3.0.zip"
RANKS_NAME = "ranks.zip"
COLLISIONS_NAME = "collisions.json"
_PARTS_OF_SPEECH = (("NN", "n"), ("VB", "v"), ("JJ", "a"), ("RB", "r"))  # by the beginning of the tag
BLOCK_LINES = 1024  # synsets per member of the archive, which are unpacked together

# Endings of a form and of its base. The first rule that yields a lemma of any part of speech applies, so the order affects scores. The
# rules for nouns include "s" and "ies" of verbs.
SUFFIX_RULES: tuple[tuple[str, str], ...] = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),  # nouns
    *(("men", "man"), ("ies", "y")),
    *(("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),  # verbs
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),  # adjectives
)
# Parts of speech that take an ending. RankedWordNet counts only these for the base: "skier" is no form of the noun "ski".
PARTS_OF_SPEECH_BY_ENDING = {
    "s": "nv",
    "ies": "nv",
    "es": "v",
    "ed": "v",
    "ing": "v",
    "er": "ar",
    "est": "ar",
}  # all other endings inflect nouns
IRREGULAR_ENDING = re.compile("(ed|ing|er|est)$")  # endings that determine the part of speech even of forms in the exception lists


@dataclass(frozen=True, slots=True)
class Synset:
    """A sense: its synonymous words and their gloss.

    `collision` is true for an id that the original SPICE gives to unrelated words. Such an id counts in matching, but its
    words are not synonyms, and `gloss` says so.
    """

    id: int
    name: str
    pos: str
    lemmas: tuple[str, ...]
    gloss: str
    examples: tuple[str, ...] = ()
    hypernyms: tuple[int, ...] = ()
    collision: bool = False


def normalise(phrase: str) -> str:
    """Return a phrase in WordNet's spelling: trimmed, in lower case, with underscores for spaces."""
    return phrase.strip().lower().replace(" ", "_")


class WordNet:
    """WordNet's synsets of English words, without regard to parts of speech. Create it with `WordNet.load()`."""

    def __init__(self, folder: Path = WORDNET_FOLDER, *, collisions: bool = True):
        """Read the index in a folder. Raises `MissingResourceError` if a file of the index is missing or damaged."""
        self.signature = "wn3.0+collisions" if collisions else "wn3.0"
        self._folder, self._collisions = folder, collisions
        self._archive: dict[str, ZipFile] = {}
        lemmas, senses, exceptions = self._read_bytes("lemmas", "senses", "exceptions")
        self._lemmas = LineTable(lemmas)
        self._senses = self._lines_by_lemma(senses)
        self.exceptions: dict[str, tuple[str, ...]] = {
            form: tuple(bases) for form, *bases in map(str.split, exceptions.decode().split("\n"))
        }
        self._groups: list[list[str]] = _read_groups(folder) if collisions else []
        self._collision_ids: dict[str, set[int]] = {}
        for group_number, group in enumerate(self._groups, start=1):
            for lemma in group:
                self._collision_ids.setdefault(lemma, set()).add(-group_number)
        self._ids = lru_cache(maxsize=1 << 14)(self._look_up)
        self._block = lru_cache(maxsize=64)(self._read_block)
        self._hypernym_cache = lru_cache(maxsize=None)(self._read_hypernyms)
        self._sense_by_name = lru_cache(maxsize=64)(self._find_sense)

    @staticmethod
    def load(*, collisions: bool = True) -> WordNet:
        """Return the bundled WordNet, which each process reads once.

        Without `collisions`, words are synonyms only if they share a real synset. The scores of the original SPICE need
        collisions.
        """
        return _load_wordnet(WORDNET_FOLDER, bool(collisions))

    def __reduce__(self) -> tuple[object, ...]:
        return _load_wordnet, (self._folder, self._collisions)

    def __contains__(self, phrase: str) -> bool:
        return self._lemmas.find(normalise(phrase)) is not None

    def ids(self, phrase: str) -> frozenset[int]:
        """Return the synset ids of a phrase and of its base forms. Negative ids are collisions."""
        return self._ids(phrase)

    def bases(self, phrase: str) -> tuple[str, ...]:
        """Return the base forms in the exception lists, or else the base form by a suffix rule, if any."""
        return tuple(base for base, _ in self._inflections(phrase))

    def _inflections(self, phrase: str) -> list[tuple[str, str]]:
        """Return each base form with the parts of speech for which the phrase may be an inflected form."""
        form = normalise(phrase)
        if form in self.exceptions:
            match = IRREGULAR_ENDING.search(form)
            return [(base, PARTS_OF_SPEECH_BY_ENDING[match[1]] if match else "nvar") for base in self.exceptions[form]]
        if form.endswith("ss") or len(form) <= 2:
            return []
        ful = "ful" if form.endswith("ful") else ""
        stem = form.removesuffix(ful)
        for ending, base_ending in SUFFIX_RULES:
            if stem.endswith(ending) and self._lemmas.find(base := stem.removesuffix(ending) + base_ending) is not None:
                return [(base + ful, PARTS_OF_SPEECH_BY_ENDING.get(ending, "n"))]
        return []

    def synset(self, id: int) -> Synset:
        """Return the synset with an id. Raises `KeyError` if `ids` never returns that id."""
        if -len(self._groups) <= id < 0:
            return self._collision_synset(id)
        block, line = divmod(id, BLOCK_LINES)
        try:
            name, lemmas, hypernyms, gloss, *examples = self._block(block)[line].split("\t")
        except LookupError:
            raise KeyError(f"{self.signature} has no synset with the id {id}") from None
        return Synset(
            id=id,
            name=name,
            pos=name.rsplit(".", 2)[1],
            lemmas=tuple(lemmas.split()),
            gloss=gloss,
            examples=tuple(examples),
            hypernyms=tuple(map(int, hypernyms.split())),
        )

    def hypernyms(self, id: int) -> frozenset[int]:
        """Return the ids of the direct hypernyms, including instance hypernyms, or an empty set if the id is a collision."""
        block, line = divmod(id, BLOCK_LINES)
        return frozenset(map(int, self._hypernym_cache(block)[line].split())) if id >= 0 else frozenset()

    def sense_rank(self, phrase: str, id: int) -> int | None:
        """Return the frequency rank of a sense within its part of speech, from 1, or None if the word does not have the sense."""
        word_forms = {normalise(phrase), *self.bases(phrase)}
        return min((rank for form in word_forms for entry_id, rank in self._ranked_ids(form) if entry_id == id), default=None)

    def _ranked_ids(self, form: str) -> list[tuple[int, int]]:
        """Return the synset ids of a lemma, each with its frequency rank."""
        if (line_index := self._lemmas.find(form)) is None:
            return []
        ids = self._senses[line_index].split()
        ranks = self._ranks[line_index] or "!" * len(ids)
        return [(int(id), ord(rank) - ord(" ")) for id, rank in zip(ids, ranks, strict=True)]

    def noun_kinds(self, lemma: str, senses: Iterable[str]) -> frozenset[str]:
        """Return which of the named senses (``person.n.01``) are a word's most frequent noun sense or one of its hypernyms.

        ``entity.n.01`` is a hypernym of all nouns.
        """
        hypernyms = self._noun_hypernyms(lemma)
        return frozenset(name for name in senses if self._sense_by_name(name) in hypernyms)

    def _noun_hypernyms(self, lemma: str) -> frozenset[int]:
        senses = sorted((self.sense_rank(lemma, i) or 99, i) for i in self.ids(lemma) if i >= 0 and self._part_of_speech(i) == "n")
        level, ancestors = [i for _, i in senses[:1]], set[int]()
        while level:
            ancestors.update(level)
            level = [hypernym for i in level for hypernym in self.hypernyms(i)]
        return frozenset(ancestors)

    def _find_sense(self, name: str) -> int:
        """Return the id of the noun sense with this name."""
        lemma, _, rank = name.rsplit(".", 2)
        return next(i for i, sense_number in self._ranked_ids(lemma) if self._part_of_speech(i) == "n" and sense_number == int(rank))

    def shared_synsets(self, a: str, b: str) -> tuple[Synset, ...]:
        """Return the synsets that two phrases share, true synsets first."""
        synset_ids = self.ids(a) & self.ids(b)
        return tuple(map(self.synset, sorted(synset_ids, key=lambda i: (i < 0, abs(i)))))

    def _look_up(self, phrase: str) -> frozenset[int]:
        word_forms = {normalise(phrase), *self.bases(phrase)}
        lines = (self._lemmas.find(form) for form in word_forms)
        synset_ids = {int(id) for line in lines if line is not None for id in self._senses[line].split()}
        return frozenset(synset_ids.union(*(self._collision_ids.get(form, ()) for form in word_forms)))

    def _collision_synset(self, id: int) -> Synset:
        lemmas = tuple(self._groups[-id - 1])
        lemma_list = ", ".join(lemma.replace("_", " ") for lemma in lemmas)
        gloss = f"not a synonym: a collision of ids in the original SPICE, shared by {lemma_list}"
        return Synset(id, f"collision.{-id:03}", "", lemmas, gloss, collision=True)

    def _read_block(self, block_index: int) -> list[str]:
        return self._read_lines(f"synsets/{block_index:03}")[0]

    def _read_hypernyms(self, block_index: int) -> list[str]:
        """Return the hypernyms of the synsets in a block, from a separate cache, because path searches visit many synsets."""
        return [line.split("\t", 3)[2] for line in self._read_block(block_index)]

    @cached_property
    def _ranks(self) -> LineTable:
        """The ranks of the ids of each lemma: "!" stands for 1, the next character for 2, and an empty line for ranks that are all 1."""
        return self._lines_by_lemma(*self._read_bytes("ranks", archive=RANKS_NAME))

    def _lines_by_lemma(self, text: bytes) -> LineTable:
        """Return the lines of a text with one line per lemma. Raises ValueError if the number of lines differs."""
        table = LineTable(text)
        if len(table) != len(self._lemmas):
            raise ValueError(f"found {len(table)} lines, expected {len(self._lemmas)}, one for each lemma")
        return table

    def parts_of_speech(self, tokens: Iterable[Token]) -> str:
        """Return the parts of speech (among n, v, a, r) of tokens with Penn Treebank tags. A participle is both verb and adjective."""
        letters = {_parts_of_speech_of_word(token.tag, token.lemma) for token in tokens}
        return letters.pop() if len(letters) == 1 else "".join([pos for pos in "nvar" if any(pos in word for word in letters)])

    def _part_of_speech(self, id: int) -> str:
        """Return the part of speech (n, v, a or r) of a synset that is not a collision. The ids are sorted in this order."""
        return "nvar"[bisect(self._boundaries, id)]

    @cached_property
    def _boundaries(self) -> tuple[int, ...]:
        """The first ids of verbs, adjectives and adverbs."""
        return tuple(map(int, self._read_lines("boundaries", archive=RANKS_NAME)[0]))

    def _read_lines(self, *members: str, archive: str = ARCHIVE_NAME) -> list[list[str]]:
        return [content.decode().split("\n") for content in self._read_bytes(*members, archive=archive)]

    def _read_bytes(self, *members: str, archive: str = ARCHIVE_NAME) -> list[bytes]:
        with _convert_file_errors(self._folder / archive) as path:
            if archive not in self._archive:  # in memory, so that processes share no file position
                self._archive[archive] = ZipFile(BytesIO(path.read_bytes()))
            return list(map(self._archive[archive].read, members))


@lru_cache(maxsize=1 << 12)
def _parts_of_speech_of_word(tag: str, lemma: str) -> str:
    pos = next((pos for prefix, pos in _PARTS_OF_SPEECH if tag.startswith(prefix)), "")
    return "va" if tag in ("VBG", "VBN") or (pos == "a" and lemma.endswith(("ing", "ed"))) else pos


class RankedWordNet(WordNet):
    """WordNet by part of speech and frequency rank, without collisions.

    A sense is rare if it is not among the first two senses of its part of speech. Words do not match by a sense that is
    rare for both. A base form has only senses of the parts of speech that the form inflects: "skier" does not match "ski".
    """

    def __init__(self, folder: Path = WORDNET_FOLDER):
        """Read the index in a folder. Raises `MissingResourceError` if a file of the index is missing or damaged."""
        super().__init__(folder, collisions=False)
        self.signature = "wn3.0+ranks"
        self._entries = lru_cache(maxsize=1 << 14)(self._look_up_entries)

    def __reduce__(self) -> tuple[object, ...]:
        return _load_ranked_wordnet, (self._folder,)

    def sense_rank(self, phrase: str, id: int) -> int | None:
        """Return the frequency rank of a sense within its part of speech, from 1, or None if the word does not have the sense."""
        return min((rank for entry_id, rank, _ in self._entries(phrase) if entry_id == id), default=None)

    def senses(self, phrase: str, pos: str) -> Senses:
        """Return a phrase's senses in these parts of speech, and the rare ones among them."""
        ranked_ids = {(id, rank) for id, rank, admitted_pos in self._entries(phrase) if not set(pos).isdisjoint(admitted_pos)}
        ids = frozenset(id for id, _ in ranked_ids)
        return Senses(ids, ids - {id for id, rank in ranked_ids if rank <= MAX_ORDINARY_RANK})

    def _look_up(self, phrase: str) -> frozenset[int]:
        return frozenset(id for id, _, _ in self._entries(phrase))

    def _look_up_entries(self, phrase: str) -> list[tuple[int, int, str]]:
        """Return the senses of a phrase and of its base forms: id, rank and possible parts of speech.

        A form of a verb in "-es", "-ed" or "-ing" may have any part of speech. Any other form of a verb may also be an adjective.
        """
        entries = [(id, rank, self._part_of_speech(id)) for id, rank in self._ranked_ids(normalise(phrase))]
        for base, inflected_pos in self._inflections(phrase):
            for id, rank in self._ranked_ids(base) if base != normalise(phrase) else ():
                if (pos := self._part_of_speech(id)) in inflected_pos:
                    entries.append((id, rank, pos if pos != "v" else "nvar" if inflected_pos == "v" else "va"))
        return entries


def _read_groups(folder: Path) -> list[list[str]]:
    with _convert_file_errors(folder / COLLISIONS_NAME) as path:
        groups: list[list[str]] = json.loads(path.read_bytes())
        return groups


@contextmanager
def _convert_file_errors(path: Path) -> Iterator[Path]:
    """Convert an error about a missing or damaged file to a MissingResourceError that names the command to rebuild the file."""
    try:
        yield path
    except (FileNotFoundError, BadZipFile, json.JSONDecodeError) as error:
        raise MissingResourceError(Message("error.broken_wordnet", path=str(path), found=repr(error))) from error


@cache
def _load_wordnet(folder: Path, collisions: bool) -> WordNet:
    return WordNet(folder, collisions=collisions)


@cache
def _load_ranked_wordnet(folder: Path) -> RankedWordNet:
    return RankedWordNet(folder)


def ranked_wordnet() -> RankedWordNet:
    """Return WordNet 3.0 by part of speech and frequency rank, without collisions."""
    return _load_ranked_wordnet(WORDNET_FOLDER)


def wordnet_with_collisions() -> WordNet:
    """Return WordNet 3.0 with the original SPICE's collisions."""
    return WordNet.load(collisions=True)


def wordnet_without_collisions() -> WordNet:
    """Return WordNet 3.0 without the original SPICE's collisions."""
    return WordNet.load(collisions=False)


class LineTable(Sequence[str]):
    """Lines of a UTF-8 text, looked up by number or, if sorted, by content."""

    def __init__(self, text: bytes):
        self._text = text
        self._line_ends = array(
            "I", accumulate(map(len, text.split(b"\n")))
        )  # where each line ends, not counting the line breaks before it

    def __len__(self) -> int:
        return len(self._line_ends)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        return self._line(range(len(self))[number]).decode()

    def find(self, line: str) -> int | None:
        """Return the number of a line in a sorted table, or None if the table lacks the line."""
        encoded_line = line.encode(errors="surrogatepass")
        index = bisect_left(range(len(self)), encoded_line, key=self._line)
        return index if index < len(self) and self._line(index) == encoded_line else None

    def _line(self, index: int) -> bytes:
        return self._text[self._line_ends[index - 1] + index if index else 0 : self._line_ends[index] + index]
