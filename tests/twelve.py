"""Result files of twelve systems, mixed from the four of the sample: image by image the row of one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from pages.parts.session.datasets import SYSTEMS, scored_sample
from pages.parts.session.runs import FIELDS
from spice_core.data.results import read_results


def files(number: int = 12, images: int = 60) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file; the first four are the systems themselves."""
    rows = {name: {row.image_id: row for row in read_results(scored_sample(name))} for name in SYSTEMS}
    shared = [image for image in rows[SYSTEMS[0]] if all(image in found for found in rows.values())][:images]
    for i in range(number):
        mix = SYSTEMS[i] if i < len(SYSTEMS) else "".join(Random(i).sample(SYSTEMS, 2))
        picked = [rows[Random(f"{i} {image}").choice(mix)][image] for image in shared]
        content = "".join(json.dumps(row.as_json(FIELDS)) + "\n" for row in picked).encode()
        yield f"captioner-{i + 1}-of-the-year.jsonl", content
