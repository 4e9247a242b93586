"""Steps for words that GiNZA attaches to a wrong or too distant word: て|いる, compound verbs, adjectives before nouns."""

from __future__ import annotations

from itertools import pairwise

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.steps.bunsetsu import fold_verbs, is_conjunctive
from spice_core.lang.ja.steps.clauses import is_passive
from spice_core.lang.ja.steps.conjuncts import last_word_of_noun
from spice_core.lang.ja.trees import (
    FUNCTION_RELATIONS,
    EdgesByHead,
    edges_by_head,
    is_nominal,
    is_verb,
    is_verbal,
    nearest_above,
    particles_of,
    phrase_of,
    tree_of,
)
from spice_core.syntax.dependency_graph import EditableTree
from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens, edge_step


def _stands_beside_stem(tree: EditableTree, suffix: Token) -> bool:
    """Return whether GiNZA attaches a noun's suffix and the word before it to the same noun after them."""
    edge, stem = tree[suffix.index], tree[suffix.index - 1]
    follows_stem = edge.head == stem.head > suffix.index and edge.relation == stem.relation == "nmod"
    return follows_stem and suffix.tag.startswith("接尾辞-名詞的-一般") and suffix.text not in ("達", "たち", "ら", "等", "さん")


_CREDITS = frozenset("笑 写真 撮影 左 右 中央 手前 奥 共同 上 下".split())


@edge_step
def separate_asides(tokens: Tokens, edges: Edges) -> Edges:
    """Separate text in brackets, or after a final ＝, from the rest: 生徒ら|（京都市で）, 作業員ら|＝熱海市."""
    tree = tree_of(edges)
    for start, end in _spans_of_asides(tokens):
        outer_indices = [t.index for t in tokens if not start <= t.index <= end]
        last_outside = max((i for i in outer_indices if i < start), default=0)
        if not last_outside:
            continue
        top_index = last_outside
        while start > tree[top_index].head > 0:
            top_index = tree[top_index].head
        if tree[top_index].head >= start:  # the caption depends on the aside
            tree[top_index] = Dependency(0, top_index, "root")
        for i in outer_indices:
            if start <= tree[i].head <= end:
                tree.attach(i, top_index)
        _separate_parts(tokens, tree, start, end, top_index)
    return tuple(tree.values())


def _spans_of_asides(tokens: Tokens) -> list[tuple[int, int]]:
    """Return the first and the last word of each aside, with its brackets."""
    spans, start = [], 0
    for token in tokens:
        if token.text in ("（", "(") and not start:
            start = token.index
        elif token.text in ("）", ")") and start:
            spans.append((start, token.index))
            start = 0
    sign = next((t.index for t in tokens if t.text == "＝" and t.index > 1), 0)
    return spans or ([(sign, len(tokens))] if sign and sign < len(tokens) else [])


def _separate_parts(tokens: Tokens, tree: EditableTree, start: int, end: int, top_index: int) -> None:
    """Make each part of an aside a separate noun, except a number, a time or a credit."""
    indices: list[int] = []
    for i in range(start, end + 1):
        tag = tokens[i - 1].tag
        if is_nominal(tokens[i - 1]) and not tag.startswith(("記号", "補助記号")):
            indices.append(i)
            continue
        if indices:
            _detach_words(tokens, tree, indices, top_index)
        indices = []
        if tag.startswith("補助記号") or not start < tree[i].head <= end:
            tree[i] = Dependency(top_index, i, "punct")
    if indices:
        _detach_words(tokens, tree, indices, top_index)


def _detach_words(tokens: Tokens, tree: EditableTree, indices: list[int], top_index: int) -> None:
    text = "".join(tokens[i - 1].text for i in indices)
    counts = word_lists.is_quantity(text) or word_lists.is_time(text) or text in _CREDITS or text.isdigit()
    for i in indices[:-1]:
        tree[i] = Dependency(indices[-1], i, "compound")
    tree[indices[-1]] = Dependency(top_index, indices[-1], "det" if counts else "orphan")


@edge_step
def attach_fixed_words(tokens: Tokens, edges: Edges) -> Edges:
    """Attach words that are fixed to て to the verb before it, so that 歩い|て|いる ends in いる, not in て."""
    tree = tree_of(edges)
    for edge in edges:
        head = edge.head
        while head and tree[head].relation == "fixed":
            head = tree[head].head
        if (
            edge.relation == "fixed"
            and head
            and tree[head].relation == "mark"
            and tree[head].head
            and tokens[head - 1].text in ("て", "で")
        ):
            tree[edge.dependent] = Dependency(tree[head].head, edge.dependent, "aux")
    return tuple(tree.values())


@edge_step
def fold_auxiliary_verbs(tokens: Tokens, edges: Edges) -> Edges:
    """Fold an auxiliary verb into the verb before it, unless it is passive: 食んで|いる, 真っ白に|なる, but not 重ねて|置かれた."""
    by_head = edges_by_head(edges)
    return fold_verbs(tokens, edges, lambda verb: not is_passive(tokens, by_head, verb.index), states=True)


@edge_step
def promote_listed_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Replace する by the last clause in たり before it, or by a clause in そうと: 読んだり|聴いたり|する, 走り出そうと|する."""
    tree = tree_of(edges)
    for verb in tokens[1:]:
        previous = tokens[verb.index - 2]
        is_list_item = previous.text in ("たり", "だり") or (previous.text == "と" and tokens[verb.index - 3].text == "そう")
        if verb.lemma != "する" or not is_list_item:
            continue
        clauses = [e.dependent for e in edges if e.head == verb.index and e.dependent < verb.index and is_verb(tokens[e.dependent - 1])]
        if clauses:
            tree.take_over(verb.index, max(clauses), "aux")
    return tuple(tree.values())


@edge_step
def join_suffixes(tokens: Tokens, edges: Edges) -> Edges:
    """Join a suffix that GiNZA treats as a word with the noun before it: 黄色|っぽい花, 彼|ら."""
    tree = tree_of(edges)
    for suffix in tokens[1:]:
        stem = suffix.index - 1
        if (
            suffix.tag.startswith(("接尾辞-形容詞的", "接尾辞-形状詞的"))
            and tree[suffix.index].head == stem
            and is_nominal(tokens[stem - 1])
        ):
            if suffix.text == "っぽい" and tree[stem].relation in ("nmod", "acl", "obl") and tree[stem].head > suffix.index:
                tree[stem] = tree[stem]._replace(relation="amod")
            tree.take_over(stem, suffix.index, "compound")
        elif _stands_beside_stem(tree, suffix) and is_nominal(tokens[stem - 1]):
            tree.attach(stem, suffix.index, "compound")  # 銅|製|の香炉
        elif suffix.text == "とりどり" and tokens[stem - 1].text == "色":
            tree[stem] = Dependency(suffix.index, stem, "compound")
        elif suffix.text in ("ら", "たち", "達") and tokens[stem - 1].tag.startswith("代名詞") and tree[stem].head == suffix.index:
            tree.take_over(suffix.index, stem, "compound:suffix")
    return tuple(tree.values())


@edge_step
def attach_numbers(tokens: Tokens, edges: Edges) -> Edges:
    """Attach a number to the counter right after it, and make か in 何人か and 、 in ２、３人 parts of the compound."""
    tree = tree_of(edges)
    for number, counter in pairwise(tokens):
        is_quantity = number.tag.startswith("名詞-数詞") and "助数詞" in counter.tag
        if is_quantity and tree[counter.index].head == number.index:
            tree.take_over(number.index, counter.index, "nummod")  # 4|人組
        if counter.text == "か" and _is_unknown_number(tokens, number) and tree[counter.index].head == number.index:
            tree.relabel(counter.index, "compound")
        if counter.text in "、〜～-" and tree[counter.index].relation == "punct" and _is_between_numbers(tokens, counter.index):
            tree.relabel(counter.index, "compound")
        is_distant = tree[number.index].head != counter.index and tree[number.index].relation in ("dep", "obl", "advmod", "nmod")
        if is_distant and is_quantity and tree[counter.index].head != number.index:
            tree[number.index] = Dependency(counter.index, number.index, "nummod")
    return tuple(tree.values())


def _is_unknown_number(tokens: Tokens, counter: Token) -> bool:
    return counter.text.startswith("何") or (
        counter.index > 1 and tokens[counter.index - 2].text in ("何", "幾") and "助数詞" in counter.tag
    )


def _is_between_numbers(tokens: Tokens, index: int) -> bool:
    return all(token.tag.startswith("名詞-数詞") for token in tokens[index - 2 : index + 1 : 2])


@edge_step
def attach_counted_arguments(tokens: Tokens, edges: Edges) -> Edges:
    """Give an argument that GiNZA attaches to a number to the verb, or to the counted noun: 羊が|２頭、|並ぶ; 皿に|ケーキが|三つ."""
    tree, by_head = tree_of(edges), edges_by_head(edges)
    for edge in edges:
        counter_edge = tree[edge.head] if edge.head > 1 and _is_counting_word(tokens, edge.head) else None
        if edge.relation not in ("nsubj", "obj", "obl") or not counter_edge:
            continue
        if counter_edge.relation == "root":
            if edge.relation == "nsubj":
                parts = [p.dependent for p in tree.children(counter_edge.dependent, "nummod", "compound")]
                tree.take_over(counter_edge.dependent, edge.dependent, "nummod:floated")
                for part in parts:
                    tree.attach(part, counter_edge.dependent)
            continue
        verb = nearest_above(tokens, tree, edge.head, is_verb)
        while verb and verb < edge.head:  # 人が話し、|鳩が数羽、|パンをついばむ
            verb = nearest_above(tokens, tree, verb, is_verb)
        if verb and particles_of(tokens, by_head, edge.dependent)[:1] not in ([], ["の"]):
            tree[edge.dependent] = edge._replace(head=verb)
            tree[edge.head] = Dependency(verb, edge.head, "obl")
    return tuple(tree.values())


def _is_counting_word(tokens: Tokens, index: int) -> bool:
    """Return whether a word is a counter after a number, or a number of people in kana that nothing follows."""
    if tokens[index - 1].text in ("ひとり", "ふたり"):
        return not (index < len(tokens) and tokens[index].tag.startswith("助詞"))
    is_counter = tokens[index - 1].text in word_lists.COUNTERS and tokens[index - 2].tag.startswith("名詞-数詞")
    return is_counter or (tokens[index - 1].tag.startswith("名詞-固有名詞") and word_lists.is_quantity(tokens[index - 1].text))  # 数羽


@edge_step
def attach_companions(tokens: Tokens, edges: Edges) -> Edges:
    """Give the verb the companion before 一緒に: 犬と|一緒に|座る."""
    tree, by_head = tree_of(edges), edges_by_head(edges)
    for edge in edges:
        adverb = tokens[edge.head - 1] if edge.head else None
        if adverb and adverb.text in ("一緒", "いっしょ", "共", "とも") and "と" in particles_of(tokens, by_head, edge.dependent):
            if tree[edge.head].head:
                tree[edge.dependent] = Dependency(tree[edge.head].head, edge.dependent, "obl")
    return tuple(tree.values())


@edge_step
def resolve_clefts(tokens: Tokens, edges: Edges) -> Edges:
    """Make the noun after のは the missing subject or object of the clause: 公園にいるのは|犬です."""
    by_head = edges_by_head(edges)
    out = list(edges)
    for edge in edges:
        if edge.relation == "csubj" and edge.head and is_nominal(tokens[edge.head - 1]) and is_verb(tokens[edge.dependent - 1]):
            has_subject = any(a.relation == "nsubj" for a in by_head.get(edge.dependent, ()))
            out.append(Dependency(edge.dependent, edge.head, "obj" if has_subject else "nsubj"))
    return tuple(out)


_NOUNS_AFTER_CLAUSES = frozenset(
    "ため 為 時 とき 際 間 後 あと 前 まま ところ 所 の こと よう 様子 上 中 うち 途中 ほう 方 そう 最中 瞬間".split()
)


@edge_step
def attach_adnominal_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Attach a clause in た or る to the noun right after it: 上に置かれた|ゴムボートに…置かれている."""
    tree, by_head = tree_of(edges), edges_by_head(edges)
    for edge in edges:
        verb = tokens[edge.dependent - 1]
        if edge.relation != "advcl" or not is_verb(verb) or is_conjunctive(tokens, by_head, edge.dependent):
            continue
        last_index = max(
            [
                edge.dependent,
                *(f.dependent for f in by_head.get(edge.dependent, ()) if f.relation == "aux" and f.dependent > edge.dependent),
            ]
        )
        noun = last_index + 1
        if tokens[last_index - 1].text != tokens[last_index - 1].lemma or noun > len(tokens) or not is_nominal(tokens[noun - 1]):
            continue
        while tree[noun].relation in ("compound", "nummod") and tree[noun].head > noun:
            noun = tree[noun].head
        if tokens[noun - 1].text not in _NOUNS_AFTER_CLAUSES and tree[noun].relation not in FUNCTION_RELATIONS and noun < edge.head:
            tree[edge.dependent] = Dependency(noun, edge.dependent, "acl")
    return tuple(tree.values())


@edge_step
def relate_joined_particles(tokens: Tokens, edges: Edges) -> Edges:
    """Relate a noun with への or からの to the noun after it: 駅への|バス."""
    by_head, tree = edges_by_head(edges), tree_of(edges)
    for edge in edges:
        if edge.relation.startswith("obl:") and particles_of(tokens, by_head, edge.dependent)[1:2] == ["の"]:
            noun = last_word_of_noun(tokens, by_head, edge.dependent) + 1
            while noun <= len(tokens) and tree[noun].relation in ("compound", "nummod", "amod", "acl") and tree[noun].head > noun:
                noun = tree[noun].head
            if noun <= len(tokens) and is_nominal(tokens[noun - 1]):
                tree[edge.dependent] = Dependency(noun, edge.dependent, "nmod:の")
    return tuple(tree.values())


_COMPOUND_SECOND_VERBS = frozenset(
    "合う 始める 続ける 終わる 終える 出す 込む 上がる 上げる 下りる 降りる 下がる 下げる 去る 回る 回す 直す 過ぎる かける 掛ける 尽くす 返す 寄る "
    "寄せる 重なる 重ねる 抜ける 抜く 渡る 越える 入れる 入る 付く 付ける つける つく 落ちる 落とす 合わせる 比べる きる 広げる 忘れる 残す 倒す 散らす 並べる 分ける 捨てる 止める 破る 締める 詰める 交わす 飛ばす".split()
)


@edge_step
def join_compound_verbs(tokens: Tokens, edges: Edges) -> Edges:
    """Make a conjunctive form and the verb right after it one verb: じゃれ|合う, 読み|始める."""
    tree = tree_of(edges)
    for second in tokens[1:]:
        first = tokens[second.index - 2]
        if not (
            is_verb(second)
            and is_verb(first)
            and second.lemma in _COMPOUND_SECOND_VERBS
            and first.text not in (first.lemma, "し")
            and not first.text.endswith(("っ", "ん"))
        ):
            continue
        if tree[second.index].head == first.index:
            tree.take_over(first.index, second.index, "compound")
        elif tree[first.index].head == second.index and tree[first.index].relation not in FUNCTION_RELATIONS:
            tree[first.index] = Dependency(second.index, first.index, "compound")
            for edge in list(tree.values()):
                if edge.head == first.index:
                    tree[edge.dependent] = edge._replace(head=second.index)
    return tuple(tree.values())


@edge_step
def attach_adnominals(tokens: Tokens, edges: Edges) -> Edges:
    """Attach an adjective to the noun right after it, or to the noun that this noun describes: 険しい|雪山の斜面, かわいい|ピンクの花."""
    relations = ("amod", "acl")
    edges = tuple(
        e._replace(relation="compound")
        if e.relation in relations and e.head == e.dependent + 1 and tokens[e.dependent - 1].tag.startswith("名詞-普通名詞")
        else e
        for e in edges
    )  # 縦型|信号機
    tree, by_head = tree_of(edges), edges_by_head(edges)
    for token in reversed(tokens):
        kind = _adnominal_relation(tokens, tree, by_head, token)
        if not kind:
            if noun := _find_listed_noun(tokens, tree, token):  # 白くて|大きな|冷蔵庫
                tree[token.index] = Dependency(noun, token.index, "acl")
            continue
        noun = _find_described_noun(tokens, tree, by_head, token)
        if noun and (noun != tree[token.index].head or tree[token.index].relation == "compound"):
            tree[token.index] = Dependency(noun, token.index, kind)
            for edge in by_head.get(token.index, ()):
                if edge.dependent < token.index and not is_verbal(token):
                    tree[edge.dependent] = edge._replace(head=noun)
    return tuple(tree.values())


def _adnominal_relation(tokens: Tokens, tree: EditableTree, by_head: EdgesByHead, token: Token) -> str:
    """Return the relation of an adjective before a noun, or "" if the word is not an adjective or has arguments."""
    relation = tree[token.index].relation
    if relation not in ("acl", "amod", "advcl", "compound", "det") or any(
        e.relation in ("nsubj", "obl", "obj", "nmod", "dislocated") and e.dependent < token.index and is_verbal(token)
        for e in by_head.get(token.index, ())
    ):
        return ""
    if token.tag.startswith("連体詞"):
        return "amod"
    if token.tag == "名詞-転成" and token.text == token.lemma and token.text.endswith("い") and len(token.text) > 1:
        return "amod"
    if token.tag.startswith("形容詞") and _last_function_word(tokens, by_head, token).text.endswith(("い", "な")):
        return "acl"
    return "acl" if token.tag.startswith("形状詞") and _last_function_word(tokens, by_head, token).text == "な" else ""


def _find_listed_noun(tokens: Tokens, tree: EditableTree, token: Token) -> int:
    """Return the noun after another adjective, if an adjective in くて stands right before that adjective, or 0 if there is none."""
    other = token.index + 2
    if not (token.tag.startswith("形容詞") and token.text.endswith("く") and other <= len(tokens) and tokens[other - 2].text == "て"):
        return 0
    is_adjective = tokens[other - 1].tag.startswith(("連体詞", "形容詞")) and tree[other].relation in ("acl", "amod")
    return tree[other].head if is_adjective and not tree.has_child(token.index, "nsubj") else 0


def _last_function_word(tokens: Tokens, by_head: EdgesByHead, token: Token) -> Token:
    """Return the last function word of a word, or the word itself."""
    last_index = token.index
    for edge in sorted(by_head.get(token.index, ())):
        if edge.dependent == last_index + 1 and edge.relation in ("aux", "cop", "mark"):
            last_index = edge.dependent
    return tokens[last_index - 1]


def _find_described_noun(tokens: Tokens, tree: EditableTree, by_head: EdgesByHead, token: Token) -> int:
    """Return the noun that an adjective describes, after further adjectives and descriptions, or 0 if there is none."""
    index = _last_function_word(tokens, by_head, token).index + 1
    while index <= len(tokens) and tree[index].relation in ("acl", "amod") and tokens[index - 1].tag.startswith(("形容詞", "連体詞")):
        index += 1
    if index > len(tokens) or not (is_nominal(tokens[index - 1]) or tree[index].relation == "compound"):
        return 0
    while tree[index].relation in ("compound", "nummod") and tree[index].head > index:
        index = tree[index].head
    while _only_describes(tokens, tree, by_head, index) and is_nominal(tokens[tree[index].head - 1]):
        index = tree[index].head
    return index


def _only_describes(tokens: Tokens, tree: EditableTree, by_head: EdgesByHead, index: int) -> bool:
    """Return whether a noun with の only describes the next noun: a colour, pattern, number or make."""
    text = phrase_of(tokens, by_head, index)
    is_description = (
        text in word_lists.COLOUR_WORDS | word_lists.SHAPE_WORDS
        or word_lists.is_quantity(text)
        or word_lists.is_suffixed(text)
        or text.endswith(("造り", "風", "色"))
    )
    return is_description and text != "色" and "の" in particles_of(tokens, by_head, index) and tree[index].head > index
