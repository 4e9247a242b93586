"""Columns are guessed from realistic headers, by name and by content."""

import pytest

from spice_core.data.columns import ITEM_FIELDS, REFERENCE_FIELDS, RESULT_FIELDS, Certainty, Columns, guess_columns, read_captions

ENGLISH_CAPTIONS = ["A man rides a wave on a surfboard.", "Two dogs are lying on a red couch.", "A woman holds an umbrella in the rain."]
REFERENCE_CAPTIONS = ["A brown dog on the sofa.", "The cat sits near the window.", "Some people at a long table."]
JAPANESE_CAPTIONS = ["赤い傘をさした人がいる。", "犬がソファで寝ている。", "男性がギターを弾いている。"]
JSON_LISTS = ['["A dog.", "A cat sits."]', '["Two men.", "A bus is red."]', '["A bed.", "A room with a bed."]']
PYTHON_LISTS = ["['A dog.', \"A man's cat sits.\"]"] * 3
BAR_SEPARATED = ["A dog. | A cat sits.", "Two men. | A bus is red.", "A bed. | A room with a bed."]
FILE_NAMES = ["COCO_1.jpg", "COCO_2.jpg", "COCO_3.jpg"]
URLS = [f"http://images.cocodataset.org/val2014/{file}?x=1" for file in FILE_NAMES]
IDS, SCORES, EQUAL_CELLS = ["1", "2", "3"], ["0.3", "0.5", "0.33"], ["val"] * 3
BY_NAMES, BY_CONTENT, KNOWN_LAYOUT, NO_CERTAINTY = Certainty.NAMES, Certainty.CONTENT, Certainty.KNOWN, Certainty.NONE

# Columns, the expected names (image id, candidate, references, image file), and the certainty.
HEADERS = [
    ({"image_id": IDS, "test": ENGLISH_CAPTIONS, "ref1": REFERENCE_CAPTIONS, "ref2": REFERENCE_CAPTIONS}, ("image_id", "test", "ref1 ref2", ""), KNOWN_LAYOUT),
    ({"image_id": IDS, "test": ENGLISH_CAPTIONS, "refs": JSON_LISTS, "file_name": FILE_NAMES}, ("image_id", "test", "refs", "file_name"), KNOWN_LAYOUT),
    ({"image_id": IDS, "caption": ENGLISH_CAPTIONS, "ref1": REFERENCE_CAPTIONS}, ("image_id", "caption", "ref1", ""), BY_NAMES),
    # llm-jp-eval-mm: the prompt is no reference
    ({"question_id": IDS, "text": JAPANESE_CAPTIONS, "answer": JAPANESE_CAPTIONS, "input_text": JAPANESE_CAPTIONS}, ("question_id", "text", "answer", ""), BY_NAMES),
    ({"画像ID": IDS, "候補文": JAPANESE_CAPTIONS, "参照1": JAPANESE_CAPTIONS, "参照2": JAPANESE_CAPTIONS}, ("画像ID", "候補文", "参照1 参照2", ""), BY_NAMES),
    ({"画像": FILE_NAMES, "生成文": JAPANESE_CAPTIONS, "正解": JAPANESE_CAPTIONS}, ("画像", "生成文", "正解", "画像"), BY_NAMES),
    ({"画像": IDS, "生成文": JAPANESE_CAPTIONS, "正解": JAPANESE_CAPTIONS}, ("画像", "生成文", "正解", ""), BY_NAMES),
    ({"画像ＩＤ": IDS, "キャプション": JAPANESE_CAPTIONS, "参照文１": JAPANESE_CAPTIONS, "参照文２": JAPANESE_CAPTIONS}, ("画像ＩＤ", "キャプション", "参照文１ 参照文２", ""), BY_NAMES),
    ({"画像番号": IDS, "生成キャプション": JAPANESE_CAPTIONS, "正解キャプション1": JAPANESE_CAPTIONS, "評価": SCORES}, ("画像番号", "生成キャプション", "正解キャプション1", ""), BY_NAMES),
    ({"No.": IDS, "システム出力": JAPANESE_CAPTIONS, "人手1": JAPANESE_CAPTIONS, "人手2": JAPANESE_CAPTIONS}, ("No.", "システム出力", "人手1 人手2", ""), BY_NAMES),
    ({"ID": IDS, "文": JAPANESE_CAPTIONS, "正解文": JAPANESE_CAPTIONS}, ("ID", "文", "正解文", ""), BY_NAMES),
    ({"ファイル": FILE_NAMES, "予測": JAPANESE_CAPTIONS, "正解1": JAPANESE_CAPTIONS, "正解2": JAPANESE_CAPTIONS}, ("ファイル", "予測", "正解1 正解2", "ファイル"), BY_NAMES),
    ({"画像ファイル名": FILE_NAMES, "キャプション": JAPANESE_CAPTIONS, "参照キャプション": JAPANESE_CAPTIONS}, ("画像ファイル名", "キャプション", "参照キャプション", "画像ファイル名"), BY_NAMES),
    ({"画像URL": URLS, "生成結果": JAPANESE_CAPTIONS, "お手本": JAPANESE_CAPTIONS}, ("画像URL", "生成結果", "お手本", "画像URL"), BY_NAMES),
    ({"id": IDS, "prediction": ENGLISH_CAPTIONS, "references": JSON_LISTS}, ("id", "prediction", "references", ""), BY_NAMES),
    ({"file_name": FILE_NAMES, "generated": ENGLISH_CAPTIONS, "ground_truth": REFERENCE_CAPTIONS}, ("file_name", "generated", "ground_truth", "file_name"), BY_NAMES),
    ({"filename": FILE_NAMES, "hypothesis": ENGLISH_CAPTIONS, "reference": REFERENCE_CAPTIONS, "score": SCORES}, ("filename", "hypothesis", "reference", "filename"), BY_NAMES),
    ({"image": FILE_NAMES, "caption": ENGLISH_CAPTIONS, "generated_caption": REFERENCE_CAPTIONS}, ("image", "generated_caption", "caption", "image"), BY_NAMES),
    ({"imageId": IDS, "modelOutput": ENGLISH_CAPTIONS, "groundTruth": REFERENCE_CAPTIONS}, ("imageId", "modelOutput", "groundTruth", ""), BY_NAMES),
    ({"raw": JSON_LISTS, "sentids": JSON_LISTS, "split": EQUAL_CELLS, "filename": FILE_NAMES, "img_id": IDS, "pred": ENGLISH_CAPTIONS}, ("img_id", "pred", "raw", "filename"), BY_NAMES),
    ({"image_id": IDS, "prediction": ENGLISH_CAPTIONS, "caption_1": REFERENCE_CAPTIONS, "caption_2": REFERENCE_CAPTIONS}, ("image_id", "prediction", "caption_1 caption_2", ""), BY_NAMES),
    ({"image_id": IDS, "coco_url": URLS, "file_name": FILE_NAMES, "captions": JSON_LISTS, "hyp": ENGLISH_CAPTIONS}, ("image_id", "hyp", "captions", "file_name"), BY_NAMES),
    ({"id": ["10", "11", "12"], "image_id": IDS, "hypo": ENGLISH_CAPTIONS, "refs": JSON_LISTS}, ("image_id", "hypo", "refs", ""), BY_NAMES),
    ({"Unnamed: 0": IDS, "path": FILE_NAMES, "caption": ENGLISH_CAPTIONS, "gt_0": REFERENCE_CAPTIONS, "gt_1": REFERENCE_CAPTIONS}, ("path", "caption", "gt_0 gt_1", "path"), BY_NAMES),
    ({"IMAGE ID": IDS, "CANDIDATE": ENGLISH_CAPTIONS, "REFERENCE (HUMAN)": REFERENCE_CAPTIONS}, ("IMAGE ID", "CANDIDATE", "REFERENCE (HUMAN)", ""), BY_NAMES),
    ({"cocoid": IDS, "sentences": JSON_LISTS, "beam_search_caption": ENGLISH_CAPTIONS}, ("cocoid", "beam_search_caption", "sentences", ""), BY_NAMES),
    ({"image_id": IDS, "model": EQUAL_CELLS, "output": ENGLISH_CAPTIONS, "labels": JSON_LISTS}, ("image_id", "output", "labels", ""), BY_NAMES),
    ({"id": IDS, "candidate": ENGLISH_CAPTIONS, "f1": SCORES, "weakest": EQUAL_CELLS, "missing": IDS, "references": BAR_SEPARATED}, ("id", "candidate", "references", ""), BY_NAMES),
    ({"caption": ENGLISH_CAPTIONS, "references": REFERENCE_CAPTIONS}, ("", "caption", "references", ""), BY_NAMES),
    ({"": IDS, "text": ENGLISH_CAPTIONS, "gt": REFERENCE_CAPTIONS}, ("", "text", "gt", ""), BY_NAMES),
    ({"a": IDS, "b": ENGLISH_CAPTIONS, "c": REFERENCE_CAPTIONS, "d": REFERENCE_CAPTIONS}, ("a", "b", "c d", ""), BY_CONTENT),
    ({"a": IDS, "b": ENGLISH_CAPTIONS, "c": PYTHON_LISTS}, ("a", "b", "c", ""), BY_CONTENT),
    ({"a": SCORES, "b": ENGLISH_CAPTIONS, "c": REFERENCE_CAPTIONS}, ("", "b", "c", ""), BY_CONTENT),
    ({"photo": FILE_NAMES, "said": ENGLISH_CAPTIONS, "human": REFERENCE_CAPTIONS}, ("photo", "said", "human", "photo"), BY_CONTENT),
    ({"x": FILE_NAMES, "y": JAPANESE_CAPTIONS, "z": JAPANESE_CAPTIONS}, ("x", "y", "z", "x"), BY_CONTENT),
    ({"id": IDS, "text": ENGLISH_CAPTIONS}, ("id", "text", "", ""), NO_CERTAINTY),
    ({"7": IDS, "a dog": ENGLISH_CAPTIONS, "a brown dog": REFERENCE_CAPTIONS}, ("", "", "", ""), NO_CERTAINTY),
]  # fmt: skip


def rows_of_columns(columns: dict[str, list[str]]) -> list[dict[str, str]]:
    return [dict(zip(columns, cells)) for cells in zip(*columns.values())]


def column_names(columns: Columns) -> tuple[str, ...]:
    return columns.image_id, columns.candidate, " ".join(columns.references), columns.image_file


@pytest.mark.parametrize(("columns", "expected_columns", "certainty"), HEADERS, ids=[",".join(columns) for columns, *_ in HEADERS])
def test_columns_are_guessed(columns, expected_columns, certainty):
    guessed_columns = guess_columns([*columns], rows_of_columns(columns))
    assert column_names(guessed_columns) == expected_columns and guessed_columns.certainty == certainty


def test_columns_are_guessed_in_separate_files_and_in_json_rows():
    for layout, columns, expected_columns in (
        (RESULT_FIELDS, {"filename": FILE_NAMES, "caption": ENGLISH_CAPTIONS}, ("filename", "caption", "", "filename")),
        (RESULT_FIELDS, {"画像ID": IDS, "生成文": JAPANESE_CAPTIONS}, ("画像ID", "生成文", "", "")),
        (REFERENCE_FIELDS, {"img": IDS, "caption": ENGLISH_CAPTIONS, "split": EQUAL_CELLS}, ("img", "", "caption", "")),
        (REFERENCE_FIELDS, {"画像ID": IDS, "正解1": JAPANESE_CAPTIONS, "正解2": JAPANESE_CAPTIONS}, ("画像ID", "", "正解1 正解2", "")),
        (REFERENCE_FIELDS, {"filename": FILE_NAMES, "raw": JSON_LISTS}, ("filename", "", "raw", "filename")),
    ):
        guessed_columns = guess_columns([*columns], rows_of_columns(columns), layout)
        assert column_names(guessed_columns) == expected_columns
        assert guessed_columns.is_complete(layout)
        assert guessed_columns.certainty is BY_NAMES
    row_values = [
        {"image": {"id": n}, "img_id": n, "gts": [{"caption": "A dog."}, {"caption": "A cat."}], "res": ENGLISH_CAPTIONS[n]}
        for n in range(3)
    ]
    assert column_names(guess_columns([*row_values[0]], row_values, table=False)) == ("img_id", "res", "gts", "")


def test_guessed_columns_can_be_written_as_command_line_options():
    for columns, layout, option in (
        (Columns("画像ID", "候補文", ("参照1", "参照2")), ITEM_FIELDS, "image_id=画像ID test=候補文 refs=参照1,参照2"),
        (Columns("", "my caption", ("gt",)), ITEM_FIELDS, "image_id= 'test=my caption' refs=gt"),
        (Columns("id", "pred", ()), RESULT_FIELDS, "image_id=id caption=pred"),
        (Columns("id", "", ("raw",)), REFERENCE_FIELDS, "image_id=id captions=raw"),
        (Columns("id", "a,b", ("gt",)), ITEM_FIELDS, ""),
    ):
        assert columns.option_value(layout) == option


@pytest.mark.parametrize(("cell", "captions"), [
    ("A dog.", ["A dog."]),
    ('["A dog.", "A cat."]', ["A dog.", "A cat."]),
    ("['A dog.', \"A man's cat.\"]", ["A dog.", "A man's cat."]),
    ("['A dog.' \"A man's cat.\"\n 'A bus.']", ["A dog.", "A man's cat.", "A bus."]),  # NumPy's notation, which pandas writes for arrays
    ('["he said ""hi"""]', ['["he said ""hi"""]']),
    ("['a', __import__('os')]", ["['a', __import__('os')]"]),
    ("A dog. | A cat. || A bus.", ["A dog.", "A cat.", "A bus."]),
    ("either|or", ["either|or"]),
    ("[sign] A dog.", ["[sign] A dog."]),
    ([{"raw": "A dog.", "tokens": []}, "A cat."], ["A dog.", "A cat."]),
    ([["dog"], ["dog", "brown"]], [["dog"], ["dog", "brown"]]),
    ("[" * 90_000, ["[" * 90_000]),
    ("['" + "\\'" * 40_000, ["['" + "\\'" * 40_000]),
    (7, [7]),
])  # fmt: skip
def test_a_cell_can_contain_several_captions(cell, captions):
    assert read_captions(cell) == captions
