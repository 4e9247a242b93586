"""Test questions about a graph: texts, DSG categories and parents, ids that depend only on the words, and answers about the picture."""

import math

import pytest

from spice_core import Spice
from spice_core.questions import Answer, ask, blank_parameters, candidate_questions, check_picture, questions_of

# A caption, one of its questions, its DSG category and the tuples of its parents.
EXPECTED_QUESTIONS = [
    ("Two brown dogs lie on a small sofa.", "Are there dogs?", "entity - whole", []),
    ("Two brown dogs lie on a small sofa.", "Are there two dogs?", "other - count", [("dog",)]),
    ("Two brown dogs lie on a small sofa.", "Are the dogs brown?", "attribute - color", [("dog",)]),
    ("Two brown dogs lie on a small sofa.", "Are the dogs lying on the sofa?", "relation - spatial", [("dog",), ("sofa",)]),
    ("A man holding a ruler.", "Is a man holding a ruler?", "relation - action", [("man",), ("ruler",)]),
    ("A sad man with green hair.", "Is there hair?", "entity - part", [("man",)]),
    ("A wooden chair.", "Is the chair wooden?", "attribute - material", [("chair",)]),
    ("A tall woman.", "Is the woman tall?", "attribute - size", [("woman",)]),
    ("A square table.", "Is the table square?", "attribute - shape", [("table",)]),
    ("A fluffy cat.", "Is the cat fluffy?", "attribute - texture", [("cat",)]),
    ("A sketch of a dog.", "Is the picture a sketch?", "global - -", []),
    ("A man opens his mouth.", "Is a man opening his mouth?", "relation - action", [("man",), ("mouth",)]),
    (
        "An elephant stands beside another elephant.",
        "Is the elephant standing beside another elephant?",
        "relation - spatial",
        [("elephant",)],
    ),
    ("A boat in a body of water.", "Is the boat in the body of water?", "relation - spatial", [("boat",), ("body",)]),
    ("A black and white cat.", "Is the cat partly white?", "attribute - color", [("cat",)]),
    ("Cats, shallow depth of field.", "Is the depth of field shallow?", "global - -", [("depth",)]),
    ("A board, top view.", "Is the picture a top view?", "global - -", [("view",)]),
    ("A boat by Lake Como.", "Is the boat by Lake Como?", "relation - spatial", [("boat",), ("como",)]),
    ("A painting by leonora carrington.", "Is the picture by leonora carrington?", "global - -", [("carrington",)]),
    ('A poster that says "fresh bread"', 'Is the word "fresh" in the text?', "other - text rendering", [("poster",)]),
    ("Someone holds a sign.", "Is someone holding a sign?", "relation - action", [("someone",), ("sign",)]),
    ("Some photos by Gordon Parks.", "Is the picture by Gordon Parks?", "global - -", []),
    ("A street filled with people.", "Is the street filled with something?", "attribute - state", [("street",)]),
    ("A group of snow skiers.", "Are the skiers snow skiers?", "attribute - type", [("skier",)]),
    ("A kitchen with counter tops.", "Are there counter tops?", "attribute - type", [("top",)]),
    ("A magnifying glass zooms in on a phone.", "Is there a magnifying glass?", "attribute - type", [("glass",)]),
    ("A bathroom decorated in black.", "Is anything black?", "attribute - color", []),
    ("Umbrellas in a black and white picture.", "Is the picture black and white?", "global - -", []),
    ("Half a dozen donuts.", "Are there a dozen donuts?", "other - count", [("donut",)]),
    ("A red um brella.", "Is there an um brella?", "attribute - type", [("brella",)]),
    ("An hour glass on an SUV.", "Is there an SUV?", "entity - whole", []),
]


# Captions, each with questions that it must produce.
QUESTIONS_BY_CAPTION = {
    "A plate topped with food.": ["Is the plate topped with something?"],
    "Donuts lined up in a cabinet.": ["Are the donuts lined up in a cabinet?"],
    "A boy waits to hit the ball.": ["Is the boy waiting to hit something?", "Is a boy waiting to hit the ball?"],
    "A couple getting ready to cut a cake.": ["Is a couple getting ready to cut a cake?", "Is the couple ready to do something?"],
    "A girl is about to grab an umbrella.": ["Is a girl about to grab an umbrella?"],
    "Two men herding a pack of elephants across a field.": ["Are the men herding something across the field?"],
    "Some horses are being led in a field.": ["Are the horses being led in the field?"],
    "The head is facing forward.": ["Is the head facing forward?"],
    "The toys are positioned on the table.": ["Are the toys positioned on something?"],
    "A man is going down a slope.": ["Is the man going down something?"],
    "Three bears looking out a cage.": ["Are the bears looking out of a cage?"],
    "Someone laying down under a suitcase.": ["Is someone laying down?"],
    "Three strange looking birds.": ["Are the birds strange-looking?"],
    "A man in front of a flat screen TV.": ["Is the TV a flat screen TV?"],
    "Flags atop a train station clock.": ["Is the clock a train station clock?"],
    "A Japan Airlines plane.": ["Is the plane a Japan Airlines plane?"],
    "A truck with tan seats.": ["Are the seats tan?"],
    "The area is free from decorative elements.": ["Is the area free from something?"],
    "Giraffes stare in the same direction.": ["Is it the same direction?"],
    "A man with a baseball bat.": ["Does the man have a baseball bat?"],
    "A group of zebra grazing.": ["Are there zebras?", "Are the zebras grazing?"],
    "A person on a phone in a group of people.": ["Is the person in the group of people?"],
    "Pedestrians walking on a sidewalk on a sunny day.": ["Are the pedestrians walking on a sunny day?"],
    "People riding bikes between a truck and a building.": ["Are the people riding something between the truck and the building?"],
    "A store with toilets of different colors.": ["Are there toilets of different colors?"],
    "Two teddy bears sitting next to each other.": ["Are the teddy bears sitting next to each other?"],
    "A soup that looks like a portal to another dimension.": ["Is the portal to another dimension?"],
    "A pizza topped with sausage.": ["Is there sausage?", "Is the pizza topped with sausage?"],
    "Some players are playing frisbee.": ["Are the players playing frisbee?", "Is there a frisbee?"],
    "A large painting and shelf in a living room.": ["Is there a painting?"],
    "A close up of a vase.": ["Is the picture a close up?"],
    "A classroom with students.": ["Does the classroom have students in it?"],
    "A cat peers into the bowl of a toilet.": ["Is there a bowl of a toilet?"],
    "An elephant with mountains in the background.": ["Does the picture show the elephant with mountains?"],
    "A bear stands on a rock with an open mouth.": ["Is the bear standing with an open mouth?"],
    "Three men stand next to a car with its hood open.": ["Does the car have a hood?"],
    "A mother elephant with her young one.": ["Is there a young one?"],
    "A pan covered with aluminum.": ["Is the pan covered with aluminum?"],
    "A parking lot of cars.": ["Is there a parking lot of cars?"],
    "A stop sign is showing out of a bus window.": ["Is a sign showing out of a window?"],
    "A child is chasing after a box kite.": ["Is the child chasing after something?"],
    "A bathroom with a sink area.": ["Does the bathroom have a sink area in it?"],
    "A bowl of a kind of vegetable stew.": ["Is there a bowl of stew?"],
    "A man holding sticks with elephants in the background.": ["Does the picture show the man with elephants?"],
    "A woman in a white top.": ["Is there a top?", "Is the woman wearing a top?"],
    "Fruit for sale.": ["Is the fruit for sale?", "Is anything for sale?"],
}


@pytest.fixture(scope="module")
def spice() -> Spice:
    return Spice()


@pytest.mark.parametrize(("caption", "text", "kind", "parents"), EXPECTED_QUESTIONS)
def test_questions_about_tuples_are_idiomatic(caption, text, kind, parents, spice):
    questions = ask(spice, next(spice.parse([caption])))
    by_id = {q.id: q.words for q in questions}
    questions_by_text = {q.text: (" - ".join(q.kind), [by_id[p] for p in q.parents]) for q in questions}
    assert text in questions_by_text, list(questions_by_text)
    assert questions_by_text[text] == (kind, parents)


def test_questions_are_fluent_and_faithful_to_the_caption(spice):
    for (caption, texts), parse in zip(QUESTIONS_BY_CAPTION.items(), spice.parse(QUESTIONS_BY_CAPTION)):
        question_texts = [question.text for question in ask(spice, parse)]
        assert set(texts) <= set(question_texts), (caption, question_texts)


def test_questions_use_japanese_nouns_by_their_role_in_the_caption():
    spice = Spice("ja")
    captions = {
        "容器に人参を刻んだ料理が入っています。": "料理がありますか。",
        "女性が料理をしています。": "料理をしている人がいますか。",
        "4人の人物がテーブルを囲んでいます。": "人物がいますか。",
    }
    for (caption, text), parse in zip(captions.items(), spice.parse(captions)):
        assert text in [question.text for question in ask(spice, parse)]


def test_every_tuple_has_one_question_with_its_source_words(spice):
    parses = list(spice.parse(["A man in a hat rides a horse.", "Two men sit on horses. They wear hats."]))
    tuples = spice.graph(parses).tuples()
    questions = questions_of(tuples, parses, "en")
    assert sorted(q.words for q in questions) == sorted(t.words for t in tuples)
    assert len({q.id for q in questions}) == len(questions)
    places = {q.words: [(caption, parses[caption].caption[t.start : t.end]) for caption, t in q.mentions] for q in questions}
    assert places["man", "wear", "hat"] == [(1, "They"), (1, "wear"), (1, "hats")]
    for question in questions:
        assert set(question.parents) <= {q.id for q in questions} - {question.id}


def test_the_id_of_a_question_does_not_depend_on_its_caption(spice):
    first_caption, second_caption = ("A brown dog.", "On the grass lies a dog that is brown.")
    ids = [{q.words: q.id for q in ask(spice, parse)} for parse in spice.parse([first_caption, second_caption])]
    assert ids[0]["dog", "brown"] == ids[1]["dog", "brown"]


def test_given_propositions_are_asked_without_a_parse(spice):
    result = spice.compute([["dog"], ["dog", "brown"], ["man", "hold", "umbrella"], ["cup", "on", "table"]], ["a dog"])
    texts = [q.text for q in questions_of(result.candidate_tuples, [result.candidate], "en")]
    assert {"Is there a dog?", "Is the dog brown?", "Is the man holding an umbrella?", "Is the cup on the table?"} <= set(texts)


def test_parameters_of_image_generators_are_ignored(spice):
    prompt = "a cat, oil painting --ar 16:9 --no grey dogs --w=512 --uplight"
    assert blank_parameters(prompt).strip() == "a cat, oil painting" and len(blank_parameters(prompt)) == len(prompt)
    assert "double--dash" in blank_parameters("a double--dash") and "1920 - 1930" in blank_parameters("1920 - 1930")


def test_answers_partition_the_tuples_and_give_two_precisions():
    result = Spice().compute("A brown dog with a ball on a sofa", ["A dog on a sofa", "A sofa"])
    questions = candidate_questions(result)
    by_words = {q.words: q for q in questions}
    yes_answer, no = Answer.YES, Answer.NO
    answers = {("dog",): yes_answer, ("sofa",): no, ("ball",): yes_answer, ("dog", "brown"): yes_answer, ("dog", "with", "ball"): no}
    check = check_picture(result, questions, {by_words[words].id: answer for words, answer in answers.items()})
    words = lambda group: {q.words for q in group}
    assert words(check.confirmed) == {("dog",)} and words(check.unconfirmed) == {("ball",), ("dog", "brown")}
    assert ("sofa",) in words(check.refuted) and ("dog", "with", "ball") in words(check.wrong)
    assert any("sofa" in w and len(w) == 3 for w in words(check.refuted) | words(check.wrong)), "a tuple falls with its parent"
    assert check.picture_precision == 3 / check.answer_count and check.answer_count + len(check.open) == len(questions)
    empty = check_picture(result, questions, {})
    assert math.isnan(empty.picture_precision) and math.isnan(empty.reference_precision) and len(empty.open) == len(questions)
