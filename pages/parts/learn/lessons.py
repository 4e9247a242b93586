"""The steps of the tour: captions, choices and figures. Figures are computed, never stored."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pages.parts.kit import page
from pages.parts.learn import results
from pages.parts.learn.material import ENGLISH_MATERIAL, Material, current_material
from pages.parts.learn.results import score_candidate
from pages.parts.state import engine, settings
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from spice_core.lang import language
from spice_core.metrics.text.tokens import tokenise_captions
from spice_core.scene.graph import SceneTuple
from spice_core.scene.matching import MatchState

BOY_CAPTION = "男の子がヘルメットを被り、スケートボードに乗っている"
BOYS_CAPTION = "男の子がヘルメットを被り、男の子がスケートボードに乗っている"
LIMIT_NAMES = tuple(ENGLISH_MATERIAL.limits)  # choices of the step "limits"
GAP_WORDS = tuple(ENGLISH_MATERIAL.fill_by_choice)
OVERLAP_METRICS = ("BLEU-1", "BLEU-4", "ROUGE-L", "METEOR")


@dataclass(frozen=True)
class StepFigures:
    """The figures of a step: displayed result, right choices, and values for the texts."""

    scored_captions: ScoredCaptions
    right_choices: frozenset[str]
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TourStep:
    """A step of the tour: name, choices, figures, and initial captions of "Try your own captions".

    By default, the initial captions are those of the figures.
    """

    name: str
    choices: tuple[str, ...]
    compute_figures: Callable[[], StepFigures]
    start_captions: Callable[[Material], CaptionInputs] | None = None


def shared_senses(scored_captions: ScoredCaptions) -> str:
    """Return the names of the senses that match tuples of this result, separated by commas."""
    reasons = (reason for row in scored_captions.explanation.rows for reason in row.reasons)
    return ", ".join(dict.fromkeys(reason.synset.name for reason in reasons if reason.synset))


def tuple_names(tuples_: tuple[SceneTuple, ...]) -> list[str]:
    """Return tuples in the notation of the texts: (girl, stand on, court)."""
    return [f"({', '.join(tuple_.words)})" for tuple_ in tuples_]


def _ngrams_figures() -> StepFigures:
    material = current_material()
    first_score, second_score = score_candidate(material.giraffe, material.girl), score_candidate(material.pan, material.pot)
    bleu = results.word_metric_scores(((material.giraffe, (material.girl,)), (material.pan, (material.pot,))), ("BLEU-1",))["BLEU-1"]
    girl, giraffe = (
        Counter(words) for words in tokenise_captions((material.girl.lower(), material.giraffe.lower()), language(material.lang))
    )
    overall = second_score.result.overall
    values: dict[str, Any] = {"shared": (girl & giraffe).total(), "length": giraffe.total(), "bleu_first": bleu[0], "bleu_second": bleu[1]}
    values |= {"first": first_score.result.f1, "second": overall.f1, "matched": round(overall.matched), "total": overall.candidate}
    return StepFigures(first_score, frozenset(["second"]), values)


def _tree_figures() -> StepFigures:
    material = current_material()
    scored_captions = score_candidate(material.court, material.court)
    sentence = scored_captions.parses[0].document.sentences[0]  # type: ignore[union-attr]
    unused_words = {word.token.text for word in scored_captions.explanation.unused_words[0]}
    words = [token.text for token in sentence.tokens if token.text.isalpha()]
    right_choices = frozenset(name for name, word in material.words_by_choice.items() if word in unused_words)
    return StepFigures(scored_captions, right_choices, {"words": len(words), "used": sum(word not in unused_words for word in words)})


def _tuples_figures() -> StepFigures:
    material = current_material()
    scored_captions, other_court = score_candidate(material.court, material.court), score_candidate(material.other_court, material.court)
    total = scored_captions.result.overall.candidate
    kinds = Counter(tuple_.kind for tuple_ in scored_captions.result.candidate_tuples)
    values = {"total": total, "few": total - 2, "many": total + 2} | {f"{kind}s": count for kind, count in kinds.items()}
    return StepFigures(
        scored_captions, frozenset(["right"]), values | {"matched": round(other_court.result.overall.matched), "f1": other_court.result.f1}
    )


def _merge_figures() -> StepFigures:
    material = current_material()
    scored_captions = score_candidate(material.white_dog, *material.dog_references)
    counts = [len(score_candidate(caption, caption).result.candidate_tuples) for caption in material.dog_references]
    total, all_count = scored_captions.result.overall.reference, sum(counts)
    infant, child, baby = material.toothbrush
    values: dict[str, Any] = dict(zip("abc", counts)) | {
        "all": all_count,
        "total": total,
        "repeated": all_count - total,
        "fewer": total - 3,
    }
    values |= {"alone": score_candidate(infant, child).result.f1, "bridge": score_candidate(infant, child, baby).result.f1}
    return StepFigures(scored_captions, frozenset(["right"]), values)


def subject_fills() -> dict[str, str]:
    """Return the caption ``sofa`` with each of its two replacement subjects, by subject."""
    material = current_material()
    return {word: material.sofa.replace(material.subjects[2], word) for word in material.subjects[:2]}


def _match_figures() -> StepFigures:
    material = current_material()
    captions_by_word = {name: score_candidate(material.fill(word), material.sofa) for name, word in material.fill_by_choice.items()}
    hound, puppy = (score_candidate(sentence, material.sofa) for sentence in subject_fills().values())
    values: dict[str, Any] = {name: scored_captions.result.f1 for name, scored_captions in captions_by_word.items()}
    right_choices = frozenset(name for name, f1 in values.items() if f1 == 1)
    values |= {"hound": hound.result.f1, "puppy": puppy.result.f1}
    values |= {"sense": shared_senses(captions_by_word["couch"]), "hound_sense": shared_senses(hound)}
    return StepFigures(captions_by_word["couch"], right_choices, values)


def _score_figures() -> StepFigures:
    material = current_material()
    scored_captions, two_references = (score_candidate(material.white_dog, *material.dog_references[:count]) for count in (None, 2))
    overall = scored_captions.result.overall
    matched_count = round(overall.matched)
    values = {"matched": matched_count, "candidate": overall.candidate, "reference": overall.reference, "f1": overall.f1}
    values |= {"more": matched_count + 1, "less": matched_count - 1, "without": two_references.result.f1}
    return StepFigures(scored_captions, frozenset(["right"]), values)


def _categories_figures() -> StepFigures:
    material = current_material()
    captions = material.three_horses, material.two_horses
    scored_captions, corrected_captions = (score_candidate(caption, *material.horse_references) for caption in captions)
    categories, style = {"color": "Color", "count": "Cardinality", "size": "Size"}, page.display_style()
    values: dict[str, Any] = {name: style.format_ratio(scored_captions.result.scores[key].f1) for name, key in categories.items()}
    values |= {"f1": scored_captions.result.f1, "mended": corrected_captions.result.f1}
    return StepFigures(scored_captions, frozenset(["right"]), values)


def score_by_meaning(candidate: str, *references: str) -> ScoredCaptions:
    """Score captions of the tour by meaning: tuples entailed by the other side count as matched."""
    return score_candidate(
        candidate, *references, config=replace(settings.default_config(current_material().lang), scheme=settings.MEANING_SCHEME)
    )


def _meaning_figures() -> StepFigures:
    material = current_material()
    scored_captions, words = score_by_meaning(*material.meaning), score_candidate(*material.meaning)
    narrow, entailed = material.narrow_caption, material.entailed_caption
    dog, puppy = (score_by_meaning(*pair).result.precision == 1 for pair in ((entailed, narrow), (narrow, entailed)))
    right_choice = {(True, True): "both", (True, False): "dog", (False, True): "puppy"}.get((dog, puppy), "")
    overall, by_words = scored_captions.result.overall, words.result.overall
    values = {"matched": round(overall.matched), "total": overall.candidate, "f1": overall.f1}
    values |= {"by_words": round(by_words.matched), "f1_words": by_words.f1}
    return StepFigures(scored_captions, frozenset([right_choice]), values)


def _limits_figures() -> StepFigures:
    material = current_material()
    captions_by_limit = {name: score_candidate(*pair) for name, pair in material.limits.items()}
    values = {name: score_candidate(*pair).result.f1 for name, pair in material.more_limits.items()}
    values |= {name: scored_captions.result.f1 for name, scored_captions in captions_by_limit.items()}
    right_choices = frozenset(name for name, scored_captions in captions_by_limit.items() if scored_captions.result.f1 != 1)
    return StepFigures(captions_by_limit["bites"], right_choices, {**values, "sense": shared_senses(captions_by_limit["stool"])})


def _read_figures() -> StepFigures:
    """Return the figures of the step on a misread sentence.

    Unmatched tuples with objects that the correct parse lacks are wrong. Other unmatched tuples are ``open``.
    """
    config, caption = settings.default_config(current_material().lang), current_material().correct_caption
    scored_captions = results.compare_parses(results.misread_parse(), [engine.cached_parse(caption, config)], config)
    result = scored_captions.result
    matched_ids = {match.candidate.id for match in result.matches if match.state in (MatchState.EXACT, MatchState.SYNONYM)}
    unmatched_tuples = tuple(t for t in result.candidate_tuples if t.id not in matched_ids)
    object_names = {tuple_.words[0] for tuple_ in result.reference_tuples if tuple_.kind == "object"}
    wrong_tuples = tuple(t for t in unmatched_tuples if {t.words[0], t.words[-1] if t.kind == "relation" else t.words[0]} - object_names)
    undecided_names = frozenset(tuple_names(unmatched_tuples)) - frozenset(tuple_names(wrong_tuples))
    return StepFigures(scored_captions, frozenset(tuple_names(wrong_tuples)), {"f1": result.f1, "open": undecided_names})


def judge_marks(marked_ids: Collection[str], figures: StepFigures, *, is_revealed: bool) -> list[tuple[str, str, bool]]:
    """Return the marked tuples (all if ``is_revealed``), each with its verdict and the mark's correctness.

    Verdicts: ``found`` and ``missed`` for wrong tuples, ``false`` and ``right`` for right tuples, ``open`` for tuples
    without a clear verdict.
    """
    verdicts = []
    for name in tuple_names(figures.scored_captions.result.candidate_tuples):
        is_marked, is_wrong = name in marked_ids, name in figures.right_choices
        verdict = ("missed", "found")[is_marked] if is_wrong else ("right", "false")[is_marked]
        if name in figures.values["open"]:
            verdicts.append((name, "open", True))
        elif is_marked or is_revealed:
            verdicts.append((name, verdict, is_marked == is_wrong))
    return [verdict_row for verdict_row in verdicts if is_revealed or verdict_row[0] in marked_ids]


def rank_cards() -> list[int]:
    """Return the indices of the cards in order of their SPICE scores, best first."""
    material = current_material()
    values = [score_candidate(card, *material.buses).result.f1 for card in material.cards]
    return sorted(range(len(material.cards)), key=lambda i: -values[i])


def _people_figures() -> StepFigures:
    material = current_material()
    return StepFigures(score_candidate(material.cards[rank_cards()[0]], *material.buses), frozenset(["only"]))


def _japanese_figures() -> StepFigures:
    ja = settings.default_config("ja")
    scored_captions = score_candidate(BOY_CAPTION, BOYS_CAPTION, config=ja)
    subjects = [t for t in scored_captions.result.candidate_tuples if len(t.words) == 3 and t.words[0] == "男の子"]
    choices = {1: "one", 2: "two", 3: "three"}
    values: dict[str, object] = {
        name: ", ".join(tuple_names(tuple(t for t in score_candidate(text, text, config=ja).result.candidate_tuples if len(t.words) > 1)))
        for name, text in (("owner", "金髪の男性"), ("owned", "男性の車"))
    }
    pairs = {
        "unsaid": ("傘をさして海を見ている", "人が傘をさして海を見ている"),
        "equal": ("女性が浴衣を着てうちわを持っている", "浴衣を着た女性がうちわを持っている"),
    }
    values |= {name: score_candidate(*pair, config=ja).result.f1 for name, pair in pairs.items()}
    english = settings.default_config("en")
    translations = "A woman in a yukata is holding a fan.", "A woman wearing a summer kimono holds a paper fan."
    values["translated"] = score_candidate(*translations, config=english).result.f1
    stool, toilet = ENGLISH_MATERIAL.limits["stool"]
    puppy, stool_ = results.soft_scores((("A puppy sleeps on a sofa.", (ENGLISH_MATERIAL.sofa,)), (stool, (toilet,))))
    return StepFigures(scored_captions, frozenset([choices.get(len(subjects), "")]), values | {"puppy": puppy, "stool": stool_})


TOUR_STEPS = (
    TourStep("ngrams", ("first", "second", "equal"), _ngrams_figures),
    TourStep("tree", ("stands", "a", "tennis"), _tree_figures),
    TourStep("tuples", ("few", "right", "many"), _tuples_figures),
    TourStep(
        "merge",
        ("all", "right", "fewer"),
        _merge_figures,
        lambda material: CaptionInputs(material.white_dog, (*material.dog_references, "")),
    ),
    TourStep("match", GAP_WORDS[::-1], _match_figures, lambda material: CaptionInputs(material.sofa, (material.sofa,))),
    TourStep("score", ("swapped", "more", "right", "less"), _score_figures),
    TourStep("categories", ("counted", "right", "sized"), _categories_figures),
    TourStep("meaning", ("puppy", "dog", "both"), _meaning_figures),
    TourStep("limits", LIMIT_NAMES, _limits_figures, lambda material: CaptionInputs(material.limits["almost"][0], (material.sofa,))),
    TourStep("read", (), _read_figures),
    TourStep(
        "people", ("yes", "only"), _people_figures, lambda material: CaptionInputs(material.cards[material.true_card], material.buses)
    ),
    TourStep(
        "japanese",
        ("one", "two", "three"),
        _japanese_figures,
        lambda _: CaptionInputs("猫が二匹ソファで寝ている", ("二匹の猫がソファで寝ている",)),
    ),
)
STEP_NAMES = tuple(step.name for step in TOUR_STEPS)
