"""Draw the pictures of the example gallery: ``python -m tools.pictures``."""

from __future__ import annotations

from pages.parts.inspect.gallery import PICTURES_FOLDER
from pages.parts.state import examples
from spice_core import Spice
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import result_svg
from spice_core.lang import detect_language


def render_picture(example_id: str) -> str:
    """Return the union graph of an example as SVG in the colours of the surrounding page."""
    example = examples.examples_by_id()[example_id]
    spice = Spice(detect_language([example["candidate"]]))
    return (
        result_svg(spice.compute(example["candidate"], example["references"]), DisplayStyle("auto"), view="union", name=example_id) + "\n"
    )


if __name__ == "__main__":
    for name in examples.examples_by_id():
        print((PICTURES_FOLDER / f"{name}.svg").write_text(render_picture(name), encoding="utf-8"), name)
