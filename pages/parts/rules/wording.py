"""How the Rules page puts things: conditions in words, tuples and edges as HTML, tables."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from html import escape

from pages.parts.kit import rule_texts
from pages.parts.kit.html import scrolling_table
from pages.parts.kit.texts import t
from pages.parts.views import tuples
from spice_core.rules.conditions import Condition, EdgeTest, Failure, Negation, Optional, Order, TokenTest
from spice_core.rules.observations import BlockedBy, NoToken, Observation, OtherEdges, OtherValue, WrongOrder
from spice_core.scene.propositions import KINDS, Proposition
from spice_core.syntax.document import Dependency, Token

LONGEST = 140  # characters shown of an observation


def condition(one: Condition) -> str:
    """A condition as a statement."""
    match one:
        case TokenTest():
            return t(
                f"condition.{'is_not' if one.refused else 'is'}",
                attribute=t(f"condition.{one.attribute}"),
                node=one.node,
                value=one.value.source,
            )
        case EdgeTest():
            return t("condition.governs", head=one.head, dependent=one.dependent, label=one.label.source)
        case Order():
            return t(f"condition.{'directly_before' if one.direct else 'before'}", first=one.first, second=one.second)
        case Negation() | Optional():
            together = t("condition.and").join(map(condition, one.conditions))
            return t(f"condition.{'absent' if isinstance(one, Negation) else 'optional'}", conditions=together)
    return str(one)


def observation(found: Observation) -> str:
    """What was found where a condition failed; empty if no word could be tested."""
    match found:
        case OtherValue():
            return t("condition.found_value", attribute=t(f"condition.{found.attribute}"), word=found.token.text, value=found.value)
        case OtherEdges(anywhere=True):
            return t("condition.found_nowhere")
        case OtherEdges():
            return _cut(", ".join(map(str, found.edges))) or t("condition.found_edge")
        case BlockedBy():
            return t("condition.found_group", words=", ".join(token.text for token in found.tokens))
        case WrongOrder():
            return t("condition.found_order", first=found.first, second=found.second)
        case NoToken():
            return ""


def failure_html(failure: Failure) -> str:
    """The failed condition and what was found instead, as HTML."""
    there = observation(failure.observed)
    instead = f'<br><span class="sc-muted">{t("condition.instead")} {escape(there)}</span>' if there else ""
    return escape(condition(failure.condition)) + instead


def tuple_(words: Sequence[str]) -> str:
    """A tuple as HTML in the colour of its kind."""
    return f'<span class="sc-tuple sc-{KINDS[len(words)]}">{tuples.tuple_html(words)}</span>'


def tuple_list(found: Iterable[Sequence[str]], mark: str = "", *, none: str = '<span class="sc-muted">–</span>') -> str:
    """A list of tuples, each with a mark; ``none`` if there are none."""
    items = "".join(f"<li>{mark} {tuple_(words)}</li>" for words in found)
    return f'<ul class="sc-changes">{items}</ul>' if items else none


def proposition_list(propositions: Iterable[Proposition]) -> str:
    """Propositions with their rules."""
    items = "".join(f"<li>{tuple_(p.words)} <small>{escape(rule_texts.name(p.rule))}</small></li>" for p in propositions)
    return f'<ul class="sc-changes">{items}</ul>'


def edge_text(edge: Dependency, tokens: Sequence[Token]) -> str:
    """An edge as text: head, relation, dependent."""
    head = tokens[edge.head - 1].text if edge.head else "ROOT"
    return f"<span>{escape(head)} –<b>{escape(edge.relation)}</b>→ {escape(tokens[edge.dependent - 1].text)}</span>"


def binding_list(bindings: Mapping[str, Token | str]) -> str:
    """Names of a pattern with their bindings."""
    pairs = ((name, value if isinstance(value, str) else value.text) for name, value in bindings.items())
    return ", ".join(f"<small>{escape(name)}</small> {escape(text)}" for name, text in pairs if text)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, high: bool = False) -> str:
    """A table of HTML cells in a box that scrolls sideways and, where it may be ``high``, down."""
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    made = f'<table class="sc-table sc-plain"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return scrolling_table(made, heads, high=high)


def mark_sentence(tokens: Sequence[Token], words: Container[int | str]) -> str:
    """A sentence with some of its words marked."""
    out, end = [], None
    for token in tokens:
        gap = "" if end is not None and token.start == end >= 0 else " "
        out.append(gap + (f"<b><u>{escape(token.text)}</u></b>" if token.index in words else escape(token.text)))
        end = token.end
    return "".join(out).strip()


def lines(found: Iterable[str]) -> str:
    """Lines of a text difference: those that went, that came, and those around them."""
    tags = {"-": "del", "+": "ins"}
    body = "\n".join(f"<{tags[line[0]]}>{escape(line)}</{tags[line[0]]}>" if line[:1] in tags else escape(line) for line in found)
    return f'<pre class="sc-lines" tabindex="0">{body}</pre>'


def count(before: int, after: int) -> str:
    """A number, or the change of it."""
    return str(after) if before == after else f"{before} → <b>{after}</b>"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
