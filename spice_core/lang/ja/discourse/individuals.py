"""Members of a group that a caption tells apart: 一人は … もう一人は, 片方は … もう片方は ("one …, the other …")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spice_core.syntax.document import Sentence, Token

_MEMBER_PATTERN = re.compile("(?:[一1１](?:人|匹|頭|羽|台|つ|方)|ひとり|片方|他方)")


def find_member_word(sentence: Sentence, words: Sequence[Token], predicate: Sequence[Token]) -> str:
    """Return the member of a group, such as もう一人 ("the other person"), that is the subject of a predicate.

    Return "" if the subject is not a member.
    """
    word_indices = {token.index for token in words}
    for edge in sentence.basic:
        if edge.head in {t.index for t in predicate} and edge.relation in ("nsubj", "obl", "dislocated"):
            modifiers = [b.dependent for b in sentence.basic if b.head == edge.dependent and b.relation in ("nummod", "advmod", "compound")]
            text = "".join(sentence.tokens[i - 1].text for i in sorted({edge.dependent, *modifiers}))
            if _MEMBER_PATTERN.fullmatch(text.removeprefix("もう")) and edge.dependent not in word_indices:
                return text
    return ""
