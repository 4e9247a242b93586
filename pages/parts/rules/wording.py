"""HTML for the Rules page: descriptions of conditions, tuples, edges, tables."""

from collections.abc import Container, Iterable, Mapping, Sequence
from html import escape

from pages.parts.kit import texts
from pages.parts.kit.html import plain_table
from pages.parts.kit.texts import t
from pages.parts.views import tuples
from spice_core.rules.conditions import Condition, EdgeTest, Failure, Negation, Optional, OrderTest, TokenTest
from spice_core.rules.mismatches import BlockedBy, Mismatch, NoToken, OtherEdges, OtherValue, WrongOrder
from spice_core.scene.propositions import KIND_BY_LENGTH, Proposition
from spice_core.syntax.document import Dependency, Token

MAX_MISMATCH_CHARS = 140  # maximum number of characters of a described mismatch


def describe_condition(condition: Condition) -> str:
    """Describe a condition as a statement."""
    match condition:
        case TokenTest():
            key, attribute = "is_not" if condition.is_negated else "is", t(f"condition.{condition.attribute}")
            return t(f"condition.{key}", attribute=attribute, node=condition.node, value=condition.value.source)
        case EdgeTest():
            return t("condition.governs", head=condition.head, dependent=condition.dependent, label=condition.label.source)
        case OrderTest():
            return t(
                f"condition.{'directly_before' if condition.is_adjacent else 'before'}", first=condition.first, second=condition.second
            )
        case Negation() | Optional():
            inner = t("condition.and").join(map(describe_condition, condition.conditions))
            return t(f"condition.{'absent' if isinstance(condition, Negation) else 'optional'}", conditions=inner)
    return str(condition)


def describe_mismatch(reason: Mismatch) -> str:
    """Describe why a condition failed, or return "" if no word could be tested."""
    match reason:
        case OtherValue():
            return t("condition.found_value", attribute=t(f"condition.{reason.attribute}"), word=reason.token.text, value=reason.value)
        case OtherEdges(is_unbound=True):
            return t("condition.found_nowhere")
        case OtherEdges(edges=(), token=Token(text=word)):
            return t("condition.found_edge_from" if reason.is_head else "condition.found_edge_to", word=word)
        case OtherEdges():
            text = ", ".join(map(str, reason.edges))
            return text if len(text) <= MAX_MISMATCH_CHARS else text[: MAX_MISMATCH_CHARS - 1] + "…"
        case BlockedBy():
            return t("condition.found_group", words=", ".join(token.text for token in reason.tokens))
        case WrongOrder():
            return t("condition.found_order", first=reason.first, second=reason.second)
        case NoToken():
            return ""


def failure_html(failure: Failure) -> str:
    """Return the failed condition and its observed values as HTML."""
    reason = describe_mismatch(failure.mismatch)
    remedy = f'<br><span class="sc-muted">{t("condition.instead")} {escape(reason)}</span>' if reason else ""
    return escape(describe_condition(failure.condition)) + remedy


def rule_html(rule: texts.ExplainedRule) -> str:
    """Return the name of a rule or step with its reason, as HTML."""
    return f"<b>{escape(texts.display_name(rule.name))}</b><br><small>{escape(texts.reason_text(rule))}</small>"


def tuple_html(words: Sequence[str]) -> str:
    """Return a tuple as HTML in the colour of its kind."""
    return f'<span class="sc-tuple sc-{KIND_BY_LENGTH[len(words)]}">{tuples.tuple_html(words)}</span>'


def tuple_list(tuples_: Iterable[Sequence[str]], mark: str = "", *, empty_text: str = '<span class="sc-muted">–</span>') -> str:
    """Return an HTML list of tuples, each with a mark, or ``empty_text`` if there are no tuples."""
    items = "".join(f"<li>{mark} {tuple_html(words)}</li>" for words in tuples_)
    return f'<ul class="sc-changes">{items}</ul>' if items else empty_text


def proposition_list(propositions: Iterable[Proposition]) -> str:
    """Return an HTML list of propositions with their rules."""
    items = "".join(f"<li>{tuple_html(p.words)} <small>{escape(texts.display_name(p.rule))}</small></li>" for p in propositions)
    return f'<ul class="sc-changes">{items}</ul>'


def edge_html(edge: Dependency, tokens: Sequence[Token]) -> str:
    """Return an edge as HTML: head, relation, dependent."""
    head = tokens[edge.head - 1].text if edge.head else "ROOT"
    return f"<span>{escape(head)} –<b>{escape(edge.relation)}</b>→ {escape(tokens[edge.dependent - 1].text)}</span>"


def binding_list(bindings: Mapping[str, Token | str]) -> str:
    """Return the names in a pattern with their bindings, as HTML."""
    pairs = ((name, value if isinstance(value, str) else value.text) for name, value in bindings.items())
    return ", ".join(f"<small>{escape(name)}</small> {escape(text)}" for name, text in pairs if text)


def table_html(
    headers: Sequence[str], rows: Iterable[Sequence[str]], *, scrolls_vertically: bool = False, stacks_on_phones: bool = False
) -> str:
    """Return a table of HTML cells in a box that scrolls horizontally and, on request, vertically.

    With ``stacks_on_phones``, phones show each row as a list.
    """
    names = list(map(escape, headers))
    css_class = "sc-plain sc-rows" if stacks_on_phones else "sc-plain"
    return plain_table(names, rows, css_class, labels=["", *names[1:]], scrolls_vertically=scrolls_vertically)


def sentence_html(tokens: Sequence[Token], words: Container[int | str]) -> str:
    """Return a sentence as HTML with the words at these indices marked."""
    parts_html, end = [], None
    for token in tokens:
        gap = "" if end is not None and token.start == end >= 0 else " "
        parts_html.append(gap + (f"<b><u>{escape(token.text)}</u></b>" if token.index in words else escape(token.text)))
        end = token.end
    return "".join(parts_html).strip()


def diff_html(diff: Iterable[str]) -> str:
    """Return the removed, added and context lines of a diff as HTML."""
    tags = {"-": "del", "+": "ins"}
    body = "\n".join(f"<{tags[line[0]]}>{escape(line)}</{tags[line[0]]}>" if line[:1] in tags else escape(line) for line in diff)
    return f'<pre class="sc-lines" tabindex="0">{body}</pre>'


def count_html(count_before: int, count_after: int) -> str:
    """Return a number, or its values before and after a change, as HTML."""
    return str(count_after) if count_before == count_after else f"{count_before} → <b>{count_after}</b>"
