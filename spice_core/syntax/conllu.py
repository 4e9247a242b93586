"""Reading and writing of CoNLL-U files, with one or more sentences per caption. UD v1 is converted to UD v2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from spice_core.errors import InputError, Message
from spice_core.syntax.clean_text import clean_text
from spice_core.syntax.document import Dependency, Document, Sentence, Token, align_words, find_cycle

_V1_TO_V2 = {
    "dobj": "obj", "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "auxpass": "aux:pass", "mwe": "fixed",
    "neg": "advmod", "name": "flat", "foreign": "flat:foreign", "remnant": "orphan",
}  # fmt: skip
_MAX_ID_DIGITS = 9  # maximum number of digits of an id
_MAX_SENTENCE_WORDS = 2_000  # maximum number of words of a sentence, because the steps take quadratic time
_V1_ONLY_RELATIONS = frozenset(_V1_TO_V2)
_SEPARATOR_TRANSLATION = str.maketrans("\x1c\x1d\x1e\x1f", "    ")  # separators treated as white space
_CAPTION_KEYS = ("caption", "text")  # comment keys that start a caption


def read(lines: Iterable[str], *, name: str = "<conllu>") -> Iterator[Document]:
    """Yield the documents of a CoNLL-U stream, one per caption.

    A comment ``# caption = …`` starts a caption, or ``# text = …`` in a stream without comments of the first form. A sentence without such
    a comment belongs to the preceding caption. A filled ninth column becomes the enhanced graph. Lines of multiword tokens and empty nodes
    (ids such as 2-3 and 8.1) are ignored. Raises InputError, which names the row, if a line does not have ten columns, an id is not
    the next number, a head is not a number or does not exist, heads form a cycle, or a sentence has more than 2,000 rows.
    """
    for line_number, caption_lines in split_captions(lines):
        yield parse_document(caption_lines, line_number, name=name)


def split_captions(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of each caption of a stream, with the number of the first line."""
    keys = frozenset(_CAPTION_KEYS)
    first_line, caption_lines, has_tokens = 1, list[str](), False
    for line_number, line in enumerate(lines, 1):
        key = _parse_comment(line)[0]
        if key in keys:
            keys = keys if key == "text" else frozenset(("caption",))
            if has_tokens:
                yield first_line, caption_lines
                first_line, caption_lines = line_number, []
            has_tokens = True
        elif line.strip("\r\n") and not line.startswith("#"):
            has_tokens = True
        caption_lines.append(line)
    if has_tokens:
        yield first_line, caption_lines


def parse_document(lines: Iterable[str], first_line: int = 1, *, name: str = "<conllu>") -> Document:
    """Return the document of one caption from its lines, which begin at ``first_line``. Raises InputError as ``read`` does."""
    text: str | None = None
    sentences: list[Sentence] = []
    rows: list[tuple[int, list[str]]] = []
    clean_lines = clean_text("\n".join(line.rstrip("\r\n") for line in lines)).translate(_SEPARATOR_TRANSLATION).split("\n")
    for line_number, line in enumerate(clean_lines, first_line):
        key, value = _parse_comment(line)
        if key in _CAPTION_KEYS and text is None:
            text = value
        elif line and not line.startswith("#"):
            rows.append((line_number, line.split("\t")))
        elif not line:
            sentences += _parse_sentence(rows, name)
            rows = []
    return _make_document(text, sentences + _parse_sentence(rows, name))


def _parse_comment(line: str) -> tuple[str, str]:
    """Return key and value of a comment ``# key = value``, or two empty texts for other lines."""
    key, separator, value = line[1:].partition("=") if line.startswith("#") else ("", "", "")
    return (key.strip(), value.strip()) if separator else ("", "")


def write(document: Document) -> str:
    """Return the document as CoNLL-U in UD v2, with the enhanced graph in column nine and a blank line after each sentence."""
    out = [f"# caption = {document.text}"]
    for sentence in document.sentences:
        heads = {edge.dependent: edge for edge in sentence.basic}
        enhanced_edges: dict[int, list[Dependency]] = {}
        for edge in sentence.enhanced or ():
            enhanced_edges.setdefault(edge.dependent, []).append(edge)
        for token in sentence.tokens:
            incoming = heads.get(token.index)
            deps = "|".join(f"{e.head}:{e.relation}" for e in sorted(enhanced_edges.get(token.index, ()))) or "_"
            head, relation = (str(incoming.head), incoming.relation) if incoming else ("_", "_")
            columns = (str(token.index), token.text, token.lemma, "_", token.tag, "_", head, relation, deps, "_")
            out.append("\t".join(columns))
        out.append("")
    return "\n".join(out) + "\n"


def _make_document(text: str | None, sentences: list[Sentence]) -> Document:
    words = [token.text for sentence in sentences for token in sentence.tokens]
    text = " ".join(words) if text is None else text
    spans = iter(align_words(text, words))
    parsed_sentences = [
        Sentence(tuple(t._replace(start=s, end=e) for t, (s, e) in zip(sentence.tokens, spans)), sentence.basic, sentence.enhanced)
        for sentence in sentences
    ]
    return Document(text, tuple(parsed_sentences))


def _parse_sentence(rows: list[tuple[int, list[str]]], name: str) -> list[Sentence]:
    """Return the sentence in these rows as a list, which is empty if there are no words."""
    if len(rows) > _MAX_SENTENCE_WORDS:
        raise InputError(
            _row_place(name, rows[0][0]),
            Message("found.sentence", number=len(rows)),
            Message("expected.at_most", number=_MAX_SENTENCE_WORDS),
        )
    words: list[_Word] = []
    for line_number, columns in rows:
        if len(columns) != 10:
            raise InputError(_row_place(name, line_number), Message("found.columns", number=len(columns)), Message("expected.ten_columns"))
        if "-" not in columns[0] and "." not in columns[0]:
            words.append(_read_word(columns, name, line_number, len(words) + 1))
    if not words:
        return []
    tokens, basic = [word.token for word in words], [word.edge for word in words]
    enhanced_edges = [edge for word in words for edge in word.enhanced]
    for edge in (*basic, *enhanced_edges):
        if edge.head > len(tokens):
            where, expected = _row_place(name, words[edge.dependent - 1].line), Message("expected.range", last=len(tokens))
            raise InputError(where, Message("found.head", number=edge.head), expected)
    if heads := find_cycle(basic):
        found = Message("found.circle", heads=" → ".join(map(str, heads)))
        raise InputError(_row_place(name, words[heads[0] - 1].line), found, Message("expected.heads_up"))
    basic, enhanced_edges = convert_to_v2(tokens, basic, enhanced_edges)
    return [Sentence(tuple(tokens), tuple(basic), tuple(enhanced_edges) or None)]


class _Word(NamedTuple):
    """A word with its line number, its basic edge and its enhanced edges."""

    line: int
    token: Token
    edge: Dependency
    enhanced: list[Dependency]


def _read_word(columns: list[str], name: str, line: int, index: int) -> _Word:
    """Return the word in these columns, with its index in the sentence. Raises InputError."""
    ident, form, lemma, _, tag, _, head, relation, deps, _ = columns
    if _parse_number(ident, name, line, "ID") != index:
        raise InputError(_column_place(name, line, "ID"), ident, str(index))
    # no-break spaces in tokens represent spaces ("22 3/4")
    token = Token(index, form.replace("\xa0", " "), lemma.replace("\xa0", " ").strip().lower(), tag)
    governor = _parse_number(head, name, line, "HEAD") if head != "_" else 0
    parts = (part.partition(":") for part in deps.split("|")) if deps != "_" else ()
    enhanced_edges = [
        Dependency(_parse_number(parent, name, line, "DEPS"), index, label) for parent, _, label in parts if "." not in parent
    ]
    return _Word(
        line, token, Dependency(governor, index, relation if governor else "root"), enhanced_edges
    )  # tokens without a head are roots


def convert_to_v2(
    tokens: list[Token], basic_edges: list[Dependency], enhanced_edges: list[Dependency]
) -> tuple[list[Dependency], list[Dependency]]:
    """Return both graphs of a sentence in UD v2. They are converted if either contains edges of UD v1."""
    if any(_is_ud_v1(edge, tokens) for edge in (*basic_edges, *enhanced_edges)):
        return to_v2(tokens, basic_edges), to_v2(tokens, enhanced_edges)
    return basic_edges, enhanced_edges


def _row_place(name: str, line_number: int) -> Message:
    return Message("where.token_row", file=name, number=line_number)


def _column_place(name: str, line_number: int, column: str) -> Message:
    return Message("where.token_column", row=_row_place(name, line_number), name=column)


def _parse_number(text: str, name: str, line_number: int, column: str) -> int:
    if not text.isdecimal():
        raise InputError(_column_place(name, line_number, column), text, Message("expected.integer"))
    if len(text) > _MAX_ID_DIGITS:
        found, expected = Message("found.digits", number=len(text)), Message("expected.at_most", number=_MAX_ID_DIGITS)
        raise InputError(_column_place(name, line_number, column), found, expected)
    return int(text)


def _is_ud_v1(edge: Dependency, tokens: list[Token]) -> bool:
    """Return whether an edge is valid only in UD v1: a v1 label, an nmod of a verb or adjective, or a cc after its head."""
    if edge.relation in _V1_ONLY_RELATIONS:
        return True
    if edge.relation in ("nmod", "nmod:tmod", "nmod:npmod"):
        return edge.relation != "nmod" or (edge.head > 0 and tokens[edge.head - 1].tag[:1] in "VJ")
    return edge.relation == "cc" and edge.head < edge.dependent


def to_v2(tokens: list[Token], edges: list[Dependency]) -> list[Dependency]:
    """Convert edges from UD v1 to v2.

    Labels are renamed, nmod of verbs, adjectives and adverbs becomes obl, and cc is attached to the next conjunct.
    """
    conjuncts: dict[int, list[int]] = {}
    for edge in edges:
        if edge.relation.startswith("conj"):
            conjuncts.setdefault(edge.head, []).append(edge.dependent)
    out = []
    for head, dependent, relation in edges:
        base, colon, subtype = relation.partition(":")
        if base == "nmod" and subtype != "poss" and head and (tokens[head - 1].tag[:1] in "VJR" or subtype in ("tmod", "npmod", "agent")):
            relation = f"obl{colon}{subtype}"
        elif relation == "cc":
            head = min((c for c in conjuncts.get(head, ()) if c > dependent), default=head)
        else:
            relation = _V1_TO_V2.get(relation, relation)
        out.append(Dependency(head, dependent, relation))
    return out
