"""What one visitor may ask for at once."""

from __future__ import annotations

from pages.parts.kit.texts import t
from pages.parts.state.engine import Inputs

MOST, LONGEST, IN_ALL = 50, 3_000, 6_000  # references; characters of a caption, and of all together: some seconds of work


def find_excess(captions: Inputs) -> list[tuple[str, str]]:
    """What of these captions is more than one visitor may ask for: what was found and what is taken."""
    texts = (captions.candidate, *captions.references)
    found = [
        ("references", len(captions.references), MOST),
        ("caption", max(map(len, texts)), LONGEST),
        ("in_all", sum(map(len, texts)), IN_ALL),
    ]
    return [
        (t(f"excess.{name}", number=f"{number:,}"), t(f"excess.{name}_most", most=f"{most:,}"))
        for name, number, most in found
        if number > most
    ]
