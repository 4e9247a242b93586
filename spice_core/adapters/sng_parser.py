"""Scene graphs with the interfaces of sng_parser and of FACTUAL's parser, which need not be installed.

from spice_core.adapters import sng_parser  # instead of: import sng_parser
from spice_core.adapters.sng_parser import SceneGraphParser  # instead of: from factual_scene_graph.parser.scene_graph_parser import …
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from spice_core.data.factual import write_graph
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import PLACEHOLDER, Parse, Proposition

Graph = dict[str, Any]


@cache
def _default_spice() -> Spice:
    return Spice()


def parse(sentence: str, **_: Any) -> Graph:
    """Return the scene graph of a caption as ``sng_parser.parse`` does, with ``entities`` and ``relations``.

    >>> graph = parse("A brown dog on a sofa.")
    >>> [(entity["head"], [modifier["span"] for modifier in entity["modifiers"]]) for entity in graph["entities"]]
    [('dog', ['brown']), ('sofa', [])]
    >>> graph["relations"]
    [{'subject': 0, 'relation': 'on', 'lemma_relation': 'on', 'object': 1}]
    """
    (parsed,) = _default_spice().parse([sentence])
    heads, attributes, relations = _entities(parsed.propositions)
    entities = [
        {
            "head": head,
            "lemma_head": head,
            "span": " ".join([*attributes[head], head]),
            "lemma_span": " ".join([*attributes[head], head]),
            "modifiers": [{"dep": "amod", "span": word, "lemma_span": word} for word in attributes[head]],
        }
        for head in heads
    ]
    return {
        "entities": entities,
        "relations": [
            {"subject": heads.index(a), "relation": word, "lemma_relation": word, "object": heads.index(b)} for a, word, b in relations
        ],
    }


class SceneGraphParser:
    """FACTUAL's parser, for scene graphs of captions as texts or objects. Model settings have no effect."""

    def __init__(self, checkpoint_path: str = "", device: str = "cpu", **_: Any):
        """Accept the arguments of FACTUAL's parser and ignore them."""
        self._spice = _default_spice()

    def parse(self, descriptions: str | Sequence[str], *, return_text: bool = True, **_: Any) -> list[Any]:
        """Return the graph of each caption: a text in FACTUAL's notation or, without ``return_text``, entities and relations.

        >>> SceneGraphParser().parse(["Two brown dogs on a sofa."])
        ['( dogs , is , brown ) , ( dogs , on , sofa ) , ( dogs , is , 2 )']
        """
        captions = [descriptions] if isinstance(descriptions, str) else list(descriptions)
        adapt = language(self._spice.lang).to_factual_style
        parses: Iterable[Parse] = map(adapt, self._spice.parse(captions))
        return [write_graph(parsed.propositions) if return_text else _factual_graph(parsed.propositions) for parsed in parses]


def _entities(propositions: Sequence[Proposition]) -> tuple[list[str], dict[str, list[str]], list[tuple[str, ...]]]:
    """Return the objects, the attributes of each object, and the relations, each once."""
    rows = list(dict.fromkeys(proposition.words for proposition in propositions))
    heads = list(dict.fromkeys(word for words in rows for word in words[::2] if word != PLACEHOLDER))
    attributes = {head: [words[1] for words in rows if len(words) == 2 and words[0] == head] for head in heads}
    return heads, attributes, [words for words in rows if len(words) == 3 and PLACEHOLDER not in words]


def _factual_graph(propositions: Sequence[Proposition]) -> Graph:
    """Return entities with ``head``, ``quantity`` and ``attributes``, and relations between their indices."""
    heads, attributes, relations = _entities(propositions)
    quantities = {head: next((word for word in attributes[head] if word.isdecimal()), "") for head in heads}
    return {
        "entities": [
            {"head": head, "quantity": quantities[head], "attributes": {word for word in attributes[head] if word != quantities[head]}}
            for head in heads
        ],
        "relations": [{"subject": heads.index(a), "relation": word, "object": heads.index(b)} for a, word, b in relations],
    }
