"""Make the sample of the Agreement page: 300 pairs of JSTS, none of those that anything was chosen on, with their scores.

python tools/make_sample.py jsts_train.jsonl.gz
"""

import gzip
import json
import math
import sys
from itertools import islice
from pathlib import Path

from spice_core import Spice
from spice_core.data.ratings import Rated
from spice_core.evaluation.agreement import rated_scores

FIRST, COUNT = 11_000, 300


def main(path: str) -> None:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in islice(lines, FIRST, FIRST + COUNT)]
    spice = Spice("ja")
    rated = [Rated(p["sentence1"], (p["sentence2"],), (p["similarity"],)) for p in pairs]
    scores = rated_scores(rated, None, spice, categories=True, both=True)
    rounded = {name: [None if math.isnan(v) else round(v, 6) for v in values] for name, values in scores.items()}
    stored = {"signature": str(spice.signature), "scores": rounded, "pairs": pairs}
    (Path(__file__).parents[1] / "assets" / "agreement" / "jsts_sample.json").write_text(
        json.dumps(stored, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main(sys.argv[1])
