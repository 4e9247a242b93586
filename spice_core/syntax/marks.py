"""Removal of marks that are not part of a caption, such as those of reasoning, chat templates, sequences, HTML and grounding."""

from __future__ import annotations

import re
from typing import NamedTuple

from spice_core.syntax.clean_text import clean_text, count_marks

_MAX_CHARS = 10_000  # readers reject longer captions
_REASONING = "think|thinking|thought|reasoning|analysis"
_ANSWER = "answer|final_answer|caption|response|description|conclusion"
_SEQUENCE = "pad|unk|mask|start|end|bos|eos|sos|go|cls|sep|startseq|endseq|startofseq|endofseq"
_HTML_BLOCK, _HTML_INLINE = "br|p|div|ul|ol|li|h[1-6]", "b|i|u|em|strong|span"
_GROUNDING = "ref|box|phrase|object|grounding|gnd|points?|seg|region|obj|roi|image|img|video"
_NUMBER = r"\s*\d+(?:\.\d+)?\s*"


class _Family(NamedTuple):
    """Marks of one kind: a label for notices, and the replacement of each match of each pattern."""

    label: str
    replacements: dict[re.Pattern[str], str]


def _family(label: str, *replacements: tuple[str, str]) -> _Family:
    return _Family(label, {re.compile(pattern, re.DOTALL | re.IGNORECASE | re.MULTILINE): text for pattern, text in replacements})


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
    while len(text) <= _MAX_CHARS and _ANY_MARK.search(text):
        before = text
        for family in _FAMILIES:
            for pattern, replacement in family.replacements.items():
                shorter = pattern.sub(replacement, text)
                if shorter != text:
                    labels[family.label] = None
                    text = re.sub(r"(?<=\s)[ \t]+", "", shorter).strip()
        if text == before:
            break
    if labels:
        count_marks(labels)
    return text
