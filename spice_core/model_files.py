"""Model files, whose digests are checked before use. Networks compute the same numbers on every processor."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from spice_core.errors import Message, MissingResourceError

DIGESTS_NAME = "SHA256SUMS"  # in each folder of models, written by ``sha256sum``


def read_model_file(path: Path) -> bytes:
    """Return the content of a model file.

    Raises:
        MissingResourceError: The file has another digest than ``SHA256SUMS`` in its folder states. Other files are not checked.
    """
    content = path.read_bytes()
    expected = _stated_digests(path.parent).get(path.name)
    if expected and (found := sha256(content).hexdigest()) != expected:
        raise MissingResourceError(Message("error.damaged_model", path=str(path), found=found[:12], expected=expected[:12]))
    return content


@cache
def _stated_digests(folder: Path) -> dict[str, str]:
    """Return the digests listed in the folder's ``SHA256SUMS``, or an empty dictionary without this file."""
    digests = folder / DIGESTS_NAME
    lines = digests.read_text(encoding="utf-8").splitlines() if digests.exists() else []
    return {name: digest for digest, name in map(str.split, lines)}


def load_network(path: Path) -> Any:
    """Return an ONNX Runtime session whose outputs are the same on every processor, except for rounding in the last bits.

    Weights that are stored as integers are unpacked to 32-bit floats. Otherwise, ONNX Runtime would also round their inputs to 8 bits, with
    a kernel that depends on the processor.

    Raises:
        MissingResourceError: The file is damaged.
    """
    import numpy  # noqa: F401  # onnxruntime imports a part of numpy, which fails while another thread is importing it
    from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = 1  # scores must not depend on the number of cores
    # loads faster, and keeps bias and Gelu separate, because their fusion is slower
    options.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    read_model_file(path)  # checks the digest; the session reads the file itself to avoid a copy
    return InferenceSession(path, options, providers=["CPUExecutionProvider"])
