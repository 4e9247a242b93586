"""Parses against gold graphs: figures by kind and rule, differences, and the command."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from spice_core.cli.main import main
from spice_core.data.gold import GoldGraph, parse_gold, read_gold, write_gold
from spice_core.errors import InputError
from spice_core.evaluation.gold import PrecisionRecall, compare
from spice_core.scene.propositions import Parse, Proposition, closed, from_tuples
from tests.conftest import GOLD, rows


def test_closed_tuples():
    tuples = [("[PHI]", "hold", "cup"), ("man", "be on", "bench"), ("sky", "blue")]
    assert closed(tuples) == {("[PHI]", "hold", "cup"), ("cup",), ("man", "on", "bench"), ("man",), ("bench",), ("sky", "blue"), ("sky",)}


def test_figures_by_kind_and_rule_and_the_differences(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"caption": "a dog on a red sofa", "tuples": [["dog", "on", "sofa"], ["sofa", "red"]], "split": "dev"}))
    (graph,) = read_gold(path)
    assert (graph.caption, graph.split) == ("a dog on a red sofa", "dev")
    found = (Proposition(("dog", "on", "sofa"), "preposition"), Proposition(("dog", "red"), "adjective"), Proposition(("dog",), "noun"))
    report = compare([graph], [Parse(graph.caption, found)])
    assert report.overall == PrecisionRecall(tp=3, predicted=4, gold=4) and report.overall.f1 == 0.75
    assert {k: (c.tp, c.predicted, c.gold) for k, c in report.kinds.items()} == {
        "object": (2, 2, 2),
        "attribute": (0, 1, 1),
        "relation": (1, 1, 1),
    }
    assert report.rules == {"adjective": (0, 1), "noun": (1, 1), "preposition": (1, 1)}
    (difference,) = report.differences
    assert difference.extra == {("dog", "red"): ("adjective",)} and difference.missing == (("sofa", "red"),)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"caption": "a dog"}', "line 1: found {'caption': 'a dog'}, expected an object with caption and tuples"),
        ('{"caption": "a dog", "tuples": [["a", "b", "c", "d"]]}', "line 1, field tuples[0]: found"),
        ('{"caption": "a dog", "tuples": [], "place_links": 5}', "line 1: found {'caption': 'a dog'"),
        ('{"caption": "caf\udce9", "tuples": []}', "line 1, field caption: found b'\\xe9', expected text in UTF-8"),
        ('{"caption": "a dog", "tuples": [["caf\udce9"]]}', "line 1, field tuples: found b'\\xe9', expected text in UTF-8"),
        ('{"caption": "a dog", "tuples": [], "split": "\\ud800"}', "line 1, field split: found '\\ud800', expected text in UTF-8"),
    ],
)
def test_bad_gold_files_are_named(tmp_path, row, message):
    (tmp_path / "gold.jsonl").write_text(row, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(InputError) as error:
        read_gold(tmp_path / "gold.jsonl", place_links=True)
    assert message in str(error.value)


def test_fields_without_a_value_are_as_if_they_were_not_there(tmp_path):
    (tmp_path / "gold.jsonl").write_text('{"caption": "a dog", "tuples": [["dog"]], "place_links": null, "split": null, "half": "dev"}')
    assert read_gold(tmp_path / "gold.jsonl", place_links=True) == [GoldGraph("a dog", frozenset({("dog",)}), "dev")]


def test_captions_with_odd_line_ends_are_read_back():
    graphs = [GoldGraph("a\u2028dog\x85and\x0ba cat", frozenset({("dog",)})), GoldGraph("a bird", frozenset({("bird",)}), "dev")]
    assert parse_gold(write_gold(graphs)) == parse_gold(write_gold(graphs).replace("\n", "\r\n")) == graphs


@pytest.mark.parametrize("command", ["gold", "factual"])
def test_a_file_without_graphs_is_named(tmp_path, capsys, command):
    path = tmp_path / "none.json"
    path.write_text("[]")
    assert main([command, str(path)]) == 2
    assert capsys.readouterr().err == f"spice-core: {path}: found no row, expected captions with graphs\n"


def test_an_unknown_split_is_told_those_that_there_are(tmp_path, capsys):
    (tmp_path / "gold.jsonl").write_text('{"caption": "a", "tuples": []}\n{"caption": "b", "tuples": [], "split": "dev"}')
    assert main(["gold", str(tmp_path / "gold.jsonl"), "--split", "test"]) == 2
    assert capsys.readouterr().err == "spice-core: --split: found 'test', expected dev\n"


def test_the_gold_graphs_are_whole():
    """Both halves, no caption twice, every subject and object listed as an object."""
    for name in ("gold_en.jsonl", "gold_ja.jsonl"):
        graphs = read_gold(GOLD / name)
        assert {g.split for g in graphs} == {"dev", "test"} and len({g.caption for g in graphs}) == len(graphs) >= 100
    for row in rows(GOLD / "gold_en.jsonl"):
        assert closed(map(tuple, row["tuples"])) == set(map(tuple, row["tuples"])), row["caption"]


def test_optional_tuples_count_neither_way():
    graph = parse_gold('{"caption": "a dog", "tuples": [["dog"]], "optional": [["dog", "in", "yard"]]}')
    assert graph[0].optional == {("dog", "in", "yard"), ("yard",)} and parse_gold(write_gold(graph)) == graph
    for words in ([["dog"]], [["dog"], ["dog", "in", "yard"]]):
        assert compare(graph, [from_tuples(words, where="parse")]).overall == PrecisionRecall(1, 1, 1)


def test_the_paragraphs_are_whole():
    """Both halves, 60 to 150 words of several sentences, all tuples closed, nothing both right and optional."""
    graphs = read_gold(GOLD / "long_en.jsonl")
    assert Counter(g.split for g in graphs) == {"dev": 20, "test": 20}
    assert all(60 <= len(g.caption.split()) <= 150 for g in graphs)
    assert Counter(g.split for g in read_gold(GOLD / "long_ja.jsonl")) == {"dev": 5, "test": 5}
    for row in (*rows(GOLD / "long_en.jsonl"), *rows(GOLD / "long_ja.jsonl")):
        tuples, optional = (set(map(tuple, row.get(name, ()))) for name in ("tuples", "optional"))
        assert closed(tuples) == tuples and not tuples & optional, row["caption"]


def test_the_gold_graphs_of_other_sources_are_whole():
    """Both splits of each source, captions of every length, no caption twice or in another gold file, and all tuples closed."""
    other = rows(GOLD / "gold_en_other.jsonl")
    texts = [" ".join(re.findall(r"\w+", row["caption"].lower())) for row in [*other, *rows(GOLD / "gold_en.jsonl")]]
    assert len(other) == len(read_gold(GOLD / "gold_en_other.jsonl")) == 150 and len(set(texts)) == len(texts)
    assert Counter(row["source"] for row in other) == {"snli-hypothesis": 62, "snli-premise": 38, "capeval1k": 25, "own": 25}
    for source in {row["source"] for row in other}:
        splits = Counter(row["split"] for row in other if row["source"] == source)
        assert set(splits) == {"dev", "test"} and abs(splits["dev"] - splits["test"]) <= 1, source
    lengths = Counter(sum(len(row["caption"].split()) >= least for least in (4, 8, 12, 17)) for row in other)
    assert set(lengths) == {1, 2, 3, 4} and min(lengths.values()) >= 25
    for row in other:
        tuples = [tuple(words) for words in row["tuples"]]
        assert closed(tuples) == set(tuples) and len(set(tuples)) == len(tuples), row["caption"]
        assert all(word == word.strip().lower() for words in tuples for word in words), row["caption"]


@pytest.mark.parser
def test_the_caption_parser_is_right_about_most_tuples_of_both_halves(capsys):
    gold = str(GOLD / "gold_en.jsonl")
    for split in ("dev", "test"):
        assert main(["gold", gold, "--split", split, "--parser", "caption", "--rules", "caption"]) == 0
        all_, _, _, relations = capsys.readouterr().out.splitlines()[1:5]
        assert float(all_.split()[1]) >= 0.91 and float(relations.split()[1]) >= 0.84
    assert main(["gold", gold, "--split", "train"]) == 2
    assert "--split: found 'train', expected dev or test" in capsys.readouterr().err


@pytest.mark.parser
def test_options_are_read_by_the_names_they_had(capsys):
    gold = str(GOLD / "gold_en.jsonl")
    assert main(["gold", gold, "--half", "train", "--analyser", "caption"]) == 2
    told = capsys.readouterr().err
    assert "--half is now --split" in told and "--analyser is now --parser" in told and "--split: found 'train'" in told
    with pytest.raises(SystemExit):
        main(["gold", "--help"])
    assert "--half" not in capsys.readouterr().out
