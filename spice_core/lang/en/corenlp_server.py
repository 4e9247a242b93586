"""A user's own CoreNLP server over HTTP: bounded requests and answers, each failure an error of one line.

The protocol: the text in UTF-8 is the body of a POST, the properties are JSON in the query, the answer is JSON.
"""

from __future__ import annotations

import json
import time
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from spice_core.errors import InputError, Message, MissingResourceError, in_language

TIMEOUT_S = 300.0  # of one request; the first one waits until the server has loaded its models
_MOST_BYTES = 64_000_000  # of one answer
_CHUNK = 1 << 16
_SHOWN = 200  # characters of what a server says


class ServerTimeout(InputError):
    """The server took too long for a text, by its own limit or by that of the request."""


class Server:
    """A CoreNLP server at an http or https URL that the user gave; no proxy, no redirects, no other address is asked."""

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S):
        """Raises InputError for what is not the URL of a server."""
        self.url, self._timeout_s = _checked(url), timeout_s
        self._opener: OpenerDirector = build_opener(ProxyHandler({}), _NoRedirects())

    def annotated(self, text: str, annotators: str) -> list[Any]:
        """The sentences of a text as the server gives them.

        Raises MissingResourceError where no server answers, ServerTimeout, and InputError for an answer that is not CoreNLP's.
        """
        properties = {"annotators": annotators, "outputFormat": "json", "ssplit.newlineIsSentenceBreak": "two"}
        address = f"{self.url}/?properties={quote(json.dumps(properties, separators=(',', ':')))}"
        request = Request(address, text.encode(), {"Content-Type": "text/plain; charset=utf-8", "Accept": "application/json"})
        try:
            with self._opened(request) as response:
                body = self._read(response)
        except HTTPError as error:
            raise self._refusal(error) from None
        except (OSError, HTTPException) as error:  # a URLError is an OSError
            raise self._failure(error) from None
        try:
            answer = body.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(self.url, Message("found.other_encoding"), Message("expected.utf8_server")) from None
        try:
            sentences = json.loads(answer, strict=False)["sentences"]
            if not isinstance(sentences, list):
                raise TypeError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self.unexpected(answer) from None
        return sentences

    def unexpected(self, found: str) -> InputError:
        """The error of an answer that cannot be read."""
        return InputError(self.url, _said(found), Message("expected.corenlp"))

    def _opened(self, request: Request) -> HTTPResponse:
        response: HTTPResponse = self._opener.open(request, timeout=self._timeout_s)
        return response

    def _read(self, response: HTTPResponse) -> bytes:
        """The body of an answer, within size and time. Raises InputError and TimeoutError."""
        body, deadline = bytearray(), time.monotonic() + self._timeout_s
        while chunk := response.read1(_CHUNK):
            body += chunk
            if len(body) > _MOST_BYTES:
                found = Message("found.long_answer", megabytes=_MOST_BYTES // 1_000_000)
                raise InputError(self.url, found, Message("expected.corenlp"))
            if time.monotonic() > deadline:
                raise TimeoutError
        return bytes(body)

    def _refusal(self, error: HTTPError) -> InputError:
        """The error behind a status other than 200."""
        try:
            said = error.read(_CHUNK).decode("utf-8", "replace")
        except (OSError, HTTPException):
            said = ""
        if error.code in (408, 503, 504) or "timed out" in said.lower():
            return self._timeout()
        return self.unexpected(f"HTTP {error.code}: {said or error.reason}")

    def _failure(self, error: Exception) -> InputError | MissingResourceError:
        """The error behind a connection that failed."""
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, TimeoutError):
            return self._timeout()
        text = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        return MissingResourceError(Message("error.no_corenlp", url=self.url, reason=_said(str(text)), port=_port(self.url)))

    def _timeout(self) -> ServerTimeout:
        return ServerTimeout(self.url, Message("found.timeout"), Message("expected.in_time"))


class _NoRedirects(HTTPRedirectHandler):
    """Redirects are answers like any other that is not 200: no address is asked but the user's."""

    def redirect_request(self, *_: object) -> None:
        """No further request."""


def _checked(url: str) -> str:
    """The URL without a final slash. Raises InputError for any but http://HOST:PORT/PATH and the same with https."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        good = good and not (parts.username or parts.password or parts.query or parts.fragment) and url.isprintable() and " " not in url
    except ValueError:  # a port that is no number
        good = False
    if not good:
        raise InputError(Message("where.corenlp"), url, Message("expected.corenlp_url"))
    return url.rstrip("/")


def _port(url: str) -> int:
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def _said(text: str) -> Message:
    """What a server says, on one line."""
    return Message("found.unreadable", reason=" ".join(in_language(text, "en")[: 2 * _SHOWN].split())[:_SHOWN])
