"""The Rules page: explain why a caption yields or lacks a tuple, and what another rule would change."""

import streamlit as st

from pages.parts.kit import choice, html, page, texts, url
from pages.parts.kit.texts import error_text, interface_language, join_items, language_names, t
from pages.parts.rules import (
    book,
    edit,
    edit_links,
    gold,
    inference,
    parser_comparison,
    query,
    rule_workspace,
    trace,
    tree,
    why,
    word_choice,
)
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import rules_state
from pages.parts.state import engine, settings
from pages.parts.state.inspect_state import inspect_state
from pages.parts.views import component, present
from spice_core.errors import SpiceError
from spice_core.lang import LANGUAGES, language

SHOW_BY_SECTION = {
    "why": why.show_why,
    "trace": trace.show_trace,
    "tree": tree.show_tree,
    "edit": edit.show_editor_section,
    "inference": inference.show_inference,
    "query": query.show_query,
    "parsers": parser_comparison.show_parser_comparison,
    "gold": gold.show_cases,
    "book": book.show_book,
}
MAX_CAPTION_CHARS = engine.MAX_CAPTION_CHARS


def main() -> None:
    """Show the caption and the rule set, then the chosen section."""
    page.begin("rules")
    workspace = read_workspace()
    default_section = next(iter(SHOW_BY_SECTION))
    url.init_from_param(
        "rules.section", "section", SHOW_BY_SECTION, "trace" if present.is_active() or "stage" in st.query_params else default_section
    )  # older links do not contain the section
    labels = {name: t(f"sections.{name}") for name in SHOW_BY_SECTION}
    section = choice.segmented_control(
        t("rules.section"), labels, key="rules.section", label_visibility="collapsed", persist_state="session"
    )
    url.set_param("section", section, default_section)
    word_choice.sync_words_with_url(workspace)
    if section != "trace":
        url.set_param("stage", "")
    if section != "query":
        query.clear_query()
    html.show_note(t(f"sections.{section}_help"))
    if workspace.is_changed:
        show_active_rules_notice(workspace)
    try:
        with st.spinner(t("states.loading")):
            rule_workspace.parse_caption(workspace.caption, workspace.lang, workspace.parser)
        tree.apply_link_tree(workspace)
        if workspace.corrections and section != "tree":
            html.show_messages([t("rules.corrected")])
        SHOW_BY_SECTION[section](workspace)
        tree.store_tree_in_url(workspace)
    except SpiceError as error:
        html.show_messages([error_text(error)], severity="problem")
    component.scroll_to(edit.EDITOR_KEY, rules_state().open_count)


def read_workspace() -> Workspace:
    """Show the choices of language, parser, rule set and caption. Apply the rule edits in the URL, and return the workspace."""
    default_lang = next(iter(LANGUAGES))
    initial_lang = interface_language() if interface_language() in LANGUAGES else default_lang
    url.init_from_param("rules.lang", "lang", LANGUAGES, default_lang if st.query_params.get("caption") else initial_lang)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        names = language_names()
        lang = choice.segmented_control(t("language.title"), names, key="rules.lang", persist_state="session")
        pack = language(lang)
        part_choice = {}
        for part, names_ in (("parser", rule_workspace.available_parsers(pack)), ("rules", settings.part_options(pack, "rules"))):
            url.init_from_param(f"rules.{lang}.{part}", part, names_, names_[0])
            part_choice[part] = st.selectbox(t(f"settings.{part}"), names_, key=f"rules.{lang}.{part}", persist_state="session")
            url.set_param(part, part_choice[part], names_[0])
    caption = choose_caption(lang)
    url.set_param(
        "lang", lang, default_lang if "caption" in url.current_params() else initial_lang
    )  # a link with a caption but without a language means the default language
    workspace = Workspace(lang, part_choice["parser"], part_choice["rules"], caption)
    apply_address(workspace)
    return workspace


def choose_caption(lang: str) -> str:
    """Show the caption field, and write the caption to the URL. Return the caption, or the default caption if the field is empty."""
    widget, default_caption = f"rules.caption.{lang}", language(lang).first_caption
    st.session_state.setdefault(widget, html.requested_text("caption", MAX_CAPTION_CHARS) or default_caption)
    with st.form("rules.form", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text_input = st.text_input(t("rules.caption"), key=widget, max_chars=MAX_CAPTION_CHARS, persist_state="session")
        st.form_submit_button(t("rules.read"), key="rules.read")
    text = " ".join(text_input.split()) or default_caption
    url.set_param("caption", text, default_caption)
    return text


def apply_address(workspace: Workspace) -> None:
    """Once per session, apply the edits and disabled rules in the URL.

    In every run, write the visitor's edits and disabled rules to the URL.
    """
    if not rules_state().has_read_link:
        rules_state().has_read_link = True
        rule_names = {rule.name for rule in workspace.bundled_rules.rules}
        edit_links.apply_link_edits(workspace, frozenset(rule_names & {*st.query_params.get("off", "").split(",")}))
    url.set_param("off", ",".join(sorted(workspace.draft.disabled_names)))
    edit_links.store_edits_in_url(workspace)


def show_active_rules_notice(workspace: Workspace) -> None:
    """Show a notice that the active rules differ from the default rules, with a button that opens Inspect with the active rules."""
    disabled_names = join_items(map(texts.display_name, sorted(workspace.draft.disabled_names)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="rules.active"):
        html.show_messages(
            [t("rules.changed", name=workspace.draft.name) + (f" {t('rules.off', names=disabled_names)}" if disabled_names else "")]
        )
        if st.button(t("rules.score"), key="rules.score"):
            st.session_state[f"inspect.{workspace.lang}.rules"] = workspace.draft.name
            inspect_state().scored = None
            st.switch_page("app.py", query_params=page.page_query("inspect"))


main()
