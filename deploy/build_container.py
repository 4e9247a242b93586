"""Build the container image with the first available builder: ``python deploy/build_container.py [OPTION...]``.

The options are those of the builder, such as ``--build-arg BASE=IMAGE``, which names the base image.

The exit code is that of the builder, or 3 with a one-line message if no builder works.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCKER_FORMAT = ["--format", "docker"]  # the OCI format has no health check, so builders would drop it with a warning
BUILDERS = {"podman": DOCKER_FORMAT, "docker": [], "buildah": DOCKER_FORMAT}  # options by builder
NO_BUILDER = 3


def main(*options: str) -> int:
    """Build the image ``spice-core`` with these options of the builder, and return the exit code."""
    is_usable_by_builder = {builder: works(builder) for builder in BUILDERS if shutil.which(builder)}
    builder = next((candidate for candidate, usable in is_usable_by_builder.items() if usable), None)
    if builder is None:
        found = f"{', '.join(is_usable_by_builder)} without a running service or the right to use it" if is_usable_by_builder else "none"
        print(f"make container: found {found}, expected podman, docker or buildah; nothing was built", file=sys.stderr)
        return NO_BUILDER
    command = [builder, "build", *BUILDERS[builder], "--tag", "spice-core", *options, "--file", "Containerfile", "."]
    return subprocess.run(command, cwd=ROOT).returncode


def works(builder: str) -> bool:
    """Return whether ``BUILDER info`` succeeds. Docker's fails without a running service or permission."""
    return subprocess.run([builder, "info"], capture_output=True).returncode == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
