"""Write the files of a Hugging Face Space to an empty folder or a clone of a new Space: ``python deploy/make_space.py FOLDER``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_FILES_OF_NEW_SPACE = frozenset((".git", ".gitattributes", "README.md"))  # the script replaces the last two files
_CMD = 'CMD ["spice-core", "app", "--no-browser"]\n'
# SPACE_HOST is the Space's host name. XSRF protection needs a cookie, which browsers withhold from embedded pages.
_SPACE = """ENV SPICE_CORE_FRAME_ANCESTORS=https://huggingface.co STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION=false
CMD ["sh", "-c", "exec spice-core app --no-browser --public-host \\"$SPACE_HOST\\""]
"""


def main(folder: str) -> int:
    """Write the files to the folder and return the exit code."""
    target = Path(folder)
    if target.exists() and {path.name for path in target.iterdir()} - _FILES_OF_NEW_SPACE:
        print(f"make_space: {folder}: found files, expected an empty folder or a clone of a new Space", file=sys.stderr)
        return 2
    for path in context():
        _copy(ROOT / path, target / path)
    for path in sorted((ROOT / "deploy" / "huggingface").iterdir()):
        shutil.copyfile(path, target / path.name)
    (target / "Dockerfile").write_text(dockerfile(), encoding="utf-8")
    return 0


def context() -> list[Path]:
    """Return the paths that .containerignore includes in the image's build context."""
    lines = (ROOT / ".containerignore").read_text(encoding="utf-8").splitlines()
    return [Path(line.removeprefix("!")) for line in lines if line.startswith("!")]


def dockerfile() -> str:
    """Return the Containerfile with the command of a Space."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert text.endswith(_CMD)
    return text.removesuffix(_CMD) + _SPACE


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "screenshots"))
    else:
        shutil.copyfile(source, target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python deploy/make_space.py FOLDER")
    sys.exit(main(sys.argv[1]))
