"""Test matching by meaning: examples and near misses of all rules, direction, contradictions, bounds, and scores."""

import json
import math
import pickle
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from spice_core import Spice
from spice_core.errors import MissingResourceError, UnknownNameError
from spice_core.evaluation.corpus import RunningMeans
from spice_core.inference.premises import PremiseIndex
from spice_core.inference.prover import MAX_PROOF_STEPS, Proof
from spice_core.inference.rules import InferenceRule, InferenceRules, inference_rules, parse_inference_rules
from spice_core.inference.verdicts import CREDITS
from spice_core.lang import language
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.soft import Soft
from spice_core.scene.matching import MatchState
from spice_core.scene.salience import DETAIL_WEIGHT
from spice_core.scene.synonyms import NoSynonyms
from tests.conftest import GOLD, rows

LANGUAGE_RULES = [(lang, rule) for lang in ("en", "ja") for rule in inference_rules(language(lang).inference_rules).rules]


@pytest.fixture(scope="module")
def spice() -> Spice:
    return Spice(scheme="entailed")


@pytest.fixture(scope="module")
def spice_by_language(spice: Spice) -> dict[str, Spice]:
    return {"en": spice, "ja": Spice("ja", scheme="entailed")}


def rule_names(proof: Proof) -> Iterator[str]:
    yield proof.rule
    for premise in proof.premises:
        yield from rule_names(premise)


def judge_fact(spice: Spice, caption: str, fact: str) -> SpiceResult:
    return spice.compute(fact, [caption])


@pytest.mark.parametrize(("lang", "rule"), LANGUAGE_RULES, ids=[f"{lang}-{rule.name}" for lang, rule in LANGUAGE_RULES])
def test_the_example_of_a_rule_follows_by_it_and_its_near_miss_does_not(
    spice_by_language: dict[str, Spice], lang: str, rule: InferenceRule
):
    spice = spice_by_language[lang]
    caption, fact = rule.example
    result = judge_fact(spice, caption, fact)
    rules_used = {name for judgement in result.verdicts.entailments for name in rule_names(judgement.proof)}
    assert result.precision == 1 and rule.name in rules_used, (result.extra, rules_used)
    assert judge_fact(spice, *rule.near_miss).precision < 1


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_slot_excludes_a_verb_that_another_entails(lang: str):
    rules = inference_rules(language(lang).inference_rules)
    properties = {prop for values_of in rules.slots.values() for pairs in values_of.values() for prop, _ in pairs}
    pairs = ((a, b) for prop in properties for value in prop for other in prop if other is not value for a in value for b in other)
    assert not [(a, b) for a, b in pairs if a in rules.entailing_verbs.get(b, ())]


def test_every_rule_has_a_reason_and_a_kind():
    names = [rule.name for _, rule in LANGUAGE_RULES]
    assert len(names) == len(set(names)) and all(rule.reason.endswith((".", "。")) and rule.kind.islower() for _, rule in LANGUAGE_RULES)


@pytest.mark.parametrize(
    ("caption", "fact", "entailed"),
    [
        ("A puppy sleeps on a couch.", "A dog sleeps on a sofa.", True),
        ("A dog sleeps on a sofa.", "A puppy sleeps on a couch.", False),  # A broader word does not entail a narrower one.
        ("The sign is to the left of the door.", "The door is to the right of the sign.", True),
        ("The sign is to the left of the door.", "The door is to the left of the sign.", False),
        ("A cup on a table in a kitchen.", "There is a cup in the kitchen.", True),
        ("A cup on a poster in a kitchen.", "There is a cup in the kitchen.", False),
        ("A red-and-white shirt.", "The shirt is red.", True),
        ("Three dogs.", "Several dogs.", True),
        ("A boy runs.", "A kid runs.", True),
        ("A kid runs.", "A boy runs.", False),
        ("A cow in a field.", "An animal in a field.", True),
        ("A bat.", "An animal.", False),  # Captions mean the bat of baseball.
        ("A man rides a bus.", "A person rides a vehicle.", True),
        ("Bananas on a plate.", "Fruits on a plate.", True),
        ("A boy plays a guitar.", "A child plays an instrument.", True),
        ("A woman slices a cake.", "A woman cuts a cake.", True),
        ("A woman cuts a cake.", "A woman slices a cake.", False),
        ("A man seated on a bench.", "A man sits on a bench.", True),
        ("A skateboarder on a ramp.", "A person rides a skateboard.", True),
        ("Two dogs swimming.", "Two dogs in water.", True),
        ("Several dogs.", "Three dogs.", False),
        ("There is a ruler in the man's hand.", "The man holds a ruler.", True),
        ("A house on a hill.", "The hill has a house.", False),
        ("A cat on a car.", "A cat sits on a car.", False),
        ("A girl in a park.", "A woman in a park.", False),
        ("A black dog bites a white dog.", "A black-and-white dog.", False),
        ("A large pile of old books.", "The books are old.", True),
        ("A large pile of old books.", "The books are large.", False),  # The size of a group does not apply to its members.
        ("A sink surrounded by glasses.", "A glass is on the sink.", False),
        ("A small-sized kitchen.", "The kitchen is sized.", False),
        ("A truck with a car.", "The truck displays a car.", False),
        ("A bike near a tent.", "A tent is next to a bike.", False),
        ("A textured wall.", "The wall is textured.", True),  # The tags of "textured" are JJ and VBN.
        # The thing that was mentioned last before the handle is its owner.
        ("A knife and an umbrella on a table. The handle is red.", "The umbrella has a handle.", True),
        ("A knife and an umbrella on a table. The handle is red.", "The knife has a handle.", False),
        (
            "A fountain near a mountain.",
            "A fountian is near a montain.",
            True,
        ),  # An unknown word that differs from a known one in one letter or in the order of two letters is misspelt.
        ("A cat near a house.", "A cat is near a mouse.", False),  # "House" and "mouse" are both in the dictionary.
        ("A cream-colored vase.", "The vase is cream-colord.", True),
        ("A rug with a paisley pattern.", "The pattern is a paisley.", True),  # The fact states an attribute as an object.
        ("A long slate-blue ledge.", "The ledge is long slate-blue.", True),
        ("A dog house.", "A dog is near a house.", False),
        ("Two of the kites are red.", "One of the kites is red.", True),
        ("A red kite.", "One of the kites is red.", False),
        ("The only toys on the rug are a drum and a kite.", "The toys include a drum.", True),
        ("A boy whose hand grips a rope.", "The boy holds a rope.", True),
        ("A boy with a dog that wears a hat.", "The boy wears a hat.", False),
        ("A tower built from bricks.", "The tower is made of bricks.", True),
        ("A tower next to bricks.", "The tower is made of bricks.", False),
        ("A trio of frogs sits on a log.", "The frogs sit on a log.", True),
        ("A hand is seen in the picture.", "The picture captures a hand.", True),
        ("A hand is seen in the picture.", "The hand captures a phone.", False),
        ("A statue dressed in grey.", "A person.", False),
        ("A sign written in Italian.", "A person.", False),
        ("A rock wall.", "A structure.", False),
        ("A barn.", "A structure.", True),
        ("A pier in the water.", "The surface of the water.", False),
        ("Two children race while another boy watches.", "There are three children.", True),
        ("A man stands. The man eats.", "Two men.", False),
        ("Dogs and a cat.", "Three animals.", False),
        ("A person sits on a bench as people walk.", "People sit on a bench.", False),  # The caption mentions a person and people.
    ],
)
def test_facts_are_entailed_or_not(spice: Spice, caption: str, fact: str, entailed: bool):
    assert (judge_fact(spice, caption, fact).precision == 1) is entailed


@pytest.mark.parametrize(
    ("candidate", "reference", "kind", "pair"),
    [
        ("A red car.", "A blue car.", "exclusive", (("car", "red"), ("car", "blue"))),
        ("A cat under a bed.", "A cat above a bed.", "exclusive", (("cat", "under", "bed"), ("cat", "above", "bed"))),
        ("A dog chases a cat.", "A cat chases a dog.", "exchanged", (("dog", "chase", "cat"), ("cat", "chase", "dog"))),
        ("Two dogs.", "Three dogs.", "exclusive", (("dog", "two"), ("dog", "three"))),
        (
            "A group of people are dancing.",
            "There is no group of people dancing.",
            "negated",
            (("people", "dance"), ("people", "¬dance")),
        ),
        ("A man who is not gesturing.", "A man gestures.", "negated", (("man", "¬gesture"), ("man", "gesture"))),
        ("A man without a hat.", "A man wearing a hat.", "negated", (("man", "¬with", "hat"), ("man", "wear", "hat"))),
        (
            "Nobody sits on the bench.",
            "A woman sits on a bench.",
            "negated",
            (("person", "¬sit on", "bench"), ("woman", "sit on", "bench")),
        ),
        ("A man in a blue hat does not sing.", "A man in a red coat sings.", "", None),  # These may be two men.
        ("A man without a hat.", "A man without a hat.", "", None),
        ("A man without a hat.", "A man with a red car.", "", None),
        # The same participant does something else, is elsewhere, or does it to something else.
        ("A man is sleeping.", "A man runs.", "exclusive", (("man", "sleep"), ("man", "run"))),
        ("A person stands.", "A man sits on a bench.", "exclusive", (("person", "stand"), ("man", "sit on", "bench"))),
        ("A woman in a kitchen.", "A woman walks on a beach.", "exclusive", (("woman", "in", "kitchen"), ("woman", "walk on", "beach"))),
        ("A boy rides a horse.", "A boy rides a bike.", "exclusive", (("boy", "ride", "horse"), ("boy", "ride", "bike"))),
        ("A man sits and reads.", "A man sits.", "", None),
        ("The other man stands.", "A man sits.", "", None),
        ("A man sits.", "A man stands next to a man who sits.", "", None),
        ("A man sits.", "A man stands and a woman sits.", "exclusive", (("man", "sit"), ("man", "stand"))),
        ("A man on a chair.", "A man on a bench.", "", None),
        ("A girl naps.", "A girl plays tennis.", "exclusive", (("girl", "nap"), ("girl", "play", "tennis"))),
        ("A boy plays soccer.", "A boy sits in a room.", "exclusive", (("boy", "play", "soccer"), ("boy", "sit in", "room"))),
        ("A man takes a photo.", "A man reads a book.", "exclusive", (("man", "take", "photo"), ("man", "read", "book"))),
        ("A dog is indoors.", "A dog runs through a field.", "exclusive", (("dog", "indoors"), ("dog", "run through", "field"))),
        (
            "A woman in a bathroom.",
            "A woman walks by a building.",
            "exclusive",
            (("woman", "in", "bathroom"), ("woman", "walk by", "building")),
        ),
        ("A person rides a horse.", "A motorcyclist jumps.", "exclusive", (("person", "ride", "horse"), ("motorcyclist",))),
        ("A girl plays in the sand.", "A girl in a child's pool.", "exclusive", (("girl", "play in", "sand"), ("girl", "in", "pool"))),
        ("A man in blue shorts.", "A man in red shorts.", "exclusive", (("shorts", "blue"), ("shorts", "red"))),  # Shorts are one thing.
        ("A man sleeps.", "A musician plays the guitar.", "exclusive", (("man", "sleep"), ("musician", "play", "guitar"))),
        ("A man sleeps.", "A woman plays the guitar.", "", None),
        ("A man plays the flute.", "A musician plays the flute with no one listening.", "", None),
        ("A man sits at a table.", "A man reads a menu.", "", None),
        ("A man surfs.", "A man rides a wave.", "", None),
        ("A woman stands in a kitchen.", "A woman cooks.", "", None),
        ("A person on skis stands.", "A person skis.", "", None),
        ("A hydrant sits on a street.", "A hydrant stands on a street.", "", None),  # Things have no posture.
        (
            "A bicycle stands next to a bed.",
            "A bike rests against a bed.",
            "",
            None,
        ),  # Here, "bike" is a noun, not an activity that excludes standing.
        ("A cat sits on a bench.", "A cat looks at the ground.", "", None),
        ("People fly kites.", "People sit on a hill.", "", None),
        ("A man kneels.", "People stand on a mountain.", "", None),  # The man may be one of the people.
        ("A man rides a bike.", "A man jumps over a rock.", "", None),
        ("Two dogs run.", "Two dogs leap over a wall.", "", None),
        ("A wave rides a surfer.", "A surfer rides a wave.", "exchanged", (("wave", "ride", "surfer"), ("surfer", "ride", "wave"))),
        (
            "A board carries a man on a beach.",
            "A man carries a board on a beach.",
            "exchanged",
            (("board", "carry", "man"), ("man", "carry", "board")),
        ),
        ("A red ball.", "An orange ball.", "", None),  # People call the same hydrant red or orange.
        # Another participant in the same event.
        ("A dog swings a bat.", "A man swings a bat.", "exclusive", (("dog", "swing"), ("man", "swing"))),
        ("A woman swings a bat.", "A man swings a bat.", "exclusive", (("woman", "swing"), ("man", "swing"))),
        ("A woman swings a bat.", "A man swings a bat at a woman.", "", None),
        ("A person swings a bat.", "A man swings a bat.", "", None),
        ("A large car.", "A blue car.", "", None),
        ("A red and blue car.", "A blue car.", "", None),  # The red and blue car may be called blue.
        ("A dog next to a cat.", "A cat next to a dog.", "", None),
        ("A white dog next to a black puppy.", "A cat.", "", None),
        ("A man with his right hand up.", "A man with his left hand down.", "", None),
        ("A word above a word.", "A word under a word.", "", None),
        # The man and the horse jump over the same obstacle, but that does not prove that one is under the other.
        ("A man on a horse.", "A man jumps over an obstacle. A horse jumps over the obstacle.", "", None),
        # Colours contradict only if both things have equally many, differ in exactly one, and are not striped.
        ("A black train.", "A yellow and red train.", "", None),
        ("A yellow, white, and brown bus.", "An orange bus.", "", None),
        ("A white bus.", "A red striped bus.", "", None),
        ("A blue striped shirt.", "A white striped shirt.", "", None),
        ("A white and black cat.", "A white and brown cat.", "exclusive", (("cat", "black"), ("cat", "brown"))),
        ("A black toilet.", "A white toilet with a black seat.", "", None),  # The toilet may be called black because of its seat.
        ("A black toilet with a white seat.", "A white toilet with a black seat.", "exclusive", (("seat", "white"), ("seat", "black"))),
        ("A small kitchen.", "A large kitchen with small windows.", "exclusive", (("kitchen", "small"), ("kitchen", "large"))),
        ("A square plate.", "A rectangular plate.", "", None),
        # "Browned" is a verb.
        ("A white plate.", "A plate of food that appears to have been browned in butter.", "", None),
        # "Glasses" is a plural, so the word does not name a material.
        ("A wooden table.", "A table topped with a couple glasses of juice.", "", None),
        # The large deer need not be the small deer, because the first caption mentions two.
        ("A deer next to a small deer.", "A large deer.", "", None),
        # Some cars may be red and others blue.
        ("Red cars.", "Blue cars.", "", None),
        # The shirts of a woman and of a man are two shirts, but the person may be the man.
        ("A woman in a red shirt.", "A man in a blue shirt.", "", None),
        ("A person in a red shirt.", "A man in a blue shirt.", "exclusive", (("shirt", "red"), ("shirt", "blue"))),
        # Cats at a sill and at a door may be two cats, but a cat on a sill is also in a room.
        ("A black cat on a window sill.", "An orange cat by a door.", "", None),
        ("A black cat on a window sill.", "An orange cat in the room.", "exclusive", (("cat", "black"), ("cat", "orange"))),
        # The man may stand between two of the three zebras.
        ("A man between two zebras.", "Three zebras in a field.", "", None),
        # The parse is wrong: the mountains are behind the boat.
        ("A boat on some water and some mountains.", "A boat under a mountain.", "", None),
        # A building "with" trucks may have them outside.
        ("Trucks outside a building.", "A building with trucks.", "", None),
        (
            "A bag outside a bathroom.",
            "A bathroom contains a bag.",
            "exclusive",
            (("bag", "outside", "bathroom"), ("bathroom", "contain", "bag")),
        ),
        # The compound "shopping center sign" does not say where the sign is.
        ("A sign outside a shopping center.", "A shopping center sign.", "", None),
        # The parse is wrong.
        ("Elephants standing in a field.", "An open field with large elephants standing in it.", "", None),
    ],
)
def test_facts_are_contradicted_or_not(spice: Spice, candidate: str, reference: str, kind: str, pair: tuple | None):
    result = spice.compute(candidate, [reference])
    first_judgement = next((judgement for judgement in result.verdicts.contradictions if judgement.tuple_ in result.candidate_tuples), None)
    assert (first_judgement and (first_judgement.kind, (first_judgement.tuple_.words, first_judgement.conflicting_tuple.words))) == (
        pair and (kind, pair)
    )
    assert not first_judgement or (
        result.state(first_judgement.tuple_) is MatchState.CONTRADICTED and first_judgement.tuple_ in result.extra
    )


LEFT_CAPTIONS = ("The chair is to the left of the door.", "A chair is on the left side of a door.")
CONVERSE_CAPTIONS = ("The door is right of the chair.", "The door is to the right of the chair.")


@pytest.mark.parametrize("reference", (*LEFT_CAPTIONS, *CONVERSE_CAPTIONS))
def test_directions_match_their_paraphrases_and_contradict_their_opposites(spice: Spice, reference: str):
    same_caption = LEFT_CAPTIONS[:1] + CONVERSE_CAPTIONS if "side" not in reference else LEFT_CAPTIONS
    assert [spice.compute(paraphrase, [reference]).precision for paraphrase in same_caption] == [1] * len(same_caption)
    for opposite_caption in (
        "The chair is right of the door.",
        "The chair is to the right of the door.",
        "The door is to the left of the chair.",
    ):
        assert spice.compute(opposite_caption, [reference]).verdicts.contradictions, opposite_caption


def test_each_side_is_counted_separately(spice: Spice):
    result = spice.compute("A puppy.", ["A dog.", "A cat."])
    # "Puppy" entails "dog", but no reference entails "puppy", so it counts by its credit. A cat is also an animal. One reference is covered.
    credits = [result.credit(tuple_) for tuple_ in (*result.candidate_tuples, *result.reference_tuples)]
    assert credits == [CREDITS[MatchState.NARROWER]["c"], CREDITS[MatchState.SAME_KIND]["r"], 1]
    assert result.precision == 0.25 and result.recall == pytest.approx((1.1 / 2 + 1) / 2)
    assert result.scores["Object"].covered == pytest.approx(1.55) and [t.words for t in result.extra] == [("puppy",)]
    detail = result.tuple_as_json(next(judgement.tuple_ for judgement in result.verdicts.entailments))
    assert detail["state"] == "entailed" and detail["steps"] == {
        "words": ["dog"],
        "rule": "narrower",
        "from": [{"words": ["puppy"]}, {"words": ["puppy › dog"]}],
    }
    means = RunningMeans()
    means.add(result.scores)
    assert means.means()["All"].recall == result.recall


def test_details_count_by_half(spice: Spice):
    # Details are the sign's colour, the relation without a verb, and the action that only "ride" states.
    result = spice.compute("A young man with a red sign rides a horse.", ["A man."])
    weights = {tuple_.words: result.weight(tuple_) for tuple_ in result.candidate_tuples}
    details = {("man", "ride"), ("man", "with", "sign"), ("sign", "red")}
    assert {words for words, weight in weights.items() if weight == DETAIL_WEIGHT} == details and result.precision == 1 / 6.5
    rows = [["man"], ["sign", "red"], ["man", "with", "sign"]]
    given_result = spice.compute(rows, [rows])
    assert given_result.f1 == 1 and {given_result.weight(tuple_) for tuple_ in given_result.candidate_tuples} == {1.0}


def test_nothing_is_judged_without_the_scheme():
    plain_result = Spice().compute("A puppy.", ["A dog."])
    assert not plain_result.verdicts.is_judged and plain_result.scores["All"].covered is None and plain_result.extra and plain_result.missed


def test_results_survive_pickling(spice: Spice):
    result = pickle.loads(pickle.dumps(spice.compute("A puppy on a car.", ["A dog on a red car."])))
    assert [str(result.state(tuple_)) for tuple_ in result.reference_tuples] == ["exact", "missing", "entailed", "entailed"]


def test_no_order_of_tuples_or_references_changes_a_verdict(spice: Spice):
    captions = [row["caption"] for row in rows(GOLD / "gold_en.jsonl")][:120]
    parses = list(spice.parse(captions))
    rng = random.Random(3)
    for start in range(0, len(parses) - 4, 4):
        candidate, *references = parses[start : start + 4]
        first_result = spice.compare(candidate, references)
        rng.shuffle(references)
        assert spice.compare(candidate, references).scores == first_result.scores


def test_the_index_of_premises_hides_no_proof(spice: Spice, monkeypatch: pytest.MonkeyPatch):
    captions = [row["caption"] for row in rows(GOLD / "gold_en.jsonl")][:60]
    parses = list(spice.parse(captions))
    pairs = list(pairwise(parses))
    expected_verdicts = [spice.compare(a, [b]).verdicts for a, b in pairs]
    names = frozenset(rule.name for rule in inference_rules(language("en").inference_rules).rules)
    monkeypatch.setattr(PremiseIndex, "applicable_rules", lambda self, tuples: names)
    assert [spice.compare(a, [b]).verdicts for a, b in pairs] == expected_verdicts


def test_proofs_have_few_steps_and_a_long_caption_is_bounded(spice: Spice):
    words = "A man in a red hat stands on a bench near a house with a dog that holds a ball in a park by a lake. "
    # Each caption has 364 words.
    candidate, reference = spice.parse([words.replace("man", "boy") * 14, words.replace("dog", "cat") * 14])
    start_time = time.process_time()
    result = spice.compare(candidate, [reference])
    # This bound detects an endless search; it does not measure speed.
    assert time.process_time() - start_time < 20
    assert all(judgement.proof.cost <= MAX_PROOF_STEPS + 1 for judgement in result.verdicts.entailments)


def test_the_metric_is_the_score_under_the_scheme(spice: Spice):
    item = ("A puppy on a couch.", ("A dog sits on a sofa.",))
    assert segment_scores([item], ["entailed", "SPICE"])["entailed"] == [spice.compute(*item).f1]
    assert json.dumps(segment_scores([item], ["soft"], spice=spice)) != json.dumps(segment_scores([item], ["soft"]))


def test_soft_matching_takes_verdicts_as_evidence(spice: Spice):
    soft = Soft(spice)
    # With a single reference, a tuple that is equal or entailed has full credit.
    assert soft.compute("A dog in a car.", ["A puppy in a car."]).precision == 1
    contradicted = soft.compute("A red car.", ["A blue car."])
    assert contradicted.precision == 0.5 and contradicted.alignment.similarities.max() > 0.5
    several = soft.compute("A dog in a car.", ["A puppy in a car.", "A car in a park."])
    credit = dict(zip((tuple_.words for tuple_ in several.alignment.candidates), several.alignment.known_credits[0].tolist()))
    assert credit[("dog",)] == 1 and math.isnan(credit[("car",)])
    plain = (several.precision + several.recall + 2 * several.caption) / 4
    assert several.plus == pytest.approx((5 * plain + several.result.f1) / 6)


def test_numbers_that_no_rule_file_puts_in_order_are_not_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(InferenceRules, "values_of", property(lambda rules: {}))
    result = Spice(scheme="entailed").compute("Two people sit.", ["A man and a woman sit."])
    assert next(t for t in result.candidate_tuples if t.words == ("people", "two")) in result.extra


def test_missing_inference_rules_are_reported():
    with pytest.raises(UnknownNameError, match="entailed"):
        Spice(scheme="entails")
    with pytest.raises(MissingResourceError, match="inference rules"):
        replace(language("ja"), inference_rules=None).inference(NoSynonyms())


def test_a_rule_file_is_read_with_classes_variables_and_conditions():
    rules = parse_inference_rules(
        """exclusive = ["red | blue"]
        [classes]
        place = "in, next to"
        [[rule]]
        name = "there"
        kind = "place"
        reason = "So."
        given = ["X, V? P, Y"]
        yields = ["Y, near, X"]
        where = { P = "place" }
        """
    )
    (rule,) = rules.rules
    assert rules.exclusive == ((frozenset({"red"}), frozenset({"blue"})),)
    assert rule.required_classes == {"P": ("place",)}
    assert rule.objects == {"X", "Y"}
    assert list(rules.readings(rule.premises[0], "stand next to")) == [{"P": "stand next to", "V": ""}, {"V": "stand", "P": "next to"}]
    assert [derivation.rule.name for derivation in rules.derivations(3, "near")] == ["there"] and not rules.derivations(2, "near")
