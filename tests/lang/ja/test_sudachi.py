"""Japanese synonyms: groups, spellings, numbers, stems and heads, and their explanations."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from spice_core.lang.ja.sudachi import Sudachi, SudachiWithCaptions, _spelling_of_id, _to_digits, spelling_id


def test_equal_words_share_an_id_and_different_words_share_none():
    for a, b, _ in [
        ("キッチン", "台所", "a synonym group"), ("台所", "厨房", "a synonym group"), ("さす", "差す", "a verb in kana"), ("クマ", "熊", "katakana"),
        ("二匹", "2匹", "numerals"), ("２匹", "2匹", "width"), ("ふたり", "2人", "a reading of its own"), ("十二人", "12人", "a numeral with units"),
        ("赤い", "赤色", "a colour, adjective or noun"), ("茶色い", "茶色", "a colour, adjective or noun"), ("走行", "走行する", "a noun and its verb"),
        ("お皿", "皿", "a polite prefix"),
    ]:  # fmt: skip
        assert Sudachi().ids(a) & Sudachi().ids(b)
    for a, b in [("眺める", "見る"), ("テニスラケット", "ラケット"), ("折りたたみ傘", "傘")]:
        assert SudachiWithCaptions().ids(a) & SudachiWithCaptions().ids(b)
        assert not Sudachi().ids(a) & Sudachi().ids(b)
    for a, b in (("犬", "猫"), ("人", "男性"), ("二匹", "三匹"), ("赤い", "青い"), ("走る", "座る"), ("する", "為す")):
        assert not SudachiWithCaptions().ids(a) & SudachiWithCaptions().ids(b), a
    assert [_spelling_of_id(spelling_id(text)) for text in ("犬", "a", "二階建てバス", "ā")] == ["犬", "a", "二階建てバス", "ā"]
    for text, digits in [("二匹", "2匹"), ("十匹", "10匹"), ("二十三人", "23人"), ("百二台", "102台"), ("二〇本", "20本"), ("犬", "犬")]:
        assert _to_digits(text) == digits


def test_every_id_explains_itself():
    source = SudachiWithCaptions()
    for word in ("台所", "さす", "眺める", "2匹", "テニスラケット"):
        for id in source.ids(word):
            sense = source.synset(id)
            assert sense.name and sense.gloss and sense.lemmas and sense.id == id
    with pytest.raises(KeyError):
        Sudachi().synset(999_999)
    source = Sudachi()
    long = "犬" * 20_000
    assert source.ids(long) == source.ids(long) and len(source.ids(long)) == 1 and not source.ids(long) & source.ids("犬")
    (id,) = source.ids(long)
    assert source.synset(id).lemmas == (long,)


def test_threads_and_processes_share_a_source():
    source = SudachiWithCaptions()
    words = [f"{n}匹の犬" for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        ids_by_thread = list(pool.map(source.ids, words * 3))
    assert ids_by_thread[:40] == ids_by_thread[40:80] == ids_by_thread[80:] == [SudachiWithCaptions().ids(w) for w in words]
    copy = pickle.loads(pickle.dumps(SudachiWithCaptions()))
    assert copy.ids("眺める") == SudachiWithCaptions().ids("眺める")
