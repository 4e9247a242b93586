"""Test the HTML page with both graphs: self-contained, escaped, with matched nodes at the same position on both sides."""

import json
import re
import xml.etree.ElementTree as ET

from spice_core.draw.frame import GraphPanel, drawing_data, drawing_page
from spice_core.draw.layout import layout_graphs
from spice_core.draw.network import result_networks
from spice_core.explain.evidence import IMPLICIT_SUBJECT
from spice_core.metrics.result import SpiceResult
from tests.draw.test_layout import SPICE_WITHOUT_SYNONYMS

SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
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


def page_nodes(document: str) -> list[dict[str, dict[str, object]]]:
    """Return what the page shows of each panel's nodes, by label."""
    panels = []
    for panel in page_data(document)["panels"]:
        groups = {g.get("data-id"): g for g in ET.fromstring(panel["svg"]).iter(f"{SVG_NAMESPACE}g")}
        nodes = {}
        for node in panel["nodes"]:
            group = groups[node["id"]]
            badge = "".join(text.text for text in group.iter(f"{SVG_NAMESPACE}tspan"))
            _, _, *states = group.get("class").split()
            nodes[node["label"]] = {
                "place": group.get("transform"),
                "state": " ".join(states),
                "badge": badge,
                "title": group.findtext(f"{SVG_NAMESPACE}title"),
            }
        panels.append(nodes)
    return panels


def test_both_graphs_share_a_layout_with_states_and_badges_and_fetch_nothing(result):
    document = render_page(result)
    markup = re.sub(r"<script.*?</script>", "", document, flags=re.DOTALL)
    assert "<link" not in markup and not re.search(r"(src|href)\s*=", markup) and "@import" not in markup
    assert not re.search(r"<script[^>]*\bsrc", document) and not re.search(r"url\((?!data:)", markup)
    assert "cdn" not in document.lower() and document.startswith("<!doctype html>")
    left_nodes, right_nodes = page_nodes(document)
    shared_words = {word for word in left_nodes.keys() & right_nodes.keys() if left_nodes[word]["place"] == right_nodes[word]["place"]}
    assert shared_words >= {"girl", "young", "court"} and left_nodes["racquet"]["place"] == right_nodes["racket"]["place"]
    assert (
        left_nodes["hat"]["state"] == "extra" and right_nodes["woman"]["state"] == "missing" and left_nodes["racquet"]["state"] == "synonym"
    )
    assert right_nodes["girl"]["badge"] == "2/2" and right_nodes["woman"]["badge"] == "1/2" and left_nodes["girl"]["badge"] == ""


def test_markup_is_text_and_unusual_graphs_are_drawn():
    result = SPICE_WITHOUT_SYNONYMS.compute([[HOSTILE_TEXT], [HOSTILE_TEXT, HOSTILE_TEXT]], [[[HOSTILE_TEXT]]])
    document = render_page(result, alt=HOSTILE_TEXT, note=HOSTILE_TEXT)
    assert "<img" not in document and "\u2028" not in document.partition('id="data">')[2]
    assert document.count("</script>") == 2
    assert any(HOSTILE_TEXT in node["title"] for node in page_nodes(document)[0].values())
    result = SPICE_WITHOUT_SYNONYMS.compute([["%% script %%"], ["{{data}}"]], [[["x"]]])
    labels = {n["label"] for n in page_data(render_page(result))["panels"][0]["nodes"]}
    assert labels == {"%% script %%", "{{data}}"}
    document = render_page(SPICE_WITHOUT_SYNONYMS.compute([], [[["dog"]]]))
    assert "No tuples in the candidate." in document and page_data(document)["panels"][0]["nodes"] == []
    rows = [["umbrella"], ["[PHI]", "hold", "umbrella"]]
    document = render_page(SPICE_WITHOUT_SYNONYMS.compute(rows, [rows]), implicit_subject="(someone)")
    left_nodes, right_nodes = page_nodes(document)
    assert "[PHI]" not in left_nodes and left_nodes["(someone)"]["state"] == "" and "[PHI]" in left_nodes["(someone)"]["title"]
    assert all(left_nodes[word]["place"] == right_nodes[word]["place"] for word in ("(someone)", "hold", "umbrella"))
    page = page_data(render_page(SPICE_WITHOUT_SYNONYMS.compute([["dog", "chase", "dog"], ["dog", "on", "sofa"]], [[["cat"]]])))
    lines = [g for g in ET.fromstring(page["panels"][0]["svg"]).iter(f"{SVG_NAMESPACE}g") if g.get("class") == "edge"]
    assert sum(all("Q" in path.get("d") for path in line[:2]) for line in lines) == 2
    # A click on a line is a click on the node to which it belongs.
    owners = {tuple(line.get(f"data-{name}") for name in ("from", "to", "owner")) for line in lines}
    assert all(owner in ends for *ends, owner in owners) and len({owner for *_, owner in owners}) == 2
