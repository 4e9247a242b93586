"""Download buttons start no script run, which would remove the file before the browser has fetched it."""

from pathlib import Path

PAGES = Path(__file__).parents[2] / "pages"


def test_saving_starts_no_run():
    texts = {path.name: path.read_text(encoding="utf-8") for path in PAGES.rglob("*.py")}
    saving_counts = {name: (text.count(".download_button("), text.count('"ignore"')) for name, text in texts.items()}
    assert sum(buttons for buttons, _ in saving_counts.values()) > 10
    assert [name for name, (buttons, ignoring_count) in saving_counts.items() if buttons > ignoring_count] == []
