"""Builds spice_core/lang/en/belongings.json: how often captions and gold graphs say that somebody or something has a thing.

    python -m tools.build_belongings FACTUAL.jsonl.gz TREEBANK.conllu.gz

From FACTUAL's graphs: (owner, have | with | wear, thing) and (thing, of | attach to, owner). From trees of captions: "with" phrases of
the only noun before them, where no verb competes. People are one owner, animals another.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from spice_core.data.factual import read_pairs
from spice_core.lang.en.belongings import ANIMAL, FILE, owner_class
from spice_core.lang.en.encoder_parser import CAPTION
from spice_core.lang.en.lemmas import Lemmas
from spice_core.syntax.conllu import read
from spice_core.syntax.document import Sentence

_HAVE, _BELONG = frozenset(("have", "with", "wear")), frozenset(("of", "attach to"))
_LEAST = {"person": 4}  # times that an owner has a thing; otherwise once
Pair = tuple[str, str]  # owner and thing


def in_graphs(path: Path) -> Iterator[Pair]:
    """Owners and things of FACTUAL's graphs."""
    for _, graph in read_pairs(path):
        for first, relation, second in (p.words for p in graph.propositions if len(p.words) == 3):
            if relation in _HAVE:
                yield first, second
            elif relation in _BELONG:
                yield second, first


def in_trees(path: Path, lemmas: Lemmas) -> Iterator[Pair]:
    """Owners and things of captions that begin with a noun and "with"."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for document in read(lines, name=path.name):
            for sentence in document.sentences:
                if pair := _first_with(sentence):
                    yield lemmas.lemma(*pair[0]), lemmas.lemma(*pair[1])


def _first_with(sentence: Sentence) -> tuple[Pair, Pair] | None:
    """Word and tag of the owner and of the thing, if one noun and no verb stands before the first "with"."""
    tree, tokens = {e.dependent: e for e in sentence.basic}, sentence.tokens
    place = next((t.index for t in tokens if t.text.lower() == "with" and tree[t.index].relation == "case"), 0)
    before = tokens[: place - 1] if place else ()
    nouns = [t for t in before if t.tag.startswith("NN") and tree[t.index].relation != "compound"]
    if len(nouns) != 1 or any(t.tag[0] == "V" for t in before):
        return None
    thing = tokens[tree[place].head - 1]
    own = tree[thing.index].head == nouns[0].index and thing.tag.startswith("NN")
    return ((nouns[0].text, nouns[0].tag), (thing.text, thing.tag)) if own else None


def counted(pairs: Iterable[Pair], lemmas: Lemmas) -> dict[str, dict[str, int]]:
    """How often each owner has each thing, for single words; all people, all animals and each noun are owners."""
    out: dict[str, Counter[str]] = defaultdict(Counter)
    for owner, thing in pairs:
        owner, thing = lemmas.lemma(owner, "NNS"), lemmas.lemma(thing.split()[-1], "NNS")
        if owner.isalpha() and thing.isalpha():
            group = owner_class(owner)
            out[group][thing] += 1
            if group == ANIMAL:
                out[owner][thing] += 1
    often = {owner: {t: n for t, n in sorted(things.items()) if n >= _LEAST.get(owner, 1)} for owner, things in sorted(out.items())}
    return {owner: things for owner, things in often.items() if len(things) > 1 or sum(things.values()) > 1}


def main(graphs: str, trees: str) -> None:
    """The command; see the module's docstring."""
    lemmas = Lemmas.read(CAPTION / "lemmas.json", checked=True)
    found = counted([*in_graphs(Path(graphs)), *in_trees(Path(trees), lemmas)], lemmas)
    FILE.write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
