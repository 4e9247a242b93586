"""Alternative readings of a word: its tag, its lemma and the resulting edges."""

import pytest

from spice_core.lang.en.readings.words import word_readings
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.document import Sentence

# For each case: a tree, and each other reading, given by the words that differ, as word/lemma/tag/head/relation.
EXPECTED_READINGS = {
    "participle of a seen man": ("men/man/NNS/3/nsubj:pass are/be/VBP/3/aux:pass seen/see/VBN/0/root loading/loading/JJ/5/amod boxes/box/NNS/3/obj", ["loading/load/VBG/3/xcomp boxes/box/NNS/4/obj", "loading/load/VBG/3/advcl boxes/box/NNS/4/obj"]),
    "participle behind its noun": ("A/a/DT/4/det man/man/NN/4/compound riding/riding/NN/4/compound waves/wave/NNS/0/root",
     ["A/a/DT/2/det man/man/NN/0/root riding/ride/VBG/2/acl waves/wave/NNS/3/obj",
      "A/a/DT/3/det man/man/NN/3/compound riding/riding/NN/4/nsubj waves/wave/VBZ/0/root"]),
    "modifier behind an article": ("the/the/DT/3/det loading/loading/NN/3/compound dock/dock/NN/0/root", []),
    "finite verb": ("A/a/DT/3/det boy/boy/NN/3/compound jumps/jump/NNS/0/root", ["A/a/DT/2/det boy/boy/NN/3/nsubj jumps/jump/VBZ/0/root"]),
    "plural of a name": ("street/street/NN/2/compound signs/sign/NNS/0/root", []),
    "modifier of luggage": ("man/man/NN/0/root with/with/IN/3/mark rolling/roll/VBG/1/acl luggage/luggage/NN/3/obj", ["with/with/IN/4/case rolling/rolling/JJ/4/amod luggage/luggage/NN/1/nmod"]),
    "past participle": ("A/a/DT/2/det man/man/NN/3/nsubj dressed/dress/VBD/0/root up/up/RP/3/compound:prt", ["man/man/NN/0/root dressed/dress/VBN/2/acl"]),
    "noun at the end of a subject": ("A/a/DT/2/det view/view/NN/6/nsubj of/of/IN/5/case a/a/DT/5/det hotdog/hotdog/NN/2/nmod stand/stand/VBP/0/root", ["view/view/NN/0/root of/of/IN/6/case a/a/DT/6/det hotdog/hotdog/NN/6/compound stand/stand/NN/2/nmod"]),
    "verb that agrees is no noun": ("A/a/DT/2/det cat/cat/NN/3/nsubj prepares/prepare/VBZ/0/root", []),
    "main verb behind a phrase": ("A/a/DT/2/det goalie/goalie/NN/0/root in/in/IN/5/case white/white/JJ/5/amod runs/run/NNS/2/nmod", ["goalie/goalie/NN/5/nsubj in/in/IN/4/case white/white/NN/2/nmod runs/run/VBZ/0/root"]),
    "participle behind a phrase": ("man/man/NN/0/root in/in/IN/5/case a/a/DT/5/det shirt/shirt/NN/5/compound cooking/cooking/NN/1/nmod",
     ["in/in/IN/4/case a/a/DT/4/det shirt/shirt/NN/1/nmod cooking/cook/VBG/1/acl",
      "in/in/IN/4/case a/a/DT/4/det shirt/shirt/NN/1/nmod cooking/cook/VBG/4/acl"]),
    "street lined by people": ("on/on/IN/2/case people/people/NNS/0/root lined/line/VBN/2/acl street/street/NN/3/obj",
     ["people/people/NNS/3/nsubj lined/line/VBD/0/root",
      "on/on/IN/4/case people/people/NNS/3/compound lined/line/VBN/4/amod street/street/NN/0/root"]),
    "kids in costumes":
     ("kids/kid/NNS/2/nsubj dressed/dress/VBN/0/root as/as/IN/5/mark pirates/pirate/NNS/5/nsubj bury/bury/VBP/2/advcl gold/gold/NN/5/obj",
     ["kids/kid/NNS/5/nsubj dressed/dress/VBN/1/acl as/as/IN/4/case pirates/pirate/NNS/2/obl bury/bury/VBP/0/root"]),
    "truck painted blue": ("man/man/NN/5/nsubj loading/load/VBG/1/acl into/into/IN/4/case truck/truck/NN/2/obl painted/paint/VBD/0/root blue/blue/JJ/5/xcomp",
     ["man/man/NN/0/root painted/paint/VBN/1/acl", "man/man/NN/0/root painted/paint/VBN/4/acl", "blue/blue/JJ/5/advcl"]),
    "bench in a surrounded garden": ("Bench/bench/NN/4/nsubj in/in/IN/3/case garden/garden/NN/1/nmod surrounded/surround/VBN/0/root by/by/IN/6/case vines/vine/NNS/4/obl",
     ["Bench/bench/NN/0/root surrounded/surround/VBN/3/acl"]),
    "passive": ("Bench/bench/NN/5/nsubj:pass in/in/IN/3/case garden/garden/NN/1/nmod is/be/VBZ/5/aux:pass painted/paint/VBN/0/root", []),
    "subject of a clause": ("crowd/crowd/NN/2/nsubj waits/wait/VBZ/0/root as/as/IN/5/mark man/man/NN/2/obl sings/sing/VBZ/2/advcl", ["man/man/NN/2/obj", "man/man/NN/5/nsubj"]),
    "one who gets bread": ("feeding/feed/VBG/0/root ducks/duck/NNS/3/compound bread/bread/NN/1/obj", ["ducks/duck/NNS/3/nsubj bread/bread/VBP/1/obj", "ducks/duck/NNS/1/iobj"]),
    "state": ("falls/fall/VBZ/0/root asleep/asleep/JJ/1/advmod", ["asleep/asleep/JJ/1/xcomp"]),
    "place that people know": ("place/place/NN/0/root they/they/PRP/3/nsubj know/know/VBP/1/parataxis", ["know/know/VBP/1/acl:relcl"]),
    "owner": ("out/out/IN/2/case it/it/PRP/4/nmod:poss 's/'s/VBZ/4/cop center/center/NN/0/root", ["out/out/IN/4/case 's/'s/POS/2/case"]),
    "adjective": ("A/a/DT/3/det red/red/JJ/3/amod car/car/NN/0/root", []),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED_READINGS)
def test_a_tree_has_these_readings(name):
    tree, expected_edges = EXPECTED_READINGS[name]
    graph = read_tree(tree)
    text_before = sentence_text(Sentence(graph.tokens, graph.edges))
    readings = [
        " ".join(row for row in sentence_text(reading) if row not in text_before)
        for reading in word_readings(Sentence(graph.tokens, graph.edges))
    ]
    assert readings == expected_edges


def sentence_text(sentence: Sentence) -> list[str]:
    return [f"{t.text}/{t.lemma}/{t.tag}/{e.head}/{e.relation}" for t, e in zip(sentence.tokens, sentence.basic, strict=True)]
