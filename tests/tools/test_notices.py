"""The third-party notices: written by the tool, complete for the data of the package, true for the pinned packages."""

import re
import tomllib

import pytest

from tools import notices, step_digests
from tools.build_package import app_files

ROOT = notices.ROOT
NOTICES_TEXT = notices.NOTICES_FILE.read_text(encoding="utf-8")
NOTICE_PARTS = tomllib.loads(notices.PARTS_FILE.read_text(encoding="utf-8"))["part"]
OWN_SUFFIXES = "py toml css js html svg md typed".split()  # endings of what was written here
OWN_DATA_FILES = {"spice_core/lang/ja/paraphrases.txt", "spice_core/lang/ja/thesaurus.txt"}  # by hand, as they say


def test_the_file_is_the_tools():
    assert NOTICES_TEXT.startswith("\n".join([notices._HEADER, *notices._bundled_parts(NOTICE_PARTS)])), (
        "python -m tools.notices writes it anew"
    )
    assert NOTICES_TEXT.endswith("\n".join(notices._licence_texts(NOTICE_PARTS))), "python -m tools.notices writes it anew"
    for words in ("Princeton University", "Apache License", "SIL OPEN FONT LICENSE", "Attribution-ShareAlike 4.0 International"):
        assert words.upper() in NOTICES_TEXT.upper()


def test_each_pinned_package_has_its_line_with_the_licence_that_it_says():
    lines = dict(re.findall(r"^([\w.-]+) (\S+): ", NOTICES_TEXT.partition("\n2. Packages")[2].partition("\n3. Texts")[0], re.M))
    assert lines == notices.pinned_versions(), "python -m tools.notices writes it anew"
    there = {name: number for name, number in notices.pinned_versions().items() if notices.installed_version(name) == number}
    assert there, "no package of requirements.txt is installed in its version"
    wrong = [name for name, number in there.items() if f"\n{name} {number}: {notices.licence_name(name)}\n" not in NOTICES_TEXT]
    assert wrong == [], "python -m tools.notices writes it anew"


def test_all_data_of_others_is_named():
    named = {path.relative_to(ROOT) for part in NOTICE_PARTS for pattern in part["files"] for path in ROOT.glob(pattern)}
    library = (path.relative_to(ROOT) for path in (ROOT / "spice_core").rglob("*") if path.is_file())
    data = {
        path for path in [*library, *app_files(ROOT)] if path.suffix.lstrip(".") not in OWN_SUFFIXES and "__pycache__" not in path.parts
    }
    digests = {f"spice_core/lang/{lang}/step_digests.json" for lang in step_digests.LANGUAGES}
    left = {path.as_posix() for path in data - named if path.name not in ("LICENSE", "OFL.txt")} - OWN_DATA_FILES - digests
    assert {path for path in left if not path.startswith("spice_core/messages")} == set()
    for part in NOTICE_PARTS:
        for pattern in part["files"]:
            assert any(ROOT.glob(pattern)), f"nothing is {pattern}"
        assert "text" not in part or (ROOT / part["text"]).is_file()


def test_a_licence_is_a_short_name_and_another_version_is_told(monkeypatch):
    for name in filter(notices.installed_version, ("PyYAML", "numpy", "altair", "ptyprocess")):
        found = notices.licence_name(name)
        assert found and found.upper() != "UNKNOWN" and "\n" not in found and len(found) < 80
    monkeypatch.setattr(notices, "pinned_versions", lambda: {"no-such-package": "1.0"})
    with pytest.raises(RuntimeError, match="none of no-such-package, expected those of requirements.txt"):
        notices.render_notices()
