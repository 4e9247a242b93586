"""Texts of tables: kinds of tuples, reasons for matches, differences between systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.evaluation.systems import SystemDifference
from spice_core.explain.evidence import Occurrence, TupleRow, tuple_text
from spice_core.inference.prover import Proof
from spice_core.scene.matching import MatchState


def kind_text(row: TupleRow, style: DisplayStyle = PLAIN) -> str:
    """Return the label of the kind of a tuple. Implied attributes have a separate label."""
    return style.format_text("legend.implied" if row.is_implied else f"legend.{row.kind}")


def match_reason_texts(row: TupleRow, style: DisplayStyle = PLAIN) -> Iterator[str]:
    """Yield the reasons for a tuple's match or mismatch, one per line."""
    implicit_subject = style.format_text("tuples.implicit_subject")
    if row.contradicted_by:
        yield style.format_text("tuples.contradicted_why", other=tuple_text(row.contradicted_by, implicit_subject=implicit_subject))
        return
    if row.proof:
        yield from proof_step_texts(row.proof, style)
        return
    if row.related:
        yield style.format_text(f"tuples.{row.state}_why", other=tuple_text(row.related, implicit_subject=implicit_subject))
        return
    if not row.state.matched:
        yield style.format_text(f"tuples.{row.state}_why")
        return
    if row.state is MatchState.EXACT:
        yield style.format_text("tuples.exact")
    if row.partner != row.parts:
        yield style.format_text("tuples.with", partner=tuple_text(row.partner, implicit_subject=implicit_subject))
    for reason in row.reasons:
        candidate, reference = (tuple_text([part], implicit_subject=implicit_subject) for part in (reason.candidate, reason.reference))
        if reason.synset:
            key, sense = "tuples.collision" if reason.synset.collision else "tuples.sense", reason.synset
            yield style.format_text(
                key,
                candidate=style.format_text("tuples.quoted", word=candidate),
                reference=style.format_text("tuples.quoted", word=reference),
                name=sense.name,
                gloss=sense.gloss,
            )
        elif not reason.word:
            yield style.format_text("tuples.differs", candidate=candidate, reference=reference)


def proof_step_texts(proof: Proof, style: DisplayStyle = PLAIN) -> Iterator[str]:
    """Yield the steps of a proof, one per line: premises, conclusion and rule, or an equivalent tuple."""
    if not proof.rule:
        yield style.format_text("tuples.same_as", given=tuple_text(proof.words))
        return
    for premise in proof.premises:
        if premise.rule:
            yield from proof_step_texts(premise, style)
    premise_texts = ", ".join(tuple_text(premise.words) for premise in proof.premises)
    yield style.format_text("tuples.step", given=premise_texts, yields=tuple_text(proof.words), rule=proof.rule)


def difference_texts(difference: SystemDifference, style: DisplayStyle = PLAIN) -> list[str]:
    """Return four texts: the difference from the baseline with its interval, both p-values, and the images won, tied and lost.

    If the difference is undefined, the last three texts are empty.
    """
    if math.isnan(difference.estimate.value):
        return [style.format_ratio(difference.p), "", "", ""]
    change = f"{style.format_change(difference.estimate.value)} {style.format_interval(difference.estimate)}"
    return [
        change,
        style.format_p_value(difference.p),
        style.format_p_value(difference.p_holm),
        f"{difference.wins} / {difference.ties} / {difference.losses}",
    ]


def captions_of(sources: Sequence[Occurrence]) -> dict[str, list[int]]:
    """Return the words of a tuple with the positions of the captions that contain them."""
    positions: dict[str, list[int]] = {}
    for source in sources:
        positions.setdefault(source.words, [])
        if source.caption not in positions[source.words]:
            positions[source.words].append(source.caption)
    return positions


def rules_of_row(row: TupleRow) -> list[str]:
    """Return the rules that extracted a tuple, without duplicates."""
    return list(dict.fromkeys(source.rule for source in (*row.in_candidate, *row.in_references)))
