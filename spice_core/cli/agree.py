"""The command ``agree``: from human judgements to a table of each metric's agreement with them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from spice_core.cli import arguments, output
from spice_core.data.ratings import Preference, Rated, read_judgements
from spice_core.errors import InputError
from spice_core.evaluation.agreement import correlate, pairwise_accuracy, rated_scores
from spice_core.metrics.measure import segment_scores, signatures
from spice_core.metrics.spice import Spice
from spice_core.report.agreement import FORMATS


def agree(options: argparse.Namespace) -> int:
    """Score the captions of the files and compare the scores with the human judgements; returns 0."""
    arguments.check(options)
    if options.limit is not None and options.limit < 1:
        raise InputError("--limit", options.limit, "1 or more")
    output.check(options.out, options.scores)
    encodings: dict[str, str] = {}
    judged = [row for name in options.files for row in read_judgements(Path(name), options.limit, encodings)][: options.limit]
    arguments.say_encodings(encodings)
    preferences, rated = [row for row in judged if isinstance(row, Preference)], [row for row in judged if isinstance(row, Rated)]
    if preferences and rated:
        raise InputError(" ".join(options.files), "ratings and preferences", "only one of them")
    names = arguments.metrics(options)
    spice = Spice(arguments.config(options))
    more = {"baseline": options.baseline, "resamples": options.resamples, "seed": options.seed}
    if preferences:
        sides = [
            segment_scores([(getattr(p, side), p.references) for p in preferences], names, spice=spice, categories=options.subset)
            for side in "ab"
        ]
        agreement = pairwise_accuracy(preferences, *sides, **more)
        scores = {f"{m} {side}": s[m] for side, s in zip("ab", sides) for m in s}
    else:
        scores = rated_scores(rated, names, spice, categories=options.subset, both=options.symmetric)
        agreement = correlate(rated, scores, level=options.level, **more)
    footer = "".join(f"{each}\n" for each in signatures(names, spice)) if options.format == "text" else ""
    text = FORMATS[options.format](agreement) + footer
    if options.scores:
        output.put(json.dumps(scores, ensure_ascii=False), options.scores)
    output.put(text, options.out)
    return 0
