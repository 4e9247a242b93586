"""Rules as data: a name, a reason, a pattern, a template, an example and a near miss, read from a TOML file.

    [[rule]]
    name = "adjective"
    reason = "An adjective before a word describes it."
    pattern = "{}=noun >amod {}=adjective"
    yields = "(noun, adjective)"
    [rule.example]
    caption = "A red umbrella"
    tree = "A/a/DT/3/det red/red/JJ/3/amod umbrella/umbrella/NN/0/root"
    tuples = [["umbrella", "red"]]
    [rule.near_miss]
    caption = "The umbrella"
    tree = "…"

In a template a part is one or more names of the pattern (a token's lemma, a link's text); names that are not bound
give nothing. ``name+relation`` adds the token's dependents by that relation, in the order of the sentence; a word in
quotes stands for itself. A tree gives each token as form/lemma/tag/head/relation, further enhanced edges behind it as
/head/relation.

Before the rules a file may say how all of them work: ``counting`` (how graphs are merged and counted, a name of
spice_core.scoring.COUNTINGS), ``steps`` (the enhancement steps whose graph the rules read), ``phrase`` (the relation by
which every token brings its dependents along) and ``separator`` (what stands between the words of a part).
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

from spice_core.counting import COUNTINGS
from spice_core.document import Dependency, Document, Token
from spice_core.errors import RuleError, short
from spice_core.files import check_regular
from spice_core.propositions import Proposition
from spice_core.rules import places
from spice_core.rules.conditions import Bindings, Effort, Failure
from spice_core.rules.graph import DependencyGraph
from spice_core.rules.pattern import Pattern

_FIELDS = {"name", "reason", "pattern", "yields", "example", "near_miss"}
_SETTINGS = {"counting", "steps", "phrase", "separator"}


@dataclass(frozen=True, slots=True)
class Example:
    """A caption with its frozen enhanced graph and the tuples that the rule makes of it (none for a near miss)."""

    caption: str
    graph: DependencyGraph
    tuples: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: where the pattern matches, the template yields a proposition."""

    name: str
    reason: str
    pattern: Pattern
    template: tuple[tuple[tuple[str, str], ...], ...]
    yields: str
    example: Example
    near_miss: Example
    phrase: str = ""
    separator: str = " "

    def apply(self, graph: DependencyGraph, sentence: int = 0, effort: Effort | None = None) -> Iterator[Proposition]:
        """The propositions of this rule on one sentence, one for each match."""
        return (proposition for _, proposition in self.firings(graph, sentence, effort))

    def firings(self, graph: DependencyGraph, sentence: int = 0, effort: Effort | None = None) -> Iterator[tuple[Bindings, Proposition]]:
        """Each match of the pattern that yields a proposition, with it."""
        for bound in self.pattern.search(graph, effort):
            proposition = self._proposition(graph, bound, sentence)
            if proposition is not None:
                yield bound, proposition

    def why_not(self, graph: DependencyGraph, a: int, b: int, effort: Effort | None = None) -> Failure | None:
        """The furthest failure with the tokens ``a`` and ``b`` in two different parts of the template.

        None if the rule fires on them, or if it has no two parts to put them in.
        """
        names = [next((name for name, _ in part if name in self.pattern.nodes), None) for part in self.template]
        failures = []
        for first, second in permutations(filter(None, names), 2):
            failure = self.pattern.failure(graph, {first: a, second: b}, effort)
            if failure is None:
                return None
            failures.append(failure)
        return max(failures, key=lambda f: f.satisfied, default=None)

    def _proposition(self, graph: DependencyGraph, bound: Bindings, sentence: int) -> Proposition | None:
        words, tokens = [], []
        for part in self.template:
            pieces, sources = [], []
            for name, relation in part:
                text, behind = self._atom(graph, bound, name, relation)
                pieces.append(text)
                sources += behind
            words.append(self.separator.join(filter(None, pieces)))
            tokens.append(tuple(graph.token(i) for i in sorted(sources)))
        return Proposition(tuple(words), self.name, sentence, tuple(tokens)) if all(words) else None

    def _atom(self, graph: DependencyGraph, bound: Bindings, name: str, relation: str) -> tuple[str, list[int]]:
        """The text of one name of the template, and the tokens behind it; nothing for a name that is not bound."""
        value = bound.get(name)
        if name.startswith('"'):
            return name[1:-1], []
        if name in self.pattern.marked:
            return (value, _markers(graph, bound[self.pattern.marked[name]])) if value else ("", [])
        if value is None:
            return "", []
        taken = {relation, self.phrase} - {""}
        spoken = sorted({value, *(i for r in taken for i in _dependents(graph, value, r))})
        return self.separator.join(graph.token(i).lemma if i == value else graph.token(i).text for i in spoken), spoken


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules in their order, with a name and the digest of their text and of what was changed since.

    ``steps`` names the enhancement steps whose graph they read (None: the language's own), ``counting`` how their
    graphs are merged and counted.
    """

    name: str
    rules: tuple[Rule, ...]
    digest: str
    counting: str = "spice"
    steps: tuple[str, ...] | None = None

    @property
    def signature(self) -> str:
        """The name with the first digits of the digest, to be shown."""
        return f"{self.name}-{self.digest[:8]}"

    @classmethod
    def load(cls, path: Path) -> RuleSet:
        """The rule set of a TOML file, named after the file. Raises RuleError naming file, rule and position, InputError for a pipe."""
        check_regular(path)
        try:
            return cls.parse(path.read_text(encoding="utf-8"), name=path.stem)
        except (OSError, UnicodeDecodeError) as error:
            raise RuleError(f"{path}: no readable rule file ({error})") from None
        except RuleError as error:
            raise RuleError(f"{path}: {error}") from None

    @classmethod
    def parse(cls, text: str, *, name: str) -> RuleSet:
        """The rule set written in ``text``. Raises RuleError naming rule and position, with line and column where they are known."""
        try:
            return _rule_set(text, name)
        except tomllib.TOMLDecodeError as error:
            line, column = places.of_toml(str(error), text)
            message = f"line {line}, column {column}: not a rule file: {error}\n{places.shown(text, line, column)}"
            raise RuleError(message, line=line, column=column) from None
        except (RecursionError, ValueError):  # neither read nor shown without end
            raise RuleError("not a rule file: lists or tables nested too deeply, or a number of too many digits") from None

    def apply(self, document: Document, effort: Effort | None = None) -> tuple[Proposition, ...]:
        """All propositions of the document: for each sentence, the rules in order. Uses the enhanced graphs.

        Raises RuleError where the rules take too many steps on one sentence, or on all that share ``effort``.
        """
        out: list[Proposition] = []
        for number, sentence in enumerate(document.sentences):
            graph = DependencyGraph.of(sentence)
            shared = effort or Effort.on(graph)
            for rule in self.rules:
                out += rule.apply(graph, number, shared)
        return tuple(out)

    def why_not(self, graph: DependencyGraph, a: int, b: int) -> list[tuple[Rule, Failure]]:
        """For each rule that does not relate the tokens ``a`` and ``b``, the condition that stopped it; the nearest first."""
        effort = Effort.on(graph)
        failures = [(rule, rule.why_not(graph, a, b, effort)) for rule in self.rules]
        stopped = [(rule, failure) for rule, failure in failures if failure]
        return sorted(stopped, key=lambda pair: pair[1].distance(len(pair[0].pattern.conditions)))

    def without(self, *names: str) -> RuleSet:
        """The same rules without these."""
        if not names:
            return self
        known = {rule.name for rule in self.rules}
        if unknown := set(names) - known:
            raise RuleError(f"no rule {', '.join(sorted(unknown))}; known: {', '.join(sorted(known))}")
        rest = tuple(rule for rule in self.rules if rule.name not in names)
        left_out = sorted(set(names))
        return self._changed(f"without {left_out}", name=f"{self.name}-{'-'.join(left_out)}", rules=rest)

    def counted(self, counting: str) -> RuleSet:
        """The same rules, their graphs merged and counted in this way."""
        return self if counting == self.counting else self._changed(f"counting {counting}", counting=counting)

    def _changed(self, said: str, **changes: object) -> RuleSet:
        """The rule set with other fields, and a digest that says so."""
        return replace(self, digest=hashlib.sha256(f"{self.digest} {said}".encode()).hexdigest(), **changes)


def _dependents(graph: DependencyGraph, head: int, relation: str) -> list[int]:
    return sorted(e.dependent for e in graph.children(head) if e.relation == relation) if relation in graph.relations else []


def _markers(graph: DependencyGraph, noun: int) -> list[int]:
    """The words of the preposition that a link was read from: the last case marker and what is fixed on it."""
    last = _dependents(graph, noun, "case")[-1:]
    return [*last, *(i for case in last for i in _dependents(graph, case, "fixed"))]


def read_tree(text: str) -> DependencyGraph:
    """The graph of an example tree: tokens as form/lemma/tag/head/relation[/head/relation …]. Raises RuleError."""
    tokens, edges = [], []
    items = text.split()
    for index, item in enumerate(items, 1):
        columns = item.split("/")
        heads = columns[3::2]
        if len(columns) < 5 or len(columns) % 2 == 0 or not all(h.isdecimal() and len(h) < 6 and int(h) <= len(items) for h in heads):
            at = sum(len(before) + 1 for before in items[: index - 1])
            raise RuleError(f"tree: found {short(item)}, expected form/lemma/tag/head/relation", part="tree", position=at)
        tokens.append(Token(index, *columns[:3]))
        edges += [Dependency(int(h), index, r) for h, r in zip(heads, columns[4::2])]
    return DependencyGraph(tuple(tokens), edges)


def _rule_set(text: str, name: str) -> RuleSet:
    data = tomllib.loads(text)
    if not isinstance(data.get("rule", []), list) or set(data) - {"rule"} - _SETTINGS:
        raise RuleError(f"found {', '.join(data)[:80]}, expected only a list of rules: [[rule]], and {', '.join(sorted(_SETTINGS))}")
    words = {name: _one_line(data.get(name, usual), name) for name, usual in (("phrase", ""), ("separator", " "))}
    rules = tuple(_placed(raw, number, text, words) for number, raw in enumerate(data.get("rule", ()), 1))
    names = [rule.name for rule in rules]
    for number, twice in enumerate(names):
        if twice in names[:number]:
            raise places.located(RuleError(f"rule {twice!r} stands twice; names must differ", part="name"), text, number)
    if (counting := str(data.get("counting", "spice"))) not in COUNTINGS:
        raise RuleError(f"counting: found {short(counting)}, expected {' or '.join(COUNTINGS)}")
    steps = data.get("steps")
    if steps is not None and not (isinstance(steps, list) and all(isinstance(step, str) for step in steps)):
        raise RuleError(f"steps: found {short(steps)}, expected a list of names")
    return RuleSet(name, rules, hashlib.sha256(text.encode()).hexdigest(), counting, None if steps is None else tuple(steps))


def _placed(raw: Mapping[str, object], number: int, text: str, words: Mapping[str, str]) -> Rule:
    """The rule with this number (from 1). Raises RuleError with its place in the text."""
    try:
        return replace(_rule(raw, number), **words)
    except RuleError as error:
        raise places.located(error, text, number - 1) from None


def _rule(raw: Mapping[str, object], number: int) -> Rule:
    if not isinstance(raw, dict):
        raise RuleError(f"rule number {number}: found {short(raw)}, expected [[rule]] and its fields")
    name = raw.get("name", f"number {number}")
    if missing := sorted(_FIELDS - set(raw)):
        raise RuleError(f"rule {name}: no {', '.join(missing)}; a rule has {', '.join(sorted(_FIELDS))}")
    if surplus := sorted(set(raw) - _FIELDS):
        raise RuleError(f"rule {name}: found {', '.join(surplus)[:80]}, expected only {', '.join(sorted(_FIELDS))}", part=surplus[0])
    name = _one_line(name, "name")
    try:
        pattern = Pattern(str(raw["pattern"]))
        template = _template(str(raw["yields"]), pattern)
        examples = _example(raw["example"], tuples=True), _example(raw["near_miss"], tuples=False)
    except RuleError as error:
        raise RuleError(f"rule {name}: {error}", part=error.part, position=error.position) from None
    return Rule(name, str(raw["reason"]), pattern, template, str(raw["yields"]), *examples)


def _one_line(value: object, part: str) -> str:
    """A text that may stand in a list or a cache. Raises RuleError for one with control characters."""
    if re.search(r"[\x00-\x1f\x7f]", text := str(value)):
        raise RuleError(f"{part}: found {short(text)}, expected a text of one line", part=part)
    return text


def _template(text: str, pattern: Pattern) -> tuple[tuple[tuple[str, str], ...], ...]:
    found = re.fullmatch(r"\s*\(([^()]*)\)\s*", text)
    parts = found.group(1).split(",") if found else []
    if not 1 <= len(parts) <= 3 or not all(part.split() for part in parts):
        expected = "(object), (object, attribute) or (subject, relation, object)"
        raise RuleError(f"yields: found {short(text)}, expected {expected}", part="yields", position=0)
    template = tuple(tuple(atom.partition("+")[::2] for atom in part.split()) for part in parts)
    for part in template:
        for name, _ in part:
            if not name.startswith('"') and name not in pattern.names:
                expected = f"a name of the pattern: {', '.join(pattern.names)}"
                at = re.search(rf"(?<![\w]){re.escape(name)}(?!\w)", text)
                raise RuleError(f"yields: found {short(name)}, expected {expected}", part="yields", position=at.start() if at else 0)
    return template


def _example(raw: object, *, tuples: bool) -> Example:
    wanted = {"caption", "tree"} | ({"tuples"} if tuples else set())
    part = "example" if tuples else "near_miss"
    if not isinstance(raw, dict) or set(raw) != wanted:
        raise RuleError(f"{part}: expected the fields {', '.join(sorted(wanted))}", part=part)
    if not all(isinstance(raw[name], str) for name in ("caption", "tree")) or not _are_tuples(raw.get("tuples", [])):
        raise RuleError(f"{part}: expected texts for caption and tree, lists of texts for tuples", part=part)
    try:
        graph = read_tree(raw["tree"])
    except RuleError as error:
        raise RuleError(f"{part}, {error}", part=f"{part}.tree", position=error.position) from None
    return Example(raw["caption"], graph, tuple(map(tuple, raw.get("tuples", ()))))


def _are_tuples(raw: object) -> bool:
    return isinstance(raw, list) and all(isinstance(row, list) and all(isinstance(word, str) for word in row) for row in raw)
