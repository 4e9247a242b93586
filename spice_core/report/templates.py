"""Jinja templates of reports, notebooks and pages. Values are HTML-escaped."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from spice_core.scene.scores import format_count

if TYPE_CHECKING:
    from jinja2 import Environment


def render_template(name: str, **values: object) -> str:
    """Return the template ``name``.html filled with ``values``."""
    return _jinja_environment().get_template(f"{name}.html").render(values)


def template_macro(name: str) -> Callable[..., str]:
    """Return a macro of parts.html as a function. Other templates do not escape its result again."""
    function: Callable[..., str] = getattr(_jinja_environment().get_template("parts.html").module, name)
    return function


@cache
def style_sheet(name: str) -> str:
    """Return the text of the style sheet ``name``.css."""
    return (Path(__file__).with_name("templates") / f"{name}.css").read_text(encoding="utf-8")


@cache
def _jinja_environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # imported here because scoring needs no templates

    environment = Environment(
        loader=PackageLoader("spice_core.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"count_text": format_count, "say": lambda key, style: style.format_text(key)}
    return environment
