"""The command line: output in the original SPICE's shape, exit codes, one line on bad input."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from spice_core.cli.main import main
from spice_core.evaluation.executors import MOST
from tests.conftest import DATA

ITEMS = [
    {"image_id": "b", "test": "a brown dog on a sofa", "refs": ["a dog lies on a couch", "two red cushions"]},
    {"image_id": 3, "test": [["dog"], ["dog", "two"]], "refs": [[["dog", "two"], ["dog", "big"]]]},
]


@pytest.fixture
def infile(tmp_path):
    path = tmp_path / "in.json"
    path.write_text(json.dumps(ITEMS))
    return path


def scored(infile, *options: str) -> list[dict]:
    out = infile.with_name("out.json")
    assert main(["score", str(infile), "--out", str(out), "--silent", *options]) == 0
    return json.loads(out.read_text())


def test_scores_in_the_reference_programs_shape(infile):
    first, second = scored(infile, "--subset")
    assert [first["image_id"], second["image_id"]] == ["b", 3]
    assert list(first) == ["image_id", "scores"]
    assert second["scores"]["Cardinality"] == {"f": 1.0, "pr": 1.0, "re": 1.0, "tp": 1, "fp": 0, "fn": 0, "numImages": 1}
    assert second["scores"]["Color"]["f"] is None
    assert list(scored(infile)[0]["scores"]) == ["All"]


def test_detailed_output_has_tuples_with_truth_values(infile):
    second = scored(infile, "--detailed")[1]
    assert second["ref_tuples"] == [
        {"tuple": ["dog"], "truth_value": True},
        {"tuple": ["dog", "big"], "truth_value": False},
        {"tuple": ["dog", "two"], "truth_value": True},
    ]


@pytest.mark.parser
def test_scores_by_sentence_are_written_and_the_lowest_printed(tmp_path, capsys):
    (tmp_path / "in.json").write_text(json.dumps([{"image_id": 1, "test": "A dog runs. A cat sits.", "refs": ["A dog runs."]}]))
    assert main(["score", str(tmp_path / "in.json"), "--sentences", "--out", str(tmp_path / "out.jsonl")]) == 0
    row = json.loads((tmp_path / "out.jsonl").read_text())
    assert [(s["text"], s.get("pr"), s.get("re")) for s in row["sentences"]] == [
        ("A dog runs.", 1, None), ("A cat sits.", 0, None), ("A dog runs.", None, 1)
    ]  # fmt: skip
    assert "| 1 | 0.000 | 0 of 2 | A cat sits. |\n| 1 | 1.000 | 2 of 2 | A dog runs. |" in capsys.readouterr().out


def test_without_synsets_a_couch_is_no_sofa(infile):
    with_synsets, without = scored(infile, "--subset")[0], scored(infile, "--subset", "--no-synsets")[0]
    assert with_synsets["scores"]["Object"]["tp"] == 2
    assert without["scores"]["Object"]["tp"] == 1


@pytest.mark.parser
def test_translations_are_scored_beside(tmp_path, capsys):
    pytest.importorskip("ginza")
    path = tmp_path / "in.json"
    first = {"image_id": 1, "test": "赤い傘", "refs": ["赤い傘をさした人"], "test_en": "a red umbrella", "refs_en": ["a red umbrella"]}
    path.write_text(json.dumps([first, {"image_id": 2, "test": "犬", "refs": ["犬が走る"]}]))
    translated, without = scored(path, "--lang", "ja", "--translations")
    assert translated["scores_en"]["All"]["f"] == 1.0 and 0 < translated["scores"]["All"]["f"] < 1
    assert "scores_en" not in without
    assert main(["score", str(path), "--lang", "ja", "--translations"]) == 0
    shown = capsys.readouterr().out
    assert shown.index("spice|lang:ja") < shown.index("SPICE on the translations") < shown.index("spice|lang:en")


@pytest.mark.parser
def test_several_workers_give_the_same_file(infile):
    assert scored(infile, "--subset", "--detailed", "--workers", "2") == scored(infile, "--subset", "--detailed")


def test_the_summary_shows_means_counts_and_the_signature(infile, capsys):
    assert main(["score", str(infile), "--subset"]) == 0
    out = capsys.readouterr().out
    assert "Cardinality    0.500" in out and "2 images, 3 captions parsed" in out and "spice|lang:en|" in out


def test_the_columns_of_the_summary_are_apart_where_matches_are_partial(tmp_path, capsys):
    """The credit of (犬, 走る, 海) for (犬, 走る, 道) is 2/3, and was printed with all its digits."""
    rows = [{"image_id": n, "test": [["犬", "走る", "海"]], "refs": [[["犬", "走る", "道"]]]} for n in range(7)]
    (tmp_path / "in.json").write_text(json.dumps(rows))
    assert main(["score", "--lang", "ja", "--synonyms", "none", str(tmp_path / "in.json"), "--subset"]) == 0
    heads, everything, *lines = capsys.readouterr().out.splitlines()
    assert heads.split()[3:] == ["matched", "candidate", "reference", "images"]
    assert everything.split() == ["All", "0.556", "0.556", "0.556", "11.67", "21", "21", "7"]
    assert all(len(line.split()) == 8 for line in lines if line.startswith(("Object", "Attribute", "Relation")))


@pytest.mark.parser
def test_parse_gives_one_line_for_each_caption_in_order(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a red  umbrella\n\na dog\n")))
    assert main(["parse", "-"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["caption"] for line in lines] == ["a red  umbrella", "", "a dog"]
    assert lines[0]["propositions"] == [["umbrella", "red"], ["umbrella"]]
    assert lines[0]["tuples"] == [["umbrella"], ["umbrella", "red"]]
    assert lines[1]["propositions"] == []


@pytest.mark.parametrize("options", [(), ("--conllu",)])
def test_text_that_is_no_utf8_is_named_with_its_line(tmp_path, capsys, monkeypatch, options):
    path, content = tmp_path / "in.txt", b"# caption = a dog\n# caption = caf\xe9\n"
    path.write_bytes(content)
    assert main(["parse", str(path), *options]) == 2
    assert capsys.readouterr().err == f"spice-core: {path}, line 2: found b'\\xe9', expected text in UTF-8\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main(["parse", "-", *options]) == 2
    assert capsys.readouterr().err == "spice-core: -, line 2: found b'\\xe9', expected text in UTF-8\n"


@pytest.mark.parser
def test_a_byte_order_mark_is_no_word(tmp_path, capsys, monkeypatch):
    (tmp_path / "in.txt").write_bytes(b"\xef\xbb\xbfdog\r\n")
    assert main(["parse", str(tmp_path / "in.txt")]) == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfdog\r\n")))
    assert main(["parse", "-"]) == 0
    assert capsys.readouterr().out == '{"caption": "dog", "propositions": [["dog"]], "tuples": [["dog"]]}\n' * 2


def test_a_reader_that_leaves_ends_the_command_quietly(tmp_path):
    (tmp_path / "in.conllu").write_text("# caption = dog\n1\tdog\tdog\t_\tNN\t_\t0\troot\t_\t_\n")
    command = [sys.executable, "-m", "spice_core", "parse", "--conllu", str(tmp_path / "in.conllu")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait() == 1
    process.stderr.close()


LONG = "[" * 10_001
TOO_LONG = "found 10,001 characters, expected a caption of at most 10,000"


@pytest.mark.parametrize(
    ("command", "content", "message"),
    [
        ("parse", f"a dog\n{LONG}\n", f"line 2: {TOO_LONG}"),
        ("gold", json.dumps({"caption": LONG, "tuples": []}), f"line 1, field caption: {TOO_LONG}"),
        ("factual", json.dumps({"caption": LONG, "scene_graph": "( dog )"}), f"line 1, field caption: {TOO_LONG}"),
        ("metrics", json.dumps({"image_id": 1, "test": LONG, "refs": ["a dog"]}), f"line 1, field test: {TOO_LONG}"),
    ],
)
def test_captions_that_are_too_long_are_named(tmp_path, capsys, command, content, message):
    path = tmp_path / "in.jsonl"
    path.write_text(content)
    assert main([command, str(path)]) == 2
    assert capsys.readouterr() == ("", f"spice-core: {path}, {message}\n")


def test_metrics_of_nothing_are_none(tmp_path, capsys):
    (tmp_path / "in.json").write_text("[]")
    assert main(["metrics", str(tmp_path / "in.json")]) == 2
    assert "in.json: found no row, expected captions with references\n" in capsys.readouterr().err


PIPES = [
    ["score", "PIPE"],
    ["score", "INPUT", "--references", "PIPE"],
    ["score", "INPUT", "--rules", "PIPE"],
    ["score", "INPUT", "--cache", "PIPE"],
    ["score", "INPUT", "--resume", "--out", "PIPE"],
    ["metrics", "PIPE"],
    ["compare", "PIPE", "PIPE"],
    ["agree", "PIPE"],
    ["gold", "PIPE"],
    ["factual", "PIPE"],
    ["parse", "PIPE"],
    ["parse", "PIPE", "--conllu"],
    ["why", "a dog", "a", "dog", "--rules", "PIPE"],
]


@pytest.mark.parametrize("command", PIPES, ids=map(" ".join, PIPES))
def test_pipes_are_refused_and_not_waited_for(infile, capsys, command):
    pipe, link = (infile.with_name(name) for name in ("pipe.toml", "rules.toml" if "--rules" in command else "link.jsonl"))
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    assert main([{"INPUT": str(infile), "PIPE": str(link)}.get(a, a) for a in command]) == 2
    assert capsys.readouterr() == ("", f"spice-core: {link}: found a pipe or device, expected a file\n")


def test_devices_are_refused(capsys):
    assert main(["parse", "/dev/zero"]) == 2
    assert capsys.readouterr().err == "spice-core: /dev/zero: found a pipe or device, expected a file\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device that is always full")
def test_a_full_disk_is_one_line(infile, capsys):
    given = infile.with_name("given.json")
    given.write_text(json.dumps(ITEMS[1:]))
    for options in (["--silent"], []):
        assert main(["score", str(given), "--out", "/dev/full", *options]) == 2
        assert capsys.readouterr() == (
            "",
            "spice-core: /dev/full: found No space left on device, expected a file that can be written\n",
        )
    assert main(["score", str(infile), "--references", str(given), "--problems", "/dev/full"]) == 2
    assert "spice-core: /dev/full: found No space left" in capsys.readouterr().err
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "spice_core", "score", str(given)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "spice-core: [Errno 28] No space left on device\n")


def test_closed_streams(infile):
    given = infile.with_name("given.json")
    given.write_text(json.dumps(ITEMS[1:]))
    for line, code, said in (
        (f"score {given} >&-", 0, ""),
        ("parse - <&-", 2, "spice-core: -: found No such file or directory, expected a readable file\n"),
    ):
        done = subprocess.run(f"{sys.executable} -m spice_core {line}", shell=True, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (code, "", said)


def test_trees_from_a_file_are_used_as_they_are(capsys):
    assert main(["parse", str(DATA / "propositions.conllu"), "--conllu", "--rules", "spice-2016"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    with open(DATA / "propositions.jsonl", encoding="utf-8") as stored:
        wanted = [json.loads(line) for line in stored]
    assert [line["caption"] for line in lines] == [w["caption"] for w in wanted]
    assert [{tuple(p) for p in line["propositions"]} for line in lines] == [{tuple(p) for p in w["propositions"]} for w in wanted]


@pytest.mark.parametrize("name", ["t.conllu.gz", "t.conllu"])
def test_trees_may_be_gzipped(tmp_path, capsys, name):
    (tmp_path / "plain.conllu").write_text("# caption = dog\n1\tdog\tdog\t_\tNN\t_\t0\troot\t_\t_\n")
    (tmp_path / name).write_bytes(gzip.compress((tmp_path / "plain.conllu").read_bytes()))
    assert [main(["parse", str(tmp_path / file), "--conllu"]) for file in ("plain.conllu", name)] == [0, 0]
    plain, packed = capsys.readouterr().out.splitlines()
    assert plain == packed
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-9])
    assert main(["parse", str(tmp_path / name), "--conllu"]) == 2
    assert f"spice-core: {tmp_path / name}: found Compressed file ended before" in capsys.readouterr().err


@pytest.mark.parser
def test_why_names_the_tuple_or_the_failing_condition(capsys):
    assert main(["why", "A brown dog is on a sofa.", "dog", "brown"]) == 0
    assert "adjective: dog – brown\n" in capsys.readouterr().out
    assert main(["why", "A brown dog is on a sofa.", "sofa", "brown"]) == 0
    assert "adjective does not apply: expected noun governs adjective by amod; found " in capsys.readouterr().out
    assert main(["why", "a dog near a dog", "dog", "dog"]) == 0
    assert capsys.readouterr().out.startswith("preposition: dog – near – dog\nadjective does not")
    assert main(["why", "A brown dog.", "dog", "dog"]) == 2
    assert "WORD: found 'dog dog', expected two words of one sentence" in capsys.readouterr().err
    assert main(["why", "A brown dog.", "dog", "red"]) == 2
    assert "WORD: found 'dog red', expected two words of one sentence" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no json", "line 1, column 1: found 'no json', expected JSON"),
        ('[{"image_id": 1, "test": 5, "refs": ["a"]}]', "row 1, field test: found 5, expected a caption"),
        ('[{"image_id": 1, "test": "a", "refs": []}]', "row 1, field refs: found []"),
    ],
)
def test_bad_input_ends_with_2_and_one_line(tmp_path, capsys, content, message):
    (tmp_path / "in.json").write_text(content)
    assert main(["score", str(tmp_path / "in.json")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and err.startswith(f"spice-core: {tmp_path / 'in.json'}, ") and message in err


RESAMPLES = [
    ["compare", "INPUT", "INPUT", "--resamples", "1000000000000"],
    ["agree", "INPUT", "--resamples", "100001"],
    ["metrics", "INPUT", "--resamples", "100001"],
    ["metrics", "INPUT", "--resamples", "0"],
]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parse", "nothing.txt"], "nothing.txt: found No such file or directory, expected a readable file"),
        (["parse", "-", "--lang", "xx"], "unknown language 'xx'; known: en"),
        (["score", "INPUT", "--rules", "mine"], "unknown rule set for English 'mine'; known: caption, spice-2016"),
        (["score", "INPUT", "--rules", "mine.toml"], "mine.toml"),
        (["score", "INPUT", "--parser", "spacy:none_such"], "python -m spacy download none_such"),
        (["score", "INPUT", "--parser", "spacy:"], "parser for English: found 'spacy:', expected a name after the colon"),
        (["score", "INPUT", "--workers", "0"], f"--workers: found 0, expected 1 to {MOST}, four for each processor"),
        (["score", "INPUT", "--workers", "100000"], f"--workers: found 100000, expected 1 to {MOST}"),
        *((words, f"--resamples: found {words[-1]}, expected 1 to 100,000") for words in RESAMPLES),
        (["score", "INPUT", "--delimiter", "ab"], "delimiter: found 'ab', expected one character, neither a quote nor a line break"),
        (["metrics", "INPUT", "--delimiter", ""], "delimiter: found '', expected one character"),
        (["score", "INPUT", "--parser", "spacy:sys"], "python -m spacy download sys"),
        (["score", "INPUT", "--parser", "spacy:__main__"], "install it"),
        (["score", "INPUT", "--parser", f"spacy:{'a' * 5000}"], "python -m spacy download"),
        (["score", "INPUT", "--parser", "spacy:json"], "meta.json: found No such file or directory, expected the description of a spaCy"),
        (["score", "INPUT", "--lang", "ja", "--parser", "ginza:a.b"], "a.b is not installed; install it with: pip install ginza"),
        (["score", "INPUT", "--lang", "ja", "--parser", "ginza:.b"], ".b is not installed; install it with: pip install ginza"),
        (["score", "INPUT", "--lang", "ja", "--parser", "ginza:__main__"], "install it"),
        (["why", "a \udcff dog", "a", "dog"], "CAPTION: found b'\\xff', expected text in UTF-8"),
        (["why", "a dog", "a", "\udcff"], "WORD: found b'\\xff', expected text in UTF-8"),
        (["why", "a dog " * 200_000, "a", "dog"], "CAPTION: found 1,200,000 characters, expected a caption of at most 10,000"),
    ],
)
def test_bad_settings_end_with_2_and_one_line(infile, capsys, arguments, message):
    assert main([str(infile) if a == "INPUT" else a for a in arguments]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and message in err


HALF = [
    ('{"lang": "en", "name": "x"}', "meta.json: found KeyError: 'version', expected the description of a spaCy pipeline"),
    ('{"lang": "en", "name": "x", "version": 1}', "expected the description of a spaCy pipeline"),
    ("[]", "meta.json: found TypeError"),
    ("[" * 20_000, "meta.json: found RecursionError"),
    ('{"lang": "en", "name": "x", "version": "1|2"}', "expected the description of a spaCy pipeline"),
    ('{"lang": "en", "name": "x", "version": "1"}', "config.cfg, expected a spaCy pipeline that can be loaded; install it again"),
]


@pytest.mark.parametrize(("meta", "message"), HALF)
def test_half_a_pipeline_is_said_to_be_one(tmp_path, capsys, meta, message):
    (tmp_path / "meta.json").write_text(meta)
    (tmp_path / "in.txt").write_text("a dog\n")
    assert main(["parse", str(tmp_path / "in.txt"), "--parser", f"spacy:{tmp_path}"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and message in err


@pytest.mark.parametrize(("lang", "caption"), [("en", "a dog " * 200_000), ("ja", "犬が走る" * 5_000), ("ja", "ﷺ" * 9_000)])
def test_a_text_too_long_to_be_a_caption_is_named(tmp_path, capsys, lang, caption):
    if lang == "ja":
        pytest.importorskip("ginza")
    (tmp_path / "in.txt").write_text(f"{caption}\n", encoding="utf-8")
    assert main(["parse", str(tmp_path / "in.txt"), "--lang", lang]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert (f"in.txt, line 1: found {len(caption):,} characters" if len(caption) > 10_000 else "a caption that Sudachi can read") in err


def test_a_rule_file_with_an_endless_regular_expression_ends_with_one_line(tmp_path, capsys):
    rule = ["[[rule]]", "name = 'a'", "reason = 'b'", "yields = '(x)'", f"pattern = '{{word:/{'(' * 3000}{')' * 3000}/}}=x'"]
    examples = [
        "example = {caption = 'a', tree = 'a/a/NN/0/root', tuples = [['a']]}",
        "near_miss = {caption = 'a', tree = 'a/a/NN/0/root'}",
    ]
    (tmp_path / "mine.toml").write_text("\n".join(rule + examples))
    (tmp_path / "in.txt").write_text("a dog\n")
    assert main(["parse", str(tmp_path / "in.txt"), "--rules", str(tmp_path / "mine.toml")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "line 5, column 18: rule a: position 7" in err and "at most 1000 characters" in err


def test_the_module_runs_as_a_command():
    done = subprocess.run([sys.executable, "-m", "spice_core", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("spice-core 0.")


@pytest.mark.parser
def test_another_encoding_is_read_and_said(tmp_path, capsys):
    path = tmp_path / "in.csv"
    path.write_bytes("image_id,test,ref1\n1,赤い傘をさした人がいる。,赤い傘の人がいる。\n".encode("cp932"))
    assert main(["score", str(path), "--no-synsets"]) == 0
    told = capsys.readouterr()
    assert told.err == f"spice-core: {path} was read as Shift_JIS\n" and "1 images" in told.out


@pytest.mark.parser
def test_other_columns_are_named_as_a_line_that_works(tmp_path, capsys):
    path = tmp_path / "in.csv"
    path.write_text("file name,hypothesis,gt 1,gt 2\na.jpg,a dog sits,a brown dog,a cat\nb.jpg,a red bus,a bus,a car\n")
    assert main(["score", str(path)]) == 2
    said = capsys.readouterr().err
    option = re.search(r"\(or (--columns .*)\)", said)[1]
    assert option == "--columns 'image_id=file name' test=hypothesis 'refs=gt 1,gt 2'"
    assert main(["score", str(path), "--silent", *shlex.split(option)]) == 0
    assert [row["image_id"] for row in json.loads(capsys.readouterr().out)] == ["a.jpg", "b.jpg"]
