"""Runs over files: the same rows from processes, from Dask, from the cache, and after a crash."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from spice_core import Spice, SpiceConfig
from spice_core.cli.main import main
from spice_core.data import Item, read_items
from spice_core.data.results import Writer
from spice_core.errors import SpiceError
from spice_core.evaluation.parse_cache import ParseCache
from spice_core.evaluation.run import RunOptions, run
from spice_core.rules.conditions import SearchBudget
from spice_core.rules.ruleset import RuleSet
from spice_core.scene.propositions import from_tuples
from tests.conftest import DATA, rows

CAPTIONS = [row["caption"] for row in rows(DATA / "propositions.jsonl")]


@pytest.fixture
def infile(tmp_path):
    """150 items of real captions, some repeated, one with given propositions."""
    texts = [CAPTIONS[n % len(CAPTIONS)] for n in range(400)]
    items = [{"image_id": n, "test": texts[n], "refs": [texts[n + 1], texts[2 * n]]} for n in range(149)]
    path = tmp_path / "in.json"
    path.write_text(json.dumps([*items, {"image_id": "x", "test": [["dog"]], "refs": [[["dog"], ["dog", "big"]]]}]))
    return path


def score(infile, name: str, *options: str) -> bytes:
    out = infile.with_name(name)
    assert main(["score", str(infile), "--out", str(out), "--subset", "--silent", *options]) == 0
    return out.read_bytes()


@pytest.mark.parser
def test_processes_and_the_cache_give_the_same_rows(infile, tmp_path, capsys):
    cache = str(tmp_path / "cache")
    plain = score(infile, "a.jsonl", "--detailed")
    assert score(infile, "b.jsonl", "--detailed", "--workers", "2", "--cache", cache) == plain
    assert score(infile, "c.jsonl", "--detailed", "--cache", cache) == plain
    assert main(["score", str(infile), "--cache", cache]) == 0
    assert "150 images, 0 captions parsed" in capsys.readouterr().out


@pytest.mark.parser
def test_rows_of_lines_stand_alone(infile):
    lines = [json.loads(line) for line in score(infile, "a.jsonl", "--detailed").splitlines()]
    array = json.loads(score(infile, "a.json", "--detailed"))
    assert [{key: line[key] for key in row} for line, row in zip(lines, array)] == array
    item = read_items(infile)[3]
    assert (lines[3]["test"], lines[3]["refs"]) == (item.candidate, list(item.references))
    assert lines[149]["test"] == [["dog"]] and lines[149]["signature"].startswith("spice|lang:en|scheme:distinct|")


def test_a_full_cache_needs_no_parser(tmp_path):
    """Given propositions need as little."""
    path = tmp_path / "in.json"
    path.write_text(json.dumps([{"image_id": 1, "test": "a dog", "refs": ["a dog"]}]))
    command = f"from spice_core.cli.main import main; assert main(['score', {str(path)!r}, '--silent', '--cache', {str(tmp_path / 'cache')!r}]) == 0"
    unneeded = (
        "spacy",
        "numpy",
        "onnxruntime",
        "networkx",
        "importlib.metadata",
        "spice_core.metrics.registry",
        "spice_core.report.result_page",
    )
    blocked = f"import sys; sys.modules.update(dict.fromkeys({unneeded})); "
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for code in (command, blocked + command)]
    assert runs[0].stdout and [run.stdout for run in runs] == [runs[0].stdout] * 2, runs[1].stderr


@pytest.mark.parser
@pytest.mark.parametrize("kept", [0.0, 0.3, 0.7, 1.0])
def test_a_run_goes_on_where_it_ended(infile, capsys, kept):
    whole = score(infile, "whole.jsonl")
    assert main(["score", str(infile), "--subset"]) == 0
    summary = capsys.readouterr().out.rpartition("\n150 images")[0]
    out = infile.with_name("part.jsonl")
    out.write_bytes(whole[: int(len(whole) * kept)])
    assert main(["score", str(infile), "--out", str(out), "--subset", "--resume"]) == 0
    assert out.read_bytes() == whole
    assert capsys.readouterr().out.startswith(summary)


def wait_for_output(process: subprocess.Popen, out: Path) -> None:
    """Wait until the file has content or the process ends; a command makes the file and removes it, to see whether it can, before its work."""
    while process.poll() is None:
        with suppress(FileNotFoundError):
            if out.stat().st_size:
                return
        time.sleep(0.01)


@pytest.mark.parser
def test_a_killed_run_goes_on_to_the_same_bytes(infile):
    whole, out = score(infile, "whole.jsonl"), infile.with_name("part.jsonl")
    command = [sys.executable, "-m", "spice_core", "score", str(infile), "--out", str(out), "--subset", "--silent", "--workers", "2"]
    run = subprocess.Popen(command, start_new_session=True)
    wait_for_output(run, out)
    with suppress(ProcessLookupError):  # it may have ended
        os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert whole.startswith(out.read_bytes())
    assert score(infile, "part.jsonl", "--resume", "--workers", "2") == whole


def test_translations_are_taken_up_again(tmp_path, capsys):
    path, out = tmp_path / "in.json", tmp_path / "out.jsonl"
    dog = {"test": [["犬"]], "refs": [[["犬"]]]}
    path.write_text(json.dumps([{"image_id": 1, **dog, "test_en": [["dog"]], "refs_en": [[["cat"]]]}, {"image_id": 2, **dog}]))
    command = ["score", str(path), "--lang", "ja", "--synonyms", "none", "--out", str(out), "--translations"]
    assert main(command) == 0
    summary, whole = capsys.readouterr().out, out.read_bytes()
    out.write_bytes(whole[:-5])
    assert main([*command, "--resume"]) == 0
    assert (capsys.readouterr().out, out.read_bytes()) == (summary, whole)


@pytest.mark.parametrize(
    ("before", "options", "message"),
    [
        ({"image_id": 2}, (), "part.jsonl, line 1: found {'image_id': 2, 'test': [['dog']]"),
        ({"test": "a cat"}, (), "'test': 'a cat'"),
        ({}, ("--no-synsets",), "part.jsonl, line 1: found {'image_id': 1, 'test': [['dog']], 'signature': 'spice|lang:en"),
        ({}, ("--detailed",), "part.jsonl, line 1: found"),
        ({}, ("--subset",), "part.jsonl, line 1: found"),
        (None, (), "part.jsonl, line 1: found b'no row\\n'"),
        ({"scores": 5}, (), "part.jsonl, line 1, field scores: found 5, expected counts by category"),
        ({"scores": {"All": {"tp": -1, "fp": 0, "fn": 0}}}, (), "part.jsonl, line 1, field scores.All: found {'tp': -1"),
    ],
)
def test_other_rows_are_not_gone_on_with(tmp_path, capsys, before, options, message):
    path, out = tmp_path / "in.json", tmp_path / "part.jsonl"
    path.write_text(json.dumps([{"image_id": n, "test": [["dog"]], "refs": [[["dog"]]]} for n in (1, 2)]))
    assert main(["score", str(path), "--out", str(out), "--silent"]) == 0
    first, second = out.read_text().splitlines()
    out.write_text(f"{json.dumps(json.loads(first) | before) if before is not None else 'no row'}\n{second}\n")
    assert main(["score", str(path), "--out", str(out), "--resume", "--silent", *options]) == 2
    assert message in capsys.readouterr().err


def test_rows_of_another_version_are_not_gone_on_with(tmp_path, capsys, monkeypatch):
    path, out = tmp_path / "in.json", tmp_path / "part.jsonl"
    path.write_text(json.dumps([{"image_id": 1, "test": [["dog"]], "refs": [[["dog"]]]}]))
    command = ["score", str(path), "--out", str(out), "--silent"]
    with monkeypatch.context() as patch:
        patch.setattr("spice_core.metrics.config.__version__", "0.2.99")
        assert main(command) == main([*command, "--resume"]) == 0
    assert main([*command, "--resume"]) == 2
    assert "expected a row of this input and these settings" in capsys.readouterr().err


@pytest.mark.parametrize("packed", [gzip.compress, lambda row: gzip.compress(row)[:-9] + b"\n", lambda row: b"\xff\xfe\n" + row])
def test_what_is_no_file_of_rows_is_not_gone_on_with(tmp_path, capsys, packed):
    path, out = tmp_path / "in.json", tmp_path / "part.jsonl"
    path.write_text(json.dumps([{"image_id": n, "test": [["dog"]], "refs": [[["dog"]]]} for n in (1, 2)]))
    command = ["score", str(path), "--out", str(out), "--silent"]
    assert main(command) == 0
    before = packed(out.read_bytes()) + b"\n{}\n"
    out.write_bytes(before)
    assert main([*command, "--resume"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.endswith("expected a row of results\n") and out.read_bytes() == before


BASE = {"image_id": 1, "test": [["dog"]], "refs": [[["dog"]], [["cat"]]], "test_en": [["dog"]], "refs_en": [[["dog"]]]}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"refs": [[["dog"]], [["bus"]]]}, "other references or settings"),
        ({"refs": [[["cat"]], [["dog"]]]}, "other references or settings"),  # the merged graph goes by their order
        ({"refs": [[["dog"]]]}, "other references or settings"),
        ({"refs_en": [[["cat"]]]}, "other references or settings"),
        ({"test_en": [["cat"]]}, "other references or settings"),
        (None, "none, as in files of older versions"),
    ],
)
def test_rows_of_other_references_are_not_gone_on_with(tmp_path, capsys, change, found):
    path, out = tmp_path / "in.json", tmp_path / "part.jsonl"
    path.write_text(json.dumps([BASE]))
    command = ["score", str(path), "--lang", "ja", "--synonyms", "none", "--translations", "--out", str(out), "--silent"]
    assert main(command) == main([*command, "--resume"]) == 0
    if change:
        path.write_text(json.dumps([BASE | change]))
    else:
        out.write_text("".join(json.dumps({k: v for k, v in json.loads(r).items() if k != "digest"}) + "\n" for r in out.open()))
    before = out.read_bytes()
    assert main([*command, "--resume"]) == 2
    assert f"part.jsonl, line 1, field digest: found '{found}', expected that of this input" in capsys.readouterr().err
    assert out.read_bytes() == before


@pytest.mark.parser
@pytest.mark.parametrize("kill", [os.kill, os.killpg])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_done_and_says_how_to_go_on(tmp_path, number, kill):
    infile, out = tmp_path / "in.json", tmp_path / "part.jsonl"
    infile.write_text(json.dumps([{"image_id": n, "test": f"dog {n}", "refs": [f"a dog and {n} cats"]} for n in range(5000)]))
    hearing = "signal.signal(signal.SIGINT, signal.default_int_handler)"  # which a shell's background job does not do
    code = f"import signal, sys; {hearing}; from spice_core.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "score", str(infile), "--out", str(out), "--workers", "2"]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    wait_for_output(run, out)
    kill(run.pid, number)
    said = run.communicate()[1]
    assert out.exists(), (run.returncode, said)
    done = out.read_text().count("\n")
    assert run.returncode == 128 + number and 0 < done < 5000, said
    assert said == f"\nspice-core: interrupted after {done} of 5000 images; they are in {out}, the same command with --resume goes on\n"


INTERRUPTED_WITHIN_A_LOCK = """
import os, signal, sys, threading
from spice_core.cli.main import main
out, enter = sys.argv[sys.argv.index("--out") + 1], threading.Condition.__enter__

def taken(lock):
    entered, caller = enter(lock), sys._getframe(1).f_code
    if caller.co_name == "result" and os.path.exists(out) and os.path.getsize(out):
        threading.Condition.__enter__ = enter
        os.kill(os.getpid(), signal.SIGINT)
    return entered

threading.Condition.__enter__ = taken
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""


@pytest.mark.parser
def test_an_interrupt_within_a_lock_of_the_pool_ends_the_run(tmp_path):
    infile, out = tmp_path / "in.json", tmp_path / "part.jsonl"
    infile.write_text(json.dumps([{"image_id": n, "test": [["dog"]], "refs": [[["dog"]]]} for n in range(5000)]))
    command = [sys.executable, "-c", INTERRUPTED_WITHIN_A_LOCK, "score", str(infile), "--out", str(out), "--workers", "2"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=300)
    assert done.returncode == 128 + signal.SIGINT and "interrupted after" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", ["part.jsonl", "part.json"])
def test_a_row_that_is_written_is_counted(tmp_path, capsys, monkeypatch, name, number):
    path, out, write = tmp_path / "in.json", tmp_path / name, Writer.write
    path.write_text(json.dumps([{"image_id": n, "test": [["dog"]], "refs": [[["dog"]]]} for n in range(5)]))

    def interrupted(writer: Writer, row: str) -> None:
        write(writer, row)
        if '"image_id": 2,' in row:
            os.kill(os.getpid(), number)

    monkeypatch.setattr(Writer, "write", interrupted)
    before = signal.signal(number, signal.default_int_handler)  # a shell's background job ignores SIGINT
    assert main(["score", str(path), "--out", str(out), "--silent"]) == 128 + number
    assert capsys.readouterr().err.startswith("\nspice-core: interrupted after 3 of 5 images; they are in ")
    kept = out.read_text()
    assert len(json.loads(kept) if name == "part.json" else kept.splitlines()) == 3
    assert signal.signal(number, before) == signal.default_int_handler


def test_after_a_full_disk_whole_rows_stay_and_the_run_goes_on(tmp_path):
    """As on a disk with room for 3,000 bytes: the limit on the size of files does the same."""
    pytest.importorskip("resource")
    path, whole, out = tmp_path / "in.json", tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    path.write_text(json.dumps([{"image_id": n, "test": [["dog"]], "refs": [[["dog"]]]} for n in range(40)]))
    assert main(["score", str(path), "--out", str(whole), "--silent"]) == 0
    command = ["score", str(path), "--out", str(out), "--silent", "--resume"]
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))"
    limited = [sys.executable, "-c", f"{limit}; import sys; from spice_core.cli.main import main; sys.exit(main())", *command]
    for _ in range(2):  # a second try without room loses nothing
        full = subprocess.run(limited, capture_output=True, text=True)
        assert full.returncode == 2, full.stderr
        assert full.stderr == f"spice-core: {out}: found File too large, expected a file that can be written\n"
        assert whole.read_bytes().startswith(out.read_bytes()) and out.read_text().count("\n") > 5
    assert subprocess.run([sys.executable, "-m", "spice_core", *command]).returncode == 0 and out.read_bytes() == whole.read_bytes()


def test_an_array_of_a_run_that_failed_is_not_whole(tmp_path):
    def write(error: type[BaseException]) -> str:
        with pytest.raises(error), (tmp_path / "out.json").open("w") as file, Writer(file, lines=False) as writer:
            writer.write('{"image_id": 1}')
            raise error
        return (tmp_path / "out.json").read_text()

    assert json.loads(write(KeyboardInterrupt)) == [{"image_id": 1}]
    with pytest.raises(json.JSONDecodeError):
        json.loads(write(SpiceError))


@pytest.mark.parametrize("option", ["--out", "--problems"])
def test_a_file_that_cannot_be_written_is_told_before_the_run(tmp_path, capsys, option):
    path, missing = tmp_path / "in.json", tmp_path / "missing" / "file.jsonl"
    path.write_text("no rows")  # which would be told first, if the input were read
    assert main(["score", str(path), option, str(missing)]) == 2
    said = f"spice-core: {missing}: found No such file or directory, expected a file that can be written\n"
    assert capsys.readouterr().err == said
    assert main(["score", str(path), option, str(path)]) == 2 and path.read_text() == "no rows"
    other = tmp_path / "other.jsonl"
    other.write_text("kept")
    assert main(["score", str(path), "--out", str(other), "--problems", str(tmp_path / "listed.jsonl")]) == 2
    assert other.read_text() == "kept"


@pytest.mark.parser
def test_dask_gives_the_same_file(infile):
    distributed = pytest.importorskip("distributed")
    plain = score(infile, "a.jsonl", "--detailed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert score(infile, "b.jsonl", "--detailed", "--dask", cluster.scheduler_address) == plain


def test_without_dask_the_line_that_installs_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    (tmp_path / "in.json").write_text("[]")
    assert main(["score", str(tmp_path / "in.json"), "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "Dask is not installed; install it with: pip install 'spice_core[dask]'" in capsys.readouterr().err


def test_rows_of_a_worker_with_other_rules_are_refused():
    """As on a Dask worker that an older package or rule file was loaded in."""
    items, other = [Item(1, from_tuples([["dog"]], where=""), (from_tuples([["dog"]], where=""),))], SpiceConfig(rules="spice-2016")

    def worker(task, options, *rest):
        return lambda: task(replace(options, config=other), *rest)

    with pytest.raises(SpiceError, match="a worker parses with en.*spice-2016.*, expected en.*caption"):
        list(run(items, RunOptions(), worker, [ParseCache(Spice().parse_key)]))


@pytest.fixture
def greedy(tmp_path, monkeypatch):
    """Five items, the second with a caption on which the rules take too many steps, and the command that scores them."""
    apply = RuleSet.apply

    def limited(rules, document, budget=None):
        return apply(rules, document, SearchBudget(0) if document.text == "a bad dog" else budget)

    monkeypatch.setattr(RuleSet, "apply", limited)
    path = tmp_path / "in.jsonl"
    texts = ["a dog", "a dog", "a cat", "a man", "a dog"]
    given = [{"image_id": i, "test": text, "refs": ["a bad dog" if i == 1 else "a dog"]} for i, text in enumerate(texts)]
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    return ["score", str(path), "--out", str(tmp_path / "out.jsonl")]


PROBLEM = "in.jsonl, image 1: found captions that the rules cannot read (the pattern takes more than 0 steps on one sentence; connect its nodes by more conditions), expected shorter captions or other rules"


@pytest.mark.parser
def test_what_the_rules_cannot_read_is_named(greedy, capsys):
    assert main(greedy) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and said[0].endswith(PROBLEM)


@pytest.mark.parser
def test_what_the_rules_cannot_read_is_skipped_and_listed(greedy, tmp_path, capsys):
    out, listed, kept = tmp_path / "out.jsonl", tmp_path / "problems.jsonl", tmp_path / "kept"
    command = [*greedy, "--skip-bad", "--problems", str(listed), "--cache", str(kept)]
    assert main(command) == 0
    said = capsys.readouterr()
    assert said.err.rstrip().endswith(PROBLEM) and said.out.endswith("4 images, 4 captions parsed, 1 problems skipped\n")
    (problem,) = map(json.loads, listed.read_text().splitlines())
    assert (problem["file"], problem["row"]) == (str(tmp_path / "in.jsonl"), "image 1")
    whole = out.read_bytes()
    assert [json.loads(line)["image_id"] for line in whole.splitlines()] == [0, 2, 3, 4]
    out.write_bytes(whole[:-5])
    assert main([*command, "--resume"]) == 0 and out.read_bytes() == whole
