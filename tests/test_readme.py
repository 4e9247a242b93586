"""The README's examples run, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.analyser
@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.S))
def test_examples_run(code, capsys):
    exec(compile(code, "README.md", "exec"), {})
    assert "SPICE 0." in capsys.readouterr().out


def test_links_lead_to_files():
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert links and [link for link in links if not (ROOT / link).exists()] == []


def test_every_test_that_is_named_exists():
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+_\w+)`", README))
    assert named and [name for name in named if f"def {name}(" not in code] == []


def test_the_two_commands_come_first():
    first = README.index("```")
    assert README[first:].startswith("```\nmake app") and "make test" in README[first : first + 200]
