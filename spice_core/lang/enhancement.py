"""Enhancement of a language's basic trees to the graphs that the rules read, by named steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from spice_core.errors import Message, UnknownNameError
from spice_core.rules.edit_step import RuleSetStep
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Document, Sentence, Token

Tokens = tuple[Token, ...]
Edges = tuple[Dependency, ...]
Sentences = tuple[Sentence, ...]


class Step(NamedTuple):
    """A named step of the enhancement of a sentence."""

    name: str
    reason: str
    apply: Callable[[DependencyGraph], DependencyGraph]


class DiscourseStep(NamedTuple):
    """A named step that changes the sentences of a caption before their enhancement."""

    name: str
    reason: str
    apply: Callable[[Sentences], Sentences]


def enhance_sentence(sentence: Sentence, steps: Iterable[Step], edges: Edges) -> Sentence:
    """Return the sentence with the enhanced graph that the steps make from the edges."""
    graph = DependencyGraph(sentence.resolved_tokens, edges)
    for step in steps:
        graph = step.apply(graph)
    return replace(sentence, enhanced=graph.edges)


@dataclass(frozen=True, eq=False)
class Enhancement:
    """The steps of a language.

    Attributes:
        sentence_steps: The steps that change the edges of a sentence.
        discourse_steps: The steps across sentences, which precede the others.
        default_names: The names of the steps that apply if a rule set names none.
        default_names_after_parser: The names of the steps that apply instead to the enhanced graph of a parser that returns one.
            If empty, the steps always start from the basic tree.
        finish: A function that changes each sentence after the steps.
        negation_step: The name of the step that treats negated words. Without this step, they yield the same tuples as affirmed words.
        negation_words: Words or lemmas of which every sentence with a negation contains one.
        affirmed_words: What a negated tuple contains instead of words such as "nobody" and "without". A word without replacement drops it.
    """

    sentence_steps: tuple[Step, ...] = ()
    discourse_steps: tuple[DiscourseStep, ...] = ()
    default_names: tuple[str, ...] = ()
    default_names_after_parser: tuple[str, ...] = ()
    finish: Callable[[Sentence], Sentence] | None = None
    negation_step: str = ""
    negation_words: frozenset[str] = frozenset()
    affirmed_words: Mapping[str, str] = field(default_factory=dict)

    @property
    def steps(self) -> tuple[Step | DiscourseStep, ...]:
        """All steps, the steps across sentences first."""
        return (*self.discourse_steps, *self.sentence_steps)

    def enhance(self, document: Document, steps: Sequence[RuleSetStep] | None = None) -> Document:
        """Return the document with an enhanced graph for each sentence.

        ``steps`` are the steps to apply, in order. None stands for the default steps. Raises UnknownNameError.
        """
        document = self.apply_discourse(document, steps)
        sentences = (enhance_sentence(sentence, *self._steps_and_edges(sentence, steps)) for sentence in document.sentences)
        return replace(document, sentences=tuple(map(self.finish, sentences) if self.finish else sentences))

    def enhance_without_negation(self, document: Document, steps: Sequence[RuleSetStep] | None = None) -> Document | None:
        """Return the document enhanced without the negation step, or None if the step is not selected or has no word to act on."""
        names = self.default_names if steps is None else tuple(steps)
        tokens = (token for sentence in document.sentences for token in sentence.tokens)
        if self.negation_step not in names or all(self.negation_words.isdisjoint((t.text.lower(), t.lemma)) for t in tokens):
            return None
        return self.enhance(document, tuple(name for name in names if name != self.negation_step))

    def apply_discourse(self, document: Document, steps: Sequence[RuleSetStep] | None = None) -> Document:
        """Return the document after the steps across sentences, before those within sentences."""
        effects = self.trace_discourse(document, steps)
        return effects[-1][1] if effects else document

    def trace_discourse(self, document: Document, steps: Sequence[RuleSetStep] | None = None) -> list[tuple[DiscourseStep, Document]]:
        """Return each of the steps across sentences with the document after it, in order."""
        effects = []
        for step in self._select(steps)[0]:
            sentences = step.apply(document.sentences)
            document = document if sentences is document.sentences else replace(document, sentences=sentences)
            effects.append((step, document))
        return effects

    def trace(self, sentence: Sentence, steps: Sequence[RuleSetStep] | None = None) -> list[tuple[Step, Edges]]:
        """Return each of the steps for a sentence with the edges after it, in order.

        The sentence comes from a document after the steps across sentences.
        """
        sentence_steps, edges = self._steps_and_edges(sentence, steps)
        graph, effects = DependencyGraph(sentence.resolved_tokens, edges), []
        for step in sentence_steps:
            graph = step.apply(graph)
            effects.append((step, graph.edges))
        return effects

    def _steps_and_edges(self, sentence: Sentence, steps: Sequence[RuleSetStep] | None) -> tuple[Sequence[Step], Edges]:
        """Return the steps for a sentence and the edges to which they apply."""
        if steps is None and sentence.enhanced is not None and self.default_names_after_parser:
            return self._select(self.default_names_after_parser)[1], sentence.enhanced
        return self._select(steps)[1], sentence.basic

    def _select(self, steps: Sequence[RuleSetStep] | None) -> tuple[Sequence[DiscourseStep], Sequence[Step]]:
        return _select_steps(self, self.default_names if steps is None else tuple(steps))


NO_STEPS = Enhancement()


@lru_cache(maxsize=64)
def _select_steps(enhancement: Enhancement, steps: tuple[RuleSetStep, ...]) -> tuple[list[DiscourseStep], list[Step]]:
    """Return the steps across sentences and the steps for sentences, each in order. Raises UnknownNameError."""
    step_by_name = {step.name: step for step in enhancement.steps}
    discourse_steps, sentence_steps = list[DiscourseStep](), list[Step]()
    for name_or_step in steps:
        if isinstance(name_or_step, str) and name_or_step not in step_by_name:
            raise UnknownNameError(Message("kind.step"), name_or_step, step_by_name)
        step = (
            step_by_name[name_or_step]
            if isinstance(name_or_step, str)
            else Step(name_or_step.name, name_or_step.reason, name_or_step.apply)
        )
        if isinstance(step, DiscourseStep):
            discourse_steps.append(step)
        else:
            sentence_steps.append(step)
    return discourse_steps, sentence_steps
