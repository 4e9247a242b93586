"""The language that captions seem to be in, by their script."""

import pytest

from spice_core.lang.script import likely_language

JA, EN, RU = "犬がソファに座っている", "A dog sits on a sofa.", "Собака на диване"


@pytest.mark.parametrize(("captions", "lang", "found"), [
    ([JA, JA], "en", "ja"), ([EN, EN], "ja", "en"), ([EN, EN], "en", ""), ([JA], "ja", ""), ([], "en", ""), ([], "ja", ""),
    (["犬", "カバン", "ｶﾊﾞﾝ"], "en", "ja"),
    ([RU, RU], "en", ""), ([RU, RU], "ja", ""),  # of no language that the program reads
    ([JA, EN], "en", ""), ([JA, EN], "ja", ""), ([JA, JA, EN], "en", "ja"), ([JA, EN, EN], "en", ""),  # more than half
    ([RU, RU, JA], "en", ""), ([RU, JA, JA], "en", "ja"),
    (["A sign says 止まれ in Japan"], "en", ""), (["ＴシャツのロゴはABC"], "ja", ""),
    (["?", "3", "", "🐕", JA], "en", "ja"), (["?", "3", "", "🐕"], "en", ""), (["?"], "ja", ""),  # without letters
    (["Café à Zürich"], "en", ""), ((text for text in [JA]), "en", "ja"),
])  # fmt: skip
def test_most_captions_are_in_another_script(captions, lang, found):
    assert likely_language(captions, lang) == found


def test_the_first_200_captions_are_read():
    seen = []

    def captions():
        for _ in range(10_000):
            seen.append(JA)
            yield JA

    assert likely_language(captions(), "en") == "ja" and len(seen) == 200
    assert likely_language([*[EN] * 200, *[JA] * 1000], "en") == ""
