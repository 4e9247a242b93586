"""Runs over files give the same rows with processes, with Dask, with the cache, and after a crash."""

import gzip
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from spice_core import Spice, SpiceConfig
from spice_core.cli import output
from spice_core.cli.main import main
from spice_core.data import Item, read_items
from spice_core.data.results import RowWriter
from spice_core.errors import SpiceError
from spice_core.evaluation.parse_cache import ParseCache
from spice_core.evaluation.run import RunOptions, ScoredBatch, score_items
from spice_core.rules.conditions import SearchBudget
from spice_core.rules.ruleset import RuleSet
from spice_core.scene.propositions import parse_from_tuples
from tests.conftest import DATA, rows


def write_items(path: Path, *items: dict) -> Path:
    path.write_text(json.dumps(items))
    return path


def write_dogs(folder: Path, item_count: int = 2) -> Path:
    """Write an input file of given propositions, which need no parser."""
    return write_items(folder / "in.json", *({"image_id": n, "test": [["dog"]], "refs": [[["dog"]]]} for n in range(1, item_count + 1)))


@pytest.fixture(scope="module")
def input_path(tmp_path_factory):
    """A file with 59 items of real captions, some of them repeated, and one item with given propositions."""
    captions = [row["caption"] for row in rows(DATA / "propositions.jsonl")][:90]
    texts = [captions[n % len(captions)] for n in range(120)]
    items = [{"image_id": n, "test": texts[n], "refs": [texts[n + 1], texts[2 * n]]} for n in range(59)]
    given_item = {"image_id": "x", "test": [["dog"]], "refs": [[["dog"], ["dog", "big"]]]}
    return write_items(tmp_path_factory.mktemp("run") / "in.json", *items, given_item)


def score(input_path: Path, name: str, *options: str) -> bytes:
    output_path = input_path.with_name(name)
    assert main(["score", str(input_path), "--out", str(output_path), "--subset", "--silent", *options]) == 0
    return output_path.read_bytes()


@pytest.fixture(scope="module")
def uncached_rows(input_path) -> bytes:
    return score(input_path, "plain.jsonl", "--detailed")


def test_processes_and_cache_give_the_same_rows_with_independent_lines(input_path, uncached_rows, tmp_path, capsys):
    cache = str(tmp_path / "cache")
    assert score(input_path, "b.jsonl", "--detailed", "--workers", "2", "--cache", cache) == uncached_rows
    assert score(input_path, "c.jsonl", "--detailed", "--cache", cache) == uncached_rows
    assert main(["score", str(input_path), "--cache", cache]) == 0
    assert "60 images, 0 captions parsed" in capsys.readouterr().out
    lines, array = [json.loads(line) for line in uncached_rows.splitlines()], json.loads(score(input_path, "a.json", "--detailed"))
    assert [{key: line[key] for key in row} for line, row in zip(lines, array)] == array
    item = read_items(input_path)[3]
    assert (lines[3]["test"], lines[3]["refs"]) == (item.candidate, list(item.references))
    assert lines[59]["test"] == [["dog"]] and lines[59]["signature"].startswith("spice|lang:en|scheme:distinct|")


def test_a_full_cache_needs_no_parser(tmp_path, capsys):
    """The second run works without spaCy, NumPy and other modules that only parsing needs."""
    path = write_items(tmp_path / "in.json", {"image_id": 1, "test": "a dog", "refs": ["a dog"]})
    command = ["score", str(path), "--silent", "--cache", str(tmp_path / "cache")]
    assert main(command) == 0
    unneeded_modules = ("spacy", "numpy", "onnxruntime", "networkx", "importlib.metadata")
    unneeded_modules += ("spice_core.metrics.registry", "spice_core.report.result_page")
    code = f"import sys; sys.modules.update(dict.fromkeys({unneeded_modules})); from spice_core.cli.main import main; sys.exit(main({command}))"
    completed_process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert completed_process.stdout == capsys.readouterr().out != "", completed_process.stderr


def test_a_run_is_resumed_where_it_ended(input_path, capsys):
    full_output, output_path = score(input_path, "whole.jsonl"), input_path.with_name("part.jsonl")
    assert main(["score", str(input_path), "--subset"]) == 0
    summary = capsys.readouterr().out.rpartition("\n60 images")[0]
    for kept_share in (0.0, 0.3, 0.7, 1.0):
        output_path.write_bytes(full_output[: int(len(full_output) * kept_share)])
        assert main(["score", str(input_path), "--out", str(output_path), "--subset", "--resume"]) == 0
        assert output_path.read_bytes() == full_output and capsys.readouterr().out.startswith(summary)


def first_row(**changes) -> Callable[[bytes], bytes]:
    """Return a function that changes fields in the first row of a result file."""

    def edit_content(content: bytes) -> bytes:
        first_line, second_line = content.splitlines()
        return json.dumps(json.loads(first_line) | changes).encode() + b"\n" + second_line + b"\n"

    return edit_content


NO_ROWS_MESSAGE = "expected a row written by spice-core score\n"


def test_rows_of_other_settings_or_versions_are_not_resumed(tmp_path, capsys, monkeypatch):
    # Each case is a change of the result file, additional options and the expected message.
    for change, options, message in [
        (first_row(image_id=3), (), "part.jsonl, line 1: found {'image_id': 3, 'test': [['dog']]"),
        (first_row(test="a cat"), (), "'test': 'a cat'"),
        (bytes, ("--no-synsets",), "part.jsonl, line 1: found {'image_id': 1, 'test': [['dog']], 'signature': 'spice|lang:en"),
        (bytes, ("--detailed",), "part.jsonl, line 1: found"),
        (bytes, ("--subset",), "part.jsonl, line 1: found"),
        (lambda content: b"no row\n" + content.splitlines()[1] + b"\n", (), "part.jsonl, line 1: found b'no row\\n'"),
        (first_row(scores=5), (), "part.jsonl, line 1, field scores: found 5, expected counts by category"),
        (first_row(scores={"All": {"tp": -1, "fp": 0, "fn": 0}}), (), "part.jsonl, line 1, field scores.All: found {'tp': -1"),
        (lambda content: gzip.compress(content) + b"\n{}\n", (), NO_ROWS_MESSAGE),
        (lambda content: gzip.compress(content)[:-9] + b"\n\n{}\n", (), NO_ROWS_MESSAGE),
        (lambda content: b"\xff\xfe\n" + content + b"\n{}\n", (), NO_ROWS_MESSAGE),
    ]:  # fmt: skip
        output_path = tmp_path / "part.jsonl"
        command = ["score", str(write_dogs(tmp_path)), "--out", str(output_path), "--silent"]
        assert main(command) == 0
        output_path.write_bytes(content_before := change(output_path.read_bytes()))
        assert main([*command, "--resume", *options]) == 2
        messages = capsys.readouterr().err
        assert message in messages and messages.count("\n") == 1 and output_path.read_bytes() == content_before
    command = ["score", str(write_dogs(tmp_path)), "--out", str(tmp_path / "part.jsonl"), "--silent"]
    with monkeypatch.context() as patch:
        patch.setattr("spice_core.metrics.config.__version__", "0.2.99")
        assert main(command) == main([*command, "--resume"]) == 0
    assert main([*command, "--resume"]) == 2
    assert "expected a row of this input and these settings" in capsys.readouterr().err


OTHER_INPUT = [
    {"refs": [[["dog"]], [["bus"]]]},
    # Only the order of the references differs, but the merged graph depends on it.
    {"refs": [[["cat"]], [["dog"]]]},
    {"refs": [[["dog"]]]},
    None,
]


@pytest.mark.parametrize("change", OTHER_INPUT)
def test_rows_of_other_references_are_not_resumed(tmp_path, capsys, change):
    base = {"image_id": 1, "test": [["dog"]], "refs": [[["dog"]], [["cat"]]]}
    path, output_path, found_text = write_items(tmp_path / "in.json", base), tmp_path / "part.jsonl", "other references or settings"
    command = ["score", str(path), "--synonyms", "none", "--out", str(output_path), "--silent"]
    assert main(command) == main([*command, "--resume"]) == 0
    if change:
        write_items(path, base | change)
    else:
        found_text = "none, as in files of older versions"
        output_path.write_text(
            "".join(json.dumps({k: v for k, v in json.loads(r).items() if k != "digest"}) + "\n" for r in output_path.open())
        )
    content_before = output_path.read_bytes()
    assert main([*command, "--resume"]) == 2
    assert f"part.jsonl, line 1, field digest: found '{found_text}', expected the digest of this input" in capsys.readouterr().err
    assert output_path.read_bytes() == content_before


SIGNAL_SCRIPT = """
import os, signal, sys, threading
from spice_core.cli.main import main
from spice_core.data.results import RowWriter

place, kill, number = sys.argv.pop(1), getattr(os, sys.argv.pop(1)), int(sys.argv.pop(1))
write, enter, written = RowWriter.write, threading.Condition.__enter__, []

def after_a_row(writer, row):
    write(writer, row)
    written.append(row)
    if place == "row" and len(written) == 3:
        kill(os.getpid(), number)

def within_a_lock(lock):
    entered = enter(lock)
    if place == "lock" and written and sys._getframe(1).f_code.co_name == "result":
        threading.Condition.__enter__ = enter
        kill(os.getpid(), number)
    return entered

RowWriter.write, threading.Condition.__enter__ = after_a_row, within_a_lock
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
sys.exit(main())
"""


def score_and_signal(path: Path, output_path: Path, place: str, kill_function: str, signal_number: int) -> tuple[int, str]:
    """Score with two workers, send a signal to the command or its group, and return exit status and error output."""
    command = [place, kill_function, str(int(signal_number)), "score", str(path), "--out", str(output_path), "--silent", "--workers", "2"]
    completed_process = subprocess.run(
        [sys.executable, "-c", SIGNAL_SCRIPT, *command], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    return completed_process.returncode, completed_process.stderr


@pytest.mark.parametrize(("place", "kill_function", "signal_number"), [
    ("row", "killpg", signal.SIGINT),
    ("row", "killpg", signal.SIGTERM),
    # The signal arrives while the pool holds its lock.
    ("lock", "kill", signal.SIGINT),
    pytest.param("row", "kill", signal.SIGINT, marks=pytest.mark.release),
    pytest.param("row", "kill", signal.SIGTERM, marks=pytest.mark.release),
])  # fmt: skip
def test_an_interrupt_keeps_rows_and_names_the_resume_option(tmp_path, place, kill_function, signal_number):
    output_path = tmp_path / "part.jsonl"
    status, messages = score_and_signal(write_dogs(tmp_path, 300), output_path, place, kill_function, signal_number)
    row_count = output_path.read_text().count("\n")
    assert status == 128 + signal_number and (row_count == 3 if place == "row" else 0 < row_count < 300), messages
    assert (
        messages
        == f"\nspice-core: interrupted after {row_count} of 300 images; the results are in {output_path}; run the same command with --resume to continue\n"
    )


def test_a_killed_run_is_resumed_to_the_same_bytes(tmp_path):
    path, output_path, full_output = write_dogs(tmp_path, 300), tmp_path / "part.jsonl", tmp_path / "whole.jsonl"
    command = ["score", str(path), "--silent", "--workers", "2", "--out"]
    assert main([*command, str(full_output)]) == 0
    assert score_and_signal(path, output_path, "row", "killpg", signal.SIGKILL) == (-signal.SIGKILL, "")
    assert output_path.read_bytes() and full_output.read_bytes().startswith(output_path.read_bytes())
    assert main([*command, str(output_path), "--resume"]) == 0 and output_path.read_bytes() == full_output.read_bytes()


def test_complete_rows_survive_a_full_disk_and_the_run_is_resumed(tmp_path):
    """A limit on file sizes simulates a disk with 3,000 free bytes. A second attempt without space loses nothing."""
    pytest.importorskip("resource")
    full_output, output_path = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    command = ["score", str(write_dogs(tmp_path, 40)), "--silent", "--resume", "--out"]
    assert main([*command, str(full_output)]) == 0
    code = f"""import resource, sys
from spice_core.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
sys.exit([main({[*command, str(output_path)]}) for _ in range(2)] != [2, 2])"""
    completed_process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert completed_process.returncode == 0, completed_process.stderr
    assert completed_process.stderr == f"spice-core: {output_path}: found File too large, expected a path that can be written to\n" * 2
    assert full_output.read_bytes().startswith(output_path.read_bytes()) and output_path.read_text().count("\n") > 5
    assert main([*command, str(output_path)]) == 0 and output_path.read_bytes() == full_output.read_bytes()


def test_a_failed_run_leaves_no_complete_array_and_a_resumed_run_has_the_same_summary(tmp_path, capsys):
    def write(error: type[BaseException]) -> str:
        with pytest.raises(error), (tmp_path / "out.json").open("w") as file, RowWriter(file, lines=False) as writer:
            writer.write('{"image_id": 1}')
            raise error
        return (tmp_path / "out.json").read_text()

    assert json.loads(write(KeyboardInterrupt)) == [{"image_id": 1}]
    with pytest.raises(json.JSONDecodeError):
        json.loads(write(SpiceError))
    output_path = tmp_path / "out.jsonl"
    command = ["score", str(write_dogs(tmp_path)), "--out", str(output_path)]
    assert main(command) == 0
    summary, full_output = capsys.readouterr().out, output_path.read_bytes()
    output_path.write_bytes(full_output[:-5])
    assert main([*command, "--resume"]) == 0
    assert (capsys.readouterr().out, output_path.read_bytes()) == (summary, full_output)


@pytest.mark.parametrize("option", ["--out", "--problems"])
def test_an_unwritable_file_is_reported_before_the_run(tmp_path, capsys, option):
    path, missing_path = tmp_path / "in.json", tmp_path / "missing" / "file.jsonl"
    # If the input were read, its error would be reported first.
    path.write_text("no rows")
    assert main(["score", str(path), option, str(missing_path)]) == 2
    assert (
        capsys.readouterr().err == f"spice-core: {missing_path}: found No such file or directory, expected a path that can be written to\n"
    )
    assert main(["score", str(path), option, str(path)]) == 2 and path.read_text() == "no rows"
    other_path = tmp_path / "other.jsonl"
    other_path.write_text("kept")
    assert main(["score", str(path), "--out", str(other_path), "--problems", str(tmp_path / "listed.jsonl")]) == 2
    assert other_path.read_text() == "kept"


def test_one_run_at_a_time_writes_to_a_file(tmp_path, capsys):
    output_path = tmp_path / "out.jsonl"
    command = ["score", str(write_dogs(tmp_path)), "--silent", "--out", str(output_path)]
    assert main(command) == 0
    full_output = output_path.read_bytes()
    for further_options in ([], ["--resume"]):
        with output.lock_output(output_path):
            assert main([*command, *further_options]) == 2
        assert capsys.readouterr() == (
            "", f"spice-core: {output_path}: found a file that another run is writing, expected a file that no other run is writing\n"
        )  # fmt: skip
        assert output_path.read_bytes() == full_output
        assert main([*command, *further_options]) == 0 and output_path.read_bytes() == full_output


def test_an_unusable_cache_leaves_the_output_unchanged(tmp_path, capsys):
    output_path, new_path, cache = tmp_path / "out.jsonl", tmp_path / "new.jsonl", tmp_path / "cache"
    cache.write_text("no database " * 500)
    output_path.write_text("rows of another run")
    for file in (output_path, new_path):
        assert main(["score", str(write_dogs(tmp_path)), "--silent", "--cache", str(cache), "--out", str(file)]) == 2
        assert "expected a parse cache" in capsys.readouterr().err
    assert output_path.read_text() == "rows of another run" and not new_path.exists()


@pytest.mark.release
def test_dask_gives_the_same_file(input_path, uncached_rows):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert score(input_path, "b.jsonl", "--detailed", "--dask", cluster.scheduler_address) == uncached_rows


def test_missing_dask_is_reported_with_the_install_command_and_rows_by_other_rules_are_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["score", str(write_dogs(tmp_path)), "--dask", "tcp://127.0.0.1:1"]) == 2
    assert 'Dask is not installed; install it with: pip install ".[dask]"' in capsys.readouterr().err
    # Simulate a Dask worker that has loaded an older package or rule file.
    items = [Item(1, parse_from_tuples([["dog"]], where=""), (parse_from_tuples([["dog"]], where=""),))]
    other_path = SpiceConfig(rules="spice-2016")

    def worker(task, options, *more_arguments):
        return lambda: task(replace(options, config=other_path), *more_arguments)

    with pytest.raises(SpiceError, match="a worker parses with en.*spice-2016.*, expected en.*caption"):
        list(score_items(items, RunOptions(), worker, ParseCache(Spice().parse_key)))


def test_the_last_tasks_are_small_and_a_serial_task_has_a_bounded_length():
    """Split items for several workers, then for one process with captions of 100 and of 50,000 characters."""

    def task_sizes(number: int, chars: int, **options: int) -> list[int]:
        sizes, cache = list[int](), ParseCache("")

        def submit(task, options, items, known):
            sizes.append(len(items))
            return lambda: ScoredBatch([], cache.key, {})

        items = [Item(n, "a" * chars, ("a" * chars,)) for n in range(number)]
        assert list(score_items(items, RunOptions(), submit, cache, **options)) == [] and sum(sizes) == number
        return sizes

    assert task_sizes(100, 1, prefetch=4) == [32, 32, 32, 4]
    assert task_sizes(100, 1, prefetch=4, total=100) == [32, 17, 12, 9, 7, 5, 4, 4, 4, 4, 2]
    assert task_sizes(100, 1, prefetch=4, total=100, batch_size=50) == [50, 50]
    assert task_sizes(1000, 100) == [512, 488] and task_sizes(5, 50_000) == [2, 2, 1]


STEP_LIMIT_PROBLEM = "in.jsonl, image 1: found captions that the rules cannot process (the pattern takes more than 0 steps on one sentence; add conditions that connect its nodes), expected shorter captions or other rules"


def test_captions_that_exceed_the_step_limit_are_reported_or_skipped(tmp_path, monkeypatch, capsys):
    """The rules exceed the step limit on a caption of the second of five items."""
    apply = RuleSet.apply

    def apply_with_limit(rules, document, budget=None):
        propositions = apply(rules, document, budget)  # caches the matches of slow regular expressions
        return apply(rules, document, SearchBudget(0)) if document.text == "a bad dog" else propositions

    monkeypatch.setattr(RuleSet, "apply", apply_with_limit)
    path, output_path, listed_path = (tmp_path / f"{name}.jsonl" for name in ("in", "out", "problems"))
    texts = ["a dog", "a dog", "a cat", "a man", "a dog"]
    given_items = [{"image_id": i, "test": text, "refs": ["a bad dog" if i == 1 else "a dog"]} for i, text in enumerate(texts)]
    path.write_text("".join(json.dumps(row) + "\n" for row in given_items))
    command = ["score", str(path), "--out", str(output_path)]
    assert main(command) == 2
    messages = capsys.readouterr().err.splitlines()
    assert len(messages) == 1 and messages[0].endswith(STEP_LIMIT_PROBLEM)
    command += ["--skip-bad", "--problems", str(listed_path), "--cache", str(tmp_path / "kept")]
    assert main(command) == 0
    summary = capsys.readouterr()
    assert summary.err.rstrip().endswith(STEP_LIMIT_PROBLEM) and summary.out.endswith("4 images, 4 captions parsed, 1 problem skipped\n")
    (problem,) = map(json.loads, listed_path.read_text().splitlines())
    assert (problem["file"], problem["row"]) == (str(path), "image 1")
    full_output = output_path.read_bytes()
    assert [json.loads(line)["image_id"] for line in full_output.splitlines()] == [0, 2, 3, 4]
    output_path.write_bytes(full_output[:-5])
    assert main([*command, "--resume"]) == 0 and output_path.read_bytes() == full_output
