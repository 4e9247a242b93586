"""SPICE as a reward for training captioners: candidates are parsed at every call, references once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from spice_core.data.items import is_nonempty
from spice_core.errors import InputError, Message
from spice_core.evaluation.parse_cache import ParseCache, decode_parse, encode_parse
from spice_core.metrics.copies import TransientCaches
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import Parse


class Rewards(TransientCaches):
    """SPICE as a reward: the F1 of candidates, each with the id of its image.

    The references of an image are parsed when its id first occurs and then stored as text, about 2 kB an image. With ``cache``, a file that
    several processes may share, they also survive a restart.

    >>> rewards = Rewards({"sofa": ["a brown dog lies on a couch"]})
    >>> rewards.scores(["sofa", "sofa"], ["a dog on a sofa", "a cat"])
    [0.5, 0.0]
    """

    def __init__(self, references: Mapping[Any, Sequence[str]], *, spice: Spice | None = None, cache: str | Path | None = None):
        """``spice`` sets language, parser, rules and synonyms (default: English). Raises InputError if the file is not a parse cache."""
        self.spice = spice or Spice()
        self._references, self._known = references, dict[str, str]()
        self._path = None if cache is None else Path(cache)
        _ = self._file  # raises the error

    @cached_property
    def _file(self) -> ParseCache | None:
        return ParseCache(self.spice.parse_key, self._path) if self._path else None

    def scores(self, ids: Sequence[Hashable], candidates: Sequence[str]) -> list[float]:
        """Return the F1 of each candidate, in order; 0 for a candidate without tuples.

        Raises InputError if the numbers of candidates and ids differ, a candidate is not a text, or an id has no list of references.
        """
        if isinstance(candidates, str) or len(ids) != len(candidates):
            raise InputError("candidates", candidates[:3], Message("expected.one_for_each_id", number=len(ids)))
        for i, candidate in enumerate(candidates):
            if not isinstance(candidate, str):
                raise InputError(f"candidates[{i}]", candidate, Message("expected.caption"))
        references = {image: self._captions(image) for image in dict.fromkeys(ids)}
        self._read(caption for captions in references.values() for caption in captions)
        sampled = list(dict.fromkeys(candidates))
        parses = dict(zip(sampled, self.spice.parse(sampled)))
        graphs = {image: [self._parse(caption) for caption in captions] for image, captions in references.items()}
        return [self.spice.compare(parses[candidate], graphs[image]).f1 for image, candidate in zip(ids, candidates)]

    def close(self) -> None:
        """Close the file of the cache."""
        if self._file:
            self._file.close()

    def _captions(self, image: Hashable) -> Sequence[str]:
        captions = self._references.get(image, ())
        if not is_nonempty(captions) or not all(isinstance(caption, str) for caption in captions):
            raise InputError(f"references[{image!r}]", captions, Message("expected.captions"))
        return captions

    def _read(self, captions: Iterable[str]) -> None:
        """Parse the references that are not known yet."""
        new = [caption for caption in dict.fromkeys(captions) if caption not in self._known]
        if self._file and new:
            self._known |= self._file.get(new)
            new = [caption for caption in new if caption not in self._known]
        parsed = {caption: encode_parse(parse) for caption, parse in zip(new, self.spice.parse(new))}
        self._known |= parsed
        if self._file and parsed:
            self._file.put(parsed)

    def _parse(self, caption: str) -> Parse:
        return decode_parse(caption, self._known[caption], self.spice.parser.signature)
