"""The steps of the tour: captions, choices, and what the engine says about them. Numbers are computed, never stored."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.parts.learn import results
from pages.parts.learn.results import score_english
from pages.parts.state import engine, settings
from pages.parts.state.engine import Inputs, Scored
from spice_core.lang import language
from spice_core.metrics.text.tokens import tokens
from spice_core.scene.graph import SceneTuple
from spice_core.scene.scores import Score

GIRL, GIRAFFE = "A young girl standing on top of a tennis court.", "A giraffe standing on top of a green field."
POT, PAN = "A shiny metal pot filled with some diced veggies.", "The pan on the stove has chopped vegetables in it."
COURT = "A young girl stands on a tennis court."
SOFA = "A dog sleeps on a sofa."
DOGS = ("A small brown dog sleeps on a sofa.", "A little dog lies on a couch.", "A dog sleeps near a red pillow.")
WHITE = "A little white dog sleeps on a couch."
HORSES = ("Two brown horses grazing in a field next to a tree.", "Two horses stand in a green field.")
THREE, TWO = "Three brown horses in a green field.", "Two brown horses in a green field."
TODDLER = "Two small dogs and a toddler are sleeping on a red sofa."
BUSES = (
    "The red, double decker bus is driving past other buses.",
    "A red double decker bus driving down a city street.",
    "A red bus is driving on the road.",
    "A double decker bus rolls along the streets.",
    "a red double decker bus that is in the middle of the road",
)  # COCO, image 1584
CARDS = (
    "A red double decker bus drives down a city street.",
    "A red bus is on the road.",
    "A green bus stands in a garage.",
    "Red bus, double decker, city street, road.",
    "A big bus with two floors drives through town.",
    "A red car drives down a city street.",
)
BOY = "男の子がヘルメットを被り、スケートボードに乗っている"
BOYS = "男の子がヘルメットを被り、男の子がスケートボードに乗っている"
LIMITS = {  # candidate and reference of each choice
    "fluency": ("Young girl. Tennis court. Girl stands on court.", COURT),
    "almost": ("A dog almost sleeps on a sofa.", SOFA),
    "stool": ("A cat sits on a stool.", "A cat sits on a toilet."),
    "bites": ("A man bites a dog.", "A dog bites a man."),
}
WORDS = ("couch", "armchair", "bench")
OVERLAP = ("BLEU-1", "BLEU-4", "ROUGE-L", "METEOR")


@dataclass(frozen=True)
class Facts:
    """What the engine says at a step: the result in view, the right choices, and the values of the step's texts."""

    main: Scored
    right: frozenset[str]
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One step of the tour: its name, its choices, what the engine says, and the captions that "Try your own" begins with."""

    name: str
    choices: tuple[str, ...]
    facts: Callable[[], Facts]
    own: Inputs
    lang: str = "en"


def shared_senses(found: Scored) -> str:
    """The names of the senses by which tuples of this result match."""
    reasons = (reason for row in found.explanation.rows for reason in row.reasons)
    return ", ".join(dict.fromkeys(reason.synset.name for reason in reasons if reason.synset))


def sofa_sentence(word: str) -> str:
    """The sentence of the sofa with another word for it."""
    return f"A dog sleeps on {'an' if word[0] in 'aeiou' else 'a'} {word}."


def tuple_names(found: tuple[SceneTuple, ...]) -> list[str]:
    """Tuples as the texts write them: (girl, stand on, court)."""
    return [f"({', '.join(tuple_.words)})" for tuple_ in found]


def _ngrams() -> Facts:
    first, second = score_english(GIRAFFE, GIRL), score_english(PAN, POT)
    bleu = results.word_scores(((GIRAFFE, (GIRL,)), (PAN, (POT,))), ("BLEU-1",))["BLEU-1"]
    girl, giraffe = (Counter(words) for words in tokens((GIRL.lower(), GIRAFFE.lower()), language("en")))
    right = "equal" if bleu[0] == bleu[1] else "first" if bleu[0] > bleu[1] else "second"
    counts = {"shared": (girl & giraffe).total(), "length": giraffe.total()}
    overall = second.result.overall
    return Facts(
        first, frozenset([right]), counts | {"first": first.result.f1, "second": second.result.f1} | _counts(overall, "matched", "total")
    )


def _tree() -> Facts:
    found = score_english(COURT, COURT)
    sentence = found.parses[0].document.sentences[0]  # type: ignore[union-attr]
    words = [token.text for token in sentence.tokens if token.text.isalpha()]
    used = {word for span in found.explanation.captions[0] if span.kind for word in span.text.split()}
    right = frozenset(name for name, word in (("a", "A"), ("tennis", "tennis"), ("stands", "stands")) if word not in used)
    return Facts(found, right, {"words": len(words), "used": sum(word in used for word in words)})


def _tuples() -> Facts:
    found, other = score_english(COURT, COURT), score_english(COURT.replace("tennis", "basketball"), COURT)
    total = found.result.overall.candidate
    kinds = Counter(tuple_.kind for tuple_ in found.result.candidate_tuples)
    values = {"total": total, "few": total - 2, "many": total + 2} | {f"{kind}s": number for kind, number in kinds.items()}
    return Facts(found, frozenset(["right"]), values | {"matched": _rounded(other.result.overall.matched), "f1": other.result.f1})


def _merge() -> Facts:
    found = score_english(WHITE, *DOGS)
    each = [len(score_english(caption, caption).result.candidate_tuples) for caption in DOGS]
    total, everything = found.result.overall.reference, sum(each)
    infant, child, baby = (f"{who} holds a toothbrush." for who in ("An infant", "A child", "A baby"))
    values: dict[str, Any] = dict(zip("abc", each)) | {
        "all": everything,
        "total": total,
        "repeated": everything - total,
        "fewer": total - 3,
    }
    bridge = {"alone": score_english(infant, child).result.f1, "bridge": score_english(infant, child, baby).result.f1}
    return Facts(found, frozenset(["right"]), values | bridge)


def _match() -> Facts:
    found = {word: score_english(sofa_sentence(word), SOFA) for word in WORDS}
    hound, puppy = (score_english(SOFA.replace("dog", word), SOFA) for word in ("hound", "puppy"))
    values: dict[str, Any] = {word: each.result.f1 for word, each in found.items()} | {"hound": hound.result.f1, "puppy": puppy.result.f1}
    senses = {"sense": shared_senses(found["couch"]), "hound_sense": shared_senses(hound)}
    return Facts(found["couch"], frozenset(word for word, each in found.items() if each.result.f1 == 1), values | senses)


def _score() -> Facts:
    found, without = score_english(WHITE, *DOGS), score_english(WHITE, *DOGS[:2])
    overall = found.result.overall
    matched = _rounded(overall.matched)
    values = {"matched": matched, "candidate": overall.candidate, "reference": overall.reference, "more": matched + 1, "less": matched - 1}
    return Facts(found, frozenset(["right"]), values | {"f1": found.result.f1, "without": without.result.f1})


def _categories() -> Facts:
    found, mended = score_english(THREE, *HORSES), score_english(TWO, *HORSES)
    named = {"color": "Color", "count": "Cardinality", "size": "Size"}
    values = {name: _ratio(found.result.scores[category].f1) for name, category in named.items()}
    return Facts(found, frozenset(["right"]), {**values, "f1": found.result.f1, "mended": mended.result.f1})


def _limits() -> Facts:
    found = {name: score_english(candidate, reference) for name, (candidate, reference) in LIMITS.items()}
    pot = "A pot is on the table."
    values = {word: score_english(pot.replace("pot", word), pot).result.f1 for word in ("toilet", "pan")}
    values |= {name: each.result.f1 for name, each in found.items()} | {
        "negated": score_english("No dog sleeps on a sofa.", SOFA).result.f1
    }
    right = frozenset(name for name, each in found.items() if each.result.f1 != 1)
    return Facts(found["bites"], right, {**values, "sense": shared_senses(found["stool"])})


def wrong_reading() -> Scored:
    """The tuples of the earlier parser's tree against those of the sentence that is read rightly."""
    known = settings.default_config("en")
    return results.compare_parses(results.earlier_parse(), [engine.parse(TODDLER, known)], known)


def _read() -> Facts:
    """Wrong are the tuples of things that are not there; of others that the right graph lacks, nothing is asked (``open``)."""
    found = wrong_reading()
    things = {tuple_.words[0] for tuple_ in found.result.reference_tuples if tuple_.kind == "object"}
    wrong = tuple(t for t in found.result.extra if {t.words[0], t.words[-1] if t.kind == "relation" else t.words[0]} - things)
    undecided = frozenset(tuple_names(found.result.extra)) - frozenset(tuple_names(wrong))
    return Facts(found, frozenset(tuple_names(wrong)), {"f1": found.result.f1, "open": undecided})


def ranking() -> list[int]:
    """The cards in the order of their SPICE, best first."""
    values = [score_english(card, *BUSES).result.f1 for card in CARDS]
    return sorted(range(len(CARDS)), key=lambda i: -values[i])


def _people() -> Facts:
    return Facts(score_english(CARDS[ranking()[0]], *BUSES), frozenset(["only"]))


def _japanese() -> Facts:
    ja = settings.default_config("ja")
    found = score_english(BOY, BOYS, config=ja)
    subjects = [t for t in found.result.candidate_tuples if len(t.words) == 3 and t.words[0] == "男の子"]
    named = {1: "one", 2: "two", 3: "three"}
    values: dict[str, object] = {
        name: ", ".join(tuple_names(tuple(t for t in score_english(text, text, config=ja).result.candidate_tuples if len(t.words) > 1)))
        for name, text in (("owner", "金髪の男性"), ("owned", "男性の車"))
    }
    pairs = {
        "unsaid": ("傘をさして海を見ている", "人が傘をさして海を見ている"),
        "equal": ("女性が浴衣を着てうちわを持っている", "浴衣を着た女性がうちわを持っている"),
    }
    values |= {name: score_english(*pair, config=ja).result.f1 for name, pair in pairs.items()}
    values["translated"] = score_english(
        "A woman in a yukata is holding a fan.", "A woman wearing a summer kimono holds a paper fan."
    ).result.f1
    puppy, stool = results.soft_scores((("A puppy sleeps on a sofa.", (SOFA,)), (*LIMITS["stool"][:1], (LIMITS["stool"][1],))))
    return Facts(found, frozenset([named.get(len(subjects), "")]), values | {"puppy": puppy, "stool": stool})


def _counts(score: Score, matched: str, total: str) -> dict[str, object]:
    return {matched: _rounded(score.matched), total: score.candidate}


def _rounded(number: float) -> int:
    return round(number)


def _ratio(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.3f}"


STEPS = (
    Step("ngrams", ("first", "second", "equal"), _ngrams, Inputs(GIRAFFE, (GIRL,))),
    Step("tree", ("stands", "a", "tennis"), _tree, Inputs(COURT, (COURT,))),
    Step("tuples", ("few", "right", "many"), _tuples, Inputs(COURT, (COURT,))),
    Step("merge", ("all", "right", "fewer"), _merge, Inputs(WHITE, (*DOGS, ""))),
    Step("match", WORDS[::-1], _match, Inputs(SOFA, (SOFA,))),
    Step("score", ("swapped", "more", "right", "less"), _score, Inputs(WHITE, DOGS)),
    Step("categories", ("counted", "right", "sized"), _categories, Inputs(THREE, HORSES)),
    Step("limits", tuple(LIMITS), _limits, Inputs(LIMITS["almost"][0], (SOFA,))),
    Step("read", (), _read, Inputs(TODDLER.replace("are sleeping", "sleep"), (TODDLER,))),
    Step("people", ("yes", "only"), _people, Inputs(CARDS[4], BUSES)),
    Step("japanese", ("one", "two", "three"), _japanese, Inputs("猫が二匹ソファで寝ている", ("二匹の猫がソファで寝ている",)), "ja"),
)
NAMES = tuple(step.name for step in STEPS)
