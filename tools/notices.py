"""Write THIRD_PARTY_NOTICES.txt anew: ``python -m tools.notices``, in the environment of requirements.txt.

What the package holds is described in notices.toml, with the licence texts that lie beside it; what it runs on is read from the
metadata of the installed packages, in the versions of requirements.txt.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "THIRD_PARTY_NOTICES.txt"
PARTS = Path(__file__).with_name("notices.toml")
_HEAD = """Notices on what spice_core holds or runs on and others made. Written by tools/notices.py from tools/notices.toml,
requirements.txt and the metadata of the packages named there; do not edit.
"""
_PINNED = re.compile(r"^([\w.-]+)==(\S+)$", re.M)
_NAME = 60  # characters of a licence's name; a longer entry is its text


def main() -> None:
    """Write the notices."""
    PLACE.write_text(notices(), encoding="utf-8")


def notices() -> str:
    """The whole file. Raises RuntimeError where a package of requirements.txt is not installed in its version."""
    parts = tomllib.loads(PARTS.read_text(encoding="utf-8"))["part"]
    pins = pinned()
    if other := sorted(name for name in pins if installed(name) != pins[name]):
        raise RuntimeError(f"found other versions or none of {', '.join(other)}, expected those of requirements.txt (make app)")
    return "\n".join([_HEAD, *_inside(parts), *_beside({name: (pins[name], licence(name)) for name in pins}), *_texts(parts)])


def pinned() -> dict[str, str]:
    """The version of each package of requirements.txt, by name in order."""
    found = _PINNED.findall((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    return dict(sorted(found, key=lambda pin: pin[0].lower()))


def installed(name: str) -> str | None:
    """The version in which a package is installed; None if it is not."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def licence(name: str) -> str:
    """What a package's metadata calls its licence: the SPDX expression, the name, or the classifiers."""
    about = metadata(name)
    named = "".join((about.get_all("License-Expression") or about.get_all("License") or [])[:1])
    classified = [each.rpartition(" :: ")[2] for each in about.get_all("Classifier") or [] if each.startswith("License ::")]
    usable = named if named.upper() != "UNKNOWN" and "\n" not in named and len(named) <= _NAME else ""
    return usable or " or ".join(classified) or named.partition("\n")[0] or "see the package"


def _inside(parts: list[dict]) -> list[str]:
    lines = [*_title("1. Inside the package")]
    for part in parts:
        lines += [part["name"], f"  Licence: {part['licence']}"]
        lines += _wrapped(f"Files: {', '.join(part['files'])}") if part["files"] else []
        lines += [line for paragraph in part["origin"].splitlines() for line in _wrapped(paragraph)]
        lines += ["  Text: section 3" if "text" in part else "  Text: https://creativecommons.org/licenses/", ""]
    return lines


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 120, initial_indent="  ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _beside(packages: Mapping[str, tuple[str, str]]) -> list[str]:
    """The packages of requirements.txt; none of them is part of the wheel, each brings the text of its licence."""
    lines = _title("2. Packages it runs on (installed beside it, with the texts of their licences)")
    return [*lines, *(f"{name} {number}: {terms}" for name, (number, terms) in packages.items()), ""]


def _texts(parts: list[dict]) -> list[str]:
    lines = _title("3. Texts of the licences of section 1")
    for path in dict.fromkeys(part["text"] for part in parts if "text" in part):
        names = "; ".join(part["name"] for part in parts if part.get("text") == path)
        lines += [*_title(names), (ROOT / path).read_text(encoding="utf-8").strip(), ""]
    return lines


def _title(text: str) -> list[str]:
    return [text, "-" * len(text), ""]


if __name__ == "__main__":
    main()
