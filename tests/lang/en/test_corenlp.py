"""The parser that uses a CoreNLP server: recorded answers of 3.6.0 and 4.5.10, invalid answers, and a real server if available."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import create_server, socket

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.errors import InputError, MissingResourceError
from spice_core.lang.en.parsers import corenlp_server
from spice_core.lang.en.parsers.corenlp import CoreNLP
from tests.conftest import DATA, rows

ITEMS_FILE = DATA / "corenlp_items.jsonl"
ORIGINAL_PROPOSITIONS = [row["original"] for row in rows(ITEMS_FILE)]
# A function that maps the path and text of a request to the status and body of the answer.
Answer = Callable[[str, str], tuple[int, str | bytes]]


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Ignore errors from clients that have disconnected."""


@pytest.fixture
def serve_answers() -> Iterator[Callable[[Answer], str]]:
    """Return a function that starts a local server with the given answers and returns the server's address."""
    servers = []

    def start(answer: Answer) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                status, body = answer(self.path, self.rfile.read(int(self.headers["Content-Length"])).decode())
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", body)
                self.end_headers()
                self.wfile.write(body if isinstance(body, bytes) else body.encode())

            def log_message(self, *_: object) -> None:
                pass

        server = _Server(("127.0.0.1", 0), Handler)
        servers.append(server)
        # The argument 0.01 is the polling interval for shutdown in seconds.
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def recorded_answers(version: str) -> Answer:
    """Return a function that answers the recorded requests as this version of CoreNLP did, and any other request with an error."""
    stored_answers = json.loads(gzip.decompress((DATA / f"corenlp_{version}.json.gz").read_bytes()))
    answers = {(row["query"], row["text"]): row["answer"] for row in stored_answers}
    return lambda path, text: (200, answers[path, text]) if (path, text) in answers else (500, f"not recorded: {path} {text}")


def counts(spice: Spice) -> list[dict[str, list[float]]]:
    """Return the numbers of true positives, false positives and false negatives of each item, by category."""
    output = []
    for row in rows(ITEMS_FILE):
        scores_by_category = spice.compute(row["test"], row["refs"]).scores
        output.append({name: [s.matched, s.candidate - s.matched, s.reference - s.matched] for name, s in scores_by_category.items()})
    return output


class RecordedParser(CoreNLP):
    """Parser that sends all items in one call, as recorded, and stores the documents."""

    def parse(self, captions):
        if "known" not in vars(self):
            every = list(dict.fromkeys(c for row in rows(ITEMS_FILE) for c in (row["test"], *row["refs"])))
            self.known = dict(zip(every, super().parse(every)))
        return iter([self.known[caption] for caption in captions])


def test_corenlp_3_6_trees_give_the_counts_of_the_original_here_and_by_the_command(serve_answers, tmp_path):
    spice = Spice(parser=RecordedParser(serve_answers(recorded_answers("3.6.0"))), rules="spice-2016")
    assert counts(spice) == ORIGINAL_PROPOSITIONS
    assert spice.signature.parser == "corenlp-3.6.0-70a26328"
    output_path, url = tmp_path / "out.json", serve_answers(recorded_answers("3.6.0"))
    assert main(["score", str(ITEMS_FILE), "--parser", f"corenlp:{url}", "--out", str(output_path), "--subset"]) == 0
    rows_found = json.loads(output_path.read_text(encoding="utf-8"))
    assert [{name: [s["tp"], s["fp"], s["fn"]] for name, s in row["scores"].items()} for row in rows_found] == ORIGINAL_PROPOSITIONS


def test_trees_of_a_newer_version_have_correct_word_offsets(serve_answers):
    parser = RecordedParser(serve_answers(recorded_answers("4.5.10")))
    (document,) = parser.parse(["a fire hyrdant sitting on the sidewalk next to the road"])
    assert parser.signature == "corenlp-4.5.10-55a1706c"
    assert [s.enhanced for s in document.sentences] == [None], "the steps of the rules enhance its basic tree"
    assert {e.relation for s in (d.sentences[0] for d in parser.known.values()) for e in s.basic} >= {"nmod", "obl", "obj", "nsubj:pass"}
    # This caption has two sentences. It contains an emoji, which counts as two UTF-16 units, and quotation marks, which CoreNLP rewrites.
    parser = RecordedParser(serve_answers(recorded_answers("3.6.0")))
    (caption,) = [row["test"] for row in rows(ITEMS_FILE) if row["image_id"] == 1]
    (document,) = parser.parse([caption])
    assert len(document.sentences) == 2
    assert all(document.text[t.start : t.end] == t.text for s in document.sentences for t in s.tokens)
    assert [t.lemma for t in document.sentences[1].tokens] == ["two", "of", "the", "dog", "can", "n't", "see", "it", "."]


def test_requests_are_bounded_and_slow_ones_are_halved(serve_answers):
    requests = []

    def answer(path: str, text: str) -> tuple[int, str]:
        requests.append(text)
        return 500, "stop"

    parser = CoreNLP(serve_answers(answer))
    assert [d.sentences for d in parser.parse(["", "  "])] == [(), ()] and requests == []
    for captions in (["a dog"] * 60, ["a dog " * 300] * 5):
        with pytest.raises(InputError):
            list(parser.parse(captions))
    assert [len(text.split("\n\n")) for text in requests] == [24, 1]
    requests = []

    def answer(path: str, text: str) -> tuple[int, str]:
        requests.append(text)
        return make_response(DOG_SENTENCE) if text == "a dog" else (500, "CoreNLP request timed out. Your document may be too long.")

    assert len(list(CoreNLP(serve_answers(answer)).parse(["a dog", "a dog", "a dog"]))) == 3
    assert requests == ["a dog\n\na dog\n\na dog", "a dog", "a dog\n\na dog", "a dog", "a dog"]
    with pytest.raises(InputError, match="found no answer in time, expected a response before the timeout"):
        list(CoreNLP(serve_answers(answer)).parse(["a cat"]))


def make_sentence(*tokens: tuple[str, int], **more_fields: object) -> dict:
    """Return a sentence in CoreNLP's format. Its words are tagged as nouns, and all other words depend on the first."""
    words = [
        {"word": w, "originalText": w, "characterOffsetBegin": offset, "characterOffsetEnd": offset + len(w), "pos": "NN"}
        for w, offset in tokens
    ]
    basic = [{"dep": "dep" if i else "ROOT", "governor": min(i, 1), "dependent": i + 1} for i in range(len(words))]
    return {"tokens": words, "basicDependencies": basic, **more_fields}


def make_response(*sentences: dict) -> tuple[int, str]:
    return 200, json.dumps({"sentences": list(sentences)})


DOG_SENTENCE, JSON_EXPECTED = make_sentence(("a", 0), ("dog", 2)), "expected a CoreNLP server's answer in JSON"


def test_a_wrong_answer_or_a_sentence_of_two_captions_is_an_error_of_one_line(serve_answers):
    for answer, message in [
        ((500, "java.lang.IllegalArgumentException: Unknown annotator: parse"),
         "found HTTP 500: java.lang.IllegalArgumentException: Unknown an"),
        ((404, ""), "found HTTP 404: Not Found, expected a CoreNLP server's answer in JSON"),
        ((302, "http://127.0.0.1:1/"), "found HTTP 302"),
        ((200, "<html>\n<p>hello"), "found <html> <p>hello, expected a CoreNLP server's answer in JSON"),
        ((200, b'{"sentences": "caf\xe9"}'), "found another encoding, expected UTF-8; start Java with -Dfile.encoding=UTF-8"),
        ((200, "[" * 100_000), JSON_EXPECTED), ((200, '{"sentences": {}}'), JSON_EXPECTED),
        (make_response(), "found nothing, expected a parse for the caption: a dog"),
        (make_response({"tokens": DOG_SENTENCE["tokens"]}),
         "found an answer without dependency trees, expected a server with the annotators tokenize,ssplit,parse"),
        (make_response(make_sentence(("a", 0), ("cat", 2))), "found cat, expected the word as in the caption: dog (the server must read UTF-8)"),
        (make_response(make_sentence(("dog", 2), ("a", 0))), JSON_EXPECTED), (make_response(make_sentence(("dog", 99))), JSON_EXPECTED), (make_response({**DOG_SENTENCE, "tokens": []}), JSON_EXPECTED),
        (make_response({"tokens": [], "basicDependencies": []}), JSON_EXPECTED),
        (make_response({**DOG_SENTENCE, "basicDependencies": [{"dep": "x", "governor": float("inf"), "dependent": 1}]}), JSON_EXPECTED),
        (make_response({**DOG_SENTENCE, "basicDependencies": [{"dep": "x", "governor": 9, "dependent": 1}]}), JSON_EXPECTED),
        (make_response({**DOG_SENTENCE, "basicDependencies": [{"dep": "x", "governor": 2, "dependent": 1}, {"dep": "x", "governor": 1, "dependent": 2}]}), JSON_EXPECTED),
    ]:  # fmt: skip
        with pytest.raises(InputError) as error:
            list(CoreNLP(serve_answers(lambda path, text, answer=answer: answer)).parse(["a dog"]))
        assert message in str(error.value) and "\n" not in str(error.value) and len(str(error.value)) < 500
    url = serve_answers(lambda path, text: make_response(make_sentence(("a", 0), ("dog", 2), ("a", 7), ("cat", 9))))
    with pytest.raises(InputError, match="found a dog a cat, expected a sentence that ends within its caption: a dog"):
        list(CoreNLP(url).parse(["a dog", "a cat"]))


def test_captions_with_ambiguous_prepositions_are_requested_separately(serve_answers):
    """For "a cat sits in behind a window", CoreNLP 3.6.0 returns "sit in" or "sit behind" depending on the request."""
    words = (("cat", 0), ("in", 4), ("behind", 7), ("glass", 14))
    basic = [("ROOT", 0, 1), ("case", 4, 2), ("case", 4, 3), ("nmod", 1, 4)]

    def graph(relation: str, head_index: int) -> dict:
        edges = [{"dep": d, "governor": h, "dependent": i} for d, h, i in basic]
        named_edges = [*edges[:3], {**edges[3], "dep": f"nmod:{relation}"}]
        shifted = make_sentence(*((word, place + head_index) for word, place in words))
        return {**shifted, "basicDependencies": None, "basic-dependencies": edges, "collapsed-ccprocessed-dependencies": named_edges}

    requests = []

    def answer(path: str, text: str) -> tuple[int, str]:
        requests.append(text)
        return make_response(graph("behind", 0)) if text == "cat in behind glass" else make_response(DOG_SENTENCE, graph("in", 7))

    _, document = CoreNLP(serve_answers(answer)).parse(["a dog", "cat in behind glass"])
    assert "nmod:behind" in {e.relation for e in document.sentences[0].enhanced}
    assert requests == ["a dog\n\ncat in behind glass", "cat in behind glass"]


@contextmanager
def serve_bytes(first_bytes: bytes, more_bytes: bytes = b"") -> Iterator[str]:
    """Start a server that sends ``first_bytes``, and then ``more_bytes`` repeatedly, to its first client. Yield the server's address."""
    finished = threading.Event()

    def send_bytes() -> None:
        client, _ = listener.accept()
        with client, suppress(OSError):
            client.recv(1 << 16)
            client.sendall(first_bytes)
            while not finished.wait(0.02):
                client.sendall(more_bytes)

    with create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=send_bytes, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finished.set()


SLOW_ANSWERS = {
    "no answer at all": (b"",),
    "no end of first lines": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a header without end": (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
    "a refusal without end": (b"HTTP/1.1 500 Error\r\nContent-Length: 60000\r\n\r\n", b"x"),
    "a body without end": (b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
}


def test_an_answer_without_end_is_given_up_and_cannot_write_to_the_terminal(serve_answers, monkeypatch):
    for drip in SLOW_ANSWERS:
        with serve_bytes(*SLOW_ANSWERS[drip]) as url, pytest.raises(InputError, match="found no answer in time"):
            list(CoreNLP(url, timeout_s=0.2).parse(["a dog"]))
    with serve_bytes(b"\x1b]0;evil\x07 and more\r\n\r\n") as url, pytest.raises(MissingResourceError, match="x1b") as error:
        list(CoreNLP(url).parse(["a dog"]))
    assert str(error.value).isprintable()
    monkeypatch.setattr(corenlp_server, "_MAX_ANSWER_BYTES", 1_000_000)
    with pytest.raises(InputError, match="found an answer of more than 1 MB, expected a CoreNLP server's answer"):
        list(CoreNLP(serve_answers(lambda path, text: (200, "x" * 1_100_000))).parse(["a dog"]))


def test_without_a_server_the_error_names_the_command_that_starts_a_server(capsys, tmp_path):
    (tmp_path / "in.txt").write_text("a dog\n")
    with socket() as taken_socket:
        # This socket occupies the port.
        taken_socket.bind(("127.0.0.1", 0))
        port = taken_socket.getsockname()[1]
        assert main(["parse", str(tmp_path / "in.txt"), "--parser", f"corenlp:http://127.0.0.1:{port}"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "no CoreNLP server answers (Connection refused); start a server in CoreNLP's folder: java -mx4g -cp" in err
    assert f"StanfordCoreNLPServer -port {port}" in err


def test_only_http_addresses_are_requested_and_no_proxy_is_used(serve_answers, monkeypatch):
    for url in ["localhost:9000", "file:///etc/passwd", "ftp://localhost", "http://", "http://localhost:x", "http://u:p@localhost:9000",
         "http://localhost:9000?a=b", "http://localhost:9000/#a", "http://local host", "http://localhost\n:9000", "http://[::1"]:  # fmt: skip
        with pytest.raises(InputError, match="CoreNLP server: found .* expected an address such as http://localhost:9000"):
            CoreNLP(url)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    flat = serve_answers(lambda path, text: make_response(*(make_sentence(*_words(text, line)) for line in text.split("\n\n"))))
    signature = CoreNLP(flat).signature
    assert signature.startswith("corenlp-other-") and signature != CoreNLP(serve_answers(recorded_answers("3.6.0"))).signature


def _words(text: str, line: str) -> list[tuple[str, int]]:
    position, output = text.index(line), []
    for word in line.split():
        output.append((word, position := text.index(word, position)))
        position += len(word)
    return output
