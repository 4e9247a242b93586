"""Limits of the server: the total size of one browser's uploads, the number of open pages, and memory."""

import ctypes
import gc
import os
import sys
from collections import Counter
from contextlib import suppress
from time import monotonic
from urllib.parse import parse_qs, urlsplit

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.parts.kit import visit
from pages.parts.kit.texts import INTERFACE_LANGUAGES, nearest_language, t

MAX_UPLOAD_TOTAL_FACTOR = 4  # maximum total size of a browser's uploads, as a multiple of the maximum size of a file
RESERVED_FILES = 64  # file descriptors reserved for uploads and images of open pages
_UPLOAD_PATH = "/_stcore/upload_file/"


def raise_file_limit() -> None:
    """Raise the limit on open files as far as the system allows. Each open page needs four, and the usual limit is 1,024."""
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


def is_full() -> bool:
    """Return whether the remaining file descriptors do not suffice for another page."""
    with suppress(ImportError, OSError):  # some systems do not list descriptors
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return limit != resource.RLIM_INFINITY and len(os.listdir("/dev/fd")) > limit - RESERVED_FILES
    return False


class LimitUploads:
    """ASGI middleware that rejects uploads beyond a total size per browser.

    The maximum total is ``MAX_UPLOAD_TOTAL_FACTOR`` times the size that Streamlit allows for one file. Files of all tabs of a browser and
    unfinished uploads count. If a browser sends no cookies, each of its tabs has its own total.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._visits: dict[str, str] = {}  # visits by session
        self._arriving: Counter[str] = Counter()  # bytes by visit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or reject the upload with a reason."""
        if scope["type"] != "http" or scope["method"] != "PUT" or _UPLOAD_PATH not in scope["path"]:
            return await self._app(scope, receive, send)
        request = Request(scope)
        session = scope["path"].partition(_UPLOAD_PATH)[2].split("/")[0]
        owner = request.cookies.get(visit.VISIT_COOKIE) or session
        length = request.headers.get("content-length", "")
        if refusal := self._reject_upload(owner, length, _language_of(request)):
            return await refusal(scope, receive, send)
        self._visits[session] = owner
        self._arriving[owner] += int(length)
        try:
            await self._app(scope, receive, send)
        finally:
            self._arriving[owner] -= int(length)

    def _reject_upload(self, owner: str, length: str, language: str) -> Response | None:
        """Return the response that rejects an upload of ``length`` bytes, or None if the upload is allowed."""
        if not length.isdecimal():
            return PlainTextResponse(t("states.upload_length", language=language), 411)
        max_bytes = MAX_UPLOAD_TOTAL_FACTOR * st.get_option("server.maxUploadSize") << 20
        if self._stored_bytes(owner) + self._arriving[owner] + int(length) <= max_bytes:
            return None
        return PlainTextResponse(t("states.upload_total", language=language, most=max_bytes >> 20), 413)

    def _stored_bytes(self, owner: str) -> int:
        """Return the total size of an owner's files in bytes, and forget sessions that have ended."""
        files_by_session = dict(getattr(st.runtime.get_instance().uploaded_file_mgr, "file_storage", {}))
        self._visits = {session: visitor for session, visitor in self._visits.items() if session in files_by_session}
        return sum(
            len(file.data)
            for session, visitor in self._visits.items()
            if visitor == owner
            for file in list(files_by_session[session].values())
        )


def _language_of(request: Request) -> str:
    """Return the interface language for a request, from the URL of its page or from the browser."""
    (requested_code, *_) = parse_qs(urlsplit(request.headers.get("referer", "")).query).get("ui", [""])
    return (
        requested_code
        if requested_code in INTERFACE_LANGUAGES
        else nearest_language(request.headers.get("accept-language", "").partition(",")[0])
    )


_MAX_NEW_BLOCKS = 100_000  # number of new memory blocks (about five per object) after which new objects are excluded
_FULL_SEARCH_INTERVAL_S = 60.0  # minimum interval between full garbage collections, which free the objects of earlier visitors


class _CollectionState:
    """The time of the last full garbage collection, and the number of memory blocks at the last exclusion of objects."""

    at = float("-inf")
    blocks = 0


def freeze_loaded_objects() -> None:
    """Collect garbage, exclude all remaining objects from later collections, and return free memory to the system."""
    _CollectionState.at = monotonic()
    gc.unfreeze()
    gc.collect()
    _freeze_objects()
    with suppress(AttributeError, OSError, TypeError):  # another C library than glibc, or another system
        ctypes.CDLL(None).malloc_trim(0)


def freeze_new_objects() -> None:
    """Exclude new objects from later collections once there are many, and run a full garbage collection at most once a minute.

    Streamlit collects garbage after every run of a page. A collection takes about a microsecond per object and blocks all other visitors.
    The number of new objects is estimated from the memory blocks in use, because a list of the objects would reference tuples that other
    threads are still building.
    """
    if monotonic() - _CollectionState.at > _FULL_SEARCH_INTERVAL_S:
        freeze_loaded_objects()
    elif sys.getallocatedblocks() - _CollectionState.blocks > _MAX_NEW_BLOCKS:
        _freeze_objects()


def _freeze_objects() -> None:
    gc.freeze()
    _CollectionState.blocks = sys.getallocatedblocks()
