"""The metric: from captions to frozen results, with a signature of all settings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from spice_core.errors import InputError
from spice_core.lang import language
from spice_core.lang.pack import LanguagePack, Parser
from spice_core.metrics.config import Signature
from spice_core.metrics.result import SpiceResult
from spice_core.rules import RuleSet
from spice_core.rules.rule_file import load_rules
from spice_core.scene.graph import Concept, SceneGraph
from spice_core.scene.matching import match_by_scheme
from spice_core.scene.propositions import GIVEN, Parse, from_tuples
from spice_core.scene.scheme import SCHEMES
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL, scores
from spice_core.scene.synonyms import Synonyms
from spice_core.syntax.document import Document
from spice_core.version import __version__

Caption = str | Sequence[Sequence[str]] | Parse
_CONCEPTS = 1 << 14  # cached concepts


class Spice:
    """The SPICE metric for one language, with its parser, rule set and synonyms.

    >>> spice = Spice()
    >>> result = spice.compute("a dog on a sofa", ["a brown dog lies on a couch"])
    >>> result.scores["Object"].recall
    1.0
    """

    def __init__(
        self,
        lang: str = "en",
        *,
        parser: str | Parser | None = None,
        rules: str | Path | RuleSet | None = None,
        synonyms: str | Synonyms | None = None,
        categories: Mapping[str, Iterable[str]] | None = None,
    ):
        """Parts are named or given as objects; None takes the language's default or, if only one of parser and rules is named, the
        other of the same name.

        ``rules`` may be the path of a rule file; ``categories`` are further word lists for attributes, by name.
        Raises UnknownNameError for a name that is not registered and RuleError for a bad rule file.
        """
        pack = language(lang)
        self.lang = lang
        parser, rules = _namesakes(pack, parser, rules)
        self._pack, self._parser = pack, parser
        if isinstance(rules, Path) or (isinstance(rules, str) and rules.endswith(".toml")):
            rules = load_rules(Path(rules))
        self.rules = rules if isinstance(rules, RuleSet) else pack.rule_set(rules)
        self.synonyms = pack.synonym_source(synonyms) if synonyms is None or isinstance(synonyms, str) else synonyms
        mine = {name: frozenset(words) for name, words in (categories or {}).items()}
        self._own_categories = _digest(mine) if mine else ""
        for name in set(mine) & {OVERALL, *KIND_CATEGORIES, *pack.categories}:
            raise InputError("categories", name, "a name that is not taken")
        self.categories = {**pack.categories, **mine}
        self._concepts: dict[str, Concept] = {}

    @cached_property
    def parser(self) -> Parser:
        """The parser, loaded at first use."""
        given_one = self._parser
        return self._pack.parser(given_one) if given_one is None or isinstance(given_one, str) else given_one

    @property
    def signature(self) -> Signature:
        """The signature of scores of captions; scores of given propositions depend on no parser and no rules."""
        return self.signature_of({self.parser.signature})

    def signature_of(self, parsers: set[str]) -> Signature:
        """The signature of scores from parses by these parsers; what is given is still counted as the rules want it."""
        made = "+".join(sorted(parsers - {GIVEN}))
        usual = self.rules.scheme == self._pack.rule_set().scheme
        rules = self.rules.signature if made else GIVEN if usual else f"{GIVEN}-{self.rules.scheme}"
        return Signature(self.lang, made or GIVEN, rules, self.synonyms.signature, __version__, categories=self._own_categories)

    def parse(self, captions: Iterable[str]) -> Iterator[Parse]:
        """Parse captions, in order."""
        for document in self.parser.parse(captions):
            yield self._parse(document, self.parser.signature)

    def parse_document(self, document: Document) -> Parse:
        """The parse of a document read from a file, whose trees are used unchanged."""
        return self._parse(document, "conllu")

    def _parse(self, document: Document, parser: str) -> Parse:
        """Enhance the document by the steps of the rules, then apply the rules."""
        document = self._pack.enhance(document, self.rules.steps)
        return Parse(document.text, self.rules.apply(document), document, parser)

    def graph(self, parses: Iterable[Parse]) -> SceneGraph:
        """The merged graph of several captions, under the scheme of the rules."""
        if len(self._concepts) > _CONCEPTS:
            self._concepts.clear()
        return SceneGraph.of(parses, self.synonyms, self._concepts, SCHEMES[self.rules.scheme])

    def compute(self, candidate: Caption, references: Sequence[Caption]) -> SpiceResult:
        """Score one candidate against the references of its image.

        A caption is a string, a list of propositions such as ``["dog", "on", "sofa"]``, or a parse. Raises InputError
        for anything else, and where ``references`` is a single string or empty.
        """
        if isinstance(references, str) or not references:
            raise InputError("references", references, "a list of at least one caption")
        captions = [candidate, *references]
        parsed = self.parse(c for c in captions if isinstance(c, str))
        parses = [next(parsed) if isinstance(c, str) else self._given(c, i) for i, c in enumerate(captions)]
        return self.compare(parses[0], parses[1:])

    def compare(self, candidate: Parse, references: Sequence[Parse]) -> SpiceResult:
        """Score a parsed candidate against parsed references."""
        mine, theirs = self.graph([candidate]), self.graph(references)
        candidates, wanted = tuple(mine.tuples()), tuple(theirs.tuples())
        matches = tuple(match_by_scheme(candidates, wanted, SCHEMES[self.rules.scheme]))
        by_category = scores(candidates, wanted, matches, self.categories)
        signature = self.signature_of({p.parser for p in (candidate, *references)})
        return SpiceResult(candidate, tuple(references), mine, theirs, candidates, wanted, matches, by_category, signature)

    def compute_score(self, gts: Mapping[object, Sequence[Caption]], res: Mapping[object, Sequence[Caption]]) -> tuple[float, list[dict]]:
        """The interface of pycocoevalcap: references and candidates by image id → (mean F1, scores by sorted id, numbers first).

        Raises InputError if the ids differ, or if an image has not exactly one candidate or no list of references.
        """
        if set(gts) != set(res):
            raise InputError("res", sorted(set(gts) ^ set(res), key=str)[:3], "the same image ids as gts")
        for image in res:
            if isinstance(res[image], str) or len(res[image]) != 1:
                raise InputError(f"res[{image!r}]", res[image], "a list of one caption")
            if isinstance(gts[image], str) or len(gts[image]) == 0:
                raise InputError(f"gts[{image!r}]", gts[image], "a list of at least one caption")
        captions = list(dict.fromkeys(c for image in res for c in (*res[image], *gts[image]) if isinstance(c, str)))
        parses = dict(zip(captions, self.parse(captions))) if captions else {}

        def parsed(caption: Caption, position: int) -> Parse:
            return parses[caption] if isinstance(caption, str) else self._given(caption, position)

        results = []
        for image in sorted(res, key=lambda image: (isinstance(image, str), image)):
            candidate, *references = [parsed(c, i) for i, c in enumerate((*res[image], *gts[image]))]
            results.append(self.compare(candidate, references))
        details = [r.as_reference_json(None)["scores"] for r in results]
        return math.fsum(r.f1 for r in results) / len(results) if results else 0.0, details

    def method(self) -> str:
        """The metric's name, for pycocoevalcap's loop."""
        return "SPICE"

    def _given(self, caption: object, position: int) -> Parse:
        if isinstance(caption, Parse):
            return caption
        where = "candidate" if position == 0 else f"references[{position - 1}]"
        if not isinstance(caption, (list, tuple)):
            raise InputError(where, caption, "a caption or a list of propositions")
        return from_tuples(caption, where=where)


def _digest(categories: Mapping[str, frozenset[str]]) -> str:
    """The first digits of a digest of word lists, whatever their order."""
    listed = sorted((name, sorted(words)) for name, words in categories.items())
    return sha256(json.dumps(listed).encode()).hexdigest()[:8]


def _namesakes(pack: LanguagePack, parser: object, rules: object) -> tuple[object, object]:
    """Parser and rules; if only one is named, the other of the same name if it exists."""
    if rules is None and isinstance(parser, str) and parser in pack.rules:
        return parser, parser
    if parser is None and isinstance(rules, str) and rules in pack.parsers:
        return rules, rules
    return parser, rules
