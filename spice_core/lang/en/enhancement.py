"""Conversion of basic trees to the enhanced graphs that the rules read, in named steps that change the edges.

The steps of the original SPICE follow Anderson et al. (ECCV 2016), section 3.1: they collapse prepositions and propagate
conjuncts (here in UD v2 terms), then resolve quantifiers and pronouns.
"""

from __future__ import annotations

from spice_core.lang.en.discourse import antecedents
from spice_core.lang.en.discourse.across_sentences import resolve_members_across_sentences, resolve_pronouns_across_sentences
from spice_core.lang.en.steps import clauses, lists, names, negation, phrases
from spice_core.lang.en.steps.belongings import attach_belongings
from spice_core.lang.en.steps.commas import attach_comma_phrases
from spice_core.lang.en.steps.frames import remove_comments, remove_openers, remove_picture_frames
from spice_core.lang.en.steps.original import add_copy_counts, promote_quantified_nouns, replace_pronouns, share_conjunct_edges
from spice_core.lang.en.steps.prepositions import fold_prepositions_into_labels, join_multiword_prepositions
from spice_core.lang.en.steps.quantities import promote_counted_nouns as quantities_of
from spice_core.lang.en.steps.with_phrases import form_with_phrases
from spice_core.lang.enhancement import DiscourseStep, Enhancement, Step

ADAPTATION_STEPS = (
    Step("quantifiers", 'The noun after "a couple of" is the head.', promote_quantified_nouns),
    Step("pronouns", "A pronoun refers to the highest noun in the tree, if that noun stands before the pronoun.", replace_pronouns),
)
ENHANCEMENT_STEPS = (
    Step("multiword prepositions", 'A phrase such as "in front of" is one preposition.', join_multiword_prepositions),
    Step("prepositions in labels", "The label of a relation contains the preposition, as in nmod:in.", fold_prepositions_into_labels),
    Step(
        "conjuncts",
        "Conjuncts share the head of the first conjunct. Verbs and adjectives without a subject also share its subject.",
        share_conjunct_edges,
    ),
    *ADAPTATION_STEPS,
)
# The rule set ``caption`` uses the steps added here and those of its file, except "plurals as copies", which belongs to ``stanford-2015``.
ALL_STEPS = (
    *ENHANCEMENT_STEPS,
    Step("plurals as copies", "Three men are three objects, each with its own relations.", add_copy_counts),
    Step("whole prepositions", '"Next to", "in front of" and "out of" are one preposition each.', phrases.join_prepositions),
    Step("openers", 'The thing after "the image shows" is the root.', remove_openers),
    Step(
        "commas",
        'A phrase after a comma describes the main noun. In ", steam rising", the steam rises.',
        attach_comma_phrases,
    ),
    Step("with phrases", 'A state or action after the noun of a "with" phrase describes that noun.', form_with_phrases),
    Step("nouns between commas", "A noun between two commas is an apposition to the noun before it.", lists.form_comma_appositions),
    Step("appositions", "The common noun before a name is the head, and the name is its apposition.", names.form_name_appositions),
    Step("called", 'The name after "called" is an apposition to the noun before "called".', names.attach_given_names),
    Step("lists", 'Items after commas without "and" are separate from the noun before them.', lists.split_lists),
    Step("names", "The last word of a name is its head.", names.reverse_flat_names),
    Step(
        "belongings",
        'A thing after "with" depends on the noun that usually has such things, and a tool depends on its verb.',
        attach_belongings,
    ),
    Step("depicted", "Places and participles of a picture belong to the depicted thing.", phrases.attach_to_depicted_things),
    Step("picture frames", '"The image shows a dog" and "a dog can be seen" mean that there is a dog.', remove_picture_frames),
    Step("comments", "Remarks on the effect of a picture, and guesses, do not describe things in the picture.", remove_comments),
    Step("with clauses", 'In "a bay with the sun rising", "with" relates the bay to the sun.', clauses.form_with_clauses),
    Step("participle agents", 'The noun after "by" is the agent of a participle, unless it is a place.', clauses.mark_participle_agents),
    Step("coordination", "All conjuncts share their relations and modifiers.", phrases.share_coordinated_roles),
    Step("quantities", 'The noun after "a group of" is the head.', quantities_of),
    Step("members", '"One", "the other" and bare numbers are members of a group named before them.', antecedents.resolve_members),
    Step("relative clauses", "A noun fills the gap in the relative clause that modifies it.", clauses.fill_relative_clauses),
    Step("actors", "Actions of people and animals need a person or animal as subject.", clauses.attach_participles_to_actors),
    Step(
        "controlled subjects",
        "The subject of a participle is the noun that it modifies. A purpose clause has the subject of its matrix clause.",
        clauses.add_controlled_subjects,
    ),
    Step("places after have", 'If something "has a hat on it", the hat is on it.', clauses.attach_places_after_have),
    Step("negation", "Negated nouns and verbs yield no tuples.", negation.remove_negated_words),
    Step(
        "clear pronouns",
        "Of the preceding nouns that agree with a pronoun, the highest one in the tree is its antecedent.",
        antecedents.resolve_clear_pronouns,
    ),
)
# The rule set ``caption`` also uses these steps, which change the document before each sentence is enhanced.
DISCOURSE_STEPS = (
    DiscourseStep(
        "pronouns across sentences",
        "A pronoun refers to a preceding noun that agrees with it, in the nearest sentence that has one, and preferably to a subject.",
        resolve_pronouns_across_sentences,
    ),
    DiscourseStep(
        "members across sentences",
        '"One", "the other" and "some" are members of a group that an earlier sentence names.',
        resolve_members_across_sentences,
    ),
)
ENHANCEMENT = Enhancement(
    ALL_STEPS,
    DISCOURSE_STEPS,
    default_names=tuple(step.name for step in ENHANCEMENT_STEPS),
    default_names_after_parser=tuple(step.name for step in ADAPTATION_STEPS),
    negation_step="negation",
    negation_words=negation.NEGATING_WORDS,
    affirmed_words={
        **dict.fromkeys(("nobody", "no-one", "one"), "person"),
        **{"nothing": "thing", "without": "with", "lack": "have", "instead of": "", "rather than": ""},
    },
)
