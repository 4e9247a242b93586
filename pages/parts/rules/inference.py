"""Inference: whether a conclusion follows from the caption, and why or why not. The visitor can disable inference rules."""

from collections.abc import Iterator
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import choice, html, page, texts
from pages.parts.kit.texts import interface_language, join_items, t
from pages.parts.rules import wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.state import engine
from pages.parts.views import tuples
from spice_core import Spice
from spice_core.draw.texts import match_reason_texts
from spice_core.explain.evidence import tuple_text
from spice_core.explain.explanation import Judgement, judge_tuples
from spice_core.inference.prover import NearMiss
from spice_core.inference.rules import InferenceRule, inference_rules
from spice_core.scene.matching import MatchState

_MAX_NEAR_MISSES = 3


def show_inference(workspace: Workspace) -> None:
    """Show a field for the conclusion, a verdict on each of its tuples, and switches for the inference rules."""
    if (file := workspace.pack.inference_rules) is None:
        html.show_note(t("inference.lacking"))
        return
    rules = inference_rules(file).rules
    widget = f"rules.conclusion.{workspace.lang}"
    hint = t("inference.hint")
    text = st.text_input(
        t("inference.conclusion"), key=widget, max_chars=engine.MAX_CAPTION_CHARS, placeholder=hint, persist_state="session"
    )
    disabled_rules = _show_switches(workspace, rules)
    if conclusion := " ".join(text.split()):
        with st.spinner(t("states.loading")):
            spice = Spice(workspace.lang, parser=workspace.parser, rules=workspace.rules)
            judgements = judge_tuples(spice, workspace.caption, conclusion, disabled_rules=disabled_rules)
        rows = [
            [f"{tuples.state_mark(j.row.state)} {wording.tuple_html(j.row.parts)}", "<br>".join(map(escape, _reason_texts(j)))]
            for j in judgements
        ]
        st.html(wording.table_html([t("reasons.column_tuple"), t("inference.why")], rows))
        if not rows:
            html.show_note(t("inference.nothing"))
    _show_rules(workspace, rules)


def _show_switches(workspace: Workspace, rules: tuple[InferenceRule, ...]) -> frozenset[str]:
    """Show a pill for each rule, selected while the rule is active. Return the names of the disabled rules."""
    widget, names = f"rules.inference.{workspace.lang}", [rule.name for rule in rules]
    st.session_state.setdefault(widget, names)
    with st.expander(t("inference.switches", number=len(names) - len(st.session_state[widget]))):
        options: dict[str, Any] = {"selection_mode": "multi", "help": t("inference.switches_help")}
        labels = {name: texts.display_name(name) for name in names}
        active_rules = choice.pills(t("inference.rules"), labels, key=widget, persist_state="session", **options)
    return frozenset(names) - set(active_rules)


def _reason_texts(judgement: Judgement) -> Iterator[str]:
    """Yield texts that explain why a tuple follows or is contradicted.

    For any other tuple, they name the inference rules that nearly yield it, and what each rule lacks.
    """
    if judgement.row.state is not MatchState.EXTRA:
        yield from match_reason_texts(judgement.row, page.display_style())
    if judgement.row.state.matched or judgement.row.state is MatchState.CONTRADICTED:
        return
    yield t("inference.not") if judgement.near_misses else t("inference.unrelated")
    for miss in judgement.near_misses[:_MAX_NEAR_MISSES]:
        proved_texts = "; ".join(tuple_text(proof.words) for proof in miss.proved_premises)
        yield t("inference.near", rule=texts.display_name(miss.rule.name), lacks=_obstacle_text(miss)) + (
            f" {t('inference.proved', tuples=proved_texts)}" if proved_texts else ""
        )


def _obstacle_text(miss: NearMiss) -> str:
    """Describe the unmet condition of a rule."""
    if miss.missing_premise:
        return t("inference.missing", tuple=tuple_text(miss.missing_premise))
    if miss.classes:
        return t("inference.excluded" if miss.is_excluded_class else "inference.outside", word=miss.word, classes=join_items(miss.classes))
    return t("inference.owner")


def _show_rules(workspace: Workspace, rules: tuple[InferenceRule, ...]) -> None:
    """Show all rules with pattern, example and near miss, and buttons that enter the example of a chosen rule."""
    html.show_heading(t("inference.all", number=len(rules)))
    names = {rule.name: rule for rule in rules}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        widget = f"rules.inference.try.{workspace.lang}"
        name = st.selectbox(t("inference.try"), list(names), key=widget, format_func=texts.display_name, persist_state="session")
        for example_name in ("example", "near_miss"):
            pair, fields = getattr(names[name], example_name), [f"rules.{field}.{workspace.lang}" for field in ("caption", "conclusion")]
            options: dict[str, Any] = {"on_click": st.session_state.update, "args": (dict(zip(fields, pair)),), "disabled": len(pair) != 2}
            st.button(t(f"inference.{example_name}"), key=f"rules.inference.{example_name}", **options)
    headers = [t(f"inference.{head}") for head in ("rule", "pattern", "example", "near_miss")]
    st.html(wording.table_html(headers, (_rule_cells(rule, workspace.lang) for rule in rules), scrolls_vertically=True))


def _rule_cells(rule: InferenceRule, lang: str) -> list[str]:
    """Return the cells of a rule. An untranslated name is marked as text in the captions' language."""
    pattern = f"{'; '.join(map(str, rule.premises))} ⇒ {'; '.join(map(str, rule.yields))}"
    pairs = [" ⇒ ".join(map(escape, rule.example)), " ⇏ ".join(map(escape, rule.near_miss))]
    name, reason = texts.display_name(rule.name), texts.reason_text(rule)
    description = f"<b>{escape(name)}</b><br><small>{escape(reason)}</small>"
    return [
        f'<span lang="{lang if name == rule.name else interface_language()}">{description}</span>',
        f"<code>{escape(pattern)}</code>",
        *pairs,
    ]
