"""Rule files in TOML. A rule has a name, a reason, a pattern, a template, an example and a near miss:

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

In a template, a part is one or more names of the pattern. A name stands for the lemma of its token or the text of its link, and an unbound
name yields nothing. ``name+relation`` adds the token's dependents by that relation, in sentence order. A word in quotes is literal. In a
tree, each token is form/lemma/tag/head/relation, followed by further enhanced edges as /head/relation.

A file may also define enhancement steps, each with a name, a reason, edits (spice_core.rules.edit_step), an example and a near miss:

    [[step]]
    name = "parts of a whole"
    reason = "The noun before \"of\" governs the noun after it."
    edits = "{tag:/NN.*/}=part . ({lemma:of}=of <case ({}=whole <obl {}=verb)) => part >nmod whole"
    [step.example]
    caption = "A cart carries rows and rows of doughnuts"
    tree = "…"
    …

Before the rules, a file may contain settings for all rules: ``scheme`` (how graphs are merged and counted, a name in
spice_core.scene.graph.SCHEMES), ``synonyms`` (the synonym source, unless the user selects one), ``steps``
(the enhancement steps that make the graph, in order: steps of the language and of the file), ``phrase`` (the relation whose dependents are added to each token), ``separator`` (the text
between the words of a part), ``lower_case`` (whether words are converted to lower case; the original SPICE does not do so) and ``version``
(the version of spice_core that wrote the file).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from spice_core.errors import Message, RuleError, shorten_value
from spice_core.files import check_regular
from spice_core.rules import text_positions
from spice_core.rules.edit_step import EditStep, read_edits
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Example, Rule, RuleSet
from spice_core.scene.graph import SCHEMES
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Token
from spice_core.version import __version__

_RULE_FIELDS = {"name", "reason", "pattern", "yields", "example", "near_miss"}
_STEP_FIELDS = {"name", "reason", "edits", "example", "near_miss"}
_MAX_CACHED_PATTERN_CHARS = 2_000
_RULE_SET_SETTINGS = {"scheme", "synonyms", "steps", "phrase", "separator", "lower_case", "version"}


def read_tree(text: str) -> DependencyGraph:
    """Read the graph of an example tree: tokens as form/lemma/tag/head/relation[/head/relation …]. Raises RuleError."""
    tokens, edges = [], []
    items = text.split()
    for index, item in enumerate(items, 1):
        columns = item.split("/")
        heads = columns[3::2]
        if len(columns) < 5 or len(columns) % 2 == 0 or not all(h.isdecimal() and len(h) < 6 and int(h) <= len(items) for h in heads):
            offset = sum(len(item) + 1 for item in items[: index - 1])
            raise RuleError(Message("rule.tree", found=shorten_value(item)), part="tree", position=offset)
        form, lemma, tag = columns[:3]
        tokens.append(Token(index, form, lemma, tag))
        edges += [Dependency(int(h), index, r) for h, r in zip(heads, columns[4::2])]
    return DependencyGraph(tuple(tokens), edges)


def write_tree(graph: DependencyGraph) -> str:
    """Return an example tree as text for ``read_tree``. Within words, a slash becomes ⁄ and white space _."""
    heads = {token.index: graph.parents(token.index) or [Dependency(0, token.index, "dep")] for token in graph.tokens}
    columns = ((t.text, t.lemma, t.tag, *(f"{e.head}/{_escape_column(e.relation)}" for e in heads[t.index])) for t in graph.tokens)
    return " ".join("/".join([*(_escape_column(c) for c in row[:3]), *row[3:]]) for row in columns)


def _escape_column(column: str) -> str:
    return re.sub(r"\s+", "_", column.replace("/", "⁄")) or "_"


def _read_rule_set(table: dict[str, Any], text: str, name: str) -> RuleSet:
    if not all(isinstance(table.get(name, []), list) for name in ("rule", "step")) or set(table) - {"rule", "step"} - _RULE_SET_SETTINGS:
        raise RuleError(Message("rule.settings", found=", ".join(table)[:80], names=", ".join(sorted(_RULE_SET_SETTINGS))))
    phrase, separator = _check_one_line(table.get("phrase", ""), "phrase"), _check_one_line(table.get("separator", " "), "separator")
    if not isinstance(lower_case := table.get("lower_case", False), bool):
        raise _unexpected_value("lower_case", lower_case, Message("rule.true_or_false"))
    settings = {"phrase": phrase, "separator": separator, "lower_case": lower_case}
    rules = tuple(_read_placed_rule(fields, rule_number, text, settings) for rule_number, fields in enumerate(table.get("rule", ()), 1))
    names = [rule.name for rule in rules]
    for index, rule_name in enumerate(names):
        if rule_name in names[:index]:
            raise text_positions.with_location(RuleError(Message("rule.twice", name=rule_name), part="name"), text, index)
    if (scheme := str(table.get("scheme", "spice"))) not in SCHEMES:
        raise _unexpected_value("scheme", scheme, " / ".join(SCHEMES))
    steps = table.get("steps")
    if steps is not None and not (isinstance(steps, list) and all(isinstance(step, str) for step in steps)):
        raise _unexpected_value("steps", steps, Message("rule.names"))
    synonyms = _check_one_line(table.get("synonyms", ""), "synonyms")
    version = _check_one_line(table.get("version", ""), "version")
    step_by_name, step_examples = _read_steps(table.get("step", []), steps or [], text)
    named_steps = None if steps is None else tuple(step_by_name.get(step, str(step)) for step in steps)
    return RuleSet(name, rules, scheme, named_steps, synonyms, version, step_examples)


def _read_steps(tables: list[Any], names: list[str], text: str) -> tuple[dict[str, EditStep], dict[str, tuple[Example, Example]]]:
    """Read a file's steps by name, with their examples and near misses. Raises RuleError with the location in the text."""
    steps, examples = dict[str, EditStep](), dict[str, tuple[Example, Example]]()
    for number, fields in enumerate(tables, 1):
        try:
            name = _check_fields(fields, number, _STEP_FIELDS)
            if name in steps or name not in names:
                raise RuleError(Message("rule.step_twice" if name in steps else "rule.unlisted", name=name), part="name")
            try:
                read_edits(edits := str(fields["edits"]))
                examples[name] = (
                    _read_example(fields["example"], tuples=False, field="example"),
                    _read_example(fields["near_miss"], tuples=False),
                )
            except RuleError as error:
                raise _error_in_rule(error, name) from None
            steps[name] = EditStep(name, str(fields["reason"]), edits)
        except RuleError as error:
            raise text_positions.with_location(error, text, number - 1, "step") from None
    return steps, examples


def is_newer(version: str) -> bool:
    """Return whether a version of spice_core is newer than the running one, so that its files may have unknown settings."""
    return _version_numbers(version) > _version_numbers(__version__)


def _version_numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d{1,6}", version)[:3]]


def _read_placed_rule(fields: Mapping[str, object], rule_number: int, text: str, settings: dict[str, Any]) -> Rule:
    """Read the rule with this number (from 1). Raises RuleError with the location in the text.

    ``settings`` are the rule set's settings for the form of words.
    """
    try:
        return replace(_read_rule(fields, rule_number), **settings)
    except RuleError as error:
        raise text_positions.with_location(error, text, rule_number - 1) from None


def _read_rule(fields: Mapping[str, object], rule_number: int) -> Rule:
    name = _check_fields(fields, rule_number, _RULE_FIELDS)
    try:
        pattern = read_pattern(str(fields["pattern"]))
        template = read_template(str(fields["yields"]), pattern)
        examples = _read_example(fields["example"], tuples=True, field="example"), _read_example(fields["near_miss"], tuples=False)
    except RuleError as error:
        raise _error_in_rule(error, name) from None
    return Rule(name, str(fields["reason"]), pattern, template, str(fields["yields"]), *examples)


def _error_in_rule(error: RuleError, name: str) -> RuleError:
    return RuleError(Message("rule.in_rule", name=name, error=error.message), part=error.part, position=error.position)


def _check_fields(fields: Mapping[str, object], number: int, names: set[str]) -> str:
    """Return the name of a rule or step. Raises RuleError unless the table has exactly these fields."""
    if not isinstance(fields, dict):
        raise _unexpected_value(Message("rule.number", number=number), fields, Message("rule.fields_of_rule"))
    name = fields.get("name", Message("rule.numbered", number=number))
    if missing_fields := sorted(names - set(fields)):
        raise RuleError(Message("rule.missing", name=name, missing=", ".join(missing_fields), fields=", ".join(sorted(names))))
    if surplus := sorted(set(fields) - names):
        message = Message("rule.surplus", name=name, found=", ".join(surplus)[:80], fields=", ".join(sorted(names)))
        raise RuleError(message, part=surplus[0])
    return _check_one_line(name, "name")


def read_pattern(source: str) -> Pattern:
    """Compile a pattern. Recent patterns are cached, so that unchanged rules are compiled only once. Raises RuleError."""
    return _compile_pattern(source) if len(source) <= _MAX_CACHED_PATTERN_CHARS else Pattern(source)


_compile_pattern = lru_cache(maxsize=256)(Pattern)


def _unexpected_value(name: str, found: object, expected: str, **place: Any) -> RuleError:
    return RuleError(Message("rule.expected", part=name, found=shorten_value(found), expected=expected), **place)


def _check_one_line(value: object, part: str) -> str:
    """Return a value as text. Raises RuleError if the text contains control characters, such as line breaks."""
    if re.search(r"[\x00-\x1f\x7f]", text := str(value)):
        raise _unexpected_value(part, text, Message("rule.single_line"), part=part)
    return text


def read_template(text: str, pattern: Pattern) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Read the parts of a template, each as pairs of a name and a relation, which may be empty. Raises RuleError."""
    match = re.fullmatch(r"\s*\(([^()]*)\)\s*", text)
    parts = match.group(1).split(",") if match else []
    if not 1 <= len(parts) <= 3 or not all(part.split() for part in parts):
        raise _unexpected_value("yields", text, Message("rule.template"), part="yields", position=0)
    template = tuple(tuple(atom.partition("+")[::2] for atom in part.split()) for part in parts)
    for part in template:
        for name, _ in part:
            if not name.startswith('"') and name not in pattern.names:
                expected = Message("rule.name_of_pattern", names=", ".join(pattern.names))
                at = re.search(rf"(?<![\w]){re.escape(name)}(?!\w)", text)
                raise _unexpected_value("yields", name, expected, part="yields", position=at.start() if at else 0)
    return template


def _read_example(fields: object, *, tuples: bool, field: str = "near_miss") -> Example:
    expected_fields = {"caption", "tree"} | ({"tuples"} if tuples else set())
    if not isinstance(fields, dict) or set(fields) != expected_fields:
        raise RuleError(Message("rule.example_fields", part=field, names=", ".join(sorted(expected_fields))), part=field)
    if not all(isinstance(fields[name], str) for name in ("caption", "tree")) or not _are_tuples(fields.get("tuples", [])):
        raise RuleError(Message("rule.example_texts", part=field), part=field)
    try:
        graph = read_tree(fields["tree"])
    except RuleError as error:
        raise RuleError(Message("rule.in_part", part=field, error=error.message), part=f"{field}.tree", position=error.position) from None
    return Example(fields["caption"], graph, tuple(map(tuple, fields.get("tuples", ()))))


def _are_tuples(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(row, list) and all(isinstance(word, str) for word in row) for row in value)


def load_rules(path: Path) -> RuleSet:
    """Load the rule set of a TOML file, which is named after the file.

    Raises RuleError, which names file, rule and position, or InputError if the path is not a regular file.
    """
    check_regular(path)
    try:
        return parse_rules(path.read_text(encoding="utf-8"), name=path.stem)
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(Message("rule.unreadable", file=str(path), reason=str(error))) from None
    except RuleError as error:
        raise RuleError(Message("rule.in_file", file=str(path), error=error.message), excerpt=error.excerpt) from None


def parse_rules(text: str, *, name: str) -> RuleSet:
    """Read a rule set from text. Raises RuleError naming the rule and the position."""
    table = text_positions.read_toml(text)
    try:
        return _read_rule_set(table, text, name)
    except RuleError as error:
        match = re.match(r'(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*version[ \t]*=[ \t]*"([\w.+-]{1,40})"', text)
        if not match or not is_newer(match[1]):
            raise
        error.message = Message("rule.newer", found=match[1], version=__version__, error=error.message)
        error.args = (f"{error.message}\n{error.excerpt}" if error.excerpt else error.message,)
        raise
    except ValueError:  # a hexadecimal number with too many decimal digits to print
        raise RuleError(Message("rule.too_deep")) from None
