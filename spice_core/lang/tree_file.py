"""The parser ``conllu:FILE`` of every language: trees from a CoNLL-U file, looked up by their captions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from spice_core.data.items import check_caption
from spice_core.data.reader import readable
from spice_core.errors import InputError, Message
from spice_core.files import check_regular
from spice_core.syntax import conllu
from spice_core.syntax.document import Document


class TreeFile:
    """Documents of a file by caption, whatever its white space; the signature holds the digest of the file."""

    def __init__(self, path: str):
        """Read the file. Raises InputError for one that cannot be read, and for a caption with two different trees."""
        self._path, self._documents = path, dict[str, Document]()
        check_regular(Path(path))
        with readable(path):
            content = Path(path).read_bytes()
        try:
            lines = content.decode("utf-8-sig").split("\n")
        except UnicodeDecodeError:
            raise InputError(path, Message("found.other_encoding"), Message("expected.utf8")) from None
        self.signature = f"conllu-{sha256(content).hexdigest()[:8]}"
        for document in conllu.read(lines, name=path):
            if self._documents.setdefault(_key(document.text), document) != document:
                raise InputError(path, Message("found.two_trees", caption=document.text), Message("expected.one_tree"))

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """One document per caption, in order. Raises InputError for a caption that the file does not have."""
        for caption in captions:
            text = _key(check_caption(caption, "caption"))
            if text and text not in self._documents:
                raise InputError(self._path, Message("found.no_tree"), Message("expected.tree_of", caption=text))
            yield self._documents.get(text) or Document(text, ())


def _key(caption: str) -> str:
    return " ".join(caption.split())
