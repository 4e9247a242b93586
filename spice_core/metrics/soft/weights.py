"""Weight files of soft matching, which are published as a separate package, ``spice_core_soft``."""

from __future__ import annotations

from pathlib import Path

from spice_core.errors import not_installed_error
from spice_core.model_files import read_model_file

_MODEL_FOLDER = Path(__file__).parent / "models"
ENCODER_PATH, TOKENIZER_PATH = _MODEL_FOLDER / "encoder.onnx", _MODEL_FOLDER / "tokenizer.json"
CAPTION_MAP_PATH = _MODEL_FOLDER / "captions.npy"
INSTALL_SOFT_COMMAND = 'pip install ".[soft]"'


def existing_weights_path(path: Path) -> Path:
    """Return the path if the weight file exists. Otherwise raise MissingResourceError with the command that installs it."""
    if not path.exists():
        raise not_installed_error("spice_core_soft", INSTALL_SOFT_COMMAND)
    return path


def read_weights(path: Path) -> bytes:
    """Return the content of a weight file. Raises MissingResourceError if it is missing or damaged."""
    return read_model_file(existing_weights_path(path))
