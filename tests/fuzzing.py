"""Hostile captions and files, made from real ones by random changes with a given seed."""

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence

from tests.conftest import DATA, GOLD, rows

_ODD_CHARACTERS = (
    *"\u0301\u0308\u20dd\u0e34\u3099\u309a",  # combining marks, with and without a letter before them
    *"\u200b\u200c\u200d\u2060\ufeff\u00ad",  # characters without width
    *"\u202a\u202e\u202c\u2066\u2069\u200f",  # marks of text direction
    *"\ufe0f\ufe0e\U000e0100\u180b",  # variation selectors
    *"\x00\x01\x07\x08\x1b\x1c\x1d\x1e\x1f\x7f\x85\u2028\u2029",  # control characters and separators
    *"\u00a0\u2003\u3000\t\n\r\v\f",  # white space
    *"\ud7ff\ue000\ufffd\uffff\U0010ffff",  # first and last characters of ranges
    *"ﬁßİıſŉǅΣςẞ㎏㍿㋿½²⑧Ⅷ",  # characters whose length or case changes under Unicode normalisation or a change of case
    *"ＡａＺ０９！？，．ﾊﾟｶﾞｱ゛ヴヷ",  # full and half width
    *"«»„“”‘’‚‹›〝〟「」『』（）［］",
    *"😀🐶🧑🏽‍🤝‍🧑🏻👨‍👩‍👧‍👦🏳️‍🌈🇯🇵🇬🇧1️⃣👋🏿",
    *"\U0001f468\u200d\U0001f3fd\U0001f1ef\U0001f468\u200d",  # incomplete emoji
    "שלום", "مرحبا بالعالم", "हिन्दी", "ไทย", "한국어", "Ελληνικά", "кириллица", "中文字", "𝔻𝕠𝕘", "Z̸̡̛a̷l̶g̵o̴",
)  # fmt: skip
_MARKUP = ("<b>", "</b>", "<script>alert(1)</script>", "&amp;", "&#0;", "{}", "{{x}}", "%s%n", "$(id)", "`x`", "\\n", "\\u0000", "[PHI]",
           "-LRB-", "``", "''", "http://a.b/c?d=e#f", "a@b.cd", "#dog", "@cat", "/.*/", "'; DROP TABLE parses;--", "**", "| a | b |")  # fmt: skip
_NUMBERS = ("0", "-1", "1,000,000", "3.14", "1e309", "1/2", "22 3/4", "10%", "$5", "1st", "2nd", "7:30", "5'10\"", "0x1F", "１２", "二十三匹",
            "〇", "百", "12人", "99999999999999999999")  # fmt: skip
_PUNCTUATION = "!?.,;:…-—–'\"()[]{}/\\|_*&^%$#@~`+=<>。、・ー〜！？"
_JSON_SCALARS = ("null", "true", "false", "0", "-1", "1e999", "-0.0", "1" * 400, "NaN", "Infinity", '""', '"x"', "[]", "{}", "[[]]", '[[["a"]]]', '{"a": 1}',
            '" "', '"\\ud800"', '"\\u0000"', "[null]", "[1]", '[["dog", 1]]', '[["dog", "on", "sofa", "x"]]', '"' + "a" * 20_000 + '"')  # fmt: skip
_BYTE_SEQUENCES = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\x80", b"\x82\xb1", b"\r", b"\n", b"\r\n", b"\n\n", b"\t", b",", b";", b'"', b'""',
    b"\\", b"\\u", b"[", b"]", b"{", b"}", b"(", b")", b":", b"=", b"#", b"|", b"/", b"\x1a", b"\x1f\x8b", b"'''", b'"""', b"0", b"-", b".", b"_",
    b"\xe2\x80\xa8", b"\x1e", b"\x1f", b"\xe3\x80\x80",
)  # fmt: skip


def real_captions(lang: str) -> list[str]:
    """Return the captions of a language in the gallery, gold graphs, samples and stored results, without duplicates."""
    assets = GOLD.parent
    examples = [e for group in json.loads((assets / "examples.json").read_text("utf-8")) for e in group["examples"]]
    real_texts = [text for e in examples for text in (e["candidate"], *e["references"])]
    real_texts += [row["caption"] for row in rows(GOLD / f"gold_{lang}.jsonl")]
    if lang == "en":
        real_texts += (assets / "captions" / "coco_500.txt").read_text("utf-8").splitlines()
        real_texts += [text for row in rows(assets / "samples" / "coco.jsonl") for text in row["captions"]]
        real_texts += [row["caption"] for row in rows(DATA / "propositions.jsonl")]
    else:
        pairs = json.loads((assets / "agreement" / "sample_ja.json").read_text("utf-8"))["items"]
        real_texts += [text for pair in pairs for text in (pair["candidate"], *pair["references"])]
    japanese = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
    return [text for text in dict.fromkeys(real_texts) if text and bool(japanese.search(text)) == (lang == "ja")]


def fuzzed_captions(captions: Sequence[str], seed: int) -> Iterator[str]:
    """Yield an endless stream of captions derived from these, most of them with one to four changes."""
    rng = random.Random(seed)
    while True:
        text = rng.choice(captions)
        for change in rng.choices(_CAPTION_CHANGES, k=rng.choice((0, 1, 1, 1, 2, 2, 3, 4))):
            text = change(text, captions, rng)
        yield text.encode("utf-8", "replace").decode()[:3000]


def mutations(content: bytes, seed: int, count: int) -> Iterator[bytes]:
    """Yield ``count`` damaged versions of a file, with changed bytes and lines or with odd JSON values and words."""
    rng = random.Random(seed)
    for _ in range(count):
        broken = content
        for change in rng.choices(_FILE_CHANGES, k=rng.choice((1, 1, 2, 3))):
            broken = change(broken, rng)
        yield broken


def gzip_file(content: bytes, seed: int) -> bytes:
    """Gzip a file, and damage the result for about half of the seeds."""
    rng, content = random.Random(seed), gzip.compress(content, 1, mtime=0)
    return _change_bytes(content, rng) if rng.random() < 0.5 else content


def _units(text: str) -> list[str]:
    """Return the words of a text, or its characters if it has no spaces."""
    return text.split(" ") if " " in text else list(text) or [""]


def _join_units(units: list[str], text: str) -> str:
    return (" " if " " in text else "").join(units)


def _delete(text: str, captions: Sequence[str], rng: random.Random) -> str:
    units = _units(text)
    start = rng.randrange(len(units))
    return _join_units(units[:start] + units[start + rng.randint(1, 4) :], text)


def _swap(text: str, captions: Sequence[str], rng: random.Random) -> str:
    units = _units(text)
    for _ in range(rng.randint(1, 4)):
        i, j = rng.randrange(len(units)), rng.randrange(len(units))
        units[i], units[j] = units[j], units[i]
    return _join_units(units, text)


def _repeat(text: str, captions: Sequence[str], rng: random.Random) -> str:
    units = _units(text)
    start = rng.randrange(len(units))
    part = units[start : start + rng.randint(1, 3)]
    return _join_units(units[:start] + part * rng.choice((2, 3, 5, 40)) + units[start:], text)


def _splice(text: str, captions: Sequence[str], rng: random.Random) -> str:
    other_caption = rng.choice(captions)
    return text[: rng.randint(0, len(text))] + other_caption[rng.randint(0, len(other_caption)) :]


def _replace_with_foreign_word(text: str, captions: Sequence[str], rng: random.Random) -> str:
    units = _units(text)
    units[rng.randrange(len(units))] = rng.choice(_units(rng.choice(captions)))
    return _join_units(units, text)


def _change_characters(text: str, captions: Sequence[str], rng: random.Random) -> str:
    characters = list(text)
    for _ in range(rng.randint(1, 6)):
        if characters:
            i = rng.randrange(len(characters))
            characters[i] = rng.choice(
                ("", characters[i] * 2, rng.choice("etaoinshrdluzxq"), characters[i].swapcase(), chr(rng.randrange(0x20, 0x2FA1)))
            )
    return "".join(characters)


def _insert(pieces: Sequence[str]) -> Callable[..., str]:
    def insert(text: str, captions: Sequence[str], rng: random.Random) -> str:
        for _ in range(rng.randint(1, 4)):
            position = rng.randint(0, len(text))
            text = text[:position] + rng.choice(("", " ")) + rng.choice(pieces) + rng.choice(("", " ")) + text[position:]
        return text

    return insert


def _insert_punctuation(text: str, captions: Sequence[str], rng: random.Random) -> str:
    position, repetitions = rng.randint(0, len(text)), rng.choice((1, 3, 10, 80))
    run = rng.choice(_PUNCTUATION) * repetitions if rng.random() < 0.5 else "".join(rng.choices(_PUNCTUATION, k=repetitions))
    return text[:position] + run + text[position:]


def _insert_long_word(text: str, captions: Sequence[str], rng: random.Random) -> str:
    position = rng.randint(0, len(text))
    word = rng.choice((rng.choice("ax-_'９犬ー") * rng.choice((50, 300, 2000)), "".join(rng.choice(captions).split())))
    return text[:position] + word + text[position:]


_CASE_FUNCTIONS, _SEPARATORS = (str.upper, str.title, str.swapcase, str.casefold), (" ", ". ", "\n", ", ", " and ", "。", "、")
_change_case = lambda text, captions, rng: rng.choice(_CASE_FUNCTIONS)(text)
_join_captions = lambda text, captions, rng: rng.choice(_SEPARATORS).join([text, *rng.choices(captions, k=rng.randint(1, 12))])
_replace_with_tiny_text = lambda text, captions, rng: rng.choice(
    ("", " ", rng.choice(_ODD_CHARACTERS), rng.choice(_PUNCTUATION), rng.choice(_units(text)), text[::-1])
)
_CAPTION_CHANGES = (_delete, _swap, _repeat, _splice, _replace_with_foreign_word, _change_characters, _change_characters, _insert(_ODD_CHARACTERS), _insert(_ODD_CHARACTERS), _insert(_MARKUP),
            _insert(_NUMBERS), _insert_punctuation, _insert_long_word, _change_case, _join_captions, _replace_with_tiny_text)  # fmt: skip


def _change_bytes(content: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 8)):
        position = rng.randint(0, len(content))
        replacement = rng.choice((b"", bytes([rng.randrange(256)]), rng.choice(_BYTE_SEQUENCES)))
        content = content[:position] + replacement + content[position + rng.choice((0, 1, 1, 20)) :]
    return content


def _copy_block(content: bytes, rng: random.Random) -> bytes:
    """Insert one or more copies of a part of the file at a random position."""
    start, position = rng.randint(0, len(content)), rng.randint(0, len(content))
    part = content[start : start + rng.choice((1, 10, 200))]
    return content[:position] + part * rng.choice((1, 1, 2, 300)) + content[position:]


def _change_lines(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    rng.choice((lambda: lines.pop(i), lambda: lines.insert(i, lines[j]), lambda: lines.__setitem__(i, b""), lambda: lines.reverse()))()
    return b"\n".join(lines)


def _replace_value(content: bytes, rng: random.Random) -> bytes:
    values = list(re.finditer(rb'"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b|\[\]|\{\}', content))
    if not values:
        return _change_bytes(content, rng)
    for value in sorted(rng.sample(values, min(len(values), rng.choice((1, 1, 2, 5)))), key=lambda v: -v.start()):
        replacement = rng.choice(values).group() if rng.random() < 0.3 else rng.choice(_JSON_SCALARS).encode()
        content = content[: value.start()] + replacement + content[value.end() :]
    return content


def _replace_cell(content: bytes, rng: random.Random) -> bytes:
    cells = list(re.finditer(rb"[^\s,;:|/=(){}\[\]\"]+", content))
    if not cells:
        return _change_bytes(content, rng)
    for cell in sorted(rng.sample(cells, min(len(cells), rng.choice((1, 2, 5)))), key=lambda c: -c.start()):
        odd_text = rng.choice((*_ODD_CHARACTERS, *_MARKUP, *_NUMBERS, "", "9" * 30, "a" * 3000)).encode("utf-8", "surrogatepass")
        content = content[: cell.start()] + (rng.choice(cells).group() if rng.random() < 0.4 else odd_text) + content[cell.end() :]
    return content


def _nest_brackets(content: bytes, rng: random.Random) -> bytes:
    """Insert nested brackets, with or without the closing brackets."""
    (opening_bracket, closing), depth = rng.choice(((b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b'{"a":', b"}"))), rng.choice((3, 60, 5000))
    position = rng.randint(0, len(content))
    return content[:position] + opening_bracket * depth + (b"1" + closing * depth if rng.random() < 0.5 else b"") + content[position:]


_truncate = lambda content, rng: content[: rng.randint(0, len(content))]
_FILE_CHANGES = (
    _change_bytes,
    _change_bytes,
    _truncate,
    _copy_block,
    _change_lines,
    _replace_value,
    _replace_value,
    _replace_value,
    _replace_cell,
    _replace_cell,
    _nest_brackets,
)
