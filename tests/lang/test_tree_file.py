"""Test trees from a CoNLL-U file instead of a parser, for every language."""

import gzip
import json

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.data.reader import Upload
from spice_core.errors import InputError
from spice_core.evaluation.parse_cache import decode_parse, encode_parse
from spice_core.lang.tree_file import TreeFile, lend_trees

BROWN_DOG_CONLLU = "# caption = A brown  dog.\n1\tA\ta\t_\tDT\t_\t3\tdet\t_\t_\n2\tbrown\tbrown\t_\tJJ\t_\t3\tamod\t_\t_\n3\tdog\tdog\t_\tNN\t_\t0\troot\t_\t_\n4\t.\t.\t_\t.\t_\t3\tpunct\t_\t_\n\n"
BLACK_DOG_CONLLU = "# caption = a black dog\n1\ta\ta\t_\tDT\t_\t3\tdet\t_\t_\n2\tblack\tblack\t_\tJJ\t_\t3\tamod\t_\t_\n3\tdog\tdog\t_\tNN\t_\t0\troot\t_\t_\n\n"


def write_trees(folder, text):
    path = folder / "trees.conllu"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_captions_of_any_language_are_scored_on_the_trees_of_a_file(tmp_path, capsys):
    """The signature of the scores shows that the trees come from the file."""
    path = write_trees(tmp_path, BROWN_DOG_CONLLU + BLACK_DOG_CONLLU)
    (tmp_path / "in.json").write_text(json.dumps([{"image_id": 1, "test": "A brown dog.", "refs": [" a  black dog"]}]))
    assert main(["score", str(tmp_path / "in.json"), "--parser", f"conllu:{path}", "--rules", "spice-2016"]) == 0
    output = capsys.readouterr().out
    assert "parser:conllu-" in output and "rules:spice-2016-" in output and "0.500" in output
    tree = "# text = 赤い傘\n1\t赤い\t赤い\t_\t形容詞-一般\t_\t2\tamod\t_\t_\n2\t傘\t傘\t_\t名詞-普通名詞-一般\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "ja").mkdir()
    (parse,) = Spice("ja", parser=f"conllu:{write_trees(tmp_path / 'ja', tree)}", rules="ja-ud").parse(["赤い傘"])
    assert ("傘",) in {p.words for p in parse.propositions}


def test_captions_missing_from_the_file_are_reported(tmp_path, capsys):
    for text, caption, message in [
        (BROWN_DOG_CONLLU, "a cat", "found no tree, expected a tree for the caption: a cat"),
        (BROWN_DOG_CONLLU + BROWN_DOG_CONLLU.replace("brown\tbrown\t_\tJJ", "brown\tbrown\t_\tNN"), "", "found two trees for the caption: A brown  dog., expected a single tree"),
        ("x\ty\n", "", "row 1: found 2 columns, expected ten columns"),
        (b"\xff\xfe", "", "found 'UTF-16', expected text in UTF-8; convert it"),
        ("# caption = 犬が走る。\n".encode("cp932"), "", "found 'Shift_JIS', expected text in UTF-8; convert it"),
        (BROWN_DOG_CONLLU.encode() + b"# caption = \xff\n", "", "byte"),
    ]:  # fmt: skip
        with pytest.raises(InputError) as error:
            list(TreeFile(write_trees(tmp_path, text)).parse([caption]))
        assert message in str(error.value) and str(tmp_path) in str(error.value)
    (tmp_path / "in.txt").write_text("a dog\n")
    assert main(["parse", str(tmp_path / "in.txt"), "--parser", f"conllu:{tmp_path}/none.conllu"]) == 2
    assert (
        capsys.readouterr().err
        == f"spice-core: {tmp_path}/none.conllu: found No such file or directory, expected a file that can be read\n"
    )


def test_duplicate_trees_count_once_and_gzip_does_not_change_the_signature(tmp_path):
    brown, no_tree = TreeFile(write_trees(tmp_path, BROWN_DOG_CONLLU + BROWN_DOG_CONLLU)).parse(["A brown dog.", " "])
    assert len(brown.sentences) == 1 and no_tree.sentences == ()
    tree = "# caption = a dog\n1\ta\ta\t_\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\x1fcat\x1e\t_\tNN\x1d\t_\t0\troot\t_\t_\n\n"
    (parse,) = Spice(parser=f"conllu:{write_trees(tmp_path, tree)}").parse(["a dog"])
    assert [p.words for p in decode_parse(parse.caption, encode_parse(parse), parse.parser).propositions] == [("dog cat",)]
    other_file = TreeFile(write_trees(tmp_path, BROWN_DOG_CONLLU)).signature
    plain_file, packed_file = TreeFile(write_trees(tmp_path, BROWN_DOG_CONLLU + BLACK_DOG_CONLLU)), tmp_path / "trees.conllu.gz"
    packed_file.write_bytes(gzip.compress((BROWN_DOG_CONLLU + BLACK_DOG_CONLLU).encode()))
    assert TreeFile(str(packed_file)).signature == plain_file.signature != other_file and other_file.startswith("conllu-")
    assert list(TreeFile(str(packed_file)).parse(["a black dog"])) == list(plain_file.parse(["a black dog"]))


def test_uploads_are_bounded_and_registered_temporarily(monkeypatch):
    """Limits apply only to uploads, not to local files."""
    rows = "1\ta\ta\t_\tDT\t_\t0\troot\t_\t_\n\n"
    for text, message in (
        ("# caption = a\n" + rows * 1001, "row 1: found a caption with 1,001 rows, expected at most 1,000"),
        (f"# caption = {'a' * 300_000}\n{rows}", "row 1: found 300,"),
    ):
        with pytest.raises(InputError, match=message):
            TreeFile(Upload("x.conllu", text.encode()))
    trees = TreeFile(Upload("x.conllu", (BROWN_DOG_CONLLU + BLACK_DOG_CONLLU).encode()))
    spice = Spice(parser=trees.name)
    with lend_trees(trees.select_captions(["a black dog"])):
        assert str(spice.signature) == str(Spice(parser=trees).signature)
        assert [p.document for p in spice.parse(["a  black dog"])] == [p.document for p in Spice(parser=trees).parse(["a black dog"])]
        with pytest.raises(InputError, match="x.conllu: found no tree, expected a tree for the caption: A brown dog."):
            list(spice.parse(["A brown dog."]))
    with pytest.raises(InputError, match="expected the CoNLL-U file; upload it again"):
        list(spice.parse(["a black dog"]))
