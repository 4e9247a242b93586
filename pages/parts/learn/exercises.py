"""Exercises that the engine judges: each is a list of conditions on results, so no file of solutions is needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pages.parts.kit.texts import problem, t
from pages.parts.learn import lessons, results
from pages.parts.learn.lessons import BUSES, DOGS, HORSES, SOFA, THREE, WHITE, score_english
from pages.parts.state import engine, settings
from pages.parts.state.engine import Inputs, Scored
from pages.parts.state.limits import find_excess
from spice_core import SpiceConfig
from spice_core.errors import InputError, Message, SpiceError
from spice_core.lang import language
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import PLACEHOLDER, Parse, from_tuples

Answer = Mapping[str, str]
COAT = "A woman in a red coat holds a small dog."
SLEEP = lessons.TODDLER.replace("are sleeping", "sleep")
CUP = "A red cup is to the left of a lamp."
UMBRELLA = "人が傘をさして海を見ている"
NARROW_PATTERN = "{tag:NN}=noun >amod {tag:JJ}=adjective"
RULE_CAPTIONS = ("Two small dogs sleep on a sofa.", "A pan with chopped vegetables in it.", "A larger dog sleeps on a sofa.")
HEDGES = frozenset(
    "almost nearly rarely hardly seldom scarcely barely might may could would should can will maybe perhaps possibly if unless false "
    "only once soon sometimes supposedly allegedly".split()
)  # words that change whether a caption is true
MAX_TUPLES, MAX_LINE_CHARS = 40, 200
TRIES_BEFORE_ANSWER = 3
_UNREADABLE = ("empty", "excess", "unread")  # conditions of an answer that is not counted as a try
_DETAILED = ("f1", "same_tuples", "meaning", "right_tuples", "both", "parses")  # conditions whose second hint names the tuples


@dataclass(frozen=True)
class Condition:
    """One condition of an exercise, and the values for its hint."""

    name: str
    holds: bool
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hint(self) -> str:
        """Advice for an answer that does not meet the condition."""
        return t(f"hints.{self.name}", **self.values)

    @property
    def details(self) -> list[str]:
        """The tuples that differ, for conditions on tuples."""
        return [t(f"hints.{self.name}_more", **self.values)] if self.name in _DETAILED else []


@dataclass(frozen=True)
class Checked:
    """The conditions of an answer, in order, and the result that they describe."""

    conditions: tuple[Condition, ...]
    result: Scored | None = None

    @property
    def solved(self) -> bool:
        """Whether all conditions hold."""
        return all(condition.holds for condition in self.conditions)

    @property
    def failed(self) -> Condition | None:
        """The first condition that does not hold."""
        return next((condition for condition in self.conditions if not condition.holds), None)

    @property
    def is_try(self) -> bool:
        """Whether the answer could be read, and is wrong."""
        return self.failed is not None and self.failed.name not in _UNREADABLE


@dataclass(frozen=True)
class Exercise:
    """A task with its fields, their initial texts, a model answer, and the check of an answer."""

    id: str
    grade: int
    check: Callable[[Answer], Checked]
    start: Mapping[str, str]
    model: Mapping[str, str]
    given: tuple[str, ...] = ()
    lang: str = "en"


def check(exercise: Exercise, answer: Answer) -> Checked:
    """Judge an answer; an answer that cannot be read fails with the reason."""
    texts = [text.strip() for name, text in answer.items() if not name.startswith("sense_")]
    if not all(texts):
        return Checked((Condition("empty", False),))
    if too_much := find_excess(Inputs(texts[0], tuple(texts[1:]))):
        return Checked((Condition("excess", False, {"found": too_much[0][0], "expected": too_much[0][1]}),))
    try:
        return exercise.check({name: text.strip() for name, text in answer.items()})
    except SpiceError as error:
        return Checked((Condition("unread", False, {"reason": problem(error)}),))


def hints(exercise: Exercise, checked: Checked, tries: int) -> list[str]:
    """Return one hint for each try: the first unmet condition, then its tuples, then a tip."""
    if not checked.failed:
        return []
    return [checked.failed.hint, *checked.failed.details, t(f"exercises.{exercise.id.lower()}_tip")][: max(tries, 1)]


def answer_in(exercise: Exercise, inputs: Inputs) -> dict[str, str]:
    """Return the answer that captions give; empty if the exercise asks for something else."""
    given = {"candidate": inputs.candidate, "reference": inputs.references[-1]}
    return {name: given[name] for name in exercise.start} if given.keys() >= exercise.start.keys() else {}


def neighbour(exercise: Exercise, by: int) -> Exercise:
    """Return the exercise so many places further; the first one follows the last."""
    return EXERCISES[(EXERCISES.index(exercise) + by) % len(EXERCISES)]


def read_tuples(text: str) -> list[list[str]]:
    """Read tuples, one a line, with commas between their parts. Raises InputError naming the line."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > MAX_TUPLES:
        raise InputError("tuples", Message("class.lines", number=len(lines)), Message("expected.at_most", number=MAX_TUPLES))
    rows = []
    for number, line in lines:
        parts = [part.strip() for part in re.split("[,、，]", line[:MAX_LINE_CHARS].strip("()（） "))]
        if len(parts) > 3 or not all(parts) or len(line) > MAX_LINE_CHARS:
            raise InputError(Message("where.line", number=number), line[:40], Message("class.tuple_line"))
        rows.append([part.lower() for part in parts])
    return rows


def normalise(text: str) -> str:
    """Return the words of a text in lower case, without punctuation, separated by single spaces."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _tuples_text(tuples_: Iterable[tuple[str, ...]]) -> str:
    return " ".join(f"({', '.join(words)})" for words in tuples_) or "–"


def _check_ratio(name: str, scored: Scored, part: str, expected: float) -> Condition:
    overall = scored.result.overall
    value, total = getattr(overall, part), overall.candidate if part == "precision" else overall.reference
    values = {"found": value, "matched": overall.matched, "total": total, "wanted": expected}
    return Condition(name, abs(value - expected) < 1e-9, values)


def _check_f1(scored: Scored, least: float) -> Condition:
    result = scored.result
    return Condition("f1", result.f1 >= least - 1e-9, {"found": result.f1, "wanted": least} | _tuple_differences(scored))


def _check_new_caption(text: str, *old: str) -> Condition:
    return Condition("new", normalise(text).replace(" ", "") not in [normalise(caption).replace(" ", "") for caption in old])


def _check_graph(answer: Answer) -> Checked:
    config = settings.default_config("en")
    given = from_tuples(read_tuples(answer["tuples"]), where="tuples")
    scored = results.compare_parses(given, [engine.parse(COAT, config)], config)
    return Checked((_check_f1(scored, 0.9),), scored)


def _check_precision(answer: Answer) -> Checked:
    scored = score_english(answer["candidate"], *BUSES)
    number = len(scored.result.candidate_tuples)
    return Checked(
        (_check_ratio("precision", scored, "precision", 1), Condition("tuples", number == 1, {"found": number, "wanted": 1})), scored
    )


def _check_recall(answer: Answer) -> Checked:
    scored = score_english(answer["candidate"], SOFA)
    return Checked((_check_ratio("recall", scored, "recall", 1), _check_ratio("precision", scored, "precision", 0.5)), scored)


def _check_repair(answer: Answer) -> Checked:
    scored, before = score_english(answer["candidate"], *HORSES), score_english(THREE, *HORSES)
    a, b = normalise(THREE).split(), normalise(answer["candidate"]).split()
    changed = sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))
    count, colour = (scored.result.scores[name].f1 for name in ("Cardinality", "Color"))
    conditions = (
        Condition("count", count == 1, {"found": count}),
        Condition("colour", colour == before.result.scores["Color"].f1, {"found": colour}),
        Condition("one_word", changed == 1, {"found": changed}),
    )
    return Checked(conditions, scored)


def synonym_matches(scored: Scored) -> dict[str, list[str]]:
    """Return the objects of the candidate that match by a sense, each with the names of the shared senses."""
    out: dict[str, list[str]] = {}
    source = engine.engine(scored.settings).synonyms
    for match in scored.result.matches:
        if match.state is MatchState.SYNONYM and match.candidate.kind == "object":
            out["/".join(match.candidate.words)] = [source.synset(id).name for id in match.evidence[0].synsets]
    return out


def _check_other_word(answer: Answer) -> Checked:
    scored = score_english(answer["candidate"], SOFA)
    absent = "sofa" not in normalise(answer["candidate"]).split()
    return Checked(
        (Condition("without", absent, {"word": "sofa"}), _check_f1(scored, 1), Condition("synonym", bool(synonym_matches(scored)))), scored
    )


def senses_of(scored: Scored) -> dict[str, str]:
    """Return the senses of the words that matched by a sense: glosses by name."""
    source = engine.engine(scored.settings).synonyms
    ids = dict.fromkeys(id for word in synonym_matches(scored) for id in sorted(source.ids(word)))
    found_senses = {source.synset(id).name: source.synset(id).gloss for id in ids}
    return {name: gloss for name, gloss in found_senses.items() if ".n." in name}  # objects are nouns


def _check_false_synonym(answer: Answer) -> Checked:
    scored = score_english(answer["candidate"], answer["reference"])
    shared = {name for names in synonym_matches(scored).values() for name in names}
    matched, meant = answer.get("sense_matched", ""), answer.get("sense_meant", "")
    conditions = (
        _check_f1(scored, 1),
        Condition("synonym", bool(shared)),
        Condition("sense_matched", matched in shared),
        Condition("sense_meant", bool(meant) and meant not in shared and meant in senses_of(scored)),
    )
    return Checked(conditions, scored)


def _check_misled(answer: Answer) -> Checked:
    scored = score_english(answer["candidate"], *BUSES)
    rouge = results.word_scores(((answer["candidate"], BUSES),), ("ROUGE-L",)).get("ROUGE-L", [0.0])[0]
    precision = scored.result.precision
    conditions = (
        _check_f1(scored, 0.75),
        Condition("precise", precision >= 0.8, {"found": precision, "wanted": 0.8}),
        Condition("rouge", rouge <= 0.75, {"found": rouge, "wanted": 0.75}),
    )
    return Checked(conditions, scored)


def _check_false_caption(answer: Answer) -> Checked:
    scored = score_english(answer["candidate"], SOFA)
    added = set(normalise(answer["candidate"]).split()) - set(normalise(SOFA).split())
    conditions = (
        Condition("same_tuples", not scored.result.extra and not scored.result.missed, _tuple_differences(scored)),
        _check_new_caption(answer["candidate"], SOFA),
        Condition("doubt", bool(added & HEDGES), {"words": ", ".join(("almost", "rarely", "might", "if"))}),
    )
    return Checked(conditions, scored)


def _tuple_differences(scored: Scored) -> dict[str, Any]:
    result = scored.result
    return _difference_values([t.words for t in result.extra], [t.words for t in result.missed])


def _difference_values(extra: Collection[tuple[str, ...]], missing: Collection[tuple[str, ...]]) -> dict[str, Any]:
    """Return the values of a hint on tuples: those of one side only, and their numbers."""
    return {"extra": _tuples_text(extra), "missing": _tuples_text(missing), "only": len(extra), "lacking": len(missing)}


def _check_redundant(answer: Answer) -> Checked:
    before, scored = score_english(WHITE, *DOGS), score_english(WHITE, *DOGS, answer["reference"])
    a, b = (side.result.overall for side in (before, scored))
    values = {"found": b.reference, "wanted": a.reference}
    conditions = (
        _check_new_caption(answer["reference"], *DOGS),
        Condition("same_number", a.reference == b.reference, values),
        Condition("same_f1", abs(a.f1 - b.f1) < 1e-9, {"found": b.f1, "wanted": a.f1}),
    )
    return Checked(conditions, scored)


def _check_judgement(answer: Answer) -> Checked:
    """Check the tuples that the visitor wrote for a sentence, and a paraphrase that both parsers must read alike."""
    config = settings.default_config("en")
    yours = _tuples_without_implied(from_tuples(read_tuples(answer["tuples"]), where="tuples"), config)
    scored = score_english(answer["candidate"], SLEEP)
    other = results.score_original(Inputs(answer["candidate"], (SLEEP,)), "en")
    today, first = (_tuples_without_implied(reading.parses[0], reading.settings) for reading in (scored, other))
    sentence = _tuples_without_implied(engine.parse(SLEEP, config), config)
    return Checked(
        (
            _check_new_caption(answer["candidate"], SLEEP),
            _check_same_tuples("meaning", today, sentence),
            _check_same_tuples("right_tuples", yours, today),
            _check_same_tuples("both", first, today),
        ),
        scored,
    )


def _check_same_tuples(name: str, actual: frozenset[tuple[str, ...]], expected: frozenset[tuple[str, ...]]) -> Condition:
    return Condition(name, actual == expected, _difference_values(sorted(actual - expected), sorted(expected - actual)))


def _tuples_without_implied(parse: Parse, config: SpiceConfig) -> frozenset[tuple[str, ...]]:
    """Return the tuples of a parse without actions that a relation of the same subject implies."""
    words = {tuple_.words for tuple_ in engine.engine(config).graph([parse]).tuples()}
    verbs = {(w[0], w[1].split()[0]) for w in words if len(w) == 3}
    return frozenset(w for w in words if len(w) != 2 or w not in verbs)


@cache
def rules_with(pattern: str) -> str:
    """Return the bundled English rules with another pattern for adjectives. Raises InputError if they have no such rule."""
    text = language("en").rules["caption"].read_text(encoding="utf-8")
    match = re.search(r'(\[\[rule\]\]\nname = "adjective"\n.*?\npattern = )(\'\'\'.*?\'\'\'|\'.*?\'|".*?")', text, re.S)
    if not match or "'''" in pattern or "\n" in pattern:
        raise InputError("pattern", pattern[:40], "one line without '''")
    return text[: match.start(2)] + f"'''{pattern}'''" + text[match.end(2) :]


def _check_rule(answer: Answer) -> Checked:
    default = settings.default_config("en")
    config = SpiceConfig("en", default.parser, "mine", default.synonyms, rules_text=rules_with(answer["pattern"]))
    conditions, results_ = [], []
    for caption in RULE_CAPTIONS:
        parses = [engine.parse(caption, each) for each in (config, default)]
        edited, bundled = ({t.words for t in engine.engine(default).graph([parse]).tuples()} for parse in parses)
        values = _difference_values(sorted(edited - bundled), sorted(bundled - edited))
        conditions.append(Condition("parses", edited == bundled, {"caption": caption} | values))
        results_.append(results.compare_parses(parses[0], parses[1:], default))
    shown = next((number for number, condition in enumerate(conditions) if not condition.holds), 0)
    return Checked(tuple(conditions), results_[shown])


def _check_order(answer: Answer) -> Checked:
    scored = score_english(answer["candidate"], UMBRELLA, config=settings.default_config("ja"))
    implicit = any(PLACEHOLDER in words for tuple_ in scored.result.candidate_tuples for words in tuple_.words)
    return Checked((_check_new_caption(answer["candidate"], UMBRELLA), Condition("subject", not implicit), _check_f1(scored, 1)), scored)


def _check_meaning(answer: Answer) -> Checked:
    """Check a caption that follows from the given one, not only by words, and a caption that contradicts it."""
    follows, contradicts = (lessons.score_by_meaning(answer[name], CUP) for name in ("follows", "contradicts"))
    states = [Counter(row.state for row in scored.explanation.rows if row.side == "c") for scored in (follows, contradicts)]
    conditions = (
        _check_ratio("precision", follows, "precision", 1),
        Condition("entailed", states[0][MatchState.ENTAILED] > 0),
        Condition("contradicted", states[1][MatchState.CONTRADICTED] > 0),
    )
    return Checked(conditions, contradicts if all(condition.holds for condition in conditions[:2]) else follows)


_MISLEADING = (
    "Red double decker bus. Bus driving past other buses. Bus driving down a city street. Bus driving on the road. Middle of the road."
)
_COAT_TUPLES = "woman\ncoat\ncoat, red\nwoman, in, coat\ndog\ndog, small\nwoman, hold\nwoman, hold, dog"
_SLEEP_TUPLES = (
    "dog\ndog, two\ndog, small\ntoddler\nsofa\nsofa, red\ndog, sleep\ntoddler, sleep\ndog, sleep on, sofa\ntoddler, sleep on, sofa"
)
EXERCISES = (
    Exercise("E1", 1, _check_graph, {"tuples": "woman\nwoman, hold, coat"}, {"tuples": _COAT_TUPLES}, (COAT,)),
    Exercise("E2", 1, _check_precision, {"candidate": "A red bus and a dog."}, {"candidate": "A bus."}, BUSES),
    Exercise("E3", 1, _check_recall, {"candidate": SOFA}, {"candidate": "A dog sleeps on a sofa and a cat sits on a chair."}, (SOFA,)),
    Exercise("E4", 1, _check_repair, {"candidate": THREE}, {"candidate": lessons.TWO}, HORSES),
    Exercise("E5", 2, _check_other_word, {"candidate": SOFA}, {"candidate": "A dog sleeps on a couch."}, (SOFA,)),
    Exercise(
        "E6", 2, _check_false_synonym, {"candidate": "A man holds a dog.", "reference": "A man holds a hotdog."},
        {"candidate": "A boy looks at a seal.", "reference": "A boy looks at a stamp.", "sense_matched": "seal.n.02", "sense_meant": "seal.n.09"},
    ),
    Exercise("E7", 2, _check_misled, {"candidate": lessons.CARDS[0]}, {"candidate": _MISLEADING}, BUSES),
    Exercise("E8", 2, _check_false_caption, {"candidate": "No dog sleeps on a sofa."}, {"candidate": "A dog almost sleeps on a sofa."}, (SOFA,)),
    Exercise("E9", 2, _check_redundant, {"reference": "A big dog barks."}, {"reference": "A brown dog is sleeping on a lounge."}, (WHITE, *DOGS)),
    Exercise(
        "E10", 3, _check_judgement, {"tuples": "dog\nsleep\nsleep, toddler", "candidate": SLEEP},
        {"tuples": _SLEEP_TUPLES, "candidate": lessons.TODDLER}, (SLEEP,),
    ),
    Exercise("E11", 3, _check_rule, {"pattern": NARROW_PATTERN}, {"pattern": "{tag:/NN.*/}=noun >amod {tag:/JJ.*|VB[NG]/}=adjective"}, RULE_CAPTIONS),
    Exercise("E12", 3, _check_order, {"candidate": "傘をさして海を見ている"}, {"candidate": "傘をさした人が海を見ている"}, (UMBRELLA,), "ja"),
    Exercise(
        "E13", 2, _check_meaning, {"follows": CUP, "contradicts": CUP},
        {"follows": "A lamp is to the right of a cup.", "contradicts": "A blue cup is to the left of a lamp."}, (CUP,),
    ),
)  # fmt: skip
BY_ID = {exercise.id: exercise for exercise in EXERCISES}
