"""Write the samples of the pages: captions of systems for Batch and Systems, and rated captions for Agreement, with their scores.

python -m tools.samples                           score the captions of all samples again
python -m tools.samples en capeval1k.jsonl.gz     also draw the English captions, all of CapEval1k, of which 300 for Agreement
python -m tools.samples ja jsts_train.jsonl.gz    also select the 300 Japanese pairs of Agreement, on which no setting was tuned
"""

import gzip
import json
import math
import random
import sys
from pathlib import Path
from typing import Any

from pages.parts.jobs import runs
from pages.parts.state import settings
from pages.parts.uploads import datasets
from spice_core import Spice
from spice_core.data.ratings import RatedCaption
from spice_core.evaluation.agreement import score_rated_captions

FIRST_ROW, SAMPLE_ROWS = 11_000, 300
AGREEMENT_FOLDER = Path(__file__).parents[1] / "assets" / "agreement"


def draw_captions(lang: str, path: str) -> list[RatedCaption]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    if lang == "ja":
        return [
            RatedCaption(row["sentence1"], (row["sentence2"],), (row["similarity"],)) for row in rows[FIRST_ROW : FIRST_ROW + SAMPLE_ROWS]
        ]
    drawn_rows = random.Random(0).sample(rows, SAMPLE_ROWS)
    return [RatedCaption(row["candidate"].strip(), tuple(row["references"]), (row["rating"],)) for row in drawn_rows]


def read_captions(file: Path) -> list[RatedCaption]:
    items = json.loads(file.read_text(encoding="utf-8"))["items"]
    return [RatedCaption(item["candidate"], tuple(item["references"]), (item["rating"],)) for item in items]


def write_agreement_sample(lang: str, path: str = "") -> None:
    """Write a language's rated captions, from the data set ``path`` or else from the stored sample."""
    file = AGREEMENT_FOLDER / f"sample_{lang}.json"
    rated_captions = draw_captions(lang, path) if path else read_captions(file)
    spice = Spice(lang)
    scores_by_metric = score_rated_captions(rated_captions, None, spice, categories=True, symmetric=lang == "ja")
    rounded_scores = {name: [None if math.isnan(v) else round(v, 6) for v in values] for name, values in scores_by_metric.items()}
    items = [{"candidate": r.candidate, "references": r.references, "rating": r.ratings[0]} for r in rated_captions]
    content = {"signature": str(spice.signature), "scores": rounded_scores, "items": items}
    file.write_text(json.dumps(content, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def write_systems_sample(path: str) -> None:
    """Write one line per image: its references, and each system's caption and rating."""
    images: dict[int, dict[str, Any]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            refs = [" ".join(text.split()) for text in row["references"]]
            image = images.setdefault(row["image_id"], {"image_id": row["image_id"], "refs": refs, "captions": {}, "ratings": {}})
            image["captions"][row["system"]] = row["candidate"]
            image["ratings"][row["system"]] = row["rating"]
    rows = (json.dumps(images[image], ensure_ascii=False) for image in sorted(images))
    datasets.ENGLISH_SAMPLE.path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


def score_systems_samples() -> None:
    """Score each system of each sample, and write the scored rows."""
    for sample in datasets.SAMPLE_BY_LANGUAGE.values():
        for system in sample.systems:
            run = runs.ScoringRun(datasets.read_sample(sample, system).items, settings.default_config(sample.lang), system).start()
            run.wait()
            lines = "".join(json.dumps(row.as_json(runs.ROW_FIELDS), ensure_ascii=False) + "\n" for row in run.rows)
            with sample.scored_path(system).open("wb") as raw_file, gzip.GzipFile("", "wb", mtime=0, fileobj=raw_file) as file:
                file.write(lines.encode())


def main(lang: str = "", path: str = "") -> None:
    """Write all samples, those of the language with captions of the data set."""
    if lang == "en":
        write_systems_sample(path)
    score_systems_samples()
    for code in ("en", "ja"):
        write_agreement_sample(code, path if code == lang else "")


if __name__ == "__main__":
    main(*sys.argv[1:])
