"""The rule book, which lists the reason, pattern, example and near miss of every bundled rule."""

from __future__ import annotations

from collections.abc import Iterator

from spice_core.lang import LANGUAGES, language
from spice_core.lang.pack import LanguagePack
from spice_core.rules.edit_step import EditStep
from spice_core.rules.ruleset import Rule, RuleSet
from spice_core.syntax.dependency_graph import DependencyGraph

_BOOK_HEAD = """# The rule book

This book lists the rules of all bundled rule sets. Each rule has a reason, a pattern with the proposition that it
yields, an example with its dependency graph, and a near miss, which is a caption on which the rule does not fire. A
word with several heads appears below each of them; "see above" marks all places but the first. In the reasons, "X
relates A to B" stands for the tuple (A, X, B), "X describes A" for (A, X), and "A is an object" for (A).

After a near miss, the book names the condition at which the search for the pattern failed, and what the search found
instead. Tokens without a name in the pattern are called `word1`, `word2`, and so on. If the condition begins with
`not`, the words after "Found instead" are the tokens that satisfy the negated part.

`spice_core/rules/pattern.py` describes the pattern language, and `spice_core/rules/rule_file.py` the format of rule
files. `docs/rules.md` explains the schemes, and the file `enhancement.py` of each language lists the steps. `python -m
tools.rule_book` generates this book from the rule files.
"""


def write_book() -> str:
    """Return the complete book as Markdown."""
    return "\n".join([_BOOK_HEAD, *(line for code in LANGUAGES for line in _language_lines(language(code)))])


def indented_tree(graph: DependencyGraph) -> str:
    """Return the graph of a sentence as an indented tree with relation, word and tag in each line.

    The dependents of a word with several heads appear only below its first head. Below the other heads, the word has the note "see above".
    """
    seen_indices: set[int] = set()
    lines = [line for edge in graph.children(0) for line in _branch_lines(graph, edge.dependent, edge.relation, "", seen_indices)]
    for token in graph.tokens:
        if token.index not in seen_indices:
            lines += _branch_lines(graph, token.index, "–", "", seen_indices)
    return "\n".join(lines)


def explain_near_miss(rule: Rule) -> tuple[str, str] | None:
    """Return the condition that fails on the rule's near miss and what the search found instead, or None if the pattern matches."""
    failure = rule.pattern.failure(rule.near_miss.graph, {})
    return (str(failure.condition), str(failure.mismatch)) if failure else None


def _branch_lines(graph: DependencyGraph, index: int, relation: str, indent: str, seen_indices: set[int]) -> Iterator[str]:
    seen_indices.add(index)
    token = graph.token(index)
    yield f"{indent}{relation}: {token.text} ({token.tag})"
    for edge in graph.children(index):
        if edge.dependent in seen_indices:
            yield f"{indent}  {edge.relation}: {graph.token(edge.dependent).text}, see above"
        else:
            yield from _branch_lines(graph, edge.dependent, edge.relation, indent + "  ", seen_indices)


def _language_lines(pack: LanguagePack) -> Iterator[str]:
    for name in pack.rules:
        rules = pack.rule_set(name)
        yield f"\n## {pack.name}: {name}\n\n{len(rules.rules)} rules, scheme `{rules.scheme}`. {_steps_text(rules)}"
        for step in rules.steps or ():
            if isinstance(step, EditStep):
                yield f"\n### {step.name} (step)\n\n{step.reason}\n\n```\n{step.edits.strip()}\n```\n"
                example, near_miss = rules.step_examples[step.name]
                yield f"Example: {example.caption}\n\n```\n{indented_tree(example.graph)}\n```\n\nNear miss: {near_miss.caption}"
        for rule in rules.rules:
            yield from _rule_lines(rule)


def _steps_text(rules: RuleSet) -> str:
    if rules.steps is None:
        return "The rules read the graph after the default steps of the language."
    if not rules.steps:
        return "The rules read the parser's tree, without enhancement steps."
    return (
        "The rules read the graph after these steps: "
        + ", ".join(f"`{step if isinstance(step, str) else step.name}`" for step in rules.steps)
        + "."
    )


def _rule_lines(rule: Rule) -> Iterator[str]:
    pattern = "\n".join(line.rstrip() for line in rule.pattern.source.strip().splitlines())
    tuples = ", ".join(f"({', '.join(words)})" for words in rule.example.tuples)
    failure = explain_near_miss(rule)
    yield f"\n### {rule.name}\n\n{rule.reason}\n\n```\n{pattern}\n→ {rule.yields}\n```\n"
    yield f"Example: {rule.example.caption} → {tuples}\n\n```\n{indented_tree(rule.example.graph)}\n```\n"
    failure_note = f"\n\nFailed condition: `{failure[0]}`. Found instead: {failure[1]}." if failure else ""
    yield f"Near miss: {rule.near_miss.caption}{failure_note}"
