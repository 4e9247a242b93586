"""Test the HTML page with both graphs, and drawings of trees: self-contained, escaped, matched nodes at the same position on both sides."""

import json
import re
import xml.etree.ElementTree as ET

from spice_core.draw import trees
from spice_core.draw.frame import GraphPanel, drawing_data, drawing_page
from spice_core.draw.layout import layout_graphs
from spice_core.draw.network import result_networks
from spice_core.draw.style import DisplayStyle
from spice_core.explain.evidence import IMPLICIT_SUBJECT
from spice_core.metrics.result import SpiceResult
from spice_core.syntax.document import Dependency, Sentence, Token
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
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', document, re.DOTALL)
    return json.loads(match.group(1))


def page_nodes(document: str) -> list[dict[str, dict[str, object]]]:
    """Return the displayed nodes of each panel by label."""
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


RAIN_SENTENCE = Sentence(
    (Token(1, "傘", "傘", "名詞-普通名詞"), Token(2, "を", "を", "助詞-格助詞"), Token(3, "差す", "差す", "動詞-一般")),
    (Dependency(3, 1, "obj"), Dependency(1, 2, "case"), Dependency(0, 3, "root")),
)
HOSTILE_WORD = "</script><img src=x onerror=alert(1)>"


def test_trees_of_words_and_units_are_drawn_on_a_page():
    assert [w["text"] for w in trees.word_tree(RAIN_SENTENCE)["words"]] == ["傘", "を", "差す"]
    tree = trees.unit_tree(RAIN_SENTENCE, [RAIN_SENTENCE.tokens[:2], RAIN_SENTENCE.tokens[2:]])
    assert [w["text"] for w in tree["words"]] == ["傘を", "差す"]
    assert tree["arcs"] == [{"start": 0, "end": 1, "label": "obj", "dir": "left"}]
    words = tuple(Token(i, f"word{i}", "", "NN") for i in range(1, 21))
    tree = trees.graph_tree(words, [Dependency(i, i + 1, "dep") for i in range(1, 20)])
    part = trees.truncate_tree(tree, 789)
    assert [word["text"] for word in part["words"]] == [f"word{i}" for i in range(1, 9)] and len(part["arcs"]) == 7
    assert trees.truncate_tree(tree, 1e6) == tree and len(trees.truncate_tree(tree, 1)["words"]) == 2
    first_page, second_page = (trees.tree_page([("Words", trees.word_tree(RAIN_SENTENCE))], lang="ja") for _ in range(2))
    assert first_page == second_page and 'lang="ja"' in first_page and "名詞" in first_page and "格助詞" not in first_page
    assert not re.search(r"\bsrc\s*=|<link|@import|url\(", first_page) and not re.search(r"%% \w+ %%", first_page)


def test_markup_is_text():
    awkward_sentence = Sentence(
        (Token(1, HOSTILE_WORD, HOSTILE_WORD, HOSTILE_WORD), Token(2, "x", "x", "x")),
        (Dependency(0, 1, "root"), Dependency(1, 2, HOSTILE_WORD)),
    )
    page = trees.tree_page([(HOSTILE_WORD, trees.word_tree(awkward_sentence))], DisplayStyle(HOSTILE_WORD))
    assert "<img" not in page and page.count("</script>") == 1
    picture = trees.shrinkable_svg(trees.word_tree(Sentence((Token(1, "dog", "dog", "NN"),), (Dependency(0, 1, "root"),))))
    (width, least), box = re.search(r' width="(\d+)".*max-width: 100%; min-width: (\d+)px', picture).groups(), picture.split('viewBox="')[1]
    assert int(least) == round(int(width) * 11 / 13) and box.split()[2] == width
