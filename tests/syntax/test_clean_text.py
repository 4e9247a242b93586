"""Texts that look alike are read alike: their tuples and scores are equal, and offsets refer to the cleaned text."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.data.ratings import read_judgements
from spice_core.data.reader import Upload
from spice_core.data.sources import Source
from spice_core.evaluation.rewards import Rewards
from spice_core.lang.tree_file import TreeFile
from spice_core.metrics.measure import segment_scores
from spice_core.syntax import conllu
from spice_core.syntax.clean_text import CleaningCount, clean_caption, clean_text

CAPTION = "A brown dog sits on a red sofa near the café's table."
JAPANESE_CAPTION = "白いがけの上でギターを弾くパンダとＴシャツの２人。"


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" if c == " " else c for c in text)


DISGUISED_TEXTS = {
    "byte-order mark": "\ufeff" + CAPTION,
    "soft hyphen": CAPTION.replace("sofa", "so\u00adfa"),
    "zero-width space": CAPTION.replace("brown ", "brown \u200b"),
    "joiners": CAPTION.replace("dog", "d\u200do\u200cg"),
    "word joiner": CAPTION.replace("table", "ta\u2060ble"),
    "direction marks": CAPTION.replace("red", "\u200e\u202ared\u202c\u2069"),
    "variation selectors": CAPTION.replace("red", "r\ufe0fe\U000e0101d"),
    "tags": CAPTION.replace("red", "red\U000e0061\U000e007f"),
    "control characters": CAPTION.replace("red", "\0red\x7f"),
    "decomposed": unicodedata.normalize("NFD", CAPTION),
    "decomposed with a joiner": unicodedata.normalize("NFD", CAPTION).replace("\u0301", "\u034f\u0301"),
    "full width": full_width(CAPTION),
}


@pytest.mark.parametrize("text", DISGUISED_TEXTS.values(), ids=DISGUISED_TEXTS)
def test_a_disguised_text_becomes_the_plain_text(text):
    assert clean_text(text) == CAPTION


@pytest.mark.parametrize("text", [
    CAPTION, JAPANESE_CAPTION, "½ cup, 5 m² and ﬁve Ⅳ ①", "two\tdogs\n\n- a cat\u2028a dog\x85end", "👩‍👩‍👧 ❤️ 👍🏽 🏳️‍🌈 1️⃣ ©️ 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "می‌خواهم", "ക്‍ഷ", "ｅ犬", "𝒳", "",
])  # fmt: skip
def test_other_texts_remain_unchanged(text):
    assert clean_text(text) == text


def test_japanese_texts_keep_full_width_letters_but_not_half_width_or_decomposed_kana():
    assert clean_text("ﾊﾟﾝﾀﾞがｷﾞﾀｰを弾く｡") == "パンダがギターを弾く。"
    assert clean_text(unicodedata.normalize("NFD", JAPANESE_CAPTION)) == JAPANESE_CAPTION
    assert clean_text("ＢＢＱ！") == "BBQ!"


@given(st.text(st.sampled_from("a犬ｲﾞｅ1\u200b\u200c\u200d\ufe0f\u20e3\u0301\u034f👩👍🏽🏴\U000e0061\U000e007f\0\n")))
def test_cleaning_twice_changes_nothing(text):
    assert clean_text(clean_text(text)) == clean_text(text)


def test_disguised_captions_score_like_plain_captions_and_are_counted(tmp_path, capsys):
    spice, texts = Spice(), [*DISGUISED_TEXTS.values()]
    corpus = spice.score_many([*texts, CAPTION], [[CAPTION]] * (len(texts) + 1))
    notice = f"{len(texts)} texts: 73 invisible, decomposed or full-width characters were removed or normalised"
    assert corpus.mean == 1 and [*map(str, corpus.notices)] == [notice] and str(corpus).endswith(notice)
    assert spice.score_many([CAPTION], [[CAPTION]]).notices == ()
    parses = list(spice.parse([*texts, CAPTION]))
    assert {parse.caption for parse in parses} == {CAPTION} and len({parse.propositions for parse in parses}) == 1
    assert {CAPTION[t.start : t.end] for t in parses[0].document.sentences[0].tokens} >= {"brown", "sofa", "café"}
    scores = segment_scores(
        [(text, [CAPTION]) for text in (CAPTION, *texts)], ["SPICE", "BLEU-4", "METEOR", "CIDEr-D", "ROUGE-L"], spice=spice
    )
    assert {name: len({*values}) for name, values in scores.items()} == dict.fromkeys(scores, 1)
    assert Rewards(spice=spice).scores_against([[CAPTION]] * len(texts), texts) == [1] * len(texts)
    (tmp_path / "in.jsonl").write_text(
        "".join(json.dumps({"image_id": i, "test": text, "refs": [CAPTION]}) + "\n" for i, text in enumerate(texts))
    )
    assert main(["score", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out.jsonl"), "--silent", "--workers", "2"]) == 0
    assert capsys.readouterr().err == f"spice-core: {notice}\n"
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert {row["test"] for row in rows} == {CAPTION} and {row["scores"]["All"]["f"] for row in rows} == {1}
    (tmp_path / "in.txt").write_text("\n".join(texts))
    assert main(["parse", str(tmp_path / "in.txt")]) == 0
    captured = capsys.readouterr()
    assert len({*captured.out.splitlines()}) == 1 and captured.err.startswith(
        "spice-core: 11 texts: "
    )  # the byte-order mark belongs to the file


def test_propositions_and_trees_are_cleaned_too():
    spice = Spice(synonyms="none")
    assert spice.compute([["do\u00adg", "ｂｉｇ"]], [[["dog", "big"]]]).f1 == 1
    with CleaningCount().counting() as count:
        items = list(
            Source(Upload("in.json", json.dumps([{"image_id": 1, "test": [["do\u00adg"]], "refs": [[["ｄog"]], "ｄog"]}]).encode()))
        )
    assert count.texts == 0  # the source counts them
    assert [parse.propositions[0].words for parse in (items[0].candidate, items[0].references[0])] == [("dog",), ("dog",)]
    row = "1\tcafe\u0301s\tcafe\u0301\tNOUN\tNNS\t_\t0\troot\t_\t_\n"
    (document,) = conllu.read(f"# text = the\ufeff cafe\u0301s\n{row}".splitlines())
    assert (document.text, document.sentences[0].tokens[0][1:3], document.sentences[0].tokens[0].start) == (
        "the cafés",
        ("cafés", "café"),
        4,
    )
    trees = TreeFile(Upload("t.conllu", f"# text = cafe\u0301s\n{row}".encode()))
    assert not trees.lacks_tree("cafés") and [d.text for d in trees.parse(["café\u00ads", "cafe\u0301s"])] == ["cafés"] * 2


@pytest.mark.parametrize(("row", "message"), [
    ({"test": "\u200b", "refs": ["a dog"]}, "field test: found an empty candidate"),
    ({"test": "a dog", "refs": ["\ufeff "]}, "field refs[0]: found '\\ufeff ', expected a non-empty caption"),
    ({"test": [["\u200b"]], "refs": ["a dog"]}, "field test[0]: found ['\\u200b'], expected a list of one to three words"),
])  # fmt: skip
def test_captions_of_invisible_characters_are_empty(row, message):
    (problem,) = Source(Upload("in.json", json.dumps([{"image_id": 1, **row}]).encode()))
    assert message in str(problem)


def test_source_reports_the_cleaned_captions_of_both_files_once():
    captions = json.dumps({"images": [{"id": 1}], "annotations": [{"image_id": 1, "caption": "a\u00ad dog"}]})
    source = Source(
        Upload("r.json", json.dumps([{"image_id": 1, "caption": "\ufeffASSISTANT: a dog"}]).encode()), Upload("c.json", captions.encode())
    )
    (item,) = source
    assert (item.candidate, item.references) == ("a dog", ("a dog",))
    assert [str(n) for n in source.notices if "texts" in n] == [
        "2 texts: 2 invisible, decomposed or full-width characters were removed or normalised"
    ]
    assert [*Source(Upload("in.json", b'[{"image_id": 1, "test": "a dog", "refs": ["a dog"]}]'))] and len(source.notices) == 2
    notices, row = [], {"candidate": "\ufeffa dog", "references": ["a\u00ad dog"], "rating": 1}
    (rated_caption,) = read_judgements(Upload("r.json", json.dumps([row]).encode()), notices=notices)
    assert (rated_caption.candidate, rated_caption.references) == ("a dog", ("a dog",)) and [str(n)[:10] for n in notices] == ["2 texts: 2"]


@pytest.mark.parametrize(("text", "caption"), [
    ("<think>Perhaps a dog.</think>I cannot tell.", "I cannot tell."), ("Hm. </think> A dog.", "A dog."), ("<think>A dog on", ""),
    ("<|channel|>analysis<|message|>A cat?<|end|><|start|>assistant<|channel|>final<|message|>A dog.<|return|>", "A dog."),
    ("<think>A cat.</think>\n<answer>A dog on a couch.</answer> Done.", "A dog on a couch."), ("<REASONING>x</REASONING><CONCLUSION>A dog.</CONCLUSION>", "A dog."), (r"\boxed{A dog}", "A dog"),
    ("A dog.<br/>", "A dog."), ("<p>A dog.</p><p>A cat.</p>", "A dog. A cat."),
    ("sos a dog eos", "a dog"), ("sos eos", ""), ("bos a dog eos pad pad", "a dog"), ("startseq a dog endseq", "a dog"), ("<start> a dog <end> <pad>", "a dog"), ("[CLS] a dog [SEP]", "a dog"),
    ("[/EN#11/people A tall woman] carries [/EN#12/other a red umbrella] .", "A tall woman carries a red umbrella ."),
    ("<p> A man </p> [SEG] and <p> a dog </p> [SEG] .", "A man and a dog ."), ("<p>a dog</p> {<12><34><56><78>} sits", "a dog sits"), ("a dog [100, 200, 300, 400] on a couch", "a dog on a couch"),
    ("<grounding><phrase>a dog</phrase><object><patch_index_0044><patch_index_0863></object> sits", "a dog sits"), ("<ref>a dog</ref><box>(10,20),(30,40)</box>", "a dog"),
    ("<|object_ref_start|>a dog<|object_ref_end|><|box_start|>(1,2),(3,4)<|box_end|>", "a dog"), ("a <pad><pad>dog", "a dog"),
    ("a canon eos camera", None), ("sos written on the sand", None), ("a sign: <3", None), ("a [dog] on (2, 3) mats", None), ("5 < 6 > 2", None), ("the start of a race", None),
])  # fmt: skip
def test_marks_are_removed_once(text: str, caption: str | None):
    cleaned = clean_caption(text)
    assert cleaned == (text if caption is None else caption) and clean_caption(cleaned) == cleaned


def test_marks_of_candidates_and_references_are_counted_by_kind_and_change_no_score():
    candidate = "<think>A cat?</think>a dog on a sofa"
    references = ["[/EN#1/animals a brown dog] lies on a couch<br/>", "( dog , on , couch )"]
    corpus = Spice().score_many([candidate], [references])
    assert corpus.notices == ("removed marks of 3 kinds from 2 captions ([/EN#1/people …], <br>, <think>)",)
    plain = ["a brown dog lies on a couch", [["dog", "on", "couch"]]]
    assert corpus.mean == Spice().compute("a dog on a sofa", plain).f1 == Rewards().scores_against([references], [candidate])[0]
    assert Spice().compute(candidate, references).f1 == corpus.mean and Rewards().scores_against([references], ["<think>a dog"]) == [0]
