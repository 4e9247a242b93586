"""Test the HTML page with both graphs: self-contained, escaped, with matched nodes at the same position on both sides."""

import json
import re

from spice_core.draw.frame import GraphPanel, drawing_data, drawing_page
from spice_core.draw.layout import layout_graphs
from spice_core.draw.network import result_networks
from spice_core.explain.evidence import IMPLICIT_SUBJECT
from spice_core.metrics.result import SpiceResult
from tests.draw.test_layout import SPICE_WITHOUT_SYNONYMS

HOSTILE_TEXT = "</script><img src=x onerror=alert(1)>&\u2028"


def render_page(result: SpiceResult, **texts: str) -> str:
    """Return the page with both graphs of a result."""
    graphs = result_networks(result, implicit_subject=texts.pop("implicit_subject", IMPLICIT_SUBJECT))
    titles = (
        GraphPanel(graph, title, empty_text=f"No tuples in the {title}.", **texts)
        for graph, title in zip(graphs, ("candidate", "references"))
    )
    return drawing_page(drawing_data(list(titles), layout_graphs(*graphs)))


def page_data(document: str) -> dict:
    """Return the data that the page draws."""
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', document, re.DOTALL)
    return json.loads(match.group(1))


def test_both_graphs_share_a_layout_with_states_and_badges_and_fetch_nothing(result):
    document = render_page(result)
    markup = re.sub(r"<script.*?</script>", "", document, flags=re.DOTALL)
    assert "<link" not in markup and not re.search(r"(src|href)\s*=", markup) and "@import" not in markup
    assert not re.search(r"<script[^>]*\bsrc", document) and not re.search(r"url\((?!data:)", markup)
    assert "cdn" not in document.lower() and document.startswith("<!doctype html>")
    left_nodes, right_nodes = ({n["label"]: (n["x"], n["y"]) for n in panel["nodes"]} for panel in page_data(document)["panels"])
    assert {word for word in left_nodes.keys() & right_nodes.keys() if left_nodes[word] == right_nodes[word]} >= {"girl", "young", "court"}
    assert left_nodes["racquet"] == right_nodes["racket"]
    left_nodes, right_nodes = ({n["label"]: n for n in panel["nodes"] if n["kind"] != "bend"} for panel in page_data(document)["panels"])
    assert (
        left_nodes["hat"]["state"] == "extra" and right_nodes["woman"]["state"] == "missing" and left_nodes["racquet"]["state"] == "synonym"
    )
    assert right_nodes["girl"]["badge"] == "2/2" and right_nodes["woman"]["badge"] == "1/2" and left_nodes["girl"]["badge"] == ""
    assert page_data(document)["options"]["physics"] is False


def test_markup_is_text_and_unusual_graphs_are_drawn():
    result = SPICE_WITHOUT_SYNONYMS.compute([[HOSTILE_TEXT], [HOSTILE_TEXT, HOSTILE_TEXT]], [[[HOSTILE_TEXT]]])
    document = render_page(result, alt=HOSTILE_TEXT, note=HOSTILE_TEXT)
    assert "<img" not in document and "\u2028" not in document.partition('id="data">')[2]
    assert document.count("</script>") == 3
    assert any(HOSTILE_TEXT in n["title"] for n in page_data(document)["panels"][0]["nodes"])
    result = SPICE_WITHOUT_SYNONYMS.compute([["%% vis %%"], ["{{data}}"]], [[["x"]]])
    labels = {n["label"] for n in page_data(render_page(result))["panels"][0]["nodes"]}
    assert labels == {"%% vis %%", "{{data}}"}
    document = render_page(SPICE_WITHOUT_SYNONYMS.compute([], [[["dog"]]]))
    assert "No tuples in the candidate." in document and page_data(document)["panels"][0]["nodes"] == []
    rows = [["umbrella"], ["[PHI]", "hold", "umbrella"]]
    document = render_page(SPICE_WITHOUT_SYNONYMS.compute(rows, [rows]), implicit_subject="(someone)")
    left_nodes, right_nodes = ({n["label"]: n for n in panel["nodes"]} for panel in page_data(document)["panels"])
    assert "[PHI]" not in left_nodes and left_nodes["(someone)"]["state"] == "" and "[PHI]" in left_nodes["(someone)"]["title"]
    assert all(
        left_nodes[word]["x"] == right_nodes[word]["x"] and left_nodes[word]["y"] == right_nodes[word]["y"]
        for word in ("(someone)", "hold", "umbrella")
    )
    edges = page_data(render_page(SPICE_WITHOUT_SYNONYMS.compute([["dog", "chase", "dog"], ["dog", "on", "sofa"]], [[["cat"]]])))
    smooth_edges = [e["smooth"]["enabled"] for e in edges["panels"][0]["edges"] if "smooth" in e]
    # The default for all edges is "smooth": false, so an edge without "enabled" would be straight.
    assert smooth_edges == [True, True]
