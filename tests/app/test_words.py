"""The catalogue: every text that the code asks for exists, and nothing is left over."""

from __future__ import annotations

import re
from pathlib import Path

from pages.parts.words import catalogue

ROOT = Path(__file__).parents[2]


def test_all_texts_are_there_and_used():
    code = "\n".join(path.read_text(encoding="utf-8") for path in [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")])
    asked = set(re.findall(r"""["']([a-z]+\.[A-Za-z0-9_]+)["'][,)}\]]""", code)) | set(
        re.findall(r"t\(f?[\"']([a-z]+\.[A-Za-z0-9_]+)[\"']", code)
    )
    known = {f"{section}.{name}" for section, texts in catalogue("en").items() for name in texts}
    built = {section for section in re.findall(r'f"([a-z]+)\.\{', code)}
    assert {key for key in asked if key.partition(".")[0] in catalogue("en")} <= known
    assert {key for key in known - asked if key.partition(".")[0] not in built} == set()
