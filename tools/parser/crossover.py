"""Write captions to annotate for ``spice-2016``: crossovers of COCO captions, captions in plain spelling, and plain sentences.

    python -m tools.parser.crossover --captions coco_val2017.jsonl.gz --plain plain_sentences.jsonl.gz > texts.txt

A crossover is the beginning of one caption and the end of another that share two words: "A man getting | ready to throw | a
Frisbee". The reference program parses each as it parses people's captions, so its trees teach more of it than the trees of the captions
alone. One text a line, in an order drawn by chance, so that the first lines of the file are a fair sample of it; after the first
``--as-written`` of them the others follow in plain spelling. Captions of the held-out images are neither used nor made.
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

MIN_WORDS, MAX_WORDS = 6, 24  # words of a crossover
_MAX_ATTEMPTS = 20
_EXCLUDED_SOURCE = "sick"  # source of plain sentences whose licence (CC BY-NC-SA 3.0) does not allow commercial use
_CONTEXT_WORDS = 1  # seed of the order of the texts
_PUNCTUATION_PATTERN = re.compile(r"[.,;:!?\"]")


def generate_crossovers(captions: Sequence[str], excluded: Collection[str], seed: int = SEED) -> Iterator[str]:
    """Crossovers of the captions, each once and none of ``excluded`` (compared without capitals and full stop), until a round finds no new one."""
    rng = random.Random(seed)
    sentences = [words for words in map(str.split, captions) if 5 <= len(words) <= 25]
    places: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for number, words in enumerate(sentences):
        for at in range(1, len(words) - 2):
            if words[at].isalpha() and words[at + 1].isalpha():
                places[_context_at(words, at)].append((number, at))
    seen = {_caption_key(caption) for caption in (*captions, *excluded)}
    before = -1
    while len(seen) > before:
        before = len(seen)
        for number in rng.sample(range(len(sentences)), len(sentences)):
            for _ in range(_MAX_ATTEMPTS):
                text = _make_crossover(number, sentences, places, rng)
                if text and _caption_key(text) not in seen:
                    seen.add(_caption_key(text))
                    yield text
                    break


def _make_crossover(
    number: int, sentences: Sequence[list[str]], places: dict[tuple[str, str], list[tuple[int, int]]], rng: random.Random
) -> str:
    words = sentences[number]
    at = rng.randrange(1, len(words) - 2)
    shared = places.get(_context_at(words, at), [])
    if len(shared) < 2:
        return ""
    other, its = rng.choice(shared)
    if other == number:
        return ""
    new = [*words[:at], *sentences[other][its:]] if rng.random() < 0.5 else [*sentences[other][:its], *words[at:]]
    return " ".join(new) if MIN_WORDS <= len(new) <= MAX_WORDS else ""


def _context_at(words: Sequence[str], at: int) -> tuple[str, str]:
    return words[at].lower().strip(".,;"), words[at + 1].lower().strip(".,;")


def _caption_key(caption: str) -> str:
    return caption.lower().rstrip(" .")


def plain_spelling(caption: str) -> str:
    """Return the caption as captioning models write: lower case, without marks."""
    return " ".join(_PUNCTUATION_PATTERN.sub(" ", caption.lower()).split())


def respell_texts(texts: Sequence[str], unchanged_count: int) -> list[str]:
    """Return the first ``unchanged_count`` texts as they are, then the others in plain spelling, each once and none of the first."""
    first = texts[:unchanged_count]
    known = set(first)
    return [*first, *(text for text in dict.fromkeys(map(plain_spelling, texts[unchanged_count:])) if text and text not in known)]


def main() -> None:
    """Run the command; see the module's docstring."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--captions", type=Path, required=True)
    options.add_argument("--plain", type=Path, required=True)
    options.add_argument("--crossovers", type=int, default=70_000)
    options.add_argument("--as-written", type=int, default=61_440)
    opt = options.parse_args()
    held = held_out_captions(opt.captions)
    own = (caption.strip() for image, caption in iterate_captions(opt.captions) if image % HELD_OUT_INTERVAL)
    captions = [caption for caption in dict.fromkeys(own) if caption not in held]
    texts = list(islice(generate_crossovers(captions, held), opt.crossovers))
    texts += [c for c in dict.fromkeys(map(plain_spelling, captions)) if c and c not in captions]
    texts += [
        row["text"]
        for _, row in read_rows(opt.snli)
        if isinstance(row, dict) and not str(row.get("source", "")).startswith(_EXCLUDED_SOURCE)
    ]
    random.Random(_CONTEXT_WORDS).shuffle(texts)
    print(*respell_texts(texts, opt.as_written), sep="\n")


if __name__ == "__main__":
    main()
