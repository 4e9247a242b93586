"""Enhancement of GiNZA's trees to the predicate–argument structure that the rules read, by named steps that change the edges.

Source: Wada et al. (CoNLL 2023). The graph uses UD relations with the particle after the colon: nsubj,
obj, obl:に, obl:で … (arguments by case), obl:時間 and obl:外の関係 (deep cases), nmod:の, nmod:場所 (a place word
between two nouns), conj:と, nsubj:zero (an implicit subject), amod and nummod (modifiers), compound (a part of
its head's text). In a bunsetsu, only the head and its compound parts have these relations.
"""

from __future__ import annotations

from spice_core.lang.enhancement import DiscourseStep, Enhancement, Step
from spice_core.lang.ja.discourse.across_sentences import carry_subjects_over, join_sentences, resolve_members, resolve_pronouns
from spice_core.lang.ja.steps.adverbials import relate_adverbial_clauses
from spice_core.lang.ja.steps.bunsetsu import (
    demote_formal_nouns,
    drop_suffixes,
    fold_supporting_verbs,
    join_quantities,
    relate_verb_forms,
)
from spice_core.lang.ja.steps.cases import (
    attach_initial_places,
    attach_stray_arguments,
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
)
from spice_core.lang.ja.steps.frames import remove_frames
from spice_core.lang.ja.steps.main_clauses import attach_clauses_to_people, attach_main_subjects, attach_places
from spice_core.lang.ja.steps.omissions import (
    attach_bare_arguments,
    separate_gapped_clauses,
    separate_verbless_places,
)
from spice_core.lang.ja.steps.phrases import (
    attach_adnominal_clauses,
    attach_adnominals,
    attach_counted_arguments,
    attach_fixed_words,
    attach_numbers,
    fold_auxiliary_verbs,
    join_compound_verbs,
    join_suffixes,
    promote_listed_clauses,
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
from spice_core.lang.ja.steps.voice import assign_logical_roles
from spice_core.lang.ja.word_forms import correct_dictionary_forms, join_word_pieces, negate_predicates

DISCOURSE_STEPS = (
    DiscourseStep("joined sentences", "A sentence may continue the statement about the subject of the previous sentence.", join_sentences),
    DiscourseStep(
        "word forms",
        "Plurals and forms with たり have the dictionary form of the plain word; 会場内 counts as 会場.",
        correct_dictionary_forms,
    ),
    DiscourseStep("joined words", "取っ組み合い and 端っこ are one word each.", join_word_pieces),
)
ENHANCEMENT_STEPS = (
    Step("asides", "A phrase in brackets is separate from the rest of the caption.", separate_asides),
    Step("fixed words", "An auxiliary after て belongs to the verb before it.", attach_fixed_words),
    Step("supporting verbs", "An auxiliary verb has no meaning of its own.", fold_supporting_verbs),
    Step("auxiliary verbs", "An auxiliary verb has no meaning of its own, unless it is passive.", fold_auxiliary_verbs),
    Step("listed clauses", "読んだりする counts as 読む.", promote_listed_clauses),
    Step("formal nouns", "After a clause, ところ and 様子 have no meaning of their own.", demote_formal_nouns),
    Step("suffixed words", "黄色っぽい and 彼ら are one word each.", join_suffixes),
    Step("suffixes", "人達 counts as 人.", drop_suffixes),
    Step("adnominals", "An adjective describes the noun right after it.", attach_adnominals),
    Step("numbers", "A number modifies the counter right after it.", attach_numbers),
    Step("quantities", "A number modifies its counter, and both modify the counted noun.", join_quantities),
    Step("counted arguments", "In 羊が２頭並ぶ, the sheep are the subject of 並ぶ.", attach_counted_arguments),
    Step("compound verbs", "じゃれ合う is one verb.", join_compound_verbs),
    Step("verb forms", "A conjunctive form joins clauses; an adnominal form describes a noun.", relate_verb_forms),
    Step("adnominal clauses", "A clause that ends in た or る describes the noun right after it.", attach_adnominal_clauses),
    Step("arguments before clauses", "In 絵本を読み聞かせる母親, 絵本 is the object of 読み聞かせる.", return_arguments_to_verbs),
    Step("case markers", "The particle after a noun determines the role of the noun.", set_case_relations),
    Step("adverbial clauses", "In スーツを着たまま泳ぐ, the swimmer wears the suit.", relate_adverbial_clauses),
    Step("bare arguments", "A noun without a particle can be an argument, as in 犬いる.", attach_bare_arguments),
    Step("parts of clauses", "In 窓のある部屋, the windows are in the room.", make_parts_subjects),
    Step("owners", "In 女性の赤い帽子, the woman has the hat.", attach_owners),
    Step("reported clauses", "In 滑っているところを見る, the clause is the object of 見る.", drop_formal_arguments),
    Step("double subjects", "In 象は鼻が長い, the elephant has the trunk.", resolve_double_subjects),
    Step("conjuncts", "A noun with と is coordinated with the noun right after it.", join_conjuncts),
    Step("stray arguments", "A noun with a particle governs no arguments. The predicate above it governs them.", attach_stray_arguments),
    Step("conjuncts of clauses", "People are coordinated with people, and things with things.", join_conjuncts_across_clauses),
    Step("conjuncts of owned things", "In コップと木の皿, the cup is coordinated with the plate, not with the wood.", join_owned_things),
    Step("picture frames", "In 画像には犬が写っている, 画像 is not a thing in the picture.", remove_frames),
    Step("initial places", "A place at the start of a caption belongs to the main verb.", attach_initial_places),
    Step("main subjects", "A topic is the subject of the main verb.", attach_main_subjects),
    Step("clauses of people", "The wearer or holder of something is a person.", attach_clauses_to_people),
    Step("places", "A place before a clause belongs to the verb that requires it.", attach_places),
    Step("gapped clauses", "In 右には犬が、左には猫がいる, the dog is on the right and the cat on the left.", separate_gapped_clauses),
    Step("verbless places", "In 手前に花束、奥に花嫁, no verb relates the things to the places.", separate_verbless_places),
    Step("members", "A bare number for members of a group takes the noun of the group.", resolve_members),
    Step("coordination", "All conjuncts share the relations of the last conjunct.", share_conjunct_roles),
    Step("pronouns", "彼, 彼女 and それ refer to a preceding noun.", resolve_pronouns),
    Step("described places", "A clause before 崖の横 modifies 崖.", attach_descriptions_of_places),
    Step("relative clauses", "The noun after a clause has a role in the clause.", fill_relative_clauses),
    Step("resultatives", "The thing that was placed is the subject of 置いてある.", promote_resultative_subjects),
    Step("descriptions", "Colours, quantities and shapes modify the noun after their の.", relabel_descriptions),
    Step("suffixed descriptions", "A word that ends in 敷き, 建て or 専用 describes a noun.", relabel_suffixed_descriptions),
    Step("place words", "A place word between two nouns relates them.", make_place_relations),
    Step("negation", "Negated predicates are distinct from affirmative ones.", separate_negated_words),
    Step("negated predicates", "かぶらない and かぶる are different predicates.", relate_negations),
    Step("single objects", "In JaSPICE's program, a verb has only one noun with を: the nearest.", keep_nearest_objects),
    Step("companions before places", "In JaSPICE's program, the bear in 熊と川に浸かる is a companion.", mark_companions_before_places),
    Step("nominalised clauses", "In JaSPICE's program, の after a clause is a noun, as in 走るのを見る.", nominalise_clauses),
    Step("crowds", "In JaSPICE's program, 大勢 and 多く are not quantities.", relate_crowds),
    Step("broken off at と", "JaSPICE's program stops relating bunsetsu at the first noun with と.", break_off_at_to),
    Step("subjects around clauses", "In 男性が焼いたピザを食べる, the man both bakes and eats the pizza.", share_subjects_around_clauses),
    Step("shared subjects", "A coordinate clause without a subject takes the subject of the other clause.", share_subjects),
    Step("carried subjects", "A sentence without a subject takes the subject of the previous sentence.", carry_subjects_over),
    Step("resulting colours", "In 壁が白く塗られている, 白く describes the wall.", attach_resulting_colours),
    Step("voice", "In 犬が猫に追われる, the cat chases the dog.", assign_logical_roles),
    Step("copied subjects", "In JaSPICE's program, coordinate clauses share a subject even if they have their own.", copy_subjects),
    Step(
        "shared objects",
        "A predicate without a subject takes the subject of another predicate that has the same object or oblique.",
        share_subjects_by_object,
    ),
    Step("first mentions", "In JaSPICE's program, a noun whose first mention has で is never an object.", mark_first_mentions),
    Step("one node per text", "In JaSPICE's program, predicates with equal text are one node.", merge_nodes_by_text),
)
# steps omitted by default: quirks of the 2023 program, steps with little effect, and those replaced by "auxiliary verbs", "places" and
# "negated predicates"
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
ENHANCEMENT = Enhancement(
    ENHANCEMENT_STEPS, DISCOURSE_STEPS, DEFAULT_STEP_NAMES, finish=lambda sentence: negate_predicates(sentence, sentence.edges)
)
