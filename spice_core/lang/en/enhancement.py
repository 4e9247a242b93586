"""Enhancement of basic trees to the graphs that the rules read: named steps, each of which changes the edges.

Source: Anderson et al. (ECCV 2016), section 3.1: the collapsed, conjunction-processed graph (here in UD v2 terms),
quantifiers and pronouns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spice_core.lang.en.discourse import antecedents
from spice_core.lang.en.discourse.across_sentences import members_named_before, pronouns_across_sentences
from spice_core.lang.en.steps import clauses, lists, names, negation, phrases, reanalysis
from spice_core.lang.en.steps.belongings import belongings
from spice_core.lang.en.steps.commas import commas
from spice_core.lang.en.steps.frames import comments, hedges, picture_frames, requests
from spice_core.lang.en.steps.original import conjuncts, pronouns, quantifiers
from spice_core.lang.en.steps.plurals import copies
from spice_core.lang.en.steps.prepositions import multiword_prepositions, prepositions_in_labels
from spice_core.lang.en.steps.quantities import quantities as quantities_of
from spice_core.lang.en.steps.with_phrases import with_phrases
from spice_core.syntax.document import Document, Sentence
from spice_core.syntax.enhancement import DiscourseStep, Edges, Step, discoursed, divided, enhanced, traced


def enhance(document: Document, steps: Sequence[str] | None = None) -> Document:
    """Return the document with enhanced graphs, made from the basic trees or from its own enhanced columns.

    ``steps`` names the steps to apply to the basic trees, in order; the default is the steps of the original SPICE.
    """
    early, chosen = ([], None) if steps is None else divided(ALL, DISCOURSE, steps)
    document = discoursed(document, early)
    return replace(document, sentences=tuple(_enhance(sentence, chosen) for sentence in document.sentences))


def steps() -> tuple[Step | DiscourseStep, ...]:
    """Return all named steps, those across sentences first."""
    return (*DISCOURSE, *ALL)


def discourse(document: Document, steps: Sequence[str] | None = None) -> list[tuple[DiscourseStep, Document]]:
    """Return the discourse steps among the named steps, in order, each with the document after it."""
    out = []
    for step in divided(ALL, DISCOURSE, steps or ())[0]:
        document = discoursed(document, (step,))
        out.append((step, document))
    return out


def trace(sentence: Sentence, steps: Sequence[str] | None = None) -> list[tuple[Step, Edges]]:
    """Return the steps for the sentence (or the named steps), in order, each with the edges after it; discourse steps precede them."""
    chosen, edges = _start(sentence) if steps is None else (divided(ALL, DISCOURSE, steps)[1], sentence.basic)
    return traced(chosen, sentence.resolved, edges)


def _enhance(sentence: Sentence, chosen: Sequence[Step] | None) -> Sentence:
    steps, edges = _start(sentence) if chosen is None else (chosen, sentence.basic)
    return enhanced(sentence, steps, edges)


def _start(sentence: Sentence) -> tuple[Sequence[Step], Edges]:
    """Return the steps for a sentence and the initial edges: those of its own enhanced graph if it has one."""
    return (STEPS, sentence.basic) if sentence.enhanced is None else (ADAPTING, sentence.enhanced)


ADAPTING = (
    Step("quantifiers", 'The noun after "a couple of" is the head.', quantifiers),
    Step("pronouns", "A pronoun refers to the first noun before it.", pronouns),
)
STEPS = (
    Step("multiword prepositions", '"in front of" works as one preposition.', multiword_prepositions),
    Step("prepositions in labels", "The relation between two nouns is their preposition.", prepositions_in_labels),
    Step("conjuncts", "All conjuncts share the relations of the first.", conjuncts),
    *ADAPTING,
)
# additional steps of the rule sets ``caption`` and ``stanford-2015`` (plurals as copies)
ALL = (
    *STEPS,
    Step("plurals as copies", "Three men are three objects, each with its own relations.", copies),
    Step("whole prepositions", '"next to", "in front of" and "out of" work as one preposition.', phrases.whole_prepositions),
    Step("close-ups", '"Close up" is one noun.', phrases.close_ups),
    Step("parts of a whole", 'What stands before "of" is the head of the noun behind it.', phrases.parts_of_a_whole),
    Step("commas", "A phrase after a comma describes the whole, an action its own noun.", commas),
    Step("requests", "What stands behind the object of a request describes the object.", requests),
    Step("with phrases", 'What follows the noun after "with" says how it is.', with_phrases),
    Step("reanalysis", 'Inversion, a list without "and" and words on signs get the tree that they mean.', reanalysis.reanalysis),
    Step("appositions", "The noun before a name acts, and the name stands beside it.", names.name_appositions),
    Step("called", "What something is called stands beside it.", names.called),
    Step("lists", 'Items after commas without "and" stand alone.', lists.lists),
    Step("names", "The last word of a name is its head.", names.names),
    Step("lone adjectives", 'In "a black and a white dog", both adjectives modify the dog.', phrases.lone_adjectives),
    Step("flat compounds", "Every modifier within a compound modifies its head.", phrases.flat_compounds),
    Step("belongings", 'What follows "with" belongs to the noun that has such things, a tool to its verb.', belongings),
    Step("places of the whole", "A place modifies the first noun of a chain.", phrases.places_of_the_whole),
    Step("depicted", "Places and participles of a picture belong to what it shows.", phrases.depicted),
    Step("frames", 'The picture in "in the picture" is not in the picture.', phrases.frames),
    Step("picture frames", '"The image shows a dog", "a dog can be seen": there is a dog.', picture_frames),
    Step("comments", "What the picture adds, and what it only suggests, is not in it.", comments),
    Step("hedges", "Where something seems to be so, it is so there.", hedges),
    Step("shapes act", "In a row of carts sitting in a yard, the row sits.", phrases.shapes_act),
    Step("with clauses", 'The subject of a "with" clause is there.', clauses.with_clauses),
    Step("participle agents", 'The noun after "by" is the agent of a participle, unless it is a place.', clauses.participle_agents),
    Step("coordination", "All conjuncts share their relations and modifiers.", phrases.coordination),
    Step("quantities", 'The noun after "a group of" is the head.', quantities_of),
    Step("members", '"One", "the other" and numbers alone are members of a group named before.', antecedents.members),
    Step("relative clauses", "The noun fills the gap of its relative clause.", clauses.relative_clauses),
    Step("actors", "Actions of people and animals need a person or animal as subject.", clauses.actors),
    Step("controlled subjects", "A participle or purpose clause has the subject of its matrix clause.", clauses.controlled_subjects),
    Step("seen subjects", "To watch a batter hit a ball is to watch the batter.", clauses.seen_subjects),
    Step("places after have", "What something has on it is on it.", clauses.places_after_have),
    Step("negation", "What a sentence denies is not there.", negation.negation),
    Step("clear pronouns", "A pronoun refers to the highest preceding noun that agrees with it.", antecedents.clear_pronouns),
)
# steps of the rule set ``caption`` before the enhancement of each sentence
DISCOURSE = (
    DiscourseStep(
        "pronouns across sentences",
        "A pronoun refers to a noun of an earlier sentence that agrees with it: the nearest, subjects first.",
        pronouns_across_sentences,
    ),
    DiscourseStep("members across sentences", '"One", "the other" and "some" are members of a group named earlier.', members_named_before),
)
