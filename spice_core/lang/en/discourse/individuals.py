"""Words that distinguish the members of a group: "one dog … the other dog", "one of them … another"."""

from __future__ import annotations

from collections.abc import Sequence

from spice_core.syntax.document import Sentence, Token

_MEMBER_WORDS = frozenset("one other another others some first second third".split())
_MODIFIER_RELATIONS = ("nummod", "amod", "det")


def find_member_word(sentence: Sentence, words: Sequence[Token], predicate: Sequence[Token]) -> str:
    """Return the word that tells a member of a group from the others ("one", "other"), or "" if there is none.

    ``words`` name the object. ``predicate`` is the predicate whose subject is the object, or empty if there is none.
    """
    indexes = {token.index for token in words}
    subjects = {e.dependent for e in sentence.basic if e.relation.startswith("nsubj") and e.head in {t.index for t in predicate}}
    # In "another is holding a ball", the words are the antecedent of "another", so only the subject tells which member is meant.
    heads = indexes if subjects <= indexes else subjects
    modifiers = {e.dependent for e in sentence.basic if e.head in heads and e.relation.startswith(_MODIFIER_RELATIONS)}
    names = (sentence.tokens[index - 1].text.lower() for index in (*sorted(heads), *sorted(modifiers)))
    return next((name for name in names if name in _MEMBER_WORDS), "")
