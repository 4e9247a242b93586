"""Write captions to annotate for ``spice-2016``: crossovers of COCO captions, captions in plain spelling, and plain sentences.

    python -m tools.parser.crossover --captions coco_val2017.jsonl.gz --plain plain_sentences.jsonl.gz > texts.txt

A crossover is the beginning of one caption and the end of another that share two adjacent words: "A man getting ready to eat" and "A girl
is ready to throw a Frisbee" give "A man getting ready to throw a Frisbee". Trees of captions and crossovers show more of the original
parser's behaviour than trees of captions alone. Each line of the output has one text. The order is random, so the first lines are a
representative sample. The first ``--as-written`` texts are unchanged, and the others are in plain spelling. Captions of the held-out images
are excluded.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path

from spice_core.data.reader import read_rows
from tools.parser.recipes import HELD_OUT_INTERVAL, SEED, held_out_captions, iterate_captions

MIN_WORDS, MAX_WORDS = 6, 24  # limits for the number of words of a crossover
_MAX_ATTEMPTS = 20
_EXCLUDED_SOURCE = "sick"  # source of plain sentences whose licence (CC BY-NC-SA 3.0) does not allow commercial use
_ORDER_SEED = 1
_PUNCTUATION_PATTERN = re.compile(r"[.,;:!?\"]")


def generate_crossovers(captions: Sequence[str], excluded_captions: Collection[str], seed: int = SEED) -> Iterator[str]:
    """Yield distinct crossovers of the captions, except ``excluded_captions`` (compared without case and full stop), until a round finds no new one."""
    rng = random.Random(seed)
    sentences = [words for words in map(str.split, captions) if 5 <= len(words) <= 25]
    places: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for sentence_index, words in enumerate(sentences):
        for position in range(1, len(words) - 2):
            if words[position].isalpha() and words[position + 1].isalpha():
                places[_context_at(words, position)].append((sentence_index, position))
    seen_keys = {_caption_key(caption) for caption in (*captions, *excluded_captions)}
    previous_count = -1
    while len(seen_keys) > previous_count:
        previous_count = len(seen_keys)
        for sentence_index in rng.sample(range(len(sentences)), len(sentences)):
            for _ in range(_MAX_ATTEMPTS):
                text = _make_crossover(sentence_index, sentences, places, rng)
                if text and _caption_key(text) not in seen_keys:
                    seen_keys.add(_caption_key(text))
                    yield text
                    break


def _make_crossover(
    sentence_index: int, sentences: Sequence[list[str]], places: dict[tuple[str, str], list[tuple[int, int]]], rng: random.Random
) -> str:
    words = sentences[sentence_index]
    position = rng.randrange(1, len(words) - 2)
    places_of_context = places.get(_context_at(words, position), [])
    if len(places_of_context) < 2:
        return ""
    other_index, other_position = rng.choice(places_of_context)
    if other_index == sentence_index:
        return ""
    new_words = (
        [*words[:position], *sentences[other_index][other_position:]]
        if rng.random() < 0.5
        else [*sentences[other_index][:other_position], *words[position:]]
    )
    return " ".join(new_words) if MIN_WORDS <= len(new_words) <= MAX_WORDS else ""


def _context_at(words: Sequence[str], position: int) -> tuple[str, str]:
    return words[position].lower().strip(".,;"), words[position + 1].lower().strip(".,;")


def _caption_key(caption: str) -> str:
    return caption.lower().rstrip(" .")


def plain_spelling(caption: str) -> str:
    """Return the caption in the style of captioning models: lower case, without punctuation."""
    return " ".join(_PUNCTUATION_PATTERN.sub(" ", caption.lower()).split())


def respell_texts(texts: Sequence[str], unchanged_count: int) -> list[str]:
    """Return the first ``unchanged_count`` texts, then the distinct plain spellings of the other texts that are not among the first."""
    unchanged_texts = texts[:unchanged_count]
    known_texts = set(unchanged_texts)
    return [
        *unchanged_texts,
        *(text for text in dict.fromkeys(map(plain_spelling, texts[unchanged_count:])) if text and text not in known_texts),
    ]


def main() -> None:
    """Run the command line, which the module's docstring describes."""
    argument_parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    argument_parser.add_argument("--captions", type=Path, required=True)
    argument_parser.add_argument("--plain", type=Path, required=True)
    argument_parser.add_argument("--crossovers", type=int, default=70_000)
    argument_parser.add_argument("--as-written", type=int, default=61_440)
    options = argument_parser.parse_args()
    held_out = held_out_captions(options.captions)
    training_captions = (caption.strip() for image, caption in iterate_captions(options.captions) if image % HELD_OUT_INTERVAL)
    captions = [caption for caption in dict.fromkeys(training_captions) if caption not in held_out]
    texts = list(islice(generate_crossovers(captions, held_out), options.crossovers))
    texts += [c for c in dict.fromkeys(map(plain_spelling, captions)) if c and c not in captions]
    texts += [
        row["text"]
        for _, row in read_rows(options.plain)
        if isinstance(row, dict) and not str(row.get("source", "")).startswith(_EXCLUDED_SOURCE)
    ]
    random.Random(_ORDER_SEED).shuffle(texts)
    print(*respell_texts(texts, options.as_written), sep="\n")


if __name__ == "__main__":
    main()
