"""Download buttons start no script run, which would remove the file before the browser has fetched it."""

import re
from pathlib import Path

PAGES = Path(__file__).parents[2] / "pages"


def test_saving_starts_no_run():
    texts = {path.name: path.read_text(encoding="utf-8") for path in PAGES.rglob("*.py")}
    assert sum(text.count("download_button(") for text in texts.values()) > 10
    # ``choice.download_button`` sets the option itself.
    saving_counts = {
        name: (len(re.findall(r"(?<!choice)\.download_button\(", text)), text.count('"ignore"')) for name, text in texts.items()
    }
    assert [name for name, (buttons, ignoring_count) in saving_counts.items() if buttons > ignoring_count] == []
