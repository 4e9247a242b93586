"""The parser ``conllu:FILE`` of every language: trees from a CoNLL-U file, looked up by their captions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from weakref import WeakValueDictionary

from spice_core.data.items import check_caption
from spice_core.data.reader import Readable, Upload, input_errors, open_utf8, text_of
from spice_core.errors import InputError, Message
from spice_core.lang.pack import Parser
from spice_core.syntax import conllu
from spice_core.syntax.document import Document

_UPLOAD = "upload:"  # before the key of trees that are no file of this machine
_LINES, _CAPTIONS = 2_000_000, 200_000  # of an upload
_ROWS, _BYTES = 1_000, 1 << 18  # of one caption of an upload: some seconds of work


class TreeFile:
    """Documents of a file by caption, whatever its white space; the signature holds the digest of the file.

    Kept are the lines of each caption, which take a tenth of the memory of its document. ``name`` is that of the parser in settings.
    """

    def __init__(self, file: str | Readable):
        """Read the file. Raises InputError for one that cannot be read, and for a caption with two different trees."""
        source = Path(file) if isinstance(file, str) else file
        self._file, self._trees = str(file), dict[str, bytes]()
        with open_utf8(source) as stream, input_errors(source):
            content = stream.read()
        self.key = sha256(content).hexdigest()
        self.name = f"conllu:{_UPLOAD}{self.key}" if isinstance(source, Upload) else f"conllu:{file}"
        for number, part in conllu.parts(_lines(content, self._file, bounded=isinstance(source, Upload))):
            lines = "".join(part).encode()
            if isinstance(source, Upload):
                self._check_size(part, len(lines), number)
            document = conllu.document_of(part, number, name=self._file)
            self._keep(document, lines)
        if not self._trees:
            raise InputError(self._file, Message("found.no_tree"), Message("expected.trees"))

    def __len__(self) -> int:
        return len(self._trees)

    @property
    def signature(self) -> str:
        """``conllu-`` and the first digits of the digest."""
        return _signature(self.key)

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """One document per caption, in order. Raises InputError for a caption that the file does not have."""
        for caption in captions:
            text = _key(check_caption(caption, "caption"))
            if text and text not in self._trees:
                raise InputError(self._file, Message("found.no_tree"), Message("expected.tree_of", caption=text))
            yield self._document(self._trees[text]) if text in self._trees else Document(text, ())

    def lacks(self, caption: str) -> bool:
        """Whether the file has no tree of this caption; one without text needs none."""
        return bool(text := _key(caption)) and text not in self._trees

    def of(self, captions: Iterable[str]) -> TreeFile:
        """The trees of these captions alone, under the same name and signature."""
        part = TreeFile.__new__(TreeFile)
        part.key, part.name, part._file = self.key, self.name, self._file
        part._trees = {text: self._trees[text] for text in map(_key, captions) if text in self._trees}
        return part

    def _keep(self, document: Document, lines: bytes) -> None:
        """Keep the lines of a document. Raises InputError for a second tree of its caption."""
        known = self._trees.setdefault(_key(document.text), lines)
        if known != lines and self._document(known) != document:
            raise InputError(self._file, Message("found.two_trees", caption=document.text), Message("expected.one_tree"))

    def _check_size(self, part: list[str], size: int, number: int) -> None:
        """Raise InputError for a caption of an upload whose tree is too large, or for one caption too many."""
        where, rows = Message("where.token_row", file=self._file, number=number), sum(line[:1] not in "#\r\n" for line in part)
        if rows > _ROWS:
            raise InputError(where, Message("found.rows_of_caption", number=rows), Message("expected.at_most_many", number=_ROWS))
        if size > _BYTES:
            raise InputError(where, Message("found.bytes", number=size), Message("expected.at_most_many", number=_BYTES))
        if len(self._trees) == _CAPTIONS:
            raise InputError(self._file, Message("found.many_trees"), Message("expected.at_most_here", number=_CAPTIONS))

    def _document(self, lines: bytes) -> Document:
        return conllu.document_of(lines.decode().split("\n"), name=self._file)


class _Shared:
    """The parser of trees that are no file: those that this process has under a key, as long as somebody holds them."""

    def __init__(self, key: str):
        self._key, self.signature = key, _signature(key)

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """One document per caption, in order. Raises InputError as TreeFile does, and once nobody holds the trees."""
        trees = _SHARED.get(self._key)
        if trees is None:
            raise InputError(self.signature, Message("found.no_trees_here"), Message("expected.trees_again"))
        yield from trees.parse(captions)


_SHARED: WeakValueDictionary[str, TreeFile] = WeakValueDictionary()


def parser(argument: str) -> Parser:
    """The trees of a file by its path, or the uploaded ones by their key."""
    return _Shared(argument.removeprefix(_UPLOAD)) if argument.startswith(_UPLOAD) else TreeFile(argument)


def uploaded(parser: str) -> bool:
    """Whether a parser of this name reads uploaded trees."""
    return parser.startswith(f"conllu:{_UPLOAD}")


def shared(trees: TreeFile) -> TreeFile:
    """These trees for all metrics of this process whose settings name them, while the returned ones are held."""
    return _SHARED.setdefault(trees.key, trees)


@contextmanager
def lent(trees: TreeFile) -> Iterator[None]:
    """These trees for all metrics of this process whose settings name them, meanwhile."""
    _SHARED[trees.key] = trees
    try:
        yield
    finally:
        _SHARED.pop(trees.key, None)


def _lines(content: bytes, name: str, *, bounded: bool) -> Iterator[str]:
    """The lines of a file. Raises InputError for another encoding than UTF-8, and for too many of an upload."""
    if bounded and content.count(b"\n") >= _LINES:
        raise InputError(name, Message("found.lines", number=_LINES), Message("expected.smaller_file"))
    at = 0
    while at < len(content):
        end = content.find(b"\n", at) + 1 or len(content)
        try:
            line = content[at:end].decode()
        except UnicodeDecodeError:
            text_of(content, name)
            raise
        yield line
        at = end


def _signature(key: str) -> str:
    return f"conllu-{key[:8]}"


def _key(caption: str) -> str:
    return " ".join(caption.split())
