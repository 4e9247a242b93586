"""Build step of the wheel: copy the app to ``spice_core/inspector``, where ``spice-core app`` finds it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from setuptools.command.build_py import build_py

INSPECTOR_FOLDER = "spice_core/inspector"
_APP_GLOBS = ("app.py", ".streamlit/config.toml", "pages/**/*.py", "assets/**/*", "static/**/*")
_EXCLUDED_FOLDER = Path("assets/screenshots")  # files that only the documentation needs


def app_files(root: Path) -> Iterator[Path]:
    """Yield the files that the app needs at run time, relative to the root of the checkout."""
    for pattern in _APP_GLOBS:
        for path in sorted(root.glob(pattern)):
            relative_path = path.relative_to(root)
            if path.is_file() and "__pycache__" not in relative_path.parts and _EXCLUDED_FOLDER not in relative_path.parents:
                yield relative_path


class Build(build_py):
    """Build command that also copies the app. An editable installation uses the app of the checkout instead."""

    def run(self) -> None:
        """Build the modules and copy the app."""
        super().run()
        for target, source in self._app_outputs().items():
            self.mkpath(str(Path(target).parent))
            self.copy_file(source, target, preserve_mode=False)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return the built files, for the list of installed files."""
        return [*super().get_outputs(include_bytecode), *self._app_outputs()]

    def get_output_mapping(self) -> dict[str, str]:
        """Return the source of each built file."""
        return {**super().get_output_mapping(), **self._app_outputs()}

    def get_source_files(self) -> list[str]:
        """Return the source files, for the source distribution."""
        return [*super().get_source_files(), *map(str, app_files(Path()))]

    def _app_outputs(self) -> dict[str, str]:
        if self.editable_mode:
            return {}
        return {str(Path(self.build_lib, INSPECTOR_FOLDER, path)): str(path) for path in app_files(Path())}
