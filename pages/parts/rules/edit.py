"""Edit rules: switch them off, change or add them as text, undo it, save and load the file. Bad text leaves the old rules active."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.parts.kit import choice, html, messages, rule_texts
from pages.parts.kit.texts import problem, t
from pages.parts.rules import changes, edit_links, effect, label_lists, results, workspace
from pages.parts.rules.workspace import KEY, Draft, Workspace
from spice_core.data.reader import text_of
from spice_core.errors import RuleError, SpiceError
from spice_core.rules import Rule, RuleSet, rule_text, text_positions
from spice_core.rules.rule_file import newer, parse_rules
from spice_core.rules.ruleset import Example
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.version import __version__
from spice_core.workbench.rule_check import doubts, yields

WHOLE, NEW = "whole", "new"
PROBLEM, NOTES = f"{KEY}.problem", f"{KEY}.notes"
EXAMPLE, NEAR_MISS = "example", "near_miss"
EDITOR, BROUGHT = f"{KEY}-editor", f"{KEY}.brought"  # the editor, and how often it was opened from elsewhere
TAKEN = f"{KEY}.taken"  # a text for the editor, with the place that it is for
LARGEST = 200_000  # characters of a rule file
MOST_DOUBTS = 12
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


def show(work: Workspace) -> None:
    """The rules, their text, and what the changes do."""
    _switches(work)
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(key=EDITOR):
        _editor(work)
    with right:
        effect.show_on_caption(work)
        label_lists.show(work)
    _files(work)
    changes.show(work)
    effect.show_on_sets(work)


def _switches(work: Workspace) -> None:
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


def _editor(work: Workspace) -> None:
    """The text of a rule, the buttons that apply it or fill in its example, and what is wrong or doubtful in it."""
    draft = work.draft
    titles = [rule.name for rule in draft.whole.rules]
    choices: dict[int | str, str] = {**dict(enumerate(map(rule_texts.name, titles))), NEW: t("edit.new"), WHOLE: t("edit.whole")}
    which = f"{KEY}.which.{work.lang}.{work.base}"
    if (added := st.session_state.pop(f"{KEY}.added", None)) in titles:
        st.session_state[which] = titles.index(added)
    chosen = choice.in_list(t("edit.which"), choices, key=which)
    text = _text_of(work, chosen)
    widget = f"{KEY}.text.{work.lang}.{work.base}.{chosen}.{hash(text)}"
    st.session_state.setdefault(widget, text)
    with st.form(f"{KEY}.editor", border=False):
        with st.container(key=f"{KEY}.code"):
            st.text_area(t("edit.text"), key=widget, height=340, max_chars=LARGEST)
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button(t("edit.apply"), type="primary", key=f"{KEY}.apply", on_click=_apply, args=(work, chosen, widget))
            for part in (EXAMPLE, NEAR_MISS) if chosen != WHOLE else ():
                label, key = t(f"edit.as_{part}"), f"{KEY}.as_{part}"
                st.form_submit_button(label, help=t("edit.as_help"), key=key, on_click=_fill, args=(work, part, widget))
    if problem := st.session_state.pop(PROBLEM, None):
        _say(problem)
    messages.say(st.session_state.pop(NOTES, []))
    if chosen != NEW and text != _default(work, chosen):
        _doubt(work, text)


def _default(work: Workspace, chosen: int | str) -> str:
    """The default text of the chosen rule; "" for one that the default rules do not have."""
    if not isinstance(chosen, int):
        return work.unchanged.text
    name, default = work.draft.whole.rules[chosen].name, [rule.name for rule in work.bundled.rules]
    return text_positions.rule_source(work.unchanged.text, default.index(name)) if name in default else ""


def _doubt(work: Workspace, text: str) -> None:
    """Doubts about rules of a text that are not the default ones: unknown labels and tags, examples that fail."""
    found = doubts(text, workspace.parse_rule_text(text, work.base), workspace.known_labels(work), before=work.bundled.rules)
    messages.say([problem(message) for message in found[:MOST_DOUBTS]])


def _fill(work: Workspace, part: str, widget: str) -> None:
    """Fill the parsed caption into the text as the example or the near miss of its rule; what does not fit is said."""
    text = st.session_state[widget]
    try:
        rule = _parse_single_rule(work, rule_text.without_examples(text))
        graphs = [DependencyGraph.of(s) for s in work.pack.enhance(work.document, work.rules.steps).sentences]
        made = [yields(rule, Example(work.caption, graph)) for graph in graphs]
        at = next((n for n, tuples in enumerate(made) if tuples), 0)
        if not graphs:
            raise RuleError(t("trace.nothing"))
        st.session_state[widget] = rule_text.with_example(text, part, work.caption, graphs[at], made[at])
    except SpiceError as error:
        st.session_state[PROBLEM] = error
        return
    if bool(made[at]) is (part == NEAR_MISS):
        listed = t("trace.comma").join(f"({', '.join(words)})" for words in made[at])
        st.session_state[NOTES] = [t(f"edit.no_{part}", name=rule.name, tuples=listed)]


def _parse_single_rule(work: Workspace, text: str) -> Rule:
    """The only rule of a text, in the form of words of the active rules. Raises RuleError."""
    (rule,) = parse_rules(text, name=work.base).rules
    return replace(rule, **_form(work.rules))


def _form(rules: RuleSet) -> dict:
    """How a rule set puts the words of its tuples."""
    return {name: getattr(rules.rules[0], name) for name in ("phrase", "separator", "lower_case")} if rules.rules else {}


def take(work: Workspace, chosen: int | str, text: str) -> None:
    """Open the editor on a text for a rule (its number) or a new one (NEW)."""
    st.session_state[TAKEN] = (work.lang, work.base, chosen), text
    st.session_state[f"{KEY}.which.{work.lang}.{work.base}"] = chosen
    st.session_state[f"{KEY}.section"] = "edit"
    st.session_state[BROUGHT] = st.session_state.get(BROUGHT, 0) + 1


def _text_of(work: Workspace, chosen: int | str) -> str:
    """The text to edit: what was taken over for this place, else the rule, a template or the whole file."""
    place, taken = st.session_state.get(TAKEN, (None, ""))
    if place == (work.lang, work.base, chosen):
        return taken
    if isinstance(chosen, int):
        return text_positions.rule_source(work.draft.text, chosen)
    return TEMPLATE if chosen == NEW else work.draft.text


def _apply(work: Workspace, chosen: int | str, widget: str) -> None:
    """Apply the text of the editor, or store its error for display."""
    draft, text = work.draft, st.session_state[widget]
    try:
        if chosen != WHOLE:
            alone = parse_rules(text, name=work.base)
            if len(alone.rules) != 1:
                raise RuleError(t("edit.one_rule", number=len(alone.rules)))
        whole = text
        if isinstance(chosen, int):
            whole = text_positions.replace_rule(draft.text, chosen, text)
        elif chosen == NEW:
            whole = text_positions.append_rule(draft.text, text)
        _take(work, replace(draft, text=whole))
        if chosen != WHOLE:
            st.session_state[f"{KEY}.added"] = alone.rules[0].name
    except SpiceError as error:
        st.session_state[PROBLEM] = error
        return
    st.session_state.pop(TAKEN, None)


def _take(work: Workspace, draft: Draft) -> None:
    """Activate a draft, if its rules can be read and end in time. Raises RuleError."""
    results.run_rules(work, draft.rules)
    workspace.keep(work, draft)


def _say(error: SpiceError) -> None:
    """The error with its place in the text, and that the earlier rules stay."""
    message, excerpt = (error.message, error.excerpt) if isinstance(error, RuleError) else (error, "")
    messages.say([problem(message), t("edit.in_force")], kind="problem")
    if excerpt:
        st.code(excerpt, language=None)


def _files(work: Workspace) -> None:
    """Save the rules as a file, load one, reset to the default ones."""
    draft = work.draft
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        name = f"{draft.name}.toml"
        undo, redo = workspace.past_drafts(work), workspace.undone_drafts(work)
        st.button(t("edit.undo"), on_click=workspace.undo, args=(work,), disabled=not undo, key=f"{KEY}.undo")
        st.button(t("edit.redo"), on_click=workspace.redo, args=(work,), disabled=not redo, key=f"{KEY}.redo")
        st.download_button(t("edit.save"), draft.saved, file_name=name, mime="application/toml", on_click="ignore", key=f"{KEY}.save")
        with st.popover(t("edit.load")):
            loaded = st.file_uploader(t("edit.load_help"), type="toml", key=f"{KEY}.load.{work.lang}.{work.base}")
        st.button(t("edit.reset"), on_click=workspace.keep, args=(work, work.unchanged), disabled=not work.changed, key=f"{KEY}.reset")
    rules = work.rules
    html.note(t("edit.signature", signature=rules.signature, file=name))
    if not edit_links.follow(work):
        html.note(t("edit.no_link"))
    if loaded and st.session_state.get(f"{KEY}.loaded") != loaded.file_id:
        st.session_state[f"{KEY}.loaded"] = loaded.file_id
        try:
            text = _editor_text(loaded.name, loaded.getvalue())
            st.session_state[NOTES] = _version(workspace.parse_rule_text(text, work.base).version)
            _take(work, Draft(work.base, text_positions.set_version(text, "")))
        except SpiceError as error:
            _say(error)
            return
        st.rerun()


def _version(version: str) -> list[str]:
    """That a file comes from another version of spice_core; older files may not say from which."""
    if version == __version__:
        return []
    return [t("edit.newer" if newer(version) else "edit.older", found=version or t("edit.no_version"), version=__version__)]


def _editor_text(name: str, raw: bytes) -> str:
    text = text_of(raw, name)
    if len(text) > LARGEST:
        raise RuleError(t("edit.too_large", number=len(text), limit=LARGEST))
    return text
