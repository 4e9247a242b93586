"""Enhancement of GiNZA's trees to the predicate–argument structure that the rules read: named steps over the edges.

Source: Wada et al. (CoNLL 2023). The graph uses UD relations with the particle after the colon: nsubj,
obj, obl:に, obl:で … (arguments by case), obl:時間 and obl:外の関係 (deep cases), nmod:の, nmod:場所 (a place word
between two nouns), conj:と, nsubj:zero (an implicit subject), amod and nummod (modifiers), compound (one text with its
head). In a bunsetsu, only the head has one of these relations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spice_core.lang.ja.discourse.across_sentences import carried_subjects, joined, members, pronouns
from spice_core.lang.ja.steps.adverbials import adverbial_clauses, denied_alternatives, manners
from spice_core.lang.ja.steps.bunsetsu import formal_nouns, light_verbs, quantities, suffixes, supporting_verbs, verb_forms
from spice_core.lang.ja.steps.cases import arguments_before_clauses, case_markers, initial_places, reasons_and_likenesses, stray_arguments
from spice_core.lang.ja.steps.clauses import (
    coordination,
    described_places,
    descriptions,
    negated_predicates,
    negation,
    place_words,
    relative_clauses,
)
from spice_core.lang.ja.steps.conjuncts import conjuncts, conjuncts_of_clauses, conjuncts_of_owned_things, described_conjuncts
from spice_core.lang.ja.steps.descriptions import (
    double_subjects,
    owners,
    parts_of_clauses,
    reported_clauses,
    resultatives,
    resulting_colours,
    suffixed_descriptions,
    topics_of_later_clauses,
)
from spice_core.lang.ja.steps.frames import frames
from spice_core.lang.ja.steps.main_clauses import clauses_of_people, main_subjects, places
from spice_core.lang.ja.steps.omissions import bare_arguments, gapped_clauses, objects_in_focus, verbless_places
from spice_core.lang.ja.steps.phrases import (
    adnominal_clauses,
    adnominals,
    auxiliary_verbs,
    clefts,
    companions,
    compound_verbs,
    counted_arguments,
    fixed_words,
    joined_particles,
    listed_clauses,
    numbers,
    suffixed_words,
)
from spice_core.lang.ja.steps.program_2023 import (
    broken_off_at_to,
    companions_before_places,
    crowds,
    first_mentions,
    nominalised_clauses,
    single_objects,
)
from spice_core.lang.ja.steps.subjects import (
    copied_subjects,
    one_node_per_text,
    shared_objects,
    shared_subjects,
    subjects_around_clauses,
)
from spice_core.lang.ja.word_forms import negated, with_dictionary_forms, with_joined_words
from spice_core.syntax.document import Document, Sentence
from spice_core.syntax.enhancement import DiscourseStep, Edges, Step, discoursed, divided, enhanced, traced


def enhance(document: Document, steps: Sequence[str] | None = None) -> Document:
    """The document with enhanced graphs, made from the basic trees by the steps of these names (default: DEFAULT)."""
    early, chosen = divided(STEPS, DISCOURSE, DEFAULT if steps is None else steps)
    sentences = (enhanced(sentence, chosen, sentence.basic) for sentence in discoursed(document, early).sentences)
    return replace(document, sentences=tuple(negated(sentence, sentence.edges) for sentence in sentences))


def steps() -> tuple[Step | DiscourseStep, ...]:
    """Return all named steps, those across sentences first."""
    return (*DISCOURSE, *STEPS)


def discourse(document: Document, steps: Sequence[str] | None = None) -> list[tuple[DiscourseStep, Document]]:
    """The discourse steps among those named, in order, each with the document after it."""
    out = []
    for step in divided(STEPS, DISCOURSE, DEFAULT if steps is None else steps)[0]:
        document = discoursed(document, (step,))
        out.append((step, document))
    return out


def trace(sentence: Sentence, steps: Sequence[str] | None = None) -> list[tuple[Step, Edges]]:
    """The enhancement steps for a sentence, in order, each with the edges after it; discourse steps come before."""
    return traced(divided(STEPS, DISCOURSE, DEFAULT if steps is None else steps)[1], sentence.tokens, sentence.basic)


DISCOURSE = (
    DiscourseStep("joined sentences", "A later sentence may go on about the subject of the one before.", joined),
    DiscourseStep("word forms", "Plurals and lists have the same dictionary form; 会場内 is 会場.", with_dictionary_forms),
    DiscourseStep("joined words", "取っ組み合い and 端っこ are one word each.", with_joined_words),
)
STEPS = (
    Step("fixed words", "What follows て belongs to the verb before it.", fixed_words),
    Step("supporting verbs", "An auxiliary verb has no meaning of its own.", supporting_verbs),
    Step("auxiliary verbs", "An auxiliary verb has no meaning of its own, unless it is passive.", auxiliary_verbs),
    Step("listed clauses", "読んだりする is 読む.", listed_clauses),
    Step("formal nouns", "ところ and 様子 only carry the clause before them.", formal_nouns),
    Step("suffixed words", "黄色っぽい and 彼ら are one word each.", suffixed_words),
    Step("suffixes", "人達 are 人.", suffixes),
    Step("adnominals", "An adjective describes the noun right after it.", adnominals),
    Step("numbers", "A number goes with the counter right after it.", numbers),
    Step("quantities", "A number goes with its counter, and both with what they count.", quantities),
    Step("counted arguments", "羊が２頭並ぶ: the sheep stand in line.", counted_arguments),
    Step("companions", "犬と一緒に has a companion.", companions),
    Step("light verbs", "A bare noun with する is one verb.", light_verbs),
    Step("compound verbs", "じゃれ合う is one verb.", compound_verbs),
    Step("verb forms", "A conjunctive form joins clauses, an adnominal one describes a noun.", verb_forms),
    Step("adnominal clauses", "A clause in た or る describes the noun right after it.", adnominal_clauses),
    Step("arguments before clauses", "絵本を読み聞かせる母親: the verb has the object.", arguments_before_clauses),
    Step("case markers", "The particle marks the role.", case_markers),
    Step("reasons and likenesses", "工事のため names a reason, 雪のように what is not there.", reasons_and_likenesses),
    Step("adverbial clauses", "スーツを着たまま泳ぐ: the swimmer wears the suit.", adverbial_clauses),
    Step("manners", "楽しそうに遊ぶ says how.", manners),
    Step("denied alternatives", "歩道ではなく車道を走る says nothing of the pavement.", denied_alternatives),
    Step("bare arguments", "犬いる: a noun without a particle is an argument.", bare_arguments),
    Step("objects in focus", "眼鏡もかけている: も hides を.", objects_in_focus),
    Step("joined particles", "駅への relates two nouns.", joined_particles),
    Step("parts of clauses", "窓のある部屋: the windows are in the room.", parts_of_clauses),
    Step("owners", "The owner of what an adjective describes owns the noun.", owners),
    Step("reported clauses", "滑っているところを見る: what is seen is the clause.", reported_clauses),
    Step("clefts", "公園にいるのは犬です: the dog is in the park.", clefts),
    Step("double subjects", "象は鼻が長い: the elephant has the trunk.", double_subjects),
    Step("conjuncts", "A noun with と is joined to the noun right after it.", conjuncts),
    Step("described conjuncts", "A description goes to the next conjunct.", described_conjuncts),
    Step("stray arguments", "A noun with a particle governs no arguments; the predicate above does.", stray_arguments),
    Step("conjuncts of clauses", "People are joined to people, and things to things.", conjuncts_of_clauses),
    Step("conjuncts of owned things", "コップと木の皿: things of a kind are joined.", conjuncts_of_owned_things),
    Step("picture frames", "画像には犬が写っている: the picture is no thing in it.", frames),
    Step("initial places", "A place at the start belongs to the main verb.", initial_places),
    Step("main subjects", "A topic is the subject of the main verb.", main_subjects),
    Step("clauses of people", "Who wears or holds something is a person.", clauses_of_people),
    Step("places", "A place before a clause belongs to the verb that takes it.", places),
    Step("gapped clauses", "右には犬が、左には猫がいる: each is on a side of its own.", gapped_clauses),
    Step("verbless places", "手前に花束、奥に花嫁: nothing says what is where.", verbless_places),
    Step("members", "One of a group is called by the noun of the group.", members),
    Step("coordination", "All conjuncts share the relations of the last.", coordination),
    Step("pronouns", "彼, 彼女 and それ mean a noun before them.", pronouns),
    Step("described places", "A clause before 崖の横 modifies 崖.", described_places),
    Step("relative clauses", "The noun after a clause has a role in it.", relative_clauses),
    Step("resultatives", "What has been put somewhere is the subject of 置いてある.", resultatives),
    Step("descriptions", "Colours, quantities and shapes modify the noun after their の.", descriptions),
    Step("suffixed descriptions", "What ends in 敷き, 建て or 専用 describes a noun.", suffixed_descriptions),
    Step("place words", "A place word between two nouns relates them.", place_words),
    Step("negation", "Negated statements are kept apart.", negation),
    Step("negated predicates", "かぶらない is not かぶる.", negated_predicates),
    Step("topics of later clauses", "女性は髪が長く、服を着る: the woman wears it.", topics_of_later_clauses),
    Step("single objects", "In the 2023 program, a verb has one noun with を, the nearest.", single_objects),
    Step("companions before places", "熊と川に浸かる: in the 2023 program, the bear with と is a companion.", companions_before_places),
    Step("nominalised clauses", "In the 2023 program, の after a clause is a noun: 走るのを見る.", nominalised_clauses),
    Step("crowds", "In the 2023 program, 大勢 and 多く are no quantities.", crowds),
    Step("broken off at と", "The 2023 program stops relating bunsetsu at the first noun with と.", broken_off_at_to),
    Step("shared subjects", "Coordinate clauses share a subject unless they have their own.", shared_subjects),
    Step("carried subjects", "A sentence without a subject has that of the one before.", carried_subjects),
    Step("subjects around clauses", "A person who does one thing to a noun also does the other.", subjects_around_clauses),
    Step(
        "resulting colours",
        "A colour in く is that of the object or subject, and so is the shape that something has been cut to.",
        resulting_colours,
    ),
    Step("copied subjects", "Coordinate clauses share a subject even if they have their own.", copied_subjects),
    Step("shared objects", "Predicates with a common object share their subject.", shared_objects),
    Step("first mentions", "In the 2023 program, what is first said with で is never an object.", first_mentions),
    Step("one node per text", "Predicates with equal text are one node.", one_node_per_text),
)
# quirks of the 2023 program, and steps that others replace ("auxiliary verbs", "places", "negated predicates")
_OF_2023 = frozenset(
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
DEFAULT = (*(step.name for step in DISCOURSE if step.name not in _OF_2023), *(step.name for step in STEPS if step.name not in _OF_2023))
