"""Documentation of a language's steps: for each step, a caption that it changes and a similar caption that it does not."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from spice_core.lang.enhancement import DiscourseStep, Sentences, Step, enhance_sentence
from spice_core.rules.edit_step import EditStep
from spice_core.rules.rule_file import read_tree
from spice_core.rules.ruleset import Example
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Sentence


class StepCase(NamedTuple):
    """Caption with its sentences before and after a step."""

    caption: str
    before: Sentences
    after: Sentences

    @property
    def removed_edges(self) -> list[Dependency]:
        """The edges that the step removes, or an empty list if it changes the number of sentences."""
        return _edge_difference(self.before, self.after)

    @property
    def added_edges(self) -> list[Dependency]:
        """The edges that the step adds, or an empty list if it changes the number of sentences."""
        return _edge_difference(self.after, self.before)

    @property
    def is_changed(self) -> bool:
        """Whether the step changes the sentences."""
        return self.before != self.after


class StepEntry(NamedTuple):
    """Step with an example and a near miss."""

    step: Step | DiscourseStep
    example: StepCase
    near_miss: StepCase


def read_step_book(path: Path, steps: Iterable[Step | DiscourseStep]) -> list[StepEntry]:
    """Return an entry for each step.

    Args:
        path: A TOML file with a table ``step`` for each step: its name, and a caption with trees for the example and for the near miss.
        steps: The steps, in the order of the entries.

    Raises:
        KeyError: The file has no table for a step.
    """
    table_by_step = {table["name"]: table for table in tomllib.loads(path.read_text(encoding="utf-8"))["step"]}
    return [_read_entry(step, table_by_step[step.name]) for step in steps]


def make_step_entry(step: EditStep, example: Example, near_miss: Example) -> StepEntry:
    """Return the entry for a step of a rule file."""
    plain_step = Step(step.name, step.reason, step.apply)
    return StepEntry(plain_step, *(_make_case(plain_step, case.caption, [case.graph]) for case in (example, near_miss)))


def _read_entry(step: Step | DiscourseStep, table: dict[str, str | list[str]]) -> StepEntry:
    example = _read_case(step, str(table["example"]), table["trees"])
    return StepEntry(step, example, _read_case(step, str(table["near_miss"]), table["near_miss_trees"]))


def _read_case(step: Step | DiscourseStep, caption: str, trees: Sequence[str]) -> StepCase:
    return _make_case(step, caption, map(read_tree, trees))


def _make_case(step: Step | DiscourseStep, caption: str, graphs: Iterable[DependencyGraph]) -> StepCase:
    sentences = tuple(Sentence(graph.tokens, graph.edges, None) for graph in graphs)
    if isinstance(step, DiscourseStep):
        return StepCase(caption, sentences, step.apply(sentences))
    enhanced_sentences = (enhance_sentence(sentence, (step,), sentence.basic).enhanced for sentence in sentences)
    return StepCase(
        caption, sentences, tuple(Sentence(s.tokens, edges or s.basic) for s, edges in zip(sentences, enhanced_sentences, strict=True))
    )


def _edge_difference(sentences: Sentences, other_sentences: Sentences) -> list[Dependency]:
    """Return the edges of each sentence that the corresponding other sentence lacks."""
    if len(sentences) != len(other_sentences):
        return []
    return [e for sentence, other in zip(sentences, other_sentences, strict=True) for e in sentence.basic if e not in other.basic]
