"""The trace of a caption through all stages: words, tree, enhancement, rules, graph."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape

import streamlit as st

from pages.parts.kit import choice, html, page, texts, url
from pages.parts.kit.texts import join_items, t
from pages.parts.rules import wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.state import engine
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from pages.parts.views import graphs, present
from spice_core import SpiceConfig
from spice_core.lang import language
from spice_core.scene.graph import SCHEMES
from spice_core.scene.propositions import Parse, sort_tuples
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Token
from spice_core.workbench.trace import SentenceTrace, StepEffect, rank_failed_traces, trace_merging, trace_sentences

STAGE_KEY = "rules.stage"


def show_trace(workspace: Workspace) -> None:
    """Show the chosen stage, with buttons for the previous and the next stage."""
    traces = trace_sentences(workspace.pack, workspace.rules, workspace.caption_document.sentences)
    if not traces:
        html.show_note(t("trace.nothing"))
        return
    stages = list(_trace_stages(workspace, traces))
    stage_index = min(st.session_state.setdefault(STAGE_KEY, _requested_stage()), len(stages) - 1)
    st.session_state[STAGE_KEY] = stage_index
    url.set_param("stage", str(stage_index + 1), "1")

    def turn_by(offset: int) -> None:
        st.session_state[STAGE_KEY] = min(max(st.session_state[STAGE_KEY] + offset, 0), len(stages) - 1)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(t("trace.back"), key="rules.back", on_click=turn_by, args=(-1,), disabled=stage_index == 0)
        st.button(t("trace.next"), key="rules.next", on_click=turn_by, args=(1,), disabled=stage_index == len(stages) - 1)
        names = {n: t("trace.stage", number=n + 1, total=len(stages), name=name) for n, (name, _) in enumerate(stages)}
        choice.selectbox(t("trace.choose"), names, key=STAGE_KEY, label_visibility="collapsed")
        present.show_button()
    present_stages(workspace)
    name, show = stages[stage_index]
    html.show_heading(name)
    show()


def _requested_stage() -> int:
    """Return the index of the stage in the URL, or 0 if the URL names no valid stage."""
    stage_text = st.query_params.get("stage", "")
    return int(stage_text) - 1 if stage_text.isascii() and stage_text.isdecimal() and 0 < len(stage_text) < 4 and int(stage_text) else 0


def present_stages(workspace: Workspace) -> None:
    """Present the caption on the full screen, from words to graph, if the URL requests it."""
    if not present.is_active():
        return
    config = SpiceConfig(workspace.lang, workspace.parser, workspace.base, scheme=workspace.rules.scheme)
    parse = workspace.parse(workspace.caption)
    result = engine.cached_metric(config).compare(parse, [parse])
    scored_captions = ScoredCaptions(CaptionInputs(workspace.caption, (workspace.caption,)), config, result, (parse, parse), (0,))
    link = {**page.page_query("rules"), "caption": workspace.caption}
    slide = present.PresentedSlide(workspace.caption, link=link, beats=("words", "tree", "tuples"))
    present.show_presentation(scored_captions, slide, turn_slide=lambda step: None)


def _trace_stages(workspace: Workspace, traces: tuple[SentenceTrace, ...]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the stages, each with its name and the function that shows it."""
    yield (t("trace.words"), lambda: _show_words(traces))
    yield (t("trace.tree"), lambda: _show_trees(workspace, traces))
    for name in dict.fromkeys(r.step.name for sentence in traces for r in sentence.resolutions):
        yield (t("trace.step", name=texts.display_name(name)), partial(_show_resolutions, traces, name))
    changed_steps = dict.fromkeys(c.step.name for sentence in traces for c in sentence.steps if c.has_changes)
    idle_steps = [c.step.name for c in traces[0].steps if c.step.name not in changed_steps]
    for name in changed_steps:
        yield (t("trace.step", name=texts.display_name(name)), partial(_show_step, workspace, traces, name))
    yield (t("trace.read"), lambda: _show_enhanced_graph(workspace, traces, idle_steps))
    yield (t("trace.fired"), lambda: _show_fired_rules(traces))
    yield (t("trace.nearly"), lambda: _show_near_rules(traces))
    yield (t("trace.merged"), lambda: _show_merging(workspace, traces))


def _show_words(traces: tuple[SentenceTrace, ...]) -> None:
    headers = [t(f"parse.{name}") for name in ("number", "word", "lemma", "tag")]
    rows = [[str(token.index), *map(escape, token[1:4])] for sentence in traces for token in sentence.sentence.tokens]
    st.html(wording.table_html(headers, rows))


def _show_trees(workspace: Workspace, traces: tuple[SentenceTrace, ...]) -> None:
    pictures = [(t("trace.basic"), DependencyGraph(sentence.sentence.tokens, sentence.sentence.basic), (), ()) for sentence in traces]
    graphs.draw_trees(pictures, lang=workspace.lang)


def _show_resolutions(traces: tuple[SentenceTrace, ...], step_name: str) -> None:
    """Show the words that a step resolves across sentences, with antecedents and sentence numbers."""
    resolutions = [(n, r) for n, sentence in enumerate(traces, 1) for r in sentence.resolutions if r.step.name == step_name]
    html.show_note(texts.reason_text(resolutions[0][1].step))
    headers = ((n, r, ", ".join(escape(head.text) for head in r.antecedent.heads)) for n, r in resolutions)
    lines = "".join(f"<li>{escape(r.token.text)} ({n}) → <b>{words}</b> ({r.antecedent.sentence + 1})</li>" for n, r, words in headers)
    st.html(f'<ul class="sc-changes">{lines}</ul>')


def _show_step(workspace: Workspace, traces: tuple[SentenceTrace, ...], step_name: str) -> None:
    """Show the edges that an enhancement step changed, in words and as a drawing."""
    steps = [(sentence, c) for sentence in traces for c in sentence.steps if c.step.name == step_name and c.has_changes]
    html.show_note(texts.reason_text(steps[0][1].step))
    lines = "".join(f"<li>{line}</li>" for sentence, change in steps for line in _change_lines(sentence, change))
    st.html(f'<ul class="sc-changes">{lines}</ul>')
    pictures = [
        (
            t("trace.after"),
            DependencyGraph(sentence.sentence.tokens, c.edges),
            (),
            (*c.added_edges, *(new_edge for _, new_edge in c.relabelled_edges)),
        )
        for sentence, c in steps
    ]
    graphs.draw_trees(pictures, lang=workspace.lang)


def _change_lines(sentence: SentenceTrace, change: StepEffect) -> Iterator[str]:
    tokens = sentence.sentence.tokens
    for change_name in ("added", "removed"):
        yield from (
            f"<small>{t(f'trace.{change_name}')}</small> {wording.edge_html(edge, tokens)}"
            for edge in getattr(change, f"{change_name}_edges")
        )
    for old_edge, new_edge in change.relabelled_edges:
        yield f"<small>{t('trace.relabelled')}</small> {wording.edge_html(old_edge, tokens)} ⇒ <b>{escape(new_edge.relation)}</b>"


def _show_enhanced_graph(workspace: Workspace, traces: tuple[SentenceTrace, ...], idle_steps: list[str]) -> None:
    if idle_steps:
        html.show_note(t("trace.quiet", names=join_items(map(texts.display_name, idle_steps))))
    graphs.draw_trees([(t("trace.enhanced"), sentence.graph, (), ()) for sentence in traces], lang=workspace.lang)


def _show_fired_rules(traces: tuple[SentenceTrace, ...]) -> None:
    rows = [
        [f"{rule_number}", wording.rule_html(rule.rule), wording.binding_list(f.bindings),
         wording.tuple_html(f.proposition.words)]
        for sentence in traces for rule_number, rule in enumerate(sentence.rules, 1) for f in rule.firings
    ]  # fmt: skip
    if rows:
        st.html(wording.table_html([t(f"trace.{name}") for name in ("order", "rule", "bindings", "yields")], rows, stacks_on_phones=True))
    else:
        html.show_note(t("trace.none_fired"))


def _show_near_rules(traces: tuple[SentenceTrace, ...]) -> None:
    """Show the rules that failed although some conditions held, and name the rules without any holding condition."""
    silent_rules = [(sentence, rule) for sentence in traces for rule in rank_failed_traces(sentence.rules)]
    rows = [
        [
            f"<b>{escape(texts.display_name(rule.rule.name))}</b>",
            t("trace.of", satisfied=failure.satisfied_count, total=rule.condition_count),
            wording.failure_html(failure),
            wording.binding_list(_bound_tokens(sentence.graph, failure.bindings, rule.rule.pattern.explicit_names)),
        ]
        for sentence, rule in silent_rules
        if (failure := rule.nearest_failure) and failure.satisfied_count
    ]
    if rows:
        st.html(wording.table_html([t(f"trace.{name}") for name in ("rule", "held", "failed", "so_far")], rows, stacks_on_phones=True))
    if distant_rules := dict.fromkeys(
        rule.rule.name for _, rule in silent_rules if rule.nearest_failure and not rule.nearest_failure.satisfied_count
    ):
        html.show_note(t("trace.far", names=join_items(map(texts.display_name, distant_rules))))


def _bound_tokens(graph: DependencyGraph, bindings: Mapping[str, int | str], names: tuple[str, ...]) -> dict[str, Token | str]:
    return {n: graph.token(v) if isinstance(v, int) else v for n, v in bindings.items() if n in names}


def _show_merging(workspace: Workspace, traces: tuple[SentenceTrace, ...]) -> None:
    """Show the propositions in order, with the tuples that each adds to the graph."""
    propositions = tuple(f.proposition for sentence in traces for rule in sentence.rules for f in rule.firings)
    synonyms = language(workspace.lang).synonym_source(workspace.rules.synonyms)
    steps = trace_merging(Parse(workspace.caption, propositions), synonyms, scheme=SCHEMES[workspace.rules.scheme])
    rows = [[wording.tuple_html(g.proposition.words), escape(texts.display_name(g.proposition.rule)),
             wording.tuple_list(g.tuples) if g.tuples else f'<span class="sc-muted">{t("trace.known")}</span>'] for g in steps]  # fmt: skip
    st.html(wording.table_html([t(f"trace.{name}") for name in ("proposition", "rule", "adds")], rows))
    tuples = sort_tuples({words for g in steps for words in g.tuples})
    html.show_heading(t("trace.tuples", number=len(tuples)))
    st.html(wording.tuple_list(tuples))
