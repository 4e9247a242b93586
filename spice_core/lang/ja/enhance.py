"""From GiNZA's tree to the predicate–argument structure that the rules read: steps with names, each a function of the edges.

Source: Japanese spec sections b.4, c and d. The graph stays in UD's terms with the particle behind the colon: nsubj,
obj, obl:に, obl:で … (arguments by case), obl:時間 and obl:外の関係 (deep cases), nmod:の, nmod:場所 (a place word
between two nouns), conj:と, nsubj:zero (a subject left out), amod and nummod (descriptions), compound (one text with its head). The head of a bunsetsu
is the only word of it with one of these relations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from spice_core.document import Dependency, Document, Sentence, Token
from spice_core.lang.ja import words
from spice_core.lang.steps import Edges, Step, Tokens, selected

Tree = dict[int, Dependency]


def enhance(document: Document, steps: Sequence[str] | None = None) -> Document:
    """The document with enhanced graphs, made from the basic trees by the steps of these names (default: DEFAULT)."""
    chosen = selected(STEPS, DEFAULT if steps is None else steps)
    return replace(document, sentences=tuple(_enhance(sentence, chosen) for sentence in document.sentences))


def trace(sentence: Sentence, steps: Sequence[str] | None = None) -> list[tuple[Step, Edges]]:
    """The steps that apply to the sentence, in order, each with the edges after it."""
    edges, out = sentence.basic, []
    for step in selected(STEPS, DEFAULT if steps is None else steps):
        edges = step.apply(sentence.tokens, edges)
        out.append((step, edges))
    return out


def _enhance(sentence: Sentence, steps: Iterable[Step]) -> Sentence:
    edges = sentence.basic
    for step in steps:
        edges = step.apply(sentence.tokens, edges)
    return replace(sentence, enhanced=edges)


# --- words and their neighbours -----------------------------------------------------------------------------------

_VERBAL = ("動詞", "形容詞", "形状詞")
_NOMINAL = ("名詞", "代名詞", "副詞", "接尾辞-名詞的", "記号", "未知語", "接頭辞")
_FUNCTION = frozenset(("case", "aux", "cop", "mark", "fixed", "punct", "cc"))


def _verbal(token: Token) -> bool:
    return token.tag.startswith(_VERBAL)


def _verb(token: Token) -> bool:
    return token.tag.startswith("動詞")


def _nominal(token: Token) -> bool:
    return token.tag.startswith(_NOMINAL)


def _tree(edges: Edges) -> Tree:
    return {e.dependent: e for e in edges}


def _below(edges: Iterable[Dependency]) -> dict[int, list[Dependency]]:
    below: dict[int, list[Dependency]] = {}
    for e in edges:
        below.setdefault(e.head, []).append(e)
    return below


def _take_over(tree: Tree, old: int, new: int, relation: str) -> None:
    """Put ``new`` in the place of ``old``, with its dependents; ``old`` hangs on it by the relation."""
    above = tree[old]
    for e in list(tree.values()):
        if e.head == old and e.dependent != new:
            tree[e.dependent] = e._replace(head=new)
    tree[new] = above._replace(dependent=new) if above.head else Dependency(0, new, "root")
    tree[old] = Dependency(new, old, relation)


def _phrase(tokens: Tokens, below: dict[int, list[Dependency]], index: int) -> str:
    """The text of a word with the compound parts before it."""
    parts = sorted(e.dependent for e in below.get(index, ()) if e.relation == "compound" and e.dependent < index)
    return "".join(tokens[i - 1].text for i in (*parts, index))


def _particles(tokens: Tokens, below: dict[int, list[Dependency]], index: int) -> list[str]:
    """The particles behind a word, in order; one made of several words ("によって") as one."""
    out = []
    for e in sorted(below.get(index, ())):
        token = tokens[e.dependent - 1]
        if e.dependent > index and (e.relation == "case" or (e.relation in ("cop", "mark") and token.text in ("で", "に"))):
            verbs = [tokens[f.dependent - 1].lemma for f in below.get(e.dependent, ()) if f.relation == "fixed"]
            out.append(token.text + "".join(v for v in verbs if v not in ("て", "た")))
    return out


# --- bunsetsu heads -----------------------------------------------------------------------------------------------


def supporting_verbs(tokens: Tokens, edges: Edges) -> Edges:
    """Fold a verb that only supports the one before it: 食んで|いる, 少なく|なる, 食べようと|している."""
    tree = _tree(edges)
    for verb in tokens:
        if not _verb(verb) or tree[verb.index].relation in _FUNCTION or verb.index == 1:
            continue
        before = tokens[verb.index - 2]
        content = max(
            (e.dependent for e in tree.values() if e.head == verb.index and e.dependent < verb.index and _verbal(tokens[e.dependent - 1])),
            default=0,
        )
        if content and _supports(verb, before, tokens[content - 1]):
            _take_over(tree, verb.index, content, "aux")
    return tuple(tree.values())


def _supports(verb: Token, before: Token, content: Token) -> bool:
    if before.text in ("て", "で") and before.tag.startswith("助詞-接続助詞"):
        return verb.lemma in words.SUPPORTING and before.index - content.index < 4
    if verb.lemma in ("なる", "成る") and before == content:
        return content.tag.startswith("形容詞") and content.text.endswith("く")
    return verb.lemma == "する" and before.text == "と" and _volitional(content)


def _volitional(verb: Token) -> bool:
    """Whether the verb has the form of an intention (食べよう, 行こう)."""
    return _verb(verb) and verb.text.endswith("う") and verb.text != verb.lemma


def formal_nouns(tokens: Tokens, edges: Edges) -> Edges:
    """Let the clause before ところ, 様子 … at the end of a sentence speak for itself: 食べている|ところです."""
    tree = _tree(edges)
    for noun in tokens:
        edge = tree[noun.index]
        if edge.relation == "root" and noun.lemma in words.FORMAL:
            clause = max(
                (e.dependent for e in tree.values() if e.head == noun.index and e.relation in ("acl", "advcl", "ccomp")), default=0
            )
            if clause and _verbal(tokens[clause - 1]):
                _take_over(tree, noun.index, clause, "aux")
    return tuple(tree.values())


_DROPPED = frozenset("達 たち ら 等 など さん 内 上".split())


def suffixes(tokens: Tokens, edges: Edges) -> Edges:
    """Drop plural, polite and place suffixes from a noun's text: 人|達, 斜面|上 (spec section b.1)."""
    tree = _tree(edges)
    for suffix in tokens:
        edge = tree[suffix.index]
        if (
            suffix.index > 1
            and suffix.text in _DROPPED
            and suffix.tag.startswith(("接尾辞", "名詞-普通名詞-副詞可能"))
            and edge.relation not in _FUNCTION
        ):
            noun = tree[suffix.index - 1]
            if noun.head == suffix.index and noun.relation == "compound":
                _take_over(tree, suffix.index, noun.dependent, "compound:suffix")
    return tuple(tree.values())


def quantities(tokens: Tokens, edges: Edges) -> Edges:
    """Make a number one text with its counter (二|頭), and hang it on the noun that it is fused with (男性|３人)."""
    tree = _tree(edges)
    for e in edges:
        if e.relation == "nummod" and _nominal(tokens[e.head - 1]):
            counter = e.dependent + 1 if e.head > e.dependent + 1 and tokens[e.dependent].text in words.COUNTERS else e.head
            tree[e.dependent] = Dependency(counter, e.dependent, "compound")
            if counter != e.head and tree[counter].relation == "compound":  # 二|頭|の|馬
                tree[counter] = Dependency(e.head, counter, "nmod")
    for e in list(tree.values()):
        counter, noun = tokens[e.dependent - 1], tokens[e.head - 1]
        if e.relation == "compound" and counter.text in words.COUNTERS and noun.tag.startswith("名詞-普通名詞-一般") and counter.index > 1:
            if tokens[counter.index - 2].tag.startswith("名詞-数詞"):  # 熊が|二匹|水の中で
                tree[e.dependent] = e._replace(relation="nummod:floated")
                tree[counter.index - 1] = Dependency(counter.index, counter.index - 1, "compound")
    for counter in tokens:
        parts = sorted(e.dependent for e in tree.values() if e.head == counter.index and e.relation == "compound")
        if not parts or tree[counter.index].relation in _FUNCTION:
            continue
        number = [i for i in parts if tokens[i - 1].tag.startswith("名詞-数詞")]
        nouns = [i for i in parts if not number or i < number[0]]
        amount = "".join(tokens[i - 1].text for i in number) + counter.text
        if nouns and words.is_quantity(amount) and _nominal(tokens[nouns[-1] - 1]):
            noun = nouns[-1]
            _take_over(tree, counter.index, noun, "nummod:floated")
            for i in number:
                tree[i] = Dependency(counter.index, i, "compound")
    return tuple(tree.values())


def light_verbs(tokens: Tokens, edges: Edges) -> Edges:
    """Make a bare noun one text with the する behind it (ジャンプ|する), a bare stem with its noun (縦型|信号機)."""
    tree = _tree(edges)
    for e in edges:
        if e.dependent == e.head - 1 and e.relation in ("amod", "acl") and tokens[e.dependent - 1].tag.startswith("形状詞"):
            tree[e.dependent] = e._replace(relation="compound")
        verb = tokens[e.head - 1] if e.head else None
        if (
            verb
            and e.dependent == e.head - 1
            and verb.lemma == "する"
            and _nominal(tokens[e.dependent - 1])
            and e.relation not in _FUNCTION
        ):
            tree[e.dependent] = e._replace(relation="compound")
    return tuple(tree.values())


def verb_forms(tokens: Tokens, edges: Edges) -> Edges:
    """Hang a conjunctive form on the next verb (被り、|スケートボードに乗る), an adnominal one on its noun (かわいい|花)."""
    tree = _tree(edges)
    below = _below(edges)
    for e in edges:
        word = tokens[e.dependent - 1]
        if e.relation == "advcl" and e.head and word.tag.startswith("形容詞") and word.text == word.lemma and _nominal(tokens[e.head - 1]):
            tree[e.dependent] = e._replace(relation="acl")
        if e.relation == "acl" and e.dependent == e.head - 1 and e.dependent not in below and word.text != word.lemma and _verb(word):
            tree[e.dependent] = e._replace(relation="compound")  # 折りたたみ|傘
        elif e.relation == "acl" and _conjunctive(tokens, below, e.dependent):
            governor = tree[e.head]
            while governor.head and not _verb(tokens[governor.head - 1]):
                governor = tree[governor.head]
            if governor.head and governor.head != e.dependent:
                tree[e.dependent] = Dependency(governor.head, e.dependent, "advcl")
    return tuple(tree.values())


def _conjunctive(tokens: Tokens, below: dict[int, list[Dependency]], index: int) -> bool:
    """Whether the predicate ends in a form that joins clauses (連用形, て): the form of its last function word."""
    last = index
    for e in sorted(below.get(index, ())):
        if e.dependent == last + 1 and e.relation in ("aux", "mark", "fixed", "case"):
            last = e.dependent
    token = tokens[last - 1]
    if last != index and token.tag.startswith("助詞"):
        return token.text in ("て", "で", "つつ", "ながら", "たり")
    return (
        token.tag.startswith(("動詞", "助動詞"))
        and token.text != (token.lemma.removesuffix("する") or token.lemma)
        and token.text not in ("な", "の")
    )


# --- cases --------------------------------------------------------------------------------------------------------

_CASES = frozenset("が を に へ と から より で まで の にて や とか か および 及び".split())
_JOINING = frozenset("と や とか か および 及び".split())
_ARGUMENTS = frozenset(("nsubj", "obj", "iobj", "obl", "nmod", "advmod", "advcl", "dislocated", "dep", "nsubj:pass", "parataxis", "ccomp"))
_ADVERBS = frozenset("一緒 一斉 同時 交互 次々 互い 別々 順番 まっすぐ 実際 非常 綺麗 一面 一列 何か 全体 こと ため 為".split())


def case_markers(tokens: Tokens, edges: Edges) -> Edges:
    """Read the relation of a noun off the particle behind it; topics take the place that is free."""
    below = _below(edges)
    subjects = {e.head for e in edges if "が" in _particles(tokens, below, e.dependent)[:1] and _nominal(tokens[e.dependent - 1])}
    return tuple(
        e._replace(relation=_case(tokens, below, e, subjects))
        if e.head and e.relation in _ARGUMENTS and (_nominal(tokens[e.dependent - 1]) or _stem(tokens[e.dependent - 1], e.relation))
        else e
        for e in edges
    )


def _stem(token: Token, relation: str) -> bool:
    """Whether the stem of an adjective serves as a noun: たくさんの, 大きめの."""
    return token.tag.startswith("形状詞") and relation in ("nmod", "nsubj", "obj", "obl")


def _case(tokens: Tokens, below: dict[int, list[Dependency]], edge: Dependency, subjects: set[int]) -> str:
    """The relation of the noun to its governor."""
    particles = _particles(tokens, below, edge.dependent)
    governor, text = tokens[edge.head - 1], _phrase(tokens, below, edge.dependent)
    case = next((p for p in particles if p in _CASES), None)
    if case == "の":
        return "nsubj" if _verbal(governor) and not words.is_attribute(text) and not words.is_quantity(text) else "nmod:の"
    if words.is_time(text) and case in (None, "に", "で"):
        return "obl:時間"
    if words.is_quantity(text) and case in (None, "で") and _verbal(governor):
        return "nummod:floated"
    if case in _JOINING and _nominal(governor):
        return f"conj:{case}"
    if case == "が":
        return "nsubj"
    if case == "を":
        return "obj"
    if text in _ADVERBS or (case == "と" and tokens[edge.dependent - 1].tag.startswith("副詞")):
        return "advmod"
    if case:
        return "obl:" + {"にて": "で"}.get(case, case)
    if particles and len(particles[0]) > 2:
        return f"obl:{particles[0]}"
    return _bare(tokens, below, edge, particles, text, subjects)


def _first(below: dict[int, list[Dependency]], index: int) -> int:
    """The word directly before a word and the compound parts before it."""
    parts = {e.dependent for e in below.get(index, ()) if e.relation == "compound"}
    index -= 1
    while index in parts:
        index -= 1
    return index


def _bare(tokens: Tokens, below: dict[int, list[Dependency]], edge: Dependency, particles: list[str], text: str, subjects: set[int]) -> str:
    """The relation of a noun without case particle: a topic, a quantity, a conjunct, or an adverb."""
    governor = tokens[edge.head - 1]
    if words.is_quantity(text):
        return "nummod:floated"
    if particles:  # は, も, だけ
        if edge.head not in subjects and edge.relation != "obj":
            return "nsubj"
        return "obj" if edge.relation == "obj" else "obl:は"
    following = tokens[edge.dependent].text if edge.dependent < len(tokens) else ""
    if _nominal(governor) and following in ("、", "，", "・", "と"):
        return "conj:、"
    if edge.relation == "nmod" and _nominal(governor) and _first(below, edge.head) == edge.dependent:
        return "compound"
    if text in words.PLACES and any(e.relation in ("nmod", "nmod:の") for e in below.get(edge.dependent, ())):
        return "obl:に"
    return "advmod" if edge.relation in ("obl", "advcl", "advmod") else edge.relation


def stray_arguments(tokens: Tokens, edges: Edges) -> Edges:
    """Hang an argument that the parser gave to a noun with a particle, or to an adjective before one, on the predicate above.

    馬が|牧草地で草を|食む; 黒色に|白い文字が|書かれた
    """
    tree = _tree(edges)
    below = _below(edges)
    for e in edges:
        if e.relation == "nsubj" or e.relation == "obj" or e.relation.startswith("obl:"):
            head = e.head
            while head and _nominal(tokens[head - 1]) and _particles(tokens, below, head) and tree[head].head:
                head = tree[head].head
            adjective = (
                tokens[head - 1].tag.startswith("形容詞") and tree[head].relation == "acl" and e.relation in ("obl:に", "obl:で", "obj")
            )
            while adjective and tree[head].head and not _verb(tokens[head - 1]):  # 黒色に|白い文字が|書かれた
                head = tree[head].head
            if head != e.head and _verbal(tokens[head - 1]):
                tree[e.dependent] = e._replace(head=head)
    return tuple(tree.values())


_PLACE_CASES = ("obl:で", "obl:に")


def initial_places(tokens: Tokens, edges: Edges) -> Edges:
    """Give a place at the start of the caption to the main verb: 道路で|ヘルメットを被り|スケートボードに乗る."""
    tree = _tree(edges)
    below = _below(edges)
    for e in edges:
        if e.relation in _PLACE_CASES and e.head and _initial(below, e.dependent):
            verb = e.head
            while (main := _main(tokens, tree, below, verb, e)) is not None:
                verb = main
            tree[e.dependent] = e._replace(head=verb)
    return tuple(tree.values())


def _initial(below: dict[int, list[Dependency]], index: int) -> bool:
    """Whether nothing but its own modifiers stands before the word."""
    first, stack = index, [index]
    while stack:
        for e in below.get(stack.pop(), ()):
            if e.dependent < index:
                first = min(first, e.dependent)
                stack.append(e.dependent)
    return first == 1


def _main(tokens: Tokens, tree: Tree, below: dict[int, list[Dependency]], verb: int, place: Dependency) -> int | None:
    """The verb above that rather takes the place; None where this one keeps it."""
    above, relation = tree[verb], place.relation
    mine = {e.relation for e in below.get(verb, ())}
    if above.relation == "advcl" and above.head and _verb(tokens[above.head - 1]) and relation == "obl:で":
        return None if "nsubj" in mine and _has(below, above.head, "nsubj") else above.head
    if "nsubj" in mine or (relation == "obl:に" and _takes_goal(tokens[verb - 1], tokens[place.dependent - 1], mine)):
        return None
    if above.relation == "acl" and above.head:
        outer = tree[above.head]
        while outer.relation.startswith("conj:"):
            outer = tree[outer.head]
        if outer.head and outer.relation == "nsubj" and _verb(tokens[outer.head - 1]):
            existential = tokens[outer.head - 1].lemma in ("いる", "ある", "居る")
            return None if existential and relation == "obl:で" else outer.head
    return None


def _takes_goal(verb: Token, place: Token, mine: set[str]) -> bool:
    """Whether に marks where the object of this verb goes, or on which part of the body it is."""
    return "obj" not in mine or verb.lemma in words.PLACING or (verb.lemma in words.HOLDING and place.text in words.PARTS)


# --- coordination, clauses before nouns, descriptions -------------------------------------------------------------


def coordination(tokens: Tokens, edges: Edges) -> Edges:
    """Give every conjunct the roles of the last one: タオルと|鏡が置いてある (spec section g.2)."""
    last = {e.dependent: e.head for e in edges if e.relation.startswith("conj:")}
    if not last:
        return edges
    above: dict[int, list[Dependency]] = {}
    for e in edges:
        above.setdefault(e.dependent, []).append(e)
    out = list(edges)
    for conjunct, head in last.items():
        while head in last:
            head = last[head]
        out += [e._replace(dependent=conjunct) for e in above.get(head, ()) if e.head and not e.relation.startswith("conj:")]
    return tuple(dict.fromkeys(out))


def described_places(tokens: Tokens, edges: Edges) -> Edges:
    """Hang a clause or adnominal on what it describes: on A before "A の横" (切り立った|崖の横), on B before "赤のB"."""
    below, tree = _below(edges), _tree(edges)
    out = []
    for e in edges:
        if e.relation in ("acl", "amod") and e.head and tokens[e.head - 1].text in words.RELATIONAL:
            ground = next((m.dependent for m in below[e.head] if m.relation == "nmod:の" and m.dependent > e.dependent), None)
            e = e._replace(head=ground) if ground else e
        elif e.relation in ("acl", "amod") and e.head and tree[e.head].relation == "nmod:の" and _colours(_phrase(tokens, below, e.head)):
            e = e._replace(head=tree[e.head].head)
        out.append(e)
    return tuple(out)


def _colours(text: str) -> bool:
    return text in words.COLOURS or words.is_quantity(text) or text.endswith(("造り", "製"))


def negation(tokens: Tokens, edges: Edges) -> Edges:
    """Keep what is denied apart from what is said: ない, ず and ません hang on their predicate by advmod:ない (g.15)."""
    return tuple(
        e._replace(relation="advmod:ない")
        if e.relation in ("aux", "mark", "fixed", "advcl")
        and e.head
        and tokens[e.dependent - 1].lemma in _NEGATIONS
        and e.dependent > e.head
        else e
        for e in edges
    )


_NEGATIONS = frozenset(("ない", "ぬ", "ず", "ん", "無い"))


def relative_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Give the noun behind a clause its role in the clause: subject, object, or 外の関係 (spec section b.4.3)."""
    below = _below(edges)
    tree = _tree(edges)
    out = list(edges)
    for e in edges:
        predicate = tokens[e.dependent - 1]
        if e.relation == "advcl" and e.head and predicate.tag.startswith("形容詞") and predicate.text == predicate.lemma:
            noun = tree[e.head]  # 四角い|白いお皿
            if noun.relation == "acl" and e.dependent == e.head - 1:
                out.append(Dependency(e.dependent, noun.head, "nsubj"))
        elif e.relation == "acl" and e.head and _nominal(tokens[e.head - 1]) and (_verbal(predicate) or _has(below, e.dependent, "cop")):
            role = _role(tokens, below, e.dependent, e.head)
            if role:
                out.append(Dependency(e.dependent, e.head, role))
    return tuple(dict.fromkeys(out))


def _has(below: dict[int, list[Dependency]], index: int, relation: str) -> bool:
    return any(e.relation == relation for e in below.get(index, ()))


def _role(tokens: Tokens, below: dict[int, list[Dependency]], predicate: int, noun: int) -> str | None:
    """The role of the noun in the clause before it; None for a noun that only carries the clause."""
    mine = {e.relation for e in below.get(predicate, ())}
    if tokens[noun - 1].lemma in words.FORMAL:
        return None
    if "nsubj" in mine:
        return "obl:外の関係"
    verb = tokens[predicate - 1]
    if (
        verb.lemma in words.TRANSITIVE
        and "obj" not in mine
        and not _passive(tokens, below, predicate)
        and not _animate(tokens, below, noun)
    ):
        return "obj"
    return "nsubj"


def _passive(tokens: Tokens, below: dict[int, list[Dependency]], verb: int) -> bool:
    return any(e.relation == "aux" and tokens[e.dependent - 1].lemma in ("れる", "られる") for e in below.get(verb, ()))


def _animate(tokens: Tokens, below: dict[int, list[Dependency]], noun: int) -> bool:
    text = tokens[noun - 1].text
    return (
        text in words.ANIMATE
        or _phrase(tokens, below, noun) in words.ANIMATE
        or (len(text) > 1 and text.endswith(("人", "者", "員", "選手", "客", "犬", "猫", "鳥")))
    )


_DETERMINERS = frozenset("この その あの どの ある 或る こんな そんな あんな どんな 各 同".split())


def descriptions(tokens: Tokens, edges: Edges) -> Edges:
    """Relabel what describes a noun: オレンジ色の (amod), 二頭の (nummod), 小さな (amod); spec section c.2, D5."""
    below = _below(edges)
    out = []
    for e in edges:
        if e.relation == "nmod:の" and e.head:
            text = _phrase(tokens, below, e.dependent)
            head = _described(tokens, edges, e)
            if words.is_quantity(text):
                e = Dependency(head, e.dependent, "nummod")
            elif words.is_attribute(text) and not _is_described(below, e.dependent) and tokens[head - 1].text not in words.RELATIONAL:
                e = Dependency(head, e.dependent, "amod")
        elif e.relation in ("amod", "det") and tokens[e.dependent - 1].text in _DETERMINERS:
            e = e._replace(relation="det")
        out.append(e)
    return tuple(out)


def _described(tokens: Tokens, edges: Edges, edge: Dependency) -> int:
    """The noun that a description with の belongs to: behind the clause where it hangs on a predicate (二頭の|走る|犬)."""
    clause = (e.head for e in edges if e.dependent == edge.head and e.relation == "acl") if _verbal(tokens[edge.head - 1]) else ()
    return next(iter(clause), edge.head)


def _is_described(below: dict[int, list[Dependency]], index: int) -> bool:
    """Whether the word is described itself: such a word is a thing, not a description (spec section c.3)."""
    return any(e.relation in ("acl", "amod", "nmod:の") for e in below.get(index, ()))


def place_words(tokens: Tokens, edges: Edges) -> Edges:
    """Let a place word between two nouns relate them: 箱の|中の|缶 (spec section c.2, D2 and D3)."""
    below = _below(edges)
    return tuple(
        e._replace(relation="nmod:場所") if e.relation == "nmod:の" and _phrase(tokens, below, e.dependent) in words.PLACES else e
        for e in edges
    )


# --- subjects left out --------------------------------------------------------------------------------------------


ZERO = "nsubj:zero"  # the subject of a clause that does not name it


def _subjects(edges: Iterable[Dependency]) -> dict[int, list[int]]:
    subjects: dict[int, list[int]] = {}
    for e in edges:
        if e.relation in ("nsubj", ZERO):
            subjects.setdefault(e.head, []).append(e.dependent)
    return subjects


def _chain(tokens: Tokens, edges: Edges) -> list[Dependency]:
    """The clauses that hang on a clause: verb to verb, in the order of the sentence."""
    return sorted(
        (e for e in edges if e.relation == "advcl" and e.head and _verb(tokens[e.dependent - 1]) and _verb(tokens[e.head - 1])),
        key=lambda e: e.dependent,
    )


def shared_subjects(tokens: Tokens, edges: Edges) -> Edges:
    """Zero anaphora: a clause without subject takes that of the clause it is joined with (spec section d.1, g.6)."""
    chain = _chain(tokens, edges)
    if not chain:
        return edges
    below, subjects = _below(edges), _subjects(edges)
    out = list(edges)

    def share(taker: int, giver: int) -> None:
        if taker not in subjects and giver in subjects:
            subjects[taker] = subjects[giver]
            out.extend(Dependency(taker, s, ZERO) for s in subjects[giver])

    for e in reversed(chain):
        idle = tokens[e.dependent - 1].lemma in words.TRANSITIVE and not _has(below, e.dependent, "obj")  # 並べて|置かれている
        if not (idle and _passive(tokens, below, e.head) and not _passive(tokens, below, e.dependent)):
            share(e.dependent, e.head)
    for e in chain:
        share(e.head, e.dependent)
    return tuple(out)


def copied_subjects(tokens: Tokens, edges: Edges) -> Edges:
    """Zero anaphora as the 2023 program has it: the head clause's subject is copied even over an own one (D1, g.6)."""
    subjects = _subjects(edges)
    out = list(edges)
    for e in _chain(tokens, edges):
        giver, taker = (e.head, e.dependent) if e.head in subjects else (e.dependent, e.head)
        for s in subjects.get(giver, ())[:1]:
            if s not in subjects.setdefault(taker, []):
                subjects[taker].append(s)
                out.append(Dependency(taker, s, ZERO))
    return tuple(dict.fromkeys(out))


def shared_objects(tokens: Tokens, edges: Edges) -> Edges:
    """Zero anaphora through a common object: who does one thing to it does the other as well (spec section d.2)."""
    subjects = _subjects(edges)
    out = list(edges)
    arguments = [e for e in edges if e.head and e.relation in _SLOTS]
    for e in arguments:
        if e.head not in subjects:
            name = tokens[e.dependent - 1].text
            giver = next((a.head for a in arguments if a.head in subjects and tokens[a.dependent - 1].text == name), None)
            if giver:
                subjects[e.head] = subjects[giver][:1]
                out += [Dependency(e.head, s, ZERO) for s in subjects[e.head]]
    return tuple(out)


_SLOTS = frozenset(("obj", "obl:に", "obl:へ", "obl:と", "obl:から", "obl:より", "obl:で", "obl:は", "obl:外の関係"))


def broken_off_at_to(tokens: Tokens, edges: Edges) -> Edges:
    """Drop the relations between bunsetsu behind a noun joined by と: there the 2023 program stops (D6, spec section g.2)."""
    texts = (*(t.text for t in tokens), "")
    stops = [e.dependent for e in edges if e.relation == "conj:と" and texts[e.dependent] == "と" and texts[e.dependent + 1] != "、"]
    if not stops:
        return edges
    described = {e.head for e in edges if e.relation == "case" and tokens[e.dependent - 1].text == "の"}
    return tuple(
        e
        for e in edges
        if e.dependent < stops[0]
        or not (e.relation in ("nmod:の", "nmod:場所", "advcl") or (e.relation in ("amod", "nummod") and e.dependent in described))
    )


def one_node_per_text(tokens: Tokens, edges: Edges) -> Edges:
    """Give predicates of one text each other's subjects and arguments, as one node of the 2023 program's graph (g.7)."""
    same: dict[str, list[int]] = {}
    for token in tokens:
        if _verbal(token):
            same.setdefault(token.lemma, []).append(token.index)
    groups = {i: group for group in same.values() if len(group) > 1 for i in group}
    if not groups:
        return edges
    extra = [
        e._replace(head=i)
        for e in edges
        if e.head in groups and (e.relation in ("nsubj", ZERO) or e.relation in _SLOTS)
        for i in groups[e.head]
    ]
    return tuple(dict.fromkeys([*edges, *extra]))


STEPS = (
    Step("supporting verbs", "A verb that supports another says nothing of its own.", supporting_verbs),
    Step("formal nouns", "ところ and 様子 only carry the clause before them.", formal_nouns),
    Step("suffixes", "人達 are 人.", suffixes),
    Step("quantities", "A number goes with its counter, and both with what they count.", quantities),
    Step("light verbs", "A bare noun with する is one verb.", light_verbs),
    Step("verb forms", "A conjunctive form joins clauses, an adnominal one describes a noun.", verb_forms),
    Step("case markers", "The particle names the role.", case_markers),
    Step("stray arguments", "A noun with a particle governs no arguments; the predicate above does.", stray_arguments),
    Step("initial places", "A place at the start belongs to the main verb.", initial_places),
    Step("coordination", "What is said of the last conjunct is said of all.", coordination),
    Step("described places", "A clause before 崖の横 describes the 崖.", described_places),
    Step("relative clauses", "The noun behind a clause has a role in it.", relative_clauses),
    Step("descriptions", "Colours, quantities and shapes describe what stands behind their の.", descriptions),
    Step("place words", "A place word between two nouns relates them.", place_words),
    Step("negation", "What is denied is not what is said.", negation),
    Step("broken off at と", "The 2023 program stops relating bunsetsu at the first noun with と.", broken_off_at_to),
    Step("shared subjects", "Joined clauses share a subject unless they have their own.", shared_subjects),
    Step("copied subjects", "Joined clauses share a subject even where they have their own.", copied_subjects),
    Step("shared objects", "Who does one thing to an object does the other as well.", shared_objects),
    Step("one node per text", "Two predicates of one text are one node.", one_node_per_text),
)
_OF_2023 = frozenset(("broken off at と", "copied subjects", "shared objects", "one node per text"))
DEFAULT = tuple(step.name for step in STEPS if step.name not in _OF_2023)
