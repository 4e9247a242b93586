"""Scene graphs in Graphviz's DOT: written, one digraph for each; shapes tell objects, attributes and relations apart."""

from __future__ import annotations

from spice_core.data.graph_parts import parts, plain
from spice_core.scene.propositions import Parse

SHAPES = {"object": "box", "attribute": "ellipse", "relation": "diamond"}


def write(parse: Parse) -> str:
    """The graph of a caption, which is its name."""
    found = parts(parse.propositions)
    lines = [f"digraph {quoted(parse.caption)} {{", "  rankdir=LR", '  node [fontname="sans-serif"]']
    lines += [f"  {quoted(n.id)} [label={labelled(n.word)}, shape={SHAPES[n.kind]}, class={n.kind}]" for n in found.nodes]
    relations = {n.id for n in found.nodes if n.kind == "relation"}
    lines += [f"  {quoted(a)} -> {quoted(b)}{'' if a in relations else ' [dir=none]'}" for a, b in found.edges]
    return "\n".join([*lines, "}", ""])


def quoted(text: object) -> str:
    r"""The text as DOT's quoted string: quotes and backslashes escaped, line breaks as \n."""
    escaped = plain(str(text)).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "\\n".join(escaped.splitlines()) + '"'


def labelled(text: object) -> str:
    """The text as a label, in which Graphviz reads entities such as &lt; as well."""
    return quoted(str(text).replace("&", "&amp;"))
