"""Split a built wheel into ``spice_core`` without the weights of soft matching, and ``spice_core_soft`` with the weights.

    python -m tools.split_wheel dist/spice_core-0.3.0-py3-none-any.whl

The two wheels replace the original. The extras ``soft`` and ``app`` of ``spice_core`` require ``spice_core_soft``. Both contain files of
the same package, without duplicates.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from wheel.wheelfile import WheelFile

WEIGHTS_FOLDER = "spice_core/metrics/soft/models/"
FILES_IN_LIBRARY = ("LICENSE", "MODEL_CARD.md", "SHA256SUMS", "support.json")  # small files, and descriptions of the weights
EXTRAS_WITH_WEIGHTS = ("soft", "app")
_METADATA_TEMPLATE = """Metadata-Version: 2.4
Name: spice_core_soft
Version: {version}
Summary: Weights of the soft matching of spice_core: a sentence encoder, and word vectors
License-Expression: Apache-2.0 AND CC-BY-SA-4.0
License-File: LICENSE
Requires-Python: >=3.11
Requires-Dist: spice_core=={version}
"""


def split_wheel(full_wheel: Path) -> tuple[Path, Path]:
    """Replace a wheel with two wheels and return their paths. Raises ValueError for a wheel without the weights."""
    with WheelFile(full_wheel) as wheel:
        version, info_folder, names = wheel.parsed_filename["ver"], wheel.dist_info_path, wheel.namelist()
        content = {name: wheel.read(name) for name in names if not name.endswith("/RECORD")}
    weights = {name for name in content if name.startswith(WEIGHTS_FOLDER) and name[len(WEIGHTS_FOLDER) :] not in FILES_IN_LIBRARY}
    if not weights:
        raise ValueError(f"{full_wheel}: found no {WEIGHTS_FOLDER}, expected a wheel that is not split yet")
    library = {name: data for name, data in content.items() if name not in weights}
    library[f"{info_folder}/METADATA"] = _require_weights(content[f"{info_folder}/METADATA"].decode(), version).encode()
    soft = f"spice_core_soft-{version}.dist-info"
    weight_files = {name: content[name] for name in weights}
    weight_files[f"{soft}/METADATA"] = _METADATA_TEMPLATE.format(version=version).encode()
    weight_files[f"{soft}/WHEEL"] = content[f"{info_folder}/WHEEL"]
    weight_files[f"{soft}/licenses/LICENSE"] = content[f"{WEIGHTS_FOLDER}LICENSE"]
    soft_wheel = full_wheel.with_name(full_wheel.name.replace("spice_core-", "spice_core_soft-"))
    _write(full_wheel, library, lambda name: name.startswith(info_folder))
    _write(soft_wheel, weight_files, lambda name: name.startswith(soft))
    return full_wheel, soft_wheel


def _require_weights(metadata: str, version: str) -> str:
    """Return the metadata with the second wheel among the requirements of the extras."""
    for extra_name in EXTRAS_WITH_WEIGHTS:
        line = f"Provides-Extra: {extra_name}\n"
        metadata = metadata.replace(line, f'{line}Requires-Dist: spice_core_soft=={version}; extra == "{extra_name}"\n', 1)
    return metadata


def _write(path: Path, content: dict[str, bytes], is_last: Callable[[str], bool]) -> None:
    with WheelFile(path, "w") as wheel:
        for name in sorted(content, key=lambda name: (is_last(name), name)):
            wheel.writestr(name, content[name])


if __name__ == "__main__":
    for wheel in split_wheel(Path(sys.argv[1])):
        print(f"{wheel.stat().st_size / 2**20:.1f} MiB  {wheel}")
