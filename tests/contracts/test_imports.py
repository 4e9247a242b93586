"""What loads when: the core is pure, heavy things load at first use, nothing imports Streamlit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import spice_core

MODULES = sorted(
    ".".join(path.relative_to(Path(spice_core.__file__).parents[1]).with_suffix("").parts).removesuffix(".__init__")
    for path in Path(spice_core.__file__).parent.rglob("*.py")
    if path.name not in ("__main__.py", "build_wordnet.py")
)
PURE = [
    "spice_core",
    "spice_core.scene.graph",
    "spice_core.scene.matching",
    "spice_core.scene.scores",
    "spice_core.metrics.spice",
    "spice_core.lang.en",
    "spice_core.lang.ja",
    "spice_core.cli.main",
    "spice_core.coco",
    "spice_core.evaluation.systems",
    "spice_core.evaluation.error_analysis",
    *(name for name in MODULES if name.startswith("spice_core.explain")),
]


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_no_module_of_the_core_imports_streamlit():
    run(f"import sys, importlib; sys.modules['streamlit'] = None\nfor name in {MODULES!r}: importlib.import_module(name)")


@pytest.mark.parametrize("module", PURE)
def test_the_core_imports_the_standard_library_alone(module):
    code = f"import sys; before = set(sys.modules); import {module}; print(*{{m.split('.')[0] for m in set(sys.modules) - before}})"
    loaded = set(run(code).split()) - {"spice_core", "__mp_main__"}
    assert loaded <= set(sys.stdlib_module_names), loaded - set(sys.stdlib_module_names)


def test_scoring_graphs_loads_no_parser():
    run("import sys; from spice_core import Spice; Spice().compute([['dog']], [[['dog']]]); assert 'spacy' not in sys.modules")
