"""Test drawings: SVG and the HTML pages of graphs and trees, self-contained and escaped."""

import base64
import io
import json
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pypdfium2
import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageColor

from spice_core import Spice
from spice_core.draw import design, trees
from spice_core.draw.frame import GraphPanel, drawing_data, drawing_page
from spice_core.draw.layout import layout_graphs
from spice_core.draw.network import NETWORK_VIEWS, difference_network, result_networks, union_network
from spice_core.draw.picture import ONE_COLUMN_MM, PICTURE_FORMATS, TWO_COLUMNS_MM, PictureOptions, draw, render_picture
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import render_graph, result_svg
from spice_core.errors import SpiceError, UnknownNameError
from spice_core.explain.evidence import IMPLICIT_SUBJECT
from spice_core.metrics.result import SpiceResult
from spice_core.syntax.document import Dependency, Sentence, Token
from tests.draw.test_layout import PROPOSITIONS, SPICE_WITHOUT_SYNONYMS

SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE_TEXT = "</script><img src=x onerror=alert(1)>&\x01\ud800\u2028"
NETWORKS_BY_VIEW = {
    "candidate": lambda c, r: [c],
    "references": lambda c, r: [r],
    "union": lambda c, r: [union_network(c, r)],
    "difference": lambda c, r: [difference_network(c, r)],
}


def nodes(picture: str) -> list[ET.Element]:
    return [g for g in ET.fromstring(picture).iter(f"{SVG_NAMESPACE}g") if g.get("class", "").startswith("node")]


@pytest.mark.parametrize("view", NETWORK_VIEWS)
def test_nodes_and_lines_are_drawn_once_in_place_and_state_with_a_head_for_each_relation(result, view):
    graphs = result_networks(result)
    places, picture = layout_graphs(*graphs), result_svg(result, view=view)
    expected_nodes, shown_nodes = {}, NETWORKS_BY_VIEW[view](*graphs)
    for graph in shown_nodes:
        for name, facts in graph.nodes(data=True):
            classes = ["node", facts["kind"], facts["state"], "context" if facts.get("context") else ""]
            points_by_node = places.points[facts["place"]]
            expected_nodes[name] = (" ".join(filter(None, classes)), " ".join(facts["ids"]), points_by_node)
    drawings = nodes(picture)
    assert len(drawings) == len(expected_nodes)
    for g in drawings:
        classes, ids, points_by_node = expected_nodes[g.get("data-id")]
        x, y = map(float, re.findall(r"-?[\d.]+", g.get("transform")))
        assert (g.get("class"), g.get("data-elements")) == (classes, ids) and abs(x - points_by_node.x) + abs(y - points_by_node.y) < 0.02
    lines = [g for g in ET.fromstring(picture).iter(f"{SVG_NAMESPACE}g") if g.get("class") == "edge"]
    assert len(lines) == sum(graph.number_of_edges() for graph in shown_nodes)
    arrow_heads = sum(len(g) == 2 for g in lines)
    assert arrow_heads == sum(bool(arrow) for graph in shown_nodes for *_, arrow in graph.edges(data="arrow"))


def test_states_differ_without_colour_and_a_partial_match_is_marked(result):
    outlines = {}
    for g in nodes(result_svg(result, view="union")):
        shapes = [s for s in g if s.tag in (f"{SVG_NAMESPACE}rect", f"{SVG_NAMESPACE}path") and s.get("stroke")]
        kind, *state = g.get("class").split()[1:]
        double = sum(s.get("stroke-width") == "1" for s in shapes)
        outlines[kind, "".join(state)] = (shapes[0].get("stroke-width"), shapes[0].get("stroke-dasharray"), double)
    assert outlines["object", "exact"] == ("2.5", None, 0) and outlines["object", "synonym"] == ("2.5", None, 1)
    assert outlines["object", "extra"] == ("1.5", "6 4", 0) and outlines["object", "missing"] == ("1.5", "1.5 3", 0)
    picture = result_svg(Spice("ja").compute([["犬", "走る", "道"]], [[["犬", "走る", "海"]]]), view="candidate")
    (relation,) = [g for g in nodes(picture) if "relation" in g.get("class")]
    assert "partial" in relation.get("class") and "½" in "".join(relation.itertext())
    around = ET.fromstring(result_svg(SPICE_WITHOUT_SYNONYMS.compute([["dog", "chase", "dog"]], [[["dog"]]]), view="candidate"))
    assert sum("Q" in path.get("d") for path in around.iter(f"{SVG_NAMESPACE}path")) == 2


def test_every_colour_is_in_the_palette_and_markup_is_text(result):
    for theme in ["light", "dark"]:
        for palette in ["default", "paper"]:
            root = ET.fromstring(result_svg(result, DisplayStyle(theme, palette)))
            used_colours = {e.get(key) for e in root.iter() for key in ("fill", "stroke")} - {None, "none"}
            assert used_colours <= set(design.theme_colours(theme, palette).values())
            auto = {e.get("fill") for e in ET.fromstring(result_svg(result, DisplayStyle("auto"))).iter()} - {None, "none"}
            assert all(re.fullmatch(r"var\(--sc-[a-z-]+\)", colour) for colour in auto)
    picture = result_svg(
        SPICE_WITHOUT_SYNONYMS.compute([[HOSTILE_TEXT], [HOSTILE_TEXT, HOSTILE_TEXT]], [[[HOSTILE_TEXT]]]),
        DisplayStyle(font_css="@font-face{font-family:x;src:url(data:,)}"),
    )
    root = ET.fromstring(picture)
    assert {e.tag.removeprefix(SVG_NAMESPACE) for e in root.iter()} <= {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "g",
        "path",
        "text",
        "tspan",
    }
    assert not {name for e in root.iter() for name in e.attrib} & {"href", "src", "onerror"}
    assert not re.search(r"url\((?!data:)|@import", picture) and picture.count("http") == 1
    assert "onerror=alert(1)>&" in root.find(f"{SVG_NAMESPACE}desc").text


def test_a_picture_has_a_description_even_if_empty(result):
    root = ET.fromstring(result_svg(result, name="one"))
    assert root.get("role") == "img" and root.get("aria-labelledby") == "one-title one-desc"
    assert root.find(f"{SVG_NAMESPACE}title").text == "Union"
    assert "girl: young" in root.find(f"{SVG_NAMESPACE}desc").text and "girl – near – net" in root.find(f"{SVG_NAMESPACE}desc").text
    difference_svg = ET.fromstring(result_svg(result, view="difference")).find(f"{SVG_NAMESPACE}desc").text
    assert "hat" in difference_svg and "court: blue" in difference_svg and "young" not in difference_svg
    empty_svg = SPICE_WITHOUT_SYNONYMS.compute([], [[["dog"]]])
    assert "The candidate gave no tuples." in draw(empty_svg).decode()
    assert "The candidate gave no tuples." in result_svg(empty_svg, view="candidate")
    assert "All tuples match." in result_svg(SPICE_WITHOUT_SYNONYMS.compute([["dog"]], [[["dog"]]]), view="difference")
    for draw_view in (draw, result_svg):
        with pytest.raises(UnknownNameError, match="view"):
            draw_view(empty_svg, view="left")


CAPTIONS = {
    "en": ("A woman without a hat holds a racquet.", ["A tall woman holds a racket."]),
    "ja": ("赤い服の女性が傘を持っている。", ["傘を差している。"]),
}
TEXTS = {"en": ("Candidate", "woman", "racket", "only in the references"), "ja": ("候補", "女性", "省略された主語（φ）", "参照のみ")}


@pytest.mark.parametrize(("lang", "width_mm"), [("en", TWO_COLUMNS_MM), ("ja", ONE_COLUMN_MM)])
def test_pictures_for_papers_have_the_width_of_columns_and_contain_their_fonts_and_texts(lang, width_mm):
    result = Spice(lang).compute(*CAPTIONS[lang])
    svg, pdf, png = (draw(result, DisplayStyle(lang=lang), format=name, width_mm=width_mm) for name in PICTURE_FORMATS)
    root = ET.fromstring(svg)
    left, right = ([float(n) for n in re.findall(r"[\d.]+", g.get("transform"))] for g in root.find(f"{SVG_NAMESPACE}g")[:2])
    assert (left[0] == right[0], left[1] == right[1]) == (width_mm == ONE_COLUMN_MM, width_mm == TWO_COLUMNS_MM)
    fonts = [base64.b64decode(font) for font in re.findall(r"base64,([^)]*)", root.findtext(f"{SVG_NAMESPACE}style"))]
    texts = {text for element in root.iter(f"{SVG_NAMESPACE}text") for text in element.itertext()}
    assert len(fonts) == 2 and set(TEXTS[lang]) <= texts
    for font in map(TTFont, map(io.BytesIO, fonts)):
        assert set(map(ord, "".join(texts))) <= font.getBestCmap().keys()
    page = pypdfium2.PdfDocument(pdf)[0]
    size_mm = [length * 25.4 / 72 for length in page.get_size()]
    assert size_mm == pytest.approx([float(root.get(side).removesuffix("mm")) for side in ("width", "height")], abs=0.1)
    assert size_mm[0] == pytest.approx(width_mm, abs=0.01)
    assert pdf.count(b"/FontFile2") == 2 and not re.search(rb"/Subtype /Type1\b", pdf)
    page_text = page.get_textpage().get_text_range()
    assert all(text in page_text for text in TEXTS[lang])
    picture = Image.open(io.BytesIO(png))
    assert picture.width == pytest.approx(width_mm / 25.4 * 96 * 3, abs=2) and picture.info["dpi"] == pytest.approx((288, 288), abs=1)
    colours = {colour for _, colour in picture.getcolors(1 << 20)}
    assert {ImageColor.getrgb(design.COLOURS_BY_THEME["light"][name]) for name in ("object", "object-fill", "relation")} <= colours


def test_a_picture_shows_the_visible_part_and_the_focus_and_checks_its_options(result):
    graphs = result_networks(result)
    layout = layout_graphs(*graphs)
    focused, faded = list(graphs[0])[:2]
    panels = [GraphPanel(graph, title) for graph, title in zip(graphs, "ab")]

    def render(**options: object) -> bytes:
        return render_picture(panels, layout, DisplayStyle(), PictureOptions(**options))

    root = ET.fromstring(render(focused=[focused], faded=[faded], views=[(10, 20, layout.width / 2, 50), None]))
    rings = [g.get("data-id") for g in root.iter(f"{SVG_NAMESPACE}g") if g.find("*[@class='ring']") is not None]
    pale = {g.get("data-id") for g in root.iter(f"{SVG_NAMESPACE}g") if g.find("*[@opacity='0.35']") is not None}
    assert rings == [focused] and faded in pale and focused not in pale
    (scale, *_), (other_scale, *_) = (re.findall(r"matrix\(([\d.]+)", g.get("transform", "")) or [0] for g in clipped_groups(root))
    assert float(scale) == pytest.approx(2 * float(other_scale), rel=0.01)
    pages = [np.asarray(Image.open(io.BytesIO(render(format="png", scale=1, legend=False, views=views)))) for views in ZOOMED_VIEWS]
    gap = slice(*(round(pages[0].shape[1] / 2 + shift) for shift in (-3, 3)))
    assert all((page[40:, gap] == 255).all() for page in pages)  # the space beside a panel is empty
    for options in ({"format": "gif"}, {"width_mm": 0}, {"width_mm": math.nan}, {"scale": -1}, {"views": [(0, 0, 0, 5)]}):
        with pytest.raises(SpiceError):
            PictureOptions(**options)


ZOOMED_VIEWS = [(None, None), [(0, 0, 60, 60)] * 2]


def clipped_groups(root: ET.Element) -> list[ET.Element]:
    return [g[0] for g in root.iter(f"{SVG_NAMESPACE}g") if g.get("clip-path")]


@settings(max_examples=12)
@given(st.lists(PROPOSITIONS, max_size=8), st.lists(PROPOSITIONS, min_size=1, max_size=10))
def test_lines_end_at_the_border_they_point_at(candidate, reference):
    graphs = result_networks(SPICE_WITHOUT_SYNONYMS.compute(candidate, [reference]))
    places = layout_graphs(*graphs)
    root = ET.fromstring(render_graph(union_network(*graphs), places, view="union", cropped_sides=""))
    assert root.get("viewBox").split()[2:] == [f"{round(v, 2):.7g}" for v in (places.width, places.height)]
    points = [point for path in root.iter(f"{SVG_NAMESPACE}path") for point in path_points(path.get("d"))]
    max_length = max(places.width, places.height) + 20
    assert points and all(-20 <= n <= max_length for point in points for n in point)


def path_points(path):
    """Return the ends of a path's lines and curves, and the curves' midpoints. (Control points may be outside the picture.)"""
    position, points = (0.0, 0.0), []
    for command, numbers in re.findall(r"([MLQ])([^A-Za-z]+)", path):
        values = [float(n) for n in numbers.split()]
        *control, end = zip(values[::2], values[1::2])
        middle = [tuple((a + 2 * c + b) / 4 for a, c, b in zip(position, control[0], end))] if command == "Q" else []
        points += [*middle, end]
        position = end
    return points


HOSTILE_MARKUP = "</script><img src=x onerror=alert(1)>&\u2028"


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
    result = SPICE_WITHOUT_SYNONYMS.compute([[HOSTILE_MARKUP], [HOSTILE_MARKUP, HOSTILE_MARKUP]], [[[HOSTILE_MARKUP]]])
    document = render_page(result, alt=HOSTILE_MARKUP, note=HOSTILE_MARKUP)
    assert "<img" not in document and "\u2028" not in document.partition('id="data">')[2]
    assert document.count("</script>") == 2
    assert any(HOSTILE_MARKUP in node["title"] for node in page_nodes(document)[0].values())
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
