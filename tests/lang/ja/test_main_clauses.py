"""What a main clause takes from before a clause inside it, on frozen trees."""

from __future__ import annotations

import pytest

from spice_core.lang.ja.main_clauses import main_subjects, places
from tests.lang.edges import applied

N, V, P = "名詞-普通名詞-一般", "動詞-一般", "助詞-格助詞"
WATCHED = (
    "少年/少年/{N}/4/nsubj は/は/助詞-係助詞/1/case 柵/柵/{N}/4/obl:に 集まる/集まる/{V}/5/acl 子供/子供/{N}/6/obj 見る/見る/{V}/0/root"
)
THERE = "{place}/{place}/{N}/5/obl:{case} {case}/{case}/{P}/1/case 帽子/帽子/{N}/5/obj を/を/{P}/3/case かぶる/かぶる/{V}/6/acl 人/人/{N}/8/nsubj が/が/{P}/6/case いる/いる/{V}/0/root"

CASES = [
    (main_subjects, WATCHED, {"見る nsubj 少年"}),
    (main_subjects, WATCHED.replace("は/は/助詞-係助詞", "が/が/助詞-格助詞"), {"見る nsubj 少年"}),  # both are people
    (main_subjects, WATCHED.replace("は/は/助詞-係助詞", "が/が/助詞-格助詞").replace("少年/少年", "波/波"), set()),
    (places, THERE.replace("{place}", "路上").replace("{case}", "に"), {"いる obl:に 路上"}),
    (places, THERE.replace("{place}", "路上").replace("{case}", "で"), set()),
    (places, THERE.replace("{place}", "頭").replace("{case}", "に"), set()),
    (  # 道を|傘をさして|歩く
        places,
        "道/道/{N}/5/obj を/を/{P}/1/case 傘/傘/{N}/5/obj を/を/{P}/3/case さし/さす/{V}/6/advcl 歩く/歩く/{V}/0/root",
        {"歩く obj 道"},
    ),
    (
        places,
        "机/机/{N}/3/obl:に に/に/{P}/1/case 置か/置く/{V}/5/acl れる/れる/助動詞/3/aux 本/本/{N}/6/nsubj ある/ある/{V}/0/root",
        set(),
    ),
]


@pytest.mark.parametrize(("step", "tree", "added"), CASES, ids=range(len(CASES)))
def test_steps(step, tree, added):
    assert applied(step, tree.replace("{N}", N).replace("{V}", V).replace("{P}", P)) == added
