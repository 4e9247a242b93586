"""Output files of commands never overwrite an input or another output."""

import os
import re
from pathlib import Path

import pytest

from spice_core.cli.main import main
from spice_core.cli.output import check_writable

INPUTS = ("c.jsonl", "r.jsonl", "refs.json", "A.jsonl", "B.jsonl", "t.conllu", "r.toml", "wnjpn.db")
SAME_FILE_COMMANDS = """score c.jsonl --out c.jsonl|score c.jsonl --problems c.jsonl|score c.jsonl --references refs.json --out refs.json
score c.jsonl --parser conllu:t.conllu --out t.conllu|score c.jsonl --rules r.toml --out r.toml
score c.jsonl --lang ja --synonyms sudachi+wordnet:wnjpn.db --out wnjpn.db|score c.jsonl --cache c.jsonl|score c.jsonl --out ./link.jsonl
metrics c.jsonl --metrics SPICE --out c.jsonl|metrics c.jsonl --references refs.json --problems refs.json
metrics c.jsonl --rules r.toml --out r.toml|agree r.jsonl --metrics BLEU-1 --out r.jsonl
agree c.jsonl r.jsonl --metrics BLEU-1 --scores r.jsonl|agree r.jsonl --parser conllu:t.conllu --scores t.conllu
compare A.jsonl B.jsonl --out A.jsonl|compare A.jsonl B.jsonl --out B.jsonl|import-wordnet wnjpn.db --out wnjpn.db"""
REPEATED_OUTPUT_COMMANDS = """score c.jsonl --out z.jsonl --cache z.jsonl|score c.jsonl --out z.jsonl --problems ./z.jsonl
metrics c.jsonl --out z.jsonl --problems z.jsonl|agree r.jsonl --out z.jsonl --scores z.jsonl"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in INPUTS:
        (tmp_path / name).write_text(f"content of {name}")
    os.link("c.jsonl", "link.jsonl")
    return tmp_path


@pytest.mark.parametrize("line", re.split(r"[|\n]", SAME_FILE_COMMANDS))
def test_an_output_that_is_an_input_is_refused(folder, capsys, line):
    *_, option, file = line.split()
    assert main(line.split()) == 2
    assert capsys.readouterr() == ("", f"spice-core: {option}: found {file!r}, expected a file other than the input\n")
    assert all((folder / name).read_text() == f"content of {name}" for name in INPUTS)


@pytest.mark.parametrize("line", re.split(r"[|\n]", REPEATED_OUTPUT_COMMANDS))
def test_outputs_of_one_call_are_different_files(folder, capsys, line):
    assert main(line.split()) == 2
    assert capsys.readouterr().err == f"spice-core: {line.split()[-2]}: found {line.split()[-1]!r}, expected a file other than --out\n"
    assert not (folder / "z.jsonl").exists()


def test_a_device_may_take_several_outputs(folder, capsys):
    (folder / "given.jsonl").write_text('{"image_id": 1, "test": [["dog"]], "refs": [[["dog"]]]}')
    assert main(["score", "given.jsonl", "--out", os.devnull, "--problems", os.devnull]) == 0


@pytest.mark.parametrize("name", ["exists", "lexists", "isfile", "isdir"])
def test_a_file_that_another_run_creates_meanwhile_is_preserved(folder, monkeypatch, name):
    """The other run writes the file right after this run has checked for it."""
    look, other_rows = getattr(os.path, name), []

    def look_and_write(path):
        is_found = look(path)
        if path == "new.jsonl" and not is_found:
            other_rows.append(Path(path).write_text("row"))
        return is_found

    check_writable("new.jsonl")
    assert {*os.listdir()} == {*INPUTS, "link.jsonl"}
    monkeypatch.setattr(os.path, name, look_and_write)
    check_writable("new.jsonl")
    assert [path.read_text() for path in folder.glob("new.jsonl")] == ["row"] * len(other_rows)
