"""Test generated files: third-party notices, and the digests of steps, which depend on code but not on comments or layout."""

import ast
import re
import tomllib

import pytest

from spice_core import Signature, Spice
from spice_core.lang import language
from tools import notices, step_digests
from tools.build_package import app_files
from tools.step_digests import code_of, format_digests

ROOT = notices.ROOT
NOTICES_TEXT = notices.NOTICES_FILE.read_text(encoding="utf-8")
NOTICE_PARTS = tomllib.loads(notices.PARTS_FILE.read_text(encoding="utf-8"))["part"]
PROJECT_SUFFIXES = "py toml css js html svg md typed".split()  # file suffixes of this project's own code
PROJECT_DATA_FILES = {"spice_core/lang/ja/paraphrases.txt", "spice_core/lang/ja/thesaurus.txt"}  # written by hand


def test_the_notices_file_is_current():
    assert NOTICES_TEXT.startswith("\n".join([notices._HEADER, *notices._bundled_part_lines(NOTICE_PARTS)])), (
        "python -m tools.notices writes it anew"
    )
    assert NOTICES_TEXT.endswith("\n".join(notices._licence_text_lines(NOTICE_PARTS))), "python -m tools.notices writes it anew"
    for words in ("Princeton University", "Apache License", "SIL OPEN FONT LICENSE", "Attribution-ShareAlike 4.0 International"):
        assert words.upper() in NOTICES_TEXT.upper()


def test_each_pinned_package_is_listed_with_its_licence():
    lines = dict(re.findall(r"^([\w.-]+) (\S+): ", NOTICES_TEXT.partition("\n2. Packages")[2].partition("\n3. Texts")[0], re.M))
    assert lines == notices.pinned_versions(), "python -m tools.notices writes it anew"
    versions = {name: version for name, version in notices.pinned_versions().items() if notices.installed_version(name) == version}
    assert versions, "no package of requirements.txt is installed in its version"
    unlisted_names = [
        name for name, version in versions.items() if f"\n{name} {version}: {notices.licence_name(name)}\n" not in NOTICES_TEXT
    ]
    assert unlisted_names == [], "python -m tools.notices writes it anew"


def test_all_third_party_data_is_listed():
    named_files = {path.relative_to(ROOT) for part in NOTICE_PARTS for pattern in part["files"] for path in ROOT.glob(pattern)}
    library = (path.relative_to(ROOT) for path in (ROOT / "spice_core").rglob("*") if path.is_file())
    data = {
        path for path in [*library, *app_files(ROOT)] if path.suffix.lstrip(".") not in PROJECT_SUFFIXES and "__pycache__" not in path.parts
    }
    digests = {f"spice_core/lang/{lang}/step_digests.json" for lang in step_digests.LANGUAGES}
    unlisted_files = (
        {path.as_posix() for path in data - named_files if path.name not in ("LICENSE", "OFL.txt")} - PROJECT_DATA_FILES - digests
    )
    assert {path for path in unlisted_files if not path.startswith("spice_core/messages")} == set()
    for part in NOTICE_PARTS:
        for pattern in part["files"]:
            assert any(ROOT.glob(pattern)), f"nothing is {pattern}"
        assert "text" not in part or (ROOT / part["text"]).is_file()


def test_a_licence_has_a_short_name_and_other_versions_are_reported(monkeypatch):
    for name in filter(notices.installed_version, ("PyYAML", "numpy", "altair", "ptyprocess")):
        licence = notices.licence_name(name)
        assert licence and licence.upper() != "UNKNOWN" and "\n" not in licence and len(licence) < 80
    monkeypatch.setattr(notices, "pinned_versions", lambda: {"no-such-package": "1.0"})
    with pytest.raises(RuntimeError, match="other versions of no-such-package, or none, expected the versions in requirements.txt"):
        notices.render_notices()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_stored_digests_of_steps_are_current(lang):
    pack = language(lang)
    assert pack.step_digests.read_text(encoding="utf-8") == format_digests(pack), "run python -m tools.step_digests"


def test_a_digest_covers_code_but_no_docstring_comment_layout_or_reason():
    code = 'def one(graph):\n    """Return one."""\n    return 1  # one\n'
    for other_code, is_equal in [
        ('def one(graph):\n    """Say one."""\n\n    return (1)\n', True),
        ("def one(graph):\n    return 2\n", False),
    ]:
        assert (code_of(ast.parse(other_code)) == code_of(ast.parse(code))) is is_equal
    step, reworded_step, other_step = (
        code_of(ast.parse(f"Step({text})")) for text in ('"names", "A name.", f', '"names", "Names.", f', '"names", "A name.", g')
    )
    assert step == reworded_step != other_step


def test_the_signature_names_the_steps_unless_there_are_none_or_they_are_the_originals():
    for settings, named_steps in [({}, True), ({"rules": "stanford-2015"}, True), ({"parser": "spice-2016"}, False)]:
        signature = Spice("en", **settings).signature
        assert bool(signature.steps) is named_steps and Signature.parse(str(signature)) == signature
    english = language("en")
    few_steps, many_steps = (english.digest_of_steps(steps) for steps in (["negation"], ["negation", "names"]))
    assert few_steps != many_steps and english.digest_of_steps([]) == "" and len(few_steps) == 8
