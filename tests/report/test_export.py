"""Exports for other programs: GraphML, DOT, JSON, CSV and LaTeX contain the data of the result."""

import csv
import html
import io
import json
import re

import networkx as nx

from spice_core.draw.layout import layout_graphs
from spice_core.draw.network import difference_network, result_networks, union_network, view_network
from spice_core.draw.style import DisplayStyle
from spice_core.explain.evidence import tuple_text
from spice_core.explain.explanation import Explanation
from spice_core.report.export import (
    flatten_attributes,
    pyvis_network,
    pyvis_page,
    result_as_json,
    result_as_spice_json,
    write_dot,
    write_graphml,
)
from spice_core.report.tables import escape_tex, scores_latex, tuples_csv
from spice_core.syntax.clean_text import clean_text
from tests.draw.test_layout import SPICE_WITHOUT_SYNONYMS

ODD_WORDS = ['a "quoted" word', "back\\slash", "two\nlines", "赤い傘", "<b>&amp;</b>", "\uffff"]
QUOTED_STRING = r'"((?:[^"\\]|\\.)*)"'


def all_networks() -> list[nx.DiGraph]:
    graphs = result_networks(
        SPICE_WITHOUT_SYNONYMS.compute(
            [[word] for word in ODD_WORDS] + [[ODD_WORDS[0], ODD_WORDS[1], ODD_WORDS[3]]], [[[ODD_WORDS[3], ODD_WORDS[4]]]]
        )
    )
    return [*graphs, union_network(*graphs), difference_network(*graphs)]


def test_graphml_and_dot_have_every_node_edge_and_state(result):
    graphs = result_networks(result)
    for network in (*graphs, union_network(*graphs), difference_network(*graphs), *all_networks()):
        parsed_graph = nx.parse_graphml(write_graphml(network))
        assert dict(parsed_graph.nodes(data=True)) == {name: flatten_attributes(facts) for name, facts in network.nodes(data=True)}
        edges = {(a, b): facts for a, b, facts in network.edges(data=True)}
        assert {(a, b): facts for a, b, facts in parsed_graph.edges(data=True)} == edges
    for network in all_networks():
        dot_text = write_dot(network)
        parsed_graph = re.findall(rf"^  {QUOTED_STRING} \[(.*)\]$", dot_text, re.MULTILINE)
        labels = {name: re.search(rf"\blabel={QUOTED_STRING}", facts)[1] for name, facts in parsed_graph}
        shown_words = {
            name: html.unescape(re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], label)) for name, label in labels.items()
        }
        assert shown_words == {n: "/".join(f["words"]).replace("\uffff", "\ufffd") for n, f in network.nodes(data=True)}
        edges = re.findall(rf"^  {QUOTED_STRING} -> {QUOTED_STRING}( \[dir=none\])?$", dot_text, re.MULTILINE)
        assert {(a, b): not is_plain for a, b, is_plain in edges} == {(a, b): arrow for a, b, arrow in network.edges(data="arrow")}
        assert len(dot_text.splitlines()) == 4 + len(network) + network.number_of_edges()
    (racquet,) = [line for line in write_dot(result_networks(result)[0]).splitlines() if 'label="racquet"' in line]
    assert 'shape="box"' in racquet and 'peripheries="2"' in racquet and write_dot(result_networks(result)[1]).count('style="dotted"') > 3


def test_json_contains_the_full_result_and_null_for_undefined_values(result, synonyms):
    content = json.loads(result_as_json(Explanation(result, synonyms)))
    assert content["candidate"] == result.candidate.caption and content["signature"] == str(result.signature)
    assert content["scores"]["All"]["f1"] == result.f1 and content["scores"]["Cardinality"]["matched"] == 0
    candidate_tuple, reference_tuple = content["tuples"]["candidate"], {t["id"]: t for t in content["tuples"]["references"]}
    assert len(candidate_tuple) == len(result.candidate_tuples) and len(reference_tuple) == len(result.reference_tuples)
    for tuple_, match in ((t, result.match_by_tuple.get(o.id)) for t, o in zip(candidate_tuple, result.candidate_tuples)):
        assert (match is None) == ("partner" not in tuple_) == (tuple_["state"] == "extra")
        if match:
            assert reference_tuple[tuple_["partner"]]["words"] == [e.words for e in match.reference.elements]
    (racquet,) = [t for t in candidate_tuple if t["words"] == [["racquet"]]]
    assert racquet["evidence"][0]["senses"] == [{"name": "racket.n.04", "gloss": "a sports implement", "accidental": False}]
    assert reference_tuple["r:o1"]["sources"] == [{"caption": n, "words": "girl", "rule": "given"} for n in (1, 2)]
    empty_result = SPICE_WITHOUT_SYNONYMS.compute([["dog"]], [[["cat"]]])
    assert json.loads(result_as_json(Explanation(empty_result, SPICE_WITHOUT_SYNONYMS.synonyms)))["scores"]["Relation"]["f1"] is None
    (image,) = json.loads(result_as_spice_json(empty_result, "図 1"))
    assert image["image_id"] == "図 1" and image["scores"]["Relation"]["f"] is None and image["test_tuples"][0]["truth_value"] is False


def test_csv_round_trips_without_formulas_and_latex_escapes_text(result, synonyms):
    explanation = Explanation(result, synonyms, {"Color": frozenset({"blue"})})
    data = tuples_csv(explanation)
    assert data.startswith(b"\xef\xbb\xbf")
    head, *lines = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert head[0] == "Tuple" and len({len(line) for line in (head, *lines)}) == 1
    assert [line[0] for line in lines] == [tuple_text(row.parts) for row in explanation.rows]
    table = {line[0]: dict(zip(head, line)) for line in lines}
    assert table["racquet"]["Matched with"] == "racket" and "a sports implement" in table["racquet"]["Match"]
    assert table["girl"]["Words in the references"] == "girl (1, 2)" and table["court: blue"]["Categories"] == "Color"
    for word in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠x", "  =1"]:
        single_result = SPICE_WITHOUT_SYNONYMS.compute([[word]], [[["dog"]]])
        lines = csv.reader(
            io.StringIO(tuples_csv(Explanation(single_result, SPICE_WITHOUT_SYNONYMS.synonyms)).decode("utf-8-sig"), newline="")
        )
        assert [line[0] for line in lines][1:] == [f"'{clean_text(word)}", "dog"]
    escaped = r"\textbackslash{}\&\%\$\#\_\{\}\textasciitilde{}\textasciicircum{}\textless{}\textbar{}\textgreater{}"
    assert escape_tex(r"\&%$#_{}~^<|>") == escaped
    table = scores_latex(SPICE_WITHOUT_SYNONYMS.compute([["50%_of"]], [[["dog"]]]))
    assert r"\caption{50\%\_of}" in table and r"Relation & – & – & – & 0 & 0 & 0 \\" in table
    lines = scores_latex(result, DisplayStyle(lang="ja", texts={"categories.All": "Alle & alles"})).splitlines()
    (overall_line,) = [line for line in lines if line.startswith(r"Alle \& alles &")]
    counts = [f"{v:.3f}" for v in (result.precision, result.recall, result.f1)]
    assert re.split(r"(?<!\\) & ", overall_line.removesuffix(r" \\"))[1:4] == counts and len(lines) == 12 + len(result.scores)
    assert lines[0] == f"% {result.signature}" and table.count(r"\midrule") == 2


HOSTILE_TEXT = "</script><img src=x onerror=alert(1)>"


def test_the_nodes_have_places_shapes_and_marks_and_the_page_fetches_nothing(result):
    graph = view_network(result, "union")
    nodes = {node["id"]: node for node in pyvis_network(graph).nodes}
    points = layout_graphs(graph).points
    assert {name: (node["x"], node["y"]) for name, node in nodes.items()} == {n: points[p] for n, p in graph.nodes(data="place")}
    shapes_and_marks = {(node["shape"], node["label"].partition(" ")[0]) for node in nodes.values()}
    assert {("box", "✓"), ("box", "+"), ("box", "–"), ("diamond", "✓")} <= shapes_and_marks
    page = pyvis_page(graph)
    markup = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
    assert not re.search(r"<script[^>]*\bsrc=", page) and "<link" not in markup and "://" not in markup and "vis.Network(" in page


def test_words_are_text():
    graph = view_network(SPICE_WITHOUT_SYNONYMS.compute([[HOSTILE_TEXT]], [[["x"]]]), "union")
    page = pyvis_page(graph)
    assert "<img" not in page and page.count("</script>") == pyvis_page(
        view_network(SPICE_WITHOUT_SYNONYMS.compute([["y"]], [[["x"]]]), "union")
    ).count("</script>")
