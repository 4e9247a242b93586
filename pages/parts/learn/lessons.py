"""The steps of the tour: captions, choices, and the figures of the engine. Numbers are computed, never stored."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
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
FALSE_CARD, TRUE_CARD = 5, 4  # SPICE prefers the false one
BOY = "男の子がヘルメットを被り、スケートボードに乗っている"
BOYS = "男の子がヘルメットを被り、男の子がスケートボードに乗っている"
LIMITS = {  # candidate and reference of each choice
    "fluency": ("Young girl. Tennis court. Girl stands on court.", COURT),
    "almost": ("A dog almost sleeps on a sofa.", SOFA),
    "stool": ("A cat sits on a stool.", "A cat sits on a toilet."),
    "bites": ("A man bites a dog.", "A dog bites a man."),
}
MEANING = ("A dog, a blue lamp and a cat on a sofa.", "A puppy and a red lamp on a couch.")  # one tuple or more with each verdict
NARROW, BROAD = "A puppy sleeps.", "A dog sleeps."
WORDS = ("couch", "armchair", "bench")
OVERLAP = ("BLEU-1", "BLEU-4", "ROUGE-L", "METEOR")


@dataclass(frozen=True)
class Facts:
    """The figures of a step: the result in view, the right choices, and the values for the step's texts."""

    main: Scored
    right: frozenset[str]
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One step of the tour: its name, its choices, its figures, and the captions that "Try your own" starts with."""

    name: str
    choices: tuple[str, ...]
    facts: Callable[[], Facts]
    own: Inputs
    lang: str = "en"


def shared_senses(scored: Scored) -> str:
    """Return the names of the senses by which tuples of this result match."""
    reasons = (reason for row in scored.explanation.rows for reason in row.reasons)
    return ", ".join(dict.fromkeys(reason.synset.name for reason in reasons if reason.synset))


def sofa_sentence(word: str) -> str:
    """Return the sentence about the sofa with another word for it."""
    return f"A dog sleeps on {'an' if word[0] in 'aeiou' else 'a'} {word}."


def tuple_names(tuples_: tuple[SceneTuple, ...]) -> list[str]:
    """Return tuples in the spelling of the texts: (girl, stand on, court)."""
    return [f"({', '.join(tuple_.words)})" for tuple_ in tuples_]


def _ngrams_facts() -> Facts:
    first, second = score_english(GIRAFFE, GIRL), score_english(PAN, POT)
    bleu = results.word_scores(((GIRAFFE, (GIRL,)), (PAN, (POT,))), ("BLEU-1",))["BLEU-1"]
    girl, giraffe = (Counter(words) for words in tokens((GIRL.lower(), GIRAFFE.lower()), language("en")))
    values: dict[str, Any] = {"shared": (girl & giraffe).total(), "length": giraffe.total(), "bleu_first": bleu[0], "bleu_second": bleu[1]}
    values |= {"first": first.result.f1, "second": second.result.f1} | _match_counts(second.result.overall, "matched", "total")
    return Facts(first, frozenset(["second"]), values)


def _tree_facts() -> Facts:
    scored = score_english(COURT, COURT)
    sentence = scored.parses[0].document.sentences[0]  # type: ignore[union-attr]
    words = [token.text for token in sentence.tokens if token.text.isalpha()]
    used = {word for span in scored.explanation.captions[0] if span.kind for word in span.text.split()}
    right = frozenset(name for name, word in (("a", "A"), ("tennis", "tennis"), ("stands", "stands")) if word not in used)
    return Facts(scored, right, {"words": len(words), "used": sum(word in used for word in words)})


def _tuples_facts() -> Facts:
    scored, other = score_english(COURT, COURT), score_english(COURT.replace("tennis", "basketball"), COURT)
    total = scored.result.overall.candidate
    kinds = Counter(tuple_.kind for tuple_ in scored.result.candidate_tuples)
    values = {"total": total, "few": total - 2, "many": total + 2} | {f"{kind}s": number for kind, number in kinds.items()}
    return Facts(scored, frozenset(["right"]), values | {"matched": _round(other.result.overall.matched), "f1": other.result.f1})


def _merge_facts() -> Facts:
    scored = score_english(WHITE, *DOGS)
    counts = [len(score_english(caption, caption).result.candidate_tuples) for caption in DOGS]
    total, everything = scored.result.overall.reference, sum(counts)
    infant, child, baby = (f"{who} holds a toothbrush." for who in ("An infant", "A child", "A baby"))
    values: dict[str, Any] = dict(zip("abc", counts)) | {
        "all": everything,
        "total": total,
        "repeated": everything - total,
        "fewer": total - 3,
    }
    bridge = {"alone": score_english(infant, child).result.f1, "bridge": score_english(infant, child, baby).result.f1}
    return Facts(scored, frozenset(["right"]), values | bridge)


def _match_facts() -> Facts:
    results_ = {word: score_english(sofa_sentence(word), SOFA) for word in WORDS}
    hound, puppy = (score_english(SOFA.replace("dog", word), SOFA) for word in ("hound", "puppy"))
    values: dict[str, Any] = {word: scored.result.f1 for word, scored in results_.items()} | {
        "hound": hound.result.f1,
        "puppy": puppy.result.f1,
    }
    senses = {"sense": shared_senses(results_["couch"]), "hound_sense": shared_senses(hound)}
    return Facts(results_["couch"], frozenset(word for word, scored in results_.items() if scored.result.f1 == 1), values | senses)


def _score_facts() -> Facts:
    scored, without = score_english(WHITE, *DOGS), score_english(WHITE, *DOGS[:2])
    overall = scored.result.overall
    matched = _round(overall.matched)
    values = {"matched": matched, "candidate": overall.candidate, "reference": overall.reference, "more": matched + 1, "less": matched - 1}
    return Facts(scored, frozenset(["right"]), values | {"f1": scored.result.f1, "without": without.result.f1})


def _categories_facts() -> Facts:
    scored, mended = score_english(THREE, *HORSES), score_english(TWO, *HORSES)
    categories = {"color": "Color", "count": "Cardinality", "size": "Size"}
    values = {name: _ratio_text(scored.result.scores[category].f1) for name, category in categories.items()}
    return Facts(scored, frozenset(["right"]), {**values, "f1": scored.result.f1, "mended": mended.result.f1})


def score_by_meaning(candidate: str, *references: str) -> Scored:
    """Score English captions by meaning: tuples that follow from the other side count."""
    return score_english(candidate, *references, config=replace(settings.default_config("en"), scheme=settings.MEANING_SCHEME))


def _meaning_facts() -> Facts:
    scored, words = score_by_meaning(*MEANING), score_english(*MEANING)
    dog, puppy = (score_by_meaning(*pair).result.precision == 1 for pair in ((BROAD, NARROW), (NARROW, BROAD)))
    right = {(True, True): "both", (True, False): "dog", (False, True): "puppy"}.get((dog, puppy), "")
    values = {"matched": _round(scored.result.overall.matched), "total": scored.result.overall.candidate, "f1": scored.result.f1}
    return Facts(scored, frozenset([right]), {**values, "by_words": _round(words.result.overall.matched), "f1_words": words.result.f1})


def _limits_facts() -> Facts:
    results_ = {name: score_english(candidate, reference) for name, (candidate, reference) in LIMITS.items()}
    pot = "A pot is on the table."
    values = {word: score_english(pot.replace("pot", word), pot).result.f1 for word in ("toilet", "pan")}
    values |= {name: scored.result.f1 for name, scored in results_.items()} | {
        "negated": score_english("No dog sleeps on a sofa.", SOFA).result.f1
    }
    right = frozenset(name for name, scored in results_.items() if scored.result.f1 != 1)
    return Facts(results_["bites"], right, {**values, "sense": shared_senses(results_["stool"])})


def score_wrong_parse() -> Scored:
    """Compare the tuples of the earlier parser's tree with those of the correctly parsed sentence."""
    config = settings.default_config("en")
    return results.compare_parses(results.earlier_parse(), [engine.parse(TODDLER, config)], config)


def _read_facts() -> Facts:
    """Return the tuples of objects that do not exist as wrong; other extra tuples are ``open`` and do not count."""
    scored = score_wrong_parse()
    things = {tuple_.words[0] for tuple_ in scored.result.reference_tuples if tuple_.kind == "object"}
    wrong = tuple(t for t in scored.result.extra if {t.words[0], t.words[-1] if t.kind == "relation" else t.words[0]} - things)
    undecided = frozenset(tuple_names(scored.result.extra)) - frozenset(tuple_names(wrong))
    return Facts(scored, frozenset(tuple_names(wrong)), {"f1": scored.result.f1, "open": undecided})


def judge_marks(marked: Collection[str], facts: Facts, *, revealed: bool) -> list[tuple[str, str, bool]]:
    """Return each tuple to judge, its verdict, and whether the mark is correct: the marked tuples, or all if ``revealed``.

    Verdicts: ``found`` and ``missed`` (wrong tuples), ``false`` and ``right`` (right ones), ``open`` (no clear answer).
    """
    judged = []
    for name in tuple_names(facts.main.result.candidate_tuples):
        is_marked, is_wrong = name in marked, name in facts.right
        verdict = ("missed", "found")[is_marked] if is_wrong else ("right", "false")[is_marked]
        if name in facts.values["open"]:
            judged.append((name, "open", True))
        elif is_marked or revealed:
            judged.append((name, verdict, is_marked == is_wrong))
    return [each for each in judged if revealed or each[0] in marked]


def ranking() -> list[int]:
    """Return the cards in the order of their SPICE, best first."""
    values = [score_english(card, *BUSES).result.f1 for card in CARDS]
    return sorted(range(len(CARDS)), key=lambda i: -values[i])


def _people_facts() -> Facts:
    return Facts(score_english(CARDS[ranking()[0]], *BUSES), frozenset(["only"]))


def _japanese_facts() -> Facts:
    ja = settings.default_config("ja")
    scored = score_english(BOY, BOYS, config=ja)
    subjects = [t for t in scored.result.candidate_tuples if len(t.words) == 3 and t.words[0] == "男の子"]
    choices = {1: "one", 2: "two", 3: "three"}
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
    return Facts(scored, frozenset([choices.get(len(subjects), "")]), values | {"puppy": puppy, "stool": stool})


def _match_counts(score: Score, matched: str, total: str) -> dict[str, object]:
    return {matched: _round(score.matched), total: score.candidate}


def _round(number: float) -> int:
    return round(number)


def _ratio_text(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.3f}"


STEPS = (
    Step("ngrams", ("first", "second", "equal"), _ngrams_facts, Inputs(GIRAFFE, (GIRL,))),
    Step("tree", ("stands", "a", "tennis"), _tree_facts, Inputs(COURT, (COURT,))),
    Step("tuples", ("few", "right", "many"), _tuples_facts, Inputs(COURT, (COURT,))),
    Step("merge", ("all", "right", "fewer"), _merge_facts, Inputs(WHITE, (*DOGS, ""))),
    Step("match", WORDS[::-1], _match_facts, Inputs(SOFA, (SOFA,))),
    Step("score", ("swapped", "more", "right", "less"), _score_facts, Inputs(WHITE, DOGS)),
    Step("categories", ("counted", "right", "sized"), _categories_facts, Inputs(THREE, HORSES)),
    Step("meaning", ("puppy", "dog", "both"), _meaning_facts, Inputs(MEANING[0], MEANING[1:])),
    Step("limits", tuple(LIMITS), _limits_facts, Inputs(LIMITS["almost"][0], (SOFA,))),
    Step("read", (), _read_facts, Inputs(TODDLER.replace("are sleeping", "sleep"), (TODDLER,))),
    Step("people", ("yes", "only"), _people_facts, Inputs(CARDS[4], BUSES)),
    Step("japanese", ("one", "two", "three"), _japanese_facts, Inputs("猫が二匹ソファで寝ている", ("二匹の猫がソファで寝ている",)), "ja"),
)
NAMES = tuple(step.name for step in STEPS)
