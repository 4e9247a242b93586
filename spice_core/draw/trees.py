"""Dependency trees as SVG and as a self-contained HTML page, drawn by displaCy."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from spice_core.draw import design
from spice_core.draw.labels import text_width
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.syntax.document import Dependency, Sentence, Token

DisplacyTree = dict[str, list[dict[str, Any]]]  # words and arcs in the format of displaCy
_FOLDER = Path(__file__).parent
MIN_LETTER_SCALE = 11 / 13  # smallest readable letters on a screen, relative to the letters in a drawing
_MIN_SPACING_PX, _MAX_SPACING_PX = 84, 220  # distances between words; the vertical distance between arcs is a sixth of these


def word_tree(sentence: Sentence) -> DisplacyTree:
    """Return the basic tree as displaCy data: each token with its word and the beginning of its tag."""
    return graph_tree(sentence.tokens, sentence.basic)


def graph_tree(
    tokens: Sequence[Token], edges: Iterable[Dependency], *, words: Collection[int] = (), highlighted_edges: Collection[Dependency] = ()
) -> DisplacyTree:
    """Return a graph over tokens as displaCy data, in which ``words`` (token indices) and ``highlighted_edges`` are highlighted."""
    word_data = [{"text": token.text, "tag": token.tag.split("-")[0] or token.tag, "marked": token.index in words} for token in tokens]
    arcs = [
        _displacy_arc(e.head - 1, e.dependent - 1, e.relation) | {"marked": e in highlighted_edges}
        for e in edges
        if e.head and e.head != e.dependent
    ]
    return {"words": word_data, "arcs": arcs}


def unit_tree(sentence: Sentence, units: Sequence[Sequence[Token]]) -> DisplacyTree:
    """Return the basic tree over units of several tokens, with one arc per edge between units."""
    place = {token.index: unit_index for unit_index, unit in enumerate(units) for token in unit}
    arcs = {(place[e.head], place[e.dependent]): e.relation for e in sentence.basic if e.head}
    words = [{"text": "".join(token.text for token in unit), "tag": ""} for unit in units]
    return {"words": words, "arcs": [_displacy_arc(a, b, relation) for (a, b), relation in arcs.items() if a != b]}


def tree_page(trees: Iterable[tuple[str, DisplacyTree]], style: DisplayStyle = PLAIN, *, lang: str = "en") -> str:
    """Return a page with each tree under its title, in a box that scrolls horizontally. ``lang`` is the language of the words."""
    sections = "".join(_tree_section(index, title, tree, lang) for index, (title, tree) in enumerate(trees))
    styles = style.font_css + design.css_tokens(style.palette) + tree_css()
    parts = {"style": styles, "sections": sections, "theme": html.escape(style.theme), "lang": html.escape(lang)}
    return re.sub(r"%% (\w+) %%", lambda match: parts[match[1]], _read_file("trees.html"))


def tree_css() -> str:
    """Return the styles of trees, in the colours of the surrounding page."""
    return _read_file("trees.css")


def tree_svg(tree: DisplacyTree, *, name: str = "tree", lang: str = "en") -> str:
    """Return one tree as deterministic SVG in the colours of the surrounding page."""
    from spacy import displacy

    escaped_tree = {
        "words": [{"text": word["text"], "tag": html.escape(word["tag"])} for word in tree["words"]],
        "arcs": [{key: arc[key] for key in ("start", "end", "dir")} | {"label": html.escape(arc["label"])} for arc in tree["arcs"]],
        "settings": {"lang": html.escape(lang)},
    }
    distance = word_spacing(tree)
    options = {"color": "var(--sc-ink)", "bg": "transparent", "font": "var(--sc-sans)", "offset_x": distance // 2, "distance": distance}
    options |= {"compact": True, "arrow_stroke": 1.5, "arrow_width": 7, "arrow_spacing": 8, "word_spacing": 30}
    svg = displacy.render(escaped_tree, style="dep", manual=True, page=False, minify=True, jupyter=False, options=options)
    for part, group in (("words", '<text class="displacy-token"'), ("arcs", '<g class="displacy-arrow"')):
        svg = _highlight_words(svg, group, [item.get("marked", False) for item in tree[part]])
    return _crop_picture(re.sub(r"[0-9a-f]{32}-0", name, svg), distance // 2, tags=any(word["tag"] for word in tree["words"]))


def shrinkable_svg(tree: DisplacyTree, *, name: str = "tree", lang: str = "en") -> str:
    """Return one tree as SVG that shrinks to its box down to a readable size."""
    svg = tree_svg(tree, name=name, lang=lang)
    min_width = MIN_LETTER_SCALE * float(_first_group(r' width="([\d.]+)"', svg))
    size = f"max-width: 100%; min-width: {min_width:.0f}px; height: auto"
    return re.sub(r"max-width: none; height: [\d.]+px", size, svg, count=1)


def word_spacing(tree: DisplacyTree) -> int:
    """Return the distance between words, in pixels, that the labels of words and arcs need."""
    widest = max(
        [text_width(word["text"], 15) for word in tree["words"]] + [text_width(arc["label"], 13) + 18 for arc in tree["arcs"]], default=0
    )
    return round(min(max(widest + 2, _MIN_SPACING_PX), _MAX_SPACING_PX))


def truncate_tree(tree: DisplacyTree, max_width: float, *, min_words: int = 2) -> DisplacyTree:
    """Return the tree of the first words that fit ``max_width`` pixels, or of ``min_words`` words."""
    count = max(min_words, int(max_width / word_spacing(tree) - 0.5))  # displaCy leaves half a space at each side
    return {"words": tree["words"][:count], "arcs": [arc for arc in tree["arcs"] if arc["end"] < count]}


def _highlight_words(svg: str, group: str, marks: Sequence[bool]) -> str:
    """Add a class to the highlighted words or arcs of a picture, and return the picture."""
    if not any(marks) or svg.count(group) != len(marks):
        return svg
    pieces = svg.split(group)
    groups = [f'{group[:-1]} sc-marked"' if mark else group for mark in marks]
    return pieces[0] + "".join(name + piece for name, piece in zip(groups, pieces[1:]))


def _crop_picture(svg: str, right_px: int, *, tags: bool) -> str:
    """Crop a picture above its highest arc, below its words and by ``right_px`` on the right, and return it."""
    height, width = (_first_group(rf'<svg[^>]* {side}="([\d.]+)"', svg) for side in ("height", "width"))
    heights = [float(y) for path in re.findall(r'displacy-arc"[^>]* d="([^"]*)"', svg) for y in re.findall(r",(-?[\d.]+)", path)]
    words = float(_first_group(r'<text[^>]* y="([\d.]+)"', svg) if "<text" in svg else height)
    top, bottom = min(heights, default=words - 24) - 20, words + (40 if tags else 12)
    size = f' width="{float(width) - right_px:g}" height="{bottom - top}" viewBox="0 {top} {float(width) - right_px:g} {bottom - top}"'
    svg = re.sub(r' width="[\d.]+" height="[\d.]+"', size, svg, count=1)
    return re.sub(r"height: [\d.]+px", f"height: {bottom - top}px", svg, count=1)


def _first_group(pattern: str, text: str) -> str:
    return next(re.finditer(pattern, text))[1]


def _displacy_arc(head: int, dependent: int, relation: str) -> dict[str, object]:
    return {"start": min(head, dependent), "end": max(head, dependent), "label": relation, "dir": "left" if dependent < head else "right"}


def _tree_section(index: int, title: str, tree: DisplacyTree, lang: str) -> str:
    title = html.escape(title)
    svg = shrinkable_svg(tree, name=f"tree{index}", lang=lang)
    return f'<section><h2>{title}</h2><div class="scroll" tabindex="0" role="img" aria-label="{title}">{svg}</div></section>'


@cache
def _read_file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
