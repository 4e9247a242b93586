"""The files of weights of soft matching; published wheels have them in a separate package, ``spice_core_soft``."""

from __future__ import annotations

from pathlib import Path

from spice_core.errors import not_installed

_FOLDER = Path(__file__).parent / "models"
ENCODER, TOKENIZER = _FOLDER / "encoder.onnx", _FOLDER / "tokenizer.json"
CAPTIONS, STATIC = _FOLDER / "captions.npy", _FOLDER / "static.npz"
INSTALL_SOFT = "pip install 'spice_core[soft]'"


def weights_path(path: Path) -> Path:
    """Return the path of a weight file. Raises MissingResourceError with the command that installs it."""
    if not path.exists():
        raise not_installed("spice_core_soft", INSTALL_SOFT)
    return path
