"""Writer of scene graphs in Graphviz's DOT format. Objects, attributes and relations have different shapes."""

from __future__ import annotations

from spice_core.data.graph_parts import nodes_and_edges, replace_invalid_characters
from spice_core.scene.propositions import Parse

SHAPE_BY_KIND = {"object": "box", "attribute": "ellipse", "relation": "diamond"}


def write_dot(parse: Parse) -> str:
    """Return the scene graph of a caption as a digraph named after the caption."""
    graph = nodes_and_edges(parse.propositions)
    lines = [f"digraph {quote_text(parse.caption)} {{", "  rankdir=LR", '  node [fontname="sans-serif"]']
    lines += [f"  {quote_text(n.id)} [label={quote_label(n.word)}, shape={SHAPE_BY_KIND[n.kind]}, class={n.kind}]" for n in graph.nodes]
    relations = {n.id for n in graph.nodes if n.kind == "relation"}
    lines += [f"  {quote_text(a)} -> {quote_text(b)}{'' if a in relations else ' [dir=none]'}" for a, b in graph.edges]
    return "\n".join([*lines, "}", ""])


def quote_text(text: object) -> str:
    r"""Return the text as a quoted DOT string, with quotes and backslashes escaped and line breaks as \n."""
    escaped_text = replace_invalid_characters(str(text)).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "\\n".join(escaped_text.splitlines()) + '"'


def quote_label(text: object) -> str:
    """Return the text as a quoted label, with & escaped because Graphviz reads entities such as &lt; in labels."""
    return quote_text(str(text).replace("&", "&amp;"))
