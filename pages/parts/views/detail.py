"""The explanation of the tuple in focus: its match or the nearest tuples on the other side, its words and its rules."""

from collections.abc import Iterator
from html import escape

from pages.parts.kit import page, texts
from pages.parts.kit.texts import interface_language, t
from pages.parts.state import engine
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import component, tuples
from spice_core.draw.texts import match_reason_texts, rules_of_row
from spice_core.explain.evidence import MatchReason, TupleRow
from spice_core.explain.explanation import Explanation
from spice_core.scene.lexical_relations import PartComparison

_MAX_SHORT_BLOCK_LINES = 6  # longer blocks stand below the short blocks


def send_details(scored_captions: ScoredCaptions, *, key: str) -> None:
    """Send the explanations of all rows to the browser, so that clicks in the graphs of ``key`` need no server."""
    component.send_details(
        {row: row_html(scored_captions, row) for row in ("", *scored_captions.explanation.row_by_node)},
        result=result_key(scored_captions),
        key=key,
    )


def result_key(scored_captions: ScoredCaptions) -> str:
    """Return a key that identifies the explanations of one result and interface language."""
    return f"{scored_captions.inputs.digest(scored_captions.settings)}{scored_captions.reference_numbers}{interface_language()}"


def row_html(scored_captions: ScoredCaptions, row: str) -> str:
    """Return the cached explanation of a row by id. The id "" yields a hint to choose a row."""
    return scored_captions.cached(
        ("detail", row, interface_language()),
        lambda: detail_html(scored_captions, scored_captions.explanation.row_by_node[row]) if row else hint_html(t("detail.hint")),
    )


def hint_html(text: str) -> str:
    """Return the hint shown while no row is chosen."""
    return f'<div class="sc-detail sc-hint">{text}</div>'


def detail_html(scored_captions: ScoredCaptions, row: TupleRow) -> str:
    """Return the explanation of a row as HTML."""
    explanation_html = _match_html(scored_captions.explanation, row) if row.partner else _mismatch_html(scored_captions.explanation, row)
    heading_html = f'{tuples.state_mark(row.state)}<b class="sc-tuple sc-{row.kind}"{tuples.literal_title(row.parts)}>{tuples.tuple_html(row.parts)}</b>'
    description = f"<small>{escape(tuples.kind_text(row))} · {t(f'legend.{row.state}')}</small>"
    close_button = f'<button type="button" class="sc-close" data-focus="" title="{t("detail.close")}">×</button>'
    why_title = t("detail.why" if row.partner or row.proof else "detail.why_not")
    reasons = _rule_reasons(scored_captions)
    blocks = [
        (why_title, explanation_html),
        (t("detail.read"), _source_lines(scored_captions, row)),
        (t("detail.rules"), (f"{_code_html(texts.display_name(name))} {escape(reasons.get(name, ''))}" for name in rules_of_row(row))),
    ]
    columns = ""
    for title, lines in blocks:
        paragraphs = [f"<p>{line}</p>" for line in lines]
        css = ' class="sc-long"' if len(paragraphs) > _MAX_SHORT_BLOCK_LINES else ""
        columns += f"<div{css}><h4>{title}</h4>{''.join(paragraphs)}</div>"
    return f'<section class="sc-detail" aria-live="polite"><header>{heading_html}{description}{close_button}</header><div class="sc-blocks">{columns}</div></section>'


def _match_html(explanation: Explanation, row: TupleRow) -> Iterator[str]:
    """Yield the partner, if its words differ, the reasons for the match, the merges involved, and doubtful senses."""
    details = explanation.details(row.id)
    if row.partner != row.parts:
        yield f"{t('tuples.with', partner='')}<b{tuples.literal_title(row.partner)}>{tuples.tuple_html(row.partner)}</b>"
    yield from map(_reason_text, row.reasons)
    for merge in details.merges:
        values = {
            "word": _quote_word(merge.word),
            "into": ", ".join(map(_quote_word, merge.synonyms)),
            "name": _code_html(merge.synset.name),
        }
        yield t("detail.merged", **values, gloss=escape(merge.synset.gloss))
    for sense in details.senses:
        words_by_side = {
            "candidate": ", ".join(map(_quote_word, sense.candidate)),
            "reference": ", ".join(map(_quote_word, sense.reference)),
        }
        yield f'<span class="sc-flag">{t("surprise." + sense.reason.replace(" ", "_"), **words_by_side)}</span>'


def _reason_text(reason: MatchReason) -> str:
    candidate, reference = _quote_word(reason.candidate), _quote_word(reason.reference)
    if reason.word:
        return t("detail.word", word=_quote_word(reason.word))
    if reason.synset is None:
        return t("tuples.differs", candidate=escape(reason.candidate), reference=escape(reason.reference))
    key = "tuples.collision" if reason.synset.collision else "tuples.sense"
    return t(key, candidate=candidate, reference=reference, name=_code_html(reason.synset.name), gloss=escape(reason.synset.gloss))


def _mismatch_html(explanation: Explanation, row: TupleRow) -> Iterator[str]:
    """Yield how the other side entails or contradicts the tuple.

    Unless the tuple is implied, add the probable cause of the mismatch and the nearest tuples on the other side.
    """
    yield from map(escape, match_reason_texts(row, page.display_style()))
    if row.proof:
        for rule in explanation.inference_rules(row.proof):
            yield f'<span class="sc-sense">{_code_html(texts.display_name(rule.name))} {escape(texts.reason_text(rule))}</span>'
        return
    details = explanation.details(row.id)
    nearest_tuples = details.nearest
    if details.cause:
        values = {"said": str(details.cause.reference_count), "of": str(len(explanation.result.references))}
        yield f"{t('cause.title')}<b>{t(f'cause.{details.cause.cause.name.lower()}', **values)}</b>"
    if not nearest_tuples:
        yield t("detail.nothing_near")
    for nearest in nearest_tuples:
        parts = tuple("/".join(element.words) for element in nearest.other.elements)
        target = nearest_row.id if (nearest_row := explanation.row_by_node.get(nearest.other.id)) else ""
        name = f'<button type="button" class="sc-tuple sc-{nearest.other.kind}" data-focus="{target}">{tuples.tuple_html(parts)}</button>'
        taken_note = f" <small>{t('detail.taken')}</small>" if nearest.is_matched else ""
        differing_parts = "; ".join(_part_text(part) for part in nearest.differences)
        yield f'{name}{taken_note}<br><span class="sc-sense">{differing_parts}</span>'


def _part_text(comparison: PartComparison) -> str:
    if comparison.relation == "absent":
        return t("near.absent", word=_quote_word(comparison.candidate or comparison.reference))
    values = {
        "candidate": _quote_word(comparison.candidate),
        "reference": _quote_word(comparison.reference),
        "chain": " → ".join(map(escape, comparison.path)),
    }
    sense = {"name": _code_html(comparison.synset.name), "gloss": escape(comparison.synset.gloss)} if comparison.synset else {}
    return t(f"near.{comparison.relation}", **values, **sense)


def _source_lines(scored_captions: ScoredCaptions, row: TupleRow) -> Iterator[str]:
    names = scored_captions.caption_labels
    for reference_offset, sources in ((0, row.in_candidate), (1, row.in_references)):
        for caption, words in dict.fromkeys((source.caption, source.words) for source in sources):
            yield f'<small>{names[caption + reference_offset]}</small> <span class="sc-words">{escape(words)}</span>'


def _rule_reasons(scored_captions: ScoredCaptions) -> dict[str, str]:
    return scored_captions.cached(
        ("reasons", interface_language()),
        lambda: {rule.name: texts.reason_text(rule) for rule in engine.cached_metric(scored_captions.settings).rules.rules},
    )


def _quote_word(word: str) -> str:
    return t("tuples.quoted", word=tuples.tuple_html([word]))


def _code_html(name: str) -> str:
    return f"<code>{escape(name)}</code>"
