"""Measure how often a long caption scores higher than a copy with one wrong word.

    python -m tools.benchmarks.exchanges [PAIRS]

In paragraphs of ``assets/gold/long_en.jsonl``, an object, attribute, number or relation of the gold graph is exchanged for a word that
the paragraph lacks. Sentences with a negation are skipped, and exchanges are unique. The reference is the paragraph (``whole``), or a
random half of its sentences that includes the exchanged one (``part``), so that it does not mention most of the correct caption. Prints
the fraction of pairs that each metric ranks correctly, by kind of exchange.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from spice_core import Spice
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.registry import DEFAULT_METRICS

GOLD = Path(__file__).parents[2] / "assets" / "gold" / "long_en.jsonl"
REPLACEMENTS_BY_KIND = {
    "object": "giraffe piano submarine volcano trumpet cactus penguin tractor violin castle ladder anchor".split(),
    "attribute": "red blue green yellow purple orange pink brown black white".split(),
    "number": "two three four five six seven eight nine".split(),
    "relation": "behind under above inside beside near on in over".split(),
}


WordsByKind = dict[str, set[str]]  # the words of a gold graph by kind
_NEGATION_PATTERN = re.compile(r"\b(?:no|not|nobody|none|nothing|without|\w+n't)\b", re.IGNORECASE)


class Pair(NamedTuple):
    """A caption, a copy with one exchanged word, and the reference."""

    kind: str
    right: str
    wrong: str
    reference: str


def draw_pairs(texts: Sequence[tuple[str, WordsByKind]], number: int, *, part: bool, seed: int) -> Iterator[Pair]:
    """Yield pairs of alternating kinds from captions with the words of their gold graphs."""
    draw, seen = random.Random(seed), set[str]()
    while len(seen) < number:
        kind = list(REPLACEMENTS_BY_KIND)[len(seen) % len(REPLACEMENTS_BY_KIND)]
        text, said = draw.choice(texts)
        sentences = re.split(r"(?<=[.!?])\s+", text)
        place = draw.randrange(len(sentences))
        matches = [match for match in re.finditer(r"[a-z]+", sentences[place]) if match[0] in said[kind]]
        others = [word for word in REPLACEMENTS_BY_KIND[kind] if not re.search(rf"\b{word}", text.lower())]
        if not matches or not others or _NEGATION_PATTERN.search(sentences[place]):
            continue
        at, word = draw.choice(matches), draw.choice(others)
        changed = sentences[place][: at.start()] + word + sentences[place][at.end() :]
        wrong = " ".join([*sentences[:place], changed, *sentences[place + 1 :]])
        if wrong in seen:
            continue
        seen.add(wrong)
        others_in_reference = draw.sample([i for i in range(len(sentences)) if i != place], max(0, len(sentences) // 2 - 1))
        reference = [sentence for i, sentence in enumerate(sentences) if not part or i in (place, *others_in_reference)]
        yield Pair(kind, " ".join(sentences), wrong, " ".join(reference))


def exchangeable_words(tuples: Sequence[Sequence[str]]) -> WordsByKind:
    """Return the exchangeable words of a gold graph by kind."""
    values = {value for _, value in (each for each in tuples if len(each) == 2)}
    relations = {word for each in tuples if len(each) == 3 for word in each[1].split()}
    found = {kind: {*listed} & (relations if kind == "relation" else values) for kind, listed in REPLACEMENTS_BY_KIND.items()}
    return found | {"object": {each[0] for each in tuples if len(each) == 1}}


def main(number: int = 200) -> None:
    """Print the table."""
    rows = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    texts = [(row["caption"], exchangeable_words(row["tuples"])) for row in rows]
    print(f"{'reference':<10}{'metric':<8}{'all':>7}" + "".join(f"{kind:>11}" for kind in REPLACEMENTS_BY_KIND))
    spice = Spice()
    for name in ("whole", "part"):
        found = list(draw_pairs(texts, number, part=name == "part", seed=0))
        items = [(caption, [pair.reference]) for pair in found for caption in (pair.right, pair.wrong)]
        for title, scores in segment_scores(items, DEFAULT_METRICS, spice=spice).items():
            told = [right > wrong for right, wrong in zip(scores[::2], scores[1::2])]
            by_kind = [[each for each, pair in zip(told, found) if pair.kind == kind] for kind in REPLACEMENTS_BY_KIND]
            shares = "".join(f"{sum(each) / len(each):>11.3f}" for each in by_kind)
            print(f"{name:<10}{title:<8}{sum(told) / len(told):>7.3f}{shares}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
