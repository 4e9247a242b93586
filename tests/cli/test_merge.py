"""Shards of a run, joined by the command merge."""

import json
from pathlib import Path

import pytest

from spice_core.cli.main import main

ROWS = [{"image_id": n, "test": [["dog"], [f"thing{n}"]], "refs": [[["dog"], ["dog", "brown"]]]} for n in range(8)]


@pytest.fixture
def shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("in.json").write_text(json.dumps(ROWS), encoding="utf-8")
    names = [f"{n}.jsonl" for n in (1, 2, 3)]
    for n, name in enumerate(names, 1):
        assert main(["score", "in.json", "--shard", f"{n}/3", "--out", name, "--silent", "--detailed"]) == 0
    return names


def test_merged_shards_equal_a_run_without_shards_in_any_order(shards: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["score", "in.json", "--out", "all.jsonl", "--detailed"]) == 0
    summary = capsys.readouterr().out.splitlines()[1]
    assert main(["merge", *shards[::-1], "--out", "merged.jsonl"]) == 0
    assert Path("merged.jsonl").read_bytes() == Path("all.jsonl").read_bytes()
    assert capsys.readouterr().out.splitlines()[1] == summary


def test_a_shard_is_resumed(shards: list[str]):
    complete = Path(shards[1]).read_bytes()
    Path(shards[1]).write_bytes(complete[: len(complete) // 2])
    assert main(["score", "in.json", "--shard", "2/3", "--out", shards[1], "--silent", "--detailed", "--resume"]) == 0
    assert Path(shards[1]).read_bytes() == complete


@pytest.mark.parametrize(("edit", "message"), [
    (lambda names: names.pop(1), "SHARD: found '1/3 of 8, 3/3 of 8', expected 1/2 of 8, 2/2 of 8"),
    (lambda names: names.append(names[0]), "SHARD: found '1/3 of 8, 2/3 of 8, 3/3 of 8', expected 1/4 of 8"),
    (lambda names: _cut_last_lines(names[0]), "1.jsonl, line 3: found the end of the file, expected a row, because the run has 8 images"),
    (lambda names: _cut_last_lines(names[2]), "3.jsonl, line 2: found the end of the file, expected a row"),
    (lambda names: _replace(names[1], "version:", "version:9"), "2.jsonl, line 1, field digest: found"),
])  # fmt: skip
def test_incomplete_shards_are_refused(shards: list[str], capsys: pytest.CaptureFixture[str], edit, message: str):
    edit(shards)
    assert main(["merge", *shards, "--out", "merged.jsonl"]) == 2
    assert message in capsys.readouterr().err


def _cut_last_lines(name: str, count: int = 1) -> None:
    lines = Path(name).read_text().splitlines(True)
    Path(name).write_text("".join(lines[:-count]))


def _replace(name: str, old: str, new: str) -> None:
    Path(name).write_text(Path(name).read_text().replace(old, new))


@pytest.mark.parametrize("shard", ["0/3", "4/3", "a/b", "1", "1/-1", "99999999/999999999"])
def test_invalid_shards_are_reported(shards: list[str], capsys: pytest.CaptureFixture[str], shard: str):
    assert main(["score", "in.json", f"--shard={shard}", "--out", "x.jsonl"]) == 2
    assert "--shard: found" in capsys.readouterr().err
