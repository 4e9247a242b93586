"""Enhancement of GiNZA's trees to the predicate–argument structure that the rules read: named steps over the edges.

Source: Japanese spec sections b.4, c and d. The graph uses UD relations with the particle after the colon: nsubj,
obj, obl:に, obl:で … (arguments by case), obl:時間 and obl:外の関係 (deep cases), nmod:の, nmod:場所 (a place word
between two nouns), conj:と, nsubj:zero (an implicit subject), amod and nummod (modifiers), compound (one text with its
head). In a bunsetsu, only the head has one of these relations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spice_core.lang.ja.bunsetsu import formal_nouns, light_verbs, quantities, suffixes, supporting_verbs, verb_forms
from spice_core.lang.ja.cases import case_markers, initial_places, stray_arguments
from spice_core.lang.ja.clauses import coordination, described_places, descriptions, negation, place_words, relative_clauses
from spice_core.lang.ja.descriptions import resultatives, resulting_colours, suffixed_descriptions
from spice_core.lang.ja.main_clauses import main_subjects, places
from spice_core.lang.ja.phrases import (
    adnominals,
    auxiliary_verbs,
    compound_verbs,
    conjuncts,
    conjuncts_of_clauses,
    described_conjuncts,
    fixed_words,
)
from spice_core.lang.ja.subjects import (
    broken_off_at_to,
    copied_subjects,
    one_node_per_text,
    shared_objects,
    shared_subjects,
    subjects_around_clauses,
)
from spice_core.syntax.document import Document, Sentence
from spice_core.syntax.enhancement import Edges, Step, enhanced, selected, traced


def enhance(document: Document, steps: Sequence[str] | None = None) -> Document:
    """The document with enhanced graphs, made from the basic trees by the steps of these names (default: DEFAULT)."""
    chosen = selected(STEPS, DEFAULT if steps is None else steps)
    return replace(document, sentences=tuple(enhanced(sentence, chosen, sentence.basic) for sentence in document.sentences))


def trace(sentence: Sentence, steps: Sequence[str] | None = None) -> list[tuple[Step, Edges]]:
    """The steps for the sentence, in order, each with the edges after it."""
    return traced(selected(STEPS, DEFAULT if steps is None else steps), sentence.tokens, sentence.basic)


STEPS = (
    Step("fixed words", "What follows て belongs to the verb before it.", fixed_words),
    Step("supporting verbs", "An auxiliary verb has no meaning of its own.", supporting_verbs),
    Step("auxiliary verbs", "An auxiliary verb has no meaning of its own, unless it is passive.", auxiliary_verbs),
    Step("formal nouns", "ところ and 様子 only carry the clause before them.", formal_nouns),
    Step("suffixes", "人達 are 人.", suffixes),
    Step("adnominals", "An adjective describes the noun right after it.", adnominals),
    Step("quantities", "A number goes with its counter, and both with what they count.", quantities),
    Step("light verbs", "A bare noun with する is one verb.", light_verbs),
    Step("compound verbs", "じゃれ合う is one verb.", compound_verbs),
    Step("verb forms", "A conjunctive form joins clauses, an adnominal one describes a noun.", verb_forms),
    Step("case markers", "The particle marks the role.", case_markers),
    Step("conjuncts", "A noun with と is joined to the noun right after it.", conjuncts),
    Step("described conjuncts", "A description goes to the next conjunct.", described_conjuncts),
    Step("stray arguments", "A noun with a particle governs no arguments; the predicate above does.", stray_arguments),
    Step("conjuncts of clauses", "People are joined to people, and things to things.", conjuncts_of_clauses),
    Step("initial places", "A place at the start belongs to the main verb.", initial_places),
    Step("main subjects", "A topic is the subject of the main verb.", main_subjects),
    Step("places", "A place before a clause belongs to the verb that takes it.", places),
    Step("coordination", "All conjuncts share the relations of the last.", coordination),
    Step("described places", "A clause before 崖の横 modifies 崖.", described_places),
    Step("relative clauses", "The noun after a clause has a role in it.", relative_clauses),
    Step("resultatives", "What has been put somewhere is the subject of 置いてある.", resultatives),
    Step("descriptions", "Colours, quantities and shapes modify the noun after their の.", descriptions),
    Step("suffixed descriptions", "What ends in 敷き, 建て or 専用 describes a noun.", suffixed_descriptions),
    Step("place words", "A place word between two nouns relates them.", place_words),
    Step("negation", "Negated statements are kept apart.", negation),
    Step("broken off at と", "The 2023 program stops relating bunsetsu at the first noun with と.", broken_off_at_to),
    Step("shared subjects", "Coordinate clauses share a subject unless they have their own.", shared_subjects),
    Step("subjects around clauses", "A person who does one thing to a noun also does the other.", subjects_around_clauses),
    Step("resulting colours", "A colour in く is that of the object or subject.", resulting_colours),
    Step("copied subjects", "Coordinate clauses share a subject even if they have their own.", copied_subjects),
    Step("shared objects", "Predicates with a common object share their subject.", shared_objects),
    Step("one node per text", "Predicates with equal text are one node.", one_node_per_text),
)
# "broken off at と" to "one node per text" are quirks of the 2023 program; of two steps for one thing, the other is its own as well
_OF_2023 = frozenset(("supporting verbs", "initial places", "broken off at と", "copied subjects", "shared objects", "one node per text"))
DEFAULT = tuple(step.name for step in STEPS if step.name not in _OF_2023)
