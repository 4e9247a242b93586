"""Test scene graphs in the formats of other programs: documented samples, round trips, hostile words, invalid files."""

import gzip
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.data import graph_parts, graphml, visual_genome
from spice_core.data.factual import is_set_match, read_graph, read_pairs, write_graph
from spice_core.data.gold import read_gold
from spice_core.data.graph_parts import MAX_PROPOSITIONS
from spice_core.data.reader import Upload, json_rows
from spice_core.data.references import References
from spice_core.draw.network import result_networks, union_network
from spice_core.errors import InputError
from spice_core.lang import language
from spice_core.lang.en.factual_style import adapt_to_factual
from spice_core.report import export
from spice_core.scene.propositions import PLACEHOLDER, Parse, add_implied_objects, parse_from_tuples
from spice_core.syntax import conllu
from spice_core.syntax.clean_text import CleaningCount, clean_text
from tests.conftest import without_steps_digest

CAPTION = "A brown dog lies on a sofa."
TUPLES = {("dog",), ("sofa",), ("dog", "brown"), ("dog", "lie on", "sofa")}
DOCUMENTATION = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
QUOTED_STRING = r'"((?:[^"\\]|\\.)*)"'

HOSTILE_WORDS = [
    "dog",
    "sofa",
    "赤い傘",
    "letter (a)",
    'a "quoted" word',
    "back\\slash",
    "\\N",
    "&lt;b&gt;",
    "</data><node/>",
    "]]>",
    "a/b",
]
TEXT = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="\x7f"), min_size=1, max_size=8).map(clean_text).filter(bool)
NAME = st.one_of(st.sampled_from(HOSTILE_WORDS), TEXT).filter(lambda word: word != PLACEHOLDER)
WORD = st.one_of(st.sampled_from([*HOSTILE_WORDS, PLACEHOLDER]), TEXT)
GRAPH = st.lists(st.one_of(st.tuples(NAME), st.tuples(WORD, WORD), st.tuples(WORD, WORD, WORD)), max_size=8)


def documented_sample(language: str) -> str:
    (sample,) = re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENTATION, re.S | re.M)
    return sample


def tuples_in_words(parse: Parse) -> set[tuple[str, ...]]:
    return {p.words for p in parse.propositions}


def tuples_with_objects(tuples: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Add the objects of all tuples, and remove the implicit subject."""
    return tuples | {(word,) for t in tuples for word in (t[0], t[-1] if len(t) == 3 else t[0])} - {(PLACEHOLDER,)}


def upload(text: str, name: str = "in") -> Upload:
    return Upload(name, text.encode())


def test_documented_samples_survive_reading_and_writing(tmp_path, capsys):
    ((id, parse),) = visual_genome.read_scene_graphs(upload(documented_sample("json")))
    assert id == 1 and tuples_in_words(parse) == TUPLES
    row = json.loads(documented_sample("jsonl"))
    assert row["caption"] == CAPTION and tuples_in_words(read_graph(row["scene_graph"])) == {("dog", "lay on", "sofa"), ("dog", "brown")}
    (document,) = conllu.read(documented_sample("conllu").splitlines())
    assert document.text == CAPTION and tuples_in_words(Spice().parse_document(document)) == TUPLES
    (tmp_path / "captions.txt").write_text(f"{CAPTION}\n")
    for format, block in {"visual-genome": "json", "factual": "jsonl", "conllu": "conllu"}.items():
        assert main(["parse", str(tmp_path / "captions.txt"), "--format", format]) == 0
        assert capsys.readouterr().out.rstrip("\n") == documented_sample(block).rstrip("\n"), format


@pytest.mark.parametrize("format", ["visual-genome", "graphml", "conllu"])
def test_written_graphs_are_read_back(tmp_path, capsys, format):
    captions = ["Wow", "A girl in a red dress holds two umbrellas.", 'Two men & a "hat" on a table.', "There is a dog on the grass."]
    (tmp_path / "captions.txt").write_text("\n".join(captions))
    assert main(["parse", str(tmp_path / "captions.txt")]) == 0
    expected_tuples = [json.loads(line)["propositions"] for line in capsys.readouterr().out.splitlines()]
    assert main(["parse", str(tmp_path / "captions.txt"), "--format", format]) == 0
    (tmp_path / "graphs").write_text(capsys.readouterr().out)
    assert main(["parse", str(tmp_path / "graphs"), "--from", format]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [set(map(tuple, row["propositions"])) for row in rows] == [
        tuples_with_objects(set(map(tuple, tuples))) for tuples in expected_tuples
    ]
    key, kept_ids = ("image_id", [1, 2, 3, 4]) if format == "visual-genome" else ("caption", captions)
    assert [row[key] for row in rows] == kept_ids


@settings(max_examples=30)
@given(st.lists(GRAPH, min_size=1, max_size=3))
def test_graphml_keeps_any_words(graphs):
    parses = [parse_from_tuples(propositions, where="") for propositions in graphs]
    text = "".join(graphml.generate_graphml(parses))
    read_parses = list(graphml.read_graphml(upload(text)))
    assert [tuples_in_words(p) for p in read_parses] == [tuples_with_objects(tuples_in_words(p)) for p in parses]
    assert [p.caption for p in read_parses] == [p.caption for p in parses]
    assert [len(g) for g in nx.GraphMLReader()(string=text)] == [text.count(f'<node id="g{n}.') for n in range(1, len(graphs) + 1)]


@settings(max_examples=50)
@given(GRAPH)
def test_factual_keeps_the_words_or_refuses_them(graph):
    parse = parse_from_tuples(graph, where="")
    try:
        text = write_graph(parse.propositions)
    except InputError as error:
        assert "expected words without" in str(error)
        return
    read_tuples = tuples_in_words(read_graph(text)) if text else set()
    assert read_tuples == ({t for t in tuples_in_words(parse) if len(t) > 1} or tuples_in_words(parse))


@settings(max_examples=30)
@given(GRAPH)
def test_visual_genome_keeps_words_except_capitals_and_dot_has_a_node_for_each_part(graph):
    parse = parse_from_tuples(graph, where="")
    first_line, *lines, last_line = graph_parts.write_dot(parse).splitlines()
    assert re.fullmatch(rf"digraph {QUOTED_STRING} \{{", first_line) and last_line == "}"
    nodes = [m for line in lines if (m := re.fullmatch(rf"  {QUOTED_STRING} \[label={QUOTED_STRING}, shape=\w+, class=(\w+)\]", line))]
    edges = [line for line in lines if re.fullmatch(rf"  {QUOTED_STRING} -> {QUOTED_STRING}( \[dir=none\])?", line)]
    assert len(nodes) + len(edges) == len(lines) - 2
    labels = [html.unescape(re.sub(r"\\(.)", r"\1", m[2])) for m in nodes if m[3] == "object"]
    objects = {w for t in tuples_with_objects(tuples_in_words(parse)) for w in (t[0], t[-1] if len(t) == 3 else t[0])}
    assert sorted(labels) == sorted({html.unescape(w) if ";" not in w else w for w in objects})
    parse = parse_from_tuples(
        [[word if word == PLACEHOLDER else word.lower().lower() for word in propositions] for propositions in graph], where=""
    )
    ((id, scene),) = visual_genome.read_scene_graphs(upload(json.dumps([visual_genome.write_scene_graphs(parse.propositions, "図 1")])))
    read_tuples, expected_tuples = (
        {tuple(w if w == PLACEHOLDER else w.lower() for w in t) for t in ts}
        for ts in (tuples_in_words(scene), tuples_with_objects(tuples_in_words(parse)))
    )
    assert id == "図 1" and read_tuples == expected_tuples


def test_graphs_saved_from_a_result_are_read_and_written_graphs_are_references(tmp_path, capsys):
    result = Spice(synonyms="none").compute([["dog", "brown"], ["dog", "on", "sofa"]], [[["dog"], ["dog", "red"]]])
    (tmp_path / "graph.graphml").write_text(export.write_graphml(result_networks(result)[0]))
    (tmp_path / "union.graphml").write_text(export.write_graphml(union_network(*result_networks(result))))
    for name, further_rows in (("graph", set()), ("union", {("dog", "red")})):
        (parse,) = graphml.read_graphml(tmp_path / f"{name}.graphml")
        assert tuples_in_words(parse) == tuples_with_objects(tuples_in_words(result.candidate) | further_rows)
    parse = parse_from_tuples([["dog"], ["dog", "brown"], ["dog", "on", "sofa"]], where="")
    (tmp_path / "graphs.json").write_text(json.dumps([visual_genome.write_scene_graphs(parse.propositions, 7)]))
    references = References(tmp_path / "graphs.json")
    assert not list(references.read(json_rows(tmp_path / "graphs.json"), CleaningCount()))
    assert tuples_in_words(references.image_references(7)[0]) == tuples_with_objects(tuples_in_words(parse))
    for text, tuples in (
        ("( man , hold , umbrella ) , ( umbrella , is , red )", [("man", "hold", "umbrella"), ("umbrella", "red")]),
        ("( urban park )", [("urban park",)]),
        ("( letter (a) , on , sign )", [("letter (a)", "on", "sign")]),
    ):
        parse = read_graph(text)
        assert [p.words for p in parse.propositions] == tuples and write_graph(parse.propositions) == text
    first_parse = read_graph("( dog , is , brown ) , ( dog , on , sofa )")
    other_parse = read_graph("( dog , on , sofa ) , ( dog , is , brown )")
    assert is_set_match(first_parse, other_parse) and not is_set_match(first_parse, read_graph("( dog , on , sofa )"))
    (tmp_path / "graphs.json").write_text(documented_sample("json"))
    for name in ("conllu", "tree"):
        assert main(["parse", str(tmp_path / "graphs.json"), "--from", "visual-genome", "--format", name]) == 2
        expected = f"--from: found graphs, which have no trees, expected captions or trees, which --format {name} requires"
        assert expected in capsys.readouterr().err
    (tmp_path / "factual.jsonl").write_text(documented_sample("jsonl"))
    assert read_pairs(tmp_path / "factual.jsonl")[0][0] == CAPTION
    assert main(["parse", str(tmp_path / "factual.jsonl"), "--from", "factual", "--format", "factual"]) == 0
    assert capsys.readouterr().out == documented_sample("jsonl")


def xml(graph: str) -> str:
    return f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{graph}</graphml>'


def graphml_nodes(*facts: tuple[str, str, str]) -> str:
    return "".join(f'<node id="{id}"><data key="kind">{kind}</data><data key="word">{word}</data></node>' for id, kind, word in facts)


DOG_NODE = ("a", "object", "dog")


def test_errors_in_graphml_name_their_place(tmp_path):
    for text, expected_message in [
        ("", "in, line 1, column 1: found no element found, expected GraphML with at least one graph"),
        (xml("<graph>"), r"in, line 1, column \d+: found mismatched tag"), ("<html/>", "in: found 'html', expected GraphML"),
        (xml(""), "in: found nothing, expected GraphML with at least one graph"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + xml("<graph/>"), "in: found '<!DOCTYPE', expected GraphML"),
        (xml(f"<graph>{graphml_nodes(DOG_NODE)}</graph><graph>{graphml_nodes(('b', 'thing', 'cat'))}</graph>"), "in, graph 2, node 'b': found 'thing', expected object, attribute or relation in the key kind"),
        (xml(f"<graph>{graphml_nodes(('b', 'object', ' '))}</graph>"), "in, graph 1, node 'b': found ' ', expected a word"),
        (xml(f"<graph>{graphml_nodes(DOG_NODE, DOG_NODE)}</graph>"), "in, graph 1: found two nodes with the same id"),
        (xml(f"<graph>{graphml_nodes(DOG_NODE, ('b', 'attribute', 'red'))}</graph>"), "node 'b': found edges from 0 and to 0 objects, expected an edge from an object"),
        (xml(f'<graph>{graphml_nodes(DOG_NODE, ("r", "relation", "on"))}<edge source="a" target="r"/></graph>'), "node 'r': found edges from 1 and to 0 objects"),
        (xml(f'<graph>{graphml_nodes(DOG_NODE)}<edge source="a" target="z"/></graph>'), "in, graph 1, edge 1: found 'z', expected the id of an existing node"),
        (xml(f"<graph>{graphml_nodes(*((f'n{i}', 'object', 'dog') for i in range(MAX_PROPOSITIONS + 1)))}</graph>"), "in, graph 1: found more than 2,000 tuples"),
    ]:  # fmt: skip
        with pytest.raises(InputError, match=expected_message):
            list(graphml.read_graphml(upload(text)))
    with pytest.raises(InputError, match="found 'UTF-16'"):
        list(graphml.read_graphml(Upload("in", xml("<graph/>").encode("utf-16"))))
    with gzip.open(tmp_path / "in.gz", "wb") as file:
        file.write(b" " * ((16 << 20) + 1))
    with pytest.raises(InputError, match="found more than 16 MB, expected a smaller file"):
        list(graphml.read_graphml(tmp_path / "in.gz"))


EDGE = {"predicate": "on", "subject_id": 1, "object_id": 2}
TOO_MANY_OBJECTS = [{"object_id": n, "names": [f"dog {n}"]} for n in range(MAX_PROPOSITIONS + 1)]


def test_errors_in_visual_genome_and_factual_name_their_place(tmp_path):
    for row, expected_message in [
        ({"objects": []}, "in, row 1, field relationships: found only image_id, objects"),
        ({"objects": None, "relationships": []}, "in, row 1, field objects: found None, expected a list objects"),
        ({"objects": [{"object_id": 1, "names": ["dog"]}], "relationships": [EDGE]}, r"relationships\[0\]: found 2, expected the object_id"),
        ({"objects": TOO_MANY_OBJECTS, "relationships": []}, "in, row 1, field objects: found more than 2,000 tuples, expected at most 2,000"),
    ]:  # fmt: skip
        with pytest.raises(InputError, match=expected_message):
            list(visual_genome.read_scene_graphs(upload(json.dumps([{"image_id": 1} | row]))))
    with pytest.raises(InputError, match=r"line 2, triple 2: found '\( dog , on \)', expected"):
        read_graph("( dog , is , brown ) , ( dog , on ) , ( cat )", where="line 2")
    with pytest.raises(InputError, match="found more than 2,000 tuples"):
        read_graph(" , ".join(f"( dog {n} )" for n in range(MAX_PROPOSITIONS + 1)))
    with pytest.raises(InputError):
        read_graph("(" * 200_000)
    for text in ("", "man , hold , umbrella", "( man , hold )", "( man ,  , umbrella )"):
        with pytest.raises(InputError, match=r"row 3.*: found .*, expected \( subject , predicate , object \)"):
            read_graph(text, where="row 3")
    (tmp_path / "in.jsonl").write_bytes(b'{"caption": "caf\xe9", "scene_graph": "( a , is , b )"}')
    with pytest.raises(InputError, match=r"in.jsonl, line 1, field caption: found b'\\xe9', expected text in UTF-8"):
        read_pairs(tmp_path / "in.jsonl")


def test_our_graphs_are_adapted_to_the_conventions_of_factual_also_by_commands(tmp_path, capsys):
    style = {
        "two giraffes in a field": "( giraffes , in , field ) , ( giraffes , is , 2 )", "a leg of the man": "( man , have , leg )",
        "a man on the tennis court": "( man , on , tennis court )", "trees on the side of the road": "( trees , on side of , road )",
        "a girl in a pink shirt": "( girl , wear , shirt ) , ( shirt , is , pink )", "the man is smiling": "( man , is , smiling )",
        "a slice of pizza on a plate": "( pizza , is , slice ) , ( pizza , on , plate )", "a glass of soda": "( soda , in , glass )",
        "a door": "( door )",
    }  # fmt: skip
    for graph, parse in zip(style.values(), Spice(parser="caption", rules="caption").parse(style)):
        assert is_set_match(adapt_to_factual(parse), read_graph(graph)), write_graph(adapt_to_factual(parse).propositions)
    path = tmp_path / "factual.jsonl"
    path.write_text(json.dumps({"caption": "two zebras", "scene_graph": "( zebras , is , 2 )"}))
    options = ["--parser", "caption", "--rules", "caption"]
    assert main(["factual", str(path), *options]) == 0
    output = capsys.readouterr().out
    assert "SPICE 1.0000, set match 1.0000 over 1 graph; spice|lang:en|parser:caption" in output
    # The command uses the synonyms of the original SPICE instead of those that the rules name.
    assert language("en").rule_set("caption").signature + "|scheme:spice|synonyms:wn3.0+collisions|" in without_steps_digest(output)
    (tmp_path / "captions.txt").write_text("two zebras\n")
    assert main(["parse", str(tmp_path / "captions.txt"), "--format", "factual", *options]) == 0
    assert json.loads(capsys.readouterr().out)["scene_graph"] == "( zebras , is , 2 )"
    # The authors of FACTUAL publish their data in this layout.
    table = tmp_path / "factual.csv"
    table.write_text('image_id,region_id,caption,scene_graph\n1,7,two zebras,"( zebras , is , 2 )"\n2,8,a red door,"( door , is , red )"\n')
    assert main(["factual", str(table), *options]) == 0 and "set match 1.0000 over 2 graphs" in capsys.readouterr().out
    assert {tuple(sorted(g.tuples)) for g in read_gold(table)} == {(("zebras",), ("zebras", "2")), (("door",), ("door", "red"))}
    assert main(["factual", str(path), "--lang", "ja"]) == 2
    assert (
        "no scene graph in FACTUAL's conventions for Japanese: the language pack defines no conversion to these conventions"
        in capsys.readouterr().err
    )


def test_long_captions_are_adapted_to_the_conventions_of_factual():
    """Annotators of long captions record colours, clothes, parts and places, and otherwise only the things."""
    style = {
        "A tranquil body of water lies ahead.": "( water , is , tranquil )",
        "The sky is a clear blue.": "( sky , is , blue ) , ( sky , is , clear )",
        "A bat, with its black colors, lies here.": "( bat , is , black )",
        "A light blue car is parked on a street.": "( car , park on , street ) , ( car , is , light blue )",
        "To the right of the plate, there is a pitcher.": "( pitcher , on the right side of , plate )",
        "The background features a white wall.": "( wall , in , background ) , ( wall , is , white )",
        "A man adorned in a robe sits on a rock.": "( man , wear , robe ) , ( man , sit on , rock )",
        "A woman lifts her right hand.": "( woman , have , hand ) , ( hand , is , right )",
        "A tower stands as a silent sentinel.": "( tower )",
        "Cars contribute to the scene.": "( cars )",
    }
    # With a second sentence, each caption is long.
    parses = Spice(parser="caption", rules="caption").parse(f"{caption} Snow." for caption in style)
    for graph, parse in zip(style.values(), parses):
        factual_tuples, expected_tuples = (
            add_implied_objects(p.words for p in adapted.propositions) - {("snow",)}
            for adapted in (adapt_to_factual(parse), read_graph(graph))
        )
        assert factual_tuples == expected_tuples, parse.caption


@pytest.mark.skipif(
    shutil.which("dot") is None, reason="no Graphviz: what it reads in our DOT was NOT checked; install it: apt-get install graphviz"
)
def test_graphviz_reads_the_words_of_dot_as_they_are():
    awkward_words = ['"', "\\", "\\n", "\\N", '\\"', "<b>", "&lt;", "&", "&amp;lt;", "{a|b}", "->", ";", "犬", "é", "a]b", "#c", "//", "%"]
    parse = parse_from_tuples([[word, f"{word} {word}"] for word in awkward_words], where="")
    drawing = subprocess.run(["dot", "-Tsvg"], input=graph_parts.write_dot(parse), capture_output=True, text=True, check=True)
    assert not drawing.stderr
    texts = {html.unescape(text) for text in re.findall("<text[^>]*>(.*?)</text>", drawing.stdout)}
    assert texts == {word for tuple_words in tuples_in_words(parse) for word in tuple_words}


@pytest.mark.parametrize(("source", "graph"), [
    ("sng", {"entities": [{"head": "dogs", "lemma_head": "dog", "modifiers": [{"dep": "det", "span": "a"}, {"dep": "amod", "span": "brown"}]}, {"head": "sofa"}], "relations": [{"subject": 0, "relation": "on", "object": 1}]}),
    ("stanford", {"phrase": "A brown dog on a sofa.", "objects": [{"names": ["dog"]}, {"names": ["sofa"]}], "attributes": [{"subject": 0, "object": "brown"}], "relationships": [{"subject": 0, "predicate": "on", "object": 1}]}),
])  # fmt: skip
def test_graphs_of_other_parsers_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, graph: dict):
    path = tmp_path / "graphs.json"
    path.write_text(json.dumps([graph, {**graph, "id": 7}]), encoding="utf-8")
    assert main(["parse", "--from", source, str(path)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["image_id"] for row in rows] == [1, 7]
    assert all(row["propositions"] == [["dog"], ["dog", "brown"], ["sofa"], ["dog", "on", "sofa"]] for row in rows)
