"""Record the answers of a CoreNLP server for tests without Java: probes for the signature, and the items of a file.

    python -m tools.record_corenlp http://localhost:9000 tests/golden/corenlp_items.jsonl tests/golden/corenlp_3.6.0.json.gz

The output contains the query, the text and the answer of each request unchanged.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

from spice_core import Spice
from spice_core.data.items import read_items
from spice_core.lang.en.parsers.corenlp import connect
from spice_core.lang.en.parsers.corenlp_server import CoreNLPClient


class RequestRecorder:
    """Recorder of requests to CoreNLP servers and their answers."""

    def __init__(self) -> None:
        self.rows: list[dict[str, str]] = []

    def start_recording(self) -> None:
        answer = CoreNLPClient._request

        def record(server: CoreNLPClient, path: str, text: str) -> bytes:
            body = answer(server, path, text)
            self.rows.append({"query": path, "text": text, "answer": body.decode()})
            return body

        CoreNLPClient._request = record  # type: ignore[method-assign, assignment]


def main() -> None:
    argument_parser = argparse.ArgumentParser(description=__doc__)
    argument_parser.add_argument("url")
    argument_parser.add_argument("items", type=Path)
    argument_parser.add_argument("out", type=Path)
    options = argument_parser.parse_args()
    recorder = RequestRecorder()
    recorder.start_recording()
    parser = connect(options.url)
    captions = dict.fromkeys(c for item in read_items(options.items) for c in item.captions)
    for _ in Spice(parser=parser, rules="spice-2016").parse(captions):
        pass
    options.out.write_bytes(gzip.compress(json.dumps(recorder.rows, ensure_ascii=False).encode(), mtime=0))
    print(f"{parser.signature}: {len(recorder.rows)} answers, {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
