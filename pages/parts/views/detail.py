"""The tuple in focus: why it matched, or its nearest tuples on the other side; its words and rules."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pages.parts.kit import page, rule_texts
from pages.parts.kit.texts import interface, t
from pages.parts.state import engine
from pages.parts.state.engine import Scored
from pages.parts.views import component, tuples
from spice_core.draw import texts
from spice_core.draw.texts import rules
from spice_core.explain.evidence import MatchReason, TupleRow
from spice_core.explain.explanation import Explanation
from spice_core.inference.prover import Proof
from spice_core.scene.lexical_relations import Part


def send(scored: Scored, *, key: str) -> None:
    """Send the drawers of all rows to the browser, which then answers clicks into the graphs of ``key`` by itself."""
    component.details({row: row_html(scored, row) for row in ("", *scored.explanation.row_of)}, result=result(scored), key=key)


def result(scored: Scored) -> str:
    """What tells the drawers of one result and language from those of others."""
    return f"{scored.inputs.digest(scored.settings)}{scored.numbers}{interface()}"


def row_html(scored: Scored, row: str) -> str:
    """The drawer of a row by its id, made once; "" says how to choose one."""
    cache_key = ("detail", row, interface())
    if cache_key not in scored.cache:
        scored.cache[cache_key] = html(scored, scored.explanation.row_of[row]) if row else hint(t("detail.hint"))
    return scored.cache[cache_key]


def hint(text: str) -> str:
    """The drawer while no row is chosen."""
    return f'<div class="sc-detail sc-hint">{text}</div>'


def html(scored: Scored, row: TupleRow) -> str:
    """The drawer as HTML."""
    why = _match_html(scored.explanation, row) if row.partner else _mismatch_html(scored.explanation, row)
    head = f'{tuples.state_mark(row.state)}<b class="sc-tuple sc-{row.kind}"{tuples.literal(row.parts)}>{tuples.tuple_html(row.parts)}</b>'
    about = f"<small>{escape(tuples.kinds(row))} · {t(f'legend.{row.state}')}</small>"
    why_title = t("detail.why" if row.partner or row.proof else "detail.why_not")
    blocks = [(why_title, why), (t("detail.read"), _read(scored, row)), (t("detail.rules"), _rules(scored, row))]
    columns = "".join(f"<div><h4>{title}</h4>{''.join(f'<p>{line}</p>' for line in lines)}</div>" for title, lines in blocks)
    return f'<section class="sc-detail" aria-live="polite"><header>{head}{about}</header><div class="sc-blocks">{columns}</div></section>'


def _match_html(explanation: Explanation, row: TupleRow) -> Iterator[str]:
    """The partner, the reason for each part, the merges involved, and doubtful senses."""
    details = explanation.details(row.id)
    if row.partner != row.parts:
        yield f"{t('tuples.with', partner='')}<b{tuples.literal(row.partner)}>{tuples.tuple_html(row.partner)}</b>"
    yield from map(_reason, row.reasons)
    for merge in details.merges:
        values = {"word": _quote_word(merge.word), "into": ", ".join(map(_quote_word, merge.into)), "name": _code(merge.synset.name)}
        yield t("detail.merged", **values, gloss=escape(merge.synset.gloss))
    for sense in details.senses:
        sides = {"candidate": ", ".join(map(_quote_word, sense.candidate)), "reference": ", ".join(map(_quote_word, sense.reference))}
        yield f'<span class="sc-flag">{t("surprise." + sense.why.replace(" ", "_"), **sides)}</span>'


def _reason(reason: MatchReason) -> str:
    """Why one part counts as equal, or how it differs."""
    candidate, reference = _quote_word(reason.candidate), _quote_word(reason.reference)
    if reason.word:
        return t("detail.word", word=_quote_word(reason.word))
    if reason.synset is None:
        return t("tuples.differs", candidate=escape(reason.candidate), reference=escape(reason.reference))
    key = "tuples.collision" if reason.synset.collision else "tuples.sense"
    return t(key, candidate=candidate, reference=reference, name=_code(reason.synset.name), gloss=escape(reason.synset.gloss))


def _mismatch_html(explanation: Explanation, row: TupleRow) -> Iterator[str]:
    """That the other side lacks the tuple, with the nearest tuples there; or how it follows from there, or what contradicts it."""
    yield from map(escape, texts.why(row, page.style()))
    if row.proof:
        yield from _inference_rules(explanation, row.proof)
        return
    details = explanation.details(row.id)
    found = details.nearest
    if details.cause:
        values = {"said": str(details.cause.said_by), "of": str(len(explanation.result.references))}
        yield f"{t('cause.title')}<b>{t(f'cause.{details.cause.cause.name.lower()}', **values)}</b>"
    if not found:
        yield t("detail.nothing_near")
    for near in found:
        parts = tuple("/".join(element.words) for element in near.other.elements)
        target = there.id if (there := explanation.row_of.get(near.other.id)) else ""
        name = f'<button type="button" class="sc-tuple sc-{near.other.kind}" data-focus="{target}">{tuples.tuple_html(parts)}</button>'
        taken = f" <small>{t('detail.taken')}</small>" if near.taken else ""
        differing = "; ".join(_part(part) for part in near.differing)
        yield f'{name}{taken}<br><span class="sc-sense">{differing}</span>'


def _inference_rules(explanation: Explanation, proof: Proof) -> Iterator[str]:
    """The reasons of the inference rules of a proof."""
    for rule in explanation.inference_rules(proof):
        yield f'<span class="sc-sense">{_code(rule.name)} {escape(rule.reason)}</span>'


def _part(part: Part) -> str:
    """How two different parts are related."""
    if part.how == "absent":
        return t("near.absent", word=_quote_word(part.candidate or part.reference))
    values = {
        "candidate": _quote_word(part.candidate),
        "reference": _quote_word(part.reference),
        "chain": " → ".join(map(escape, part.through)),
    }
    sense = {"name": _code(part.synset.name), "gloss": escape(part.synset.gloss)} if part.synset else {}
    return t(f"near.{part.how}", **values, **sense)


def _read(scored: Scored, row: TupleRow) -> Iterator[str]:
    """The words behind the tuple, by caption."""
    names = scored.captions
    for offset, sources in ((0, row.in_candidate), (1, row.in_references)):
        for caption, words in dict.fromkeys((source.caption, source.words) for source in sources):
            yield f'<small>{names[caption + offset]}</small> <span class="sc-words">{escape(words)}</span>'


def _rules(scored: Scored, row: TupleRow) -> Iterator[str]:
    """The rules that yielded the tuple, with their reasons."""
    for name in rules(row):
        yield f"{_code(rule_texts.name(name))} {escape(_reasons(scored).get(name, ''))}"


def _reasons(scored: Scored) -> dict[str, str]:
    """The reason of each rule, made once for a result."""
    cache_key = ("reasons", interface())
    if cache_key not in scored.cache:
        scored.cache[cache_key] = {rule.name: rule_texts.reason(rule) for rule in engine.engine(scored.settings).rules.rules}
    return scored.cache[cache_key]


def _quote_word(word: str) -> str:
    return t("tuples.quoted", word=tuples.tuple_html([word]))


def _code(name: str) -> str:
    return f"<code>{escape(name)}</code>"
