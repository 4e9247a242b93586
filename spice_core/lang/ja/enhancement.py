"""Enhancement of GiNZA's trees to the predicate–argument structure that the rules read: named steps over the edges.

Source: Wada et al. (CoNLL 2023). The graph uses UD relations with the particle after the colon: nsubj,
obj, obl:に, obl:で … (arguments by case), obl:時間 and obl:外の関係 (deep cases), nmod:の, nmod:場所 (a place word
between two nouns), conj:と, nsubj:zero (an implicit subject), amod and nummod (modifiers), compound (a part of
its head's text). In a bunsetsu, only the head and its compound parts have these relations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spice_core.lang.ja.discourse.across_sentences import carry_subjects_over, join_sentences, resolve_members, resolve_pronouns
from spice_core.lang.ja.steps.adverbials import drop_negated_alternatives, make_manner_adverbs, relate_adverbial_clauses
from spice_core.lang.ja.steps.bunsetsu import (
    demote_formal_nouns,
    drop_suffixes,
    fold_supporting_verbs,
    join_light_verbs,
    join_quantities,
    relate_verb_forms,
)
from spice_core.lang.ja.steps.cases import (
    attach_initial_places,
    attach_stray_arguments,
    resolve_reasons_and_likenesses,
    return_arguments_to_verbs,
    set_case_relations,
)
from spice_core.lang.ja.steps.clauses import (
    attach_descriptions_of_places,
    fill_relative_clauses,
    make_place_relations,
    relabel_descriptions,
    relate_negations,
    separate_negated_words,
    share_conjunct_roles,
)
from spice_core.lang.ja.steps.conjuncts import (
    attach_descriptions_to_conjuncts,
    join_conjuncts,
    join_conjuncts_across_clauses,
    join_owned_things,
)
from spice_core.lang.ja.steps.descriptions import (
    attach_owners,
    attach_resulting_colours,
    drop_formal_arguments,
    make_parts_subjects,
    promote_resultative_subjects,
    relabel_suffixed_descriptions,
    resolve_double_subjects,
    share_topics_with_later_clauses,
)
from spice_core.lang.ja.steps.frames import remove_frames
from spice_core.lang.ja.steps.main_clauses import attach_clauses_to_people, attach_main_subjects, attach_places
from spice_core.lang.ja.steps.omissions import (
    attach_bare_arguments,
    attach_focused_objects,
    separate_gapped_clauses,
    separate_verbless_places,
)
from spice_core.lang.ja.steps.phrases import (
    attach_adnominal_clauses,
    attach_adnominals,
    attach_companions,
    attach_counted_arguments,
    attach_fixed_words,
    attach_numbers,
    fold_auxiliary_verbs,
    join_compound_verbs,
    join_suffixes,
    promote_listed_clauses,
    relate_joined_particles,
    resolve_clefts,
    separate_asides,
)
from spice_core.lang.ja.steps.program_2023 import (
    break_off_at_to,
    keep_nearest_objects,
    mark_companions_before_places,
    mark_first_mentions,
    nominalise_clauses,
    relate_crowds,
)
from spice_core.lang.ja.steps.subjects import (
    copy_subjects,
    merge_nodes_by_text,
    share_subjects,
    share_subjects_around_clauses,
    share_subjects_by_object,
)
from spice_core.lang.ja.word_forms import correct_dictionary_forms, join_words, negate_predicates
from spice_core.syntax.document import Document, Sentence
from spice_core.syntax.enhancement import DiscourseStep, Edges, Step, apply_discourse, divide_steps, enhance_sentence, trace_edges


def enhance(document: Document, steps: Sequence[str] | None = None) -> Document:
    """Return the document with enhanced graphs, which the named steps make from the basic trees (default: ``DEFAULT_STEP_NAMES``)."""
    discourse_steps, later_steps = divide_steps(ENHANCEMENT_STEPS, DISCOURSE_STEPS, DEFAULT_STEP_NAMES if steps is None else steps)
    sentences = (
        enhance_sentence(sentence, later_steps, sentence.basic) for sentence in apply_discourse(document, discourse_steps).sentences
    )
    return replace(document, sentences=tuple(negate_predicates(sentence, sentence.edges) for sentence in sentences))


def steps() -> tuple[Step | DiscourseStep, ...]:
    """Return all steps, the discourse steps first."""
    return (*DISCOURSE_STEPS, *ENHANCEMENT_STEPS)


def discourse(document: Document, steps: Sequence[str] | None = None) -> list[tuple[DiscourseStep, Document]]:
    """Return each of the named discourse steps with the document after it, in order."""
    out = []
    for step in divide_steps(ENHANCEMENT_STEPS, DISCOURSE_STEPS, DEFAULT_STEP_NAMES if steps is None else steps)[0]:
        document = apply_discourse(document, (step,))
        out.append((step, document))
    return out


def trace(sentence: Sentence, steps: Sequence[str] | None = None) -> list[tuple[Step, Edges]]:
    """Return each of the named enhancement steps with the sentence's edges after it, in order, without the discourse steps."""
    return trace_edges(
        divide_steps(ENHANCEMENT_STEPS, DISCOURSE_STEPS, DEFAULT_STEP_NAMES if steps is None else steps)[1], sentence.tokens, sentence.basic
    )


DISCOURSE_STEPS = (
    DiscourseStep("joined sentences", "A sentence may continue the statement about the subject of the previous sentence.", join_sentences),
    DiscourseStep("word forms", "Plurals and lists have the same dictionary form; 会場内 is 会場.", correct_dictionary_forms),
    DiscourseStep("joined words", "取っ組み合い and 端っこ are one word each.", join_words),
)
ENHANCEMENT_STEPS = (
    Step("asides", "A phrase in brackets stands alone.", separate_asides),
    Step("fixed words", "An auxiliary after て belongs to the verb before it.", attach_fixed_words),
    Step("supporting verbs", "An auxiliary verb has no meaning of its own.", fold_supporting_verbs),
    Step("auxiliary verbs", "An auxiliary verb has no meaning of its own, unless it is passive.", fold_auxiliary_verbs),
    Step("listed clauses", "読んだりする is 読む.", promote_listed_clauses),
    Step("formal nouns", "ところ and 様子 only carry the clause before them.", demote_formal_nouns),
    Step("suffixed words", "黄色っぽい and 彼ら are one word each.", join_suffixes),
    Step("suffixes", "人達 are 人.", drop_suffixes),
    Step("adnominals", "An adjective describes the noun right after it.", attach_adnominals),
    Step("numbers", "A number modifies the counter right after it.", attach_numbers),
    Step("quantities", "A number modifies its counter, and both modify the counted noun.", join_quantities),
    Step("counted arguments", "羊が２頭並ぶ: the sheep stand in line.", attach_counted_arguments),
    Step("companions", "犬と一緒に names a companion.", attach_companions),
    Step("light verbs", "A bare noun with する is one verb.", join_light_verbs),
    Step("compound verbs", "じゃれ合う is one verb.", join_compound_verbs),
    Step("verb forms", "A conjunctive form joins clauses; an adnominal form describes a noun.", relate_verb_forms),
    Step("adnominal clauses", "A clause in た or る describes the noun right after it.", attach_adnominal_clauses),
    Step("arguments before clauses", "絵本を読み聞かせる母親: the verb has the object.", return_arguments_to_verbs),
    Step("case markers", "The particle marks the role.", set_case_relations),
    Step(
        "reasons and likenesses", "工事のため names a reason; 雪のように names a thing that is not there.", resolve_reasons_and_likenesses
    ),
    Step("adverbial clauses", "スーツを着たまま泳ぐ: the swimmer wears the suit.", relate_adverbial_clauses),
    Step("manners", "楽しそうに遊ぶ describes the manner.", make_manner_adverbs),
    Step("negated alternatives", "歩道ではなく車道を走る states nothing about the pavement.", drop_negated_alternatives),
    Step("bare arguments", "犬いる: a noun without a particle is an argument.", attach_bare_arguments),
    Step("objects in focus", "眼鏡もかけている: も hides を.", attach_focused_objects),
    Step("joined particles", "駅への relates two nouns.", relate_joined_particles),
    Step("parts of clauses", "窓のある部屋: the windows are in the room.", make_parts_subjects),
    Step("owners", "The owner of the described part owns the noun.", attach_owners),
    Step("reported clauses", "滑っているところを見る: the object of the verb is the clause.", drop_formal_arguments),
    Step("clefts", "公園にいるのは犬です: the dog is in the park.", resolve_clefts),
    Step("double subjects", "象は鼻が長い: the elephant has the trunk.", resolve_double_subjects),
    Step("conjuncts", "A noun with と is joined to the noun right after it.", join_conjuncts),
    Step("described conjuncts", "A description modifies the next conjunct.", attach_descriptions_to_conjuncts),
    Step("stray arguments", "A noun with a particle governs no arguments; the predicate above does.", attach_stray_arguments),
    Step("conjuncts of clauses", "People are joined to people, and things to things.", join_conjuncts_across_clauses),
    Step("conjuncts of owned things", "コップと木の皿: things of a kind are joined.", join_owned_things),
    Step("picture frames", "画像には犬が写っている: the picture is not a thing in the picture.", remove_frames),
    Step("initial places", "A place at the start belongs to the main verb.", attach_initial_places),
    Step("main subjects", "A topic is the subject of the main verb.", attach_main_subjects),
    Step("clauses of people", "The wearer or holder of something is a person.", attach_clauses_to_people),
    Step("places", "A place before a clause belongs to the verb that takes it.", attach_places),
    Step("gapped clauses", "右には犬が、左には猫がいる: each animal is on its own side.", separate_gapped_clauses),
    Step("verbless places", "手前に花束、奥に花嫁: no verb relates the things to the places.", separate_verbless_places),
    Step("members", "A member of a group takes the noun of the group.", resolve_members),
    Step("coordination", "All conjuncts share the relations of the last.", share_conjunct_roles),
    Step("pronouns", "彼, 彼女 and それ refer to a preceding noun.", resolve_pronouns),
    Step("described places", "A clause before 崖の横 modifies 崖.", attach_descriptions_of_places),
    Step("relative clauses", "The noun after a clause has a role in it.", fill_relative_clauses),
    Step("resultatives", "The placed thing is the subject of 置いてある.", promote_resultative_subjects),
    Step("descriptions", "Colours, quantities and shapes modify the noun after their の.", relabel_descriptions),
    Step("suffixed descriptions", "A word that ends in 敷き, 建て or 専用 describes a noun.", relabel_suffixed_descriptions),
    Step("place words", "A place word between two nouns relates them.", make_place_relations),
    Step("negation", "Negated statements are kept apart.", separate_negated_words),
    Step("negated predicates", "かぶらない is not かぶる.", relate_negations),
    Step("topics of later clauses", "女性は髪が長く、服を着る: the woman wears it.", share_topics_with_later_clauses),
    Step("single objects", "In the 2023 program, a verb has one noun with を, the nearest.", keep_nearest_objects),
    Step(
        "companions before places", "熊と川に浸かる: in the 2023 program, the bear with と is a companion.", mark_companions_before_places
    ),
    Step("nominalised clauses", "In the 2023 program, の after a clause is a noun: 走るのを見る.", nominalise_clauses),
    Step("crowds", "In the 2023 program, 大勢 and 多く are not quantities.", relate_crowds),
    Step("broken off at と", "The 2023 program stops relating bunsetsu at the first noun with と.", break_off_at_to),
    Step("subjects around clauses", "A person who does one thing to a noun also does the other.", share_subjects_around_clauses),
    Step("shared subjects", "Coordinate clauses share a subject unless they have their own.", share_subjects),
    Step("carried subjects", "A sentence without a subject takes the subject of the previous sentence.", carry_subjects_over),
    Step(
        "resulting colours",
        "A colour in く describes the object or subject, and so does the shape that something has been cut to.",
        attach_resulting_colours,
    ),
    Step("copied subjects", "Coordinate clauses share a subject even if they have their own.", copy_subjects),
    Step("shared objects", "Predicates with a common object share their subject.", share_subjects_by_object),
    Step("first mentions", "In the 2023 program, a noun whose first mention has で is never an object.", mark_first_mentions),
    Step("one node per text", "Predicates with equal text are one node.", merge_nodes_by_text),
)
# quirks of the 2023 program, and steps that others replace ("auxiliary verbs", "places", "negated predicates")
_STEPS_OF_2023 = frozenset(
    (
        "joined words",
        "supporting verbs",
        "initial places",
        "negation",
        "single objects",
        "companions before places",
        "nominalised clauses",
        "crowds",
        "broken off at と",
        "first mentions",
        "copied subjects",
        "shared objects",
        "one node per text",
    )
)
DEFAULT_STEP_NAMES = (
    *(step.name for step in DISCOURSE_STEPS if step.name not in _STEPS_OF_2023),
    *(step.name for step in ENHANCEMENT_STEPS if step.name not in _STEPS_OF_2023),
)
