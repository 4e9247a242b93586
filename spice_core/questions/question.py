"""Questions about the tuples of a scene graph."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from spice_core.lang import language
from spice_core.lang.wording import Wording
from spice_core.metrics.spice import Spice
from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import PLACEHOLDER, Parse
from spice_core.syntax.document import Token


@dataclass(frozen=True)
class Question:
    """A yes/no question that asks whether one tuple is true of a picture.

    Attributes:
        id: The id, which depends only on the words of the tuple.
        text: The question.
        words: The words of the tuple.
        kind: The broad and the detailed kind of the tuple in DSG's terms.
        parts: The parts of the tuple in DSG's notation.
        parents: The ids of the questions that need the answer "yes" for this question to make sense.
        phrasing: The name of the phrasing in the language's phrase book.
        node: The id of the tuple in its graph.
        mentions: The captions and tokens that state the tuple.
    """

    id: str
    text: str
    words: tuple[str, ...]
    kind: tuple[str, str]
    parts: tuple[str, ...]
    parents: tuple[str, ...]
    phrasing: str
    node: str = field(compare=False)
    mentions: tuple[tuple[int, Token], ...] = field(default=(), compare=False, repr=False)

    @property
    def dsg(self) -> str:
        """The tuple in DSG's notation: "attribute - color (dog, brown)"."""
        return f"{' - '.join(self.kind)} ({', '.join(self.parts)})"


# "--no people" excludes people from the generated image
_PROMPT_PARAMETER = re.compile(r"(?<!\S)(?:--|—)(?:no\s[^-—]*|[a-z]+(?:[ =]+[\d.:]+)?)", re.IGNORECASE)


def blank_parameters(prompt: str) -> str:
    """Replace an image generator's parameters in a prompt by spaces, preserving the offsets of words.

    >>> blank_parameters("a cat, oil painting --no dogs --ar 16:9")
    'a cat, oil painting                    '
    """
    return _PROMPT_PARAMETER.sub(lambda parameter: " " * len(parameter[0]), prompt)


def ask(spice: Spice, parse: Parse) -> list[Question]:
    """Return the questions about one parsed caption: objects, then attributes, then relations, each in the order of their mentions.

    >>> spice = Spice()
    >>> [question.text for question in ask(spice, next(spice.parse(["Two brown dogs."])))]
    ['Are there dogs?', 'Are there two dogs?', 'Are the dogs brown?']
    """
    return questions_of(spice.graph([parse]).tuples(), [parse], spice.lang)


def questions_of(tuples: Sequence[SceneTuple], parses: Sequence[Parse], lang: str) -> list[Question]:
    """Return a question for each affirmed tuple of a graph.

    Args:
        tuples: all tuples of the graph.
        parses: the parses that the graph was merged from, in the same order.
        lang: code of the language.

    Returns:
        The questions: objects, then attributes, then relations, each in the order of the captions. A parent comes before its children,
        except that a whole may come after its part.

    Raises:
        MissingResourceError: the language has no phrasings.
    """
    sorted_tuples = sorted((tuple_ for tuple_ in tuples if not tuple_.negated), key=_sort_key)
    wordings = language(lang).wordings()(sorted_tuples, parses)
    question_ids = {tuple_.elements[0].id: question_id(tuple_.words) for tuple_ in sorted_tuples if tuple_.kind == "object"}
    picture_ids = {
        id
        for (kind, _), id in ((w.kind, t.elements[0].id) for t, w in zip(sorted_tuples, wordings) if t.kind == "object")
        if kind == "global"
    }
    return [_make_question(tuple_, wording, question_ids, picture_ids) for tuple_, wording in zip(sorted_tuples, wordings)]


def question_id(words: Sequence[str]) -> str:
    """Return the id of a question: eight hexadecimal digits that depend only on the tuple's words."""
    return hashlib.sha256("\x1f".join(words).encode()).hexdigest()[:8]


def _sort_key(tuple_: SceneTuple) -> tuple[int, int, int, tuple[str, ...]]:
    """Return the sort key of a tuple: its kind, its first mention (caption and token), and its words."""
    parts_of_mention = (
        (m, m.proposition.tokens[-1:] if len(tuple_.words) > 1 else m.proposition.tokens[m.part :][:1]) for m in tuple_.mentions
    )
    mentions = ((m.caption, min((token.start for part in parts for token in part), default=0)) for m, parts in parts_of_mention)
    first_mention = min(mentions, default=(0, 0))
    return len(tuple_.words), *first_mention, tuple_.words


def _make_question(tuple_: SceneTuple, wording: Wording, question_ids: dict[str, str], picture_ids: set[str]) -> Question:
    if tuple_.kind == "object" or wording.whole_id:
        parents: tuple[str, ...] = (wording.whole_id,)
    elif wording.kind[0] in ("entity", "global"):
        parents = (tuple_.elements[0].id,) if wording.kind[0] == "global" and tuple_.elements[0].id in picture_ids else ()
    else:
        parents = tuple(element.id for element in tuple_.elements[::2] if PLACEHOLDER not in element.concept.words)
    mentions = {(m.caption, token) for m in tuple_.mentions for part in m.proposition.tokens for token in part}
    return Question(
        id=question_id(tuple_.words),
        text=wording.text,
        words=tuple_.words,
        kind=wording.kind,
        parts=wording.parts,
        parents=tuple(dict.fromkeys(question_ids[id] for id in parents if id in question_ids)),
        phrasing=wording.phrasing,
        node=tuple_.id,
        mentions=tuple(sorted(mentions)),
    )
