"""Every module has a test file of its name, or the file below tests it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = [path for room in ("spice_core", "pages") for path in sorted((ROOT / room).rglob("*.py")) if not path.stem.startswith("__")]

# Test files of other names, each with modules or rooms; a room stands for its modules without a file of their name.
TESTED_BY = {
    "app/test_address.py": "pages.parts.kit",
    "app/test_agreement.py": "pages.parts.agreement",
    "app/test_batch.py": "pages.parts.batch pages.parts.session.datasets pages.parts.session.runs pages.parts.views.scored_rows",
    "app/test_fuzz_links.py": "pages.parts.session.links",
    "app/test_inspect.py": "pages.parts.inspect pages.parts.session pages.parts.views",
    "app/test_learn.py": "pages.parts.learn",
    "app/test_rules.py": "pages.parts.rules pages.parts.views.trees",
    "app/test_systems.py": "pages.parts.systems pages.parts.views.metric_table",
    "app/test_tasks.py": "pages.parts.session.work pages.parts.session.worker",
    "app/test_words.py": "pages.parts.kit.texts",
    "cli/test_main.py": "spice_core.cli spice_core.files spice_core.version",
    "data/test_factual.py": "spice_core.lang.en.factual_style",
    "data/test_graph_formats.py": "spice_core.data.graph_parts spice_core.data.dot spice_core.data.graphml spice_core.data.visual_genome",
    "data/test_gold.py": "spice_core.evaluation.gold",
    "data/test_sources.py": "spice_core.data",
    "draw/test_statistics.py": "spice_core.report.dataset_page",
    "draw/test_svg.py": "spice_core.draw",
    "evaluation/test_agreement.py": "spice_core.report.agreement",
    "evaluation/test_systems.py": "spice_core.report.comparison",
    "lang/en/test_enhancement.py": "spice_core.lang.en",
    "lang/en/test_phenomena.py": "spice_core.evaluation.minimal_pairs",
    "lang/en/test_parser.py": "spice_core.lang.en.clearnlp",
    "lang/en/test_phrases.py": "spice_core.lang.en.quantities",
    "lang/ja/test_enhancement.py": "spice_core.lang.ja",
    "lang/ja/test_jaspice.py": "spice_core.lang.ja.parser",
    "lang/test_languages.py": "spice_core.lang.ja.argument_structure",
    "metrics/soft/test_soft.py": "spice_core.metrics.soft spice_core.lang.ja.vectors",
    "metrics/test_spice.py": "spice_core.metrics",
    "metrics/text/test_pycocoevalcap.py": "spice_core.metrics.text",
    "report/test_export.py": "spice_core.report.tables",
    "report/test_notebook.py": "spice_core.hooks spice_core.report.methods",
    "report/test_result_page.py": "spice_core.draw.texts spice_core.report.fragments",
    "rules/test_pattern.py": "spice_core.rules.conditions spice_core.rules.observations",
    "scene/test_graph.py": "spice_core.scene.propositions",
    "scene/test_matching.py": "spice_core.scene.scheme",
    "scene/test_scores.py": "spice_core.evaluation.averages",
    "syntax/test_conllu.py": "spice_core.syntax.document spice_core.syntax.dependency_graph",
    "workbench/test_trace.py": "spice_core.workbench spice_core.syntax.enhancement",
}


def namesakes(module: Path) -> list[Path]:
    """Where a module's test file may stand; those of the pages have the page's name, without its number, or the part's."""
    path = module.relative_to(ROOT)
    if path.parts[0] == "pages":
        name = re.sub(r"^\d+_", "", path.stem).lower()
        return [ROOT / "tests/app" / f"test_{name}.py"]
    return [ROOT / "tests" / Path(*path.parts[1:-1]) / f"test_{path.stem}.py"]


def test_every_module_has_a_test_file():
    rooms = {name for names in TESTED_BY.values() for name in names.split()}
    needed = set()
    for module in MODULES:
        if any(path.is_file() for path in namesakes(module)):
            continue
        name = ".".join(module.relative_to(ROOT).with_suffix("").parts)
        covers = {room for room in rooms if f"{name}.".startswith(f"{room}.")}
        assert covers, f"{name} has no test file of its name: write one, or name it in TESTED_BY"
        needed.add(max(covers, key=len))
    assert rooms - needed == set(), "these lines of TESTED_BY are needless"
    assert [file for file in TESTED_BY if not (ROOT / "tests" / file).is_file()] == []
