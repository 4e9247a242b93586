"""Text catalogues: TOML files by language, each with sections of named texts."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FALLBACK_LANGUAGE = "en"


def read_catalogue(folder: Path, language: str, *, prefix: str = "") -> dict[str, Any]:
    """Read the text catalogue of a language.

    Args:
        folder: Folder with ``{prefix}{language}.toml``, or with a folder of that name whose files are read in order.
        language: Code of the language; English is read if the folder has no texts in it.
        prefix: Prefix of the file or folder name.

    Returns:
        The texts by section and name.
    """
    files = _catalogue_files(folder / f"{prefix}{language}") or _catalogue_files(folder / f"{prefix}{FALLBACK_LANGUAGE}")
    return {section: texts for file in files for section, texts in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def _catalogue_files(path: Path) -> list[Path]:
    file = path.with_name(f"{path.name}.toml")
    return [file] if file.is_file() else sorted(path.glob("*.toml"))
