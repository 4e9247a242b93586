"""The interfaces of sng_parser and of FACTUAL's parser."""

from spice_core.adapters import sng_parser
from spice_core.adapters.sng_parser import SceneGraphParser
from spice_core.data.visual_genome import as_visual_genome, scene_graph

PIGS = "2 beautiful pigs are flying on the sky with 2 bags on their backs"


def test_the_graph_of_sng_parser_is_read_back():
    assert scene_graph(as_visual_genome(sng_parser.parse("A brown dog on a red sofa."))) == [
        ["dog"], ["dog", "brown"], ["sofa"], ["sofa", "red"], ["dog", "on", "sofa"],
    ]  # fmt: skip
    assert sng_parser.parse("Nothing.") == {"entities": [], "relations": []}


def test_the_example_of_factual_gives_its_objects():
    parser = SceneGraphParser("lizhuang144/flan-t5-base-VG-factual-sg", device="cpu")
    (graph,) = parser.parse([PIGS], beam_size=5, return_text=False, max_output_len=128)
    assert graph["entities"][0] == {"head": "pigs", "quantity": "2", "attributes": {"beautiful"}}
    assert {"subject": 0, "relation": "fly on", "object": 1} in graph["relations"]
    assert "( pigs , is , beautiful )" in parser.parse(PIGS)[0]
