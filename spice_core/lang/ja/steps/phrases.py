"""Steps for words that GiNZA attaches to a wrong or too distant word: auxiliaries after て, compound verbs, adjectives before nouns."""

from __future__ import annotations

from itertools import pairwise

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.steps.bunsetsu import fold_verbs, is_conjunctive
from spice_core.lang.ja.trees import (
    FUNCTION_RELATIONS,
    follow_rightwards,
    is_nominal,
    is_passive,
    is_verb,
    is_verbal,
    last_function_word,
    nearest_above,
    particles_of,
    phrase_of,
)
from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree
from spice_core.syntax.document import Dependency, Token

_ARGUMENT_RELATIONS = ("nsubj", "obl", "obj", "nmod", "dislocated")
_CREDIT_WORDS = frozenset("笑 写真 撮影 左 右 中央 手前 奥 共同 上 下".split())


def separate_asides(graph: DependencyGraph) -> DependencyGraph:
    """Separate text in brackets, or after a ＝ that is not at the end, from the rest.

    生徒ら|（京都市で） ("pupils (in Kyoto)"), 作業員ら|＝熱海市 ("workers, Atami").
    """
    tree = graph.tree()
    for start, end in _spans_of_asides(graph):
        outer_indices = [t.index for t in graph.tokens if not start <= t.index <= end]
        last_outside = max((i for i in outer_indices if i < start), default=0)
        if not last_outside:
            continue
        top_index = last_outside
        for word in tree.ancestors(last_outside):
            if word >= start:
                break
            top_index = word
        if tree[top_index].head >= start:  # the caption is attached to the aside
            tree[top_index] = Dependency(0, top_index, "root")
        for i in outer_indices:
            if start <= tree[i].head <= end:
                tree.attach(i, top_index)
        _separate_parts(tree, start, end, top_index)
    return graph.with_edges(tree.values())


def _spans_of_asides(graph: DependencyGraph) -> list[tuple[int, int]]:
    """Return the first and the last word of each aside, with its brackets."""
    spans, start = [], 0
    for token in graph.tokens:
        if token.text in ("（", "(") and not start:
            start = token.index
        elif token.text in ("）", ")") and start:
            spans.append((start, token.index))
            start = 0
    sign = next((t.index for t in graph.tokens if t.text == "＝" and t.index > 1), 0)
    return spans or ([(sign, len(graph.tokens))] if sign and sign < len(graph.tokens) else [])


def _separate_parts(tree: EditableTree, start: int, end: int, top_index: int) -> None:
    """Detach each part of an aside as a noun, except a number, a time or a credit."""
    indices: list[int] = []
    for i in range(start, end + 1):
        tag = tree.tag(i)
        if is_nominal(tree.token(i)) and not tag.startswith(("記号", "補助記号")):
            indices.append(i)
            continue
        if indices:
            _detach_words(tree, indices, top_index)
        indices = []
        if tag.startswith("補助記号") or not start < tree[i].head <= end:
            tree[i] = Dependency(top_index, i, "punct")
    if indices:
        _detach_words(tree, indices, top_index)


def _detach_words(tree: EditableTree, indices: list[int], top_index: int) -> None:
    text = "".join(tree.text(i) for i in indices)
    is_annotation = word_lists.is_quantity(text) or word_lists.is_time(text) or text in _CREDIT_WORDS or text.isdigit()
    for i in indices[:-1]:
        tree[i] = Dependency(indices[-1], i, "compound")
    tree[indices[-1]] = Dependency(top_index, indices[-1], "det" if is_annotation else "orphan")


def attach_fixed_words(graph: DependencyGraph) -> DependencyGraph:
    """Attach words fixed to て to the verb before it, so that 歩い|て|いる ("is walking") ends in いる, and join set phrases.

    The set phrases are 目の前 ("in front"), とともに ("with") and adverbs with とした: 広々とした|部屋 ("spacious room").
    """
    tree = graph.tree()
    for first, second, third in zip(graph.tokens, graph.tokens[1:], graph.tokens[2:], strict=False):
        if first.text + second.text + third.text == "目の前":
            tree.attach(first.index, third.index, "compound")
            tree.attach(second.index, third.index, "compound")
        elif second.text == "と" and third.text in ("とも", "共") and is_nominal(third):
            tree.take_over(third.index, first.index, "case")
        elif second.text == "と" and third.lemma == "する" and first.tag.startswith("副詞") and tree[third.index].relation == "acl":
            tree.take_over(third.index, first.index, "aux")
            tree.relabel(first.index, "amod")
    for edge in graph.edges_of("fixed"):
        if graph.text(edge.head) in ("て", "で") and tree[edge.head].relation == "mark" and tree[edge.head].head:
            tree.attach(edge.dependent, tree[edge.head].head, "aux")
    return graph.with_edges(tree.values())


def fold_auxiliary_verbs(graph: DependencyGraph) -> DependencyGraph:
    """Fold an auxiliary verb, or the ない of an adjective, into the predicate before it, unless it is passive.

    食んで|いる ("is grazing"), 広く|ない ("is not wide"), but not 重ねて|置かれた ("put in a pile").
    """
    return fold_verbs(graph, lambda verb: not is_passive(graph, verb.index))


def promote_listed_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Replace する by the preceding clause in たり or そうと.

    読んだり|聴いたり|する ("read and listen"), 走り出そうと|する ("be about to run").
    """
    tree = graph.tree()
    for previous, verb in pairwise(graph.tokens):
        is_list_item = previous.text in ("たり", "だり") or (previous.text == "と" and graph.text(previous.index - 1) == "そう")
        if verb.lemma == "する" and is_list_item:
            words_before = (e.dependent for e in graph.children_before(verb.index, verb.index))
            if clause := max((i for i in words_before if is_verb(graph.token(i))), default=0):
                tree.take_over(verb.index, clause, "aux")
    return graph.with_edges(tree.values())


def join_suffixes(graph: DependencyGraph) -> DependencyGraph:
    """Join a suffix that GiNZA treats as a word with its noun: 黄色|っぽい花 ("yellowish flower"), 彼|ら ("they")."""
    tree = graph.tree()
    for word, suffix in pairwise(graph.tokens):
        stem = word.index
        is_adjectival = suffix.tag.startswith(("接尾辞-形容詞的", "接尾辞-形状詞的"))
        if is_adjectival and tree[suffix.index].head == stem and is_nominal(word):
            if suffix.text == "っぽい" and tree[stem].relation in ("nmod", "acl", "obl") and tree[stem].head > suffix.index:
                tree.relabel(stem, "amod")
            tree.take_over(stem, suffix.index, "compound")
        elif word.text == "色" and suffix.text == "とりどり":
            tree.attach(stem, suffix.index, "compound")
        elif suffix.text in ("ら", "たち", "達") and word.tag.startswith("代名詞") and tree[stem].head == suffix.index:
            tree.take_over(suffix.index, stem, "compound:suffix")
    return graph.with_edges(tree.values())


def attach_numbers(graph: DependencyGraph) -> DependencyGraph:
    """Attach a number to the following counter, and make か part of the compound in 何人か ("a few people")."""
    tree = graph.tree()
    for number, counter in pairwise(graph.tokens):
        is_quantity = number.tag.startswith("名詞-数詞") and "助数詞" in counter.tag
        if counter.text == "か" and _is_unknown_number(graph, number) and tree[counter.index].head == number.index:
            tree.relabel(counter.index, "compound")
        is_distant = tree[number.index].head != counter.index and tree[number.index].relation in ("dep", "obl", "advmod", "nmod")
        if is_distant and is_quantity and tree[counter.index].head != number.index:
            tree.attach(number.index, counter.index, "nummod")
    return graph.with_edges(tree.values())


def _is_unknown_number(graph: DependencyGraph, counter: Token) -> bool:
    follows_unknown = graph.text(counter.index - 1) in ("何", "幾") and "助数詞" in counter.tag
    return follows_unknown or counter.text.startswith("何")


def attach_counted_arguments(graph: DependencyGraph) -> DependencyGraph:
    """Move an argument that GiNZA attached to a number to the verb, or to the counted noun.

    羊が|２頭、|並ぶ ("two sheep stand in line"), 皿に|ケーキが|三つ ("three cakes on a plate").
    """
    tree = graph.tree()
    for edge in graph.edges_of("nsubj", "obj", "obl"):
        if not _is_counting_word(graph, edge.head):
            continue
        if tree[edge.head].relation == "root":
            if edge.relation == "nsubj":
                _replace_counter_by_subject(tree, edge.head, edge.dependent)
            continue
        verb = nearest_above(tree, edge.head, is_verb)
        if verb and particles_of(graph, edge.dependent)[:1] not in ([], ["の"]):
            tree.attach(edge.dependent, verb)
            tree.attach(edge.head, verb, "obl")
    return graph.with_edges(tree.values())


def _replace_counter_by_subject(tree: EditableTree, counter: int, noun: int) -> None:
    parts = [p.dependent for p in tree.children(counter, "nummod", "compound")]
    tree.take_over(counter, noun, "nummod:floated")
    for part in parts:
        tree.attach(part, counter)


def _is_counting_word(graph: DependencyGraph, index: int) -> bool:
    """Return whether a word counts: a counter after a number or a misparsed quantity."""
    if index < 2:
        return False
    is_counter = graph.text(index) in word_lists.COUNTERS and graph.tag(index - 1).startswith("名詞-数詞")
    # GiNZA tags 数羽 ("a few birds") as a proper noun
    return is_counter or (graph.tag(index).startswith("名詞-固有名詞") and word_lists.is_quantity(graph.text(index)))


_NOUNS_AFTER_CLAUSES = frozenset(
    "ため 為 時 とき 際 間 後 あと 前 まま ところ 所 の こと よう 様子 上 中 うち 途中 ほう 方 そう 最中 瞬間".split()
)


def attach_adnominal_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Attach a clause in た or る to the noun right after it: 上に置かれた|ゴムボート ("rubber boat that is placed on top")."""
    tree = graph.tree()
    for edge in graph.edges_of("advcl", "advmod"):
        if not is_verb(graph.token(edge.dependent)) or is_conjunctive(graph, edge.dependent):
            continue
        last_word = graph.token(max([edge.dependent, *(f.dependent for f in graph.children(edge.dependent, "aux"))]))
        noun = last_word.index + 1
        if last_word.text != last_word.lemma or noun > len(graph.tokens) or not is_nominal(graph.token(noun)):
            continue
        noun = follow_rightwards(tree, noun, "compound", "nummod")
        if graph.text(noun) not in _NOUNS_AFTER_CLAUSES and tree[noun].relation not in FUNCTION_RELATIONS and noun < edge.head:
            tree.attach(edge.dependent, noun, "acl")
    return graph.with_edges(tree.values())


_COMPOUND_SECOND_VERBS = frozenset(
    "合う 始める 続ける 終わる 終える 出す 込む 上がる 上げる 下りる 降りる 下がる 下げる 去る 回る 回す 直す 過ぎる かける 掛ける 尽くす 返す 寄る "
    "寄せる 重なる 重ねる 抜ける 抜く 渡る 越える 入れる 入る 付く 付ける つける つく 落ちる 落とす 合わせる 比べる きる 広げる 忘れる 残す 倒す 散らす 並べる 分ける 捨てる 止める 破る 締める 詰める 交わす 飛ばす".split()
)


def join_compound_verbs(graph: DependencyGraph) -> DependencyGraph:
    """Make a conjunctive form and the following verb one verb: じゃれ|合う ("play with each other"), 読み|始める ("begin to read")."""
    tree = graph.tree()
    for first, second in pairwise(graph.tokens):
        if not _may_form_one_verb(first, second):
            continue
        if tree[second.index].head == first.index:
            tree.take_over(first.index, second.index, "compound")
        elif tree[first.index].head == second.index and tree[first.index].relation not in FUNCTION_RELATIONS:
            tree.relabel(first.index, "compound")
            for edge in tree.children(first.index)[:]:
                tree.attach(edge.dependent, second.index)
    return graph.with_edges(tree.values())


def _may_form_one_verb(first: Token, second: Token) -> bool:
    if not is_verb(first) or not is_verb(second) or second.lemma not in _COMPOUND_SECOND_VERBS:
        return False
    return first.text not in (first.lemma, "し") and not first.text.endswith(("っ", "ん"))


def attach_adnominals(graph: DependencyGraph) -> DependencyGraph:
    """Attach an adjective to the next noun, or to the noun that this noun modifies.

    険しい|雪山の斜面 ("slope of a steep snowy mountain"), かわいい|ピンクの花 ("pretty pink flower").
    """
    adnominal_edges = (e for e in graph.edges_of("amod", "acl") if e.head == e.dependent + 1)
    # 縦型|信号機 ("upright traffic light")
    graph = graph.relabel({e for e in adnominal_edges if graph.tag(e.dependent).startswith("名詞-普通名詞")}, "compound")
    tree = graph.tree()
    for token in reversed(graph.tokens):
        relation = _adnominal_relation(graph, tree, token)
        if not relation:
            continue
        noun = _find_described_noun(graph, tree, token)
        if noun and (noun != tree[token.index].head or tree[token.index].relation == "compound"):
            tree.attach(token.index, noun, relation)
            for edge in [] if is_verbal(token) else graph.children_before(token.index, token.index):
                tree.attach(edge.dependent, noun)
    return graph.with_edges(tree.values())


def _adnominal_relation(graph: DependencyGraph, tree: EditableTree, token: Token) -> str:
    """Return the relation of an adjective before a noun, or "" for other words and for adjectives with arguments."""
    if tree[token.index].relation not in ("acl", "amod", "advcl", "compound", "det"):
        return ""
    arguments = graph.children_before(token.index, token.index) if is_verbal(token) else []
    if any(e.relation in _ARGUMENT_RELATIONS for e in arguments):
        return ""
    if token.tag.startswith("連体詞"):
        return "amod"
    if token.tag == "名詞-転成" and token.text == token.lemma and token.text.endswith("い") and len(token.text) > 1:
        return "amod"
    last_text = graph.text(_last_function_word(graph, token))
    is_adjective = token.tag.startswith("形容詞") and last_text.endswith(("い", "な"))
    return "acl" if is_adjective or (token.tag.startswith("形状詞") and last_text == "な") else ""


def _last_function_word(graph: DependencyGraph, token: Token) -> int:
    return last_function_word(graph, token.index, "aux", "cop", "mark")


def _find_described_noun(graph: DependencyGraph, tree: EditableTree, token: Token) -> int:
    """Return the noun that an adjective modifies, after other adjectives and descriptions, or 0."""
    index = _last_function_word(graph, token) + 1
    while index <= len(graph.tokens) and tree[index].relation in ("acl", "amod") and graph.tag(index).startswith(("形容詞", "連体詞")):
        index += 1
    if index > len(graph.tokens) or not (is_nominal(graph.token(index)) or tree[index].relation == "compound"):
        return 0
    index = follow_rightwards(tree, index, "compound", "nummod")
    while _only_describes(graph, tree, index) and is_nominal(graph.token(tree[index].head)):
        index = tree[index].head
    return index


def _only_describes(graph: DependencyGraph, tree: EditableTree, index: int) -> bool:
    """Return whether a noun with の only modifies the next noun: a colour, pattern, number or make."""
    text = phrase_of(graph, index)
    is_description = (
        text in word_lists.COLOUR_WORDS | word_lists.SHAPE_WORDS
        or word_lists.is_quantity(text)
        or word_lists.is_suffixed(text)
        or text.endswith(("造り", "風", "色"))
    )
    return is_description and text != "色" and "の" in particles_of(graph, index) and tree[index].head > index
