"""Removal of differences that a reader of a text does not see: format characters, decomposed accents, and letters of another width."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from spice_core.errors import Message

_EMOJI = "©®‼⁉™ℹ↔-⇿⌀-⏿Ⓜ▪-➿⤴⤵⬀-⯿〰〽㊗㊙\U0001f000-\U0001faff"
_JOINING_SCRIPTS = "\u0600-\u109f\u1780-\u18af"  # scripts in which joiners select a letter's form
_CLEAN_ASCII = re.compile(r"[\t-\r\x1c-~]*")
# Control and format characters, except white space and the parts of emoji: joiners, variation selectors, flag tags.
_INVISIBLE = re.compile(
    rf"(?<![{_JOINING_SCRIPTS}])(?:\u200c|(?<![{_EMOJI}])(?<![{_EMOJI}]\ufe0f)\u200d|\u200d(?![{_EMOJI}]))"
    rf"|(?<![{_EMOJI}])[\ufe0e\ufe0f](?!\u20e3)|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+"
    r"|[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff"
    r"\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000\U000e0001\U000e0100-\U000e01ef]"
)
_HALF_WIDTH_KANA = re.compile("[｡-ﾟ]+")
_JAPANESE_LETTER = re.compile("[々-〇ぁ-ヿ㐀-鿿]")
_USUAL_WIDTH = {0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}


class CleaningCount:
    """Counts within ``counting``: changed texts, changed characters, texts with marks, and kinds of marks."""

    def __init__(self) -> None:
        self.texts = self.characters = self.marked_texts = 0
        self.marks = dict[str, None]()

    @contextmanager
    def counting(self) -> Iterator[CleaningCount]:
        """Count the texts cleaned by this thread in the context, unless an inner context counts them."""
        token = _COUNT.set(self)
        try:
            yield self
        finally:
            _COUNT.reset(token)

    def notices(self) -> list[Message]:
        """Return notices with the counts, or an empty list if no text was changed."""
        cleaned = [Message("notice.cleaned", number=self.texts, characters=self.characters)] if self.texts else []
        labels = ", ".join(self.marks)
        return cleaned + ([Message("notice.marks", kinds=len(self.marks), number=self.marked_texts, labels=labels)] if labels else [])


_COUNT: ContextVar[CleaningCount | None] = ContextVar("count", default=None)


def count_marks(labels: Iterable[str]) -> None:
    """Count a text with removed marks of these kinds, within ``CleaningCount.counting``."""
    if count := _COUNT.get():
        count.marked_texts += 1
        count.marks.update(dict.fromkeys(labels))


def clean_text(text: str) -> str:
    r"""Return a text without format characters, in NFC and with letters of usual width.

    Emoji sequences are preserved, and so are full-width Latin letters in Japanese texts, where they are usual.

    >>> clean_text("a \u200bso\u00adfa in a cafe\u0301, ½ ｆｕｌｌ"), clean_text("Ｔシャツの２匹のｲﾇ")
    ('a sofa in a café, ½ full', 'Ｔシャツの２匹のイヌ')
    """
    if text.isascii() and _CLEAN_ASCII.fullmatch(text):
        return text
    clean = _HALF_WIDTH_KANA.sub(lambda match: unicodedata.normalize("NFKC", match[0]), _INVISIBLE.sub("", text))
    clean = unicodedata.normalize("NFC", clean if _JAPANESE_LETTER.search(clean) else clean.translate(_USUAL_WIDTH))
    if clean != text and (count := _COUNT.get()):
        count.texts += 1
        count.characters += (Counter(text) - Counter(clean)).total()
    return clean
