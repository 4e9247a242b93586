"""The metric: captions in, frozen results out, with a signature that says how they came about."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from spice_core.counting import COUNTINGS
from spice_core.document import Document
from spice_core.errors import InputError
from spice_core.graph import Concept, SceneGraph, SceneTuple
from spice_core.lang import Analyser, Language, language
from spice_core.matching import Match, match_counted
from spice_core.propositions import GIVEN, Parse, given
from spice_core.rules import RuleSet
from spice_core.scoring import KIND_CATEGORIES, OVERALL, Score, scores
from spice_core.synonyms import Synonyms
from spice_core.version import __version__

Caption = str | Sequence[Sequence[str]] | Parse
_CONCEPTS = 1 << 14  # words whose concepts are kept


@dataclass(frozen=True)
class Signature:
    """Every choice that moves a score; prints as ``spice|lang:en|…|version:…`` and is read back by ``parse``.

    ``categories`` is the digest of categories of one's own, and stands there only where there are some.
    """

    lang: str
    analyser: str
    rules: str
    synonyms: str
    categories: str = field(default="", kw_only=True)
    version: str

    def __str__(self) -> str:
        said = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "categories" or self.categories}
        return "|".join(["spice", *(f"{name}:{value}" for name, value in said.items())])

    @classmethod
    def parse(cls, text: str) -> Signature:
        """The signature that prints as ``text``. Raises InputError if it has other keys."""
        head, *pairs = text.split("|")
        found = dict(pair.split(":", 1) for pair in pairs if ":" in pair)
        names = [f.name for f in fields(cls) if f.name != "categories" or f.name in found]
        if head != "spice" or list(found) != names:
            raise InputError("signature", text, f"spice|{'|'.join(f'{n}:…' for n in names)}")
        return cls(**found)


@dataclass(frozen=True)
class SpiceResult:
    """One scored candidate: graphs, tuples, matches and scores, all with their origin.

    ``scores`` maps All, Object, Attribute, Relation and the attribute categories to counts; ``matches`` holds each
    matched candidate tuple with its reference tuple.
    """

    candidate: Parse
    references: tuple[Parse, ...]
    candidate_graph: SceneGraph = field(repr=False)
    reference_graph: SceneGraph = field(repr=False)
    candidate_tuples: tuple[SceneTuple, ...] = field(repr=False)
    reference_tuples: tuple[SceneTuple, ...] = field(repr=False)
    matches: tuple[Match, ...] = field(repr=False)
    scores: Mapping[str, Score]
    signature: Signature

    @property
    def overall(self) -> Score:
        """The score over all tuples."""
        return self.scores[OVERALL]

    @property
    def f1(self) -> float:
        """SPICE: the F1 over all tuples (0–1)."""
        return self.overall.f1

    @property
    def precision(self) -> float:
        return self.overall.precision

    @property
    def recall(self) -> float:
        return self.overall.recall

    @cached_property
    def match_of(self) -> dict[int, Match]:
        """Matches by ``id`` of the candidate tuple and of the reference tuple (the first that took it)."""
        out: dict[int, Match] = {}
        for m in self.matches:
            out[id(m.candidate)] = m
            out.setdefault(id(m.reference), m)
        return out

    def __getstate__(self) -> dict[str, object]:
        # match_of goes by identity, which a copy does not share
        return {name: value for name, value in vars(self).items() if name != "match_of"}

    @property
    def missed(self) -> tuple[SceneTuple, ...]:
        """Reference tuples that no candidate tuple took."""
        return tuple(t for t in self.reference_tuples if id(t) not in self.match_of)

    @property
    def extra(self) -> tuple[SceneTuple, ...]:
        """Candidate tuples without a counterpart."""
        return tuple(t for t in self.candidate_tuples if id(t) not in self.match_of)

    def as_reference_json(self, image_id: object, *, categories: bool = True, detailed: bool = False) -> dict[str, object]:
        """The result as the original SPICE writes it (spec section 8)."""
        names = list(self.scores) if categories else [OVERALL]
        out: dict[str, object] = {"image_id": image_id, "scores": {n: self.scores[n].as_reference_json() for n in names}}
        if detailed:
            for key, side in (("test_tuples", self.candidate_tuples), ("ref_tuples", self.reference_tuples)):
                out[key] = [{"tuple": list(t.words), "truth_value": id(t) in self.match_of} for t in side]
        return out

    def as_row(self) -> dict[str, object]:
        """One flat row for a DataFrame: candidate, counts and ratios by category, signature."""
        row: dict[str, object] = {"candidate": self.candidate.caption}
        for name, score in self.scores.items():
            row |= {
                f"{name} f1": score.f1,
                f"{name} precision": score.precision,
                f"{name} recall": score.recall,
                f"{name} matched": score.matched,
                f"{name} candidate": score.candidate,
                f"{name} reference": score.reference,
            }
        return row | {"signature": str(self.signature)}

    def __str__(self) -> str:
        lines = [f"SPICE {self.f1:.3f} (P {self.precision:.3f}, R {self.recall:.3f}) {self.candidate.caption}"]
        for name, s in self.scores.items():
            ratios = "n/a" if math.isnan(s.f1) else f"{s.f1:.3f}"
            lines.append(f"  {name:<12}{ratios:>6}  {s.matched} of {s.candidate} candidate, {s.reference} reference tuples")
        return "\n".join([*lines, f"  {self.signature}"])


class Spice:
    """The SPICE metric for one language, with its analyser, rule set and synonyms.

    >>> spice = Spice()
    >>> result = spice.compute("a dog on a sofa", ["a brown dog lies on a couch"])
    >>> result.scores["Object"].recall
    1.0
    """

    def __init__(
        self,
        lang: str = "en",
        *,
        analyser: str | Analyser | None = None,
        rules: str | Path | RuleSet | None = None,
        synonyms: str | Synonyms | None = None,
        categories: Mapping[str, Iterable[str]] | None = None,
    ):
        """Names of the language pack, or objects; None takes the language's default, or where the other of analyser and rules is
        named, its namesake.

        ``rules`` may be the path of a rule file; ``categories`` are further word lists for attributes, by name.
        Raises UnknownNameError for a name that is not registered and RuleError for a bad rule file.
        """
        pack = language(lang)
        self.lang = lang
        analyser, rules = _namesakes(pack, analyser, rules)
        self._pack, self._analyser = pack, analyser
        if isinstance(rules, Path) or (isinstance(rules, str) and rules.endswith(".toml")):
            rules = RuleSet.load(Path(rules))
        self.rules = rules if isinstance(rules, RuleSet) else pack.rule_set(rules)
        self.synonyms = pack.synonym_source(synonyms) if synonyms is None or isinstance(synonyms, str) else synonyms
        mine = {name: frozenset(words) for name, words in (categories or {}).items()}
        self._own_categories = _digest(mine) if mine else ""
        for name in set(mine) & {OVERALL, *KIND_CATEGORIES, *pack.categories}:
            raise InputError("categories", name, "a name that is not taken")
        self.categories = {**pack.categories, **mine}
        self._concepts: dict[str, Concept] = {}

    @cached_property
    def analyser(self) -> Analyser:
        """The analyser, loaded at first use."""
        given_one = self._analyser
        return self._pack.analyser(given_one) if given_one is None or isinstance(given_one, str) else given_one

    @property
    def signature(self) -> Signature:
        """What the scores of captions depend on; scores of given propositions depend on no analyser and no rules."""
        return self.signature_of({self.analyser.signature})

    def signature_of(self, analysers: set[str]) -> Signature:
        """The signature of scores from parses by these analysers; what is given is still counted as the rules want it."""
        made = "+".join(sorted(analysers - {GIVEN}))
        usual = self.rules.counting == self._pack.rule_set().counting
        rules = self.rules.signature if made else GIVEN if usual else f"{GIVEN}-{self.rules.counting}"
        return Signature(self.lang, made or GIVEN, rules, self.synonyms.signature, __version__, categories=self._own_categories)

    def parse(self, captions: Iterable[str]) -> Iterator[Parse]:
        """The parse of each caption, in order."""
        for document in self.analyser.analyse(captions):
            yield self._parse(document, self.analyser.signature)

    def parse_document(self, document: Document) -> Parse:
        """The parse of a document read from a file, its trees used as they are."""
        return self._parse(document, "conllu")

    def _parse(self, document: Document, analyser: str) -> Parse:
        """The rules applied to the document, enhanced by the steps that they want."""
        document = self._pack.enhance(document, self.rules.steps)
        return Parse(document.text, self.rules.apply(document), document, analyser)

    def graph(self, parses: Iterable[Parse]) -> SceneGraph:
        """The merged graph of several captions, as this metric's rules want it merged."""
        if len(self._concepts) > _CONCEPTS:
            self._concepts.clear()
        return SceneGraph.of(parses, self.synonyms, self._concepts, COUNTINGS[self.rules.counting])

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
        matches = tuple(match_counted(candidates, wanted, COUNTINGS[self.rules.counting]))
        by_category = scores(candidates, wanted, matches, self.categories)
        signature = self.signature_of({p.analyser for p in (candidate, *references)})
        return SpiceResult(candidate, tuple(references), mine, theirs, candidates, wanted, matches, by_category, signature)

    def compute_score(self, gts: Mapping[object, Sequence[Caption]], res: Mapping[object, Sequence[Caption]]) -> tuple[float, list[dict]]:
        """pycocoevalcap's call: references and candidates by image id → (mean F1, scores of each image by sorted id, numbers first).

        Raises InputError where the ids differ, or an image has not exactly one candidate or no list of references.
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
        return given(caption, where=where)


def _digest(categories: Mapping[str, frozenset[str]]) -> str:
    """The first digits of a digest of word lists, whatever their order."""
    listed = sorted((name, sorted(words)) for name, words in categories.items())
    return sha256(json.dumps(listed).encode()).hexdigest()[:8]


def _namesakes(pack: Language, analyser: object, rules: object) -> tuple[object, object]:
    """Analyser and rules; where only one is named, the other of the same name, if there is one."""
    if rules is None and isinstance(analyser, str) and analyser in pack.rules:
        return analyser, analyser
    if analyser is None and isinstance(rules, str) and rules in pack.analysers:
        return rules, rules
    return analyser, rules
