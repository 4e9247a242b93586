"""The rule book: a table of all rules and steps of the rule set, and drawings of the example and near miss of one rule."""

from collections.abc import Iterable, Sequence
from html import escape

import streamlit as st

from pages.parts.kit import choice, html, texts
from pages.parts.kit.texts import t
from pages.parts.rules import wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.views import graphs
from spice_core.rules import Rule
from spice_core.workbench.rule_book import write_book


def show_book(workspace: Workspace) -> None:
    """Show one rule with its trees, tables of all rules and steps, and a download of the book of all rule sets."""
    rules = workspace.draft.all_rules.rules
    names = {rule_index: f"{rule_index + 1}. {texts.display_name(rule.name)}" for rule_index, rule in enumerate(rules)}
    rule_index = choice.selectbox(t("book.rule"), names, key=f"rules.book.{workspace.base}")
    _show_rule(workspace, rules[min(rule_index or 0, len(rules) - 1)])
    html.show_heading(t("book.all", number=len(rules), name=workspace.draft.name))
    marks = [f' <small class="sc-muted">{t("book.off")}</small>' if rule.name in workspace.draft.disabled_names else "" for rule in rules]
    rows = []
    for rule, mark in zip(rules, marks):
        example, near_miss = rule.example, escape(rule.near_miss.caption)
        rows.append([wording.rule_html(rule) + mark, escape(example.caption), wording.tuple_list(example.tuples), near_miss])
    _show_table(("name", "example", "tuples", "near_miss"), rows)
    if entries := workspace.pack.steps(workspace.draft.all_rules):
        html.show_heading(t("book.steps", number=len(entries)))
        rows = [[wording.rule_html(e.step), escape(e.example.caption), escape(e.near_miss.caption)] for e in entries]
        _show_table(("name", "example", "near_miss"), rows)
    choice.download_button(t("book.save"), write_book, "RULES.md", "text/markdown", key="rules.book_file")


def _show_table(names: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    headers, numbered_rows = ["", *(t(f"book.{name}") for name in names)], ([str(n), *row] for n, row in enumerate(rows, 1))
    st.html(wording.table_html(headers, numbered_rows, stacks_on_phones=True))


def _show_rule(workspace: Workspace, rule: Rule) -> None:
    st.html(
        f'<p class="sc-lesson"><b>{escape(t("book.named", name=texts.display_name(rule.name)))}</b> {escape(texts.reason_text(rule))}</p>'
    )
    st.code(f"{rule.pattern.source.strip()}\n→ {rule.yields}", language=None, wrap_lines=True)
    st.html(f"<p>{t('book.makes')} {' '.join(map(wording.tuple_html, rule.example.tuples))}</p>")
    pictures = [
        (t("book.of", kind=t("book.example"), caption=rule.example.caption), rule.example.graph, (), ()),
        (t("book.of", kind=t("book.near_miss"), caption=rule.near_miss.caption), rule.near_miss.graph, (), ()),
    ]
    graphs.draw_trees(pictures, lang=workspace.lang)
    if failure := rule.pattern.failure(rule.near_miss.graph, {}):
        st.html(f"<p>{t('book.stops')} {wording.failure_html(failure)}</p>")
