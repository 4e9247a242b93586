"""Write the rule book, and the signature in docs/metrics.md: ``python -m tools.rule_book``."""

from __future__ import annotations

import re
from pathlib import Path

from spice_core import Spice
from spice_core.workbench.rule_book import write_book

ROOT = Path(__file__).parents[1]
RULES_FILE = ROOT / "spice_core" / "rules" / "RULES.md"
METRICS_PAGE = ROOT / "docs" / "metrics.md"  # quotes the signature of the default settings


def main() -> None:
    """Write RULES.md, and the signature in docs/metrics.md."""
    RULES_FILE.write_text(write_book() + "\n", encoding="utf-8")
    text = re.sub(r"(?m)^spice\|lang:en\|.*$", str(Spice().signature), METRICS_PAGE.read_text(encoding="utf-8"))
    METRICS_PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
