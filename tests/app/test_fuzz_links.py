"""Damaged share links are opened, or refused in one line."""

import base64
import json
import zlib

from pages.parts.state import links
from spice_core.data.reader import Upload
from tests.data.test_fuzz_files import Reader, find_reader_fault, iterate_damaged_files

CAPTIONS = {"captions": ["A dog on a sofa.", "A brown dog.", "黒い犬。"], "settings": {"lang": "en", "rules": "caption"}}


def unpack_damaged_links(file: Upload) -> None:
    """Unpack three links made from a damaged text: packed, packed and truncated, and raw.

    Check that captions and settings are text.
    """
    token = base64.urlsafe_b64encode(zlib.compress(file.content)).decode()
    for link_text in (token, token[: len(file.content) % len(token)], file.content.decode("utf-8", "replace")):
        try:
            inputs, settings = links.unpack_captions(link_text)
        except links.InputError:
            continue
        assert all(isinstance(text, str) for text in (inputs.candidate, *inputs.references, *settings.as_dict().values()))
        "".join((inputs.candidate, *inputs.references)).encode()


LINK = Reader("link", json.dumps(CAPTIONS, ensure_ascii=False).encode(), unpack_damaged_links)


def test_broken_links_are_opened_or_refused():
    faults = {
        fault: file for file in iterate_damaged_files(LINK, seed=1, count=300) if (fault := find_reader_fault(LINK, file, seconds=60))
    }
    assert faults == {}


def test_a_good_link_is_opened():
    inputs, settings = links.unpack_captions(base64.urlsafe_b64encode(zlib.compress(json.dumps(CAPTIONS).encode())).decode())
    assert {"captions": [inputs.candidate, *inputs.references], "settings": settings.as_dict()} == CAPTIONS
