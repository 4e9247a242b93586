"""spice_core: the SPICE caption metric in Python. It parses captions into scene graphs, matches the graphs, and explains the scores."""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # disables the telemetry of ONNX Runtime, which reads this variable at import

from spice_core.data.results import ScoredItem
from spice_core.errors import InputError, SpiceError
from spice_core.evaluation.corpus import CorpusResult
from spice_core.metrics.config import Signature, SpiceConfig
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.soft.soft import Soft
from spice_core.metrics.spice import Spice
from spice_core.report.frames import to_frame
from spice_core.scene.matching import MatchState
from spice_core.version import __version__

__all__ = [
    "CorpusResult",
    "InputError",
    "MatchState",
    "ScoredItem",
    "Signature",
    "Soft",
    "Spice",
    "SpiceConfig",
    "SpiceError",
    "SpiceResult",
    "__version__",
    "to_frame",
]
