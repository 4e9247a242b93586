"""Exercises whose answers are checked automatically: an answer is right if its result meets a list of conditions."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pages.parts.kit.texts import error_text, join_items, t
from pages.parts.learn import results
from pages.parts.learn.lessons import score_by_meaning
from pages.parts.learn.material import ENGLISH_MATERIAL, MATERIAL_BY_LANGUAGE, Material, current_material
from pages.parts.learn.results import score_candidate
from pages.parts.state import engine, settings
from pages.parts.state.engine import CaptionInputs, ScoredCaptions, find_exceeded_limits
from spice_core import SpiceConfig
from spice_core.errors import InputError, Message, SpiceError
from spice_core.lang import language
from spice_core.metrics.text.tokens import tokenise_captions
from spice_core.questions import candidate_questions
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import PLACEHOLDER, Parse, parse_from_tuples

AnswerFields = Mapping[str, str]
Check = Callable[[AnswerFields, Material], "CheckedAnswer"]
UMBRELLA_CAPTION = "人が傘をさして海を見ている"
MAX_TUPLES, MAX_LINE_CHARS = 40, 200
TRIES_BEFORE_ANSWER = 3
_UNREADABLE_CONDITIONS = ("empty", "excess", "unread")  # conditions whose failure is not a try
_DETAILED_CONDITIONS = ("f1", "same_tuples", "meaning", "right_tuples", "both", "parses")  # conditions with a second hint that lists tuples


@dataclass(frozen=True)
class Condition:
    """A condition of an exercise, whether the answer meets it, and the values of its hint."""

    name: str
    holds: bool
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hint(self) -> str:
        """A hint for an answer that does not meet the condition."""
        return t(f"hints.{self.name}", **self.values)

    @property
    def details(self) -> list[str]:
        """A text on the differing tuples in a list, or [] for other conditions."""
        return [t(f"hints.{self.name}_more", **self.values)] if self.name in _DETAILED_CONDITIONS else []


@dataclass(frozen=True)
class CheckedAnswer:
    """The conditions checked for an answer, in order, and the result."""

    conditions: tuple[Condition, ...]
    result: ScoredCaptions | None = None

    @property
    def is_solved(self) -> bool:
        """Whether all conditions hold."""
        return all(condition.holds for condition in self.conditions)

    @property
    def failed_condition(self) -> Condition | None:
        """The first condition that does not hold."""
        return next((condition for condition in self.conditions if not condition.holds), None)

    @property
    def counts_as_try(self) -> bool:
        """Whether the answer counts as a try: valid but wrong."""
        return self.failed_condition is not None and self.failed_condition.name not in _UNREADABLE_CONDITIONS


@dataclass(frozen=True)
class Exercise:
    """A task with its fields, their initial texts, a model answer and a check."""

    id: str
    grade: int
    check: Check
    initial_texts: Mapping[str, str]
    model_answer: Mapping[str, str]
    given_texts: tuple[str, ...] = ()
    lang: str = "en"

    @property
    def number(self) -> int:
        """The number of the exercise in its set."""
        return int(self.id[1:])

    @property
    def numbered_lines(self) -> list[str]:
        """The lines to choose from, if any."""
        return [question for question, _ in _listed_questions()] if self.check is _check_questions else []

    def text(self, key_suffix: str = "", **values: Any) -> str:
        """Return the text of the exercise with this key suffix, by default the title."""
        return t(f"exercises.e{self.number}{key_suffix}", **values)


def check_answer(exercise: Exercise, answer: AnswerFields) -> CheckedAnswer:
    """Check an answer. An invalid answer fails a condition that explains the problem."""
    texts = [text.strip() for name, text in answer.items() if not name.startswith("sense_")]
    if not all(texts):
        return CheckedAnswer((Condition("empty", False),))
    if too_much := find_exceeded_limits(CaptionInputs(texts[0], tuple(texts[1:]))):
        return CheckedAnswer((Condition("excess", False, {"found": too_much[0][0], "expected": too_much[0][1]}),))
    try:
        return exercise.check({name: text.strip() for name, text in answer.items()}, current_material())
    except SpiceError as error:
        return CheckedAnswer((Condition("unread", False, {"reason": error_text(error)}),))


def hints_for(exercise: Exercise, checked_answer: CheckedAnswer, try_count: int) -> list[str]:
    """Return a hint per try, as far as there are hints: the first unmet condition, its differing tuples, if any, and a tip.

    Return [] for a solved exercise.
    """
    if not checked_answer.failed_condition:
        return []
    return [checked_answer.failed_condition.hint, *checked_answer.failed_condition.details, exercise.text("_tip")][: max(try_count, 1)]


def answer_from_captions(exercise: Exercise, inputs: CaptionInputs) -> dict[str, str]:
    """Convert captions into an answer. Return {} if the exercise has fields other than captions."""
    texts_by_side = {"candidate": inputs.candidate, "reference": inputs.references[-1]}
    return {name: texts_by_side[name] for name in exercise.initial_texts} if texts_by_side.keys() >= exercise.initial_texts.keys() else {}


def read_tuples(text: str) -> list[list[str]]:
    """Parse tuples, one per line, with commas between the parts. Return them in lower case.

    Raises InputError if there are too many lines or a line is invalid. In the second case, the error names the line.
    """
    lines = [(line_number, line.strip()) for line_number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > MAX_TUPLES:
        raise InputError("tuples", Message("class.lines", number=len(lines)), Message("expected.at_most", number=MAX_TUPLES))
    rows = []
    for line_number, line in lines:
        parts = [part.strip() for part in re.split("[,、，]", line[:MAX_LINE_CHARS].strip("()（） "))]
        if len(parts) > 3 or not all(parts) or len(line) > MAX_LINE_CHARS:
            raise InputError(Message("where.line", number=line_number), line[:40], Message("class.tuple_line"))
        rows.append([part.lower() for part in parts])
    return rows


def normalise(text: str) -> str:
    """Return the words of a text in lower case, without punctuation, separated by single spaces."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def words_of(text: str) -> list[str]:
    """Return the words of a text according to the tokenizer of the exercise's language."""
    return normalise(" ".join(tokenise_captions((text,), language(current_material().lang))[0])).split()


def _check_ratio(scored_captions: ScoredCaptions, ratio_name: str, expected_ratio: float) -> Condition:
    overall = scored_captions.result.overall
    value, total = getattr(overall, ratio_name), overall.candidate if ratio_name == "precision" else overall.reference
    values = {"found": value, "matched": overall.matched, "total": total, "wanted": expected_ratio}
    return Condition(ratio_name, abs(value - expected_ratio) < 1e-9, values)


def _check_f1(scored_captions: ScoredCaptions, minimum: float) -> Condition:
    result = scored_captions.result
    return Condition("f1", result.f1 >= minimum - 1e-9, {"found": result.f1, "wanted": minimum} | _tuple_differences(scored_captions))


def _check_new_caption(text: str, *old_captions: str) -> Condition:
    return Condition("new", normalise(text).replace(" ", "") not in [normalise(caption).replace(" ", "") for caption in old_captions])


def _check_graph(answer: AnswerFields, material: Material) -> CheckedAnswer:
    config = settings.default_config(material.lang)
    given_parse = parse_from_tuples(read_tuples(answer["tuples"]), where="tuples")
    scored_captions = results.compare_parses(given_parse, [engine.cached_parse(material.coat, config)], config)
    return CheckedAnswer((_check_f1(scored_captions, 0.9),), scored_captions)


def _check_precision(answer: AnswerFields, material: Material) -> CheckedAnswer:
    scored_captions = score_candidate(answer["candidate"], *material.buses)
    tuple_count = len(scored_captions.result.candidate_tuples)
    is_single = Condition("tuples", tuple_count == 1, {"found": tuple_count, "wanted": 1})
    return CheckedAnswer((_check_ratio(scored_captions, "precision", 1), is_single), scored_captions)


def _check_recall(answer: AnswerFields, material: Material) -> CheckedAnswer:
    scored_captions = score_candidate(answer["candidate"], material.sofa)
    ratios = ("recall", 1), ("precision", 0.5)
    return CheckedAnswer(tuple(_check_ratio(scored_captions, *ratio) for ratio in ratios), scored_captions)


def _check_repair(answer: AnswerFields, material: Material) -> CheckedAnswer:
    captions = material.three_horses, answer["candidate"]
    score_before, scored_captions = (score_candidate(caption, *material.horse_references) for caption in captions)
    a, b = map(words_of, captions)
    change_count = sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))
    count, colour = (scored_captions.result.scores[name].f1 for name in ("Cardinality", "Color"))
    conditions = (
        Condition("count", count == 1, {"found": count}),
        Condition("colour", colour == score_before.result.scores["Color"].f1, {"found": colour}),
        Condition("one_word", change_count == 1, {"found": change_count}),
    )
    return CheckedAnswer(conditions, scored_captions)


def _check_other_word(answer: AnswerFields, material: Material) -> CheckedAnswer:
    scored_captions = score_candidate(answer["candidate"], material.sofa)
    conditions = (
        Condition("without", material.sofa_word not in words_of(answer["candidate"]), {"word": material.sofa_word}),
        _check_f1(scored_captions, 1),
        Condition("synonym", bool(_shared_senses_by_object(scored_captions))),
    )
    return CheckedAnswer(conditions, scored_captions)


def _shared_senses_by_object(scored_captions: ScoredCaptions) -> dict[str, list[str]]:
    """Return the names of the shared senses for each object of the candidate that matches by a sense."""
    source = engine.cached_metric(scored_captions.settings).synonyms
    return {
        "/".join(match.candidate.words): [source.synset(id).name for id in match.evidence[0].synsets]
        for match in scored_captions.result.matches
        if match.state is MatchState.SYNONYM and match.candidate.kind == "object"
    }


def gloss_by_sense(scored_captions: ScoredCaptions) -> dict[str, str]:
    """Return the gloss of each noun sense of the objects that match by a sense, by the name of the sense."""
    source = engine.cached_metric(scored_captions.settings).synonyms
    ids = dict.fromkeys(id for word in _shared_senses_by_object(scored_captions) for id in sorted(source.ids(word)))
    return {synset.name: synset.gloss for synset in map(source.synset, ids) if ".n." in synset.name}  # objects are nouns


def _check_false_synonym(answer: AnswerFields, material: Material) -> CheckedAnswer:
    scored_captions = score_candidate(answer["candidate"], answer["reference"])
    shared_names = {name for names in _shared_senses_by_object(scored_captions).values() for name in names}
    conditions = [_check_f1(scored_captions, 1), Condition("synonym", bool(shared_names))]
    if material.lang == "en":  # only WordNet offers several senses of a word
        matched_name, meant = answer.get("sense_matched", ""), answer.get("sense_meant", "")
        conditions.append(Condition("sense_matched", matched_name in shared_names))
        conditions.append(Condition("sense_meant", bool(meant) and meant not in shared_names and meant in gloss_by_sense(scored_captions)))
    return CheckedAnswer(tuple(conditions), scored_captions)


def _check_low_rouge(answer: AnswerFields, material: Material) -> CheckedAnswer:
    scored_captions = score_candidate(answer["candidate"], *material.buses)
    rouge = results.word_metric_scores(((answer["candidate"], material.buses),), ("ROUGE-L",)).get("ROUGE-L", [0.0])[0]
    precision = scored_captions.result.precision
    conditions = (
        _check_f1(scored_captions, 0.75),
        Condition("precise", precision >= 0.8, {"found": precision, "wanted": 0.8}),
        Condition("rouge", rouge <= 0.75, {"found": rouge, "wanted": 0.75}),
    )
    return CheckedAnswer(conditions, scored_captions)


def _check_false_caption(answer: AnswerFields, material: Material) -> CheckedAnswer:
    scored_captions = score_candidate(answer["candidate"], material.sofa)
    result, added_words = scored_captions.result, set(words_of(answer["candidate"])) - set(words_of(material.sofa))
    conditions = (
        Condition("same_tuples", not result.extra and not result.missed, _tuple_differences(scored_captions)),
        _check_new_caption(answer["candidate"], material.sofa),
        Condition("doubt", not added_words.isdisjoint(material.hedge_words), {"words": join_items(material.hedge_examples)}),
    )
    return CheckedAnswer(conditions, scored_captions)


def _tuple_differences(scored_captions: ScoredCaptions) -> dict[str, Any]:
    result = scored_captions.result
    return _difference_values([t.words for t in result.extra], [t.words for t in result.missed])


def _difference_values(extra_tuples: Collection[tuple[str, ...]], missing_tuples: Collection[tuple[str, ...]]) -> dict[str, Any]:
    """Return the values for a hint on tuples: the tuples on only one side, and their numbers."""
    extra, missing = (" ".join(f"({', '.join(words)})" for words in tuples_) or "–" for tuples_ in (extra_tuples, missing_tuples))
    return {"extra": extra, "missing": missing, "only": len(extra_tuples), "lacking": len(missing_tuples)}


def _check_redundant(answer: AnswerFields, material: Material) -> CheckedAnswer:
    references = material.dog_references
    score_before, scored_captions = (score_candidate(material.white_dog, *references, *added) for added in ((), (answer["reference"],)))
    a, b = (side.result.overall for side in (score_before, scored_captions))
    conditions = (
        _check_new_caption(answer["reference"], *references),
        Condition("same_number", a.reference == b.reference, {"found": b.reference, "wanted": a.reference}),
        Condition("same_f1", abs(a.f1 - b.f1) < 1e-9, {"found": b.f1, "wanted": a.f1}),
    )
    return CheckedAnswer(conditions, scored_captions)


def _check_judgement(answer: AnswerFields, material: Material) -> CheckedAnswer:
    """Check the tuples written for a sentence, and a paraphrase that both parsers must read in the same way."""
    config = settings.default_config(material.lang)
    given_tuples = _tuples_without_implied_actions(parse_from_tuples(read_tuples(answer["tuples"]), where="tuples"), config)
    scored_captions = score_candidate(answer["candidate"], material.correct_caption)
    misread_score = results.score_original(CaptionInputs(answer["candidate"], (material.misread_caption,)), material.lang)
    current_tuples, misread_tuples = (
        _tuples_without_implied_actions(reading.parses[0], reading.settings) for reading in (scored_captions, misread_score)
    )
    sentence = _tuples_without_implied_actions(engine.cached_parse(material.correct_caption, config), config)
    conditions = (
        _check_new_caption(answer["candidate"], material.misread_caption),
        _check_same_tuples("meaning", current_tuples, sentence),
        _check_same_tuples("right_tuples", given_tuples, current_tuples),
        _check_same_tuples("both", misread_tuples, current_tuples),
    )
    return CheckedAnswer(conditions, scored_captions)


def _check_same_tuples(condition_name: str, actual: frozenset[tuple[str, ...]], expected_tuples: frozenset[tuple[str, ...]]) -> Condition:
    differences = _difference_values(sorted(actual - expected_tuples), sorted(expected_tuples - actual))
    return Condition(condition_name, actual == expected_tuples, differences)


def _tuples_without_implied_actions(parse: Parse, config: SpiceConfig) -> frozenset[tuple[str, ...]]:
    """Return the parsed tuples except actions that a relation of the same subject implies."""
    words = _tuple_words(parse, config)
    verbs = {(w[0], w[1].split()[0]) for w in words if len(w) == 3}
    return frozenset(w for w in words if len(w) != 2 or w not in verbs)


def _tuple_words(parse: Parse, config: SpiceConfig) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple_.words for tuple_ in engine.cached_metric(config).graph([parse]).tuples())


@cache
def rules_with_pattern(pattern: str, lang: str) -> str:
    """Return the bundled rules with a new pattern for the rule to repair. Raises InputError for several lines or '''."""
    rules, name = MATERIAL_BY_LANGUAGE[lang].rule
    text = language(lang).rules[rules].read_text(encoding="utf-8")
    match = re.search(rf'(\[\[rule\]\]\nname = "{name}"\n.*?\npattern = )(\'\'\'.*?\'\'\'|\'.*?\'|".*?")', text, re.S)
    if not match or "'''" in pattern or "\n" in pattern:
        raise InputError("pattern", pattern[:40], "one line without '''")
    return text[: match.start(2)] + f"'''{pattern}'''" + text[match.end(2) :]


def _check_rule(answer: AnswerFields, material: Material) -> CheckedAnswer:
    default, text = settings.default_config(material.lang), rules_with_pattern(answer["pattern"], material.lang)
    config = SpiceConfig(material.lang, default.parser, "mine", default.synonyms, rules_text=text)
    conditions, parse_comparisons = [], []
    for caption in material.rule_captions:
        parses = [engine.cached_parse(caption, compared_config) for compared_config in (config, default)]
        condition = _check_same_tuples("parses", *(_tuple_words(parse, default) for parse in parses))
        conditions.append(replace(condition, values={"caption": caption, **condition.values}))
        parse_comparisons.append(results.compare_parses(parses[0], parses[1:], default))
    shown_index = next((index for index, condition in enumerate(conditions) if not condition.holds), 0)
    return CheckedAnswer(tuple(conditions), parse_comparisons[shown_index])


def _check_order(answer: AnswerFields, material: Material) -> CheckedAnswer:
    scored_captions = score_candidate(answer["candidate"], UMBRELLA_CAPTION, config=settings.default_config("ja"))
    has_placeholder = any(PLACEHOLDER in words for tuple_ in scored_captions.result.candidate_tuples for words in tuple_.words)
    conditions = (
        _check_new_caption(answer["candidate"], UMBRELLA_CAPTION),
        Condition("subject", not has_placeholder),
        _check_f1(scored_captions, 1),
    )
    return CheckedAnswer(conditions, scored_captions)


def _check_meaning(answer: AnswerFields, material: Material) -> CheckedAnswer:
    """Check a caption that the given caption entails by more than equal words, and a caption that it contradicts."""
    follows, contradicts = (score_by_meaning(answer[name], material.cup) for name in ("follows", "contradicts"))
    states = [{row.state for row in side.explanation.rows if row.side == "c"} for side in (follows, contradicts)]
    conditions = (
        _check_ratio(follows, "precision", 1),
        Condition("entailed", MatchState.ENTAILED in states[0]),
        Condition("contradicted", MatchState.CONTRADICTED in states[1]),
    )
    return CheckedAnswer(conditions, contradicts if all(condition.holds for condition in conditions[:2]) else follows)


def _check_questions(answer: AnswerFields, material: Material) -> CheckedAnswer:
    """Check the numbers of the questions whose answer for the caption is yes."""
    chosen_numbers = set(map(int, re.findall(r"\d{1,3}", answer["numbers"])))
    right_numbers = {number for number, (_, holds) in enumerate(_listed_questions(), 1) if holds}
    wrong_numbers = sorted(chosen_numbers - right_numbers)
    conditions = (
        Condition("only_yes", bool(chosen_numbers) and not wrong_numbers, {"numbers": join_items(map(str, wrong_numbers)) or "–"}),
        Condition("all_yes", right_numbers <= chosen_numbers, {"lacking": len(right_numbers - chosen_numbers)}),
    )
    return CheckedAnswer(conditions, score_candidate(material.coat, material.white_dog))


def _listed_questions() -> list[tuple[str, bool]]:
    """Return the questions of the caption, mixed with questions of another caption whose answer is no.

    Each question comes with whether the caption answers yes.
    """
    captions = current_material().coat, current_material().white_dog
    own, other = (score_candidate(*pair).result for pair in (captions, captions[::-1]))
    questions = [(question, True) for question in candidate_questions(own)]
    questions += [(question, False) for question in candidate_questions(other) if question.node not in other.match_by_tuple]
    return [(question.text, holds) for question, holds in sorted(questions, key=lambda pair: pair[0].id)]


def _make_exercises(material: Material) -> tuple[Exercise, ...]:
    """Create the exercises with the captions of a language, in order of their numbers."""
    checks: tuple[tuple[int, Check, tuple[str, ...]], ...] = (
        (1, _check_graph, (material.coat,)),
        (1, _check_precision, material.buses),
        (1, _check_recall, (material.sofa,)),
        (1, _check_repair, material.horse_references),
        (2, _check_other_word, (material.sofa,)),
        (2, _check_false_synonym, ()),
        (2, _check_low_rouge, material.buses),
        (2, _check_false_caption, (material.sofa,)),
        (2, _check_redundant, (material.white_dog, *material.dog_references)),
        (3, _check_judgement, (material.misread_caption,)),
        (3, _check_rule, material.rule_captions),
        (3, _check_order, (UMBRELLA_CAPTION,)),
        (2, _check_meaning, (material.cup,)),
        (1, _check_questions, (material.coat,)),
    )
    exercises = []
    for number, (grade, check, given_texts) in enumerate(checks, 1):
        texts, lang = material.answers_by_number[str(number)], "ja" if check is _check_order else material.lang
        exercises.append(Exercise(f"{material.exercise_prefix}{number}", grade, check, texts["initial"], texts["model"], given_texts, lang))
    return tuple(exercises)


_EXERCISES_BY_LANGUAGE = {lang: _make_exercises(material) for lang, material in MATERIAL_BY_LANGUAGE.items()}
ENGLISH_EXERCISES = _EXERCISES_BY_LANGUAGE[ENGLISH_MATERIAL.lang]
EXERCISE_BY_ID = {exercise.id: exercise for exercises in _EXERCISES_BY_LANGUAGE.values() for exercise in exercises}


def exercise_set() -> tuple[Exercise, ...]:
    """Return the exercises in the interface language or, if there are none, in English."""
    return _EXERCISES_BY_LANGUAGE[current_material().lang]
