"""The edges that each step from GiNZA's trees to predicate-argument structure adds or changes, on stored trees."""

import pytest

from spice_core.errors import UnknownNameError
from spice_core.lang.ja import enhancement
from spice_core.lang.ja.discourse import across_sentences as discourse
from spice_core.lang.ja.discourse.across_sentences import join_sentences
from spice_core.lang.ja.steps import conjuncts, descriptions, main_clauses, phrases
from spice_core.rules.rule_file import read_tree
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Document, Sentence, Token
from tests.lang.edges import added_edges, count_lines_run

N, V, P, A, Q = "名詞-普通名詞-一般", "動詞-一般", "助詞-格助詞", "形容詞-一般", "接尾辞-名詞的-助数詞"
STANDING_TREE = f"男性/男性/{N}/3/nsubj が/が/{P}/1/case 立つ/立つ/{V}/0/root 。/。/補助記号-句点/3/punct"
WATCHING_TREE = (
    f"少年/少年/{N}/4/nsubj は/は/助詞-係助詞/1/case 柵/柵/{N}/4/obl:に 集まる/集まる/{V}/5/acl 子供/子供/{N}/6/obj 見る/見る/{V}/0/root"
)
WATCHING_GA_TREE = WATCHING_TREE.replace("は/は/助詞-係助詞", "が/が/助詞-格助詞")
WATCHING_WAVE_TREE = WATCHING_GA_TREE.replace("少年/少年", "波/波")
LOCATION_TREE = f"{{place}}/{{place}}/{N}/5/obl:{{case}} {{case}}/{{case}}/{P}/1/case 帽子/帽子/{N}/5/obj を/を/{P}/3/case かぶる/かぶる/{V}/6/acl 人/人/{N}/8/nsubj が/が/{P}/6/case いる/いる/{V}/0/root"
EXPECTED_EDGES = [
    # 草を|食ん|で|いる|ところ: the parser reads いる as a main verb
    (enhancement.fold_supporting_verbs,
     f"草/草/{N}/3/obj を/を/{P}/1/case 食ん/食む/{V}/5/advcl で/で/助詞-接続助詞/3/mark いる/いる/動詞-非自立可能/6/acl ところ/ところ/名詞-普通名詞-副詞可能/0/root",
     {"ところ acl 食ん", "食ん aux いる"}),
    # 人通りの少なく|なった|道路
    (enhancement.fold_supporting_verbs, f"少なく/少ない/形容詞-一般/2/advcl なっ/なる/動詞-非自立可能/4/acl た/た/助動詞/2/aux 道路/道路/{N}/0/root",
     {"道路 acl 少なく", "少なく aux なっ", "少なく aux た"}),
    (enhancement.fold_supporting_verbs, f"見/見る/{V}/3/advcl て/て/助詞-接続助詞/1/mark 走る/走る/{V}/0/root", set()),
    (enhancement.demote_formal_nouns, f"走る/走る/{V}/2/acl ところ/ところ/{N}/0/root です/です/助動詞/2/cop", {"root root 走る", "走る aux ところ", "走る cop です"}),
    (enhancement.demote_formal_nouns, f"走る/走る/{V}/2/acl 犬/犬/{N}/0/root です/です/助動詞/2/cop", set()),
    (enhancement.drop_suffixes, f"人/人/{N}/2/compound 達/達/接尾辞-名詞的-一般/4/nsubj が/が/{P}/2/case 走る/走る/{V}/0/root",
     {"走る nsubj 人", "人 compound:suffix 達", "人 case が"}),
    (enhancement.join_quantities, f"二/二/名詞-数詞/2/nummod 頭/頭/接尾辞-名詞的-助数詞/4/nmod の/の/{P}/2/case 熊/熊/{N}/0/root", {"頭 compound 二"}),
    (enhancement.join_quantities, f"男性/男性/{N}/3/compound ３/３/名詞-数詞/3/nummod 人/人/接尾辞-名詞的-一般/5/nsubj が/が/{P}/3/case 走る/走る/{V}/0/root",
     {"走る nsubj 男性", "男性 nummod:floated 人", "人 compound ３", "男性 case が"}),
    # 被り|スケートボードに乗る
    (enhancement.relate_verb_forms, f"帽子/帽子/{N}/2/obj 被り/被る/{V}/3/acl スケートボード/スケートボード/{N}/5/obl に/に/{P}/3/case 乗る/乗る/{V}/0/root", {"乗る advcl 被り"}),
    (enhancement.relate_verb_forms, f"被っ/被る/{V}/3/acl た/た/助動詞/1/aux 人/人/{N}/5/nsubj が/が/{P}/3/case 乗る/乗る/{V}/0/root", set()),
    (enhancement.set_case_relations, f"庭/庭/{N}/5/obl に/に/{P}/1/case は/は/助詞-係助詞/1/case 犬/犬/{N}/5/nsubj いる/いる/{V}/0/root", {"いる obl:に 庭"}),
    (enhancement.set_case_relations, f"海/海/{N}/3/nmod の/の/{P}/1/case 見える/見える/{V}/4/acl ベンチ/ベンチ/{N}/0/root", {"見える nsubj 海"}),
    (enhancement.set_case_relations, f"駅/駅/{N}/3/obl まで/まで/助詞-副助詞/1/case 歩く/歩く/{V}/0/root", {"歩く obl:まで 駅"}),
    (enhancement.set_case_relations, f"夜/夜/{N}/3/obl に/に/{P}/1/case 歩く/歩く/{V}/0/root", {"歩く obl:時間 夜"}),
    (enhancement.set_case_relations, f"一人/一人/{N}/2/advmod 座る/座る/{V}/0/root", {"座る nummod:floated 一人"}),
    (enhancement.attach_stray_arguments, f"馬/馬/{N}/3/nsubj が/が/{P}/1/case 牧草地/牧草地/{N}/5/obl:で で/で/{P}/3/case 食む/食む/{V}/0/root", {"食む nsubj 馬"}),
    # 道路で|ヘルメットを被り|乗る
    (enhancement.attach_initial_places,
     f"道路/道路/{N}/5/obl:で で/で/{P}/1/case ヘルメット/ヘルメット/{N}/5/obj を/を/{P}/3/case 被り/被る/{V}/6/advcl 乗る/乗る/{V}/0/root", {"乗る obl:で 道路"}),
    (enhancement.attach_initial_places,
     f"壁/壁/{N}/5/obl:に に/に/{P}/1/case 絵/絵/{N}/5/obj を/を/{P}/3/case 掛け/掛ける/{V}/6/acl 人/人/{N}/8/nsubj が/が/{P}/6/case いる/いる/{V}/0/root",
     set()),  # 壁に|絵を掛けた|人が|いる
    (enhancement.share_conjunct_roles, f"鏡/鏡/{N}/3/conj:と と/と/{P}/1/case 棚/棚/{N}/5/nsubj が/が/{P}/3/case ある/ある/{V}/0/root", {"ある nsubj 鏡"}),
    (enhancement.fill_relative_clauses, f"赤い/赤い/形容詞-一般/2/acl 傘/傘/{N}/0/root", {"赤い nsubj 傘"}),
    (enhancement.fill_relative_clauses, f"焼い/焼く/{V}/3/acl た/た/助動詞/1/aux ピザ/ピザ/{N}/0/root", {"焼い obj ピザ"}),
    (enhancement.fill_relative_clauses, f"食べ/食べる/{V}/3/acl た/た/助動詞/1/aux 人/人/{N}/0/root", {"食べ nsubj 人"}),
    (enhancement.fill_relative_clauses, f"焼か/焼く/{V}/4/acl れ/れる/助動詞/1/aux た/た/助動詞/1/aux ピザ/ピザ/{N}/0/root", {"焼か nsubj ピザ"}),
    (enhancement.fill_relative_clauses, f"海/海/{N}/3/nsubj の/の/{P}/1/case 見える/見える/{V}/4/acl ベンチ/ベンチ/{N}/0/root", {"見える obl:外の関係 ベンチ"}),
    (enhancement.relabel_descriptions, f"赤/赤/{N}/3/nmod:の の/の/{P}/1/case 車/車/{N}/0/root", {"車 amod 赤"}),
    (enhancement.relabel_descriptions, f"男性/男性/{N}/3/nmod:の の/の/{P}/1/case 車/車/{N}/0/root", set()),
    (enhancement.relabel_descriptions, f"この/この/連体詞/2/amod 車/車/{N}/0/root", {"車 det この"}),
    (enhancement.make_place_relations, f"中/中/{N}/3/nmod:の の/の/{P}/1/case 缶/缶/{N}/0/root", {"缶 nmod:場所 中"}),
    (enhancement.separate_negated_words, f"置か/置く/{V}/0/root ない/ない/助動詞/1/aux", {"置か advmod:ない ない"}),
    (enhancement.share_subjects, f"人/人/{N}/4/nsubj が/が/{P}/1/case 座っ/座る/{V}/4/advcl 見る/見る/{V}/0/root", {"座っ nsubj:zero 人"}),
    (enhancement.share_subjects, f"太陽/太陽/{N}/3/nsubj が/が/{P}/1/case 輝き/輝く/{V}/6/advcl 人/人/{N}/6/nsubj が/が/{P}/4/case 飛ぶ/飛ぶ/{V}/0/root",
     set()),  # 太陽が|輝き|人が|飛ぶ: each verb has its own subject
    (enhancement.copy_subjects, f"太陽/太陽/{N}/3/nsubj が/が/{P}/1/case 輝き/輝く/{V}/6/advcl 人/人/{N}/6/nsubj が/が/{P}/4/case 飛ぶ/飛ぶ/{V}/0/root",
     {"輝き nsubj:zero 人"}),
    (enhancement.share_subjects_by_object, f"オリーブ/オリーブ/{N}/2/nsubj のっ/のる/{V}/3/acl ピザ/ピザ/{N}/4/obj/2/obl:外の関係 食べる/食べる/{V}/0/root",
     {"食べる nsubj:zero オリーブ"}),  # オリーブが|のる|ピザ|食べる: the olive eats the pizza, as in the 2023 program
    (enhancement.merge_nodes_by_text, f"犬/犬/{N}/2/nsubj いる/いる/{V}/4/advcl 猫/猫/{N}/4/nsubj いる/いる/{V}/0/root", {"いる nsubj 犬", "いる nsubj 猫"}),
    # In these four graphs, two words depend on each other.
    (enhancement.attach_stray_arguments, f"海/海/{N}/2/nsubj 犬/犬/{N}/4/nmod が/が/{P}/2/case 猫/猫/{N}/2/nmod が/が/{P}/4/case", set()),
    (phrases.separate_asides, f"犬/犬/{N}/2/nmod 猫/猫/{N}/1/nmod （/（/補助記号/2/punct 京都/京都/{N}/2/nmod ）/）/補助記号/2/punct",
     {"犬 orphan 京都", "犬 punct （", "犬 punct ）"}),
    (enhancement.keep_nearest_objects, f"道/道/{N}/3/obj 傘/傘/{N}/3/obj さす/さす/{V}/4/acl 人/人/{N}/5/nsubj/3/nsubj いる/いる/{V}/0/root", {"さす dep 道"}),
    (enhancement.keep_nearest_objects, f"道/道/{N}/3/obj 傘/傘/{N}/3/obj 人/人/{N}/4/nmod 犬/犬/{N}/3/nmod", {"人 dep 道"}),
    (enhancement.break_off_at_to, f"ハム/ハム/{N}/5/conj:と と/と/{P}/1/case 店/店/{N}/5/nmod:の の/の/{P}/3/case 卵/卵/{N}/0/root",
     {"卵 quirk:と ハム"}),
    # words that GiNZA attaches to the wrong head or with a vague relation
    # 歩い|て|いる|人: いる becomes an auxiliary of 歩い
    (phrases.attach_fixed_words, f"歩い/歩く/{V}/4/acl て/て/助詞-接続助詞/1/mark いる/いる/動詞-非自立可能/2/fixed 人/人/{N}/0/root", {"歩い aux いる"}),
    (phrases.attach_fixed_words, f"柵/柵/{N}/4/obl に/に/{P}/1/case よっ/よる/{V}/2/fixed 囲む/囲む/{V}/0/root", set()),
    # 重ね|て|置か|れる: passive, no auxiliary
    (phrases.fold_auxiliary_verbs, f"重ね/重ねる/{V}/3/advcl て/て/助詞-接続助詞/1/mark 置か/置く/動詞-非自立可能/0/root れる/れる/助動詞/3/aux", set()),
    (phrases.fold_auxiliary_verbs, f"食ん/食む/{V}/3/advcl で/で/助詞-接続助詞/1/mark いる/いる/動詞-非自立可能/0/root", {"root root 食ん", "食ん aux いる"}),
    (phrases.promote_listed_clauses, f"本/本/{N}/2/obj 読ん/読む/{V}/4/advcl だり/だり/助詞-副助詞/2/mark する/する/動詞-非自立可能/0/root", {"root root 読ん", "読ん aux する"}),
    (phrases.join_suffixes, f"黄色/黄色/{N}/3/nmod っぽい/っぽい/接尾辞-形容詞的/1/mark 花/花/{N}/0/root", {"花 amod っぽい", "っぽい compound 黄色"}),
    (phrases.join_suffixes, f"彼/彼/代名詞/2/nmod ら/ら/接尾辞-名詞的-一般/3/nsubj いる/いる/{V}/0/root", {"いる nsubj 彼", "彼 compound:suffix ら"}),
    (phrases.attach_numbers, f"２/２/名詞-数詞/4/dep 頭/頭/{Q}/3/nmod 牛/牛/{N}/4/nsubj いる/いる/{V}/0/root", {"頭 nummod ２"}),
    (phrases.attach_numbers, f"二/二/名詞-数詞/3/compound 階/階/{Q}/3/compound バス/バス/{N}/0/root", set()),
    (phrases.attach_counted_arguments, f"羊/羊/{N}/4/nsubj が/が/{P}/1/case ２/２/名詞-数詞/4/nummod 頭/頭/{Q}/5/obl 並ぶ/並ぶ/{V}/0/root", {"並ぶ nsubj 羊"}),
    (phrases.attach_counted_arguments, f"服/服/{N}/3/obj を/を/{P}/1/case 着/着る/{V}/4/acl 人/人/{N}/0/root", set()),  # 着 is also a counter
    # 置か|れ|た|ボート
    (phrases.attach_adnominal_clauses, f"置か/置く/{V}/5/advcl れ/れる/助動詞/1/aux た/た/助動詞/1/aux ボート/ボート/{N}/5/obl いる/いる/{V}/0/root", {"ボート acl 置か"}),
    (phrases.attach_adnominal_clauses, f"座っ/座る/{V}/3/advcl て/て/助詞-接続助詞/1/mark いる/いる/{V}/0/root", set()),
    (phrases.join_compound_verbs, f"じゃれ/じゃれる/{V}/0/root 合う/合う/動詞-非自立可能/1/advcl", {"root root 合う", "合う compound じゃれ"}),
    (phrases.join_compound_verbs, f"持ち/持つ/{V}/2/advcl 立つ/立つ/{V}/0/root", set()),
    (phrases.attach_adnominals, f"険しい/険しい/{A}/4/acl 雪山/雪山/{N}/4/nmod の/の/{P}/2/case 斜面/斜面/{N}/0/root", {"雪山 acl 険しい"}),
    (phrases.attach_adnominals, f"かわいい/かわいい/{A}/5/advcl ピンク/ピンク/{N}/4/nmod の/の/{P}/2/case 花/花/{N}/5/nsubj 並ぶ/並ぶ/{V}/0/root", {"花 acl かわいい"}),
    (phrases.attach_adnominals, f"おおきな/おおきな/連体詞/2/compound ボウル/ボウル/{N}/0/root", {"ボウル amod おおきな"}),
    (conjuncts.join_conjuncts, f"机/机/{N}/5/obl:と と/と/{P}/1/case 椅子/椅子/{N}/5/nsubj の/の/{P}/3/case 置か/置く/{V}/6/acl 部屋/部屋/{N}/0/root",
     {"椅子 conj:と 机"}),
    # 犬と|スキーをする: a companion
    (conjuncts.join_conjuncts, f"犬/犬/{N}/5/obl:と と/と/{P}/1/case スキー/スキー/{N}/5/obj を/を/{P}/3/case する/する/{V}/0/root", set()),
    (conjuncts.join_conjuncts_across_clauses,
     f"人々/人々/{N}/3/conj:と と/と/{P}/1/case クロス/クロス/{N}/5/nsubj の/の/{P}/3/case かかる/かかる/{V}/6/acl 机/机/{N}/0/root", {"机 conj:と 人々"}),
    # arguments of a main clause that precede an embedded clause
    (main_clauses.attach_main_subjects, WATCHING_TREE, {"見る nsubj 少年"}),
    # Both are people.
    (main_clauses.attach_main_subjects, WATCHING_GA_TREE, {"見る nsubj 少年"}),
    (main_clauses.attach_main_subjects, WATCHING_WAVE_TREE, set()),
    (main_clauses.attach_places, LOCATION_TREE.replace("{place}", "路上").replace("{case}", "に"), {"いる obl:に 路上"}),
    (main_clauses.attach_places, LOCATION_TREE.replace("{place}", "路上").replace("{case}", "で"), set()),
    (main_clauses.attach_places, LOCATION_TREE.replace("{place}", "頭").replace("{case}", "に"), set()),
    # 道を|傘をさして|歩く
    (main_clauses.attach_places, f"道/道/{N}/5/obj を/を/{P}/1/case 傘/傘/{N}/5/obj を/を/{P}/3/case さし/さす/{V}/6/advcl 歩く/歩く/{V}/0/root", {"歩く obj 道"}),
    (main_clauses.attach_places, f"机/机/{N}/3/obl:に に/に/{P}/1/case 置か/置く/{V}/5/acl れる/れる/助動詞/3/aux 本/本/{N}/6/nsubj ある/ある/{V}/0/root", set()),
    # suffixed descriptions, colours ending in く, resultatives and owners
    (descriptions.relabel_suffixed_descriptions, f"石畳/石畳/{N}/2/compound 敷き/敷き/{N}/4/nmod:の の/の/{P}/2/case 道/道/{N}/0/root", {"道 amod 敷き"}),
    (descriptions.relabel_suffixed_descriptions, f"石畳/石畳/{N}/3/nmod:の の/の/{P}/1/case 道/道/{N}/0/root", set()),
    (descriptions.relabel_suffixed_descriptions, f"色/色/{N}/3/amod の/の/{P}/1/case 印/印/{N}/0/root", {"印 nmod:の 色"}),
    (descriptions.relabel_suffixed_descriptions, f"二頭/二頭/{N}/3/nummod の/の/{P}/1/case 茶色/茶色/{N}/5/amod の/の/{P}/3/case 牛/牛/{N}/0/root",
     {"牛 nummod 二頭"}),  # 二頭|の|茶色|の|牛
    (descriptions.attach_resulting_colours, f"壁/壁/{N}/3/nsubj 白く/白い/{A}/3/advcl 塗る/塗る/{V}/0/root", {"白く nsubj 壁"}),
    (descriptions.attach_resulting_colours, f"口/口/{N}/3/obj 大きく/大きい/{A}/3/advcl 開ける/開ける/{V}/0/root", set()),
    (descriptions.promote_resultative_subjects, f"掛け/掛ける/{V}/3/acl ある/ある/{V}/1/aux 絵/絵/{N}/0/root/1/obj", {"掛け nsubj 絵"}),
    (descriptions.resolve_double_subjects, f"象/象/{N}/4/obl:は は/は/助詞-係助詞/1/case 鼻/鼻/{N}/4/nsubj 長い/長い/{A}/0/root", {"鼻 nmod:の 象"}),
    (descriptions.attach_owners, f"女性/女性/{N}/3/nsubj の/の/{P}/1/case 赤い/赤い/{A}/4/acl 帽子/帽子/{N}/0/root", {"帽子 nmod:の 女性"}),
    (descriptions.attach_owners, f"車両/車両/{N}/3/nsubj の/の/{P}/1/case 長い/長い/{A}/4/acl 電車/電車/{N}/0/root", set()),
    (descriptions.drop_formal_arguments, f"滑る/滑る/{V}/2/acl ところ/ところ/{N}/3/obj 見る/見る/{V}/0/root", {"見る advmod ところ"}),
    # subjects carried into later sentences, pronouns and members of groups
    (discourse.carry_subjects_over, f"{STANDING_TREE} 本/本/{N}/6/obj 読む/読む/{V}/0/root", {"読む nsubj:zero 男性"}),
    (discourse.carry_subjects_over, f"{STANDING_TREE} 犬/犬/{N}/6/nsubj 走る/走る/{V}/0/root", set()),
    (discourse.carry_subjects_over,
     f"{STANDING_TREE} 本/本/{N}/6/obj 読ん/読む/{V}/8/advcl で/で/助詞-接続助詞/6/mark 座る/座る/{V}/0/root 。/。/補助記号-句点/8/punct 走る/走る/{V}/0/root",
     {"座る nsubj:zero 男性", "読ん nsubj:zero 男性", "走る nsubj:zero 男性"}),  # 男性が|立つ。|本を読んで|座る。|走る: the embedded clause gets the subject too
    (discourse.resolve_pronouns, f"{STANDING_TREE} 彼/彼/代名詞/7/nsubj は/は/助詞-係助詞/5/case 歩く/歩く/{V}/0/root", {"歩く nsubj 男性", "男性 fixed 彼"}),
    (discourse.resolve_pronouns, f"{STANDING_TREE} 彼女/彼女/代名詞/7/nsubj は/は/助詞-係助詞/5/case 歩く/歩く/{V}/0/root", set()),
    (discourse.resolve_members,
     f"女性/女性/{N}/4/nsubj が/が/{P}/1/case 二人/二人/{N}/4/nummod:floated い/いる/{V}/7/advcl 一人/一人/{N}/7/nummod:floated は/は/助詞-係助詞/5/case 座る/座る/{V}/0/root",
     {"座る nsubj 女性", "女性 nummod:floated 一人"}),  # 女性が二人いて、|一人は|座る
    (discourse.resolve_members, f"一人/一人/{N}/3/nsubj が/が/{P}/1/case 座る/座る/{V}/0/root", set()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("step", "tree", "added_edges_"), EXPECTED_EDGES, ids=[f"{c[0].__name__} {i}" for i, c in enumerate(EXPECTED_EDGES)]
)
def test_a_step_adds_these_edges(step, tree, added_edges_):
    assert added_edges(step, tree) == added_edges_


def test_the_2023_program_drops_words_after_the_particle_to_and_sentences_keep_their_roots():
    (tree,) = (tree for step, tree, _ in EXPECTED_EDGES if step is enhancement.break_off_at_to)
    graph = read_tree(tree)
    assert "nmod:の" not in {e.relation for e in enhancement.break_off_at_to(graph).edges}
    first_sentence = Sentence(
        (Token(1, "犬", "犬", N, 0, 1), Token(2, "。", "。", "補助記号", 1, 2)), (Dependency(0, 1, "root"), Dependency(1, 2, "punct"))
    )
    second_sentence = Sentence((Token(1, "猫", "猫", N, 2, 3),), (Dependency(0, 1, "root"),))
    (sentence,) = join_sentences((first_sentence, second_sentence))
    assert [t.index for t in sentence.tokens] == [1, 2, 3]
    assert sentence.basic == (Dependency(0, 1, "root"), Dependency(1, 2, "punct"), Dependency(0, 3, "root"))
    assert join_sentences((first_sentence,)) == (first_sentence,)


N, V, P = "名詞-普通名詞-一般", "動詞-一般", "助詞-格助詞"


def test_the_trace_names_each_step_and_steps_are_chosen_by_name():
    graph = read_tree(f"赤/赤/{N}/3/nmod の/の/{P}/1/case 車/車/{N}/0/root")
    trace = enhancement.ENHANCEMENT.trace(Sentence(graph.tokens, graph.edges))
    relations_after_step = {step.name: {e.relation for e in edges} for step, edges in trace}
    early_steps = [step.name for step in enhancement.DISCOURSE_STEPS if step.name in enhancement.DEFAULT_STEP_NAMES]
    assert early_steps + list(relations_after_step) == list(enhancement.DEFAULT_STEP_NAMES)
    assert "nmod:の" in relations_after_step["case markers"] and "amod" in relations_after_step["descriptions"]
    graph = read_tree(f"赤/赤/{N}/3/nmod の/の/{P}/1/case 車/車/{N}/0/root")
    document = Document("赤の車", (Sentence(graph.tokens, graph.edges),))
    assert enhancement.ENHANCEMENT.enhance(document, []).sentences[0].enhanced == graph.edges
    with pytest.raises(UnknownNameError, match="unknown enhancement step 'zero anaphora'; known: .*shared subjects"):
        enhancement.ENHANCEMENT.enhance(document, ["zero anaphora"])


@pytest.mark.parametrize("step", [enhancement.attach_initial_places, main_clauses.attach_places])
def test_a_place_after_hundreds_of_owners_belongs_to_the_main_verb(step):
    owners = " ".join(f"犬/犬/{N}/{i + 1}/nmod:の" for i in range(1, 1200))
    tree = f"{owners} 庭/庭/{N}/1201/obl:で 走る/走る/{V}/1202/acl 人/人/{N}/1203/nsubj 食べる/食べる/{V}/0/root"
    assert added_edges(step, tree) == {"食べる obl:で 庭"}


REPEATED_TREES = {
    # 少年は柵に集まった子供を見る。焼いたピザを読んで座る。
    "sentences": f"少年/少年/{N}/5/nsubj は/は/助詞-係助詞/1/case 柵/柵/{N}/5/obl:に に/に/{P}/3/case 集まる/集まる/{V}/6/acl 子供/子供/{N}/8/obj を/を/{P}/6/case 見る/見る/{V}/0/root 。/。/補助記号-句点/8/punct "
    f"焼い/焼く/{V}/11/acl ピザ/ピザ/{N}/13/obj を/を/{P}/11/case 読ん/読む/{V}/15/advcl で/で/助詞-接続助詞/13/mark 座る/座る/{V}/0/root 。/。/補助記号-句点/15/punct",
    "topics": f"犬/犬/{N}/0/nsubj は/は/助詞-係助詞/1/case",  # 犬は犬は犬は…
}  # fmt: skip


@pytest.mark.parametrize("name", REPEATED_TREES)
def test_the_work_of_steps_grows_in_proportion_to_the_length_of_captions(name):
    short_counts, long_counts = (
        {step.name: count_lines_run(step.apply, graph) for step, graph in _iterate_steps(REPEATED_TREES[name], n)} for n in (20, 40)
    )
    assert {step: (short_counts[step], long_counts[step]) for step in short_counts if long_counts[step] > 2.2 * short_counts[step]} == {}


def _iterate_steps(tree: str, times: int):
    """Yield each default step with its input graph. The tree is repeated as sentences, or below its last word if it has no root."""
    graph = read_tree(tree)
    (sentence,) = join_sentences((Sentence(graph.tokens, graph.edges),) * times)
    last_index = len(sentence.tokens) - len(graph.tokens) + 1
    edges = tuple(
        e if e.head or e.relation == "root" else e._replace(head=last_index * (e.dependent != last_index)) for e in sentence.basic
    )
    graph = DependencyGraph(sentence.tokens, edges)
    for step in (step for step in enhancement.ENHANCEMENT_STEPS if step.name in enhancement.DEFAULT_STEP_NAMES):
        yield step, DependencyGraph(graph.tokens, graph.edges)
        graph = step.apply(graph)
