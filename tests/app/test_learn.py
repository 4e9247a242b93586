"""Test the Learn page without a browser: every step opens in English or Japanese, and its claims match the current metric."""

import html
import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from pages.parts.learn import elements, human_order, lessons, material, pictures
from pages.parts.learn.lessons import STEP_NAMES, TOUR_STEPS
from pages.parts.learn.material import ENGLISH_MATERIAL, MATERIAL_BY_LANGUAGE
from spice_core import Spice
from spice_core.metrics.measure import segment_scores
from tests.app.conftest import open_page, page_html, page_messages

STEP_BY_NAME = {step.name: step for step in TOUR_STEPS}


def open_learn(**params: str) -> AppTest:
    return open_page("pages/6_Learn.py", **params)


def texts_with_class(app: AppTest, css_class: str) -> list[str]:
    return [html.unescape(re.sub("<.*?>", "", text)) for text in re.findall(rf'<p class="{css_class}[^>]*>(.*?)</p>', page_html(app))]


@pytest.mark.parametrize("step_index", range(len(TOUR_STEPS)))
def test_every_step_opens_unanswered_by_its_number_and_reveals_its_answer(step_index: int, monkeypatch):
    step, language = TOUR_STEPS[step_index], ("en", "ja")[step_index % 2]
    app = open_learn(step=str(step_index + 1), ui=language)
    assert t(f"tour.{step.name}", language=language) in page_html(app) and not texts_with_class(app, "sc-then")
    assert app.query_params.get("step", STEP_NAMES[0]) == step.name
    app = app.button(key=f"learn.{step.name}.reveal").click().run()
    (explanation,) = texts_with_class(app, "sc-then")
    monkeypatch.setattr(material, "interface_language", lambda: language)
    assert explanation == t(f"tour.{step.name}_then", language=language, **step.compute_figures().values).replace("*", "")


@pytest.mark.parametrize("name", [step.name for step in TOUR_STEPS if step.choices])
def test_each_choice_has_its_feedback(name: str):
    step = STEP_BY_NAME[name]
    figures = step.compute_figures()
    assert figures.right_choices < set(step.choices), "a right choice, and a wrong one"
    app = open_learn(step=name)
    for choice in step.choices:
        app = app.radio(key=f"learn.{name}.answer").set_value(choice).run()
        (verdict,) = texts_with_class(app, "sc-verdict")
        reason = elements.step_text(step, f"{choice}_why", figures).replace("*", "")
        assert verdict == f"{t('learn.right' if choice in figures.right_choices else 'learn.wrong')} {reason}"


@pytest.mark.parametrize("name", ["0", "13", "99999999999", "nope", "<b>", "１", "-1", ""])
def test_an_unknown_step_is_reported(name: str):
    app = open_learn(step=name)
    assert page_messages(app) == [t("learn.unknown_step", name=name)] and t(f"tour.{STEP_NAMES[0]}") in page_html(app)


# Claims of the English lessons about the metric. If a claim becomes false, rewrite the lesson.
ENGLISH_CLAIMS = {
    "one pair shares its words, not its tuples": lambda v: v["ngrams"]["first"] == 0 < v["ngrams"]["second"] < 1,
    "words prefer the wrong pair": lambda v: v["ngrams"]["bleu_first"] > v["ngrams"]["bleu_second"],
    "the example of the paper has six tuples": lambda v: [v["tuples"][k] for k in ("objects", "attributes", "relations")] == [2, 3, 1],
    "a bridge helps": lambda v: v["merge"]["alone"] < v["merge"]["bridge"] <= 1,
    "couch has the sense of sofa": lambda v: v["match"]["couch"] == 1 and "sofa" in v["match"]["sense"],
    "a broader word does not match": lambda v: v["match"]["puppy"] < 1 == v["match"]["hound"],
    "each reference asks for more": lambda v: v["score"]["without"] > v["score"]["f1"],
    "colour right, count wrong, no size": lambda v: [v["categories"][k] for k in ("color", "count", "size")] == ["1.000", "0.000", "n/a"],
    "counting right pays": lambda v: v["categories"]["mended"] > v["categories"]["f1"],
    "meaning counts more": lambda v: v["meaning"]["by_words"] < v["meaning"]["matched"] < v["meaning"]["total"],
    "three flaws are not seen": lambda v: all(v["limits"][k] == 1 for k in ("fluency", "almost", "stool", "toilet")),
    "a false caption beats a true one": lambda v: (
        (order := lessons.rank_cards())[0] == 0 and order.index(ENGLISH_MATERIAL.false_card) < order.index(ENGLISH_MATERIAL.true_card)
    ),
    "negation is": lambda v: v["limits"]["negated"] < 1,
    "equal in Japanese, not in English": lambda v: v["japanese"]["equal"] == 1 > v["japanese"]["translated"],
}


# Claims of the Japanese lessons about the metric.
JAPANESE_CLAIMS = {
    "the words prefer the wrong pair": lambda v: v["ngrams"]["bleu_first"] > v["ngrams"]["bleu_second"] > 0,
    "the tuples prefer the right one": lambda v: v["ngrams"]["first"] < 0.2 and v["ngrams"]["second"] == 1,
    "two objects, an attribute, a relation": lambda v: [v["tuples"][k] for k in ("objects", "attributes", "relations")] == [2, 1, 1],
    "a bridge helps": lambda v: v["merge"]["alone"] < v["merge"]["bridge"] < 1,
    "one of three words is a synonym": lambda v: v["match"]["couch"] == 1 > max(v["match"]["armchair"], v["match"]["bench"]),
    "a puppy is nearly a dog": lambda v: v["match"]["hound"] == 1 > v["match"]["puppy"] and v["match"]["hound_sense"] == "犬",
    "four of five match": lambda v: [v["score"][k] for k in ("matched", "candidate", "reference")] == [4, 5, 8],
    "each reference asks for more": lambda v: v["score"]["without"] > v["score"]["f1"],
    "colour right, count wrong, no size": lambda v: [v["categories"][k] for k in ("color", "count", "size")] == ["1.000", "0.000", "n/a"],
    "three flaws are not seen": lambda v: all(v["limits"][k] == 1 for k in ("fluency", "almost", "stool", "toilet")),
    "negation is": lambda v: v["limits"]["negated"] < 1,
    "a false caption beats a true one": lambda v: (
        (order := lessons.rank_cards())[0] == 0
        and order.index(MATERIAL_BY_LANGUAGE["ja"].false_card) < order.index(MATERIAL_BY_LANGUAGE["ja"].true_card)
    ),
}


def test_the_japanese_captions_of_the_tour_support_its_claims(monkeypatch):
    monkeypatch.setattr(material, "interface_language", lambda: "ja")
    figures = {step.name: step.compute_figures() for step in TOUR_STEPS}
    values = {name: step_figures.values for name, step_figures in figures.items()}
    assert [claim for claim, holds in JAPANESE_CLAIMS.items() if not holds(values)] == [], values
    assert figures["tree"].right_choices == {"a"}
    assert figures["read"].right_choices == {"(きもの)", "(女性, 脱ぐ, きもの)"}
    assert not values["read"]["open"]
    assert values["meaning"]["by_words"] < values["meaning"]["matched"] < values["meaning"]["total"]
    assert figures["meaning"].right_choices == {"dog"}
    verdicts = ["exact", "synonym", "entailed", "contradicted", "extra"]
    assert [row.state.value for row in pictures.example_rows(figures["meaning"].scored_captions)] == verdicts
    assert all(step_figures.scored_captions.settings.lang == "ja" for step_figures in figures.values())


def test_numbers_equal_those_of_the_metric_and_claims_are_true():
    values = {step.name: step.compute_figures().values for step in TOUR_STEPS}
    assert [claim for claim, holds in ENGLISH_CLAIMS.items() if not holds(values)] == [], values
    spice = Spice()

    def f1(candidate: str, *references: str) -> float:
        return spice.compute(candidate, references).f1

    assert values["ngrams"]["first"] == f1(ENGLISH_MATERIAL.giraffe, ENGLISH_MATERIAL.girl)
    assert values["ngrams"]["second"] == f1(ENGLISH_MATERIAL.pan, ENGLISH_MATERIAL.pot)
    assert values["tuples"]["total"] == len(spice.compute(ENGLISH_MATERIAL.court, [ENGLISH_MATERIAL.court]).candidate_tuples)
    merged = spice.compute(ENGLISH_MATERIAL.white_dog, ENGLISH_MATERIAL.dog_references)
    assert values["merge"]["total"] == values["score"]["reference"] == len(merged.reference_tuples)
    assert values["merge"]["all"] == sum(len(spice.compute(dog, [dog]).candidate_tuples) for dog in ENGLISH_MATERIAL.dog_references)
    assert (values["score"]["matched"], values["score"]["f1"]) == (len(merged.matches), merged.f1)
    assert values["match"]["hound"] == f1("A hound sleeps on a sofa.", ENGLISH_MATERIAL.sofa)
    assert values["limits"]["negated"] == f1("No dog sleeps on a sofa.", ENGLISH_MATERIAL.sofa)
    assert values["japanese"]["translated"] == f1(
        "A woman in a yukata is holding a fan.", "A woman wearing a summer kimono holds a paper fan."
    )
    pairs = [("A puppy sleeps on a sofa.", [ENGLISH_MATERIAL.sofa])]
    assert values["japanese"]["puppy"] == pytest.approx(segment_scores(pairs, ["soft"])["soft"][0])
    parses = [next(iter(Spice(parser=name).parse([ENGLISH_MATERIAL.court]))) for name in ("caption", "spice-2016")]
    trees = [[(edge.head, edge.dependent, edge.relation) for (s,) in [parse.document.sentences] for edge in s.basic] for parse in parses]
    assert trees[0] == trees[1], "both parsers have one tree"


def test_all_tuples_of_the_wrong_parse_are_judged():
    app = open_learn(step="read")
    right_tuples = STEP_BY_NAME["read"].compute_figures().right_choices
    assert right_tuples == {"(sleep)", "(sleep, on, sofa)", "(sleep, toddler)"}
    for marked_tuples, verdict in (
        (right_tuples, "right"),
        (set(list(right_tuples)[:1]), "some"),
        ({"(dog)"}, "wrong"),
        (right_tuples | {"(dog)"}, "wrong"),
    ):
        app = app.button_group(key="learn.read.marked").set_value(sorted(marked_tuples)).run()
        assert texts_with_class(app, "sc-verdict")[0].startswith(t(f"learn.{verdict}"))


def test_each_marked_tuple_has_its_verdict_and_the_missed_ones_follow_after_the_reveal():
    app = open_learn(step="read")
    app = app.button_group(key="learn.read.marked").set_value(["(dog)", "(sleep)"]).run()
    assert _judged_marks(app) == {"(dog)": "false", "(sleep)": "found"}
    judged_marks = _judged_marks(app.button(key="learn.read.reveal").click().run())
    assert judged_marks["(sleep, toddler)"] == "missed" and judged_marks["(dog, two)"] == "right" and judged_marks["(dog)"] == "false"


def _judged_marks(app: AppTest) -> dict[str, str]:
    names = {t(f"learn.judged_{name}"): name for name in ("found", "missed", "false", "right", "open")}
    return {
        html.unescape(name): names[reason]
        for name, reason in re.findall(r"<li class=\"sc-(?:yes|no)\">(.*?) <small>(.*?)</small>", page_html(app))
    }


def test_ranking_moves_cards_and_shows_kendalls_tau():
    app = open_learn(step="people").button(key="learn.people.reveal").click().run()
    same_count, opposite_count, tau = human_order.kendall_tau([2, 4, 0, 5, 3, 1], lessons.rank_cards())
    assert t("learn.rank_same", concordant=same_count, discordant=opposite_count, tau=tau) in page_html(app)
    app = app.button(key="learn.up.2").click().run()
    assert app.session_state["LearnState"].card_order == [2, 0, 4, 5, 3, 1] and app.button(key="learn.up.0").disabled
    assert t("learn.rank_place", place=2) in page_html(app)
    assert all(text in page_html(app) for text in ENGLISH_MATERIAL.buses)
    assert "315642" not in page_html(app)
    for expected_result, a, b in (((3, 0, 1), "012", "012"), ((0, 3, -1), "012", "210"), ((10, 5, 1 / 3), "041325", "031542")):
        assert human_order.kendall_tau(list(map(int, a)), list(map(int, b))) == pytest.approx(expected_result)


def test_averages_agree_more_only_if_systems_differ():
    differing_correlations = [
        human_order.mean_correlation(caption_count, systems_differ=True) for caption_count in human_order.SAMPLE_SIZES
    ]
    equal_correlations = [human_order.mean_correlation(caption_count, systems_differ=False) for caption_count in human_order.SAMPLE_SIZES]
    assert differing_correlations == sorted(differing_correlations)
    assert differing_correlations[-1] > 0.9
    assert max(equal_correlations) - min(equal_correlations) < 0.1


def test_custom_captions_are_scored_or_requested():
    app = open_learn(step="match")
    app.session_state["learn.match.own"] = True
    app = app.run()
    assert "<b>1.000</b>" in page_html(app)
    app.text_input(key="learn.match.candidate").set_value("A cat. <script>")
    app = app.button(key="FormSubmitter:learn.match.form-Score").click().run()
    assert "<b>0.000</b>" in page_html(app) and "<script>" not in page_html(app)
    app.text_area(key="learn.match.references").set_value(" \n ")
    app = app.button(key="FormSubmitter:learn.match.form-Score").click().run()
    assert page_messages(app, "alert") == [t("learn.write")]


def test_the_original_parser_runs_on_demand():
    app = open_learn(step="score").button(key="learn.score.reveal").click().run()
    assert t("learn.other") in {expander.label for expander in app.expander} and "F1 is 0.571" not in page_html(app)
    app.session_state["learn.other"] = True
    first_score = Spice(parser="spice-2016").compute(ENGLISH_MATERIAL.white_dog, ENGLISH_MATERIAL.dog_references)
    assert f"F1 is {first_score.f1:.3f}: {first_score.overall.matched:g} matched" in page_html(app.run())
