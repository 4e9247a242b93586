"""Write THIRD_PARTY_NOTICES.txt: ``python -m tools.notices``, in the environment of requirements.txt.

notices.toml describes the bundled parts and names their licence texts. Dependencies come from the metadata of the installed packages
in the versions of requirements.txt.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOTICES_FILE = ROOT / "THIRD_PARTY_NOTICES.txt"
PARTS_FILE = Path(__file__).with_name("notices.toml")
_HEADER = """Notices on what spice_core holds or runs on and others made. Written by tools/notices.py from tools/notices.toml,
requirements.txt and the metadata of the packages named there; do not edit.
"""
_PINNED_VERSION_PATTERN = re.compile(r"^([\w.-]+)==(\S+)$", re.M)
_MAX_LICENCE_NAME_CHARS = 60  # a longer entry is the text of the licence


def main() -> None:
    """Write THIRD_PARTY_NOTICES.txt."""
    NOTICES_FILE.write_text(render_notices(), encoding="utf-8")


def render_notices() -> str:
    """Return the text of the file. Raises RuntimeError if a package of requirements.txt is missing or has another version."""
    parts = tomllib.loads(PARTS_FILE.read_text(encoding="utf-8"))["part"]
    pins = pinned_versions()
    if other_versions := sorted(name for name in pins if installed_version(name) != pins[name]):
        raise RuntimeError(f"found other versions or none of {', '.join(other_versions)}, expected those of requirements.txt (make app)")
    return "\n".join(
        [_HEADER, *_bundled_parts(parts), *_dependencies({name: (pins[name], licence_name(name)) for name in pins}), *_licence_texts(parts)]
    )


def pinned_versions() -> dict[str, str]:
    """Return the version of each package in requirements.txt, sorted by name."""
    pins = _PINNED_VERSION_PATTERN.findall((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    return dict(sorted(pins, key=lambda pin: pin[0].lower()))


def installed_version(name: str) -> str | None:
    """Return the installed version of a package, or None if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def licence_name(name: str) -> str:
    """Return the licence in the metadata of a package: the SPDX expression, the name, or the classifiers."""
    package_metadata = metadata(name)
    licence = "".join((package_metadata.get_all("License-Expression") or package_metadata.get_all("License") or [])[:1])
    classified = [line.rpartition(" :: ")[2] for line in package_metadata.get_all("Classifier") or [] if line.startswith("License ::")]
    usable_name = licence if licence.upper() != "UNKNOWN" and "\n" not in licence and len(licence) <= _MAX_LICENCE_NAME_CHARS else ""
    return usable_name or " or ".join(classified) or licence.partition("\n")[0] or "see the package"


def _bundled_parts(parts: list[dict]) -> list[str]:
    lines = [*_underlined_title("1. Inside the package")]
    for part in parts:
        lines += [part["name"], f"  Licence: {part['licence']}"]
        lines += _wrap_text(f"Files: {', '.join(part['files'])}") if part["files"] else []
        lines += [line for paragraph in part["origin"].splitlines() for line in _wrap_text(paragraph)]
        lines += ["  Text: section 3" if "text" in part else "  Text: https://creativecommons.org/licenses/", ""]
    return lines


def _wrap_text(text: str) -> list[str]:
    return textwrap.wrap(text, 120, initial_indent="  ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _dependencies(packages: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return the section on the packages of requirements.txt. The wheel does not contain them, so their licence texts are not repeated."""
    lines = _underlined_title("2. Packages it runs on (installed beside it, with the texts of their licences)")
    return [*lines, *(f"{name} {version}: {terms}" for name, (version, terms) in packages.items()), ""]


def _licence_texts(parts: list[dict]) -> list[str]:
    lines = _underlined_title("3. Texts of the licences of section 1")
    for path in dict.fromkeys(part["text"] for part in parts if "text" in part):
        names = "; ".join(part["name"] for part in parts if part.get("text") == path)
        lines += [*_underlined_title(names), (ROOT / path).read_text(encoding="utf-8").strip(), ""]
    return lines


def _underlined_title(text: str) -> list[str]:
    return [text, "-" * len(text), ""]


if __name__ == "__main__":
    main()
