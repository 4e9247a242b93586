"""HTTP client for a user's CoreNLP server. It limits the time and the size of answers, and reports each failure as one line.

A request is a POST with the text in UTF-8 as its body and the properties as JSON in the query. The answer is JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import OK, HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Event, Timer
from typing import Any
from urllib.parse import quote, urlsplit

from spice_core.errors import InputError, Message, MissingResourceError, message_in_language

TIMEOUT_S = 300.0  # limit of one request; the first request waits until the server has loaded its models
_MAX_ANSWER_BYTES = 64_000_000
_CHUNK_BYTES = 1 << 16
_MAX_SHOWN_CHARS = 200


class ServerTimeout(InputError):
    """Error for a text that takes longer than the time limit of the server or of the request."""


class CoreNLPClient:
    """Client for a CoreNLP server at a user's http or https URL, without proxies and redirects."""

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S):
        self.url, self._timeout_s = _normalise_url(url), timeout_s

    def annotate(self, text: str, annotators: str) -> list[Any]:
        """Return the sentences of a text in the server's format.

        Raises MissingResourceError if no server answers, ServerTimeout if the answer takes too long, and InputError if
        the answer is not CoreNLP's.
        """
        properties = {"annotators": annotators, "outputFormat": "json", "ssplit.newlineIsSentenceBreak": "two"}
        try:
            answer = self._request(f"/?properties={quote(json.dumps(properties, separators=(',', ':')))}", text).decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(self.url, Message("found.other_encoding"), Message("expected.utf8_server")) from None
        try:
            sentences = json.loads(answer, strict=False)["sentences"]
            if not isinstance(sentences, list):
                raise TypeError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self.unreadable_answer_error(answer) from None
        return sentences

    def unreadable_answer_error(self, answer: str) -> InputError:
        """Return the error for an unreadable answer."""
        return InputError(self.url, _server_message(answer), Message("expected.corenlp"))

    def _request(self, path: str, text: str) -> bytes:
        """Send a request and return the body of the answer. The time limit includes slow arrival of the body."""
        headers = {"Content-Type": "text/plain; charset=utf-8", "Accept": "application/json"}
        with closing(self._connect()) as connection:
            try:
                connection.connect()
            except OSError as error:
                raise self._connection_error(error) from None
            with _close_at_deadline(connection.sock, self._timeout_s) as timed_out:
                try:
                    connection.request("POST", urlsplit(self.url).path + path, text.encode(), headers)
                    response = connection.getresponse()
                    body = self._read_body(response)
                except (OSError, HTTPException) as error:
                    raise self._timeout_error() if timed_out.is_set() else self._connection_error(error) from None
        if timed_out.is_set():
            raise self._timeout_error()
        if response.status != OK:
            raise self._status_error(response, body)
        return body

    def _connect(self) -> HTTPConnection:
        parts = urlsplit(self.url)
        connection_class = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        return connection_class(str(parts.hostname), parts.port, timeout=self._timeout_s)

    def _read_body(self, response: HTTPResponse) -> bytes:
        """Return the body of an answer. Raises InputError if it is too long."""
        body = bytearray()
        while chunk := response.read1(_CHUNK_BYTES):
            body += chunk
            if len(body) > _MAX_ANSWER_BYTES:
                found = Message("found.long_answer", megabytes=_MAX_ANSWER_BYTES // 1_000_000)
                raise InputError(self.url, found, Message("expected.corenlp"))
        return bytes(body)

    def _status_error(self, response: HTTPResponse, body: bytes) -> InputError:
        error_text = body[:_CHUNK_BYTES].decode("utf-8", "replace")
        if response.status in (408, 503, 504) or "timed out" in error_text.lower():
            return self._timeout_error()
        return self.unreadable_answer_error(f"HTTP {response.status}: {error_text or response.reason}")

    def _connection_error(self, error: Exception) -> InputError | MissingResourceError:
        if isinstance(error, TimeoutError):
            return self._timeout_error()
        text = getattr(error, "strerror", None) or str(error) or type(error).__name__
        parts = urlsplit(self.url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return MissingResourceError(Message("error.no_corenlp", url=self.url, reason=_server_message(str(text)), port=port))

    def _timeout_error(self) -> ServerTimeout:
        return ServerTimeout(self.url, Message("found.timeout"), Message("expected.in_time"))


@contextmanager
def _close_at_deadline(connection: socket, seconds: float) -> Iterator[Event]:
    """Shut down the connection after ``seconds``, even during a read, and set the event that the context yields."""
    timed_out = Event()

    def close_connection() -> None:
        timed_out.set()
        with suppress(OSError):
            socket.shutdown(connection, SHUT_RDWR)  # without the TLS shutdown, which waits for the peer

    timer = Timer(seconds, close_connection)
    timer.daemon = True
    timer.start()
    try:
        yield timed_out
    finally:
        timer.cancel()


def _normalise_url(url: str) -> str:
    """Return the URL without a final slash. Raises InputError unless the URL has the form http://HOST:PORT/PATH or https://HOST:PORT/PATH."""
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        is_valid = (
            is_valid and not (parts.username or parts.password or parts.query or parts.fragment) and url.isprintable() and " " not in url
        )
    except ValueError:  # the port is not a number
        is_valid = False
    if not is_valid:
        raise InputError(Message("where.corenlp"), url, Message("expected.corenlp_url"))
    return url.rstrip("/")


def _server_message(text: str) -> Message:
    """Return the beginning of a server's message, on one line."""
    return Message("found.unreadable", reason=" ".join(message_in_language(text, "en")[: 2 * _MAX_SHOWN_CHARS].split())[:_MAX_SHOWN_CHARS])
