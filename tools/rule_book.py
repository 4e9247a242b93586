"""Write the rule book: ``python -m tools.rule_book``."""

from __future__ import annotations

from pathlib import Path

from spice_core.workbench.rule_book import write_book

PLACE = Path(__file__).parents[1] / "spice_core" / "rules" / "RULES.md"


def main() -> None:
    """Write the book."""
    PLACE.write_text(write_book() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
