"""Test the command line: output in the original SPICE's format, exit codes, one-line errors for invalid input."""

import gzip
import io
import itertools
import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from spice_core.cli.main import main
from spice_core.evaluation.executors import MAX_WORKERS
from spice_core.rules.rule_file import read_tree, write_tree
from tests.conftest import DATA, rows

ROOT = DATA.parents[1]
DOG_ITEMS = [
    {"image_id": "b", "test": "a brown dog on a sofa", "refs": ["a dog lies on a couch", "two red cushions"]},
    {"image_id": 3, "test": [["dog"], ["dog", "two"]], "refs": [[["dog", "two"], ["dog", "big"]]]},
]


@pytest.fixture
def input_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "in.json"
    path.write_text(json.dumps(DOG_ITEMS))
    return path


def run_score(input_path, *options: str) -> list[dict]:
    output_path = input_path.with_name("out.json")
    assert main(["score", str(input_path), "--out", str(output_path), "--silent", *options]) == 0
    return json.loads(output_path.read_text())


def set_stdin(monkeypatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def error_line(capsys, *arguments: str) -> str:
    assert main([*arguments]) == 2
    output, error = capsys.readouterr()
    assert output == "" and error.count("\n") == 1 and error.startswith("spice-core: ")
    return error[len("spice-core: ") : -1]


def test_scores_have_the_format_of_the_original_program(input_path):
    first_run, second_run = run_score(input_path, "--subset", "--detailed")
    assert [first_run["image_id"], second_run["image_id"]] == ["b", 3]
    assert second_run["scores"]["Cardinality"] == {"f": 1.0, "pr": 1.0, "re": 1.0, "tp": 1, "fp": 0, "fn": 0, "numImages": 1}
    assert second_run["scores"]["Color"]["f"] is None and first_run["scores"]["Object"]["tp"] == 2
    truths = {("dog",): True, ("dog", "big"): False, ("dog", "two"): True}
    assert second_run["ref_tuples"] == [{"tuple": [*words], "truth_value": value} for words, value in truths.items()]
    (default_scores, _), (other_scores, _) = run_score(input_path), run_score(input_path, "--subset", "--no-synsets")
    assert list(default_scores) == ["image_id", "scores"] and list(default_scores["scores"]) == ["All"]
    # Without synonyms, a couch is not a sofa.
    assert other_scores["scores"]["Object"]["tp"] == 1
    assert run_score(input_path, "--subset", "--detailed", "--workers", "2") == [first_run, second_run]


def test_scores_by_sentence_are_written_and_printed(tmp_path, capsys):
    (tmp_path / "in.json").write_text(json.dumps([{"image_id": 1, "test": "A dog runs. A cat sits.", "refs": ["A dog runs."]}]))
    assert main(["score", str(tmp_path / "in.json"), "--sentences", "--out", str(tmp_path / "out.jsonl")]) == 0
    row = json.loads((tmp_path / "out.jsonl").read_text())
    assert [(s["text"], s.get("pr"), s.get("re")) for s in row["sentences"]] == [
        ("A dog runs.", 1, None), ("A cat sits.", 0, None), ("A dog runs.", None, 1)
    ]  # fmt: skip
    assert "| 1 | 0.000 | 0 of 2 | A cat sits. |\n| 1 | 1.000 | 2 of 2 | A dog runs. |" in capsys.readouterr().out


def test_the_summary_shows_means_counts_and_the_signature_in_separate_columns(input_path, capsys, tmp_path):
    with pytest.raises(SystemExit, match="^0$"):
        main(["--version"])
    assert capsys.readouterr().out.startswith("spice-core 0.")
    assert main(["score", str(input_path), "--subset"]) == 0
    output = capsys.readouterr().out
    assert "Cardinality    0.500" in output and "2 images, 3 captions parsed" in output and "spice|lang:en|" in output
    items = [{"image_id": n, "test": [["犬", "走る", "海"]], "refs": [[["犬", "走る", "道"]]]} for n in range(7)]
    (tmp_path / "in.json").write_text(json.dumps(items))
    assert main(["score", "--lang", "ja", "--synonyms", "none", str(tmp_path / "in.json"), "--subset"]) == 0
    headers, totals, *lines = capsys.readouterr().out.splitlines()
    assert headers.split()[3:] == ["matched", "candidate", "reference", "images"]
    assert totals.split() == ["All", "0.556", "0.556", "0.556", "11.67", "21", "21", "7"]
    assert all(len(line.split()) == 8 for line in lines if line.startswith(("Object", "Attribute", "Relation")))


def test_no_id_in_a_table_is_a_formula(tmp_path):
    (tmp_path / "in.json").write_text(json.dumps([{"image_id": "=1+1", "test": "a dog", "refs": ["a dog"]}]))
    for name, first_field in (("out.csv", "'=1+1,"), ("out.jsonl", '{"image_id": "=1+1", ')):
        assert main(["metrics", str(tmp_path / "in.json"), "--metrics", "BLEU-1", "--out", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text().splitlines()[-1].startswith(first_field)


def test_parse_gives_one_line_for_each_caption_in_order(capsys, monkeypatch):
    set_stdin(monkeypatch, b"a red  umbrella\n\na dog\n")
    assert main(["parse", "-"]) == 0
    first_parse, empty, last_parse = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert [first_parse["caption"], empty["caption"], last_parse["caption"]] == ["a red  umbrella", "", "a dog"]
    assert first_parse["propositions"] == [["umbrella", "red"], ["umbrella"]] and empty["propositions"] == []
    assert first_parse["tuples"] == [["umbrella"], ["umbrella", "red"]]


def test_invalid_utf8_is_reported_and_a_byte_order_mark_is_skipped(tmp_path, capsys, monkeypatch):
    for options in [(), ("--from", "conllu")]:
        path, content = tmp_path / "in.txt", b"# caption = a dog\n# caption = caf\xe9\n"
        path.write_bytes(content)
        set_stdin(monkeypatch, content)
        for name in (str(path), "-"):
            assert error_line(capsys, "parse", name, *options) == f"{name}, line 2: found b'\\xe9', expected text in UTF-8"
    (tmp_path / "in.txt").write_bytes(b"\xef\xbb\xbfdog\r\n")
    set_stdin(monkeypatch, b"\xef\xbb\xbfdog\r\n")
    assert main(["parse", str(tmp_path / "in.txt")]) == main(["parse", "-"]) == 0
    assert capsys.readouterr().out == '{"caption": "dog", "propositions": [["dog"]], "tuples": [["dog"]]}\n' * 2


LONG_LINE, TOO_LONG = "[" * 10_001, "found 10,001 characters, expected a caption of at most 10,000 characters"


def test_captions_that_are_too_long_are_reported(tmp_path, capsys):
    for command, content, message in [
        ("parse", f"a dog\n{LONG_LINE}\n", f"line 2: {TOO_LONG}"),
        ("gold", json.dumps({"caption": LONG_LINE, "tuples": []}), f"line 1, field caption: {TOO_LONG}"),
        ("factual", json.dumps({"caption": LONG_LINE, "scene_graph": "( dog )"}), f"line 1, field caption: {TOO_LONG}"),
        ("metrics", json.dumps({"image_id": 1, "test": LONG_LINE, "refs": ["a dog"]}), f"line 1, field test: {TOO_LONG}"),
    ]:  # fmt: skip
        path = tmp_path / "in.jsonl"
        path.write_text(content)
        assert error_line(capsys, command, str(path)) == f"{path}, {message}"
    pytest.importorskip("ginza")
    (tmp_path / "in.txt").write_text("ﷺ" * 9_000, encoding="utf-8")
    assert "expected a shorter caption" in error_line(capsys, "parse", str(tmp_path / "in.txt"), "--lang", "ja")


COMMANDS_WITH_PIPES = """score PIPE|score in.json --references PIPE|score in.json --rules PIPE|score in.json --cache PIPE|score in.json --resume --out PIPE
metrics PIPE|compare PIPE PIPE|agree PIPE|gold PIPE|factual PIPE|parse PIPE|parse PIPE --from conllu|why A.dog a dog --rules PIPE|parse /dev/zero"""


@pytest.mark.parametrize("line", re.split(r"[|\n]", COMMANDS_WITH_PIPES))
def test_pipes_and_devices_are_refused_without_waiting(input_path, capsys, line):
    link = "rules.toml" if "--rules" in line else "link.jsonl"
    os.mkfifo("pipe.toml")
    os.symlink("pipe.toml", link)
    name = "/dev/zero" if "/dev/zero" in line else link
    assert error_line(capsys, *line.replace("PIPE", link).split()) == f"{name}: found a pipe or device, expected a file"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device that is always full")
def test_full_disks_and_closed_streams_are_reported_in_one_line(input_path, capsys, tmp_path):
    input_path.write_text(json.dumps(DOG_ITEMS[1:]))
    full_disk_message = "/dev/full: found No space left on device, expected a path that can be written to"
    for options in (["--silent"], []):
        assert error_line(capsys, "score", "in.json", "--out", "/dev/full", *options) == full_disk_message
    input_path.with_name("other.json").write_text(json.dumps(DOG_ITEMS))
    assert main(["score", "other.json", "--references", "in.json", "--problems", "/dev/full"]) == 2
    assert full_disk_message in capsys.readouterr().err
    input_path.write_text(json.dumps(DOG_ITEMS[1:]))
    for line, code, expected_text in (
        ("score in.json >/dev/full", 2, "spice-core: [Errno 28] No space left on device\n"),
        ("score in.json >&-", 0, ""),
        ("parse - <&-", 2, "spice-core: -: found No such file or directory, expected a file that can be read\n"),
    ):
        command = f"PYTHONPATH={ROOT} {sys.executable} -m spice_core {line}"
        completed_process = subprocess.run(command, shell=True, capture_output=True, text=True)
        assert (completed_process.returncode, completed_process.stdout, completed_process.stderr) == (code, "", expected_text)
    (tmp_path / "in.conllu").write_text("# caption = dog\n1\tdog\tdog\t_\tNN\t_\t0\troot\t_\t_\n")
    command = [sys.executable, "-m", "spice_core", "parse", "--from", "conllu", tmp_path / "in.conllu"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait() == 1


def test_trees_from_a_file_are_used_unchanged_gzipped_or_not(capsys, tmp_path):
    assert main(["parse", str(DATA / "propositions.conllu"), "--from", "conllu", "--rules", "spice-2016"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    expected_rows = rows(DATA / "propositions.jsonl")
    assert [line["caption"] for line in lines] == [w["caption"] for w in expected_rows]
    assert [{tuple(p) for p in line["propositions"]} for line in lines] == [{tuple(p) for p in w["propositions"]} for w in expected_rows]
    plain_path, *packed_paths = (tmp_path / name for name in ("plain.conllu", "t.conllu.gz", "t.conllu"))
    plain_path.write_text("# caption = dog\n1\tdog\tdog\t_\tNN\t_\t0\troot\t_\t_\n")
    content = gzip.compress(plain_path.read_bytes())
    for path in packed_paths:
        path.write_bytes(content)
        assert [main(["parse", str(file), "--from", "conllu"]) for file in (plain_path, path)] == [0, 0]
        assert len(set(capsys.readouterr().out.splitlines())) == 1
        path.write_bytes(content[:-9])
        assert error_line(capsys, "parse", str(path), "--from", "conllu").startswith(f"{path}: found a compressed file that is cut off")


def test_why_names_the_tuple_or_the_failing_condition(capsys):
    caption = "A brown dog is on a sofa."
    for words, expected_text, listed_rules in (
        ((caption, "dog", "brown"), "adjective: dog: brown\n", 0),
        ((caption, "sofa", "brown"), "adjective does not apply: expected noun governs adjective by amod; found ", 5),
        (
            ("a dog near a dog", "dog", "dog"),
            "preposition: dog – near – dog\nstep prepositions in labels: renamed dog –nmod→ dog to nmod:near\n",
            0,
        ),
        (
            ("An orange is shown whole.", "orange", "whole"),
            "step picture frames: removed shown –nsubj:pass→ orange; added orange –frame→ shown",
            5,
        ),
        (("A giraffe by a fence.", "a", "by"), "by is a preposition: ask about the words that it joins (giraffe fence)\n", 5),
        ((caption, "dog", "brown", "--all"), "adjective: dog: brown\n", 26),
    ):
        assert main(["why", *words]) == 0
        output = capsys.readouterr().out
        assert expected_text in output and output.count(" does not apply: ") == listed_rules, words
    for word in ("dog", "red"):
        assert f"WORD: found 'dog {word}', expected two words of one sentence" in error_line(capsys, "why", "A brown dog.", "dog", word)


def test_trees_of_captions_are_written_as_in_rule_files(tmp_path, capsys):
    (tmp_path / "captions.txt").write_text("A brown dog sleeps.\n", encoding="utf-8")
    assert main(["parse", str(tmp_path / "captions.txt"), "--format", "tree"]) == 0
    tree = capsys.readouterr().out
    assert tree == "A/a/DT/3/det brown/brown/JJ/3/amod dog/dog/NN/4/nsubj sleeps/sleep/VBZ/0/root ./././4/punct\n"
    assert write_tree(read_tree(tree)) + "\n" == tree


def test_bad_settings_and_bad_input_give_exit_code_2_and_one_line(input_path, capsys, tmp_path, monkeypatch):
    # ``__main__`` has a spec only if pytest was started as a module.
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    for arguments, message in [
        (["parse", "nothing.txt"], "nothing.txt: found No such file or directory, expected a file that can be read"),
        (["parse", "-", "--lang", "xx"], "unknown language 'xx'; known: en"),
        (["score", "in.json", "--rules", "mine"], "unknown rule set for English 'mine'; known: caption, spice-2016"),
        (["score", "in.json", "--rules", "mine.toml"], "mine.toml"),
        (["score", "in.json", "--parser", "spacy:none_such"], "python -m spacy download none_such"),
        (["score", "in.json", "--parser", "spacy:"], "parser for English: found 'spacy:', expected a name after the colon"),
        (["score", "in.json", "--workers", "0"], f"--workers: found 0, expected 1 to {MAX_WORKERS} (four per processor)"),
        (["score", "in.json", "--workers", "100000"], f"--workers: found 100000, expected 1 to {MAX_WORKERS}"),
        (["compare", "in.json", "in.json", "--resamples", "1000000000000"], "--resamples: found 1000000000000, expected 1 to 100,000"),
        (["agree", "in.json", "--resamples", "100001"], "--resamples: found 100001, expected 1 to 100,000"),
        *((["metrics", "in.json", "--resamples", n], f"--resamples: found {n}, expected 1 to 100,000") for n in ("0", "100001")),
        (["score", "in.json", "--delimiter", "ab"], "delimiter: found 'ab', expected one character, neither a quote nor a line break"),
        (["metrics", "in.json", "--delimiter", ""], "delimiter: found '', expected one character"),
        (["score", "in.json", "--parser", "spacy:sys"], "python -m spacy download sys"),
        (["score", "in.json", "--parser", "spacy:__main__"], "is not installed; install it with: python -m spacy download __main__"),
        (["score", "in.json", "--parser", f"spacy:{'a' * 5000}"], "python -m spacy download"),
        (["score", "in.json", "--parser", "spacy:json"], "meta.json: found No such file or directory, expected the metadata of a spaCy"),
        (["score", "in.json", "--lang", "ja", "--parser", "ginza:a.b"], 'a.b is not installed; install it with: pip install ".[ja]"'),
        (["score", "in.json", "--lang", "ja", "--parser", "ginza:.b"], '.b is not installed; install it with: pip install ".[ja]"'),
        (["score", "in.json", "--lang", "ja", "--parser", "ginza:__main__"], "__main__ is not installed; install it with: pip install"),
        (["why", "a \udcff dog", "a", "dog"], "CAPTION: found b'\\xff', expected text in UTF-8"),
        (["why", "a dog", "a", "\udcff"], "WORD: found b'\\xff', expected text in UTF-8"),
        (["why", "a dog " * 200_000, "a", "dog"], "CAPTION: found 1,200,000 characters, expected a caption of at most 10,000"),
    ]:  # fmt: skip
        assert message in error_line(capsys, *arguments)
    for content, message in [
        ("no json", "line 1, column 1: found 'no json', expected JSON"),
        ('[{"image_id": 1, "test": 5, "refs": ["a"]}]', "row 1, field test: found 5, expected a caption"),
        ('[{"image_id": 1, "test": "a", "refs": []}]', "row 1, field refs: found []"),
    ]:  # fmt: skip
        path = tmp_path / "in.json"
        path.write_text(content)
        error = error_line(capsys, "score", str(path))
        assert error.startswith(f"{path}, ") and message in error
        path.write_text("[]")
        (tmp_path / "head.csv").write_text("image_id,test,ref1\n")
        for command, file in itertools.product(("score", "metrics"), (path, tmp_path / "head.csv")):
            assert error_line(capsys, command, str(file)) == f"{file}: found no row, expected captions with references"
    input_path.write_text(json.dumps(DOG_ITEMS))
    for option in ("--out", "--problems", "--cache"):
        assert "\\x00b: found embedded null byte, expected a" in error_line(capsys, "score", str(input_path), option, "a\0b")


def test_an_incomplete_pipeline_and_an_endless_regular_expression_are_reported_in_one_line(tmp_path, capsys):
    for meta, message in [
        ('{"lang": "en", "name": "x"}', "meta.json: found KeyError: 'version', expected the metadata of a spaCy pipeline"),
        ('{"lang": "en", "name": "x", "version": 1}', "expected the metadata of a spaCy pipeline"),
        ("[]", "meta.json: found TypeError"), ("[" * 20_000, "meta.json: found RecursionError"),
        ('{"lang": "en", "name": "x", "version": "1|2"}', "expected the metadata of a spaCy pipeline"),
        ('{"lang": "en", "name": "x", "version": "1"}', "config.cfg, expected a spaCy pipeline that can be loaded; reinstall the pipeline"),
    ]:  # fmt: skip
        (tmp_path / "meta.json").write_text(meta)
        (tmp_path / "in.txt").write_text("a dog\n")
        assert message in error_line(capsys, "parse", str(tmp_path / "in.txt"), "--parser", f"spacy:{tmp_path}")
    rule = f"""[[rule]]\nname = 'a'\nreason = 'b'\nyields = '(x)'\npattern = '{{word:/{"(" * 3000}{")" * 3000}/}}=x'
        example = {{caption = 'a', tree = 'a/a/NN/0/root', tuples = [['a']]}}
        near_miss = {{caption = 'a', tree = 'a/a/NN/0/root'}}"""
    (tmp_path / "mine.toml").write_text(rule)
    (tmp_path / "in.txt").write_text("a dog\n")
    error = error_line(capsys, "parse", str(tmp_path / "in.txt"), "--rules", str(tmp_path / "mine.toml"))
    assert "line 5, column 18: rule a: position 7" in error and "at most 1000 characters" in error


def test_another_encoding_is_read_and_reported(tmp_path, capsys):
    path = tmp_path / "in.csv"
    path.write_bytes("image_id,test,ref1\n1,赤い傘をさした人がいる。,赤い傘の人がいる。\n".encode("cp932"))
    assert main(["score", str(path), "--lang", "ja", "--no-synsets"]) == 0
    captured = capsys.readouterr()
    assert captured.err == f"spice-core: {path} was read as Shift_JIS\n" and "1 image" in captured.out


def test_unusual_columns_are_reported_with_a_working_command(tmp_path, capsys):
    path = tmp_path / "in.csv"
    path.write_text("file name,hypothesis,gt 1,gt 2\na.jpg,a dog sits,a brown dog,a cat\nb.jpg,a red bus,a bus,a car\n")
    option = re.search(r"\(or (--columns .*)\)", error_line(capsys, "score", str(path)))[1]
    assert option == "--columns 'image_id=file name' test=hypothesis 'refs=gt 1,gt 2'"
    assert main(["score", str(path), "--silent", *shlex.split(option)]) == 0
    assert [row["image_id"] for row in json.loads(capsys.readouterr().out)] == ["a.jpg", "b.jpg"]
