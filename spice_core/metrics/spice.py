"""The SPICE metric, which turns captions into immutable results with a signature of all settings."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spice_core.data.factual import is_graph_text, read_graph
from spice_core.data.items import check_nonempty, is_nonempty
from spice_core.errors import InputError, Message, UnknownNameError
from spice_core.lang import language
from spice_core.lang.pack import LanguagePack, Parser, loader
from spice_core.metrics.config import Signature, SpiceConfig, TransientCaches, sorted_word_lists
from spice_core.metrics.result import SpiceResult
from spice_core.rules import RuleSet
from spice_core.scene.graph import SCHEMES, ConceptCache, SceneGraph, SceneTuple, Scheme
from spice_core.scene.matching import match_by_scheme
from spice_core.scene.propositions import Parse, Proposition, parse_from_tuples
from spice_core.scene.salience import weigh_tuples
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL, compute_entailed_scores, compute_scores
from spice_core.scene.synonyms import Synonyms
from spice_core.syntax.clean_text import clean_caption
from spice_core.syntax.document import Document

if TYPE_CHECKING:
    from spice_core.evaluation.corpus import CorpusResult
    from spice_core.inference.comparison import Inference

CaptionLike = str | Sequence[Sequence[str]] | Parse
_MAX_CACHED_CONCEPTS = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class MergedReferences:
    """The references of an image, merged into one graph for comparison with many candidates."""

    parses: tuple[Parse, ...]
    graph: SceneGraph
    tuples: tuple[SceneTuple, ...]


class Spice(TransientCaches):
    """The SPICE metric for one language, with its parser, rule set and synonyms.

    The object can be pickled and copied at any time. A copy loads its parser at first use. A parser that is given as an object must be
    picklable unless a language pack loaded it.

    >>> spice = Spice()
    >>> result = spice.compute("a dog on a sofa", ["a brown dog lies on a couch"])
    >>> result.scores["Object"].recall
    1.0
    """

    def __init__(
        self,
        lang: str | SpiceConfig = "en",
        *,
        parser: str | Parser | None = None,
        rules: str | Path | RuleSet | None = None,
        synonyms: str | Synonyms | None = None,
        scheme: str = "",
        categories: Mapping[str, Iterable[str]] | None = None,
    ):
        """Choose the settings. Omitted settings have the defaults of the language.

        Args:
            lang: code of the language (``en``, ``ja``), or all settings as a SpiceConfig.
            parser: name of a parser of the language, or a parser.
            rules: name of a rule set of the language, path of a rule file, or a rule set.
            synonyms: name of a synonym source of the language, or a source.
            scheme: name of the scheme for merging and counting tuples, which the rules define by default. ``entailed`` also counts entailed
                tuples.
            categories: additional categories of attributes, each a name with its words.

        Raises:
            UnknownNameError: a name is not registered.
            RuleError: the rule file is not valid.
            InputError: a category is not a list of words, or has the name of a built-in category.
            TypeError: other settings are given in addition to a SpiceConfig.

        >>> Spice("en", parser="spice-2016", synonyms="none").config.rules
        'spice-2016'
        """
        if not isinstance(lang, SpiceConfig):
            config = _make_config(lang, parser, rules, synonyms, scheme, categories)
        elif scheme or any(part is not None for part in (parser, rules, synonyms, categories)):
            raise TypeError("Spice(config) takes no other settings")
        else:
            config = lang
        self.config = config = config.resolved()
        self.rules = rules if isinstance(rules, RuleSet) else config.rule_set()
        self.synonyms = config.synonym_source() if synonyms is None or isinstance(synonyms, str) else synonyms
        self._given_parser = None if parser is None or isinstance(parser, str) else loader(parser)
        self.scheme = _scheme_by_name(config.scheme or self.rules.scheme, self.rules)
        for name in {name for name, _ in config.categories} & {OVERALL, *KIND_CATEGORIES, *self._pack.categories}:
            raise InputError("categories", name, Message("expected.free_name"))
        self.categories = {**self._pack.categories, **{name: frozenset(words) for name, words in config.categories}}

    def with_scheme(self, name: str) -> Spice:
        """Return the same metric under another scheme. Raises UnknownNameError if there is no such scheme."""
        other = copy(self)
        other.scheme, other.config = _scheme_by_name(name, self.rules), replace(self.config, scheme=name)
        return other

    @property
    def lang(self) -> str:
        """The code of the language."""
        return self.config.lang

    @cached_property
    def parser(self) -> Parser:
        """The parser, which is loaded at first use."""
        return self._given_parser() if self._given_parser else self._pack.parser(self.config.parser)

    @cached_property
    def _pack(self) -> LanguagePack:
        return language(self.config.lang)

    @cached_property
    def _inference(self) -> Inference:
        return self._pack.inference(self.synonyms)

    @cached_property
    def _concepts(self) -> ConceptCache:
        return ConceptCache()

    @property
    def signature(self) -> Signature:
        """The signature of caption scores. Scores of given propositions have another one, without parser and rules."""
        return self.signature_of({self.parser.signature})

    def signature_of(self, parsers: set[str]) -> Signature:
        """Return the signature of scores from parses by these parsers."""
        return Signature.from_config(self.config, parsers, rules=self.rules, synonyms=self.synonyms)

    @property
    def parse_key(self) -> str:
        """The cache key of parses: language, parser, rules with their full digest, steps and version."""
        signature = self.signature
        return "|".join((signature.lang, signature.parser, f"{self.rules.name}-{self.rules.digest}", signature.steps, signature.version))

    def parse(self, captions: Iterable[str]) -> Iterator[Parse]:
        """Yield the parse of each caption, in order. A text in the notation of FACTUAL, ``( dog , is , brown )``, is read as its graph.

        >>> [p.words for parse in Spice().parse(["a brown dog"]) for p in parse.propositions]
        [('dog', 'brown'), ('dog',)]
        """
        texts, parsed_texts = tee(map(clean_caption, captions))
        documents = iter(self.parser.parse(text for text in parsed_texts if not is_graph_text(text)))
        for text in texts:
            yield read_graph(text) if is_graph_text(text) else self._parse(next(documents), self.parser.signature)

    def parse_document(self, document: Document) -> Parse:
        """Return the parse of a document that was read from a file."""
        return self._parse(document, "conllu")

    def _parse(self, document: Document, parser: str) -> Parse:
        """Enhance the document with the rule set's steps, then apply the rules."""
        enhanced_document = self._pack.enhance(document, self.rules.steps)
        propositions = self.rules.apply(enhanced_document)
        negated = self._pack.negated_propositions(document, self.rules, propositions)
        texts = enhanced_document.sentence_texts if len(enhanced_document.sentences) > 1 else ()
        if len(document.sentences) > len(enhanced_document.sentences) == 1:  # the steps have joined the sentences
            texts = document.sentence_texts
            propositions, negated = (_with_sentence_numbers(group, document.text_offsets(texts)) for group in (propositions, negated))
        return Parse(document.text, propositions, enhanced_document, parser, texts, negated)

    def graph(self, parses: Iterable[Parse]) -> SceneGraph:
        """Return the merged scene graph of several captions, under the scheme of the metric.

        >>> spice = Spice()
        >>> [t.words for t in spice.graph(spice.parse(["a brown dog", "a dog on a sofa"])).tuples()]
        [('dog',), ('dog', 'brown'), ('dog', 'on', 'sofa'), ('sofa',)]
        """
        return self._merge_graph(parses)

    def compute(self, candidate: CaptionLike, references: Sequence[CaptionLike]) -> SpiceResult:
        """Score one candidate against the references of its image.

        Args:
            candidate: a text, a list of propositions, each a list of words such as ``["dog", "on", "sofa"]``, or a parse.
            references: a nonempty list of captions in any of these forms.

        Returns: The scores, and the graphs, tuples and matches that they are computed from.

        Raises:
            InputError: a caption has another type, or ``references`` is empty or a text.

        Source: Anderson et al., SPICE: Semantic Propositional Image Caption Evaluation, ECCV 2016, section 3.

        >>> Spice().compute("a dog on a sofa", ["a brown dog lies on a couch"]).f1
        0.5
        """
        check_nonempty(references, "references")
        captions = [candidate, *references]
        new_parses = self.parse(c for c in captions if isinstance(c, str))
        parses = [next(new_parses) if isinstance(c, str) else given_parse(c, _caption_place(i)) for i, c in enumerate(captions)]
        return self.compare(parses[0], parses[1:])

    def merge(self, references: Sequence[Parse]) -> MergedReferences:
        """Merge the references of an image once for several candidates."""
        graph = self._merge_graph(references, "r:")
        return MergedReferences(tuple(references), graph, tuple(graph.tuples()))

    def compare(self, candidate: Parse, references: Sequence[Parse] | MergedReferences) -> SpiceResult:
        """Score a parsed candidate against parsed references.

        >>> spice = Spice()
        >>> candidate, *references = spice.parse(["a dog on a sofa", "a brown dog lies on a couch"])
        >>> spice.compare(candidate, references).f1
        0.5
        """
        merged_references = references if isinstance(references, MergedReferences) else self.merge(references)
        graph = self._merge_graph([candidate], "c:")
        graphs, tuples_by_side = (graph, merged_references.graph), (tuple(graph.tuples()), merged_references.tuples)
        matches = tuple(match_by_scheme(*tuples_by_side, self.scheme))
        signature = self.signature_of({p.parser for p in (candidate, *merged_references.parses)})
        if not self.scheme.entailed:
            by_category = compute_scores(*tuples_by_side, matches, self.categories, partial_credit=self.scheme.partial_credit)
            return SpiceResult(candidate, merged_references.parses, *graphs, *tuples_by_side, matches, by_category, signature)
        verdicts = self._inference.verdicts(*tuples_by_side, [match for match in matches if match.credit == 1])
        candidate_weights, reference_weights = (weigh_tuples(side, self._pack.word_class) for side in tuples_by_side)
        weights = {**candidate_weights, **reference_weights}
        result = SpiceResult(candidate, merged_references.parses, *graphs, *tuples_by_side, matches, {}, signature, verdicts, weights)
        return replace(result, scores=compute_entailed_scores(*tuples_by_side, result.credit, weights, self.categories))

    def score_many(
        self,
        candidates: Sequence[CaptionLike],
        references: Sequence[Sequence[CaptionLike]],
        *,
        workers: int = 1,
        progress: Callable[[int, int], object] | None = None,
        resamples: int = 1000,
        seed: int = 0,
    ) -> CorpusResult:
        """Score many candidates, each against the references of its image.

        Args:
            candidates: one caption for each image.
            references: a list of references for each candidate, in the same order.
            workers: number of processes, each of which loads the parser.
            progress: called after each image with the number of images scored so far and the total.
            resamples: number of bootstrap resamples for the confidence intervals.
            seed: seed of the bootstrap.

        Returns:
            Mean F1, intervals, means by category, and the scores of each image. Images are numbered from 1.

        Raises:
            InputError: the numbers of candidates and of lists of references differ, a caption is invalid, a list is empty, or a number is
                out of bounds.

        >>> corpus = Spice().score_many(["a dog on a sofa", "a cat"], [["a brown dog lies on a couch"], ["a cat sleeps"]])
        >>> round(corpus.mean, 3)
        0.583
        """
        from spice_core.evaluation.corpus import score_many

        return score_many(self, candidates, references, workers=workers, progress=progress, resamples=resamples, seed=seed)

    def compute_score(
        self, gts: Mapping[Any, Sequence[CaptionLike]], res: Mapping[Any, Sequence[CaptionLike]]
    ) -> tuple[float, list[dict[str, Any]]]:
        """Score candidates against references, both given by image id, like the scorers of pycocoevalcap.

        Args:
            gts: the references of each image.
            res: for each image, a list with a single candidate.

        Returns:
            The mean F1, and the scores of each image by category in the order of ``gts``, as the original SPICE writes them.

        Raises:
            InputError: the ids differ, or an image lacks a list of references or does not have exactly one candidate.

        >>> Spice().compute_score({7: ["a brown dog lies on a couch"]}, {7: ["a dog on a sofa"]})[0]
        0.5
        """
        check_images(gts, res)
        captions = list(dict.fromkeys(c for image in gts for c in (*res[image], *gts[image]) if isinstance(c, str)))
        parses = dict(zip(captions, self.parse(captions))) if captions else {}

        def parse_caption(caption: CaptionLike, position: int) -> Parse:
            return parses[caption] if isinstance(caption, str) else given_parse(caption, _caption_place(position))

        results = []
        for image in gts:
            candidate, *references = [parse_caption(c, i) for i, c in enumerate((*res[image], *gts[image]))]
            results.append(self.compare(candidate, references))
        details = [{name: score.as_spice_json() for name, score in r.scores.items()} for r in results]
        return math.fsum(r.f1 for r in results) / len(results) if results else 0.0, details

    def _merge_graph(self, parses: Iterable[Parse], side: str = "") -> SceneGraph:
        if len(self._concepts) > _MAX_CACHED_CONCEPTS:
            self._concepts.clear()
        return SceneGraph.merge_parses(parses, self.synonyms, self._concepts, self.scheme, side, self._pack.action_lemma)

    def method(self) -> str:
        """Return the metric's name. pycocoevalcap calls this method."""
        return "SPICE"


def check_images(gts: Mapping[Any, Sequence[CaptionLike]], res: Mapping[Any, Sequence[CaptionLike]]) -> None:
    """Raise InputError if the images differ, an image lacks references, or an image does not have exactly one candidate."""
    if set(gts) != set(res):
        raise InputError("res", sorted(set(gts) ^ set(res), key=str)[:3], Message("expected.same_ids"))
    for image in res:
        if not is_nonempty(res[image]) or len(res[image]) != 1:
            raise InputError(f"res[{image!r}]", res[image], Message("expected.one_caption"))
        check_nonempty(gts[image], f"gts[{image!r}]")


def given_parse(caption: object, where: str) -> Parse:
    """Return the parse of a caption that is given as a parse or as propositions.

    Raises InputError, which names ``where``, if the caption is neither.
    """
    if isinstance(caption, Parse):
        return caption
    if not isinstance(caption, (list, tuple)):
        raise InputError(where, caption, Message("expected.caption_or_propositions"))
    return parse_from_tuples(caption, where=where)


def _caption_place(position: int) -> str:
    """Return the name of a caption in error messages: position 0 is the candidate, followed by the references."""
    return "candidate" if position == 0 else f"references[{position - 1}]"


def _make_config(
    lang: str,
    parser: str | Parser | None,
    rules: str | Path | RuleSet | None,
    synonyms: str | Synonyms | None,
    scheme: str,
    categories: Mapping[str, Iterable[str]] | None,
) -> SpiceConfig:
    """Return the settings as a SpiceConfig, without parsers, rule sets and synonym sources passed as objects."""
    parser_name, rules_name, synonyms_name = (part if isinstance(part, str) else "" for part in (parser, rules, synonyms))
    config = SpiceConfig(lang, parser_name, rules_name, synonyms_name, scheme=scheme, categories=sorted_word_lists(categories or {}))
    if isinstance(rules, Path):
        return config.with_rule_file(rules)
    if isinstance(rules, RuleSet):
        return replace(config, synonyms=synonyms_name or rules.synonyms or next(iter(language(lang).synonyms)))
    return config


def _scheme_by_name(name: str, rules: RuleSet) -> Scheme:
    """Return a scheme. A scheme that compares by meaning takes its partial credit from the rules."""
    if name not in SCHEMES:
        raise UnknownNameError(Message("kind.scheme"), name, SCHEMES)
    scheme, own = SCHEMES[name], SCHEMES[rules.scheme]
    return replace(scheme, partial_credit=own.partial_credit, lenient=own.lenient) if scheme.entailed else scheme


def _with_sentence_numbers(propositions: Iterable[Proposition], starts: Sequence[int]) -> tuple[Proposition, ...]:
    """Return the propositions with the sentence number of their last word.

    ``starts`` are the offsets of the sentences.
    """
    last_starts = [max((t.start for part in p.tokens for t in part), default=0) for p in propositions]
    return tuple(replace(p, sentence=max(0, bisect_right(starts, position) - 1)) for p, position in zip(propositions, last_starts))
