"""Write the digests of each language's steps, which signatures record: ``python -m tools.step_digests``."""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from spice_core.lang import language
from spice_core.lang.pack import LanguagePack, resolve

LANGUAGES = ("en", "ja")
_DATA_SUFFIXES = (".json", ".txt", ".zip")
_DIGEST_CHARS = 8
_STEP_CLASSES = ("Step", "DiscourseStep")  # their second argument is the reason


def main() -> None:
    for code in LANGUAGES:
        pack = language(code)
        if pack.step_digests is not None:
            pack.step_digests.write_text(format_digests(pack), encoding="utf-8")


def format_digests(pack: LanguagePack) -> str:
    """Return the digest of each step by name as JSON. The empty name is the module with the default steps."""
    module = pack.enhancement.partition(":")[0]
    steps = {step.name: _source_digest(step.apply.__module__) for step in resolve(pack.enhancement).steps}
    return json.dumps({"": _source_digest(module), **steps}, indent=0, ensure_ascii=False, sort_keys=True) + "\n"


@cache
def _source_digest(module: str) -> str:
    """Return the first digits of a digest of a module's code and its language's imported modules."""
    prefix = ".".join(module.split(".")[:3])
    digests, pending_modules = dict[str, str](), [module]
    while pending_modules:
        name = pending_modules.pop()
        if name not in digests:
            path = _module_path(name)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            digests[name] = f"{code_of(tree)}{_data_digests(tree, path)}"
            pending_modules += [imported for imported in _imports(tree) if imported.startswith(f"{prefix}.") and _is_module(imported)]
    return hashlib.sha256(json.dumps(sorted(digests.items())).encode()).hexdigest()[:_DIGEST_CHARS]


def code_of(tree: ast.Module) -> str:
    """Return a module's code as Python 3.11 unparses it, without docstrings, comments, layout and reasons of steps."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _STEP_CLASSES:
            del node.args[1]
        body = getattr(node, "body", None)
        if isinstance(body, list) and isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = body[1:]
    options = {"show_empty": True} if sys.version_info >= (3, 13) else {}
    return ast.dump(tree, **options).replace(", type_params=[]", "")


def _imports(tree: ast.Module) -> list[str]:
    """Return the modules from which a module imports, and the imported names, which may be modules too."""
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return [name for node in froms for name in (str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names))]


def _data_digests(tree: ast.Module, path: Path) -> list[str]:
    """Return the digests of data files beside a module, or beside its package, that the code names."""
    names = {
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value.endswith(_DATA_SUFFIXES)
    }
    files = (folder / name for name in sorted(names) for folder in path.parents[:2])
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()]


def _is_module(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _module_path(module: str) -> Path:
    return Path(str(import_module(module).__file__))


if __name__ == "__main__":
    main()
