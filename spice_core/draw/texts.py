"""Texts of drawings and exports, in English by default."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from spice_core.draw.layout import badge
from spice_core.explain.evidence import UNDERSTOOD, Occurrence, TupleRow, text
from spice_core.scene.matching import MatchState

Texts = Mapping[str, str]

# The same keys as in the app's catalogue, so that a page can pass its own. Values in braces are filled in.
ENGLISH: Texts = {
    "report.title": "SPICE report",
    "report.captions": "Captions",
    "report.category": "Category",
    "report.kind": "Kind",
    "report.state": "State",
    "report.partner": "Matched with",
    "score.f1": "SPICE (F1)",
    "score.precision": "Precision",
    "score.recall": "Recall",
    "score.found": "{matched} of {total} candidate tuples match",
    "score.covered": "{matched} of {total} reference tuples are matched",
    "score.signature": "Signature",
    "captions.candidate": "Candidate",
    "captions.reference": "Reference {number}",
    "categories.title": "Categories",
    "categories.All": "All",
    "categories.Object": "Object",
    "categories.Relation": "Relation",
    "categories.Attribute": "Attribute",
    "categories.Color": "Colour",
    "categories.Cardinality": "Count",
    "categories.Size": "Size",
    "categories.undefined": "n/a",
    "categories.f1": "F1",
    "categories.matched": "Matched",
    "categories.candidate": "Candidate",
    "categories.references": "References",
    "graphs.title": "Scene graphs",
    "legend.object": "object",
    "legend.attribute": "attribute",
    "legend.relation": "relation",
    "legend.exact": "matched, same word",
    "legend.synonym": "matched by synonym",
    "legend.partial": "matched in part",
    "legend.extra": "only in the candidate",
    "legend.missing": "only in the references",
    "legend.implied": "action attribute",
    "legend.implied_help": "action attribute: the verb of a relation, also counted as an attribute of its subject",
    "legend.badge": "3/5: references that mention it",
    "tuples.title": "Tuples",
    "tuples.tuple": "Tuple",
    "tuples.match": "Match",
    "tuples.in_candidate": "Words in the candidate",
    "tuples.in_references": "Words in the references",
    "tuples.rule": "Rule",
    "tuples.exact": "same word",
    "tuples.differs": "“{mine}” is not “{theirs}”",
    "tuples.with": "with {partner}",
    "tuples.sense": "{mine} and {theirs} share the sense {name}: {gloss}",
    "tuples.collision": "{mine} and {theirs}: accidental, {gloss}",
    "tuples.extra_why": "no reference has it",
    "tuples.missing_why": "the candidate does not have it",
    "tuples.nothing": "No tuple of this kind.",
    "tuples.understood": UNDERSTOOD,
}


@dataclass(frozen=True)
class Words:
    """The texts around the graphs, for one interface language."""

    titles: tuple[str, str] = ("Candidate", "References, merged")
    notes: tuple[str, str] = ("", "")
    empty: tuple[str, str] = ("No tuples in the candidate.", "No tuples in the references.")
    buttons: tuple[str, str, str, str] = ("Smaller", "Larger", "Fit", "Save as PNG")
    views: Mapping[str, str] = field(default_factory=lambda: {"union": "Both graphs in one", "difference": "What differs"})
    agree: str = "Nothing differs."
    states: Mapping[str, str] = field(default_factory=lambda: {state: ENGLISH[f"legend.{state}"] for state in MatchState})
    implied: str = ENGLISH["legend.implied"]


WORDS = Words()


def say(texts: Texts, key: str, **values: object) -> str:
    """The text of this key with its values filled in; the English one if ``texts`` lacks it."""
    return texts.get(key, ENGLISH[key]).format(**values)


def category(texts: Texts, name: str) -> str:
    """The label of a category; user-defined categories keep their names."""
    key = f"categories.{name}"
    return texts.get(key, ENGLISH.get(key, name))


def counted(matched: float) -> str:
    """A number of matched tuples: an integer, or two decimals if there are partial matches."""
    return f"{matched:.2f}".rstrip("0").rstrip(".") if matched % 1 else str(int(matched))


def ratio(value: float, undefined: str = ENGLISH["categories.undefined"], *, scale: int = 1) -> str:
    """A ratio with three decimals, or one where ``scale`` is 100, a minus sign before what is negative; ``undefined`` where it is nan."""
    return undefined if math.isnan(value) else f"{value * scale:z.{3 if scale == 1 else 1}f}".replace("-", "−")


def hint(facts: Mapping[str, object], words: Words = WORDS) -> str:
    """The tooltip of a node: its words, the words as scored, whether it is implied, its state and its count of captions."""
    counted = badge(facts["captions"], facts["of"])
    literal = "" if facts["words"] == facts["literal"] else "/".join(facts["literal"])
    implied = words.implied if facts["implied"] else ""
    return " · ".join(filter(None, ["/".join(facts["words"]), literal, implied, words.states.get(facts["state"], ""), counted]))


def kind(row: TupleRow, texts: Texts = ENGLISH) -> str:
    """The kind of a tuple."""
    return say(texts, "legend.implied" if row.implied else f"legend.{row.kind}")


def why(row: TupleRow, texts: Texts = ENGLISH) -> Iterator[str]:
    """Why a row matched or did not, one line per reason."""
    if not row.state.matched:
        yield say(texts, f"tuples.{row.state}_why")
        return
    understood = say(texts, "tuples.understood")
    if row.state is MatchState.EXACT:
        yield say(texts, "tuples.exact")
    if row.partner != row.parts:
        yield say(texts, "tuples.with", partner=text(row.partner, understood=understood))
    for reason in row.reasons:
        mine, theirs = (text([part], understood=understood) for part in (reason.mine, reason.theirs))
        if reason.synset:
            key, sense = "tuples.collision" if reason.synset.collision else "tuples.sense", reason.synset
            yield say(texts, key, mine=f"“{mine}”", theirs=f"“{theirs}”", name=sense.name, gloss=sense.gloss)
        elif not reason.word:
            yield say(texts, "tuples.differs", mine=mine, theirs=theirs)


def captions_of(sources: Sequence[Occurrence]) -> dict[str, list[int]]:
    """The words behind a tuple, each with the positions of the captions that contain it."""
    found: dict[str, list[int]] = {}
    for source in sources:
        found.setdefault(source.words, [])
        if source.caption not in found[source.words]:
            found[source.words].append(source.caption)
    return found


def rules(row: TupleRow) -> list[str]:
    """The rules that yielded a tuple, without duplicates."""
    return list(dict.fromkeys(source.rule for source in (*row.in_candidate, *row.in_references)))


def plain(written: str) -> str:
    """The text with characters that XML forbids replaced by U+FFFD."""
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", written)
