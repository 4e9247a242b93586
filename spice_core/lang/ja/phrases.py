"""Steps for words that GiNZA attaches too far or too loosely: て|いる, compound verbs, adjectives before nouns, conjuncts with と."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.bunsetsu import folded_verbs
from spice_core.lang.ja.clauses import is_passive
from spice_core.lang.ja.trees import FUNCTION, Tree, edges_below, is_nominal, is_verb, is_verbal, particles_of, phrase_of, take_over, tree_of
from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens

Below = dict[int, list[Dependency]]


def fixed_words(tokens: Tokens, edges: Edges) -> Edges:
    """Attach what is fixed on て to the verb before it, so that 歩い|て|いる ends in いる, not in て."""
    tree = tree_of(edges)
    for e in edges:
        head = e.head
        while head and tree[head].relation == "fixed":
            head = tree[head].head
        if e.relation == "fixed" and head and tree[head].relation == "mark" and tree[head].head and tokens[head - 1].text in ("て", "で"):
            tree[e.dependent] = Dependency(tree[head].head, e.dependent, "aux")
    return tuple(tree.values())


def auxiliary_verbs(tokens: Tokens, edges: Edges) -> Edges:
    """Fold an auxiliary verb into the verb before it, unless it is passive: 食んで|いる, but not 重ねて|置かれた."""
    below = edges_below(edges)
    return folded_verbs(tokens, edges, lambda verb: not is_passive(tokens, below, verb.index))


_SECOND = frozenset(
    "合う 始める 続ける 終わる 終える 出す 込む 上がる 上げる 下りる 降りる 下がる 下げる 去る 回る 回す 直す 過ぎる かける 掛ける 尽くす 返す 寄る "
    "寄せる 重なる 重ねる 抜ける 抜く 渡る 越える 入れる 入る 付く 付ける つける つく 落ちる 落とす 取る 合わせる 比べる 立つ 立てる 並ぶ 切る きる 広げる 出る".split()
)


def compound_verbs(tokens: Tokens, edges: Edges) -> Edges:
    """Make a conjunctive form and the verb right after it one verb: じゃれ|合う, 読み|始める."""
    tree = tree_of(edges)
    for second in tokens[1:]:
        first = tokens[second.index - 2]
        if not (
            is_verb(second)
            and is_verb(first)
            and second.lemma in _SECOND
            and first.text not in (first.lemma, "し")
            and not first.text.endswith(("っ", "ん"))
        ):
            continue
        if tree[second.index].head == first.index:
            take_over(tree, first.index, second.index, "compound")
        elif tree[first.index].head == second.index and tree[first.index].relation not in FUNCTION:
            tree[first.index] = Dependency(second.index, first.index, "compound")
            for e in list(tree.values()):
                if e.head == first.index:
                    tree[e.dependent] = e._replace(head=second.index)
    return tuple(tree.values())


def adnominals(tokens: Tokens, edges: Edges) -> Edges:
    """Attach an adjective to the noun right after it, or to what that noun describes: 険しい|雪山の斜面, かわいい|ピンクの花."""
    tree, below = tree_of(edges), edges_below(edges)
    for token in tokens:
        kind = _adnominal(tokens, tree, below, token)
        if not kind:
            continue
        noun = _noun_after(tokens, tree, below, token)
        if noun and (noun != tree[token.index].head or tree[token.index].relation == "compound"):
            tree[token.index] = Dependency(noun, token.index, kind)
            for e in below.get(token.index, ()):
                if e.dependent < token.index and not is_verbal(token):
                    tree[e.dependent] = e._replace(head=noun)
    return tuple(tree.values())


def _adnominal(tokens: Tokens, tree: Tree, below: Below, token: Token) -> str:
    """The relation of an adjective before a noun; empty for other words and for adjectives with arguments."""
    relation = tree[token.index].relation
    if relation not in ("acl", "amod", "advcl", "compound", "det") or any(
        e.relation in ("nsubj", "obl", "obj", "nmod", "dislocated") and e.dependent < token.index and is_verbal(token)
        for e in below.get(token.index, ())
    ):
        return ""
    if token.tag.startswith("連体詞"):
        return "amod"
    if token.tag == "名詞-転成" and token.text == token.lemma and token.text.endswith("い") and len(token.text) > 1:
        return "amod"
    if token.tag.startswith("形容詞") and _last(tokens, below, token).text.endswith(("い", "な")):
        return "acl"
    return "acl" if token.tag.startswith("形状詞") and _last(tokens, below, token).text == "な" else ""


def _last(tokens: Tokens, below: Below, token: Token) -> Token:
    """The last function word of a word, or the word itself."""
    last = token.index
    for e in sorted(below.get(token.index, ())):
        if e.dependent == last + 1 and e.relation in ("aux", "cop", "mark"):
            last = e.dependent
    return tokens[last - 1]


def _noun_after(tokens: Tokens, tree: Tree, below: Below, token: Token) -> int:
    """The noun that an adjective describes: the one right after it, behind other adjectives and descriptions; 0 if there is none."""
    index = _last(tokens, below, token).index + 1
    while index <= len(tokens) and tree[index].relation in ("acl", "amod") and tokens[index - 1].tag.startswith(("形容詞", "連体詞")):
        index += 1
    if index > len(tokens) or not (is_nominal(tokens[index - 1]) or tree[index].relation == "compound"):
        return 0
    while tree[index].relation in ("compound", "nummod") and tree[index].head > index:
        index = tree[index].head
    while _describes(tokens, tree, below, index) and is_nominal(tokens[tree[index].head - 1]):
        index = tree[index].head
    return index


def _describes(tokens: Tokens, tree: Tree, below: Below, index: int) -> bool:
    """Whether a noun with の only describes the next: a colour, pattern, number or make."""
    text = phrase_of(tokens, below, index)
    described = text in word_lists.COLOURS | word_lists.SHAPES or word_lists.is_quantity(text) or text.endswith(("造り", "製", "風", "色"))
    return described and text != "色" and "の" in particles_of(tokens, below, index) and tree[index].head > index


_JOINING = ("と", "や", "とか", "か", "および", "及び", "または")


def conjuncts(tokens: Tokens, edges: Edges) -> Edges:
    """Join a noun with と to the noun right after it that is an argument of the same predicate: テーブルと|イスの置かれた部屋."""
    tree = tree_of(edges)
    below = edges_below(edges)
    for e in edges:
        if e.relation != "obl:と" or not is_nominal(tokens[e.dependent - 1]):
            continue
        start = _end(tokens, below, e.dependent) + 1
        if tokens[start - 2].text != "と":
            continue
        after = (
            a
            for a in edges
            if a.head == e.head and a.dependent > e.dependent and a.relation in ("nsubj", "obj", "obl:に") and _start(below, a.dependent) == start
        )
        argument = next(after, None)
        if argument and (argument.relation == "nsubj" or _alike(tokens, below, e.dependent, argument.dependent)):
            tree[e.dependent] = Dependency(argument.dependent, e.dependent, "conj:と")
    return tuple(tree.values())


def _end(tokens: Tokens, below: Below, index: int) -> int:
    """The last function word of a noun."""
    return max([index, *(e.dependent for e in below.get(index, ()) if e.relation in FUNCTION and e.dependent > index)])


def _start(below: Below, index: int) -> int:
    """The first word of a noun with its modifiers."""
    return min([index, *(_start(below, e.dependent) for e in below.get(index, ()) if e.dependent < index)])


def _alike(tokens: Tokens, below: Below, *nouns: int) -> bool:
    """Whether the nouns are all people and animals, or all things."""
    return len({word_lists.is_animate(phrase_of(tokens, below, noun)) for noun in nouns}) == 1


def conjuncts_of_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Join a person with と to the noun behind a clause whose subject is a thing: 人々と|クロスのかかったテーブル."""
    tree = tree_of(edges)
    below = edges_below(edges)
    for e in edges:
        if not e.relation.startswith("conj:") or not e.head:
            continue
        subject, clause = tree[e.head], tree.get(tree[e.head].head)
        if (
            subject.relation == "nsubj"
            and clause
            and clause.relation == "acl"
            and is_nominal(tokens[clause.head - 1])
            and "の" in particles_of(tokens, below, e.head)
            and not _alike(tokens, below, e.dependent, e.head)
        ):
            tree[e.dependent] = e._replace(head=clause.head)
    return tuple(tree.values())


def described_conjuncts(tokens: Tokens, edges: Edges) -> Edges:
    """Attach a description with の to the next conjunct, not to the last: 一匹の|犬と二匹の猫."""
    tree = tree_of(edges)
    below = edges_below(edges)
    for e in edges:
        if e.relation != "nmod:の" or not e.head:
            continue
        text = phrase_of(tokens, below, e.dependent)
        if not (word_lists.is_quantity(text) or word_lists.is_attribute(text)):
            continue
        nearer = [c.dependent for c in edges if c.relation.startswith("conj:") and e.dependent < c.dependent < e.head and _leads(tree, c, e.head)]
        if nearer:
            tree[e.dependent] = e._replace(head=min(nearer))
    return tuple(tree.values())


def _leads(tree: Tree, edge: Dependency, noun: int) -> bool:
    """Whether a conjunct belongs to the list that ends in the noun."""
    while edge.relation.startswith("conj:") and edge.head != noun:
        edge = tree[edge.head]
    return edge.relation.startswith("conj:")
