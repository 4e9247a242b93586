"""From GiNZA's trees to predicate-argument structure, step by step, on frozen trees."""

from __future__ import annotations

import pytest

from spice_core.errors import UnknownNameError
from spice_core.lang.ja import enhancement as ja
from spice_core.lang.ja.discourse import joined
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.document import Document, Sentence
from tests.lang.edges import applied, lines_run

N, V, P = "名詞-普通名詞-一般", "動詞-一般", "助詞-格助詞"


CASES = [
    # 草を|食ん|で|いる|ところ: いる is taken for a verb of its own
    (
        ja.supporting_verbs,
        f"草/草/{N}/3/obj を/を/{P}/1/case 食ん/食む/{V}/5/advcl で/で/助詞-接続助詞/3/mark いる/いる/動詞-非自立可能/6/acl ところ/ところ/名詞-普通名詞-副詞可能/0/root",
        {"ところ acl 食ん", "食ん aux いる"},
    ),
    # 人通りの少なく|なった|道路
    (
        ja.supporting_verbs,
        f"少なく/少ない/形容詞-一般/2/advcl なっ/なる/動詞-非自立可能/4/acl た/た/助動詞/2/aux 道路/道路/{N}/0/root",
        {"道路 acl 少なく", "少なく aux なっ", "少なく aux た"},
    ),
    (ja.supporting_verbs, f"見/見る/{V}/3/advcl て/て/助詞-接続助詞/1/mark 走る/走る/{V}/0/root", set()),
    (
        ja.formal_nouns,
        f"走る/走る/{V}/2/acl ところ/ところ/{N}/0/root です/です/助動詞/2/cop",
        {"root root 走る", "走る aux ところ", "走る cop です"},
    ),
    (ja.formal_nouns, f"走る/走る/{V}/2/acl 犬/犬/{N}/0/root です/です/助動詞/2/cop", set()),
    (
        ja.suffixes,
        f"人/人/{N}/2/compound 達/達/接尾辞-名詞的-一般/4/nsubj が/が/{P}/2/case 走る/走る/{V}/0/root",
        {"走る nsubj 人", "人 compound:suffix 達", "人 case が"},
    ),
    (ja.quantities, f"二/二/名詞-数詞/2/nummod 頭/頭/接尾辞-名詞的-助数詞/4/nmod の/の/{P}/2/case 熊/熊/{N}/0/root", {"頭 compound 二"}),
    (
        ja.quantities,
        f"男性/男性/{N}/3/compound ３/３/名詞-数詞/3/nummod 人/人/接尾辞-名詞的-一般/5/nsubj が/が/{P}/3/case 走る/走る/{V}/0/root",
        {"走る nsubj 男性", "男性 nummod:floated 人", "人 compound ３", "男性 case が"},
    ),
    (ja.light_verbs, f"ジャンプ/ジャンプ/{N}/2/obl する/する/動詞-非自立可能/0/root", {"する compound ジャンプ"}),
    (
        ja.verb_forms,  # 被り|スケートボードに乗る
        f"帽子/帽子/{N}/2/obj 被り/被る/{V}/3/acl スケートボード/スケートボード/{N}/5/obl に/に/{P}/3/case 乗る/乗る/{V}/0/root",
        {"乗る advcl 被り"},
    ),
    (ja.verb_forms, f"折りたたみ/折りたたむ/{V}/2/acl 傘/傘/{N}/0/root", {"傘 compound 折りたたみ"}),
    (ja.verb_forms, f"かわいい/かわいい/形容詞-一般/2/advcl 花/花/{N}/0/root", {"花 acl かわいい"}),
    (ja.verb_forms, f"被っ/被る/{V}/3/acl た/た/助動詞/1/aux 人/人/{N}/5/nsubj が/が/{P}/3/case 乗る/乗る/{V}/0/root", set()),
    (
        ja.case_markers,
        f"庭/庭/{N}/5/obl に/に/{P}/1/case は/は/助詞-係助詞/1/case 犬/犬/{N}/5/nsubj いる/いる/{V}/0/root",
        {"いる obl:に 庭"},
    ),
    (ja.case_markers, f"海/海/{N}/3/nmod の/の/{P}/1/case 見える/見える/{V}/4/acl ベンチ/ベンチ/{N}/0/root", {"見える nsubj 海"}),
    (ja.case_markers, f"駅/駅/{N}/3/obl まで/まで/助詞-副助詞/1/case 歩く/歩く/{V}/0/root", {"歩く obl:まで 駅"}),
    (ja.case_markers, f"夜/夜/{N}/3/obl に/に/{P}/1/case 歩く/歩く/{V}/0/root", {"歩く obl:時間 夜"}),
    (ja.case_markers, f"一人/一人/{N}/2/advmod 座る/座る/{V}/0/root", {"座る nummod:floated 一人"}),
    (
        ja.stray_arguments,
        f"馬/馬/{N}/3/nsubj が/が/{P}/1/case 牧草地/牧草地/{N}/5/obl:で で/で/{P}/3/case 食む/食む/{V}/0/root",
        {"食む nsubj 馬"},
    ),
    (
        ja.initial_places,  # 道路で|ヘルメットを被り|乗る
        f"道路/道路/{N}/5/obl:で で/で/{P}/1/case ヘルメット/ヘルメット/{N}/5/obj を/を/{P}/3/case 被り/被る/{V}/6/advcl 乗る/乗る/{V}/0/root",
        {"乗る obl:で 道路"},
    ),
    (
        ja.initial_places,  # 壁に|絵を掛けた|人が|いる
        f"壁/壁/{N}/5/obl:に に/に/{P}/1/case 絵/絵/{N}/5/obj を/を/{P}/3/case 掛け/掛ける/{V}/6/acl 人/人/{N}/8/nsubj が/が/{P}/6/case いる/いる/{V}/0/root",
        set(),
    ),
    (
        ja.coordination,
        f"鏡/鏡/{N}/3/conj:と と/と/{P}/1/case 棚/棚/{N}/5/nsubj が/が/{P}/3/case ある/ある/{V}/0/root",
        {"ある nsubj 鏡"},
    ),
    (ja.relative_clauses, f"赤い/赤い/形容詞-一般/2/acl 傘/傘/{N}/0/root", {"赤い nsubj 傘"}),
    (ja.relative_clauses, f"焼い/焼く/{V}/3/acl た/た/助動詞/1/aux ピザ/ピザ/{N}/0/root", {"焼い obj ピザ"}),
    (ja.relative_clauses, f"食べ/食べる/{V}/3/acl た/た/助動詞/1/aux 人/人/{N}/0/root", {"食べ nsubj 人"}),
    (ja.relative_clauses, f"焼か/焼く/{V}/4/acl れ/れる/助動詞/1/aux た/た/助動詞/1/aux ピザ/ピザ/{N}/0/root", {"焼か nsubj ピザ"}),
    (
        ja.relative_clauses,
        f"海/海/{N}/3/nsubj の/の/{P}/1/case 見える/見える/{V}/4/acl ベンチ/ベンチ/{N}/0/root",
        {"見える obl:外の関係 ベンチ"},
    ),
    (ja.descriptions, f"赤/赤/{N}/3/nmod:の の/の/{P}/1/case 車/車/{N}/0/root", {"車 amod 赤"}),
    (ja.descriptions, f"男性/男性/{N}/3/nmod:の の/の/{P}/1/case 車/車/{N}/0/root", set()),
    (ja.descriptions, f"この/この/連体詞/2/amod 車/車/{N}/0/root", {"車 det この"}),
    (ja.place_words, f"中/中/{N}/3/nmod:の の/の/{P}/1/case 缶/缶/{N}/0/root", {"缶 nmod:場所 中"}),
    (ja.negation, f"置か/置く/{V}/0/root ない/ない/助動詞/1/aux", {"置か advmod:ない ない"}),
    (
        ja.shared_subjects,
        f"人/人/{N}/4/nsubj が/が/{P}/1/case 座っ/座る/{V}/4/advcl 見る/見る/{V}/0/root",
        {"座っ nsubj:zero 人"},
    ),
    (  # 太陽が|輝き|人が|飛ぶ: each has its own
        ja.shared_subjects,
        f"太陽/太陽/{N}/3/nsubj が/が/{P}/1/case 輝き/輝く/{V}/6/advcl 人/人/{N}/6/nsubj が/が/{P}/4/case 飛ぶ/飛ぶ/{V}/0/root",
        set(),
    ),
    (
        ja.copied_subjects,
        f"太陽/太陽/{N}/3/nsubj が/が/{P}/1/case 輝き/輝く/{V}/6/advcl 人/人/{N}/6/nsubj が/が/{P}/4/case 飛ぶ/飛ぶ/{V}/0/root",
        {"輝き nsubj:zero 人"},
    ),
    (  # オリーブが|のる|ピザ|食べる: the olive eats the pizza, as in the 2023 program
        ja.shared_objects,
        f"オリーブ/オリーブ/{N}/2/nsubj のっ/のる/{V}/3/acl ピザ/ピザ/{N}/4/obj/2/obl:外の関係 食べる/食べる/{V}/0/root",
        {"食べる nsubj:zero オリーブ"},
    ),
    (
        ja.one_node_per_text,
        f"犬/犬/{N}/2/nsubj いる/いる/{V}/4/advcl 猫/猫/{N}/4/nsubj いる/いる/{V}/0/root",
        {"いる nsubj 犬", "いる nsubj 猫"},
    ),
    (
        ja.broken_off_at_to,
        f"ハム/ハム/{N}/5/conj:と と/と/{P}/1/case 店/店/{N}/5/nmod:の の/の/{P}/3/case 卵/卵/{N}/0/root",
        set(),
    ),
]


@pytest.mark.parametrize(("step", "tree", "added"), CASES, ids=[f"{c[0].__name__} {i}" for i, c in enumerate(CASES)])
def test_steps(step, tree, added):
    assert applied(step, tree) == added


def test_the_2023_program_loses_what_stands_behind_to():
    graph = read_tree(CASES[-1][1])
    assert "nmod:の" not in {e.relation for e in ja.broken_off_at_to(graph.tokens, graph.edges)}


def test_the_trace_names_each_step_with_the_graph_after_it():
    graph = read_tree(f"赤/赤/{N}/3/nmod の/の/{P}/1/case 車/車/{N}/0/root")
    trace = ja.trace(Sentence(graph.tokens, graph.edges))
    after = {step.name: {e.relation for e in edges} for step, edges in trace}
    assert [step.name for step in ja.DISCOURSE] + list(after) == list(ja.DEFAULT)
    assert "nmod:の" in after["case markers"] and "amod" in after["descriptions"]


def test_steps_are_chosen_by_name():
    graph = read_tree(f"赤/赤/{N}/3/nmod の/の/{P}/1/case 車/車/{N}/0/root")
    document = Document("赤の車", (Sentence(graph.tokens, graph.edges),))
    assert ja.enhance(document, []).sentences[0].enhanced == graph.edges
    with pytest.raises(UnknownNameError, match="unknown enhancement step 'zero anaphora'; known: .*shared subjects"):
        ja.enhance(document, ["zero anaphora"])


LONG = {
    # 少年は柵に集まった子供を見る。焼いたピザを読んで座る。
    "sentences": f"少年/少年/{N}/5/nsubj は/は/助詞-係助詞/1/case 柵/柵/{N}/5/obl:に に/に/{P}/3/case 集まる/集まる/{V}/6/acl 子供/子供/{N}/8/obj を/を/{P}/6/case 見る/見る/{V}/0/root 。/。/補助記号-句点/8/punct "
    f"焼い/焼く/{V}/11/acl ピザ/ピザ/{N}/13/obj を/を/{P}/11/case 読ん/読む/{V}/15/advcl で/で/助詞-接続助詞/13/mark 座る/座る/{V}/0/root 。/。/補助記号-句点/15/punct",
    "topics": f"犬/犬/{N}/0/nsubj は/は/助詞-係助詞/1/case",  # 犬は犬は犬は…: all depend on the last
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_long_captions_take_in_proportion_to_their_length(name):
    few, many = ({step.name: lines_run(step.apply, s.tokens, edges) for step, edges, s in _steps(LONG[name], n)} for n in (20, 40))
    assert {step: (few[step], many[step]) for step in few if many[step] > 2.2 * few[step]} == {}


def _steps(tree: str, times: int):
    """The default steps, each with the edges before it, for a tree repeated as sentences, or below its last word if it has no root."""
    graph = read_tree(tree)
    (sentence,) = joined((Sentence(graph.tokens, graph.edges),) * times)
    last = len(sentence.tokens) - len(graph.tokens) + 1
    edges = tuple(e if e.head or e.relation == "root" else e._replace(head=last * (e.dependent != last)) for e in sentence.basic)
    for step in (step for step in ja.STEPS if step.name in ja.DEFAULT):
        yield step, edges, sentence
        edges = step.apply(sentence.tokens, edges)
