"""Words that GiNZA attaches too far or too loosely, on frozen trees."""

from __future__ import annotations

import pytest

from spice_core.lang.ja import phrases
from tests.lang.edges import applied

N, V, P, A, Q = "名詞-普通名詞-一般", "動詞-一般", "助詞-格助詞", "形容詞-一般", "接尾辞-名詞的-助数詞"

CASES = [
    (  # 歩い|て|いる|人: what is fixed on て ends the clause
        phrases.fixed_words,
        f"歩い/歩く/{V}/4/acl て/て/助詞-接続助詞/1/mark いる/いる/動詞-非自立可能/2/fixed 人/人/{N}/0/root",
        {"歩い aux いる"},
    ),
    (phrases.fixed_words, f"柵/柵/{N}/4/obl に/に/{P}/1/case よっ/よる/{V}/2/fixed 囲む/囲む/{V}/0/root", set()),
    (  # 重ね|て|置か|れる: passive, no auxiliary
        phrases.auxiliary_verbs,
        f"重ね/重ねる/{V}/3/advcl て/て/助詞-接続助詞/1/mark 置か/置く/動詞-非自立可能/0/root れる/れる/助動詞/3/aux",
        set(),
    ),
    (
        phrases.auxiliary_verbs,
        f"食ん/食む/{V}/3/advcl で/で/助詞-接続助詞/1/mark いる/いる/動詞-非自立可能/0/root",
        {"root root 食ん", "食ん aux いる"},
    ),
    (
        phrases.listed_clauses,
        f"本/本/{N}/2/obj 読ん/読む/{V}/4/advcl だり/だり/助詞-副助詞/2/mark する/する/動詞-非自立可能/0/root",
        {"root root 読ん", "読ん aux する"},
    ),
    (phrases.suffixed_words, f"黄色/黄色/{N}/3/nmod っぽい/っぽい/接尾辞-形容詞的/1/mark 花/花/{N}/0/root", {"花 amod っぽい", "っぽい compound 黄色"}),
    (phrases.suffixed_words, f"彼/彼/代名詞/2/nmod ら/ら/接尾辞-名詞的-一般/3/nsubj いる/いる/{V}/0/root", {"いる nsubj 彼", "彼 compound:suffix ら"}),
    (phrases.numbers, f"２/２/名詞-数詞/4/dep 頭/頭/{Q}/3/nmod 牛/牛/{N}/4/nsubj いる/いる/{V}/0/root", {"頭 nummod ２"}),
    (phrases.numbers, f"二/二/名詞-数詞/3/compound 階/階/{Q}/3/compound バス/バス/{N}/0/root", set()),
    (
        phrases.counted_arguments,
        f"羊/羊/{N}/4/nsubj が/が/{P}/1/case ２/２/名詞-数詞/4/nummod 頭/頭/{Q}/5/obl 並ぶ/並ぶ/{V}/0/root",
        {"並ぶ nsubj 羊"},
    ),
    (phrases.counted_arguments, f"服/服/{N}/3/obj を/を/{P}/1/case 着/着る/{V}/4/acl 人/人/{N}/0/root", set()),  # 着 is a counter as well
    (
        phrases.companions,
        f"犬/犬/{N}/3/nmod と/と/{P}/1/case 一緒/一緒/{N}/5/obl に/に/{P}/3/case 座る/座る/{V}/0/root",
        {"座る obl 犬"},
    ),
    (phrases.clefts, f"いる/いる/{V}/3/csubj の/の/助詞-準体助詞/1/mark 犬/犬/{N}/0/root", {"いる nsubj 犬"}),
    (
        phrases.adnominal_clauses,  # 置か|れ|た|ボート
        f"置か/置く/{V}/5/advcl れ/れる/助動詞/1/aux た/た/助動詞/1/aux ボート/ボート/{N}/5/obl いる/いる/{V}/0/root",
        {"ボート acl 置か"},
    ),
    (phrases.adnominal_clauses, f"座っ/座る/{V}/3/advcl て/て/助詞-接続助詞/1/mark いる/いる/{V}/0/root", set()),
    (phrases.joined_particles, f"駅/駅/{N}/5/obl:へ へ/へ/{P}/1/case の/の/{P}/1/case バス/バス/{N}/5/nsubj 走る/走る/{V}/0/root", {"バス nmod:の 駅"}),
    (phrases.compound_verbs, f"じゃれ/じゃれる/{V}/0/root 合う/合う/動詞-非自立可能/1/advcl", {"root root 合う", "合う compound じゃれ"}),
    (phrases.compound_verbs, f"持ち/持つ/{V}/2/advcl 立つ/立つ/{V}/0/root", set()),
    (phrases.adnominals, f"険しい/険しい/{A}/4/acl 雪山/雪山/{N}/4/nmod の/の/{P}/2/case 斜面/斜面/{N}/0/root", {"雪山 acl 険しい"}),
    (phrases.adnominals, f"かわいい/かわいい/{A}/5/advcl ピンク/ピンク/{N}/4/nmod の/の/{P}/2/case 花/花/{N}/5/nsubj 並ぶ/並ぶ/{V}/0/root", {"花 acl かわいい"}),
    (phrases.adnominals, f"おおきな/おおきな/連体詞/2/compound ボウル/ボウル/{N}/0/root", {"ボウル amod おおきな"}),
    (
        phrases.conjuncts,
        f"机/机/{N}/5/obl:と と/と/{P}/1/case 椅子/椅子/{N}/5/nsubj の/の/{P}/3/case 置か/置く/{V}/6/acl 部屋/部屋/{N}/0/root",
        {"椅子 conj:と 机"},
    ),
    (  # 犬と|スキーをする: a companion
        phrases.conjuncts,
        f"犬/犬/{N}/5/obl:と と/と/{P}/1/case スキー/スキー/{N}/5/obj を/を/{P}/3/case する/する/{V}/0/root",
        set(),
    ),
    (phrases.conjuncts, f"猫/猫/{N}/3/compound また/また/接続詞/3/cc 犬/犬/{N}/0/root", {"犬 conj:または 猫"}),
    (
        phrases.described_conjuncts,
        f"一匹/一匹/{N}/5/nmod:の の/の/{P}/1/case 犬/犬/{N}/5/conj:と と/と/{P}/3/case 猫/猫/{N}/0/root",
        {"犬 nmod:の 一匹"},
    ),
    (
        phrases.conjuncts_of_clauses,
        f"人々/人々/{N}/3/conj:と と/と/{P}/1/case クロス/クロス/{N}/5/nsubj の/の/{P}/3/case かかる/かかる/{V}/6/acl 机/机/{N}/0/root",
        {"机 conj:と 人々"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("step", "tree", "added"), CASES, ids=[f"{c[0].__name__} {i}" for i, c in enumerate(CASES)])
def test_steps(step, tree, added):
    assert applied(step, tree) == added
