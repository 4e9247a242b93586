"""Subjects carried into later sentences, pronouns and members of groups, on frozen trees."""

from __future__ import annotations

import pytest

from spice_core.lang.ja.discourse import carried_subjects, joined, members, pronouns
from spice_core.syntax.document import Dependency, Sentence, Token
from tests.lang.edges import applied

N, V, P = "名詞-普通名詞-一般", "動詞-一般", "助詞-格助詞"
STANDS = f"男性/男性/{N}/3/nsubj が/が/{P}/1/case 立つ/立つ/{V}/0/root 。/。/補助記号-句点/3/punct"

CASES = [
    (carried_subjects, f"{STANDS} 本/本/{N}/6/obj 読む/読む/{V}/0/root", {"読む nsubj:zero 男性"}),
    (carried_subjects, f"{STANDS} 犬/犬/{N}/6/nsubj 走る/走る/{V}/0/root", set()),
    (  # 男性が|立つ。|本を読んで|座る。|走る: a clause inside a sentence takes part
        carried_subjects,
        f"{STANDS} 本/本/{N}/6/obj 読ん/読む/{V}/8/advcl で/で/助詞-接続助詞/6/mark 座る/座る/{V}/0/root 。/。/補助記号-句点/8/punct 走る/走る/{V}/0/root",
        {"座る nsubj:zero 男性", "読ん nsubj:zero 男性", "走る nsubj:zero 男性"},
    ),
    (pronouns, f"{STANDS} 彼/彼/代名詞/7/nsubj は/は/助詞-係助詞/5/case 歩く/歩く/{V}/0/root", {"歩く nsubj 男性", "男性 fixed 彼"}),
    (pronouns, f"{STANDS} 彼女/彼女/代名詞/7/nsubj は/は/助詞-係助詞/5/case 歩く/歩く/{V}/0/root", set()),
    (  # 女性が二人いて、|一人は|座る
        members,
        f"女性/女性/{N}/4/nsubj が/が/{P}/1/case 二人/二人/{N}/4/nummod:floated い/いる/{V}/7/advcl 一人/一人/{N}/7/nummod:floated は/は/助詞-係助詞/5/case 座る/座る/{V}/0/root",
        {"座る nsubj 女性", "女性 nummod:floated 一人"},
    ),
    (members, f"一人/一人/{N}/3/nsubj が/が/{P}/1/case 座る/座る/{V}/0/root", set()),
]


@pytest.mark.parametrize(("step", "tree", "added"), CASES, ids=[f"{c[0].__name__} {i}" for i, c in enumerate(CASES)])
def test_steps(step, tree, added):
    assert applied(step, tree) == added


def test_sentences_are_joined_each_with_its_root():
    one = Sentence(
        (Token(1, "犬", "犬", N, 0, 1), Token(2, "。", "。", "補助記号", 1, 2)), (Dependency(0, 1, "root"), Dependency(1, 2, "punct"))
    )
    two = Sentence((Token(1, "猫", "猫", N, 2, 3),), (Dependency(0, 1, "root"),))
    (sentence,) = joined((one, two))
    assert [t.index for t in sentence.tokens] == [1, 2, 3]
    assert sentence.basic == (Dependency(0, 1, "root"), Dependency(1, 2, "punct"), Dependency(0, 3, "root"))
    assert joined((one,)) == (one,)
