"""The edges that each step adds or changes between a parser's tree and the graph that the rules read, on stored trees."""

from dataclasses import replace

import pytest

from spice_core.lang import language
from spice_core.lang.en import enhancement
from spice_core.lang.en.discourse import antecedents
from spice_core.lang.en.steps import clauses, frames, names, phrases
from spice_core.lang.en.steps.belongings import attach_belongings, ownership_share
from spice_core.lang.en.steps.commas import attach_comma_phrases
from spice_core.lang.en.steps.lists import form_comma_appositions, split_lists
from spice_core.lang.en.steps.negation import remove_negated_words
from spice_core.lang.en.steps.quantities import promote_counted_nouns
from spice_core.lang.en.steps.with_phrases import form_with_phrases
from spice_core.rules.edit_step import EditStep
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.conllu import read
from spice_core.syntax.document import Dependency, Sentence
from tests.conftest import DATA
from tests.lang.edges import added_edges, removed_edges

FILE_STEPS = {step.name: step.apply for step in language("en").rule_set("caption").steps if isinstance(step, EditStep)}
RIDING_TREE = "man/man/NN/2/nsubj rides/ride/VBZ/0/root horse/horse/NN/2/obj with/with/IN/5/case"
HOLDING_TREE = "man/man/NN/2/nsubj holds/hold/VBZ/0/root woman/woman/NN/2/obj with/with/IN/5/case"


@pytest.mark.parametrize(("step", "tree", "added_edges_"), [
    # the steps of the original SPICE
    (enhancement.join_multiword_prepositions, "dog/dog/NN/2/nsubj sits/sit/VBZ/0/root in/in/IN/4/case front/front/NN/2/obl of/of/IN/6/case walls/wall/NNS/4/nmod", {"walls case in", "in fixed front", "in fixed of", "sits obl walls"}),
    (enhancement.join_multiword_prepositions, "dog/dog/NN/0/root next/next/JJ/1/advmod to/to/TO/4/case walls/wall/NNS/2/obl", {"walls case next", "next fixed to", "dog nmod walls"}),
    (enhancement.join_multiword_prepositions, "cat/cat/NN/4/nsubj is/be/VBZ/4/cop just/just/RB/4/advmod next/next/JJ/0/root to/to/TO/6/case it/it/PRP/4/obl", {"it nsubj cat", "it cop is", "it advmod just", "it case next", "next fixed to", "root root it"}),
    (enhancement.join_multiword_prepositions, "man/man/NN/0/root out/out/RB/3/advmod here/here/RB/1/advmod", set()),
    (enhancement.fold_prepositions_into_labels, "dog/dog/NN/2/nsubj sits/sit/VBZ/0/root in/in/IN/6/case front/front/NN/3/fixed of/of/IN/3/fixed walls/wall/NNS/2/obl", {"sits obl:in_front_of walls"}),
    (enhancement.fold_prepositions_into_labels, "it/it/PRP/3/nsubj:pass was/be/VBD/3/aux:pass made/make/VBN/0/root by/by/IN/5/case men/man/NNS/3/obl", {"made obl:agent men"}),
    (enhancement.share_conjunct_edges, "dogs/dog/NNS/4/nsubj and/and/CC/3/cc cats/cat/NNS/1/conj run/run/VBP/0/root or/or/CC/6/cc sleep/sleep/VBP/4/conj", {"dogs conj:and cats", "run nsubj cats", "run conj:or sleep", "sleep nsubj dogs"}),
    (enhancement.promote_quantified_nouns, "a/a/DT/2/det couple/couple/NN/5/nsubj of/of/IN/4/case men/man/NNS/2/nmod:of walk/walk/VBP/0/root", {"walk nsubj men", "men det:qmod a", "a fixed couple", "a fixed of"}),
    (enhancement.promote_quantified_nouns, "with/with/IN/2/case lots/lot/NNS/0/root of/of/IN/4/case men/man/NNS/2/nmod:of", {"root root men", "men det:qmod with", "with fixed lots", "with fixed of"}),
    (enhancement.promote_quantified_nouns, "one/one/CD/5/nsubj of/of/IN/4/case the/the/DT/4/det men/man/NNS/1/nmod:of walks/walk/VBZ/0/root", {"walks nsubj men", "men det:qmod one", "one fixed of"}),
    # No change: the noun after "one of" has no determiner.
    (enhancement.promote_quantified_nouns, "one/one/CD/4/nsubj of/of/IN/3/case men/man/NNS/1/nmod:of walks/walk/VBZ/0/root", set()),
    # No change: the original SPICE does not list "group" as a quantity.
    (enhancement.promote_quantified_nouns, "a/a/DT/2/det group/group/NN/0/root of/of/IN/4/case men/man/NNS/2/nmod:of", set()),
    (enhancement.replace_pronouns, "man/man/NN/2/nsubj rides/ride/VBZ/0/root his/he/PRP$/4/nmod:poss bike/bike/NN/2/obj", {"bike nmod:poss man"}),
    # No change: "his" needs a singular antecedent.
    (enhancement.replace_pronouns, "men/man/NNS/2/nsubj ride/ride/VBP/0/root his/he/PRP$/4/nmod:poss bikes/bike/NNS/2/obj", set()),
    # No change: the pronoun is the first word.
    (enhancement.replace_pronouns, "his/he/PRP$/2/nmod:poss bike/bike/NN/0/root", set()),
    # No change: the noun follows the pronoun.
    (enhancement.replace_pronouns, "riding/ride/VBG/0/root his/he/PRP$/3/nmod:poss bike/bike/NN/1/obj", set()),
    # phrases
    (phrases.join_prepositions, "cat/cat/NN/2/nsubj looks/look/VBZ/0/root out/out/IN/5/case of/of/IN/5/case windows/window/NNS/2/obl", {"out fixed of"}),
    (phrases.join_prepositions, "bowl/bowl/NN/2/nsubj sits/sit/VBZ/0/root Next/next/RB/2/advmod to/to/IN/5/case jars/jar/NNS/2/obl", {"jars case Next", "Next fixed to"}),
    (phrases.join_prepositions, "girls/girl/NNS/3/nmod:poss '/'/POS/1/case game/game/NN/0/root", set()),
    (FILE_STEPS["parts of a whole"], "tree/tree/NN/0/root on/on/IN/3/case side/side/NN/1/nmod of/of/IN/5/case roads/road/NNS/1/nmod", {"side nmod roads"}),
    (FILE_STEPS["parts of a whole"], "in/in/IN/4/case front/front/NN/1/fixed of/of/IN/1/fixed roads/road/NNS/0/root", set()),
    (FILE_STEPS["flat compounds"], "barbed/barbed/JJ/2/amod wire/wire/NN/3/compound fence/fence/NN/0/root", {"fence amod barbed"}),
    (FILE_STEPS["places of the whole"], "vase/vase/NN/0/root with/with/IN/3/case flowers/flower/NNS/1/nmod:with near/near/IN/5/case walls/wall/NNS/3/nmod:near", {"vase nmod:near walls"}),
    (FILE_STEPS["places of the whole"], "train/train/NN/0/root with/with/IN/3/case people/people/NNS/1/nmod:with near/near/IN/5/case it/it/PRP/3/nmod:near", set()),
    (names.reverse_flat_names, "actor/actor/NN/0/root Tom/Tom/NNP/1/appos Hanks/Hanks/NNP/2/flat", {"actor appos Hanks", "Hanks compound Tom"}),
    (names.form_name_appositions, "painter/painter/NN/4/nsubj Anna/Anna/NNP/4/nsubj Keller/Keller/NNP/2/flat poses/pose/VBZ/0/root", {"painter appos Anna"}),
    (names.form_name_appositions, "singer/singer/NN/2/compound Ora/Ora/NNP/3/nsubj waves/wave/VBZ/0/root", {"waves nsubj singer", "singer appos Ora"}),
    (names.form_name_appositions, "singer/singer/NN/0/root Rita/Rita/NNP/1/flat Ora/Ora/NNP/1/flat", {"singer appos Rita", "Rita flat Ora"}),
    # No change: "vintage" names no person, animal or work.
    (names.form_name_appositions, "vintage/vintage/NN/2/compound Ford/Ford/NNP/0/root", set()),
    (phrases.attach_to_depicted_things, "photo/photo/NN/0/root of/of/IN/3/case cats/cat/NNS/1/nmod:of by/by/IN/5/case Jones/Jones/NNP/1/nmod:by", set()),
    (phrases.attach_to_depicted_things, "view/view/NN/4/nsubj:pass of/of/IN/3/case clocks/clock/NNS/1/nmod:of mounted/mount/VBN/0/root", {"mounted nsubj:pass clocks"}),
    (phrases.attach_to_depicted_things, "picture/picture/NN/0/root of/of/IN/3/case cats/cat/NNS/1/nmod:of on/on/IN/5/case beds/bed/NNS/1/nmod:on", {"cats nmod:on beds"}),
    (phrases.attach_to_depicted_things, "row/row/NN/0/root of/of/IN/3/case cars/car/NNS/1/nmod:of on/on/IN/5/case streets/street/NNS/1/nmod:on", set()),
    (phrases.share_coordinated_roles, "man/man/NN/4/nsubj and/and/CC/3/cc dog/dog/NN/1/conj run/run/VBP/0/root and/and/CC/6/cc jump/jump/VBP/4/conj", {"run nsubj dog", "jump nsubj man", "jump nsubj dog"}),
    (phrases.share_coordinated_roles, "in/in/IN/2/case boxes/box/NNS/0/root or/or/CC/5/cc on/on/IN/5/case beds/bed/NNS/2/conj", set()),
    (phrases.share_coordinated_roles, "cats/cat/NNS/0/root in/in/IN/3/case boxes/box/NNS/1/nmod:in or/or/CC/6/cc on/on/IN/6/case beds/bed/NNS/3/conj", {"cats nmod:on beds"}),
    (phrases.share_coordinated_roles, "stove/stove/NN/0/root and/and/CC/3/cc oven/oven/NN/1/conj with/with/IN/5/case shelves/shelf/NNS/1/nmod:with", {"oven nmod:with shelves"}),
    (promote_counted_nouns, "a/a/DT/2/det group/group/NN/5/nsubj of/of/IN/4/case men/man/NNS/2/nmod:of walk/walk/VBP/0/root", {"walk nsubj men", "men det:group a", "a fixed group", "a fixed of"}),
    (promote_counted_nouns, "a/a/DT/2/det pair/pair/NN/0/root of/of/IN/4/case shoes/shoe/NNS/2/nmod:of on/on/IN/6/case beds/bed/NNS/2/nmod:on", {"root root shoes", "shoes det:qmod a", "a fixed pair", "a fixed of", "shoes nmod:on beds"}),
    (promote_counted_nouns, "two/two/CD/2/nummod pairs/pair/NNS/0/root of/of/IN/4/case boots/boot/NNS/2/nmod:of", {"root root boots", "boots det:qmod two", "two fixed pairs", "two fixed of"}),
    (promote_counted_nouns, "hundreds/hundred/NNS/0/root of/of/IN/3/case birds/bird/NNS/1/nmod:of", {"root root birds", "birds det:group hundreds", "hundreds fixed of"}),
    (promote_counted_nouns, "the/the/DT/2/det rest/rest/NN/0/root of/of/IN/4/case players/player/NNS/2/nmod:of", {"root root players", "players det:group the", "the fixed rest", "the fixed of"}),
    (promote_counted_nouns, "smallest/smallest/JJS/0/root of/of/IN/3/case puppies/puppy/NNS/1/nmod:of", {"root root puppies", "puppies det:group smallest", "smallest fixed of"}),
    (promote_counted_nouns, "left/left/JJ/2/amod half/half/NN/0/root of/of/IN/4/case shelves/shelf/NNS/2/nmod:of", set()),
    (promote_counted_nouns, "two/two/CD/2/nummod groups/group/NNS/0/root of/of/IN/4/case men/man/NNS/2/nmod:of", set()),
    # No change: a row is a shape rather than a quantity.
    (promote_counted_nouns, "a/a/DT/2/det row/row/NN/0/root of/of/IN/4/case cars/car/NNS/2/nmod:of", set()),
    # antecedents of pronouns and of members of a group
    (antecedents.resolve_clear_pronouns, "man/man/NN/0/root with/with/IN/3/case suitcases/suitcase/NNS/1/nmod:with beside/beside/IN/5/case him/he/PRP/3/nmod:beside", {"suitcases nmod:beside man"}),
    (antecedents.resolve_clear_pronouns, "man/man/NN/2/nsubj holds/hold/VBZ/0/root ties/tie/NN/2/obj with/with/IN/5/case words/word/NNS/3/nmod:with on/on/IN/7/case it/it/PRP/5/nmod:on", {"words nmod:on ties"}),
    # No change: no noun precedes the pronoun.
    (antecedents.resolve_clear_pronouns, "his/he/PRP$/2/nmod:poss dog/dog/NN/0/root", set()),
    (antecedents.resolve_clear_pronouns, "rider/rider/NN/2/nsubj adjusts/adjust/VBZ/0/root their/they/PRP$/4/nmod:poss helmet/helmet/NN/2/obj", {"helmet nmod:poss rider"}),
    (antecedents.resolve_clear_pronouns, "with/with/IN/3/case his/he/PRP$/3/nmod:poss arms/arm/NNS/5/obl:with man/man/NN/5/nsubj shouts/shout/VBZ/0/root", {"arms nmod:poss man"}),
    (antecedents.resolve_clear_pronouns, "girl/girl/NN/2/nsubj holds/hold/VBZ/0/root boys/boy/NN/2/obj as/as/IN/6/mark they/they/PRP/6/nsubj wait/wait/VBP/2/advcl", {"wait nsubj girl", "wait nsubj boys"}),
    (antecedents.resolve_clear_pronouns, "on/on/IN/2/case tables/table/NN/3/obl are/be/VBZ/0/root cakes/cake/NN/3/nsubj with/with/IN/6/case candles/candle/NNS/4/nmod:with on/on/IN/8/case it/it/PRP/6/nmod:on", {"candles nmod:on cakes"}),
    # No change: "him" cannot refer to a ball.
    (antecedents.resolve_clear_pronouns, "ball/ball/NN/2/nsubj hits/hit/VBZ/0/root him/he/PRP/2/obj", set()),
    (antecedents.resolve_members, "One/one/CD/2/nummod girl/girl/NN/3/nsubj runs/run/VBZ/0/root and/and/CC/7/cc the/the/DT/6/det other/other/JJ/7/nsubj sits/sit/VBZ/3/conj", {"sits nsubj girl", "girl member other"}),
    # No change: it is unclear which dog bites.
    (antecedents.resolve_members, "dogs/dog/NNS/0/root biting/bite/VBG/1/acl the/the/DT/4/det other/other/JJ/2/obj", set()),
    (antecedents.resolve_members, "girls/girl/NNS/0/root with/with/IN/4/case the/the/DT/4/det other/other/JJ/5/amod boys/boy/NNS/1/nmod:with", set()),
    (antecedents.resolve_clear_pronouns, "man/man/NN/0/root and/and/CC/3/cc woman/woman/NN/1/conj in/in/IN/6/case her/she/PRP$/6/nmod:poss car/car/NN/1/nmod:in", {"car nmod:poss woman"}),
    # No change: an object pronoun cannot refer to the subject of its clause.
    (antecedents.resolve_clear_pronouns, "dog/dog/NN/2/nsubj sees/see/VBZ/0/root it/it/PRP/2/obj", set()),
    (antecedents.resolve_clear_pronouns, "bench/bench/NN/0/root bag/bag/NN/5/nsubj is/be/VBZ/5/cop on/on/IN/5/case it/it/PRP/1/parataxis", {"bag nmod:on bench"}),
    # agents, subjects, objects and places of clauses
    (clauses.mark_participle_agents, "man/man/NN/0/root surrounded/surround/VBN/1/acl by/by/IN/4/case lemons/lemon/NNS/2/obl:by", {"surrounded obl:agent lemons"}),
    # No change: a by-phrase after "parked" names a place.
    (clauses.mark_participle_agents, "car/car/NN/0/root parked/park/VBN/1/acl by/by/IN/4/case road/road/NN/2/obl:by", set()),
    (clauses.mark_participle_agents, "man/man/NN/2/nsubj surrounded/surround/VBN/0/root by/by/IN/4/case lemons/lemon/NNS/2/obl:by", {"surrounded obl:agent lemons", "surrounded nsubj:pass man"}),
    (clauses.mark_participle_agents, "bus/bus/NN/2/nsubj:pass stopped/stop/VBN/0/root by/by/IN/4/case trees/tree/NNS/2/obl:agent", {"stopped obl:by trees"}),
    (clauses.form_with_clauses, "man/man/NN/2/nsubj sits/sit/VBZ/0/root with/with/IN/5/mark dogs/dog/NNS/5/nsubj barking/bark/VBG/2/advcl", {"sits obl:with dogs"}),
    (clauses.fill_relative_clauses, "bench/bench/NN/0/root that/that/WDT/3/nsubj has/have/VBZ/1/acl:relcl bears/bear/NNS/3/obj", {"has nsubj:relcl bench"}),
    (clauses.fill_relative_clauses, "bike/bike/NN/0/root he/he/PRP/3/nsubj rides/ride/VBZ/1/acl:relcl", {"rides obj bike"}),
    (clauses.fill_relative_clauses, "rug/rug/NN/0/root they/they/PRP/3/nsubj clean/clean/VBP/1/acl:relcl that/that/IN/3/obj", {"clean obj rug"}),
    (clauses.fill_relative_clauses, "game/game/NN/0/root where/where/WRB/4/advmod batters/batter/NNS/4/nsubj hit/hit/VBP/1/acl:relcl", set()),
    (clauses.add_controlled_subjects, "girl/girl/NN/0/root smiling/smile/VBG/1/acl", {"smiling nsubj:acl girl"}),
    (clauses.add_controlled_subjects, "cake/cake/NN/0/root decorated/decorate/VBN/1/acl with/with/IN/4/case roses/rose/NNS/2/obl:with", {"decorated nsubj:acl:pass cake"}),
    (clauses.add_controlled_subjects, "boy/boy/NN/2/nsubj runs/run/VBZ/0/root to/to/TO/4/mark hit/hit/VB/2/advcl balls/ball/NNS/4/obj", {"hit nsubj:control boy"}),
    (clauses.add_controlled_subjects, "man/man/NN/2/nsubj holds/hold/VBZ/0/root the/the/DT/4/det door/door/NN/2/obj open/open/JJ/2/xcomp", {"open nsubj:control door"}),
    (clauses.add_controlled_subjects, "horse/horse/NN/2/nsubj lowers/lower/VBZ/0/root head/head/NN/2/obj to/to/TO/5/mark drink/drink/VB/2/xcomp", {"drink nsubj:control horse"}),
    (clauses.add_controlled_subjects, "valve/valve/NN/2/nsubj lets/let/VBZ/0/root water/water/NN/2/obj flow/flow/VB/2/xcomp", {"flow nsubj:control water"}),
    (clauses.add_controlled_subjects, "coach/coach/NN/2/nsubj tells/tell/VBZ/0/root boys/boy/NNS/2/obj to/to/TO/5/mark run/run/VB/2/xcomp", {"run nsubj:control boys"}),
    (clauses.add_controlled_subjects, "people/people/NNS/2/nsubj wait/wait/VBP/0/root trains/train/NNS/2/obl:for to/to/TO/5/mark stop/stop/VB/2/xcomp", {"stop nsubj:control trains"}),
    (clauses.attach_places_after_have, "family/family/NN/2/nsubj has/have/VBZ/0/root lunch/lunch/NN/2/obj in/in/IN/5/case gardens/garden/NNS/2/obl:in", set()),
    # No change: the tree does not climb.
    (clauses.add_controlled_subjects, "tree/tree/NN/0/root to/to/TO/3/mark climb/climb/VB/1/acl", set()),
    (clauses.add_controlled_subjects, "man/man/NN/0/root about/about/IN/4/mark to/to/TO/4/mark jump/jump/VB/1/acl", {"jump nsubj:acl man"}),
    (clauses.attach_participles_to_actors, "man/man/NN/0/root in/in/IN/3/case stance/stance/NN/1/nmod:in holding/hold/VBG/3/acl rackets/racket/NNS/4/obj", {"man acl holding"}),
    (clauses.attach_participles_to_actors, "man/man/NN/2/nsubj walks/walk/VBZ/0/root down/down/IN/4/case streets/street/NNS/2/obl:down carrying/carry/VBG/4/acl", {"man acl carrying"}),
    # No change: the girl can hold something herself.
    (clauses.attach_participles_to_actors, "dog/dog/NN/0/root on/on/IN/3/case girl/girl/NN/1/nmod:on holding/hold/VBG/3/acl", set()),
    # No change: a house can overlook something too.
    (clauses.attach_participles_to_actors, "man/man/NN/0/root by/by/IN/3/case house/house/NN/1/nmod:by overlooking/overlook/VBG/3/acl", set()),
    (clauses.attach_places_after_have, "bench/bench/NN/2/nsubj has/have/VBZ/0/root bears/bear/NNS/2/obj on/on/IN/5/case it/it/PRP/2/obl:on", {"bears nmod:on it"}),
    # frames, comments and guesses
    (frames.remove_picture_frames, "the/the/DT/2/det image/image/NN/3/nsubj shows/show/VBZ/0/root a/a/DT/5/det dog/dog/NN/3/obj on/on/IN/7/case sofas/sofa/NNS/3/obl:on", {"root root dog", "dog frame shows", "dog frame image", "dog nmod:on sofas"}),
    # No change: "a picture" may be a picture on a wall.
    (frames.remove_picture_frames, "a/a/DT/2/det picture/picture/NN/3/nsubj shows/show/VBZ/0/root a/a/DT/5/det dog/dog/NN/3/obj", set()),
    (frames.remove_picture_frames, "dogs/dog/NNS/4/nsubj:pass can/can/MD/4/aux be/be/VB/4/aux:pass seen/see/VBN/0/root", {"root root dogs", "seen frame can", "seen frame be", "dogs frame seen"}),
    # No change: the place depends on the verb, so the verb remains.
    (frames.remove_picture_frames, "dogs/dog/NNS/4/nsubj:pass can/can/MD/4/aux be/be/VB/4/aux:pass seen/see/VBN/0/root at/at/IN/6/case doors/door/NNS/4/obl:at", set()),
    (frames.remove_picture_frames, "dogs/dog/NNS/4/nsubj:pass can/can/MD/4/aux be/be/VB/4/aux:pass seen/see/VBN/0/root sleeping/sleep/VBG/4/xcomp", {"root root sleeping", "sleeping nsubj dogs", "sleeping frame seen", "seen frame can", "seen frame be"}),
    (frames.remove_openers, "in/in/IN/3/case this/this/DT/3/det photo/photo/NN/4/obl we/we/PRP/5/nsubj see/see/VBP/0/root dogs/dog/NNS/5/obj here/here/RB/5/advmod", {"root root dogs", "dogs frame in", "dogs frame this", "dogs frame photo", "dogs frame we", "dogs frame see", "dogs advmod here"}),
    # No change: the photo is a thing of the scene.
    (frames.remove_openers, "men/man/NNS/2/nsubj see/see/VBP/0/root photos/photo/NNS/2/obj", set()),
    (frames.remove_picture_frames, "sides/side/NNS/0/root of/of/IN/4/case the/the/DT/4/det image/image/NN/1/nmod:of", {"sides frame image"}),
    (frames.remove_comments, "trees/tree/NNS/0/root adding/add/VBG/1/acl a/a/DT/4/det touch/touch/NN/2/obj", {"trees frame adding", "touch frame a", "adding frame touch"}),
    (frames.remove_comments, "trees/tree/NNS/0/root adding/add/VBG/1/acl touch/touch/NN/2/obj to/to/IN/5/case street/street/NN/2/obl:to", {"trees frame adding", "adding frame touch", "root root street"}),
    (frames.remove_comments, "men/man/NNS/0/root adding/add/VBG/1/acl salt/salt/NN/2/obj", set()),
    (frames.remove_comments, "clouds/cloud/NNS/2/nsubj suggest/suggest/VBP/0/root rain/rain/NN/2/obj", {"suggest dep clouds", "root frame suggest", "suggest frame rain"}),
    # things in "with" phrases, which belong to an owner or are tools of an action
    (attach_belongings, f"{RIDING_TREE} saddle/saddle/NN/2/obl:with", {"horse nmod:with saddle"}),
    # No change: the hat belongs to the rider.
    (attach_belongings, f"{RIDING_TREE} hat/hat/NN/2/obl:with", set()),
    # If both nouns are people, the thing belongs to the nearer person.
    (attach_belongings, f"{HOLDING_TREE} hair/hair/NN/2/obl:with", {"woman nmod:with hair"}),
    # No change: "his hand" belongs to the subject.
    (attach_belongings, f"{HOLDING_TREE} hand/hand/NN/2/obl:with his/his/PRP$/5/nmod:poss", set()),
    (attach_belongings, "girl/girl/NN/2/nsubj looks/look/VBZ/0/root at/at/IN/4/case house/house/NN/2/obl:at with/with/IN/6/case roof/roof/NN/2/obl:with", {"house nmod:with roof"}),
    (attach_belongings, "boy/boy/NN/2/nsubj hits/hit/VBZ/0/root ball/ball/NN/2/obj with/with/IN/5/case stripes/stripe/NNS/2/obl:with", {"ball nmod:with stripes"}),
    # A key is a tool for opening.
    (attach_belongings, "boy/boy/NN/2/nsubj opens/open/VBZ/0/root door/door/NN/2/obj with/with/IN/5/case key/key/NN/3/nmod:with", {"opens obl:with key"}),
    # No change: a window is not a tool.
    (attach_belongings, "boy/boy/NN/2/nsubj opens/open/VBZ/0/root door/door/NN/2/obj with/with/IN/5/case window/window/NN/3/nmod:with", set()),
    # No change: the list of belongings lacks the noun.
    (attach_belongings, f"{RIDING_TREE} zyzzyva/zyzzyva/NN/2/obl:with", set()),
    # A clause with "which" modifies the noun before it. A word in -ing after its verb is a complement, and so is what a seen person does.
    (FILE_STEPS["clause labels"], "man/man/NN/2/nsubj sits/sit/VBZ/0/root on/on/IN/4/case bench/bench/NN/2/obl which/which/WDT/7/nsubj is/be/VBZ/7/cop old/old/JJ/2/advcl", {"bench acl:relcl old"}),
    (FILE_STEPS["clause labels"], "people/people/NNS/2/nsubj love/love/VBP/0/root sailing/sail/VBG/2/obj", {"love xcomp sailing"}),
    (FILE_STEPS["clause labels"], "sign/sign/NN/2/nsubj has/have/VBZ/0/root writing/write/VBG/2/obj", set()),
    (FILE_STEPS["clause labels"], "boys/boy/NNS/2/nsubj see/see/VBP/0/root girls/girl/NNS/4/nsubj swim/swim/VBP/2/obj", {"see obj girls", "see xcomp swim"}),
    (FILE_STEPS["clause labels"], "a/a/DT/2/det cup/cup/NN/0/root a/a/DT/4/det plate/plate/NN/2/dep", {"cup conj plate"}),
    (FILE_STEPS["clause labels"], "black/black/JJ/6/nsubj and/and/CC/4/cc a/a/DT/1/conj white/white/JJ/1/conj dog/dog/NN/1/conj plays/play/VBZ/0/root", {"plays nsubj dog", "dog amod black"}),
    (FILE_STEPS["clause labels"], "boy/boy/NN/2/nsubj dressed/dress/VBN/0/root as/as/IN/5/case pirate/pirate/NN/5/nsubj runs/run/VBZ/2/obl", {"dressed obl pirate", "pirate case as", "dressed conj runs"}),
    (FILE_STEPS["clause labels"], "on/on/IN/2/case wall/wall/NN/4/obl there/there/EX/4/expl is/be/VBZ/0/root clock/clock/NN/4/nsubj", {"clock nmod wall"}),
    (FILE_STEPS["adverbs"], "man/man/NN/2/nsubj reads/read/VBZ/0/root outside/outside/RB/2/advmod", {"reads advmod:state outside"}),
    (FILE_STEPS["clause labels"], "sign/sign/NN/2/nsubj says/say/VBZ/0/root Exit/exit/NN/2/ccomp", {"says obj Exit"}),
    (FILE_STEPS["requests"], "push/push/VB/0/root block/block/NN/1/obj and/and/CC/5/cc then/then/RB/5/advmod turn/turn/VB/1/conj left/left/JJ/5/xcomp", {"push nsubj:pass block", "turn compound:prt left", "push conj:request turn"}),
    (FILE_STEPS["requests"], "wait/wait/VB/0/root at/at/IN/3/case door/door/NN/1/obl:at", {"wait request:at door"}),
    # No change: a request to draw, a purpose clause.
    (FILE_STEPS["requests"], "draw/draw/VB/0/root cat/cat/NN/1/obj", set()),
    (FILE_STEPS["requests"], "man/man/NN/2/nsubj stops/stop/VBZ/0/root to/to/TO/4/mark eat/eat/VB/2/xcomp cake/cake/NN/4/obj", set()),
    (FILE_STEPS["adverbs"], "cat/cat/NN/0/root asleep/asleep/JJ/1/acl on/on/IN/4/case chair/chair/NN/2/obl:on", {"cat obl:on chair"}),
    (FILE_STEPS["adverbs"], "cup/cup/NN/2/nsubj lies/lie/VBZ/0/root upside/upside/RB/2/advmod down/down/RP/2/compound:prt", {"lies advmod:state upside", "upside compound:prt down"}),
    (form_comma_appositions, "dog/dog/NN/5/nsubj ,/,/,/3/punct Rex/Rex/NNP/1/conj ,/,/,/1/punct sleeps/sleep/VBZ/0/root", {"dog appos Rex"}),
    (form_comma_appositions, "actress/actress/NN/6/nsubj ,/,/,/3/punct Mary/Mary/NNP/1/conj Stone/Stone/NNP/3/flat ,/,/,/3/punct bows/bow/VBZ/0/root", {"actress appos Mary"}),
    (names.attach_given_names, "city/city/NN/0/root called/call/VBN/1/acl Bath/Bath/NNP/2/obj on/on/IN/5/case hills/hill/NNS/2/obl", {"city appos Bath", "city frame called", "city nmod hills"}),
    (names.attach_given_names, "label/label/NN/4/nsubj of/of/IN/3/case wines/wine/NNS/1/nmod named/name/VBD/0/root Otto/Otto/NNP/4/obj", {"root root label", "wines frame named", "wines appos Otto"}),
    (names.attach_given_names, "player/player/NN/0/root called/call/VBN/1/acl by/by/IN/4/case coaches/coach/NNS/2/obl", set()),
    (split_lists, "cup/cup/NN/0/root of/of/IN/3/case tea/tea/NN/1/nmod ,/,/,/6/punct soft/soft/JJ/6/amod light/light/NN/3/conj", {"cup list light"}),
    (split_lists, "cake/cake/NN/0/root with/with/IN/3/case cream/cream/NN/1/nmod and/and/CC/5/cc nuts/nut/NNS/3/conj ,/,/,/7/punct fork/fork/NN/3/conj", {"cake list fork"}),
    (split_lists, "horses/horse/NNS/0/root ,/,/,/4/punct one/one/CD/4/nummod brown/brown/JJ/1/conj", {"horses amod brown"}),
    (split_lists, "dog/dog/NN/0/root ,/,/,/3/punct cat/cat/NN/1/conj and/and/CC/5/cc cow/cow/NN/1/conj", set()),
    # No change: the noun after the comma has an article.
    (split_lists, "cups/cup/NNS/0/root with/with/IN/3/case lids/lid/NNS/1/nmod ,/,/,/6/punct a/a/DT/6/det spoon/spoon/NN/3/conj", set()),
    (attach_comma_phrases, "sinks/sink/NNS/2/nsubj shiny/shiny/JJ/0/root ,/,/,/5/punct with/with/IN/5/case taps/tap/NNS/2/obl", {"sinks nmod taps"}),
    (attach_comma_phrases, "fox/fox/NN/0/root reading/read/VBG/1/acl ,/,/,/5/punct in/in/IN/5/case style/style/NN/2/obl", {"fox nmod style"}),
    (attach_comma_phrases, "fox/fox/NN/0/root reading/read/VBG/1/acl ,/,/,/5/punct in/in/IN/5/case bed/bed/NN/2/obl", set()),
    (attach_comma_phrases, "chef/chef/NN/0/root plating/plate/VBG/1/acl fish/fish/NN/2/obj ,/,/,/5/punct steam/steam/NN/2/obj rising/rise/VBG/1/acl", {"steam acl rising", "chef list steam"}),
    (form_with_phrases, "map/map/NN/4/nsubj with/with/IN/3/case France/France/NNP/1/nmod highlighted/highlight/VBN/0/root", {"root root map", "France acl highlighted"}),
    (form_with_phrases, "dog/dog/NN/4/nsubj with/with/IN/3/case scarf/scarf/NN/1/nmod tied/tie/VBN/0/root around/around/IN/7/case its/it/PRP$/7/nmod:poss neck/neck/NN/4/obl", {"root root dog", "scarf acl tied"}),
    (form_with_phrases, "woman/woman/NN/2/nsubj sits/sit/VBZ/0/root on/on/IN/4/case street/street/NN/2/obl with/with/IN/6/case camera/camera/NN/2/obl on/on/IN/8/case stand/stand/NN/2/obl", {"camera nmod stand"}),
    (form_with_phrases, "girls/girl/NNS/2/nsubj play/play/VBP/0/root with/with/IN/4/case ball/ball/NN/2/obl in/in/IN/6/case air/air/NN/2/obl", {"ball nmod air"}),
    # No change: the girls play on the beach.
    (form_with_phrases, "girls/girl/NNS/2/nsubj play/play/VBP/0/root with/with/IN/4/case ball/ball/NN/2/obl on/on/IN/6/case beach/beach/NN/2/obl", set()),
    # No change: the participle describes the man rather than the dogs.
    (form_with_phrases, "man/man/NN/4/nsubj with/with/IN/3/case dogs/dog/NNS/1/nmod dressed/dress/VBN/0/root", set()),
    (form_with_phrases, "machine/machine/NN/0/root with/with/IN/3/case dials/dial/NNS/1/nmod pointing/point/VBG/1/acl", {"dials acl pointing"}),
    (form_with_phrases, "with/with/IN/2/case hoods/hood/NNS/5/obl open/open/JJ/5/advcl cars/car/NNS/5/nsubj stand/stand/VBP/0/root", {"hoods acl open"}),
    (form_with_phrases, "with/with/IN/2/case arms/arm/NNS/3/nsubj raised/raise/VBN/5/advcl men/man/NNS/5/nsubj shout/shout/VBP/0/root", {"raised mark with"}),
    (form_with_phrases, "with/with/IN/3/mark smoke/smoke/NN/5/nsubj rising/rise/VBG/2/acl men/man/NNS/5/nsubj walk/walk/VBP/0/root", {"walk obl smoke", "smoke case with"}),
    # No change: the man smiles, not the dogs.
    (form_with_phrases, "man/man/NN/2/nsubj walks/walk/VBZ/0/root with/with/IN/4/case dogs/dog/NNS/2/obl smiling/smile/VBG/2/advcl", set()),
    (FILE_STEPS["places of the whole"], "pot/pot/NN/0/root from/from/IN/3/case villas/villa/NNS/1/nmod:from near/near/IN/5/case lakes/lake/NNS/3/nmod:near", set()),
    (antecedents.resolve_clear_pronouns, "boy/boy/NN/0/dep likes/like/VBZ/0/root so/so/RB/5/advmod he/he/PRP/5/nsubj eats/eat/VBZ/2/conj", {"eats nsubj boy"}),
    # No change: "it" refers to the weather.
    (antecedents.resolve_clear_pronouns, "boys/boy/NNS/2/nsubj wait/wait/VBP/0/root at/at/IN/4/case door/door/NN/2/obl while/while/IN/7/mark it/it/PRP/7/nsubj rains/rain/VBZ/2/advcl", set()),
    (antecedents.resolve_clear_pronouns, "scribe/scribe/NN/0/root with/with/IN/4/case his/he/PRP$/4/nmod:poss wife/wife/NN/1/nmod:with/6/nsubj:acl sons/son/NNS/4/conj/6/nsubj:acl seated/seat/VBN/4/acl", {"wife nmod:poss scribe"}),
    (form_with_phrases, "king/king/NN/2/nsubj sits/sit/VBZ/0/root with/with/IN/4/case donors/donor/NNS/2/obl kneeling/kneel/VBG/2/advcl", set()),
    (attach_comma_phrases, "satyr/satyr/NN/5/nsubj and/and/CC/4/cc his/he/PRP$/4/nmod:poss dog/dog/NN/1/conj ran/run/VBD/0/root", set()),
    (promote_counted_nouns, "the/the/DT/3/det less/less/RBR/3/advmod crowded/crowded/NN/0/root of/of/IN/5/case beaches/beach/NNS/3/nmod:of", {"root root beaches", "beaches det:group the", "the fixed crowded", "the fixed of"}),
    # No change: a comparative selects members only after a determiner.
    (promote_counted_nouns, "taller/taller/JJR/0/root of/of/IN/3/case men/man/NNS/1/nmod:of", set()),
    (phrases.share_coordinated_roles, "cups/cup/NNS/0/root of/of/IN/3/case teas/tea/NNS/1/nmod:of and/and/CC/5/cc books/book/NNS/1/conj on/on/IN/7/case tables/table/NNS/5/nmod:on", {"cups nmod:on tables"}),
    (phrases.share_coordinated_roles, "cups/cup/NNS/0/root in/in/IN/3/case sinks/sink/NNS/1/nmod:in and/and/CC/5/cc books/book/NNS/1/conj on/on/IN/7/case tables/table/NNS/5/nmod:on", set()),
    (FILE_STEPS["places of the whole"], "photo/photo/NN/0/root of/of/IN/3/case dishes/dish/NNS/1/nmod:of in/in/IN/5/case sinks/sink/NNS/3/nmod:in", set()),
    (antecedents.resolve_clear_pronouns, "girls/girl/NNS/2/nsubj play/play/VBP/0/root games/game/NN/2/obl and/and/CC/6/cc one/one/CD/1/member films/film/VBZ/2/conj girls/girl/NNS/6/nsubj them/they/PRP/6/obj", {"films obj girls"}),
    (attach_comma_phrases, "hands/hand/NNS/4/nsubj covered/cover/VBN/1/acl bakers/baker/NNS/4/nsubj smile/smile/VBP/0/root", set()),
    (split_lists, "model/model/NN/0/root sitting/sit/VBG/1/acl in/in/IN/4/case dress/dress/NN/2/obl ,/,/,/6/punct heels/heel/NNS/4/conj and/and/CC/8/cc holding/hold/VBG/2/conj umbrellas/umbrella/NNS/8/obj", {"model list heels"}),
    (split_lists, "foxes/fox/NNS/2/nsubj run/run/VBP/0/root ,/,/,/4/punct dogs/dog/NNS/2/parataxis", set()),
    # No change: a list with a final "and" is already coordinated.
    (form_comma_appositions, "dog/dog/NN/0/root ,/,/,/3/punct cat/cat/NN/1/conj ,/,/,/6/punct and/and/CC/6/cc cow/cow/NN/1/conj", set()),
])  # fmt: skip
def test_a_step_adds_these_edges(step, tree, added_edges_):
    assert added_edges(step, tree) == added_edges_


def test_a_chain_of_a_thousand_nouns_may_stand_between_commas():
    cats = " ".join(f"cat/cat/NN/{i - 1}/nmod" for i in range(4, 1200))
    tree = f"dog/dog/NN/0/root ,/,/,/1/punct cow/cow/NN/1/nmod {cats} ,/,/,/1/punct"
    assert added_edges(form_comma_appositions, tree) == {"dog appos cow"}


# Each row has a tree, the edges added by the negation step, and some removed ones.
@pytest.mark.parametrize(("tree", "added_edges_", "lost_edges"), [
    # The street keeps its relation to "are", so that it is still an object.
    ("There/there/EX/2/expl are/be/VBP/0/root no/no/DT/4/det cars/car/NNS/2/nsubj on/on/IN/6/case streets/street/NNS/2/obl:on", {"are denied cars"}, {"are nsubj cars"}),
    ("man/man/NN/0/root without/without/IN/3/case shirts/shirt/NNS/1/nmod:without", {"man denied shirts"}, {"man nmod:without shirts"}),
    # A person after "and" and a thing is not denied.
    ("girls/girl/NNS/0/root without/without/IN/3/case tops/top/NNS/1/nmod:without and/and/CC/5/cc women/woman/NNS/3/conj", {"girls denied tops"}, {"girls nmod:without tops"}),
    ("man/man/NN/4/nsubj is/be/VBZ/4/aux not/not/RB/4/advmod wearing/wear/VBG/0/root helmets/helmet/NNS/4/obj", {"wearing denied helmets"}, {"wearing nsubj man", "wearing obj helmets"}),
    ("boys/boy/NNS/3/nsubj Neither/neither/DT/1/det:none smiles/smile/VBZ/0/root", set(), {"smiles nsubj boys"}),
    ("no/no/DT/2/det clouds/cloud/NNS/0/root but/but/CC/4/cc smoke/smoke/NN/2/conj", {"no denied clouds"}, set()),
    ("a/a/DT/4/det no/no/DT/4/det parking/parking/NN/4/compound sign/sign/NN/0/root", set(), set()),
    ("not/not/RB/3/advmod only/only/RB/3/advmod sits/sit/VBZ/0/root dogs/dog/NNS/3/nsubj", set(), set()),
])  # fmt: skip
def test_negated_things_and_actions_lose_their_relations(tree, added_edges_, lost_edges):
    assert added_edges(remove_negated_words, tree) == added_edges_ and lost_edges <= removed_edges(remove_negated_words, tree)


def test_people_and_animals_share_belongings():
    assert ownership_share("grandmother", "hat") == ownership_share("man", "hat") > ownership_share("horse", "hat")
    assert ownership_share("goat", "tail") > ownership_share("man", "tail") and ownership_share("dog", "zyzzyva") == 0.0


def test_basic_trees_give_the_reference_programs_enhanced_graphs_step_by_step():
    """At most three graphs differ from the original SPICE's, because of nested conjuncts and "inside of"."""
    with open(DATA / "propositions.conllu", encoding="utf-8") as lines:
        sentences = [s for d in read(lines) for s in d.sentences]
    differing_count = 0
    for s in sentences:
        differing_count += set(enhancement.ENHANCEMENT.trace(replace(s, enhanced=None))[2][1]) != set(s.enhanced)
    assert differing_count <= 3, f"{differing_count} of {len(sentences)}"
    graph = read_tree("a/a/DT/2/det lot/lot/NN/0/root of/of/IN/4/case men/man/NNS/2/nmod")
    sentence = Sentence(graph.tokens, graph.edges)
    trace = enhancement.ENHANCEMENT.trace(sentence)
    assert [step.name for step, _ in trace] == ["multiword prepositions", "prepositions in labels", "conjuncts", "quantifiers", "pronouns"]
    assert Dependency(4, 1, "det:qmod") in trace[3][1] and Dependency(4, 1, "det:qmod") not in trace[2][1]
