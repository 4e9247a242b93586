"""Exercises that the engine judges: each is a list of conditions on results; there is no file of solutions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
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
UMBRELLA = "人が傘をさして海を見ている"
NARROW = "{tag:NN}=noun >amod {tag:JJ}=adjective"
REPAIRED = ("Two small dogs sleep on a sofa.", "A pan with chopped vegetables in it.", "A larger dog sleeps on a sofa.")
DOUBT = frozenset(
    "almost nearly rarely hardly seldom scarcely barely might may could would should can will maybe perhaps possibly if unless false "
    "only once soon sometimes supposedly allegedly".split()
)  # words that change whether a caption is true
MOST_TUPLES, LONGEST_LINE = 40, 200


@dataclass(frozen=True)
class Condition:
    """One condition of an exercise, and the values of its hint."""

    name: str
    holds: bool
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hint(self) -> str:
        """What to do where it does not hold."""
        return t(f"hints.{self.name}", **self.values)


@dataclass(frozen=True)
class Checked:
    """The conditions of an answer, in order, and the result that they are about."""

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


@dataclass(frozen=True)
class Exercise:
    """A task with its fields, the texts that these begin with, a model answer, and the check of an answer."""

    id: str
    grade: int
    check: Callable[[Answer], Checked]
    start: Mapping[str, str]
    model: Mapping[str, str]
    given: tuple[str, ...] = ()
    lang: str = "en"


def check(exercise: Exercise, answer: Answer) -> Checked:
    """Judge an answer; one that cannot be read fails with the reason."""
    texts = [text.strip() for name, text in answer.items() if not name.startswith("sense_")]
    if not all(texts):
        return Checked((Condition("empty", False),))
    if too_much := find_excess(Inputs(texts[0], tuple(texts[1:]))):
        return Checked((Condition("excess", False, {"found": too_much[0][0], "expected": too_much[0][1]}),))
    try:
        return exercise.check({name: text.strip() for name, text in answer.items()})
    except SpiceError as error:
        return Checked((Condition("unread", False, {"reason": problem(error)}),))


def read_tuples(text: str) -> list[list[str]]:
    """Tuples written one a line with commas between their parts. Raises InputError naming the line."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > MOST_TUPLES:
        raise InputError("tuples", Message("class.lines", number=len(lines)), Message("expected.at_most", number=MOST_TUPLES))
    rows = []
    for number, line in lines:
        parts = [part.strip() for part in re.split("[,、，]", line[:LONGEST_LINE].strip("()（） "))]
        if len(parts) > 3 or not all(parts) or len(line) > LONGEST_LINE:
            raise InputError(Message("where.line", number=number), line[:40], Message("class.tuple_line"))
        rows.append([part.lower() for part in parts])
    return rows


def normalise(text: str) -> str:
    """A text without case, punctuation and white space at its ends."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _words(found: Iterable[tuple[str, ...]]) -> str:
    return " ".join(f"({', '.join(words)})" for words in found) or "–"


def _ratio(name: str, found: Scored, part: str, wanted: float) -> Condition:
    overall = found.result.overall
    value, total = getattr(overall, part), overall.candidate if part == "precision" else overall.reference
    values = {"found": value, "matched": overall.matched, "total": total, "wanted": wanted}
    return Condition(name, abs(value - wanted) < 1e-9, values)


def _f1(found: Scored, least: float) -> Condition:
    result = found.result
    values = {"found": result.f1, "wanted": least, "extra": _words(t.words for t in result.extra)}
    return Condition("f1", result.f1 >= least - 1e-9, values | {"missing": _words(t.words for t in result.missed)})


def _new_caption(text: str, *old: str) -> Condition:
    return Condition("new", normalise(text).replace(" ", "") not in [normalise(each).replace(" ", "") for each in old])


def _check_graph(answer: Answer) -> Checked:
    known = settings.default_config("en")
    given = from_tuples(read_tuples(answer["tuples"]), where="tuples")
    found = results.compare_parses(given, [engine.parse(COAT, known)], known)
    return Checked((_f1(found, 0.9),), found)


def _check_precision(answer: Answer) -> Checked:
    found = score_english(answer["candidate"], *BUSES)
    number = len(found.result.candidate_tuples)
    return Checked((_ratio("precision", found, "precision", 1), Condition("tuples", number == 1, {"found": number, "wanted": 1})), found)


def _check_recall(answer: Answer) -> Checked:
    found = score_english(answer["candidate"], SOFA)
    return Checked((_ratio("recall", found, "recall", 1), _ratio("precision", found, "precision", 0.5)), found)


def _check_repair(answer: Answer) -> Checked:
    found, before = score_english(answer["candidate"], *HORSES), score_english(THREE, *HORSES)
    a, b = normalise(THREE).split(), normalise(answer["candidate"]).split()
    changed = sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))
    count, colour = (found.result.scores[name].f1 for name in ("Cardinality", "Color"))
    conditions = (
        Condition("count", count == 1, {"found": count}),
        Condition("colour", colour == before.result.scores["Color"].f1, {"found": colour}),
        Condition("one_word", changed == 1, {"found": changed}),
    )
    return Checked(conditions, found)


def synonym_matches(found: Scored) -> dict[str, list[str]]:
    """The objects of the candidate that match by a sense, each with the names of the senses shared."""
    out: dict[str, list[str]] = {}
    source = engine.engine(found.settings).synonyms
    for match in found.result.matches:
        if match.state is MatchState.SYNONYM and match.candidate.kind == "object":
            out["/".join(match.candidate.words)] = [source.synset(id).name for id in match.evidence[0].synsets]
    return out


def _check_other_word(answer: Answer) -> Checked:
    found = score_english(answer["candidate"], SOFA)
    absent = "sofa" not in normalise(answer["candidate"]).split()
    return Checked(
        (Condition("without", absent, {"word": "sofa"}), _f1(found, 1), Condition("synonym", bool(synonym_matches(found)))), found
    )


def senses_of(found: Scored) -> dict[str, str]:
    """The senses of the words that matched by a sense: glosses by name."""
    source = engine.engine(found.settings).synonyms
    ids = dict.fromkeys(id for word in synonym_matches(found) for id in sorted(source.ids(word)))
    found_senses = {source.synset(id).name: source.synset(id).gloss for id in ids}
    return {name: gloss for name, gloss in found_senses.items() if ".n." in name}  # objects are nouns


def _check_false_synonym(answer: Answer) -> Checked:
    found = score_english(answer["candidate"], answer["reference"])
    shared = {name for names in synonym_matches(found).values() for name in names}
    matched, meant = answer.get("sense_matched", ""), answer.get("sense_meant", "")
    conditions = (
        _f1(found, 1),
        Condition("synonym", bool(shared)),
        Condition("sense_matched", matched in shared),
        Condition("sense_meant", bool(meant) and meant not in shared and meant in senses_of(found)),
    )
    return Checked(conditions, found)


def _check_misled(answer: Answer) -> Checked:
    found = score_english(answer["candidate"], *BUSES)
    rouge = results.word_scores(((answer["candidate"], BUSES),), ("ROUGE-L",)).get("ROUGE-L", [0.0])[0]
    precision = found.result.precision
    conditions = (
        _f1(found, 0.75),
        Condition("precise", precision >= 0.8, {"found": precision, "wanted": 0.8}),
        Condition("rouge", rouge <= 0.75, {"found": rouge, "wanted": 0.75}),
    )
    return Checked(conditions, found)


def _check_false_caption(answer: Answer) -> Checked:
    found = score_english(answer["candidate"], SOFA)
    added = set(normalise(answer["candidate"]).split()) - set(normalise(SOFA).split())
    conditions = (
        Condition("same_tuples", not found.result.extra and not found.result.missed, _differences(found)),
        _new_caption(answer["candidate"], SOFA),
        Condition("doubt", bool(added & DOUBT), {"words": ", ".join(("almost", "rarely", "might", "if"))}),
    )
    return Checked(conditions, found)


def _differences(found: Scored) -> dict[str, str]:
    result = found.result
    return {"extra": _words(t.words for t in result.extra), "missing": _words(t.words for t in result.missed)}


def _nothing_new(answer: Answer) -> Checked:
    before, found = score_english(WHITE, *DOGS), score_english(WHITE, *DOGS, answer["reference"])
    a, b = (one.result.overall for one in (before, found))
    values = {"found": b.reference, "wanted": a.reference}
    conditions = (
        _new_caption(answer["reference"], *DOGS),
        Condition("same_number", a.reference == b.reference, values),
        Condition("same_f1", abs(a.f1 - b.f1) < 1e-9, {"found": b.f1, "wanted": a.f1}),
    )
    return Checked(conditions, found)


def _check_judgement(answer: Answer) -> Checked:
    """The right tuples of a sentence, and a paraphrase that both parsers read alike."""
    known = settings.default_config("en")
    yours = _without_implied(from_tuples(read_tuples(answer["tuples"]), where="tuples"), known)
    mine = score_english(answer["candidate"], SLEEP)
    other = results.original(Inputs(answer["candidate"], (SLEEP,)), "en")
    today, first = (_without_implied(one.parses[0], one.settings) for one in (mine, other))
    sentence = _without_implied(engine.parse(SLEEP, known), known)
    return Checked(
        (
            _new_caption(answer["candidate"], SLEEP),
            _same("meaning", today, sentence),
            _same("right_tuples", yours, today),
            _same("both", first, today),
        ),
        mine,
    )


def _same(name: str, found: frozenset[tuple[str, ...]], wanted: frozenset[tuple[str, ...]]) -> Condition:
    values = {"extra": _words(sorted(found - wanted)), "missing": _words(sorted(wanted - found))}
    return Condition(name, found == wanted, values)


def _without_implied(parse: Parse, config: SpiceConfig) -> frozenset[tuple[str, ...]]:
    """The tuples of a parse without the actions that a relation of the same subject says too."""
    words = {tuple_.words for tuple_ in engine.engine(config).graph([parse]).tuples()}
    verbs = {(w[0], w[1].split()[0]) for w in words if len(w) == 3}
    return frozenset(w for w in words if len(w) != 2 or w not in verbs)


@cache
def rules_with(pattern: str) -> str:
    """The bundled English rules with another pattern for adjectives. Raises InputError where they have no such rule."""
    text = language("en").rules["caption"].read_text(encoding="utf-8")
    found = re.search(r'(\[\[rule\]\]\nname = "adjective"\n.*?\npattern = )(\'\'\'.*?\'\'\'|\'.*?\'|".*?")', text, re.S)
    if not found or "'''" in pattern or "\n" in pattern:
        raise InputError("pattern", pattern[:40], "one line without '''")
    return text[: found.start(2)] + f"'''{pattern}'''" + text[found.end(2) :]


def _check_rule(answer: Answer) -> Checked:
    known = settings.default_config("en")
    config = SpiceConfig("en", known.parser, "mine", known.synonyms, rules_text=rules_with(answer["pattern"]))
    conditions = []
    for caption in REPAIRED:
        mine, bundled = ({t.words for t in engine.engine(c).graph([engine.parse(caption, c)]).tuples()} for c in (config, known))
        values = {"caption": caption, "extra": _words(sorted(mine - bundled)), "missing": _words(sorted(bundled - mine))}
        conditions.append(Condition("parses", mine == bundled, values))
    return Checked(tuple(conditions))


def _check_order(answer: Answer) -> Checked:
    found = score_english(answer["candidate"], UMBRELLA, config=settings.default_config("ja"))
    implicit = any(PLACEHOLDER in words for tuple_ in found.result.candidate_tuples for words in tuple_.words)
    return Checked((_new_caption(answer["candidate"], UMBRELLA), Condition("subject", not implicit), _f1(found, 1)), found)


_FOOL = "Red double decker bus. Bus driving past other buses. Bus driving down a city street. Bus driving on the road. Middle of the road."
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
    Exercise("E7", 2, _check_misled, {"candidate": lessons.CARDS[0]}, {"candidate": _FOOL}, BUSES),
    Exercise("E8", 2, _check_false_caption, {"candidate": "No dog sleeps on a sofa."}, {"candidate": "A dog almost sleeps on a sofa."}, (SOFA,)),
    Exercise("E9", 2, _nothing_new, {"reference": "A big dog barks."}, {"reference": "A brown dog is sleeping on a lounge."}, (WHITE, *DOGS)),
    Exercise(
        "E10", 3, _check_judgement, {"tuples": "dog\nsleep\nsleep, toddler", "candidate": SLEEP},
        {"tuples": _SLEEP_TUPLES, "candidate": lessons.TODDLER}, (SLEEP,),
    ),
    Exercise("E11", 3, _check_rule, {"pattern": NARROW}, {"pattern": "{tag:/NN.*/}=noun >amod {tag:/JJ.*|VB[NG]/}=adjective"}, REPAIRED),
    Exercise("E12", 3, _check_order, {"candidate": "傘をさして海を見ている"}, {"candidate": "傘をさした人が海を見ている"}, (UMBRELLA,), "ja"),
)  # fmt: skip
BY_ID = {exercise.id: exercise for exercise in EXERCISES}
