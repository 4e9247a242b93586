"""Classes with the interface of pycocoevalcap, which need not be installed.

from spice_core.coco import COCOEvalCap  # instead of pycocoevalcap.eval, whose scorers need Java

Bleu, Rouge and Cider return pycocoevalcap's scores for the same tokens. METEOR has no paraphrase table, SPICE has another parser, and the
tokenizer is another, so their results differ slightly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from spice_core.data.columns import text_of_caption
from spice_core.lang import language
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.spice import CaptionLike, check_images
from spice_core.metrics.spice import Spice as _Spice
from spice_core.metrics.text.cider import cider_d_scores
from spice_core.metrics.text.meteor import meteor_scores
from spice_core.metrics.text.overlap import bleu_scores, corpus_bleu, rouge_l_scores
from spice_core.metrics.text.tokens import TokenPair
from spice_core.syntax.clean_text import clean_caption

CaptionsById = Mapping[Any, Sequence[Any]]
_PUNCTUATION_MARKS = frozenset("'' ' `` ` -LRB- -RRB- -LCB- -RCB- \" . .. ? ! , : - -- ... ;".split())  # as removed by pycocoevalcap


def _caption_lists(captions: CaptionsById) -> dict[Any, Sequence[Any]]:
    """Return captions by image id, from objects with the field ``caption`` as in COCO's annotations."""
    return {
        image: [text_of_caption(text) for text in texts] if isinstance(texts, list | tuple) else texts for image, texts in captions.items()
    }


class Spice(_Spice):
    """A drop-in replacement for pycocoevalcap's ``Spice``.

    By default it uses the parser and rules of the original SPICE if the language has them.
    """

    def __init__(self, lang: str | SpiceConfig = "en", **settings: Any):
        """Create the metric with the settings of ``spice_core.Spice``.

        The default parser of English is ``spice-2016``, which imitates the original SPICE.
        """
        if isinstance(lang, str) and not any(settings.get(part) for part in ("parser", "rules")):
            settings["parser"] = language(lang).original
        super().__init__(lang, **settings)

    def compute_score(
        self, gts: Mapping[Any, Sequence[CaptionLike]], res: Mapping[Any, Sequence[CaptionLike]]
    ) -> tuple[float, list[dict[str, dict[str, float]]]]:
        """Score the candidates ``res`` against the references ``gts``, both by image id.

        Returns the mean F1, and the scores of each image by category, in the order of ``gts``. Undefined scores are nan. Raises
        InputError if the ids differ, or if an image does not have exactly one candidate and at least one reference.
        """
        mean, images = super().compute_score(_caption_lists(gts), _caption_lists(res))
        return mean, [
            {name: {k: math.nan if v is None else float(v) for k, v in s.items()} for name, s in image.items()} for image in images
        ]


class PTBTokenizer:
    """Tokenizer of captions by image id, with lower-case words and without punctuation."""

    def tokenize(self, captions_for_image: CaptionsById) -> dict[Any, list[str]]:
        """Return the words of each caption, joined by spaces. A caption is a text or an object with the field ``caption``.

        >>> PTBTokenizer().tokenize({1: [{"caption": "A man's dog, on a sofa."}]})
        {1: ["a man 's dog on a sofa"]}
        """
        split = language("en").tokenizer()
        return {
            image: [
                " ".join(word for word in split(" ".join(clean_caption(text).split())) if word not in _PUNCTUATION_MARKS)
                for text in captions
            ]
            for image, captions in _caption_lists(captions_for_image).items()
        }


def _token_pairs(gts: CaptionsById, res: CaptionsById) -> list[TokenPair]:
    """Return the tokens of tokenised captions in the order of ``gts``. Raises InputError if ids differ or a candidate is missing."""
    gts, res = _caption_lists(gts), _caption_lists(res)
    check_images(gts, res)
    return [TokenPair(res[image][0].split(), tuple(text.split() for text in captions)) for image, captions in gts.items()]


class Bleu:
    """BLEU for n-grams of one to ``n`` words."""

    def __init__(self, n: int = 4):
        self._n = n

    def compute_score(self, gts: CaptionsById, res: CaptionsById, verbose: int = 0) -> tuple[list[float], list[list[float]]]:
        """Return the corpus score and the scores of the images for each order."""
        pairs, orders = _token_pairs(gts, res), range(1, self._n + 1)
        return [corpus_bleu(pairs, n) for n in orders], [bleu_scores(pairs, n) for n in orders]

    def method(self) -> str:
        """Return the name of the metric."""
        return "Bleu"


class _MeanScorer:
    """A metric whose corpus score is the mean over the images."""

    name = ""

    def compute_score(self, gts: CaptionsById, res: CaptionsById) -> tuple[float, list[float]]:
        """Return the mean and the score of each image."""
        scores = self._scores(_token_pairs(gts, res))
        return fmean(scores), scores

    def method(self) -> str:
        """Return the name of the metric."""
        return self.name

    def _scores(self, pairs: list[TokenPair]) -> list[float]:
        raise NotImplementedError


class Rouge(_MeanScorer):
    """ROUGE-L."""

    name = "Rouge"

    def _scores(self, pairs: list[TokenPair]) -> list[float]:
        return rouge_l_scores(pairs)


class Cider(_MeanScorer):
    """CIDEr-D, which pycocoevalcap calls CIDEr, with document frequencies of the references."""

    name = "CIDEr"

    def _scores(self, pairs: list[TokenPair]) -> list[float]:
        return cider_d_scores(pairs)


class Meteor(_MeanScorer):
    """METEOR 1.5 without its paraphrase table. The corpus score is the mean over the images."""

    name = "METEOR"

    def _scores(self, pairs: list[TokenPair]) -> list[float]:
        return meteor_scores(pairs, language("en"))


class COCOEvalCap:
    """Scores of results against annotations, with the attributes ``eval``, ``imgToEval`` and ``evalImgs`` of pycocoevalcap's class.

    Attributes:
        eval: The corpus scores by metric: Bleu_1 to Bleu_4, METEOR, ROUGE_L, CIDEr and SPICE.
        imgToEval: The scores of each image by its id.
        evalImgs: The same scores as a list.
        params: ``image_id`` holds the ids of the images to score; by default, all annotated images.
    """

    def __init__(self, coco: Any, cocoRes: Any):
        """Take annotations and results as pycocotools' ``COCO``, or as any objects with ``getImgIds()`` and ``imgToAnns``."""
        self.coco, self.cocoRes = coco, cocoRes
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}
        self.evalImgs: list[dict[str, Any]] = []
        self.params = {"image_id": coco.getImgIds()}

    def evaluate(self) -> None:
        """Compute all scores."""
        images, tokenizer = self.params["image_id"], PTBTokenizer()
        gts, res = (tokenizer.tokenize({image: side.imgToAnns[image] for image in images}) for side in (self.coco, self.cocoRes))
        self.imgToEval = {image: {"image_id": image} for image in gts}
        bleu, bleu_by_image = Bleu(4).compute_score(gts, res)
        columns: dict[str, tuple[float, Sequence[Any]]] = {f"Bleu_{n}": pair for n, pair in enumerate(zip(bleu, bleu_by_image), 1)}
        scorers: dict[str, Any] = {"METEOR": Meteor(), "ROUGE_L": Rouge(), "CIDEr": Cider(), "SPICE": Spice()}
        columns |= {name: scorer.compute_score(gts, res) for name, scorer in scorers.items()}
        for name, (score, scores) in columns.items():
            self.eval[name] = score
            for row, value in zip(self.imgToEval.values(), scores):
                row[name] = value
        self.evalImgs = [*self.imgToEval.values()]


def f1_scores(spice: _Spice, candidates: Sequence[CaptionLike], references: Sequence[Sequence[CaptionLike]]) -> list[float]:
    """Return the F1 of each candidate. Raises InputError if the numbers differ or a candidate has no list of references."""
    gts: dict[object, Sequence[CaptionLike]] = dict(enumerate(references))
    res: dict[object, Sequence[CaptionLike]] = {i: [candidate] for i, candidate in enumerate(candidates)}
    return [image["All"]["f"] for image in spice.compute_score(gts, res)[1]]
