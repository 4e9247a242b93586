"""Write captions of sounds and prompts of image generators to annotate for ``spice-2016``.

    python -m tools.parser.sounds > sounds.txt

Captions of images are mostly noun phrases with participles; captions of sounds have intransitive verbs in the present tense ("Birds chirp as an
engine idles"), and prompts are lists of styles and media. Both kinds are made by grammar from the vocabulary in ``sounds.toml``, in the
spelling of people or without capitals and marks. One text a line, each once, in an order drawn by chance.
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

_VOCABULARY = Path(__file__).with_suffix(".toml")
_MAX_WORDS = 26
_SHARE_OF_PROMPTS = 0.15
_SHARE_OF_PLAIN = 0.5  # texts without capitals and marks
_SHARE_OF_USUAL = 0.5  # clauses with a source and a verb that go together
_PLURALS = ("several people", "two men", "a group of people", "cicadas")
_ALONE = ("someone", "water", "rain", "wind", "air", "gas", "steam", "thunder", "fire", "music", "rock music", "classical music", "food", "meat", "oil", "bacon", "grease", "paper", "plastic", "foil", "fabric", "silverware", "cutlery", "metal", "liquid")  # fmt: skip
_DOUBLED = {"rev", "unwrap", "unzip"}  # verbs of more than one syllable, or that look so, with a doubled last letter


def _phrases(text: str) -> list[str]:
    return [" ".join(phrase.split()) for phrase in text.split(",") if phrase.strip()]


class SoundGrammar:
    """Draws captions of sounds and prompts; ``seed`` decides which."""

    def __init__(self, seed: int = SEED):
        text = tomllib.loads(_VOCABULARY.read_text(encoding="utf-8"))
        self._usual = [(_phrases(sources), _phrases(verbs)) for sources, verbs in text.pop("usual").items()]
        self._words = {name: list(dict.fromkeys(_phrases(words))) for name, words in text.items()}
        self._plurals = {*self._words["plurals"], *_PLURALS}
        self._random = random.Random(seed)

    def texts(self) -> Iterator[str]:
        """Yield captions and prompts without end, some of them in plain spelling."""
        while True:
            prompt = self._chance(_SHARE_OF_PROMPTS)
            text = self._prompt() if prompt else self._caption()
            if len(text.split()) <= _MAX_WORDS:
                yield plain_spelling(text) if self._chance(_SHARE_OF_PLAIN) else self._written(text, prompt)

    def distinct_texts(self) -> Iterator[str]:
        """Yield the texts, each once, capitals apart."""
        seen: set[str] = set()
        for text in self.texts():
            if text.lower() not in seen:
                seen.add(text.lower())
                yield text

    def _written(self, text: str, prompt: bool) -> str:
        if prompt:
            return text[0].upper() + text[1:] if self._chance(0.3) else text
        return text[0].upper() + text[1:] + ("." if self._chance(0.4) else "")

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _any(self, *lists: str) -> str:
        return self._random.choice(self._words[self._random.choice(lists)])

    def _of(self, shares: dict[Callable[[], str], float]) -> str:
        (make,) = self._random.choices(list(shares), list(shares.values()))
        return make()

    def _maybe(self, share: float, make: Callable[[], str], before: str = " ") -> str:
        return before + make() if self._chance(share) else ""

    # captions of sounds

    def _caption(self) -> str:
        """Return one to three events."""
        text = self._event()
        for share in (0.72, 0.22):
            if not self._chance(share):
                break
            text = self._joined(text)
        return re.sub(r"\ba (?=[aeiou])", "an ", text)

    def _joined(self, text: str) -> str:
        link = self._random.choices(
            (" as ", " while ", " and ", ", and ", ", ", " then ", " and then ", ", then ", " before ", " after ", " when "),
            (9, 9, 7, 2, 2, 2, 3, 2, 1, 1, 1),
        )[0]
        return self._of(
            {
                lambda: text + link + self._clause(): 7.0,
                lambda: f"{text} followed by {self._following()}": 2.5,
                lambda: f"{text}, followed by {self._following()}": 1.0,
                lambda: f"{text} with {self._following()}{self._maybe(0.5, self._place)}": 1.5,
                lambda: f"{text} and {self._verbs(self._chance(0.5))}": 1.0,
                lambda: f"{self._random.choice(('as', 'while', 'after', 'when'))} {self._clause()}, {text}": 0.5,
            }
        )

    def _event(self) -> str:
        return self._of(
            {
                self._clause: 10.0,
                self._participle: 3.0,
                self._noise: 2.5,
                self._gerund: 1.5,
                lambda: f"{self._noise()} {self._random.choice(('is heard', 'are heard', 'can be heard'))}": 0.5,
                lambda: f"the {self._random.choice(('sound', 'sounds', 'noise'))} of {self._following()}": 0.6,
                lambda: self._any("onomatopoeia"): 0.15,
            }
        )

    def _following(self) -> str:
        return self._of({self._participle: 4.0, self._noise: 5.0, self._gerund: 1.0, lambda: self._subject()[0]: 1.0})

    def _usual_subject(self) -> tuple[str, bool, list[str]]:
        """Return a source, whether it is plural, and the verbs that people say of it."""
        sources, verbs = self._random.choice(self._usual)
        source = self._random.choice(sources)
        if source in self._plurals:
            return self._maybe(0.2, self._quantity, "") + source if source not in _PLURALS else source, True, verbs
        if source in _ALONE:
            return source, False, verbs
        article = self._random.choices(("a ", "the ", "", "another "), (14, 2, 3, 1))[0]
        adjective = self._maybe(0.15, lambda: self._any("thing_adjectives") + " ", "") if article != "another " else ""
        return article + adjective + source, False, verbs

    def _quantity(self) -> str:
        return self._any("quantities") + " "

    def _usual_clause(self) -> str:
        """Return a source that does what people say of it: finite, progressive or as a participle."""
        subject, plural, verbs = self._usual_subject()
        be = self._random.choices(("are " if plural else "is ", ""), (1, 1))[0]
        forms: list[str] = []
        finite = self._chance(0.65)
        for _ in range(1 + self._chance(0.2)):
            verb = self._random.choice(verbs)
            forms.append((self._finite(verb, plural) if finite else self._ing(verb)) + self._adjuncts())
        return f"{subject} {'' if finite else be}{' and '.join(forms)}"

    def _clause(self) -> str:
        """Return a subject with finite verbs."""
        if self._chance(_SHARE_OF_USUAL):
            return self._usual_clause()
        if self._chance(0.12):
            noise, plural = self._noise_subject()
            return f"{noise} {self._finite(self._any('event_verbs'), plural)}{self._maybe(0.3, self._manner)}"
        subject, plural = self._subject()
        adverb = self._maybe(0.05, lambda: self._random.choice([m for m in self._words["manners"] if m.endswith("ly")]))
        second = self._maybe(0.15, lambda: self._verbs(plural), " and ")
        return f"{subject}{adverb} {self._verbs(plural)}{second}"

    def _verbs(self, plural: bool) -> str:
        """Return a verb phrase in the present tense."""
        be = "are" if plural else "is"
        return self._of(
            {
                lambda: self._finite(self._verb(), plural) + self._adjuncts(): 9.0,
                lambda: f"{be} {self._ing(self._verb())}{self._adjuncts()}": 2.0,
                lambda: f"{self._finite(self._any('transitive_verbs'), plural)} {self._object()}{self._maybe(0.3, self._adjunct)}": 2.0,
                lambda: f"{be} {self._ing(self._any('transitive_verbs'))} {self._object()}": 0.5,
                lambda: f"{be} heard {self._ing(self._verb())}": 0.2,
                lambda: f"{self._finite(self._any('motion_verbs'), plural)} {self._any('particles')}": 0.8,
                lambda: (
                    f"{self._finite(self._random.choice(('begin', 'start', 'continue', 'stop', 'keep')), plural)} {self._ing(self._verb())}"
                ): 0.5,
                lambda: f"{self._finite(self._random.choice(('begin', 'start', 'continue')), plural)} to {self._verb()}": 0.3,
            }
        )

    def _participle(self) -> str:
        subject, _ = self._subject()
        verb = f"{self._ing(self._verb())}{self._adjuncts()}"
        if self._chance(0.2):
            verb = f"{self._ing(self._any('transitive_verbs'))} {self._object()}"
        return f"{subject} {verb}{self._maybe(0.1, lambda: self._ing(self._verb()), ' and ')}"

    def _gerund(self) -> str:
        """Return an event without its source."""
        ing = self._ing(self._any("sound_verbs", "transitive_verbs", "motion_verbs"))
        return self._of(
            {
                lambda: f"{self._maybe(0.5, self._adjective, '')} {ing}".strip() + self._adjuncts(): 2.0,
                lambda: f"{self._maybe(0.3, self._adjective, '')} {ing} and {self._ing(self._verb())}".strip() + self._adjuncts(): 1.5,
                lambda: f"{ing} of {self._subject()[0]}": 1.0,
                lambda: f"{self._ing(self._any('transitive_verbs'))} {self._object()}{self._maybe(0.3, self._adjunct)}": 0.7,
                lambda: f"{ing} {self._random.choice(('noise', 'noises', 'sound', 'sounds'))}{self._maybe(0.4, self._place)}": 0.8,
            }
        )

    def _noise(self) -> str:
        noise, _ = self._noise_subject()
        source = self._maybe(0.2, lambda: f"{self._random.choice(('of', 'from', 'by'))} {self._subject()[0]}")
        return f"{noise}{source}{self._maybe(0.25, self._place)}"

    def _noise_subject(self) -> tuple[str, bool]:
        """Return a sound as a noun, and whether it is plural."""
        noun = self._any("event_nouns")
        adjectives = ", ".join(self._any("sound_adjectives") for _ in range(self._random.choice((0, 0, 1, 1, 1, 2))))
        if self._chance(0.15):
            of = self._random.choice(("a series of", "a set of", "bursts of", "some", "several", "two", "three", "multiple", "a few"))
            return f"{of} {adjectives} {self._plural(noun)}".replace("  ", " "), True
        mass = noun.endswith(("ing", "s", "ter", "music", "silence", "static", "fire", "speech", "applause"))
        if self._chance(0.1) and not mass:
            return f"{adjectives} {self._plural(noun)}".strip(), True
        article = "" if mass and self._chance(0.8) else self._random.choice(("a ", "a ", "the ", ""))
        return f"{article}{adjectives} {noun}".replace("  ", " ").strip(), noun == "footsteps"

    def _subject(self) -> tuple[str, bool]:
        """Return a source of sound, and whether it is plural."""
        kind = self._random.choices(("person", "animal", "machine", "mass", "plural", "two", "pronoun"), (26, 16, 26, 12, 22, 3, 3))[0]
        if kind == "mass":
            return f"{self._maybe(0.25, self._adjective, '')} {self._any('substances')}".strip(), False
        if kind == "plural":
            quantity = self._maybe(0.45, lambda: self._any("quantities"), "")
            return f"{quantity} {self._any('plurals')}".strip(), True
        if kind == "two":
            return f"{self._single('people')} and {self._single('people', 'animals')}", True
        if kind == "pronoun":
            pronoun = self._random.choice(("someone", "somebody", "something", "it", "they"))
            return pronoun, pronoun == "they"
        lists = {"person": "people", "animal": "animals", "machine": "machines"}[kind]
        return self._single(lists) + self._maybe(0.05, self._place), False

    def _single(self, *lists: str) -> str:
        noun = self._any(*lists)
        article = self._random.choices(("a ", "the ", "", "another ", "one "), (16, 3, 2, 1, 0.3))[0]
        adjective = self._any("thing_adjectives") + " " if self._chance(0.22) and article in ("a ", "the ", "") else ""
        return f"{article}{adjective}{noun}".replace("a another", "another").replace("a other", "another")

    def _object(self) -> str:
        if self._chance(0.25):
            return self._any("substances", "plurals")
        return (
            self._random.choice(("a ", "a ", "a ", "the ", ""))
            + self._maybe(0.15, lambda: self._any("thing_adjectives") + " ", "")
            + self._any("objects")
        )

    def _verb(self) -> str:
        return self._any("sound_verbs", "sound_verbs", "speech_verbs", "motion_verbs")

    def _adjuncts(self) -> str:
        return "".join(self._maybe(share, self._adjunct) for share in (0.5, 0.15))

    def _adjunct(self) -> str:
        return self._any("manners", "places", "places")

    def _manner(self) -> str:
        return self._any("manners")

    def _place(self) -> str:
        return self._any("places")

    def _adjective(self) -> str:
        return self._any("sound_adjectives")

    def _finite(self, verb: str, plural: bool) -> str:
        head, *rest = verb.split()
        singular = [*plurals(head)] or [head + "es"]
        return " ".join([head if plural else singular[-1], *rest])

    def _ing(self, verb: str) -> str:
        head, *rest = verb.split()
        forms = [form for form in inflections(head) if form.endswith("ing")]  # the doubled letter comes first
        return " ".join([forms[0 if head in _DOUBLED else -1], *rest])

    def _plural(self, noun: str) -> str:
        return (
            noun
            if noun.endswith(("s", "ing", "ter", "music", "silence", "static", "fire", "speech", "thunder"))
            else next(iter(plurals(noun)), noun)
        )

    # prompts

    def _prompt(self) -> str:
        """Return a subject, with a medium before it and styles behind it."""
        subject = self._prompt_subject()
        styles = ", ".join(self._random.sample(self._words["prompt_styles"], self._random.choice((0, 1, 2, 2, 3, 3, 4, 5))))
        manner = self._maybe(0.3, lambda: f"in the style of {self._any('artists')}", self._random.choice((" ", ", ")))
        medium = f"{self._random.choice(('a ', 'a ', ''))}{self._maybe(0.3, lambda: self._random.choice(self._words['prompt_styles']), '')}"
        head = f"{medium.strip()} {self._any('prompt_media')} of {subject}".strip() if self._chance(0.6) else subject
        text = head + manner + (f", {styles}" if styles else "")
        return re.sub(r"\ba (?=[aeiou])", "an ", text)

    def _prompt_subject(self) -> str:
        adjective = self._maybe(0.4, lambda: self._any("thing_adjectives", "prompt_styles"), "")
        subject = f"{self._random.choice(('a', 'a', 'a', 'the', ''))} {adjective} {self._any('prompt_subjects')}"
        second = self._maybe(0.12, lambda: f"a {self._any('prompt_subjects')}", " and ")
        return " ".join(f"{subject}{self._maybe(0.6, lambda: self._any('prompt_actions'))}{second}".split())


def main() -> None:
    """Run the command; see the module's docstring."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--texts", type=int, default=16_000)
    opt = options.parse_args()
    print(*islice(SoundGrammar().distinct_texts(), opt.texts), sep="\n")


if __name__ == "__main__":
    main()
