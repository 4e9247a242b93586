"""Compare the lines and files of Python with the limits in pyproject.toml, and exit with 1 if there are more."""

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]


def sizes(root: Path, folders: Sequence[str]) -> dict[str, int]:
    """Lines of Python per top folder (app.py counts as pages), and the number of `files`."""
    paths = {folder: [*(root / folder).rglob("*.py")] for folder in folders}
    paths["pages"].append(root / "app.py")
    lines = {folder: sum(len(path.read_bytes().splitlines()) for path in files) for folder, files in paths.items()}
    return lines | {"files": sum(map(len, paths.values()))}


def main() -> None:
    limits: dict[str, int] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["size"]
    measured = sizes(ROOT, [name for name in limits if name != "files"])
    excess = [f"{name}: {measured[name]:,}, limit {limit:,}" for name, limit in limits.items() if measured[name] > limit]
    sys.exit("\n".join(["Python is above the limits of [tool.size] in pyproject.toml:", *excess]) if excess else 0)


if __name__ == "__main__":
    main()
