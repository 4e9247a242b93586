"""Japanese synonyms: groups, spellings, numbers, stems, heads; and what explains them."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from spice_core.lang.ja.sudachi import Sudachi, _digits, _spelling, spelling_id, with_captions

SAME = [
    ("キッチン", "台所", "a synonym group"),
    ("台所", "厨房", "a synonym group"),
    ("さす", "差す", "a verb in kana"),
    ("クマ", "熊", "katakana"),
    ("二匹", "2匹", "numerals"),
    ("２匹", "2匹", "width"),
    ("ふたり", "2人", "a reading of its own"),
    ("十二人", "12人", "a numeral with units"),
    ("赤い", "赤色", "a colour, adjective or noun"),
    ("茶色い", "茶色", "a colour, adjective or noun"),
    ("走行", "走行する", "a noun and its verb"),
    ("お皿", "皿", "a polite prefix"),
]


@pytest.mark.parametrize(("a", "b", "_"), SAME, ids=[f"{a}={b}" for a, b, _ in SAME])
def test_words_that_share_an_id(a, b, _):
    assert Sudachi().ids(a) & Sudachi().ids(b)


@pytest.mark.parametrize(("a", "b"), [("犬", "猫"), ("人", "男性"), ("二匹", "三匹"), ("赤い", "青い"), ("走る", "座る"), ("する", "為す")])
def test_words_that_share_none(a, b):
    assert not with_captions().ids(a) & with_captions().ids(b)


@pytest.mark.parametrize(("a", "b"), [("眺める", "見る"), ("テニスラケット", "ラケット"), ("折りたたみ傘", "傘")])
def test_thesaurus_and_heads_are_for_captions_only(a, b):
    assert with_captions().ids(a) & with_captions().ids(b)
    assert not Sudachi().ids(a) & Sudachi().ids(b)


def test_every_id_explains_itself():
    source = with_captions()
    for word in ("台所", "さす", "眺める", "2匹", "テニスラケット"):
        for id in source.ids(word):
            sense = source.synset(id)
            assert sense.name and sense.gloss and sense.lemmas and sense.id == id


def test_an_unknown_id_is_refused():
    with pytest.raises(KeyError):
        Sudachi().synset(999_999)


@pytest.mark.parametrize("text", ["犬", "a", "二階建てバス", "ā"])
def test_spellings_are_numbers_and_back(text):
    assert _spelling(spelling_id(text)) == text


@pytest.mark.parametrize(
    ("text", "digits"), [("二匹", "2匹"), ("十匹", "10匹"), ("二十三人", "23人"), ("百二台", "102台"), ("二〇本", "20本"), ("犬", "犬")]
)
def test_numerals_before_counters(text, digits):
    assert _digits(text) == digits


def test_threads_share_a_source():
    source = with_captions()
    words = [f"{n}匹の犬" for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(source.ids, words * 3))
    assert found[:200] == found[200:400] == found[400:] == [Sudachi(captions=True).ids(w) for w in words]


def test_a_source_can_be_handed_to_another_process():
    copy = pickle.loads(pickle.dumps(with_captions()))
    assert copy.ids("眺める") == with_captions().ids("眺める")


def test_what_is_too_long_for_a_word_is_its_own_sense_alone():
    source = Sudachi()
    long = "犬" * 20_000
    assert source.ids(long) == source.ids(long) and len(source.ids(long)) == 1 and not source.ids(long) & source.ids("犬")
    (id,) = source.ids(long)
    assert source.synset(id).lemmas == (long,)
