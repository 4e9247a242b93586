"""The metric: from captions to frozen results, with a signature of all settings."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from spice_core.data.items import filled
from spice_core.errors import InputError, Message, UnknownNameError
from spice_core.inference.verdicts import Inference
from spice_core.lang import language
from spice_core.lang.pack import LanguagePack, Parser, loader
from spice_core.metrics.config import Signature, SpiceConfig, word_lists
from spice_core.metrics.copies import TransientCaches
from spice_core.metrics.result import SpiceResult
from spice_core.rules import RuleSet
from spice_core.scene.graph import Concepts, SceneGraph
from spice_core.scene.matching import match_by_scheme
from spice_core.scene.propositions import Parse, Proposition, from_tuples
from spice_core.scene.scheme import SCHEMES
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL, entailed_scores, scores
from spice_core.scene.synonyms import Synonyms
from spice_core.syntax.document import Document

Caption = str | Sequence[Sequence[str]] | Parse
_CONCEPTS = 1 << 14  # cached concepts


class Spice(TransientCaches):
    """The SPICE metric for one language, with its parser, rule set and synonyms.

    It can be pickled and copied at any time; a copy loads its parser at first use. A parser given as an object must be picklable,
    unless a language pack loaded it.

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
        analyser: str | Parser | None = None,
    ):
        """Settings as one SpiceConfig, or by keyword; parts given as objects are not in ``config``.

        ``scheme`` is how tuples are merged and counted, by default that of the rules; ``entailed`` also counts what follows by meaning.

        ``analyser`` is the old name of ``parser``, until 0.3.
        Raises UnknownNameError for a name that is not registered, RuleError for a bad rule file, and InputError.
        """
        if analyser is not None:
            warnings.warn("analyser= is now parser=", DeprecationWarning, stacklevel=2)
            parser = analyser if parser is None else parser
        if isinstance(lang, SpiceConfig):
            if scheme or (parser, rules, synonyms, categories) != (None,) * 4:
                raise TypeError("Spice(config) takes no other settings")
            config = lang
        else:
            parser_name, rules_name, synonyms_name = (part if isinstance(part, str) else "" for part in (parser, rules, synonyms))
            config = SpiceConfig(lang, parser_name, rules_name, synonyms_name, scheme=scheme, categories=word_lists(categories or {}))
            config = config.with_rule_file(rules) if isinstance(rules, Path) else config
            if isinstance(rules, RuleSet):
                config = replace(config, synonyms=synonyms_name or rules.synonyms or next(iter(language(lang).synonyms)))
        self.config = config = config.resolved()
        self.rules = rules if isinstance(rules, RuleSet) else config.rule_set()
        self.synonyms = config.synonym_source() if synonyms is None or isinstance(synonyms, str) else synonyms
        self._given_parser = None if parser is None or isinstance(parser, str) else loader(parser)
        if (name := config.scheme or self.rules.scheme) not in SCHEMES:
            raise UnknownNameError(Message("kind.scheme"), name, SCHEMES)
        self.scheme = SCHEMES[name]
        for name in {name for name, _ in config.categories} & {OVERALL, *KIND_CATEGORIES, *self._pack.categories}:
            raise InputError("categories", name, Message("expected.free_name"))
        self.categories = {**self._pack.categories, **{name: frozenset(words) for name, words in config.categories}}

    def with_scheme(self, name: str) -> Spice:
        """The same metric under another scheme. Raises UnknownNameError."""
        if name not in SCHEMES:
            raise UnknownNameError(Message("kind.scheme"), name, SCHEMES)
        other = copy(self)
        other.config, other.scheme = replace(self.config, scheme=name), SCHEMES[name]
        return other

    @property
    def lang(self) -> str:
        """The language's code."""
        return self.config.lang

    @cached_property
    def parser(self) -> Parser:
        """The parser, loaded at first use."""
        return self._given_parser() if self._given_parser else self._pack.parser(self.config.parser)

    @cached_property
    def _pack(self) -> LanguagePack:
        return language(self.config.lang)

    @cached_property
    def _inference(self) -> Inference:
        return self._pack.inference(self.synonyms)

    @cached_property
    def _concepts(self) -> Concepts:
        return Concepts()

    @property
    def signature(self) -> Signature:
        """The signature of scores of captions; scores of given propositions depend on no parser and no rules."""
        return self.signature_of({self.parser.signature})

    def signature_of(self, parsers: set[str]) -> Signature:
        """The signature of scores of parses by these parsers."""
        return Signature.of(self.config, parsers, rules=self.rules, synonyms=self.synonyms)

    @property
    def parse_key(self) -> str:
        """Cache key of a parse: language, parser, rules with their whole digest, version."""
        signature = self.signature
        return "|".join((signature.lang, signature.parser, f"{self.rules.name}-{self.rules.digest}", signature.version))

    def parse(self, captions: Iterable[str]) -> Iterator[Parse]:
        """Parse captions, in order."""
        for document in self.parser.parse(captions):
            yield self._parse(document, self.parser.signature)

    def parse_document(self, document: Document) -> Parse:
        """The parse of a document read from a file, whose trees are used unchanged."""
        return self._parse(document, "conllu")

    def _parse(self, document: Document, parser: str) -> Parse:
        """Enhance the document by the steps of the rules, then apply the rules."""
        enhanced = self._pack.enhance(document, self.rules.steps)
        propositions = self.rules.apply(enhanced)
        texts = enhanced.sentence_texts if len(enhanced.sentences) > 1 else ()
        if len(document.sentences) > len(enhanced.sentences) == 1:  # steps have joined them
            texts = document.sentence_texts
            propositions = _numbered(propositions, document.starts(texts))
        return Parse(document.text, propositions, enhanced, parser, texts)

    def graph(self, parses: Iterable[Parse]) -> SceneGraph:
        """The merged graph of several captions, under the scheme of the rules."""
        if len(self._concepts) > _CONCEPTS:
            self._concepts.clear()
        return SceneGraph.of(parses, self.synonyms, self._concepts, self.scheme)

    def compute(self, candidate: Caption, references: Sequence[Caption]) -> SpiceResult:
        """Score one candidate against the references of its image.

        A caption is a string, a list of propositions such as ``["dog", "on", "sofa"]``, or a parse. Raises InputError
        for anything else, and where ``references`` is a single string or empty.
        """
        if not filled(references):
            raise InputError("references", references, Message("expected.captions"))
        captions = [candidate, *references]
        parsed = self.parse(c for c in captions if isinstance(c, str))
        parses = [next(parsed) if isinstance(c, str) else self._given(c, i) for i, c in enumerate(captions)]
        return self.compare(parses[0], parses[1:])

    def compare(self, candidate: Parse, references: Sequence[Parse]) -> SpiceResult:
        """Score a parsed candidate against parsed references."""
        graphs = self.graph([candidate]), self.graph(references)
        candidate_tuples, reference_tuples = (tuple(graph.tuples()) for graph in graphs)
        matches = tuple(match_by_scheme(candidate_tuples, reference_tuples, self.scheme))
        signature = self.signature_of({p.parser for p in (candidate, *references)})
        sides = candidate_tuples, reference_tuples
        if not self.scheme.entailed:
            by_category = scores(*sides, matches, self.categories)
            return SpiceResult(candidate, tuple(references), *graphs, *sides, matches, by_category, signature)
        verdicts = self._inference.verdicts(*sides, matches)
        found = {id(each.tuple_) for each in verdicts.entailed} | {id(t) for m in matches for t in (m.candidate, m.reference)}
        by_category = entailed_scores(*sides, lambda tuple_: id(tuple_) in found, self.categories)
        return SpiceResult(candidate, tuple(references), *graphs, *sides, matches, by_category, signature, verdicts)

    def compute_score(
        self, gts: Mapping[Any, Sequence[Caption]], res: Mapping[Any, Sequence[Caption]]
    ) -> tuple[float, list[dict[str, Any]]]:
        """Score the candidates ``res`` against the references ``gts``, both by image id, like the scorers of pycocoevalcap.

        Returns the mean F1, and the scores of each image in the order of ``gts``. Raises InputError if the ids differ, or if an
        image has not exactly one candidate or no list of references.
        """
        if set(gts) != set(res):
            raise InputError("res", sorted(set(gts) ^ set(res), key=str)[:3], Message("expected.same_ids"))
        for image in res:
            if not filled(res[image]) or len(res[image]) != 1:
                raise InputError(f"res[{image!r}]", res[image], Message("expected.one_caption"))
            if not filled(gts[image]):
                raise InputError(f"gts[{image!r}]", gts[image], Message("expected.captions"))
        captions = list(dict.fromkeys(c for image in gts for c in (*res[image], *gts[image]) if isinstance(c, str)))
        parses = dict(zip(captions, self.parse(captions))) if captions else {}

        def parsed(caption: Caption, position: int) -> Parse:
            return parses[caption] if isinstance(caption, str) else self._given(caption, position)

        results = []
        for image in gts:
            candidate, *references = [parsed(c, i) for i, c in enumerate((*res[image], *gts[image]))]
            results.append(self.compare(candidate, references))
        details = [{name: score.as_reference_json() for name, score in r.scores.items()} for r in results]
        return math.fsum(r.f1 for r in results) / len(results) if results else 0.0, details

    def method(self) -> str:
        """The metric's name, for pycocoevalcap's loop."""
        return "SPICE"

    def _given(self, caption: object, position: int) -> Parse:
        if isinstance(caption, Parse):
            return caption
        where = "candidate" if position == 0 else f"references[{position - 1}]"
        if not isinstance(caption, (list, tuple)):
            raise InputError(where, caption, Message("expected.caption_or_propositions"))
        return from_tuples(caption, where=where)


def _numbered(propositions: Iterable[Proposition], starts: Sequence[int]) -> tuple[Proposition, ...]:
    """The propositions with the number of the sentence in which their last word stands, given where the sentences begin."""
    last = [max((t.start for part in p.tokens for t in part), default=0) for p in propositions]
    return tuple(replace(p, sentence=max(0, bisect_right(starts, at) - 1)) for p, at in zip(propositions, last))
