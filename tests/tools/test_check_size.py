"""Test the size gate."""

from tools.check_size import sizes


def test_lines_and_files_are_counted_per_folder(tmp_path):
    files = {"app.py": "a\n", "pages/a.py": "a\nb\n", "pages/parts/b.py": "a\nb\n\nc", "tools/c.py": "", "tools/notes.md": "a\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert sizes(tmp_path, ["pages", "tools"]) == {"pages": 7, "tools": 0, "files": 4}
