"""The tokens: enough contrast, and the same colours in Streamlit's configuration."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from spice_core.draw import design

CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("palette", design.PALETTES)
@pytest.mark.parametrize("theme", design.THEMES)
def test_contrast(theme, palette):
    colours = design.colours(theme, palette)
    for kind in design.KINDS:
        assert design.contrast(colours[kind], colours[f"{kind}-fill"]) >= 4.5
        assert design.contrast(colours[kind], colours["surface"]) >= 4.5
        assert design.contrast(colours["ink"], colours[f"{kind}-fill"]) >= 11
    for ground in ("bg", "surface"):
        assert design.contrast(colours["ink"], colours[ground]) >= 11
        assert design.contrast(colours["muted"], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", design.THEMES)
def test_paper_colours_are_red_green_and_blue(theme):
    colours = design.colours(theme, design.PAPER)
    for place, kind in enumerate(design.KINDS):
        channels = [int(colours[kind][i : i + 2], 16) for i in (1, 3, 5)]
        assert max(channels) == channels[place] and set(colours) == set(design.THEMES[theme])
    assert colours["object"] in design.css_tokens(design.PAPER) and colours["object"] not in design.css_tokens()


@pytest.mark.parametrize("theme", design.THEMES)
def test_streamlit_has_the_same_colours(theme):
    colours, configured = design.THEMES[theme], CONFIG["theme"][theme]
    assert configured["backgroundColor"] == colours["bg"] and configured["textColor"] == colours["ink"]
    assert configured["primaryColor"] == configured["linkColor"] == colours["accent"]
    assert configured["secondaryBackgroundColor"] == colours["surface"] and configured["borderColor"] == colours["line"]
    assert configured["chartCategoricalColors"] == [colours[kind] for kind in design.KINDS]
    assert set(design.THEMES["light"]) == set(design.THEMES["dark"])


def test_nothing_leaves_the_machine():
    assert CONFIG["browser"]["gatherUsageStats"] is False and CONFIG["server"]["address"] == "localhost"
    assert all(face["url"].startswith("app/static/") for face in CONFIG["theme"]["fontFaces"])


def test_the_japanese_face_is_whole_and_local():
    folder = Path(__file__).parents[2] / "static" / "fonts" / "noto-sans-jp"
    css = (folder / "index.css").read_text(encoding="utf-8")
    files = re.findall(r"src:url\(([^)]*)\)", css)
    assert set(files) == {path.name for path in folder.glob("*.woff2")} and (folder / "OFL.txt").is_file()
    assert sum(path.stat().st_size for path in folder.iterdir()) < 6_000_000
    for family in (design.SANS, design.READING, design.MONO, CONFIG["theme"]["font"], CONFIG["theme"]["codeFont"]):
        assert "Noto Sans JP" in family
