"""The pictures of the gallery match the current graphs of the examples."""

import pytest

from pages.parts.inspect.gallery import PICTURES_FOLDER, picture_url
from pages.parts.state import examples
from tools.pictures import render_picture


@pytest.mark.parser
def test_stored_pictures_are_current():
    outdated_files = [
        name for name in examples.examples_by_id() if (PICTURES_FOLDER / f"{name}.svg").read_text(encoding="utf-8") != render_picture(name)
    ]
    assert outdated_files == [], "draw anew: python -m tools.pictures"


def test_a_picture_has_the_colours_of_the_theme():
    light, dark_url = (picture_url("umbrella", theme) for theme in ("light", "dark"))
    assert light != dark_url and light.startswith("data:image/svg+xml;base64,")
