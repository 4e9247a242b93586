"""The pictures of the gallery show what the metric reads today."""

from __future__ import annotations

import pytest

from pages.parts.inspect.gallery import PICTURES, picture
from pages.parts.state import examples
from tools.pictures import drawn


@pytest.mark.parser
def test_a_picture_is_what_would_be_drawn():
    changed = [name for name in examples.examples() if (PICTURES / f"{name}.svg").read_text(encoding="utf-8") != drawn(name)]
    assert changed == [], "draw anew: python -m tools.pictures"


def test_a_picture_has_the_colours_of_the_theme():
    light, dark = (picture("umbrella", theme) for theme in ("light", "dark"))
    assert light != dark and light.startswith("data:image/svg+xml;base64,")
