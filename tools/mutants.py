"""Draw random mutants of the code and count how many the tests kill: python -m tools.mutants draw|reach|kill FOLDER.

``draw`` copies the working tree to FOLDER and writes each mutant into the copy with a switch, so that one tree contains them all.
``reach`` runs the suite of ``make test`` there with all mutants off, and records which tests evaluate each mutated expression, in their
process or in a child process. ``kill`` turns on one mutant at a time and runs the tests that reach it, the most specific first, up to
BUDGET_S seconds of tests. ``kill`` takes about an hour on two cores.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUDGET_S = 30  # seconds of tests for each mutant, by their durations in ``reach``
BROWSER_BUDGET_S = 30  # the same for browser tests, which run last
CPU_LIMIT_S, TIMEOUT_S = 400, 600  # processor and wall seconds after which a mutant counts as killed by a timeout
OPERATOR_SWAPS = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.In: "not in", ast.NotIn: "in",
    ast.Is: "is not", ast.IsNot: "is", ast.And: "or", ast.Or: "and", ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*",
    ast.FloorDiv: "*", ast.Mod: "*", ast.BitAnd: "|", ast.BitOr: "&",
}  # fmt: skip
SWITCH_MODULE = '''"""Tell which mutant is on, and record the tests that reach it."""
import json, os, time
FOLDER, ON = os.environ.get("MUTANTS", ""), int(os.environ.get("MUTANT", "-1"))
_noted, _read = set(), {}
def on(number):
    if FOLDER:
        test = os.environ.get("PYTEST_CURRENT_TEST")
        if not test and time.monotonic() - _read.get(number, 0) > .05:  # a process that a test started
            _read[number] = time.monotonic()
            with open(os.environ["MUTANTS_TEST"]) as file: test = file.read()
        if test and (test, number) not in _noted:
            _noted.add((test, number))
            with open(f"{FOLDER}/{os.getpid()}.hits", "a") as file: file.write(json.dumps([test.rpartition(" (")[0] or test, number]) + "\\n")
    return number == ON
'''
PYTEST_PLUGIN = """import json, os
if os.environ.get("MUTANTS"):
    os.environ["MUTANTS_TEST"] = f"{os.environ['MUTANTS']}/{os.getpid()}.test"
    open(os.environ["MUTANTS_TEST"], "w").close()
def pytest_runtest_logstart(nodeid):
    if os.environ.get("MUTANTS"):
        with open(os.environ["MUTANTS_TEST"], "w") as file: file.write(nodeid)
def pytest_runtest_logreport(report):
    if hasattr(report, "node"): return  # the process that hands out tests hears of them too
    with open(os.environ["OUTCOMES"], "a") as file: file.write(json.dumps([report.nodeid, report.when, report.outcome, report.duration]) + "\\n")
"""


def mutation_sites(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """Yield the expressions inside functions that can be mutated, with their replacements."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for statement in {id(s): s for function in functions for s in function.body}.values():
        skipped_nodes: set[int] = set()
        for node in ast.walk(statement):
            if isinstance(node, ast.JoinedStr | ast.pattern | ast.FunctionDef | ast.AnnAssign | ast.ClassDef):
                excluded_nodes = [node] if isinstance(node, ast.JoinedStr | ast.pattern) else _unmutated_parts(node)
                skipped_nodes |= {id(part) for root in excluded_nodes for part in ast.walk(root)}
            if (
                isinstance(node, ast.Return | ast.Expr)
                and node.value
                and not isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom)
            ):
                yield node.value, "None"
            if isinstance(node, ast.If | ast.IfExp):
                yield node.test, f"not ({ast.unparse(node.test)})"
            if isinstance(node, ast.expr) and id(node) not in skipped_nodes and (code := _mutate(node)):
                yield node, code


def _unmutated_parts(node: ast.FunctionDef | ast.AnnAssign | ast.ClassDef) -> list[ast.AST]:
    """Return the parts of a definition that run at most once: annotations, defaults, decorators, bases."""
    if isinstance(node, ast.AnnAssign):
        return [node.annotation]
    return [*node.decorator_list, *([node.args, *filter(None, [node.returns])] if isinstance(node, ast.FunctionDef) else node.bases)]


def _mutate(node: ast.AST) -> str:
    """Return an expression's code with another operator or constant, or "" if it has neither."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in OPERATOR_SWAPS:
            return f"({ast.unparse(node.left)}) {OPERATOR_SWAPS[type(operator)]} ({ast.unparse(node.comparators[0])})"
        case ast.BoolOp():
            return f" {OPERATOR_SWAPS[type(node.op)]} ".join(f"({ast.unparse(value)})" for value in node.values)
        case ast.BinOp() if type(node.op) in OPERATOR_SWAPS:
            return f"({ast.unparse(node.left)}) {OPERATOR_SWAPS[type(node.op)]} ({ast.unparse(node.right)})"
        case ast.UnaryOp(op=ast.Not()):
            return ast.unparse(node.operand)
        case ast.Constant(value=bool()):
            return repr(not node.value)
        case ast.Constant(value=int() | float() as number):
            return repr(number + 1)
    return ""


def draw_mutants(folder: Path, seed: int, counts: dict[str, int]) -> None:
    """Copy the working tree, and insert random non-overlapping mutants."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in filter(lambda name: (ROOT / name).is_file(), names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    (folder / "mutant_switch.py").write_text(SWITCH_MODULE)
    (folder / "mutant_plugin.py").write_text(PYTEST_PLUGIN)
    mutants: list[dict] = []
    for folder_name, count in counts.items():
        pool = [
            (str(p.relative_to(ROOT)), node, code)
            for p in sorted((ROOT / folder_name).rglob("*.py"))
            for node, code in mutation_sites(ast.parse(p.read_text()))
        ]
        random.Random(seed).shuffle(pool)
        mutants_by_file: dict[str, list[tuple]] = defaultdict(list)
        while len([m for m in mutants if m["file"].startswith(folder_name)]) < count:
            file, node, code = pool.pop()
            span = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
            if all(span[1] <= start or end <= span[0] for start, end in mutants_by_file[file]):
                mutants_by_file[file].append(span)
                mutants.append({"file": file, "span": span, "was": ast.unparse(node), "is": code})
    for file in {mutant["file"] for mutant in mutants}:
        _write(folder / file, [(mutant_id, mutant) for mutant_id, mutant in enumerate(mutants) if mutant["file"] == file])
    (folder / "mutants.json").write_text(json.dumps(mutants, indent=1))


def _write(path: Path, mutants: list[tuple[int, dict]]) -> None:
    """Write mutants with switches into a file, last first, so that earlier positions remain valid."""
    lines = path.read_bytes().splitlines(keepends=True)
    starts = [sum(map(len, lines[:n])) for n in range(len(lines))]
    text = b"".join(lines)
    for mutant_id, mutant in sorted(mutants, key=lambda pair: pair[1]["span"], reverse=True):
        start, end = (starts[line - 1] + column for line, column in mutant["span"])
        text = text[:start] + f"(({mutant['is']}) if _mutant_on({mutant_id}) else (".encode() + text[start:end] + b"))" + text[end:]
    body = ast.parse(path.read_text()).body
    future_imports = [node for node in body[:2] if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    import_line = (future_imports[-1].end_lineno if future_imports else body[0].end_lineno if isinstance(body[0], ast.Expr) else 0) or 0
    insert_position = starts[import_line] if import_line < len(starts) else len(b"".join(lines))
    path.write_bytes(text[:insert_position] + b"from mutant_switch import on as _mutant_on\n" + text[insert_position:])


def test_environment(folder: Path, outcomes_file: Path, **more_variables: str) -> dict[str, str]:
    """Return the environment of a run in the copy that records each test's outcome in a file."""
    return os.environ | {"PYTHONPATH": str(folder), "OUTCOMES": str(outcomes_file), "PYTHONDONTWRITEBYTECODE": "", **more_variables}


def outcomes_of(file: Path) -> tuple[dict[str, float], set[str]]:
    """Return the seconds of each test, and the failed tests."""
    seconds: Counter[str] = Counter()
    failed_tests = set()
    for line in file.read_text().splitlines() if file.exists() else ():
        test, _, outcome, duration = json.loads(line)
        seconds[test] += duration
        failed_tests |= {test} if outcome == "failed" else set()
    return dict(seconds), failed_tests


def record_reaching_tests(folder: Path) -> None:
    """Run the suite with all mutants off and record which tests reach which mutants."""
    hits = folder / "hits"
    shutil.rmtree(hits, ignore_errors=True)
    hits.mkdir()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "mutant_plugin", "-m", "not release", "-n", "auto", "--dist", "loadfile"]
    subprocess.run(command, cwd=folder, env=test_environment(folder, folder / "reach.outcomes", MUTANTS=str(hits)))
    seconds, failed_tests = outcomes_of(folder / "reach.outcomes")
    reaching: dict[int, set[str]] = defaultdict(set)
    for file in hits.glob("*.hits"):
        for test, mutant_id in map(json.loads, file.read_text().splitlines()):
            reaching[mutant_id] |= {test} & (set(seconds) - failed_tests)
    (folder / "reach.json").write_text(
        json.dumps({"seconds": seconds, "tests": {mutant_id: sorted(tests) for mutant_id, tests in reaching.items()}})
    )
    print(len(seconds), "tests,", len(failed_tests), "failed with all mutants off:", *sorted(failed_tests), sep="\n")


def kill_mutants(folder: Path, jobs: int, limit: int | None) -> None:
    """Activate one mutant at a time in each process, and record which tests kill it. Resumes an interrupted run."""
    mutants = json.loads((folder / "mutants.json").read_text())
    reached_mutants = json.loads((folder / "reach.json").read_text())
    results = folder / "results"
    results.mkdir(exist_ok=True)
    order = sorted(range(len(mutants)), key=lambda mutant_id: _position_in_package(mutants, mutant_id))
    pids = []
    for job in range(jobs):
        if pid := os.fork():
            pids.append(pid)
            continue
        for mutant_id in order[job:limit:jobs]:
            if not (results / f"{mutant_id}.json").exists():
                (results / f"{mutant_id}.json").write_text(json.dumps(_try_mutant(folder, mutant_id, reached_mutants)))
        os._exit(0)
    for pid in pids:
        os.waitpid(pid, 0)
    outcomes = {mutant_id: json.loads((results / f"{mutant_id}.json").read_text()) for mutant_id in order[:limit]}
    for folder_name in sorted({mutant["file"].split("/")[0] for mutant in mutants}):
        states = Counter(state["state"] for mutant_id, state in outcomes.items() if mutants[mutant_id]["file"].startswith(folder_name))
        print(folder_name, sum(states.values()), dict(states))
    for mutant_id, mutant in enumerate(mutants):
        if mutant_id in outcomes and outcomes[mutant_id]["state"] != "killed":
            print(
                mutant_id,
                outcomes[mutant_id]["state"],
                f"{mutant['file']}:{mutant['span'][0][0]}",
                f"{mutant['was']!r} -> {mutant['is']!r}",
            )


def _position_in_package(mutants: list[dict], mutant_id: int) -> float:
    """Return the relative position of a mutant within its top-level folder."""
    folder_mutants = [
        other_id for other_id, mutant in enumerate(mutants) if mutant["file"].split("/")[0] == mutants[mutant_id]["file"].split("/")[0]
    ]
    return folder_mutants.index(mutant_id) / len(folder_mutants)


def _try_mutant(folder: Path, mutant_id: int, reached_mutants: dict) -> dict:
    """Run the tests that reach a mutant. Return whether one kills it, and which."""
    tests, seconds = reached_mutants["tests"].get(str(mutant_id), []), reached_mutants["seconds"]
    if not tests:
        return {"state": "not reached"}
    reach_counts = Counter(test for test_names in reached_mutants["tests"].values() for test in test_names)
    start_time = time.monotonic()
    for browser, budget in ((False, BUDGET_S), (True, BROWSER_BUDGET_S)):
        chosen_tests: list[str] = []
        for test in sorted((t for t in tests if t.startswith("tests/browser/") == browser), key=lambda t: (reach_counts[t], seconds[t])):
            if not chosen_tests or sum(seconds[t] for t in chosen_tests) + seconds[test] <= budget:
                chosen_tests.append(test)
        while chosen_tests and (failed_test := _failed_tests(folder, mutant_id, chosen_tests)):
            if failed_test == {"no end"} or not (failed_test & _failed_tests(folder, -1, sorted(failed_test))):
                return {"state": "killed", "by": sorted(failed_test), "s": time.monotonic() - start_time}
            chosen_tests = [test for test in chosen_tests if test not in failed_test]
    return {"state": "survived", "tests": len(tests), "s": time.monotonic() - start_time}


def _failed_tests(folder: Path, mutant_id: int, tests: list[str]) -> set[str]:
    """Run the tests with the mutant active. Return the first failing test in a set, or ``no end`` if pytest is killed or stops."""
    outcomes = folder / f"{mutant_id if mutant_id >= 0 else os.getpid()}.outcomes"
    outcomes.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "mutant_plugin", "-p", "no:cacheprovider", *tests]
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT_S, CPU_LIMIT_S))
    with (folder / f"{os.getpid()}.log").open("wb") as log:
        env = test_environment(folder, outcomes, MUTANT=str(mutant_id))
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log, preexec_fn=limit, start_new_session=True)
        try:
            code = process.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
        with suppress(ProcessLookupError):  # a test that hangs or fails may leave a running app
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    failed_test = outcomes_of(outcomes)[1]
    return failed_test or ({"no end"} if code < 0 or code in (2, 3, 4) else set())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("step", choices=("draw", "reach", "kill"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=51)
    parser.add_argument("--core", type=int, default=120, help="mutants of spice_core")
    parser.add_argument("--pages", type=int, default=40, help="mutants of pages")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, help="number of mutants, in equal shares of each folder")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if options.step == "draw":
        draw_mutants(folder, options.seed, {"spice_core": options.core, "pages": options.pages})
    elif options.step == "reach":
        record_reaching_tests(folder)
    else:
        kill_mutants(folder, options.jobs, options.limit)


if __name__ == "__main__":
    main()
