"""Test detection of captions whose script is not that of their language."""

import pytest

from spice_core.lang.script import other_language

JA, EN, RU, ZH = "犬がソファに座っている", "A dog sits on a sofa.", "Собака на диване", "一只棕色的狗坐在沙发上"


@pytest.mark.parametrize(("captions", "lang", "expected_language"), [
    ([JA, JA], "en", "ja"), ([EN, EN], "ja", "en"), ([EN, EN], "en", None), ([JA], "ja", None), ([], "en", None), ([], "ja", None),
    (["犬", "カバン", "ｶﾊﾞﾝ"], "en", "ja"),
    # No supported language is written in Cyrillic, or in Chinese characters without kana.
    ([RU, RU], "en", ""), ([RU, RU], "ja", ""), ([ZH, ZH], "en", ""), ([ZH] * 3, "ja", ""),
    (["犬", "猫"], "ja", None),  # short captions without kana may be Japanese
    # Kana identify Japanese.
    ([ZH, JA, JA], "en", "ja"), ([JA] + [ZH] * 20, "en", ""),
    # More than half of the captions must be in another script.
    ([JA, EN], "en", None), ([JA, EN], "ja", None), ([JA, JA, EN], "en", "ja"), ([JA, EN, EN], "en", None),
    ([RU, RU, JA], "en", ""), ([RU, JA, JA], "en", "ja"),
    (["A sign says 止まれ in Japan"], "en", None), (["ＴシャツのロゴはABC"], "ja", None),
    # Captions without letters do not count.
    (["?", "3", "", "🐕", JA], "en", "ja"), (["?", "3", "", "🐕"], "en", None), (["?"], "ja", None),
    (["Café à Zürich"], "en", None), ((text for text in [JA]), "en", "ja"),
])  # fmt: skip
def test_most_captions_are_in_another_script(captions, lang, expected_language):
    detected = other_language(captions, lang)
    assert (detected and detected.code) == expected_language


def test_only_the_first_200_captions_are_read():
    read_captions = []

    def captions():
        for _ in range(10_000):
            read_captions.append(JA)
            yield JA

    assert other_language(captions(), "en") == ("ja",) and len(read_captions) == 200
    assert other_language([*[EN] * 200, *[JA] * 1000], "en") is None
