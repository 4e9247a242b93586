"""Edit rules: switch them off, change or add them as text, save and load the file. Bad text leaves the old rules active."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.parts.kit import html, messages, rule_texts
from pages.parts.kit.texts import problem, t
from pages.parts.rules import effect, results, workspace
from pages.parts.rules.workspace import KEY, Draft, Work
from spice_core.data.reader import text_of
from spice_core.errors import RuleError, SpiceError
from spice_core.rules import text_positions
from spice_core.rules.rule_file import parse_rules

WHOLE, NEW = "whole", "new"
PROBLEM = f"{KEY}.problem"
EDITOR, BROUGHT = f"{KEY}-editor", f"{KEY}.brought"  # the editor, and how often it was opened from elsewhere
TAKEN = f"{KEY}.taken"  # a text for the editor, with the place that it is for
LARGEST = 200_000  # characters of a rule file
TEMPLATE = """[[rule]]
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


def show(work: Work) -> None:
    """The rules, their text, and what the changes do."""
    _switches(work)
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(key=EDITOR):
        _editor(work)
    with right:
        effect.on_caption(work)
    _files(work)
    effect.on_sets(work)


def _switches(work: Work) -> None:
    """One pill a rule: pressed while the rule is active."""
    widget = f"{KEY}.force.{work.lang}.{work.base}"
    names = [rule.name for rule in work.draft.whole.rules]
    st.session_state[widget] = [name for name in names if name not in work.draft.off]

    def changed() -> None:
        on = set(st.session_state[widget])
        workspace.keep(work, replace(work.draft, off=frozenset(names) - on))

    st.pills(
        t("edit.force"),
        names,
        selection_mode="multi",
        key=widget,
        on_change=changed,
        help=t("edit.force_help"),
        format_func={name: html.plain(rule_texts.name(name)) for name in names}.__getitem__,
    )


def _editor(work: Work) -> None:
    draft = work.draft
    names = [rule.name for rule in draft.whole.rules]
    choices: dict[int | str, str] = {**dict(enumerate(map(rule_texts.name, names))), NEW: t("edit.new"), WHOLE: t("edit.whole")}
    chosen = st.selectbox(t("edit.which"), list(choices), format_func=choices.__getitem__, key=f"{KEY}.which.{work.lang}.{work.base}")
    text = _text_of(work, chosen)
    with st.form(f"{KEY}.editor", border=False):
        widget = f"{KEY}.text.{work.lang}.{work.base}.{chosen}.{hash(text)}"
        with st.container(key=f"{KEY}.code"):
            st.text_area(t("edit.text"), text, key=widget, height=340, max_chars=LARGEST)
        if st.form_submit_button(t("edit.apply"), type="primary", key=f"{KEY}.apply"):
            _apply(work, chosen, st.session_state[widget])
    if problem := st.session_state.pop(PROBLEM, None):
        _say(problem)


def take(work: Work, chosen: int | str, text: str) -> None:
    """Open the editor on a text for a rule (its number) or a new one (NEW)."""
    st.session_state[TAKEN] = (work.lang, work.base, chosen), text
    st.session_state[f"{KEY}.which.{work.lang}.{work.base}"] = chosen
    st.session_state[f"{KEY}.section"] = "edit"
    st.session_state[BROUGHT] = st.session_state.get(BROUGHT, 0) + 1


def _text_of(work: Work, chosen: int | str) -> str:
    """The text to edit: what was taken over for this place, else the rule, a template or the whole file."""
    place, taken = st.session_state.get(TAKEN, (None, ""))
    if place == (work.lang, work.base, chosen):
        return taken
    if isinstance(chosen, int):
        return text_positions.piece(work.draft.text, chosen)
    return TEMPLATE if chosen == NEW else work.draft.text


def _apply(work: Work, chosen: int | str, text: str) -> None:
    """Apply a text, or store its error for display."""
    draft = work.draft
    try:
        if chosen != WHOLE:
            alone = parse_rules(text, name=work.base)
            if len(alone.rules) != 1:
                raise RuleError(t("edit.one_rule", number=len(alone.rules)))
        whole = text
        if isinstance(chosen, int):
            whole = text_positions.replaced(draft.text, chosen, text)
        elif chosen == NEW:
            whole = text_positions.added(draft.text, text)
        _take(work, replace(draft, text=whole))
    except SpiceError as error:
        st.session_state[PROBLEM] = error
        return
    st.session_state.pop(TAKEN, None)
    st.rerun()


def _take(work: Work, draft: Draft) -> None:
    """Activate a draft, if its rules can be read and end in time. Raises RuleError."""
    results.tried(work, draft.rules)
    workspace.keep(work, draft)


def _say(error: SpiceError) -> None:
    """The error with its place in the text, and that the earlier rules stay."""
    message, excerpt = (error.message, error.excerpt) if isinstance(error, RuleError) else (error, "")
    messages.say([problem(message), t("edit.in_force")], kind="problem")
    if excerpt:
        st.code(excerpt, language=None)


def _files(work: Work) -> None:
    """Save the rules as a file, load one, reset to the default ones."""
    draft = work.draft
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        name = f"{draft.name}.toml"
        st.download_button(t("edit.save"), draft.file, file_name=name, mime="application/toml", on_click="ignore", key=f"{KEY}.save")
        with st.popover(t("edit.load")):
            loaded = st.file_uploader(t("edit.load_help"), type="toml", key=f"{KEY}.load.{work.lang}.{work.base}")
        st.button(t("edit.reset"), on_click=workspace.keep, args=(work, work.unchanged), disabled=not work.changed, key=f"{KEY}.reset")
    rules = work.rules
    html.note(t("edit.signature", signature=rules.signature, file=name))
    if loaded and st.session_state.get(f"{KEY}.loaded") != loaded.file_id:
        st.session_state[f"{KEY}.loaded"] = loaded.file_id
        try:
            _take(work, Draft(work.base, _text(loaded.name, loaded.getvalue())))
        except SpiceError as error:
            _say(error)
            return
        st.rerun()


def _text(name: str, raw: bytes) -> str:
    text = text_of(raw, name)
    if len(text) > LARGEST:
        raise RuleError(t("edit.too_large", number=len(text), limit=LARGEST))
    return text
