"""Test cases with trees: written, read, run on the command line, and refused with the line where they are wrong."""

from __future__ import annotations

import gzip

import pytest

from spice_core.cli.main import main
from spice_core.data.gold import GoldGraph
from spice_core.data.gold_trees import parse_cases, read_cases, write_trees
from spice_core.errors import InputError
from spice_core.rules.rule_file import read_tree
from spice_core.scene.propositions import closed
from spice_core.syntax.document import Document, Sentence

CAPTION = "A man loading boxes"
GRAPH = read_tree("A/a/DT/2/det man/man/NN/0/root loading/load/VBG/2/acl boxes/box/NNS/3/obj")
DOCUMENT = Document(CAPTION, (Sentence(GRAPH.tokens, GRAPH.edges),))
CASE = GoldGraph(CAPTION, closed([("man", "load", "box")]), document=DOCUMENT)


def test_what_is_written_is_read():
    plain = GoldGraph("A dog", closed([("dog",)]))
    (read,) = parse_cases(write_trees([CASE, plain]), "cases.conllu")
    assert (read.caption, read.tuples) == (CASE.caption, CASE.tuples)
    assert read.document and read.document.sentences[0].basic == GRAPH.edges
    assert write_trees([read]) == write_trees([CASE])


def test_a_case_is_run_on_its_tree_by_the_command(tmp_path, capsys):
    file = tmp_path / "cases.conllu"
    wrong = write_trees([CASE]).replace("\tVBG\t_\t2\tacl", "\tNN\t_\t2\tcompound")
    for text, outcome in ((write_trees([CASE]), "1 captions, 0 differ"), (wrong, "missing  man – load – box")):
        file.write_text(text, encoding="utf-8")
        assert main(["gold", str(file)]) == 0
        assert outcome in capsys.readouterr().out


def test_files_of_both_formats(tmp_path):
    trees, packed, plain = tmp_path / "cases.CONLLU", tmp_path / "cases.conllu.gz", tmp_path / "cases.jsonl.gz"
    packed.write_bytes(gzip.compress(write_trees([CASE]).encode()))
    trees.write_text(write_trees([CASE]), encoding="utf-8")
    plain.write_bytes(gzip.compress(b'{"caption": "A dog", "tuples": [["dog"]]}'))
    assert [graph.document is None for path in (trees, packed, plain) for graph in read_cases(path)] == [False, False, True]


WRONG = {
    "no tuples": ("# tuples = ", "# tupels = ", "cases.conllu, line 1: found a caption without tuples"),
    "no JSON": ("# tuples = [[", "# tuples = [[,", "cases.conllu, line 2"),
    "no list": ("# tuples = [", '# tuples = "[', "cases.conllu, line 2"),
    "no caption": ("# caption = ", "# ", "cases.conllu, line 1: found a caption without tuples"),
    "no tree": ("\tVBG\t", " ", "row 5: found 8 columns"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_bad_file_is_refused_with_its_line(name):
    old, new, said = WRONG[name]
    with pytest.raises(InputError) as error:
        parse_cases(write_trees([CASE]).replace(old, new), "cases.conllu")
    assert said in str(error.value)
