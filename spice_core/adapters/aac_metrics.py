"""SPICE, CIDEr-D, SPIDEr and SPIDEr-max with the API of aac-metrics, without Java. aac-metrics need not be installed.

from spice_core.adapters.aac_metrics import spider  # in place of: from aac_metrics.functional import spider
from spice_core.adapters.aac_metrics import SPIDEr  # in place of: from aac_metrics.classes import SPIDEr

SPIDEr (Liu et al., ICCV 2017) is the mean of CIDEr-D and SPICE. Each metric returns two dictionaries: the corpus
scores and the sentence scores. With ``return_all_scores=False``, it returns only its corpus score. Scores are tensors
of 64-bit floats if torch is installed, and NumPy arrays and numbers otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from numbers import Integral
from typing import Any, ClassVar

from spice_core.coco import f1_scores
from spice_core.data.items import check_nonempty, check_reference_lists, is_nonempty
from spice_core.errors import InputError, Message
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.metrics.text import cider
from spice_core.metrics.text.frequencies import MAX_NGRAM_ORDER, DocumentFrequencies
from spice_core.metrics.text.tokens import TokenPair, tokenise_captions

Scores = dict[str, Any]  # tensors or arrays by the name of the metric
_JAVA_OPTIONS = frozenset("cache_path java_path tmp_path n_threads java_max_memory timeout separate_cache_dir use_shell verbose".split())
_DEFAULT_LANG = "en"  # aac-metrics scores English captions


def spice(
    candidates: Sequence[str],
    mult_references: Sequence[Sequence[str]],
    return_all_scores: bool = True,
    *,
    metric: Spice | None = None,
    **java: object,
) -> tuple[Scores, Scores] | Any:
    """Compute SPICE, under the key ``spice``.

    ``metric`` sets parser, rules and synonyms. The default metric imitates the original SPICE. The function ignores the
    Java settings of aac-metrics. Raises InputError if there is no candidate, if a caption is not a text, or if there is
    not exactly one nonempty list of references for each candidate.
    """
    _check_arguments(candidates, mult_references, java)
    return _format_result({"spice": _spice_scores(candidates, mult_references, metric)}, "spice", return_all_scores)


def cider_d(
    candidates: Sequence[str],
    mult_references: Sequence[Sequence[str]],
    return_all_scores: bool = True,
    *,
    n: int = MAX_NGRAM_ORDER,
    sigma: float = cider.SIGMA,
    tokenizer: Callable[[str], list[str]] = str.split,
    scale: float = cider.SCORE_SCALE,
    frequencies: DocumentFrequencies | None = None,
) -> tuple[Scores, Scores] | Any:
    """Compute CIDEr-D, from 0 to ``scale``, under the key ``cider_d``.

    The default ``tokenizer`` only splits at spaces, so pass the output of ``preprocess_mono_sents`` and ``preprocess_mult_sents``.
    With stored document ``frequencies``, the score of a candidate does not depend on the other candidates and their references.
    Raises InputError as ``spice`` does, and if ``n`` is not an integer of at least 1 or ``sigma`` is 0.
    """
    _check_arguments(candidates, mult_references, {})
    scores = _cider_d_scores(candidates, mult_references, n, sigma, tokenizer, frequencies, scale)
    return _format_result({"cider_d": scores}, "cider_d", return_all_scores)


def spider(
    candidates: Sequence[str], mult_references: Sequence[Sequence[str]], return_all_scores: bool = True, **settings: Any
) -> tuple[Scores, Scores] | Any:
    """Compute SPIDEr, the mean of ``cider_d`` and ``spice``, under the key ``spider``. The dictionaries also contain these two scores.

    The ``settings`` are those of ``cider_d``, except ``scale``, and those of ``spice``.
    """
    return _format_result(_spider_scores(candidates, mult_references, **settings), "spider", return_all_scores)


def spider_fl_rules(
    candidates: Sequence[str],
    mult_references: Sequence[Sequence[str]],
    return_all_scores: bool = True,
    *,
    penalty: float = 0.9,
    metric: Spice | None = None,
    **settings: Any,
) -> tuple[Scores, Scores] | Any:
    """Compute SPIDEr, multiplied by 1 − ``penalty`` if rules find a fluency error, under the key ``spider_fl_rules``.

    Do not cite this score as SPIDEr-FL: aac-metrics' SPIDEr-FL uses a trained classifier. The dictionaries also contain
    the scores of ``spider`` and ``fluency_faults``, which is 1 for a candidate with an error and 0 otherwise. The ``settings`` are
    those of ``spider``. Raises InputError as ``spice`` does, and MissingResourceError if the language has no fluency rules.
    """
    results = _spider_scores(candidates, mult_references, metric=metric, **settings)
    faults = [float(bool(fault)) for fault in fluency(candidates, metric.lang if metric else _DEFAULT_LANG)]
    penalised_scores = [score * (1 - penalty * fault) for score, fault in zip(results["spider"], faults)]
    return _format_result(results | {"fluency_faults": faults, "spider_fl_rules": penalised_scores}, "spider_fl_rules", return_all_scores)


def spider_max(
    mult_candidates: Sequence[Sequence[str]],
    mult_references: Sequence[Sequence[str]],
    return_all_scores: bool = True,
    *,
    return_all_cands_scores: bool = False,
    **settings: Any,
) -> tuple[Scores, Scores] | Any:
    """Compute SPIDEr-max: for each item, the SPIDEr of the best of its candidates (Labbé et al., DCASE 2022).

    SPIDEr-max measures the best caption of a beam, not a system that outputs one caption. Its key is ``spider_max``.
    ``cider_d_max`` and ``spice_max`` are the scores of the candidate with the best SPIDEr. ``return_all_cands_scores``
    adds the scores of all candidates, such as ``spider_all``: a matrix with one row per item, and its mean. The ``settings`` are those
    of ``spider``. Raises InputError as ``spice`` does, and if items have different numbers of candidates.
    """
    numbers = {len(captions) for captions in mult_candidates}
    if len(numbers) != 1 or not min(numbers):
        raise InputError("mult_candidates", [len(captions) for captions in mult_candidates], Message("expected.as_many_candidates"))
    runs = [_spider_scores(candidates, mult_references, **settings) for candidates in zip(*mult_candidates)]
    best_runs = [max(range(len(runs)), key=lambda run: runs[run]["spider"][i]) for i in range(len(mult_references))]
    sentences = {f"{name}_max": [runs[run][name][i] for i, run in enumerate(best_runs)] for name in runs[0]}
    scores = _format_result(sentences, "spider_max", return_all_scores)
    if return_all_scores and return_all_cands_scores:
        all_scores = {f"{name}_all": _array_constructor()([list(row) for row in zip(*(run[name] for run in runs))]) for name in runs[0]}
        scores = scores[0] | {name: values.mean() for name, values in all_scores.items()}, scores[1] | all_scores
    return scores


class _AccumulatingMetric:
    """Base class of metrics with state: ``update`` adds a batch, ``compute`` scores all batches, ``reset`` removes them."""

    function: ClassVar[Callable[..., Any]]

    def __init__(self, return_all_scores: bool = True, **settings: Any):
        self._return_all_scores, self._settings = return_all_scores, settings
        self.reset()

    def update(self, candidates: Sequence[Any], mult_references: Sequence[Sequence[str]]) -> None:
        """Add candidates, each with its list of references."""
        self._candidates += candidates
        self._references += mult_references

    def compute(self) -> Any:
        """Score all captions added so far. Raises InputError like the function."""
        return type(self).function(self._candidates, self._references, self._return_all_scores, **self._settings)

    def reset(self) -> None:
        """Remove all captions added so far."""
        self._candidates: list[Any] = []
        self._references: list[Sequence[str]] = []

    def __call__(self, candidates: Sequence[Any], mult_references: Sequence[Sequence[str]]) -> Any:
        """Add candidates, score all captions added so far, and remove them."""
        self.update(candidates, mult_references)
        scores = self.compute()
        self.reset()
        return scores


class SPICE(_AccumulatingMetric):
    """``spice`` as a class."""

    function = staticmethod(spice)


class CIDErD(_AccumulatingMetric):
    """``cider_d`` as a class."""

    function = staticmethod(cider_d)


class SPIDEr(_AccumulatingMetric):
    """``spider`` as a class."""

    function = staticmethod(spider)


class SPIDErMax(_AccumulatingMetric):
    """``spider_max`` as a class. ``update`` takes a list of candidates for each item."""

    function = staticmethod(spider_max)


def fluency(captions: Sequence[str], lang: str = _DEFAULT_LANG) -> list[list[tuple[str, str]]]:
    """Return the fluency errors (name and words) of each caption according to the rules of the language."""
    pack = language(lang)
    find_faults = pack.fluency_rules()
    return [find_faults(document) for document in pack.parser().parse(captions)]


def preprocess_mono_sents(sentences: Sequence[str]) -> list[str]:
    """Tokenize captions like pycocoevalcap's Penn Treebank tokenizer: lower case, no punctuation, words separated by spaces."""
    return [" ".join(words) for words in tokenise_captions(sentences, language(_DEFAULT_LANG))]


def preprocess_mult_sents(mult_sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    """Tokenize lists of captions as ``preprocess_mono_sents`` does."""
    return [preprocess_mono_sents(sentences) for sentences in mult_sentences]


def _spider_scores(
    candidates: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    n: int = MAX_NGRAM_ORDER,
    sigma: float = cider.SIGMA,
    tokenizer: Callable[[str], list[str]] = str.split,
    metric: Spice | None = None,
    frequencies: DocumentFrequencies | None = None,
    **java: object,
) -> dict[str, list[float]]:
    _check_arguments(candidates, references, java)
    cider_scores = _cider_d_scores(candidates, references, n, sigma, tokenizer, frequencies)
    spice_scores = _spice_scores(candidates, references, metric)
    return {"cider_d": cider_scores, "spice": spice_scores, "spider": [(a + b) / 2 for a, b in zip(cider_scores, spice_scores)]}


def _spice_scores(candidates: Sequence[str], references: Sequence[Sequence[str]], metric: Spice | None) -> list[float]:
    return f1_scores(metric or _original_metric(), candidates, references)


@cache
def _original_metric() -> Spice:
    return Spice(_DEFAULT_LANG, parser=language(_DEFAULT_LANG).original, rules=language(_DEFAULT_LANG).original)


def _cider_d_scores(
    candidates: Sequence[str],
    references: Sequence[Sequence[str]],
    n: int,
    sigma: float,
    tokenizer: Callable[[str], list[str]],
    frequencies: DocumentFrequencies | None,
    scale: float = cider.SCORE_SCALE,
) -> list[float]:
    if not isinstance(n, Integral) or n < 1:
        raise InputError("n", n, Message("expected.one_or_more"))
    if not sigma * sigma > 0:
        raise InputError("sigma", sigma, Message("expected.positive"))
    pairs = [
        TokenPair(tokenizer(candidate), tuple(map(tokenizer, caption_references)))
        for candidate, caption_references in zip(candidates, references)
    ]
    return cider.cider_d_scores(pairs, order=n, sigma=sigma, scale=scale, frequencies=frequencies)


def _check_arguments(candidates: Sequence[str], references: Sequence[Sequence[str]], java: Mapping[str, object]) -> None:
    """Raise InputError for invalid captions, and TypeError for keywords other than the Java settings of aac-metrics."""
    if unknown_options := sorted(java.keys() - _JAVA_OPTIONS):
        raise TypeError(f"unexpected keyword arguments: {', '.join(unknown_options)}")
    check_nonempty(candidates, "candidates")
    check_reference_lists(references, candidates, "mult_references")
    for i, (candidate, caption_references) in enumerate(zip(candidates, references)):
        if not isinstance(candidate, str):
            raise InputError(f"candidates[{i}]", candidate, Message("expected.caption"))
        if not is_nonempty(caption_references) or not all(isinstance(other, str) for other in caption_references):
            raise InputError(f"mult_references[{i}]", caption_references, Message("expected.captions"))


def _format_result(sentences: Mapping[str, Sequence[float]], corpus_scorer: str, return_all_scores: bool) -> tuple[Scores, Scores] | Any:
    array = _array_constructor()
    sentence_scores = {name: array(values) for name, values in sentences.items()}
    corpus = {name: values.mean() for name, values in sentence_scores.items()}
    return (corpus, sentence_scores) if return_all_scores else corpus[corpus_scorer]


def _array_constructor() -> Callable[[Sequence[Any]], Any]:
    """Return torch's tensor constructor, or NumPy's array constructor if torch is not installed."""
    if find_spec("torch"):
        import torch

        return lambda values: torch.tensor(values, dtype=torch.float64)
    import numpy as np

    return lambda values: np.array(values, float)
