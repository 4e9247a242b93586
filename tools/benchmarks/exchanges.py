"""Measure how often a long caption scores higher than a copy with one wrong word.

    python -m tools.benchmarks.exchanges [PAIRS]

In paragraphs of ``assets/gold/long_en.jsonl``, an object, attribute, number or relation of the gold graph is exchanged for a word that
the paragraph lacks. Sentences with a negation are skipped, and exchanges are unique. The reference is the paragraph (``whole``), or a
random half of its sentences that includes the exchanged one (``part``). This half lacks much of what the correct caption mentions. The
output is the fraction of pairs that each metric ranks correctly, by kind of exchange.
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


WordsByKind = dict[str, set[str]]  # exchangeable words of a gold graph by kind of exchange
_NEGATION_PATTERN = re.compile(r"\b(?:no|not|nobody|none|nothing|without|\w+n't)\b", re.IGNORECASE)


class ExchangedPair(NamedTuple):
    """A caption, a copy with one exchanged word, and the reference."""

    kind: str
    right_text: str
    wrong_text: str
    reference: str


def draw_pairs(texts: Sequence[tuple[str, WordsByKind]], pair_count: int, *, is_partial: bool, seed: int) -> Iterator[ExchangedPair]:
    """Yield pairs with alternating kinds of exchange, from texts and the words of their gold graphs. If ``is_partial``, the reference is half a text."""
    draw, seen_pairs = random.Random(seed), set[str]()
    while len(seen_pairs) < pair_count:
        kind = list(REPLACEMENTS_BY_KIND)[len(seen_pairs) % len(REPLACEMENTS_BY_KIND)]
        text, words_by_kind = draw.choice(texts)
        sentences = re.split(r"(?<=[.!?])\s+", text)
        place = draw.randrange(len(sentences))
        matches = [match for match in re.finditer(r"[a-z]+", sentences[place]) if match[0] in words_by_kind[kind]]
        other_words = [word for word in REPLACEMENTS_BY_KIND[kind] if not re.search(rf"\b{word}", text.lower())]
        if not matches or not other_words or _NEGATION_PATTERN.search(sentences[place]):
            continue
        word_match, word = draw.choice(matches), draw.choice(other_words)
        changed_sentence = sentences[place][: word_match.start()] + word + sentences[place][word_match.end() :]
        wrong_text = " ".join([*sentences[:place], changed_sentence, *sentences[place + 1 :]])
        if wrong_text in seen_pairs:
            continue
        seen_pairs.add(wrong_text)
        others_in_reference = draw.sample([i for i in range(len(sentences)) if i != place], max(0, len(sentences) // 2 - 1))
        reference = [sentence for i, sentence in enumerate(sentences) if not is_partial or i in (place, *others_in_reference)]
        yield ExchangedPair(kind, " ".join(sentences), wrong_text, " ".join(reference))


def exchangeable_words(tuples: Sequence[Sequence[str]]) -> WordsByKind:
    """Return the exchangeable words of a gold graph by kind."""
    values = {value for _, value in (words for words in tuples if len(words) == 2)}
    relations = {word for words in tuples if len(words) == 3 for word in words[1].split()}
    words_of_kind = {
        kind: {*replacements} & (relations if kind == "relation" else values) for kind, replacements in REPLACEMENTS_BY_KIND.items()
    }
    return words_of_kind | {"object": {words[0] for words in tuples if len(words) == 1}}


def main(pair_count: int = 200) -> None:
    """Score the pairs by each metric, and print the table."""
    rows = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    texts = [(row["caption"], exchangeable_words(row["tuples"])) for row in rows]
    print(f"{'reference':<10}{'metric':<8}{'all':>7}" + "".join(f"{kind:>11}" for kind in REPLACEMENTS_BY_KIND))
    spice = Spice()
    for name in ("whole", "part"):
        pairs = list(draw_pairs(texts, pair_count, is_partial=name == "part", seed=0))
        items = [(caption, [pair.reference]) for pair in pairs for caption in (pair.right_text, pair.wrong_text)]
        for title, scores_ in segment_scores(items, DEFAULT_METRICS, spice=spice).items():
            is_higher = [right_score > wrong_score for right_score, wrong_score in zip(scores_[::2], scores_[1::2])]
            by_kind = [[flag for flag, pair in zip(is_higher, pairs) if pair.kind == kind] for kind in REPLACEMENTS_BY_KIND]
            shares = "".join(f"{sum(flag) / len(flag):>11.3f}" for flag in by_kind)
            print(f"{name:<10}{title:<8}{sum(is_higher) / len(is_higher):>7.3f}{shares}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
