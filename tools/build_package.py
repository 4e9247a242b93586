"""The build step of the wheel: the app goes into ``spice_core/inspector``, where ``spice-core app`` finds it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from setuptools.command.build_py import build_py

PLACE = "spice_core/inspector"
_PARTS = ("app.py", ".streamlit/config.toml", "pages/**/*.py", "assets/**/*", "static/**/*")
_LEFT_OUT = Path("assets/screenshots")  # of the documents


def app_files(root: Path) -> Iterator[Path]:
    """The files that the app needs at run time, relative to the root of the checkout, in order."""
    for pattern in _PARTS:
        for path in sorted(root.glob(pattern)):
            inside = path.relative_to(root)
            if path.is_file() and "__pycache__" not in inside.parts and _LEFT_OUT not in inside.parents:
                yield inside


class Build(build_py):
    """Copies the app beside the modules; an editable installation uses that of the checkout."""

    def run(self) -> None:
        """Build the modules and copy the app."""
        super().run()
        for target, source in self._app().items():
            self.mkpath(str(Path(target).parent))
            self.copy_file(source, target, preserve_mode=False)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """What is built, for the list of installed files."""
        return [*super().get_outputs(include_bytecode), *self._app()]

    def get_output_mapping(self) -> dict[str, str]:
        """What is built, each with its source."""
        return {**super().get_output_mapping(), **self._app()}

    def get_source_files(self) -> list[str]:
        """What is built from, for the source distribution."""
        return [*super().get_source_files(), *map(str, app_files(Path()))]

    def _app(self) -> dict[str, str]:
        if self.editable_mode:
            return {}
        return {str(Path(self.build_lib, PLACE, path)): str(path) for path in app_files(Path())}
