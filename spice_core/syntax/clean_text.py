"""Removal of characters and marks that are not part of a caption.

That is: differences that a reader does not see (format characters, decomposed accents, letters of another width), and marks such as those of
reasoning, chat templates, sequences, HTML and grounding.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

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


# --- marks ---------------------------------------------------------------------------------------------------------

_MAX_CAPTION_CHARS = 10_000  # readers reject longer captions
_REASONING = "think|thinking|thought|reasoning|analysis"
_ANSWER = "answer|final_answer|caption|response|description|conclusion"
_SEQUENCE = "pad|unk|mask|start|end|bos|eos|sos|go|cls|sep|startseq|endseq|startofseq|endofseq"
_HTML_BLOCK, _HTML_INLINE = "br|p|div|ul|ol|li|h[1-6]", "b|i|u|em|strong|span"
_GROUNDING = "ref|box|phrase|object|grounding|gnd|points?|seg|region|obj|roi|image|img|video"
_NUMBER = r"\s*\d+(?:\.\d+)?\s*"


class _MarkFamily(NamedTuple):
    """Marks of one kind: a label for notices, and the replacement of each match of each pattern."""

    label: str
    replacements: dict[re.Pattern[str], str]


def _family(label: str, *replacements: tuple[str, str]) -> _MarkFamily:
    return _MarkFamily(label, {re.compile(pattern, re.DOTALL | re.IGNORECASE | re.MULTILINE): text for pattern, text in replacements})


_FAMILIES = (
    _family(
        "<think>",
        (rf"\A.*(?:</(?:{_REASONING})>|◁/think▷|<\|channel\|>final<\|message\|>)", ""),
        (rf"(?:<(?:{_REASONING})>|◁think▷|<\|channel\|>analysis).*", ""),  # reasoning without an answer
    ),
    _family(
        "<answer>",
        (rf"\A.*(?:<(?:{_ANSWER})>|<\|begin_of_box\|>)", ""),
        (rf"(?:</(?:{_ANSWER})>|<\|end_of_box\|>).*", ""),
        (r"\A\s*\\boxed\{(?:\\text\{)?([^{}]*)\}+\s*\Z", r"\1"),
    ),
    _family(
        "<box>",
        (r"<(box|quad|bbox|point)>[^<]*</\1>|<\|(box|quad|point)_start\|>[^<]*<\|\2_end\|>", " "),
        (r"\{(?:<\d+>|<delim>)+\}|<(?:patch_index|loc|bin|seg|vis|region|obj)_?\d+>|<\|object_ref_(?:start|end)\|>", " "),
        (rf"</?(?:{_GROUNDING})(?:\s[^<>]*)?/?>|\[(?:SEG|LOC|DET)\]", " "),
        (rf"\[+{_NUMBER}(?:[,;]{_NUMBER}){{3,}}\]+|\({_NUMBER},{_NUMBER}\)\s*,\s*\({_NUMBER},{_NUMBER}\)", " "),
    ),
    _family("[/EN#1/people …]", (r"\[/EN#\d+(?:/\w+)*\s+([^][]*)\]", r"\1")),
    _family(
        "<|im_end|>",
        (r"\A\s*(?:<\|im_start\|>assistant\b|<\|start_header_id\|>assistant<\|end_header_id\|>|<start_of_turn>model\b|ASSISTANT:)\s*", ""),
        (r"<end_of_turn>\s*\Z|<\|[a-z_]+\|>", " "),
    ),
    _family(
        "<pad>, sos … eos",
        (r"\A\s*(?:</?s>\s*)+|(?:\s*</?s>)+\s*\Z", ""),
        (rf"<(?:{_SEQUENCE})>|\[(?:{_SEQUENCE})\]|\b(?:start|end)(?:of)?seq\b", " "),
        (r"\A\s*(?:sos|bos)\b(.*?)\beos(?:\s+(?:pad|eos))*\s*\Z", r"\1"),
        (r"\A\s*(?:sos|bos)\s+(?=(?:an?|the|this|there|two|three|some)\b)|(?<=[.!?])\s*eos(?:\s+(?:pad|eos))*\s*\Z", ""),
    ),
    _family("<br>", (rf"</?(?:{_HTML_BLOCK})(?:\s[^<>]*)?/?>", " "), (rf"</?(?:{_HTML_INLINE})(?:\s[^<>]*)?/?>", "")),
    _family(
        "Markdown",
        (r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", r"\1"),
        (r"^[ ]{0,3}(?:[-*•]|\d{1,2}\.)[ \t]+(?=[^\W\d]|\*\*)", ""),  # a list item before a letter or bold text
        (r"(?<![a-z0-9*_])(\*\*|__)(?=[^\s*_])([^\n]{1,300}?)(?<=[^\s*_])\1(?![a-z0-9*_])", r"\2"),  # bold text, not "f**k and s**t"
    ),
)
_ANY_MARK = re.compile(
    r"[<◁[{`]|\*\*|__|\(\d|\\boxed|^\s*(?:[-*•#]|\d+\.)|\b(?:sos|bos|eos|startseq|endseq|startofseq|endofseq|assistant:)",
    re.IGNORECASE | re.MULTILINE,
)


def clean_caption(text: str) -> str:
    """Return a caption without marks and invisible differences (see ``clean_text``).

    >>> clean_caption("<think>A pet?</think> <answer>**A dog** on a sofa.</answer>")
    'A dog on a sofa.'
    >>> clean_caption("sos a dog on a sofa eos"), clean_caption("[/EN#1/animals A dog] sits<box>1,2,3,4</box> ."), clean_caption("a * sign")
    ('a dog on a sofa', 'A dog sits .', 'a * sign')
    """
    text = clean_text(text)  # may have invisible characters at its start
    labels: dict[str, None] = {}
    while len(text) <= _MAX_CAPTION_CHARS and _ANY_MARK.search(text):
        before = text
        for family in _FAMILIES:
            for pattern, replacement in family.replacements.items():
                shorter = pattern.sub(replacement, text)
                if shorter != text:
                    labels[family.label] = None
                    text = re.sub(r"(?<=\s)[ \t]+", "", shorter).strip()
        if text == before:
            break
    if labels and (count := _COUNT.get()):
        count.marked_texts += 1
        count.marks |= labels
    return text
