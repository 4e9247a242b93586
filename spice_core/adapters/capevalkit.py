"""SPICE, JaSPICE, and the metrics ``entailed`` and ``soft+`` for CaptionEvalKit (package ``capevalkit``), without Java or Docker.

import capevalkit.api
from spice_core.adapters.capevalkit import KitMetric

capevalkit.api.evaluate_metric(benchmark="flickr8k-ex", metric=KitMetric("spice"), metric_name="spice")

``python -m spice_core.adapters.capevalkit install`` adds the metrics to the kit's command line, under the names in ``KIT_NAME_BY_METRIC``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from spice_core.data.items import Item
from spice_core.data.sources import Source
from spice_core.errors import InputError, Message, SpiceError, UnknownNameError, require_module
from spice_core.lang import language
from spice_core.metrics.config import TransientCaches
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.spice import Spice
from spice_core.metrics.text.tokens import tokenise_captions

_MODULE_NAME = "spice_core.adapters.capevalkit"
_KIT_FOLDER = Path("metrics", "upstreams", "spice_core")  # folder in the kit for the project file that uv requires
_PROJECT_TOML = (
    '[project]\nname = "spice-core-metrics"\nversion = "1"\nrequires-python = ">=3.11"\ndependencies = []\n\n[tool.uv]\npackage = false\n'
)
_MANIFEST_TEMPLATE = """[metric]
name = {name}
python = ">=3.11"
module = {module}

[repository]
dir = {folder}
uv_project = {folder}

[runner]
command = [{python}, "-m", {module}, "score", {metric}]
"""


class _MetricKind(NamedTuple):
    """A metric for the kit: its names, the metric of the registry that computes it, and the settings of that metric."""

    label: str
    name: str  # the name on the kit's command line; the kit already has a metric ``spice``
    metric: str
    lang: str = "en"
    rules: str | None = None  # the rule set; None selects the default of the language
    synonyms: str | None = None  # the synonym source; None selects that of the rules
    is_tokenised: bool = False  # whether captions lose capitals and punctuation before they are scored, as in the kit's SPICE


_METRIC_KINDS = {
    "spice": _MetricKind("SPICE", "spice-python", "SPICE", rules="spice-2016", is_tokenised=True),
    "jaspice": _MetricKind("JaSPICE", "jaspice-python", "SPICE", lang="ja", rules="jaspice-2023", synonyms="representative"),
    "entailed": _MetricKind("SPICE, entailed", "entailed", "entailed"),
    "soft+": _MetricKind("soft+", "soft+", "soft+"),
}
KIT_NAME_BY_METRIC = {metric: kind.name for metric, kind in _METRIC_KINDS.items()}


class KitMetric(TransientCaches):
    """A metric for the kit, which maps the samples of a benchmark to scores by id."""

    def __init__(self, metric: str):
        """``metric`` is spice, entailed, jaspice or soft+. Raises UnknownNameError for any other name."""
        if metric not in _METRIC_KINDS:
            raise UnknownNameError(Message("kind.metric"), metric, _METRIC_KINDS)
        self._kind = _METRIC_KINDS[metric]
        self.label = self._kind.label

    @cached_property
    def spice(self) -> Spice:
        """The Spice instance (language, parser, rules, synonyms) that computes the scores."""
        return Spice(self._kind.lang, rules=self._kind.rules, synonyms=self._kind.synonyms)

    def __call__(self, samples: Iterable[Any]) -> dict[str, float]:
        """Return the score of each sample's ``prediction`` against its ``references``.

        Raises InputError if a sample has no prediction or no references.
        """
        samples = list(samples)
        for sample in samples:
            if not isinstance(sample.prediction, str):
                raise InputError(str(sample.id), sample.prediction, Message("expected.caption"))
            if not sample.references:
                raise InputError(str(sample.id), sample.references, Message("expected.captions"))
        return dict(zip((sample.id for sample in samples), self.scores([(s.prediction, s.references) for s in samples])))

    def scores(self, items: Iterable[tuple[str, Sequence[str]]]) -> list[float]:
        """Return the score of each candidate against its references."""
        pairs = [(candidate, tuple(references)) for candidate, references in items]
        if self._kind.is_tokenised:
            captions = list(dict.fromkeys(caption for candidate, references in pairs for caption in (candidate, *references)))
            words = dict(zip(captions, map(" ".join, tokenise_captions(captions, language(self._kind.lang)))))
            pairs = [(words[candidate], tuple(words[other] for other in references)) for candidate, references in pairs]
        return segment_scores(pairs, [self._kind.metric], spice=self.spice)[self._kind.metric]


def install(root: Path | None = None) -> list[str]:
    """Add the metrics to the kit's command line and return their names. The kit will run them with this Python interpreter.

    ``root`` is the kit's ``project_root``, which ``capevalkit doctor`` prints. It defaults to the kit installed in this
    environment. Raises MissingResourceError if no kit is installed, and InputError if ``root`` is not the folder of a
    kit or is not writable.
    """
    if root is None:
        paths = require_module("capevalkit.infrastructure.runtime.manager", "pip install capevalkit")
        root = Path(paths.RuntimeManager().prepare_base())
    if not (root / "metrics" / "spice" / "metric.toml").is_file():
        raise InputError(str(root), Message("found.no_kit"), Message("expected.kit_root"))
    _write_file(root / _KIT_FOLDER / "pyproject.toml", _PROJECT_TOML)
    for metric, kind in _METRIC_KINDS.items():
        values = {"name": kind.name, "module": _MODULE_NAME, "folder": _KIT_FOLDER.as_posix(), "python": sys.executable, "metric": metric}
        quoted_values = {key: json.dumps(value) for key, value in values.items()}
        _write_file(root / "metrics" / kind.name / "metric.toml", _MANIFEST_TEMPLATE.format(**quoted_values))
    return list(KIT_NAME_BY_METRIC.values())


def score(metric: str, predictions: Path, references: Path) -> dict[str, dict[str, object]]:
    """Score the kit's files. Return the mean (``score``) and the scores by id (``per_item``) under the metric's label.

    Both files are JSON lines: predictions with ``id`` and ``caption``, references with ``id`` and ``references``. Raises
    InputError if a row is invalid, an id is repeated, or references have no prediction.
    """
    columns, reference_columns = {"image_id": ["id"], "caption": ["caption"]}, {"image_id": ["id"], "captions": ["references"]}
    items = list(
        map(
            _valid_item,
            Source(predictions, references, columns=columns, reference_columns=reference_columns, all_images=True, allow_empty=True),
        )
    )
    kit_metric = KitMetric(metric)
    scores = kit_metric.scores([(_caption_text(item.candidate), list(map(_caption_text, item.references))) for item in items])
    by_id = dict(zip((str(item.image_id) for item in items), scores))
    return {kit_metric.label: {"score": fmean(scores) if scores else 0.0, "per_item": by_id}}


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``install``, or ``score`` if the kit calls it. Return 0, or 2 after printing an error message."""
    options = _make_parser().parse_args(argv)
    try:
        if options.command == "install":
            print(*install(options.root), sep="\n")
        else:
            scores = score(options.metric, options.predictions, options.references)
            _write_file(options.output, json.dumps(scores, ensure_ascii=False, indent=2))
    except SpiceError as error:
        print(f"spice-core: {error}", file=sys.stderr)
        return 2
    return 0


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {_MODULE_NAME}", description="Metrics for CaptionEvalKit without Java and Docker.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("install", help="add the metrics to the kit's command line")
    command.add_argument("root", nargs="?", type=Path, help="project_root of the kit, if it is in another environment")
    command = commands.add_parser("score", help="score files of the kit, which calls this")
    command.add_argument("metric", choices=_METRIC_KINDS)
    for name in ("predictions", "references", "output"):
        command.add_argument(f"--{name}", type=Path, required=True)
    return parser


def _valid_item(item: Item | InputError) -> Item:
    if isinstance(item, InputError):
        raise item
    return item


def _caption_text(caption: object) -> str:
    """Return the text of a caption. The kit may pass an empty caption as an empty list."""
    if caption and not isinstance(caption, str):
        raise InputError("", caption, Message("expected.caption"))
    return str(caption or "")


def _write_file(path: Path, text: str) -> None:
    """Write a file, and create the folders above it. Raises InputError if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(str(path), error.strerror, Message("expected.writable_file")) from None


if __name__ == "__main__":
    sys.exit(main())
