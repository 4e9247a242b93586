"""Languages, metrics and parsers that packages add by entry point work, and broken ones are reported in one line."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.errors import MissingResourceError
from spice_core.lang import LANGUAGES, detect_language, language, language_packs
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.registry import METRICS, SPICE, available_metrics, working_metrics
from spice_core.plugins import added_paths
from tests.conftest import install_entry_points
from tests.contracts.esperanto import PACK
from tests.contracts.esperanto.parser import Endings

ADDED_PARTS = {
    "spice_core.languages": {
        "eo": "addition:ESPERANTO",
        "xx": "addition:ESPERANTO",
        "yy": "absent_package:PACK",
        "en": "absent_package:PACK",
    },
    "spice_core.metrics": {"double": "addition:DOUBLE", "lost": "addition:LOST", "wrong": "addition:Endings"},
    "spice_core.parsers": {
        "eo.other": "addition:Endings",
        "eo.bad": "addition:fail",
        "en.endings": "addition:Endings",
        "en.lost": "addition:LOST",
    },
}
BROKEN_LANGUAGES = {
    "xx": "addition:ESPERANTO: cannot load this part of an installed package (ValueError: found the code 'eo', expected 'xx')",
    "yy": "absent_package:PACK: cannot load this part of an installed package (ModuleNotFoundError: No module named 'absent_package')",
}


def fail() -> None:
    raise RuntimeError("two\nlines")


@pytest.fixture(autouse=True)
def add_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    install_entry_points(tmp_path / "site", ADDED_PARTS)
    monkeypatch.syspath_prepend(tmp_path / "site")
    double = replace(SPICE, name="double", segment=lambda batch: [2 * result.f1 for result in batch.results], max_score=2)
    monkeypatch.setitem(sys.modules, "addition", SimpleNamespace(ESPERANTO=PACK, DOUBLE=double, Endings=Endings, fail=fail))
    added_paths.cache_clear()
    yield
    added_paths.cache_clear()


def test_an_added_language_scores_and_broken_languages_leave_the_others_alone(caplog: pytest.LogCaptureFixture):
    assert list(LANGUAGES) == ["en", "ja", "eo", "xx", "yy"] and [pack.code for pack in language_packs()] == ["en", "ja", "eo"]
    assert language("en").name == "English" and detect_language(["犬"]) == "ja"
    assert Spice("eo").compute("Bruna hundo.", ["Bruna hundo."]).f1 == 1
    for code, line in BROKEN_LANGUAGES.items():
        with pytest.raises(MissingResourceError) as error:
            language(code)
        assert str(error.value).startswith(line) and "\n" not in str(error.value)


def test_added_parsers_are_named_with_their_language():
    assert list(language("eo").all_parsers) == ["endings", "other", "bad"] and "endings" in language("en").all_parsers
    assert Spice("eo", parser="other").compute("Bruna hundo.", ["Bruna hundo."]).f1 == 1
    for lang, name, line in [
        ("eo", "bad", "addition:fail: cannot load this part of an installed package (RuntimeError: two lines)"),
        ("en", "lost", "addition:LOST: cannot load this part of an installed package (AttributeError: "),
    ]:
        with pytest.raises(MissingResourceError) as error:
            Spice(lang, parser=name).compute("Hundo.", ["Hundo."])
        assert str(error.value).startswith(line)


def test_an_added_metric_is_measured_and_broken_metrics_leave_the_others_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert segment_scores([("a dog", ["a dog"])], ["double"]) == {"double": [2]}
    names = [name for name in METRICS if name not in ("lost", "wrong")]
    assert [metric.name for metric in working_metrics()] == available_metrics(language("en")) == names and "double" in names
    rows = tmp_path / "rows.json"
    rows.write_text(json.dumps([{"image_id": 1, "test": "a dog", "refs": ["a dog"]}]), encoding="utf-8")
    for name, reason in [("lost", "AttributeError"), ("wrong", "TypeError: found type, expected Metric")]:
        assert main(["metrics", str(rows), "--metrics", name]) == 2
        line = capsys.readouterr().err
        assert line.count("\n") == 1 and reason in line


def test_a_name_that_two_packages_use_is_reported(tmp_path: Path):
    groups = {
        "spice_core.languages": {"eo": "rival:X"},
        "spice_core.metrics": {"double": "rival:X"},
        "spice_core.parsers": {"eo.other": "rival:X"},
    }
    install_entry_points(tmp_path / "site", groups, "rival")
    added_paths.cache_clear()
    reason = "cannot load this part of an installed package (ValueError: found 2 packages that add a part with this name, expected one)"
    for load, path in [
        (lambda: language("eo"), "addition:ESPERANTO and rival:X"),
        (lambda: METRICS["double"], "addition:DOUBLE and rival:X"),
        (lambda: PACK.parser("other"), "addition:Endings and rival:X"),
    ]:
        with pytest.raises(MissingResourceError) as error:
            load()
        assert str(error.value).startswith(f"{path}: {reason}")


def test_no_package_is_imported_before_its_part_is_used(monkeypatch: pytest.MonkeyPatch):
    imported: list[str] = []
    monkeypatch.setattr("spice_core.plugins.import_module", lambda name: imported.append(name) or sys.modules[name])
    Spice().compute("a dog", ["a dog"])
    assert list(METRICS) and list(LANGUAGES) and segment_scores([("a dog", ["a dog"])], ["SPICE"]) == {"SPICE": [1]}
    assert "addition" not in imported
