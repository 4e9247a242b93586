"""Dependency trees as one self-contained HTML page, drawn by displaCy from parsed sentences."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from spice_core.draw import design
from spice_core.draw.labels import width
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.syntax.document import Dependency, Sentence, Token

Tree = dict[str, list[dict[str, Any]]]  # words and arcs, as displaCy reads them
_HERE = Path(__file__).parent
_CLOSEST, _NARROWEST, _WIDEST = 84, 96, 220  # pixels between words; arcs stand a sixth of it above each other


def word_tree(sentence: Sentence) -> Tree:
    """The basic tree as displaCy data: each token with its word and the beginning of its tag."""
    return graph_of(sentence.tokens, sentence.basic)


def graph_of(
    tokens: Sequence[Token], edges: Iterable[Dependency], *, words: Collection[int] = (), marked: Collection[Dependency] = ()
) -> Tree:
    """Any graph over the tokens as displaCy data; the words at these indices and the edges ``marked`` are highlighted."""
    shown = [{"text": token.text, "tag": _short(token.tag), "marked": token.index in words} for token in tokens]
    arcs = [_arc(e.head - 1, e.dependent - 1, e.relation) | {"marked": e in marked} for e in edges if e.head and e.head != e.dependent]
    return {"words": shown, "arcs": arcs}


def unit_tree(sentence: Sentence, units: Sequence[Sequence[Token]]) -> Tree:
    """The basic tree over units of several tokens, with one arc per edge between units."""
    place = {token.index: number for number, unit in enumerate(units) for token in unit}
    arcs = {(place[e.head], place[e.dependent]): e.relation for e in sentence.basic if e.head}
    words = [{"text": "".join(token.text for token in unit), "tag": ""} for unit in units]
    return {"words": words, "arcs": [_arc(a, b, relation) for (a, b), relation in arcs.items() if a != b]}


def page(trees: Iterable[tuple[str, Tree]], style: DisplayStyle = PLAIN, *, lang: str = "en") -> str:
    """The page: each tree under its title, in a box that scrolls horizontally; ``lang`` is the language of the words."""
    sections = "".join(_section(number, title, tree, lang) for number, (title, tree) in enumerate(trees))
    styles = style.font_css + design.css_tokens(style.palette) + css()
    parts = {"style": styles, "sections": sections, "theme": html.escape(style.theme), "lang": html.escape(lang)}
    return re.sub(r"%% (\w+) %%", lambda found: parts[found[1]], _file("trees.html"))


def css() -> str:
    """The style of a tree, in the colours of the surrounding page."""
    return _file("trees.css")


def svg(tree: Tree, *, name: str = "tree", lang: str = "en", close: bool = False) -> str:
    """One tree as deterministic SVG, in the colours of the surrounding page; words stand wide apart, or as ``close`` as they can."""
    from spacy import displacy

    safe = {
        "words": [{"text": word["text"], "tag": html.escape(word["tag"])} for word in tree["words"]],
        "arcs": [{key: arc[key] for key in ("start", "end", "dir")} | {"label": html.escape(arc["label"])} for arc in tree["arcs"]],
        "settings": {"lang": html.escape(lang)},
    }
    distance = spacing(tree, close=close)
    options = {"color": "var(--sc-ink)", "bg": "transparent", "font": "var(--sc-sans)", "offset_x": distance // 2, "distance": distance}
    options |= {"compact": True, "arrow_stroke": 1.5, "arrow_width": 7, "arrow_spacing": 8, "word_spacing": 30}
    drawn = displacy.render(safe, style="dep", manual=True, page=False, minify=True, jupyter=False, options=options)
    for part, group in (("words", '<text class="displacy-token"'), ("arcs", '<g class="displacy-arrow"')):
        drawn = _marked(drawn, group, [item.get("marked", False) for item in tree[part]])
    return _cropped(re.sub(r"[0-9a-f]{32}-0", name, drawn), tags=any(word["tag"] for word in tree["words"]))


def spacing(tree: Tree, *, close: bool = False) -> int:
    """Pixels between two words of a tree, which their labels and those of the arcs need."""
    widest = max([width(word["text"], 15) for word in tree["words"]] + [width(arc["label"], 13) + 18 for arc in tree["arcs"]], default=0)
    room, narrowest = (2, _CLOSEST) if close else (20, _NARROWEST)
    return round(min(max(widest + room, narrowest), _WIDEST))


def beginning(tree: Tree, wide: float) -> Tree:
    """The tree of the first words, as many as stand close within ``wide`` pixels, with the arcs among them."""
    most = max(2, int(wide / spacing(tree, close=True) - 0.5))  # displaCy leaves half a place at the side
    return {"words": tree["words"][:most], "arcs": [arc for arc in tree["arcs"] if arc["end"] < most]}


def picture(tree: Tree, style: DisplayStyle = PLAIN, *, lang: str = "en") -> str:
    """One tree as standalone SVG, in the colours of a theme; ``lang`` is the language of the words."""
    values = {**style.colours, "sans": design.SANS.replace('"', "'")}

    def filled(text: str) -> str:
        return re.sub(r"var\(--sc-([a-z-]+)\)", lambda found: values[found[1]], text)

    rules = "".join(line for line in css().splitlines() if line.startswith(".displacy-"))
    head, end, body = filled(svg(tree, lang=lang)).replace("background: transparent", f"background: {values['surface']}").partition(">")
    return f"{head}{end}<style>{html.escape(style.font_css + filled(rules), quote=False)}</style>{body}"


def _marked(drawn: str, group: str, marks: Sequence[bool]) -> str:
    """The picture with a class on highlighted words or arcs."""
    if not any(marks) or drawn.count(group) != len(marks):
        return drawn
    pieces = drawn.split(group)
    named = [f'{group[:-1]} sc-marked"' if mark else group for mark in marks]
    return pieces[0] + "".join(name + piece for name, piece in zip(named, pieces[1:]))


def _cropped(drawn: str, *, tags: bool) -> str:
    """The picture cropped above its highest arc and below its words."""
    high, wide = (_first(rf'<svg[^>]* {side}="([\d.]+)"', drawn) for side in ("height", "width"))
    heights = [float(y) for path in re.findall(r'displacy-arc"[^>]* d="([^"]*)"', drawn) for y in re.findall(r",(-?[\d.]+)", path)]
    words = float(_first(r'<text[^>]* y="([\d.]+)"', drawn) if "<text" in drawn else high)
    top, bottom = min(heights, default=words - 24) - 20, words + (40 if tags else 12)
    size = f' height="{bottom - top}" viewBox="0 {top} {wide} {bottom - top}"'
    drawn = re.sub(r' height="[\d.]+"', size, drawn, count=1)
    return re.sub(r"height: [\d.]+px", f"height: {bottom - top}px", drawn, count=1)


def _first(pattern: str, text: str) -> str:
    return next(re.finditer(pattern, text))[1]


def _arc(head: int, dependent: int, relation: str) -> dict[str, object]:
    return {"start": min(head, dependent), "end": max(head, dependent), "label": relation, "dir": "left" if dependent < head else "right"}


def _short(tag: str) -> str:
    return tag.split("-")[0] or tag


def _section(number: int, title: str, tree: Tree, lang: str) -> str:
    title = html.escape(title)
    drawn = svg(tree, name=f"tree{number}", lang=lang)
    return f'<section><h2>{title}</h2><div class="scroll" tabindex="0" role="img" aria-label="{title}">{drawn}</div></section>'


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
