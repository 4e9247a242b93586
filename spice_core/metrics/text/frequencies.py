"""Document frequencies of n-grams, which CIDEr-D needs to score a single image."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from spice_core.data.reader import open_utf8
from spice_core.errors import InputError, Message
from spice_core.lang.pack import LanguagePack
from spice_core.metrics.text.tokens import TokenTexts, tokenise_captions

MAX_NGRAM_ORDER = 4
BUNDLED_PATHS = {"coco-val2017": Path(__file__).with_name("coco_val2017_frequencies.json.gz")}
_MAX_FILE_BYTES = 500_000_000
Ngram = tuple[str, ...]


@dataclass(frozen=True)
class DocumentFrequencies:
    """Document frequencies: the number of images in whose references each n-gram occurs.

    Attributes:
        counts: The number of images for each n-gram. N-grams that occur in only one image may be omitted, because CIDEr-D gives them
            the same weight as unknown n-grams.
        images: The number of images.
        order: Length of the longest n-grams.
        lang: The language of the n-grams, or "" if the caller tokenises.
        tokens: The signature of the tokenizer, or "" if the caller tokenises.
        name: The name of the file, without its ending.
    """

    counts: Mapping[Ngram, int]
    images: int
    order: int = MAX_NGRAM_ORDER
    lang: str = ""
    tokens: str = ""
    name: str = field(default="", compare=False)

    @classmethod
    def count(cls, references: Iterable[Sequence[TokenTexts]], order: int = MAX_NGRAM_ORDER) -> DocumentFrequencies:
        """Count n-grams in the tokenised references of each image."""
        counts: Counter[Ngram] = Counter()
        images = 0
        for images, captions in enumerate(references, 1):
            counts.update({gram for caption in captions for gram in count_ngrams(caption, order)})
        return cls(counts, images, order)

    @classmethod
    def of_captions(cls, references: Iterable[Sequence[str]], pack: LanguagePack, order: int = MAX_NGRAM_ORDER) -> DocumentFrequencies:
        """Count n-grams in the references of each image, with the tokenizer of the language."""
        frequencies = cls.count((tokenise_captions(captions, pack) for captions in references), order)
        return cls(frequencies.counts, frequencies.images, order, pack.code, pack.tokenizer().signature)

    @classmethod
    def load(cls, path: str | Path) -> DocumentFrequencies:
        """Read a file that ``save`` wrote. Raises InputError if the file cannot be read."""
        try:
            with open_utf8(Path(path)) as file:
                content = file.read(_MAX_FILE_BYTES + 1)
            content_fields: dict[str, Any] = json.loads(content) if len(content) <= _MAX_FILE_BYTES else {}
            counts = {tuple(gram.split(" ")): _check_positive(count) for gram, count in content_fields["counts"].items()}
            return cls(
                counts,
                _check_positive(content_fields["images"]),
                _check_positive(content_fields["order"]),
                str(content_fields["lang"]),
                str(content_fields["tokens"]),
                Path(path).stem,
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(str(path), Message("found.no_frequencies"), Message("expected.frequencies")) from None

    def save(self, path: str | Path) -> None:
        """Write the n-grams of at least two images as JSON, gzipped if the name ends in ``.gz``. Raises InputError if writing fails."""
        counts = {" ".join(gram): count for gram, count in sorted(self.counts.items()) if count > 1}
        parts = {"images": self.images, "order": self.order, "lang": self.lang, "tokens": self.tokens, "counts": counts}
        content = (json.dumps(parts, ensure_ascii=False, indent=0) + "\n").encode()
        try:
            Path(path).write_bytes(gzip.compress(content, mtime=0) if Path(path).suffix == ".gz" else content)
        except OSError as error:
            raise InputError(str(path), error.strerror, Message("expected.writable_file")) from None

    @cached_property
    def digest(self) -> str:
        """A digest of eight characters that identifies the frequencies."""
        counts = sorted((gram, count) for gram, count in self.counts.items() if count > 1)
        return sha256(repr((self.images, self.order, self.lang, self.tokens, counts)).encode()).hexdigest()[:8]


def count_ngrams(words: TokenTexts, order: int) -> Counter[Ngram]:
    """Return the n-grams of a text, up to length ``order``, with their counts."""
    return Counter(tuple(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1))


def load(source: str) -> DocumentFrequencies:
    """Return the bundled frequencies with this name, or read them from this file. Raises InputError if neither exists."""
    return DocumentFrequencies.load(BUNDLED_PATHS.get(source, source))


def _check_positive(count: object) -> int:
    if not isinstance(count, int) or count < 1:
        raise ValueError
    return count
