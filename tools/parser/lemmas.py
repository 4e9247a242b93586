"""Write the lemmatisation exceptions of ``spice-2016``: words whose lemma in the original program differs from the suffix rules.

``python -m tools.parser.lemmas ask TEXTS…`` prints a line ``word<TAB>tag`` for each word of the texts (lines of captions), WordNet's
irregular forms and its nouns that look like plurals. To make a TABLE, add the lemma that ``Morphology.lemmaStatic(word, tag, true)`` of
CoreNLP 3.6.0 returns as a third column. ``python -m tools.parser.lemmas learn TABLE`` adds the words of the table to the exceptions learned
from the trees.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from spice_core.lang.en.lemmas import Lemmas, regular_lemma
from spice_core.lang.en.wordnet.database import WordNet
from tools.build_inflections import single_words

EXCEPTIONS_FILE = Path(__file__).parents[2] / "spice_core" / "lang" / "en" / "models" / "spice-2016" / "lemmas.json"
GROUP_BY_TAG = {"NNS": "NNS", "VBD": "V"}  # groups of tags that share lemmas, by the tag to look up
_WORD_PATTERN = re.compile(r"[a-z]+(?:'[a-z]+)?")


def words_to_look_up(texts: Iterable[str], wordnet: WordNet) -> Iterator[tuple[str, str]]:
    """Return each word with the tags to look up, sorted by tag and word."""
    seen_words = {word for text in texts for word in _WORD_PATTERN.findall(text.lower())} | set(
        filter(_WORD_PATTERN.fullmatch, wordnet.exceptions)
    )
    plurals = {noun for noun in single_words(wordnet)["n"] if noun.endswith("s")}
    return ((word, tag) for tag in GROUP_BY_TAG for word in sorted(seen_words | plurals if tag == "NNS" else seen_words))


def learn_from_table(table: Iterable[str], exceptions: dict[str, dict[str, str]]) -> Lemmas:
    """Return the exceptions, extended by a table of words, tags and lemmas. Raises ValueError for a line that does not have three fields."""
    learned = {group: dict(known_forms) for group, known_forms in exceptions.items()}
    for word, tag, lemma in (line.rstrip("\n").split("\t") for line in table):
        group = GROUP_BY_TAG[tag]
        if lemma != regular_lemma(word, group):
            learned.setdefault(group, {}).setdefault(word, lemma)
    return Lemmas(learned)


def main(command: str, *paths: str) -> None:
    """Print the words to look up (``ask``), or write the exceptions (``learn``)."""
    if command == "ask":
        texts = (line for path in paths for line in Path(path).read_text(encoding="utf-8").splitlines())
        sys.stdout.writelines(f"{word}\t{tag}\n" for word, tag in words_to_look_up(texts, WordNet.load(collisions=False)))
    else:
        table = Path(paths[0]).read_text(encoding="utf-8").splitlines()
        learn_from_table(table, json.loads(EXCEPTIONS_FILE.read_text(encoding="utf-8"))).write(EXCEPTIONS_FILE)


if __name__ == "__main__":
    main(*sys.argv[1:])
