"""Text catalogues: TOML files for each language, with named texts in sections."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FALLBACK_LANGUAGE = "en"


def read_catalogue(folder: Path, language: str, *, prefix: str = "") -> dict[str, Any]:
    """Read the text catalogue of a language.

    Args:
        folder: Folder that contains a file ``{prefix}{language}.toml``, or a folder ``{prefix}{language}`` of TOML files.
        language: Code of the language. If the folder has no texts in this language, English is read.
        prefix: Prefix of the file or folder name.

    Returns:
        The texts by section and name.
    """
    files = _catalogue_files(folder / f"{prefix}{language}") or _catalogue_files(folder / f"{prefix}{FALLBACK_LANGUAGE}")
    return {section: texts for file in files for section, texts in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def _catalogue_files(path: Path) -> list[Path]:
    file = path.with_name(f"{path.name}.toml")
    return [file] if file.is_file() else sorted(path.glob("*.toml"))
