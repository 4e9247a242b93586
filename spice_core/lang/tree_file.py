"""Parser ``conllu:FILE``, which looks up the trees of captions in a CoNLL-U file. It works in every language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from weakref import WeakValueDictionary

from spice_core.data.items import check_caption
from spice_core.data.reader import ReadablePath, Upload, decode_text, input_errors, open_utf8
from spice_core.errors import InputError, Message
from spice_core.lang.pack import Parser
from spice_core.syntax import conllu
from spice_core.syntax.clean_text import clean_text
from spice_core.syntax.document import Document

_UPLOAD_PREFIX = "upload:"  # prefix of the keys of uploaded trees, which have no path
_MAX_UPLOAD_LINES, _MAX_UPLOAD_CAPTIONS = 2_000_000, 200_000  # maximum number of lines and of captions of an upload
_MAX_TREE_ROWS, _MAX_TREE_BYTES = 1_000, 1 << 18  # maximum size of an uploaded caption's trees, a few seconds of processing


class TreeFile:
    """Parser that looks up captions in a CoNLL-U file, ignoring differences in white space.

    The trees of a caption are stored as lines, which need a tenth of a document's memory. ``name`` is the parser's name in settings.
    """

    def __init__(self, file: str | ReadablePath):
        """Read the file. Raises InputError if the file is invalid, too large or without trees, or a caption has two different trees."""
        source = Path(file) if isinstance(file, str) else file
        self._file, self._trees = str(file), dict[str, bytes]()
        with open_utf8(source) as stream, input_errors(source):
            content = stream.read()
        self.key = sha256(content).hexdigest()
        self.name = f"conllu:{_UPLOAD_PREFIX}{self.key}" if isinstance(source, Upload) else f"conllu:{file}"
        for line_number, caption_lines in conllu.split_captions(_read_lines(content, self._file, is_limited=isinstance(source, Upload))):
            lines = "".join(caption_lines).encode()
            if isinstance(source, Upload):
                self._check_size(caption_lines, len(lines), line_number)
            document = conllu.parse_document(caption_lines, line_number, name=self._file)
            self._store_lines(document, lines)
        if not self._trees:
            raise InputError(self._file, Message("found.no_tree"), Message("expected.trees"))

    def __len__(self) -> int:
        return len(self._trees)

    @property
    def signature(self) -> str:
        """``conllu-`` and the first digits of the file's digest."""
        return _signature_of_key(self.key)

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield one document per caption, in order. Raises InputError if the file lacks the tree of a caption."""
        for caption in captions:
            text = " ".join(check_caption(caption, "caption").split())
            if text and text not in self._trees:
                raise InputError(self._file, Message("found.no_tree"), Message("expected.tree_of", caption=text))
            yield self._document(self._trees[text]) if text in self._trees else Document(text, ())

    def lacks_tree(self, caption: str) -> bool:
        """Return whether the file lacks a tree for this caption. An empty caption needs no tree."""
        return bool(text := _caption_key(caption)) and text not in self._trees

    def select_captions(self, captions: Iterable[str]) -> TreeFile:
        """Return a copy with the trees of these captions only and the same name and signature."""
        selection = TreeFile.__new__(TreeFile)
        selection.key, selection.name, selection._file = self.key, self.name, self._file
        selection._trees = {text: self._trees[text] for text in map(_caption_key, captions) if text in self._trees}
        return selection

    def _store_lines(self, document: Document, lines: bytes) -> None:
        """Store the lines of a document. Raises InputError if the caption already has a different tree."""
        stored_lines = self._trees.setdefault(_caption_key(document.text), lines)
        if stored_lines != lines and self._document(stored_lines) != document:
            raise InputError(self._file, Message("found.two_trees", caption=document.text), Message("expected.one_tree"))

    def _check_size(self, caption_lines: list[str], byte_count: int, line_number: int) -> None:
        """Raise InputError if the tree of an uploaded caption is too large or the upload has too many captions."""
        where, rows = (
            Message("where.token_row", file=self._file, number=line_number),
            sum(line[:1] not in "#\r\n" for line in caption_lines),
        )
        if rows > _MAX_TREE_ROWS:
            raise InputError(where, Message("found.rows_of_caption", number=rows), Message("expected.at_most_many", number=_MAX_TREE_ROWS))
        if byte_count > _MAX_TREE_BYTES:
            raise InputError(where, Message("found.bytes", number=byte_count), Message("expected.at_most_many", number=_MAX_TREE_BYTES))
        if len(self._trees) == _MAX_UPLOAD_CAPTIONS:
            raise InputError(self._file, Message("found.many_trees"), Message("expected.at_most_here", number=_MAX_UPLOAD_CAPTIONS))

    def _document(self, lines: bytes) -> Document:
        return conllu.parse_document(lines.decode().split("\n"), name=self._file)


class _SharedTrees:
    """Parser that looks up captions in uploaded trees, which this process shares by key until their owner releases them."""

    def __init__(self, key: str):
        self._key, self.signature = key, _signature_of_key(key)

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield one document per caption, in order. Raises InputError as TreeFile does, or if the trees have been released."""
        trees = _SHARED_TREES.get(self._key)
        if trees is None:
            raise InputError(self.signature, Message("found.no_trees_here"), Message("expected.trees_again"))
        yield from trees.parse(captions)


_SHARED_TREES: WeakValueDictionary[str, TreeFile] = WeakValueDictionary()


def parser(argument: str) -> Parser:
    """Return the parser for a CoNLL-U file, given its path, or for uploaded trees, given their key."""
    return _SharedTrees(argument.removeprefix(_UPLOAD_PREFIX)) if argument.startswith(_UPLOAD_PREFIX) else TreeFile(argument)


def is_uploaded(parser: str) -> bool:
    """Return whether the parser with this name reads uploaded trees."""
    return parser.startswith(f"conllu:{_UPLOAD_PREFIX}")


def share_trees(trees: TreeFile) -> TreeFile:
    """Share these trees with all metrics of this process whose settings name them, while the caller keeps the result."""
    return _SHARED_TREES.setdefault(trees.key, trees)


@contextmanager
def lend_trees(trees: TreeFile) -> Iterator[None]:
    """Share these trees within the context with all metrics of this process whose settings name them."""
    _SHARED_TREES[trees.key] = trees
    try:
        yield
    finally:
        _SHARED_TREES.pop(trees.key, None)


def _read_lines(content: bytes, name: str, *, is_limited: bool) -> Iterator[str]:
    """Yield the lines of a file. Raises InputError if the content is not UTF-8 or an upload has too many lines."""
    if is_limited and content.count(b"\n") >= _MAX_UPLOAD_LINES:
        raise InputError(name, Message("found.lines", number=_MAX_UPLOAD_LINES), Message("expected.smaller_file"))
    position = 0
    while position < len(content):
        end = content.find(b"\n", position) + 1 or len(content)
        try:
            line = content[position:end].decode()
        except UnicodeDecodeError:
            decode_text(content, name)
            raise
        yield line
        position = end


def _signature_of_key(key: str) -> str:
    return f"conllu-{key[:8]}"


def _caption_key(caption: str) -> str:
    return " ".join(clean_text(caption).split())
