"""Build spice_core/lang/en/belongings.json, which counts the things that owners have in captions and gold graphs.

    python -m tools.build_belongings FACTUAL.jsonl.gz TREEBANK.conllu.gz

Sources are FACTUAL's graphs with (owner, have | with | wear, thing) and (thing, of | attach to, owner), and trees of captions with a
"with" phrase after a single noun and no verb. All people count as one owner. Animals count both as one owner and by noun.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from spice_core.data.factual import read_pairs
from spice_core.lang.en.lemmas import Lemmas
from spice_core.lang.en.parsers.encoder_parser import CAPTION_MODEL_FOLDER
from spice_core.lang.en.steps.belongings import ANIMAL_CLASS, BELONGINGS_PATH, owner_class
from spice_core.syntax.conllu import read
from spice_core.syntax.document import Sentence

_POSSESSION_PREDICATES, _BELONGING_PREDICATES = frozenset(("have", "with", "wear")), frozenset(("of", "attach to"))
_MIN_COUNT_BY_OWNER = {"person": 4}  # minimum count of a thing by owner; 1 for other owners
Pair = tuple[str, str]  # owner and thing


def read_graph_pairs(path: Path) -> Iterator[Pair]:
    """Yield the owners and things in FACTUAL's graphs."""
    for _, graph in read_pairs(path):
        for owner_words, relation, thing_words in (p.words for p in graph.propositions if len(p.words) == 3):
            if relation in _POSSESSION_PREDICATES:
                yield owner_words, thing_words
            elif relation in _BELONGING_PREDICATES:
                yield thing_words, owner_words


def read_tree_pairs(path: Path, lemmas: Lemmas) -> Iterator[Pair]:
    """Yield owners and things in captions with a noun and a "with" phrase."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for document in read(lines, name=path.name):
            for sentence in document.sentences:
                if pair := _owner_and_thing(sentence):
                    yield lemmas.lemma(*pair[0]), lemmas.lemma(*pair[1])


def _owner_and_thing(sentence: Sentence) -> tuple[Pair, Pair] | None:
    """Return a noun's word and tag, and the thing that the first "with" attaches to it.

    Return None if another noun or a verb precedes "with".
    """
    tree, tokens = {e.dependent: e for e in sentence.basic}, sentence.tokens
    place = next((t.index for t in tokens if t.text.lower() == "with" and tree[t.index].relation == "case"), 0)
    tokens_before = tokens[: place - 1] if place else ()
    nouns = [t for t in tokens_before if t.tag.startswith("NN") and tree[t.index].relation != "compound"]
    if len(nouns) != 1 or any(t.tag[0] == "V" for t in tokens_before):
        return None
    thing_token = tokens[tree[place].head - 1]
    is_attached = tree[thing_token.index].head == nouns[0].index and thing_token.tag.startswith("NN")
    return ((nouns[0].text, nouns[0].tag), (thing_token.text, thing_token.tag)) if is_attached else None


def count_pairs(pairs: Iterable[Pair], lemmas: Lemmas) -> dict[str, dict[str, int]]:
    """Return how often each owner has each thing (its last word), without rare pairs.

    An owner is all people, all animals, or a noun.
    """
    counts_by_owner: dict[str, Counter[str]] = defaultdict(Counter)
    for owner, thing_name in pairs:
        owner, thing_name = lemmas.lemma(owner, "NNS"), lemmas.lemma(thing_name.split()[-1], "NNS")
        if owner.isalpha() and thing_name.isalpha():
            group = owner_class(owner)
            counts_by_owner[group][thing_name] += 1
            if group == ANIMAL_CLASS:
                counts_by_owner[owner][thing_name] += 1
    frequent_things = {
        owner: {t: n for t, n in sorted(things.items()) if n >= _MIN_COUNT_BY_OWNER.get(owner, 1)}
        for owner, things in sorted(counts_by_owner.items())
    }
    return {owner: things for owner, things in frequent_things.items() if len(things) > 1 or sum(things.values()) > 1}


def main(graphs: str, trees: str) -> None:
    lemmas = Lemmas.read(CAPTION_MODEL_FOLDER / "lemmas.json", use_wordnet=True)
    table = count_pairs([*read_graph_pairs(Path(graphs)), *read_tree_pairs(Path(trees), lemmas)], lemmas)
    BELONGINGS_PATH.write_text(json.dumps(table, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
