"""Build the container image with the first builder that works here: ``python deploy/build_container.py [NAME]``.

Exit code 0 after a build, that of the builder if it fails, and 3 with one line where no builder works.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCKER_FORMAT = ["--format", "docker"]  # the other format of images has no health check, and builders drop it with a warning
BUILDERS = {"podman": DOCKER_FORMAT, "docker": [], "buildah": DOCKER_FORMAT}  # each with its options
NO_BUILDER = 3


def main(name: str = "spice-core") -> int:
    """Build the image; returns the exit code."""
    found = {builder: works(builder) for builder in BUILDERS if shutil.which(builder)}
    builder = next((each for each, usable in found.items() if usable), None)
    if builder is None:
        said = f"{', '.join(found)} without a running service or the right to use it" if found else "none"
        print(f"make container: found {said}, expected podman, docker or buildah; nothing was built", file=sys.stderr)
        return NO_BUILDER
    line = [builder, "build", *BUILDERS[builder], "--tag", name, "--file", "Containerfile", "."]
    return subprocess.run(line, cwd=ROOT).returncode


def works(builder: str) -> bool:
    """Whether a builder that is installed can build here."""
    return subprocess.run([builder, "info"], capture_output=True).returncode == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
