"""Score the samples of the pages again: captions of systems for Batch and Systems, and rated captions for Agreement.

python -m tools.samples
"""

import gzip
import json
import math
from pathlib import Path

from pages.parts.jobs import runs
from pages.parts.state import settings
from pages.parts.uploads import datasets
from spice_core import Spice
from spice_core.data.ratings import RatedCaption
from spice_core.evaluation.agreement import score_rated_captions

AGREEMENT_FOLDER = Path(__file__).parents[1] / "assets" / "agreement"


def score_agreement_sample(lang: str) -> None:
    """Score a language's rated captions, and write the captions with their scores."""
    file = AGREEMENT_FOLDER / f"sample_{lang}.json"
    rows = json.loads(file.read_text(encoding="utf-8"))["items"]
    rated_captions = [RatedCaption(row["candidate"], tuple(row["references"]), (row["rating"],)) for row in rows]
    spice = Spice(lang)
    scores_by_metric = score_rated_captions(rated_captions, None, spice, categories=True, symmetric=lang == "ja")
    rounded_scores = {name: [None if math.isnan(v) else round(v, 6) for v in values] for name, values in scores_by_metric.items()}
    items = [{"candidate": r.candidate, "references": r.references, "rating": r.ratings[0]} for r in rated_captions]
    content = {"signature": str(spice.signature), "scores": rounded_scores, "items": items}
    file.write_text(json.dumps(content, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def score_systems_samples() -> None:
    """Score each system of each sample, and write the scored rows."""
    for sample in datasets.SAMPLE_BY_LANGUAGE.values():
        for system in sample.systems:
            run = runs.ScoringRun(datasets.read_sample(sample, system).items, settings.default_config(sample.lang), system).start()
            run.wait()
            lines = "".join(json.dumps(row.as_json(runs.ROW_FIELDS), ensure_ascii=False) + "\n" for row in run.rows)
            with sample.scored_path(system).open("wb") as raw_file, gzip.GzipFile("", "wb", mtime=0, fileobj=raw_file) as file:
                file.write(lines.encode())


def main() -> None:
    """Score all samples."""
    score_systems_samples()
    for lang in ("en", "ja"):
        score_agreement_sample(lang)


if __name__ == "__main__":
    main()
