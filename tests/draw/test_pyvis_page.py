"""Test the page of a pyvis network: it fetches nothing, and its nodes have the places, shapes and marks of our drawings."""

import re

from spice_core.draw.layout import layout_graphs
from spice_core.draw.network import view_network
from spice_core.report.export import pyvis_network, pyvis_page
from tests.draw.test_layout import SPICE_WITHOUT_SYNONYMS

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
