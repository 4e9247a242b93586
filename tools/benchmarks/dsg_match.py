"""Measure how well our tuples agree with Davidsonian Scene Graphs: F1 by kind of tuple, and the share of equal parents.

Two tuples match if they have the same kind (entity, attribute, relation, global; counts and written text are attributes)
and the same head words in base form. The head of a noun phrase is its last word; the head of a group is the word for its members
("a group of people"). Values and labels need one common word. DSG divides some statements differently, so these also match:

1. a part ("man's gloves") and a relation between whole and part ("man wears gloves");
2. a noun phrase of several words ("boxing gloves") and an attribute of its head ("gloves: boxing"), even if the phrase is part of a
   relation ("flowers, top right, in"); a phrase with a measure ("slice of pizza") and the relation "slice, pizza, of";
3. an attribute whose value names an object ("person: wear sunglasses"), or an action without an object as a relation ("boy, smoke"),
   and the relation or the attribute with the same words;
4. a region ("tree, in, background") and the same words in a label ("tree, man, in the background"); a region by itself, which we ask as a
   spatial question, and a relation or an attribute that names it; an active relation and its passive ("dirt, hydrant, surround" and
   "hydrant, dirt, surrounded by");
5. written text and global tuples, which have no head, if they have one common word; all quantities without a number ("several");
6. an action that we also count as an attribute ("man: wearing"), if its relation matches, because DSG has only the relation;
7. an object of one of our relations ("arm, elbow, bent at"), if the relation matches a tuple that names the object ("arm: bent at the
   elbow"), because DSG does not ask about such objects ("playing chess"). ``--strict`` disables this rule.

Precision is the share of our tuples that match, and recall the share of DSG's tuples that match. Parents are compared for matching
tuples of the same kind with the same heads, and agree if the sets of their head words are equal.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from spice_core import Spice
from spice_core.lang.en.lemmas import regular_lemma
from spice_core.lang.en.wordnet.database import ranked_wordnet
from spice_core.questions import Question, ask, blank_parameters
from tools.benchmarks.harness import print_row

CAPTION_SOURCES = tuple("localized posescript stanford tifa160 vrd whoops".split())  # others contain prompts, titles and slogans
KINDS = ("entity", "attribute", "relation", "global", "all")
KIND_BY_CATEGORY = {"entity": "entity", "attribute": "attribute", "other": "attribute", "relation": "relation", "global": "global"}
_GROUP_NOUNS = frozenset(
    "group pair set bunch stack pile row crowd herd couple piece slice variety kind type number lot collection series cup glass bowl".split()
)
_FUNCTION_WORDS = frozenset("a an the of and be is are to 's his her its their".split())
_VAGUE_QUANTIFIERS = frozenset(
    ("few", "several", "many", "multiple", "bunch", "numerous", "various", "some", ">1", "couple", "group", "lot")
)
_TUPLE_PATTERN = re.compile(r"(\w+) - (.+?) \((.*)\)", re.DOTALL)


@dataclass(frozen=True)
class Tuple:
    """One of our tuples or of DSG's, with all words in base forms.

    Attributes:
        kind: Entity, attribute, relation or global.
        heads: Head words of the noun phrases.
        words: Words of the value or label.
        modifiers: Words of the noun phrases without their heads.
        owner: Head word of the possessive in the first noun phrase, if any.
        parents: First heads of the parent tuples.
    """

    kind: str
    heads: tuple[str, ...]
    words: frozenset[str] = frozenset()
    modifiers: frozenset[str] = frozenset()
    owner: str = ""
    parents: frozenset[str] = field(default=frozenset(), compare=False)


def base_form(word: str) -> str:
    """Return the base form of a word of any part of speech. All vague quantifiers become ``>1``."""
    word = word.lower().strip("\"'.,;:!?()")
    if word in ("people", "glasses", "sunglasses", "jeans", "shorts", "pants"):
        return word
    if word.removeprefix("==") in _VAGUE_QUANTIFIERS:
        return ">1"
    if word in ("wooden", "woolen", "golden"):
        return word[:-2]
    base_forms = ranked_wordnet().bases(word)
    return base_forms[0] if base_forms else regular_lemma(word, "NNS")


def parse_noun_phrase(text: str) -> tuple[str, frozenset[str], str]:
    """Return the head of a noun phrase, its other words, and its owner ("man" for "man's gloves", or "" without a possessive)."""
    owner, _, possession = text.rpartition("'s ") if "'s " in text else text.rpartition("s' ")
    words = [w for w in re.split(r"[\s/-]+", possession or text) if w.lower() not in ("the", "a", "an")]
    lower_words = [w.lower() for w in words]
    preposition_index = next((i for i, w in enumerate(lower_words) if i and w in ("of", "with", "in", "on", "at", "for")), len(words))
    group = (
        regular_lemma(lower_words[preposition_index - 1], "NNS")
        if preposition_index < len(words) and lower_words[preposition_index] == "of"
        else ""
    )
    if group in _GROUP_NOUNS:
        return (
            parse_noun_phrase(" ".join(words[preposition_index + 1 :]))[0],
            frozenset(map(base_form, words)) | {group},
            parse_noun_phrase(owner)[0] if owner else "",
        )
    head = base_form(words[preposition_index - 1]) if words else ""
    return head, frozenset(map(base_form, words)) - {head}, parse_noun_phrase(owner)[0] if owner else ""


def content_words(text: str) -> frozenset[str]:
    """Return the base forms of the content words of a value or a label, or of all its words if no word is a content word."""
    return frozenset(base_form(w) for w in re.split(r"[\s/-]+", text) if w and w.lower() not in _FUNCTION_WORDS) or frozenset(
        map(base_form, text.split())
    )


def make_tuple(broad_kind: str, detail: str, parts: list[str]) -> Tuple:
    """Make a tuple from DSG's broad and detailed category and from the parts, such as ``["dog", "table", "under"]``."""
    kind = KIND_BY_CATEGORY.get(broad_kind, broad_kind)
    if kind == "global" or detail == "text rendering" or len(parts) == 1 != (kind == "entity"):
        return Tuple(kind, (), frozenset().union(*map(content_words, parts)))
    head, modifiers, owner = parse_noun_phrase(parts[0])
    if kind == "entity":
        return Tuple(kind, (head,), owner=owner, modifiers=modifiers)
    if kind == "relation" and len(parts) > 2:
        second_noun, second_modifiers, _ = parse_noun_phrase(parts[1])
        return Tuple(kind, (head, second_noun), content_words(parts[2]), modifiers | second_modifiers)
    return Tuple("attribute" if kind == "relation" else kind, (head,), content_words(" ".join(parts[1:])), modifiers)


def dsg_tuples(row: dict) -> list[Tuple]:
    """Return DSG's tuples of a prompt, with the heads of their parents."""
    tuples, known_tuples = [], {}
    for dsg_row in row["tuples"]:
        match = _TUPLE_PATTERN.match(dsg_row["tuple"])
        parts = [part.strip() for part in re.split(r",(?![^()]*\))", match[3])] if match else [dsg_row["tuple"]]
        known_tuples[dsg_row["proposition_id"].strip()] = make_tuple(
            dsg_row["category_broad"].strip(), dsg_row["category_detailed"].strip(), parts
        )
    for dsg_row in row["tuples"]:
        tuple_ = known_tuples[dsg_row["proposition_id"].strip()]
        parents = [
            known_tuples[id]
            for i in dsg_row["dependency"].split(",")
            if (id := i.strip()) in known_tuples and id != dsg_row["proposition_id"]
        ]
        tuples.append(with_parents(tuple_, parents))
    return tuples


def with_parents(tuple_: Tuple, parents: Iterable[Tuple]) -> Tuple:
    """Return the tuple with the first heads of its parents."""
    return replace(tuple_, parents=frozenset(p.heads[0] for p in parents if p.heads))


def question_tuples(questions: list[Question]) -> list[Tuple]:
    """Return our tuples of a prompt, with the heads of their parents."""
    tuple_by_id = {q.id: make_tuple(*q.kind, [part.replace('"', "") for part in q.parts]) for q in questions}
    return [with_parents(tuple_by_id[q.id], [tuple_by_id[id] for id in q.parents]) for q in questions]


def matches(a: Tuple, b: Tuple) -> bool:
    """Return whether a tuple of ours and a tuple of DSG match, whichever of them comes first."""
    return _is_same(a, b) or _matches_across_tuples(a, b) or _matches_across_tuples(b, a)


def _is_same(a: Tuple, b: Tuple) -> bool:
    if a.kind != b.kind:
        return False
    if not a.heads or not b.heads:
        return not (a.words | set(a.heads)).isdisjoint(b.words | set(b.heads))
    if a.kind == "relation" and a.heads[0] == b.heads[0] and (a.heads[1] in b.words or b.heads[1] in a.words):
        return True
    if a.kind == "relation" and a.heads == b.heads[::-1] and ("by" in b.words or "by" in a.words):
        return not (a.words - {"by"}).isdisjoint(b.words - {"by"})
    if a.heads != b.heads:
        return False
    return a.kind == "entity" or not a.words.isdisjoint(b.words)


def _matches_across_tuples(a: Tuple, b: Tuple) -> bool:
    """Return whether two tuples match by one of the rules for statements that DSG divides differently."""
    if a.kind == "entity" and b.kind == "relation":
        return bool(a.owner) and set(b.heads) == {a.owner, *a.heads}
    if a.kind == "entity" and b.kind == "attribute":
        return a.heads == b.heads and not a.modifiers.isdisjoint(b.words)
    if a.kind == "attribute" and b.kind == "relation":
        if not a.heads or not b.heads:
            return bool(a.heads) and not a.words.isdisjoint(b.words)
        return a.heads == b.heads[:1] and not a.words.isdisjoint(b.words | {b.heads[1]})
    return False


def matching_pairs(own_tuples: list[Tuple], dsg_tuples_: list[Tuple]) -> Iterator[tuple[Tuple, Tuple]]:
    for a in own_tuples:
        for b in dsg_tuples_:
            if a.heads == b.heads and _is_same(a, b):
                yield a, b
                break


def dsg(file: Path, half: str = "read", strict: bool = False, show: bool = False) -> None:
    """Compare our tuples with those of DSG, and print F1 by kind of tuple and the share of equal parents.

    Each line of the file is a prompt: ``id``, ``text``, ``tuples`` (as in DSG's table). HALF selects prompts by a hash of the id: read, test
    or all. With STRICT, the seventh rule of this module does not apply. With SHOW, the tuples of the half read that have no match are listed.
    """
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    half_index = {"read": 0, "test": 1, "all": None}[half]
    rows = [row for row in rows if half_index is None or zlib.crc32(row["id"].encode()) % 2 == half_index]
    spice = Spice()
    total, of_captions = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for source, source_rows in groupby(sorted(rows, key=lambda row: row["id"]), key=lambda row: row["id"].split("_")[0]):
        counts: Counter[tuple[str, str]] = Counter()
        group = list(source_rows)
        for row, parse in zip(group, spice.parse(blank_parameters(row["text"]) for row in group)):
            count_tuples(row, ask(spice, parse), counts, is_strict=strict, show=show and half == "read")
        print(f"{source:<14}", " ".join(f"{kind} {precision_recall_f1(counts, kind)[2]:.3f}" for kind in KINDS))
        total += counts
        of_captions += counts if source in CAPTION_SOURCES else Counter()
    for title, counts in ((f"{len(rows)} prompts", total), (f"only {', '.join(CAPTION_SOURCES)}", of_captions)):
        print(title)
        print_row("", "ours", "theirs", "P", "R", "F1", "parents")
        for kind in KINDS:
            parents = counts["equal parents", kind] / counts["pairs", kind] if counts["pairs", kind] else float("nan")
            print_row(kind, counts["ours", kind], counts["theirs", kind], *precision_recall_f1(counts, kind), parents)


def count_tuples(row: dict, questions: list[Question], counts: Counter, *, is_strict: bool, show: bool) -> None:
    """Add the numbers of tuples, matching tuples and equal parents of a prompt to ``counts``, by kind and over all kinds."""
    own_tuples, dsg_tuples_ = question_tuples(questions), dsg_tuples(row)
    if show:
        print("##", row["id"], row["text"][:300])
    dsg = {"ours": [question.dsg for question in questions], "theirs": [dsg_row["tuple"] for dsg_row in row["tuples"]]}
    for side, tuples, hits in zip(("ours", "theirs"), (own_tuples, dsg_tuples_), match_flags(questions, dsg_tuples_, is_strict=is_strict)):
        for tuple_, hit, text in zip(tuples, hits, dsg[side]):
            for kind in (tuple_.kind, "all"):
                counts[side, kind] += 1
                counts[f"{side} matched", kind] += hit
            if show and not hit:
                print("   ", side, text)
    for a, b in matching_pairs(own_tuples, dsg_tuples_):
        for kind in (a.kind, "all"):
            counts["pairs", kind] += 1
            counts["equal parents", kind] += a.parents == b.parents
        if show and a.parents != b.parents:
            print("    parents", a.kind, a.heads, set(a.parents), set(b.parents))


def precision_recall_f1(counts: Counter, kind: str) -> tuple[float, float, float]:
    """Return precision, recall and F1 of a kind of tuple, or of all tuples (``all``)."""
    precision, recall = (counts[f"{side} matched", kind] / max(counts[side, kind], 1) for side in ("ours", "theirs"))
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def match_flags(questions: list[Question], dsg_tuples_: list[Tuple], *, is_strict: bool) -> tuple[list[bool], list[bool]]:
    """Return whether each of our tuples matches, and whether each of DSG's tuples matches."""
    own_tuples = question_tuples(questions)
    hits = [
        any(matches(tuple_, dsg_tuple) for dsg_tuple in dsg_tuples_) or _is_in_noun_phrase(tuple_, dsg_tuples_) for tuple_ in own_tuples
    ]
    is_named = [not is_strict and _is_named_in_match(tuple_, own_tuples, dsg_tuples_) for tuple_ in own_tuples]
    is_covered = [_is_covered_by_relation(number, questions, hits) for number in range(len(own_tuples))]
    return [any(flags) for flags in zip(hits, is_named, is_covered)], [
        any(matches(tuple_, dsg_tuple) for dsg_tuple in own_tuples) for tuple_ in dsg_tuples_
    ]


def _is_covered_by_relation(question_index: int, questions: list[Question], hits: list[bool]) -> bool:
    """Return whether a matched relation has the noun and the verb of this tuple: "man: wearing" and "man, wearing, hat"."""
    words = questions[question_index].words
    relations = ((q.words, hit) for q, hit in zip(questions, hits) if len(q.words) == 3)
    return len(words) == 2 and any(hit and r[0] == words[0] and r[1].split()[0] == words[1] for r, hit in relations)


def _is_in_noun_phrase(tuple_: Tuple, dsg_tuples_: list[Tuple]) -> bool:
    """Return whether a noun phrase of DSG contains the value of this attribute, or the measure of this relation ("slice, pizza, of")."""
    if tuple_.kind == "attribute" and tuple_.heads:
        return any(tuple_.heads[0] in dsg_tuple.heads and not tuple_.words.isdisjoint(dsg_tuple.modifiers) for dsg_tuple in dsg_tuples_)
    measured = tuple_.kind == "relation" and "of" in tuple_.words
    return measured and any(
        dsg_tuple.kind == "entity" and dsg_tuple.heads == tuple_.heads[1:] and dsg_tuple.modifiers & tuple_.modifiers & _GROUP_NOUNS
        for dsg_tuple in dsg_tuples_
    )


def _is_named_in_match(tuple_: Tuple, own_tuples: list[Tuple], dsg_tuples_: list[Tuple]) -> bool:
    """Return whether a tuple of DSG names this object and matches one of our relations to this object."""
    if tuple_.kind != "entity":
        return False
    (name,) = tuple_.heads
    own_relations = [relation for relation in own_tuples if relation.kind == "relation" and name in relation.heads[1:]]
    return any(
        name in (*dsg_tuple.heads[1:], *dsg_tuple.words) and matches(relation, dsg_tuple)
        for relation in own_relations
        for dsg_tuple in dsg_tuples_
    )
