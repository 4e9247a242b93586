"""Damaged model files are refused before use, in one line."""

import shutil
from pathlib import Path

import pytest

from spice_core.errors import MissingResourceError
from spice_core.lang.en.parsers.encoder_parser import CAPTION_MODEL_FOLDER, EncoderParser
from spice_core.lang.en.parsers.transition_parser import SPICE_2016_FOLDER, TransitionParser
from spice_core.metrics.soft import encoder, support
from spice_core.metrics.soft.encoder import Encoder
from spice_core.metrics.soft.weights import ENCODER_PATH
from spice_core.model_files import DIGESTS_NAME, read_model_file

SOFT_FOLDER = ENCODER_PATH.parent
UNCHECKED_FILES = {DIGESTS_NAME, "LICENSE", "MODEL_CARD.md"}


def flip_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def use_encoder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, file in (("ENCODER_PATH", "encoder.onnx"), ("TOKENIZER_PATH", "tokenizer.json"), ("CAPTION_MAP_PATH", "captions.npy")):
        monkeypatch.setattr(encoder, name, folder / file)
    Encoder()
    encoder._load_caption_projection.__wrapped__()


def use_support(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "WEIGHTS_PATH", folder / "support.json")
    support.load_weights.__wrapped__()


MODELS = {
    CAPTION_MODEL_FOLDER: lambda folder, _: list(EncoderParser(folder).parse(["a dog on a sofa"])),
    SPICE_2016_FOLDER: lambda folder, _: list(TransitionParser(folder).parse(["a dog on a sofa"])),
}
CASES = [(folder, path.name) for folder in (*MODELS, SOFT_FOLDER) for path in sorted(folder.iterdir()) if path.name not in UNCHECKED_FILES]


@pytest.mark.parametrize(("folder", "name"), CASES, ids=[f"{folder.name}/{name}" for folder, name in CASES])
def test_each_model_file_is_checked_before_use(folder: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    copied_folder = shutil.copytree(folder, tmp_path / "model")
    flip_byte(copied_folder / name)
    use = MODELS.get(folder) or (use_support if name == "support.json" else use_encoder)
    line = rf"^{copied_folder / name}: damaged file: found SHA-256 [0-9a-f]{{12}}…, expected [0-9a-f]{{12}}…; reinstall spice_core$"
    with pytest.raises(MissingResourceError, match=line):
        use(copied_folder, monkeypatch)


def test_files_without_a_stated_digest_are_not_checked(tmp_path: Path):
    (tmp_path / "network.npz").write_bytes(b"weights")
    assert read_model_file(tmp_path / "network.npz") == b"weights"
