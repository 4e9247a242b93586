"""FACTUAL's scene graphs: read, written, and ours in their conventions."""

from __future__ import annotations

import json

import pytest

from spice_core.cli.main import main
from spice_core.data.factual import read_graph, read_pairs, set_match, write_graph
from spice_core.errors import InputError
from spice_core.lang import language
from spice_core.lang.en.factual_style import adapted
from spice_core.metrics.spice import Spice

GRAPHS = [
    ("( man , hold , umbrella ) , ( umbrella , is , red )", [("man", "hold", "umbrella"), ("umbrella", "red")]),
    ("( urban park )", [("urban park",)]),
    ("( letter (a) , on , sign )", [("letter (a)", "on", "sign")]),
]


@pytest.mark.parametrize(("text", "tuples"), GRAPHS)
def test_graphs_are_read_as_propositions_and_written_back(text, tuples):
    parse = read_graph(text)
    assert [p.words for p in parse.propositions] == tuples
    assert write_graph(parse.propositions) == text


@pytest.mark.parametrize("text", ["", "man , hold , umbrella", "( man , hold )", "( man ,  , umbrella )"])
def test_what_is_no_graph_is_refused(text):
    with pytest.raises(InputError, match=r"row 3.*: found .*, expected \( subject , predicate , object \)"):
        read_graph(text, where="row 3")


def test_bytes_that_are_no_utf8_are_named(tmp_path):
    (tmp_path / "in.jsonl").write_bytes(b'{"caption": "caf\xe9", "scene_graph": "( a , is , b )"}')
    with pytest.raises(InputError, match=r"in.jsonl, line 1, field caption: found b'\\xe9', expected text in UTF-8"):
        read_pairs(tmp_path / "in.jsonl")


def test_equal_sets_match():
    one, other = read_graph("( dog , is , brown ) , ( dog , on , sofa )"), read_graph("( dog , on , sofa ) , ( dog , is , brown )")
    assert set_match(one, other) and not set_match(one, read_graph("( dog , on , sofa )"))


@pytest.fixture(scope="module")
def parsed() -> Spice:
    return Spice(parser="caption", rules="caption")


STYLE = [
    ("two giraffes in a field", "( giraffes , in , field ) , ( giraffes , is , 2 )"),
    ("a leg of the man", "( man , have , leg )"),
    ("a man on the tennis court", "( man , on , tennis court )"),
    ("trees on the side of the road", "( trees , on side of , road )"),
    ("a girl in a pink shirt", "( girl , wear , shirt ) , ( shirt , is , pink )"),
    ("the man is smiling", "( man , is , smiling )"),
    ("a slice of pizza on a plate", "( pizza , is , slice ) , ( pizza , on , plate )"),
    ("a glass of soda", "( soda , in , glass )"),
    ("a door", "( door )"),
]


@pytest.mark.parser
@pytest.mark.parametrize(("caption", "graph"), STYLE)
def test_our_graphs_in_their_conventions(parsed, caption, graph):
    (parse,) = parsed.parse([caption])
    assert set_match(adapted(parse), read_graph(graph)), write_graph(adapted(parse).propositions)


@pytest.mark.parser
def test_the_commands(tmp_path, capsys):
    path = tmp_path / "factual.jsonl"
    path.write_text(json.dumps({"caption": "two zebras", "scene_graph": "( zebras , is , 2 )"}))
    options = ["--parser", "caption", "--rules", "caption"]
    assert main(["factual", str(path), *options]) == 0
    out = capsys.readouterr().out
    assert "SPICE 1.0000, set match 1.0000 over 1 graphs; spice|lang:en|parser:caption" in out
    assert language("en").rule_set("caption").signature + "|scheme:spice|synonyms:wn3.0+collisions|" in out  # not those of the rules
    (tmp_path / "captions.txt").write_text("two zebras\n")
    assert main(["parse", str(tmp_path / "captions.txt"), "--factual", *options]) == 0
    assert json.loads(capsys.readouterr().out)["scene_graph"] == "( zebras , is , 2 )"
    assert main(["factual", str(path), "--lang", "ja"]) == 2
    assert "no scene graph in FACTUAL's conventions for Japanese: the pack names no conversion" in capsys.readouterr().err


def test_the_language_has_both_rule_sets():
    assert list(language("en").rules) == ["caption", "spice-2016", "stanford-2015"]
