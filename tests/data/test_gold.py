"""Test gold graphs: scores by type of tuple and by rule, differences, the command, and test cases with trees."""

import gzip
import json
import re
from collections import Counter

import pytest

from spice_core.cli.main import main
from spice_core.data.gold import GoldGraph, parse_cases, parse_gold, read_cases, read_gold, write_gold, write_trees
from spice_core.errors import InputError
from spice_core.evaluation.gold import PrecisionRecall, compare_gold
from spice_core.lang.ja.word_lists import PLACE_NOUNS
from spice_core.rules.rule_file import read_tree
from spice_core.scene.propositions import Parse, Proposition, add_implied_objects, parse_from_tuples
from spice_core.syntax.document import Document, Sentence
from tests.conftest import GOLD, rows


def test_figures_are_given_by_kind_and_rule_with_the_differences(tmp_path):
    tuples = [("[PHI]", "hold", "cup"), ("man", "be on", "bench"), ("sky", "blue")]
    assert add_implied_objects(tuples) == {
        ("[PHI]", "hold", "cup"),
        ("cup",),
        ("man", "on", "bench"),
        ("man",),
        ("bench",),
        ("sky", "blue"),
        ("sky",),
    }
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"caption": "a dog on a red sofa", "tuples": [["dog", "on", "sofa"], ["sofa", "red"]], "split": "dev"}))
    (graph,) = read_gold(path)
    assert (graph.caption, graph.split) == ("a dog on a red sofa", "dev")
    differing_tuples = (
        Proposition(("dog", "on", "sofa"), "preposition"),
        Proposition(("dog", "red"), "adjective"),
        Proposition(("dog",), "noun"),
    )
    report = compare_gold([graph], [Parse(graph.caption, differing_tuples)])
    assert report.overall == PrecisionRecall(tp=3, predicted=4, gold=4) and report.overall.f1 == 0.75
    kinds = {k: (c.tp, c.predicted, c.gold) for k, c in report.kinds.items()}
    assert kinds == {"object": (2, 2, 2), "attribute": (0, 1, 1), "relation": (1, 1, 1)}
    assert report.rules == {"adjective": (0, 1), "noun": (1, 1), "preposition": (1, 1)}
    (difference,) = report.differences
    assert difference.extra == {("dog", "red"): ("adjective",)} and difference.missing == (("sofa", "red"),)


def test_bad_gold_files_are_reported(tmp_path):
    for row, message in (
        ('{"caption": "a dog"}', "line 1: found {'caption': 'a dog'}, expected an object with caption and tuples"),
        ('{"caption": "a dog", "tuples": [["a", "b", "c", "d"]]}', "line 1, field tuples[0]: found"),
        ('{"caption": "a dog", "tuples": [], "place_links": 5}', "line 1: found {'caption': 'a dog'"),
        ('{"caption": "caf\udce9", "tuples": []}', "line 1, field caption: found b'\\xe9', expected text in UTF-8"),
        ('{"caption": "a dog", "tuples": [["caf\udce9"]]}', "line 1, field tuples: found b'\\xe9', expected text in UTF-8"),
        ('{"caption": "\\ude00 a dog", "tuples": []}', "line 1, field caption: found '\\ude00', expected text in UTF-8"),
        ('{"caption": "a dog", "tuples": [["caf\udce9 \\ud83d"]]}', "line 1, field tuples: found '\\ud83d', expected text in UTF-8"),
        ('{"caption": "a dog", "tuples": [], "split": "\\ud800"}', "line 1, field split: found '\\ud800', expected text in UTF-8"),
    ):
        (tmp_path / "gold.jsonl").write_text(row, encoding="utf-8", errors="surrogateescape")
        with pytest.raises(InputError) as error:
            read_gold(tmp_path / "gold.jsonl", place_links=True)
        assert message in str(error.value)


def test_empty_fields_are_ignored_and_unusual_line_ends_survive(tmp_path):
    (tmp_path / "gold.jsonl").write_text('{"caption": "a dog", "tuples": [["dog"]], "place_links": null, "split": null}')
    assert read_gold(tmp_path / "gold.jsonl", place_links=True) == [GoldGraph("a dog", frozenset({("dog",)}))]
    graphs = [GoldGraph("a\u2028dog\x85and\x0ba cat", frozenset({("dog",)})), GoldGraph("a bird", frozenset({("bird",)}), "dev")]
    assert parse_gold(write_gold(graphs)) == parse_gold(write_gold(graphs).replace("\n", "\r\n")) == graphs


def test_files_without_graphs_and_unknown_splits_are_reported(tmp_path, capsys):
    path = tmp_path / "gold.jsonl"
    path.write_text("[]")
    for command in ("gold", "factual"):
        assert main([command, str(path)]) == 2
        assert capsys.readouterr().err == f"spice-core: {path}: found no row, expected captions with graphs\n"
    path.write_text('{"caption": "a", "tuples": []}\n{"caption": "b", "tuples": [], "split": "dev"}')
    assert main(["gold", str(path), "--split", "test"]) == 2
    assert capsys.readouterr().err == "spice-core: --split: found 'test', expected dev\n"


def test_optional_tuples_are_not_counted():
    graph = parse_gold('{"caption": "a dog", "tuples": [["dog"]], "optional": [["dog", "in", "yard"]]}')
    assert graph[0].optional_tuples == {("dog", "in", "yard"), ("yard",)} and parse_gold(write_gold(graph)) == graph
    for words in ([["dog"]], [["dog"], ["dog", "in", "yard"]]):
        assert compare_gold(graph, [parse_from_tuples(words, where="parse")]).overall == PrecisionRecall(1, 1, 1)


@pytest.mark.parametrize(
    "name", ["gold_ja", "gold_ja_other", "gold_ja_third", "gold_ja_fourth", "gold_ja_phenomena", "found_ja", "long_ja"]
)
def test_place_links_have_their_own_field_in_japanese_files(name):
    for row in rows(GOLD / f"{name}.jsonl"):
        stated_tuples = {tuple(t) for t in (*row["tuples"], *row.get("optional", []))}
        assert not {t for t in stated_tuples if t[1:2] == ("の",) and t[2] in PLACE_NOUNS}
        assert all(owner and link == "の" and place in PLACE_NOUNS for owner, link, place in row.get("place_links", []))


def test_the_gold_graphs_and_paragraphs_are_complete():
    for name in ("gold_en.jsonl", "gold_ja.jsonl"):
        graphs = read_gold(GOLD / name)
        assert {g.split for g in graphs} == {"dev", "test"} and len({g.caption for g in graphs}) == len(graphs) >= 100
    graphs = read_gold(GOLD / "long_en.jsonl")
    assert Counter(g.split for g in graphs) == {"dev": 20, "test": 20}
    assert all(60 <= len(g.caption.split()) <= 150 for g in graphs)
    assert Counter(g.split for g in read_gold(GOLD / "long_ja.jsonl")) == {"dev": 5, "test": 5}
    for row in (row for name in ("gold_en", "long_en", "long_ja") for row in rows(GOLD / f"{name}.jsonl")):
        tuples, optional_tuples = (set(map(tuple, row.get(name, ()))) for name in ("tuples", "optional"))
        assert add_implied_objects(tuples) == tuples and not tuples & optional_tuples, row["caption"]


def test_the_gold_graphs_of_other_sources_are_complete():
    other_rows = rows(GOLD / "gold_en_other.jsonl")
    texts = [" ".join(re.findall(r"\w+", row["caption"].lower())) for row in [*other_rows, *rows(GOLD / "gold_en.jsonl")]]
    assert len(other_rows) == len(read_gold(GOLD / "gold_en_other.jsonl")) == 150 and len(set(texts)) == len(texts)
    assert Counter(row["source"] for row in other_rows) == {"snli-hypothesis": 62, "snli-premise": 38, "capeval1k": 25, "own": 25}
    for source in {row["source"] for row in other_rows}:
        splits = Counter(row["split"] for row in other_rows if row["source"] == source)
        assert set(splits) == {"dev", "test"} and abs(splits["dev"] - splits["test"]) <= 1, source
    lengths = Counter(sum(len(row["caption"].split()) >= shortest for shortest in (4, 8, 12, 17)) for row in other_rows)
    assert set(lengths) == {1, 2, 3, 4} and min(lengths.values()) >= 25
    for row in other_rows:
        tuples = [tuple(words) for words in row["tuples"]]
        assert add_implied_objects(tuples) == set(tuples) and len(set(tuples)) == len(tuples), row["caption"]
        assert all(word == word.strip().lower() for words in tuples for word in words), row["caption"]


def test_the_caption_parser_is_right_about_most_tuples_of_both_halves(capsys):
    for split in ("dev", "test"):
        assert main(["gold", str(GOLD / "gold_en.jsonl"), "--split", split, "--parser", "caption", "--rules", "caption"]) == 0
        all_line, _, _, relations = capsys.readouterr().out.splitlines()[1:5]
        assert float(all_line.split()[1]) >= 0.91 and float(relations.split()[1]) >= 0.84


CAPTION = "A man loading boxes"
GRAPH = read_tree("A/a/DT/2/det man/man/NN/0/root loading/load/VBG/2/acl boxes/box/NNS/3/obj")
DOCUMENT = Document(CAPTION, (Sentence(GRAPH.tokens, GRAPH.edges),))
CASE = GoldGraph(CAPTION, add_implied_objects([("man", "load", "box")]), document=DOCUMENT)


def test_written_cases_are_read_and_run_by_the_command(tmp_path, capsys):
    plain_case = GoldGraph("A dog", add_implied_objects([("dog",)]))
    (read_case,) = parse_cases(write_trees([CASE, plain_case]), "cases.conllu")
    assert (read_case.caption, read_case.tuples) == (CASE.caption, CASE.tuples)
    assert read_case.document and read_case.document.sentences[0].basic == GRAPH.edges
    assert write_trees([read_case]) == write_trees([CASE])
    file = tmp_path / "cases.conllu"
    wrong_trees = write_trees([CASE]).replace("\tVBG\t_\t2\tacl", "\tNN\t_\t2\tcompound")
    for text, outcome in ((write_trees([CASE]), "1 caption, 0 differ"), (wrong_trees, "missing  man – load – box")):
        file.write_text(text, encoding="utf-8")
        assert main(["gold", str(file)]) == 0
        assert outcome in capsys.readouterr().out


def test_files_of_both_formats_are_read(tmp_path):
    trees, packed_path, plain_case = tmp_path / "cases.CONLLU", tmp_path / "cases.conllu.gz", tmp_path / "cases.jsonl.gz"
    packed_path.write_bytes(gzip.compress(write_trees([CASE]).encode()))
    trees.write_text(write_trees([CASE]), encoding="utf-8")
    plain_case.write_bytes(gzip.compress(b'{"caption": "A dog", "tuples": [["dog"]]}'))
    assert [graph.document is None for path in (trees, packed_path, plain_case) for graph in read_cases(path)] == [False, False, True]


def test_a_bad_file_is_refused_with_its_line():
    for old_text, new_text, message in (
        ("# tuples = ", "# tupels = ", "cases.conllu, line 1: found a caption without tuples"),
        ("# tuples = [[", "# tuples = [[,", "cases.conllu, line 2"),
        ("# tuples = [", '# tuples = "[', "cases.conllu, line 2"),
        ("# caption = ", "# ", "cases.conllu, line 1: found a caption without tuples"),
        ("\tVBG\t", " ", "row 5: found 8 columns"),
    ):
        with pytest.raises(InputError) as error:
            parse_cases(write_trees([CASE]).replace(old_text, new_text), "cases.conllu")
        assert message in str(error.value)
