"""Write a sample for the Agreement page: rated captions with their scores by all metrics.

python -m tools.make_sample ja jsts_train.jsonl.gz    300 pairs of JSTS that no setting was tuned on
python -m tools.make_sample en capeval1k.jsonl.gz     300 captions of CapEval1k, drawn with a seed
python -m tools.make_sample en                        score the captions of the stored sample again
"""

import gzip
import json
import math
import random
import sys
from pathlib import Path

from spice_core import Spice
from spice_core.data.ratings import RatedCaption
from spice_core.evaluation.agreement import score_rated_captions

FIRST_ROW, SAMPLE_ROWS = 11_000, 300
AGREEMENT_FOLDER = Path(__file__).parents[1] / "assets" / "agreement"


def draw_captions(lang: str, path: str) -> list[RatedCaption]:
    """Return the sample of a rated data set."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    if lang == "ja":
        return [
            RatedCaption(row["sentence1"], (row["sentence2"],), (row["similarity"],)) for row in rows[FIRST_ROW : FIRST_ROW + SAMPLE_ROWS]
        ]
    drawn_rows = random.Random(0).sample(rows, SAMPLE_ROWS)
    return [RatedCaption(row["candidate"].strip(), tuple(row["references"]), (row["rating"],)) for row in drawn_rows]


def read_captions(file: Path) -> list[RatedCaption]:
    """Return the captions of a stored sample."""
    items = json.loads(file.read_text(encoding="utf-8"))["items"]
    return [RatedCaption(item["candidate"], tuple(item["references"]), (item["rating"],)) for item in items]


def main(lang: str, path: str = "") -> None:
    """Write the sample of a language. Its captions come from the data set ``path`` or, without ``path``, from the stored sample."""
    file = AGREEMENT_FOLDER / f"sample_{lang}.json"
    rated_captions = draw_captions(lang, path) if path else read_captions(file)
    spice = Spice(lang)
    scores_by_metric = score_rated_captions(rated_captions, None, spice, categories=True, symmetric=lang == "ja")
    rounded_scores = {name: [None if math.isnan(v) else round(v, 6) for v in values] for name, values in scores_by_metric.items()}
    items = [{"candidate": r.candidate, "references": r.references, "rating": r.ratings[0]} for r in rated_captions]
    content = {"signature": str(spice.signature), "scores": rounded_scores, "items": items}
    file.write_text(json.dumps(content, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
