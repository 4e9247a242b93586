"""The rule editor: disable, change and add rules, undo edits, save and load files. Invalid text changes nothing.

Beside the editor, a list contains the labels, tags and attributes that patterns can use.
"""

from dataclasses import replace
from functools import partial
from html import escape

import streamlit as st

from pages.parts.kit import choice, html, texts
from pages.parts.kit.texts import error_text, join_items, t
from pages.parts.rules import edit_links, effect, results, rule_workspace, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import OpenedText, RuleDraft, parse_rule_text, rules_state
from pages.parts.views import component
from spice_core.data.reader import decode_text
from spice_core.errors import RuleError, SpiceError
from spice_core.rules import rule_text, text_positions
from spice_core.rules.conditions import TOKEN_ATTRIBUTES
from spice_core.rules.pattern import RELATION_ATTRIBUTE
from spice_core.rules.rule_file import is_newer, parse_rules
from spice_core.rules.ruleset import Example
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.version import __version__
from spice_core.workbench.rule_check import TAG_ATTRIBUTE, find_first_use, find_warnings, tuples_of_example

FULL_FILE_CHOICE, NEW_RULE_CHOICE = "whole", "new"
EXAMPLE_FIELD, NEAR_MISS_FIELD = "example", "near_miss"
EDITOR_KEY = "rules-editor"  # key of the editor's container
MAX_FILE_CHARS = 200_000
MAX_SHOWN_WARNINGS = 12
RULE_TEMPLATE = """[[rule]]
name = "apposition"
reason = "A second name for the same thing describes it."
pattern = '''{tag:/NN.*/}=thing >appos {tag:/NN.*/}=name'''
yields = '(thing, name)'
example.caption = "my dog Rex"
example.tree = "my/my/PRP$/2/nmod:poss dog/dog/NN/0/root Rex/rex/NNP/2/appos"
example.tuples = [["dog", "rex"]]
near_miss.caption = "my dog"
near_miss.tree = "my/my/PRP$/2/nmod:poss dog/dog/NN/0/root"
"""


def show_editor_section(workspace: Workspace) -> None:
    """Show a switch for each rule, the editor, the effect of the changes, and buttons for undo and files."""
    _show_switches(workspace)
    editor_column, side_column = st.columns([3, 2], gap="medium")
    with editor_column, st.container(key=EDITOR_KEY):
        _show_editor(workspace)
    with side_column:
        effect.show_effect_on_caption(workspace)
        effect.show_effect_on_watched_captions(workspace)
        show_labels(workspace)
    _show_files(workspace)
    effect.show_changes(workspace)
    effect.show_effect_on_sets(workspace)


def _show_switches(workspace: Workspace) -> None:
    """Show a pill for each rule, selected while the rule is active."""
    widget = f"rules.force.{workspace.lang}.{workspace.base}"
    names = [rule.name for rule in workspace.draft.all_rules.rules]
    st.session_state[widget] = [name for name in names if name not in workspace.draft.disabled_names]

    def update_disabled_rules() -> None:
        active_rules = set(st.session_state[widget])
        rule_workspace.activate_draft(workspace, replace(workspace.draft, disabled_names=frozenset(names) - active_rules))

    labels, options = {name: texts.display_name(name) for name in names}, {"on_change": update_disabled_rules, "help": t("edit.force_help")}
    choice.pills(t("edit.force"), labels, selection_mode="multi", key=widget, **options)


def _show_editor(workspace: Workspace) -> None:
    """Show the text of the chosen rule or of the full file, its problems, and buttons that apply the text or insert an example."""
    draft = workspace.draft
    titles = [rule.name for rule in draft.all_rules.rules]
    choices: dict[int | str, str] = {
        **dict(enumerate(map(texts.display_name, titles))),
        NEW_RULE_CHOICE: t("edit.new"),
        FULL_FILE_CHOICE: t("edit.whole"),
    }
    choice_widget = f"rules.which.{workspace.lang}.{workspace.base}"
    state = rules_state()
    if state.added_rule in titles:
        st.session_state[choice_widget] = titles.index(state.added_rule)
    state.added_rule = ""
    chosen_rule = choice.selectbox(t("edit.which"), choices, key=choice_widget)
    text = _text_to_edit(workspace, chosen_rule)
    widget = f"rules.text.{workspace.lang}.{workspace.base}.{chosen_rule}.{hash(text)}"
    st.session_state.setdefault(widget, text)
    with st.form("rules.editor", border=False):
        with st.container(key="rules.code"):
            st.text_area(t("edit.text"), key=widget, height=340, max_chars=MAX_FILE_CHARS)
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button(
                t("edit.apply"), type="primary", key="rules.apply", on_click=_apply_text, args=(workspace, chosen_rule, widget)
            )
            for example_field in (EXAMPLE_FIELD, NEAR_MISS_FIELD) if chosen_rule != FULL_FILE_CHOICE else ():
                label, key = t(f"edit.as_{example_field}"), f"rules.as_{example_field}"
                st.form_submit_button(
                    label, help=t("edit.as_help"), key=key, on_click=_fill_example, args=(workspace, example_field, widget)
                )
    marks: dict[int, str] = {}
    error, state.editor_error = state.editor_error, None
    if error:
        _show_error(error)
        if isinstance(error, RuleError) and error.line:
            marks[error.line] = error_text(error).partition("\n")[0]
    html.show_messages(state.editor_messages)
    state.editor_messages = []
    if chosen_rule != NEW_RULE_CHOICE and text != _default_text(workspace, chosen_rule):
        marks |= _show_doubts(workspace, text)
    component.number_lines(st.session_state[widget], marks, text_id=f"{workspace.lang}.{workspace.base}.{chosen_rule}", key="rules.code")


def _default_text(workspace: Workspace, chosen_rule: int | str) -> str:
    """Return the default text of the rule or the full file, or "" for a rule that the default rules lack."""
    if not isinstance(chosen_rule, int):
        return workspace.default_draft.text
    name, default = workspace.draft.all_rules.rules[chosen_rule].name, [rule.name for rule in workspace.bundled_rules.rules]
    return text_positions.rule_source(workspace.default_draft.text, default.index(name)) if name in default else ""


def _show_doubts(workspace: Workspace, text: str) -> dict[int, str]:
    """Show warnings about a changed text (unknown labels or tags, failing examples). Return them by line."""
    doubts = find_warnings(
        text, parse_rule_text(text, workspace.base), rule_workspace.known_labels(workspace), other_rules=workspace.bundled_rules.rules
    )[:MAX_SHOWN_WARNINGS]
    html.show_messages([error_text(message) for message in doubts])
    return {int(str(message.values["line"])): error_text(message.values["error"]) for message in doubts}


def _fill_example(workspace: Workspace, example_field: str, widget: str) -> None:
    """Insert the caption and its tree as the rule's example or near miss, or store the error for display.

    The tree is that of the first sentence on which the rule fires or, if there is none, of the first sentence. If the rule fires on the
    near miss or not on the example, also store a note about this.
    """
    text = st.session_state[widget]
    try:
        (rule,) = parse_rules(rule_text.without_examples(text), name=workspace.base).rules
        for active_rule in workspace.rules.rules[:1]:  # all active rules spell the words of their tuples in the same way
            rule = replace(rule, **{name: getattr(active_rule, name) for name in ("phrase", "separator", "lower_case")})
        graphs = [DependencyGraph.from_sentence(s) for s in workspace.pack.enhance(workspace.document, workspace.rules.steps).sentences]
        tuples_by_sentence = [tuples_of_example(rule, Example(workspace.caption, graph)) for graph in graphs]
        sentence_index = next((n for n, tuples in enumerate(tuples_by_sentence) if tuples), 0)
        if not graphs:
            raise RuleError(t("trace.nothing"))
        st.session_state[widget] = rule_text.with_example(
            text, example_field, workspace.caption, graphs[sentence_index], tuples_by_sentence[sentence_index]
        )
    except SpiceError as error:
        rules_state().editor_error = error
        return
    if bool(tuples_by_sentence[sentence_index]) is (example_field == NEAR_MISS_FIELD):
        tuples_text = join_items(f"({', '.join(words)})" for words in tuples_by_sentence[sentence_index])
        rules_state().editor_messages = [t(f"edit.no_{example_field}", name=rule.name, tuples=tuples_text)]


def open_editor(workspace: Workspace, chosen_rule: int | str, text: str) -> None:
    """Open the editor with a text for a rule, given by its index, or for a new rule."""
    state = rules_state()
    state.opened_text = OpenedText((workspace.lang, workspace.base, chosen_rule), text)
    state.open_count += 1
    st.session_state[f"rules.which.{workspace.lang}.{workspace.base}"] = chosen_rule
    st.session_state["rules.section"] = "edit"


def _text_to_edit(workspace: Workspace, chosen_rule: int | str) -> str:
    """Return the text to edit: one passed by another section, the chosen rule, a template, or the full file."""
    opened_text = rules_state().opened_text
    if opened_text and opened_text.place == (workspace.lang, workspace.base, chosen_rule):
        return opened_text.text
    if isinstance(chosen_rule, int):
        return text_positions.rule_source(workspace.draft.text, chosen_rule)
    return RULE_TEMPLATE if chosen_rule == NEW_RULE_CHOICE else workspace.draft.text


def _apply_text(workspace: Workspace, chosen_rule: int | str, widget: str) -> None:
    """Apply the text of the editor, or store its error for display."""
    draft, text = workspace.draft, st.session_state[widget]
    try:
        if chosen_rule != FULL_FILE_CHOICE:
            single_rule = parse_rules(text, name=workspace.base)
            if len(single_rule.rules) != 1:
                raise RuleError(t("edit.one_rule", number=len(single_rule.rules)))
        full_text = text
        if isinstance(chosen_rule, int):
            full_text = text_positions.replace_rule(draft.text, chosen_rule, text)
        elif chosen_rule == NEW_RULE_CHOICE:
            full_text = text_positions.append_rule(draft.text, text)
        _activate_draft(workspace, replace(draft, text=full_text))
        if chosen_rule != FULL_FILE_CHOICE:
            rules_state().added_rule = single_rule.rules[0].name
    except SpiceError as error:
        rules_state().editor_error = error
        return
    rules_state().opened_text = None


def _activate_draft(workspace: Workspace, draft: RuleDraft) -> None:
    """Activate a draft. Raises RuleError if its rules are invalid or take too many steps."""
    results.run_rules(workspace, draft.rules)
    rule_workspace.activate_draft(workspace, draft)


def _show_error(error: SpiceError) -> None:
    message, excerpt = (error.message, error.excerpt) if isinstance(error, RuleError) else (error, "")
    html.show_messages([error_text(message), t("edit.in_force")], severity="problem")
    if excerpt:
        st.code(excerpt, language=None)


def _show_files(workspace: Workspace) -> None:
    """Show buttons to undo and redo edits, to save and load rules, and to restore the defaults."""
    draft = workspace.draft
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        name = f"{draft.name}.toml"
        undo, redo = workspace.history.past, workspace.history.undone
        for edit, source, target in (("undo", undo, redo), ("redo", redo, undo)):
            args = (workspace, source, target)
            st.button(t(f"edit.{edit}"), on_click=rule_workspace.move_draft, args=args, disabled=not source, key=f"rules.{edit}")
        choice.download_button(t("edit.save"), draft.versioned_file, name, "application/toml", key="rules.save", type="secondary")
        with st.popover(t("edit.load")):
            upload = st.file_uploader(t("edit.load_help"), type="toml", key=f"rules.load.{workspace.lang}.{workspace.base}")
        reset, idle = partial(rule_workspace.activate_draft, workspace, workspace.default_draft), not workspace.is_changed
        st.button(t("edit.reset"), on_click=reset, disabled=idle, key="rules.reset")
    rules = workspace.rules
    html.show_note(t("edit.signature", signature=rules.signature, file=name))
    if not edit_links.store_edits_in_url(workspace):
        html.show_note(t("edit.no_link"))
    if upload and rules_state().loaded_file != upload.file_id:
        rules_state().loaded_file = upload.file_id
        try:
            text = decode_text(upload.getvalue(), upload.name)
            if len(text) > MAX_FILE_CHARS:
                raise RuleError(t("edit.too_large", number=len(text), limit=MAX_FILE_CHARS))
            if (version := parse_rule_text(text, workspace.base).version) != __version__:  # old files do not name their version
                key, found = "newer" if is_newer(version) else "older", version or t("edit.no_version")
                rules_state().editor_messages = [t(f"edit.{key}", found=found, version=__version__)]
            _activate_draft(workspace, RuleDraft(workspace.base, text_positions.set_version(text, "")))
        except SpiceError as error:
            _show_error(error)
            return
        st.rerun()


def show_labels(workspace: Workspace) -> None:
    """Show a searchable list of labels and tags.

    For the chosen label or tag, show how a pattern tests it, and a sentence that contains it.
    """
    vocabulary = rule_workspace.known_labels(workspace)
    options = [(attribute, name) for attribute in (RELATION_ATTRIBUTE, TAG_ATTRIBUTE) for name in vocabulary.counts_of(attribute)]
    titles = {(a, name): t(f"edit.name_{a}", name=name, number=vocabulary.counts_of(a)[name]) for a, name in options}
    html.show_heading(t("edit.names"))
    html.show_note(t("edit.names_help", labels=len(vocabulary.labels), tags=len(vocabulary.tags), attributes=join_items(TOKEN_ATTRIBUTES)))
    label = t("edit.name")
    chosen_name = choice.selectbox(label, titles, index=None, key=f"rules.name.{workspace.lang}", placeholder=label)
    if chosen_name:
        attribute, name = chosen_name
        st.code(f">{name}" if attribute == RELATION_ATTRIBUTE else f"{{tag:{name}}}", language=None)
        _show_first_use(workspace, attribute, name)


def _show_first_use(workspace: Workspace, attribute: str, name: str) -> None:
    """Show the first sentence with a label or tag, with the word or the edge's two words marked."""
    for caption_set in rule_workspace.bundled_caption_sets(workspace.lang):
        corpus = rule_workspace.parsed_corpus(workspace.lang, workspace.parser, caption_set)
        use = find_first_use(corpus.enhanced_documents(workspace.rules.steps), attribute, name)
        if use:
            sentence, words = use
            arcs = (
                [edge for edge in sentence.edges if edge.relation == name and edge.dependent in words]
                if attribute == RELATION_ATTRIBUTE
                else []
            )
            st.html(
                f'<p class="sc-used">{wording.sentence_html(sentence.tokens, words)}</p>'
                + "".join(wording.edge_html(e, sentence.tokens) for e in arcs)
            )
            return
    html.show_note(t("edit.name_unused", name=escape(name)))
