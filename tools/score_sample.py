"""Score the sample of Batch and Systems with the current rules. With CapEval1k as argument, write the sample first.

python -m tools.score_sample [capeval1k.jsonl.gz]
"""

from __future__ import annotations

import gzip
import json
import sys
from typing import Any

from pages.parts.jobs import runs
from pages.parts.state import settings
from pages.parts.uploads import datasets


def write_sample(path: str) -> None:
    """Write one line per image: its references, and the caption and rating of each system."""
    images: dict[int, dict[str, Any]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            refs = [" ".join(text.split()) for text in row["references"]]
            image = images.setdefault(row["image_id"], {"image_id": row["image_id"], "refs": refs, "captions": {}, "ratings": {}})
            image["captions"][row["system"]] = row["candidate"]
            image["ratings"][row["system"]] = row["rating"]
    rows = (json.dumps(images[image], ensure_ascii=False) for image in sorted(images))
    datasets.ENGLISH_SAMPLE.path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


def main() -> None:
    """Score each system of each sample, and write the scored rows."""
    if len(sys.argv) > 1:
        write_sample(sys.argv[1])
    for sample in datasets.SAMPLE_BY_LANGUAGE.values():
        for system in sample.systems:
            run = runs.ScoringRun(datasets.read_sample(sample, system).items, settings.default_config(sample.lang), system).start()
            run.wait()
            lines = "".join(json.dumps(row.as_json(runs.ROW_FIELDS), ensure_ascii=False) + "\n" for row in run.rows)
            with sample.scored_path(system).open("wb") as raw_file, gzip.GzipFile("", "wb", mtime=0, fileobj=raw_file) as file:
                file.write(lines.encode())


if __name__ == "__main__":
    main()
