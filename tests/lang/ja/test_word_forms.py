"""Dictionary forms that Sudachi or GiNZA misses, and negative forms."""

import pytest

from spice_core.lang.ja.word_forms import correct_sentence, negate_predicates, negative_form
from spice_core.syntax.document import Dependency, Sentence, Token

N, V, A = "名詞-普通名詞-一般", "動詞-一般", "形容詞-一般"


def test_negated_predicates_have_a_negative_form():
    for text, lemma, tag, expected_lemma in [
        ("かぶら", "かぶる", V, "かぶらない"), ("かぶっ", "かぶる", V, "かぶらない"), ("着", "着る", V, "着ない"), ("切っ", "切る", V, "切らない"),
        ("舗装", "舗装する", "動詞-サ変", "舗装しない"), ("い", "いる", "動詞-非自立可能", "いない"), ("あり", "ある", "動詞-非自立可能", "ない"), ("使っ", "使う", V, "使わない"),
        ("来", "来る", "動詞-非自立可能", "来ない"), ("青く", "青い", A, "青くない"), ("静か", "静か", "形状詞-一般", "静かでない"),
    ]:  # fmt: skip
        assert negative_form(Token(1, text, lemma, tag)) == expected_lemma
    sentence = Sentence((Token(1, "着", "着る", V), Token(2, "ない", "ない", "助動詞"), Token(3, "座る", "座る", V)), ())
    assert [t.lemma for t in negate_predicates(sentence, [Dependency(1, 2, "neg")]).tokens] == ["着ない", "ない", "座る"]
    assert negate_predicates(sentence, [Dependency(1, 2, "aux")]) is sentence


@pytest.mark.parametrize(("words", "position", "expected_lemmas"), [
    ((("腕", "腕", N), ("もったり", "もったり", "副詞")), 1, ("もつ", V)),
    ((("走り出", "走り出る", V), ("そう", "そう", "形状詞-助動詞語幹"), ("と", "と", "助詞-格助詞")), 0, ("走り出す", V)),
    ((("子供たち", "子供たち", N),), 0, ("子供", N)), ((("友達", "友達", N),), 0, ("友達", N)), ((("会場内", "会場内", N),), 0, ("会場", N)),
    ((("室内", "室内", N),), 0, ("室内", N)),
    ((("「", "「", "補助記号-括弧開"), ("止まれ", "止まる", V), ("」", "」", "補助記号-括弧閉")), 1, ("止まれ", N)),
])  # fmt: skip
def test_word_forms_are_corrected(words, position, expected_lemmas):
    sentence = correct_sentence(Sentence(tuple(Token(i, *word) for i, word in enumerate(words, 1)), ()))
    assert (sentence.tokens[position].lemma, sentence.tokens[position].tag) == expected_lemmas
    assert correct_sentence(sentence) == sentence
