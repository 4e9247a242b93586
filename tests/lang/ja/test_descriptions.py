"""Descriptions by suffix, colours in く, results and owners, on frozen trees."""

from __future__ import annotations

import pytest

from spice_core.lang.ja import descriptions
from tests.lang.edges import applied

N, V, P, A = "名詞-普通名詞-一般", "動詞-一般", "助詞-格助詞", "形容詞-一般"

CASES = [
    (descriptions.suffixed_descriptions, f"石畳/石畳/{N}/2/compound 敷き/敷き/{N}/4/nmod:の の/の/{P}/2/case 道/道/{N}/0/root", {"道 amod 敷き"}),
    (descriptions.suffixed_descriptions, f"石畳/石畳/{N}/3/nmod:の の/の/{P}/1/case 道/道/{N}/0/root", set()),
    (descriptions.suffixed_descriptions, f"色/色/{N}/3/amod の/の/{P}/1/case 印/印/{N}/0/root", {"印 nmod:の 色"}),
    (  # 二頭|の|茶色|の|牛
        descriptions.suffixed_descriptions,
        f"二頭/二頭/{N}/3/nummod の/の/{P}/1/case 茶色/茶色/{N}/5/amod の/の/{P}/3/case 牛/牛/{N}/0/root",
        {"牛 nummod 二頭"},
    ),
    (descriptions.resulting_colours, f"壁/壁/{N}/3/nsubj 白く/白い/{A}/3/advcl 塗る/塗る/{V}/0/root", {"白く nsubj 壁"}),
    (descriptions.resulting_colours, f"口/口/{N}/3/obj 大きく/大きい/{A}/3/advcl 開ける/開ける/{V}/0/root", set()),
    (descriptions.resultatives, f"掛け/掛ける/{V}/3/acl ある/ある/{V}/1/aux 絵/絵/{N}/0/root/1/obj", {"掛け nsubj 絵"}),
    (descriptions.double_subjects, f"象/象/{N}/4/obl:は は/は/助詞-係助詞/1/case 鼻/鼻/{N}/4/nsubj 長い/長い/{A}/0/root", {"鼻 nmod:の 象"}),
    (descriptions.owners, f"女性/女性/{N}/3/nsubj の/の/{P}/1/case 赤い/赤い/{A}/4/acl 帽子/帽子/{N}/0/root", {"帽子 nmod:の 女性"}),
    (descriptions.owners, f"車両/車両/{N}/3/nsubj の/の/{P}/1/case 長い/長い/{A}/4/acl 電車/電車/{N}/0/root", set()),
    (descriptions.reported_clauses, f"滑る/滑る/{V}/2/acl ところ/ところ/{N}/3/obj 見る/見る/{V}/0/root", {"見る advmod ところ"}),
]  # fmt: skip


@pytest.mark.parametrize(("step", "tree", "added"), CASES, ids=[f"{c[0].__name__} {i}" for i, c in enumerate(CASES)])
def test_steps(step, tree, added):
    assert applied(step, tree) == added
