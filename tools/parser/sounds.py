"""Write captions of sounds, and prompts for image generators, that are to be annotated for ``spice-2016``.

    python -m tools.parser.sounds > sounds.txt

Captions of images are mostly noun phrases with participles. Captions of sounds have intransitive verbs in the present tense ("Birds chirp
as an engine idles"), and prompts are lists of styles and media. The tool generates both by grammar from the vocabulary in
``sounds.toml``, some in usual spelling and some without capitals and punctuation. Each line of the output has one text, without duplicates
and in random order.
"""

from __future__ import annotations

import argparse
import random
import re
import tomllib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from tools.build_inflections import inflections, plurals
from tools.parser.crossover import plain_spelling
from tools.parser.recipes import SEED

_VOCABULARY_FILE = Path(__file__).with_suffix(".toml")
_MAX_WORDS = 26
_PROMPT_SHARE = 0.15
_PLAIN_SPELLING_SHARE = 0.5  # share of texts without capitals and punctuation
_TYPICAL_SHARE = 0.5  # share of clauses with a source and a typical verb
_PLURAL_SUBJECTS = ("several people", "two men", "a group of people", "cicadas")
_BARE_SUBJECTS = ("someone", "water", "rain", "wind", "air", "gas", "steam", "thunder", "fire", "music", "rock music", "classical music", "food", "meat", "oil", "bacon", "grease", "paper", "plastic", "foil", "fabric", "silverware", "cutlery", "metal", "liquid")  # fmt: skip
_DOUBLING_VERBS = {"rev", "unwrap", "unzip"}  # verbs of more than one syllable, or that look so, with a doubled last letter


def _split_phrases(text: str) -> list[str]:
    return [" ".join(phrase.split()) for phrase in text.split(",") if phrase.strip()]


class SoundGrammar:
    """Generator of captions of sounds and prompts, determined by ``seed``."""

    def __init__(self, seed: int = SEED):
        text = tomllib.loads(_VOCABULARY_FILE.read_text(encoding="utf-8"))
        self._typical_verbs = [(_split_phrases(sources), _split_phrases(verbs)) for sources, verbs in text.pop("usual").items()]
        self._words = {name: list(dict.fromkeys(_split_phrases(words))) for name, words in text.items()}
        self._plurals = {*self._words["plurals"], *_PLURAL_SUBJECTS}
        self._random = random.Random(seed)

    def texts(self) -> Iterator[str]:
        """Yield captions and prompts endlessly, some of them in plain spelling."""
        while True:
            prompt = self._is_chosen(_PROMPT_SHARE)
            text = self._make_prompt() if prompt else self._make_caption()
            if len(text.split()) <= _MAX_WORDS:
                yield plain_spelling(text) if self._is_chosen(_PLAIN_SPELLING_SHARE) else self._spell_text(text, prompt)

    def generate_distinct_texts(self) -> Iterator[str]:
        """Yield the texts without duplicates, ignoring case."""
        seen_texts: set[str] = set()
        for text in self.texts():
            if text.lower() not in seen_texts:
                seen_texts.add(text.lower())
                yield text

    def _spell_text(self, text: str, is_prompt: bool) -> str:
        if is_prompt:
            return text[0].upper() + text[1:] if self._is_chosen(0.3) else text
        return text[0].upper() + text[1:] + ("." if self._is_chosen(0.4) else "")

    def _is_chosen(self, share: float) -> bool:
        return self._random.random() < share

    def _draw(self, *lists: str) -> str:
        return self._random.choice(self._words[self._random.choice(lists)])

    def _draw_weighted(self, shares: dict[Callable[[], str], float]) -> str:
        (make_text,) = self._random.choices(list(shares), list(shares.values()))
        return make_text()

    def _make_optionally(self, share: float, make_text: Callable[[], str], prefix: str = " ") -> str:
        return prefix + make_text() if self._is_chosen(share) else ""

    # captions of sounds

    def _make_caption(self) -> str:
        """Return a caption of one to three events."""
        text = self._make_event()
        for share in (0.72, 0.22):
            if not self._is_chosen(share):
                break
            text = self._join_event(text)
        return re.sub(r"\ba (?=[aeiou])", "an ", text)

    def _join_event(self, text: str) -> str:
        link = self._random.choices(
            (" as ", " while ", " and ", ", and ", ", ", " then ", " and then ", ", then ", " before ", " after ", " when "),
            (9, 9, 7, 2, 2, 2, 3, 2, 1, 1, 1),
        )[0]
        return self._draw_weighted(
            {
                lambda: text + link + self._make_clause(): 7.0,
                lambda: f"{text} followed by {self._make_following_event()}": 2.5,
                lambda: f"{text}, followed by {self._make_following_event()}": 1.0,
                lambda: f"{text} with {self._make_following_event()}{self._make_optionally(0.5, self._make_place)}": 1.5,
                lambda: f"{text} and {self._make_verb_phrase(self._is_chosen(0.5))}": 1.0,
                lambda: f"{self._random.choice(('as', 'while', 'after', 'when'))} {self._make_clause()}, {text}": 0.5,
            }
        )

    def _make_event(self) -> str:
        return self._draw_weighted(
            {
                self._make_clause: 10.0,
                self._make_participle: 3.0,
                self._make_noise: 2.5,
                self._make_gerund: 1.5,
                lambda: f"{self._make_noise()} {self._random.choice(('is heard', 'are heard', 'can be heard'))}": 0.5,
                lambda: f"the {self._random.choice(('sound', 'sounds', 'noise'))} of {self._make_following_event()}": 0.6,
                lambda: self._draw("onomatopoeia"): 0.15,
            }
        )

    def _make_following_event(self) -> str:
        return self._draw_weighted(
            {self._make_participle: 4.0, self._make_noise: 5.0, self._make_gerund: 1.0, lambda: self._make_subject()[0]: 1.0}
        )

    def _draw_typical_subject(self) -> tuple[str, bool, list[str]]:
        """Return a source, whether it is plural, and its typical verbs."""
        sources, verbs = self._random.choice(self._typical_verbs)
        source = self._random.choice(sources)
        if source in self._plurals:
            return self._make_optionally(0.2, self._draw_quantity, "") + source if source not in _PLURAL_SUBJECTS else source, True, verbs
        if source in _BARE_SUBJECTS:
            return source, False, verbs
        article = self._random.choices(("a ", "the ", "", "another "), (14, 2, 3, 1))[0]
        adjective = self._make_optionally(0.15, lambda: self._draw("thing_adjectives") + " ", "") if article != "another " else ""
        return article + adjective + source, False, verbs

    def _draw_quantity(self) -> str:
        return self._draw("quantities") + " "

    def _make_typical_clause(self) -> str:
        """Return a source with a typical verb: finite, progressive or as a participle."""
        subject, is_plural, verbs = self._draw_typical_subject()
        form_of_be = self._random.choices(("are " if is_plural else "is ", ""), (1, 1))[0]
        verb_forms: list[str] = []
        finite = self._is_chosen(0.65)
        for _ in range(1 + self._is_chosen(0.2)):
            verb = self._random.choice(verbs)
            verb_forms.append((self._finite_form(verb, is_plural) if finite else self._ing_form(verb)) + self._make_adjuncts())
        return f"{subject} {'' if finite else form_of_be}{' and '.join(verb_forms)}"

    def _make_clause(self) -> str:
        """Return a subject with one or two verbs, most of them finite."""
        if self._is_chosen(_TYPICAL_SHARE):
            return self._make_typical_clause()
        if self._is_chosen(0.12):
            noise, is_plural = self._make_noise_subject()
            return f"{noise} {self._finite_form(self._draw('event_verbs'), is_plural)}{self._make_optionally(0.3, self._draw_manner)}"
        subject, is_plural = self._make_subject()
        adverb = self._make_optionally(0.05, lambda: self._random.choice([m for m in self._words["manners"] if m.endswith("ly")]))
        second_part = self._make_optionally(0.15, lambda: self._make_verb_phrase(is_plural), " and ")
        return f"{subject}{adverb} {self._make_verb_phrase(is_plural)}{second_part}"

    def _make_verb_phrase(self, is_plural: bool) -> str:
        """Return a verb phrase in the present tense."""
        form_of_be = "are" if is_plural else "is"
        return self._draw_weighted(
            {
                lambda: self._finite_form(self._draw_verb(), is_plural) + self._make_adjuncts(): 9.0,
                lambda: f"{form_of_be} {self._ing_form(self._draw_verb())}{self._make_adjuncts()}": 2.0,
                lambda: (
                    f"{self._finite_form(self._draw('transitive_verbs'), is_plural)} {self._make_object()}{self._make_optionally(0.3, self._make_adjunct)}"
                ): 2.0,
                lambda: f"{form_of_be} {self._ing_form(self._draw('transitive_verbs'))} {self._make_object()}": 0.5,
                lambda: f"{form_of_be} heard {self._ing_form(self._draw_verb())}": 0.2,
                lambda: f"{self._finite_form(self._draw('motion_verbs'), is_plural)} {self._draw('particles')}": 0.8,
                lambda: (
                    f"{self._finite_form(self._random.choice(('begin', 'start', 'continue', 'stop', 'keep')), is_plural)} {self._ing_form(self._draw_verb())}"
                ): 0.5,
                lambda: f"{self._finite_form(self._random.choice(('begin', 'start', 'continue')), is_plural)} to {self._draw_verb()}": 0.3,
            }
        )

    def _make_participle(self) -> str:
        subject, _ = self._make_subject()
        verb = f"{self._ing_form(self._draw_verb())}{self._make_adjuncts()}"
        if self._is_chosen(0.2):
            verb = f"{self._ing_form(self._draw('transitive_verbs'))} {self._make_object()}"
        return f"{subject} {verb}{self._make_optionally(0.1, lambda: self._ing_form(self._draw_verb()), ' and ')}"

    def _make_gerund(self) -> str:
        """Return an event named by an "-ing" form: "loud banging", "barking of a dog"."""
        ing = self._ing_form(self._draw("sound_verbs", "transitive_verbs", "motion_verbs"))
        return self._draw_weighted(
            {
                lambda: f"{self._make_optionally(0.5, self._draw_adjective, '')} {ing}".strip() + self._make_adjuncts(): 2.0,
                lambda: (
                    f"{self._make_optionally(0.3, self._draw_adjective, '')} {ing} and {self._ing_form(self._draw_verb())}".strip()
                    + self._make_adjuncts()
                ): 1.5,
                lambda: f"{ing} of {self._make_subject()[0]}": 1.0,
                lambda: (
                    f"{self._ing_form(self._draw('transitive_verbs'))} {self._make_object()}{self._make_optionally(0.3, self._make_adjunct)}"
                ): 0.7,
                lambda: (
                    f"{ing} {self._random.choice(('noise', 'noises', 'sound', 'sounds'))}{self._make_optionally(0.4, self._make_place)}"
                ): 0.8,
            }
        )

    def _make_noise(self) -> str:
        noise, _ = self._make_noise_subject()
        source = self._make_optionally(0.2, lambda: f"{self._random.choice(('of', 'from', 'by'))} {self._make_subject()[0]}")
        return f"{noise}{source}{self._make_optionally(0.25, self._make_place)}"

    def _make_noise_subject(self) -> tuple[str, bool]:
        """Return a sound as a noun, and whether it is plural."""
        noun = self._draw("event_nouns")
        adjectives = ", ".join(self._draw("sound_adjectives") for _ in range(self._random.choice((0, 0, 1, 1, 1, 2))))
        if self._is_chosen(0.15):
            quantity = self._random.choice(("a series of", "a set of", "bursts of", "some", "several", "two", "three", "multiple", "a few"))
            return f"{quantity} {adjectives} {self._plural_form(noun)}".replace("  ", " "), True
        mass = noun.endswith(("ing", "s", "ter", "music", "silence", "static", "fire", "speech", "applause"))
        if self._is_chosen(0.1) and not mass:
            return f"{adjectives} {self._plural_form(noun)}".strip(), True
        article = "" if mass and self._is_chosen(0.8) else self._random.choice(("a ", "a ", "the ", ""))
        return f"{article}{adjectives} {noun}".replace("  ", " ").strip(), noun == "footsteps"

    def _make_subject(self) -> tuple[str, bool]:
        """Return a source of sound, and whether it is plural."""
        kind = self._random.choices(("person", "animal", "machine", "mass", "plural", "two", "pronoun"), (26, 16, 26, 12, 22, 3, 3))[0]
        if kind == "mass":
            return f"{self._make_optionally(0.25, self._draw_adjective, '')} {self._draw('substances')}".strip(), False
        if kind == "plural":
            quantity = self._make_optionally(0.45, lambda: self._draw("quantities"), "")
            return f"{quantity} {self._draw('plurals')}".strip(), True
        if kind == "two":
            return f"{self._draw_singular('people')} and {self._draw_singular('people', 'animals')}", True
        if kind == "pronoun":
            pronoun = self._random.choice(("someone", "somebody", "something", "it", "they"))
            return pronoun, pronoun == "they"
        lists = {"person": "people", "animal": "animals", "machine": "machines"}[kind]
        return self._draw_singular(lists) + self._make_optionally(0.05, self._make_place), False

    def _draw_singular(self, *lists: str) -> str:
        noun = self._draw(*lists)
        article = self._random.choices(("a ", "the ", "", "another ", "one "), (16, 3, 2, 1, 0.3))[0]
        adjective = self._draw("thing_adjectives") + " " if self._is_chosen(0.22) and article in ("a ", "the ", "") else ""
        return f"{article}{adjective}{noun}".replace("a another", "another").replace("a other", "another")

    def _make_object(self) -> str:
        if self._is_chosen(0.25):
            return self._draw("substances", "plurals")
        return (
            self._random.choice(("a ", "a ", "a ", "the ", ""))
            + self._make_optionally(0.15, lambda: self._draw("thing_adjectives") + " ", "")
            + self._draw("objects")
        )

    def _draw_verb(self) -> str:
        return self._draw("sound_verbs", "sound_verbs", "speech_verbs", "motion_verbs")

    def _make_adjuncts(self) -> str:
        return "".join(self._make_optionally(share, self._make_adjunct) for share in (0.5, 0.15))

    def _make_adjunct(self) -> str:
        return self._draw("manners", "places", "places")

    def _draw_manner(self) -> str:
        return self._draw("manners")

    def _make_place(self) -> str:
        return self._draw("places")

    def _draw_adjective(self) -> str:
        return self._draw("sound_adjectives")

    def _finite_form(self, verb: str, is_plural: bool) -> str:
        head, *particles = verb.split()
        singular = [*plurals(head)] or [head + "es"]
        return " ".join([head if is_plural else singular[-1], *particles])

    def _ing_form(self, verb: str) -> str:
        head, *particles = verb.split()
        verb_forms = [form for form in inflections(head) if form.endswith("ing")]  # the doubled letter comes first
        return " ".join([verb_forms[0 if head in _DOUBLING_VERBS else -1], *particles])

    def _plural_form(self, noun: str) -> str:
        return (
            noun
            if noun.endswith(("s", "ing", "ter", "music", "silence", "static", "fire", "speech", "thunder"))
            else next(iter(plurals(noun)), noun)
        )

    # prompts

    def _make_prompt(self) -> str:
        """Return a subject, often with a medium before it and styles after it."""
        subject = self._make_prompt_subject()
        styles = ", ".join(self._random.sample(self._words["prompt_styles"], self._random.choice((0, 1, 2, 2, 3, 3, 4, 5))))
        manner = self._make_optionally(0.3, lambda: f"in the style of {self._draw('artists')}", self._random.choice((" ", ", ")))
        medium_phrase = f"{self._random.choice(('a ', 'a ', ''))}{self._make_optionally(0.3, lambda: self._random.choice(self._words['prompt_styles']), '')}"
        head = f"{medium_phrase.strip()} {self._draw('prompt_media')} of {subject}".strip() if self._is_chosen(0.6) else subject
        text = head + manner + (f", {styles}" if styles else "")
        return re.sub(r"\ba (?=[aeiou])", "an ", text)

    def _make_prompt_subject(self) -> str:
        adjective = self._make_optionally(0.4, lambda: self._draw("thing_adjectives", "prompt_styles"), "")
        subject = f"{self._random.choice(('a', 'a', 'a', 'the', ''))} {adjective} {self._draw('prompt_subjects')}"
        second_part = self._make_optionally(0.12, lambda: f"a {self._draw('prompt_subjects')}", " and ")
        return " ".join(f"{subject}{self._make_optionally(0.6, lambda: self._draw('prompt_actions'))}{second_part}".split())


def main() -> None:
    """Run the command line, which the module's docstring describes."""
    argument_parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    argument_parser.add_argument("--texts", type=int, default=16_000)
    options = argument_parser.parse_args()
    print(*islice(SoundGrammar().generate_distinct_texts(), options.texts), sep="\n")


if __name__ == "__main__":
    main()
