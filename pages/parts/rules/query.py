"""Queries: search many captions for a pattern, and group, draw and save the hits. The URL stores the query."""

import io
from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from pages.parts.kit import choice, html, page, url
from pages.parts.kit.charts import show_chart
from pages.parts.kit.texts import error_text, t
from pages.parts.rules import rule_workspace, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import rules_state
from pages.parts.views import graphs
from spice_core.data.reader import decode_text
from spice_core.draw import charts
from spice_core.errors import InputError, Message, RuleError, SpiceError
from spice_core.report.tables import table_csv
from spice_core.rules import Pattern
from spice_core.syntax import conllu
from spice_core.workbench.corpus import GROUPING_ATTRIBUTES, ParsedCorpus, QueryHit, group_hits, search_captions

PATTERN_KEY = "rules.pattern"
MAX_HITS, MAX_CAPTIONS = 40, 5_000
MAX_BARS = 12
MAX_PATTERN_CHARS = 500
QUERY_PARAMS = ("q", "set", "group", "by", "only", "graph")


def show_query(workspace: Workspace) -> None:
    """Show the fields for the pattern and the captions to search, and the hits."""
    example_patterns = workspace.pack.first_patterns
    st.session_state.setdefault(PATTERN_KEY, html.requested_text("q", MAX_PATTERN_CHARS) or example_patterns[0])
    patterns, widget = {pattern: pattern for pattern in example_patterns}, f"rules.snippet.{workspace.lang}"
    choice.pills(t("query.snippets"), patterns, key=widget, on_change=_use_example_pattern, args=(widget,))
    with st.form("rules.query", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(t("query.pattern"), key=PATTERN_KEY, max_chars=MAX_PATTERN_CHARS, persist_state="session")
        st.form_submit_button(t("query.search"), type="primary", key="rules.search")
    url.set_param("q", st.session_state[PATTERN_KEY], example_patterns[0])
    caption_sets = [*rule_workspace.bundled_caption_sets(workspace.lang), "own"]
    default = caption_sets[-2:][0]
    url.init_from_param(f"rules.set.{workspace.lang}", "set", caption_sets, default)
    st.session_state.setdefault("rules.enhanced", st.query_params.get("graph") != "basic")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        labels, key = {k: t(f"query.{k}") for k in caption_sets}, f"rules.set.{workspace.lang}"
        caption_set = choice.segmented_control(t("query.where"), labels, default=default, key=key, persist_state="session")
        is_enhanced = st.toggle(t("query.enhanced"), key="rules.enhanced", help=t("query.enhanced_help"), persist_state="session")
    url.set_param("set", caption_set, default)
    url.set_param("graph", "" if is_enhanced else "basic")
    try:
        corpus = (
            _read_upload(workspace) if caption_set == "own" else rule_workspace.parsed_corpus(workspace.lang, workspace.parser, caption_set)
        )
        if corpus is None:
            return
        pattern = Pattern(st.session_state[PATTERN_KEY])
        hits = search_captions(pattern, corpus.enhanced_documents(workspace.rules.steps), enhanced=is_enhanced)
    except SpiceError as error:
        html.show_messages([error_text(error)], severity="problem")
        if isinstance(error, RuleError) and error.part == "pattern" and error.position is not None:
            st.code(f"{st.session_state[PATTERN_KEY]}\n{' ' * error.position}^", language=None)
        return
    _show_hits(workspace, pattern, hits, len(corpus.documents))


def clear_query() -> None:
    """Remove the query from the URL, because other sections ignore it."""
    for name in QUERY_PARAMS:
        url.set_param(name, "")


def _use_example_pattern(widget: str) -> None:
    if pattern := st.session_state.get(widget):
        st.session_state[PATTERN_KEY] = pattern


def _read_upload(workspace: Workspace) -> ParsedCorpus | None:
    """Show the uploader. Return the captions or trees of the file (cached in the session), or None."""
    file = st.file_uploader(t("query.upload"), type=["txt", "conllu"], key=f"rules.captions.{workspace.lang}")
    if file is None:
        return None
    cache_key = (file.file_id, workspace.lang, workspace.parser)
    state = rules_state()
    if not state.uploaded_corpus or state.uploaded_corpus[0] != cache_key:
        with st.spinner(t("query.parsing")):
            state.uploaded_corpus = (cache_key, read_captions(file.name, file.getvalue(), workspace))
    return state.uploaded_corpus[1]


def read_captions(file_name: str, content: bytes, workspace: Workspace) -> ParsedCorpus:
    """Read the captions of a text file, one per line, or the trees of a CoNLL-U file. Raises InputError if it is invalid."""
    lines = list(io.StringIO(decode_text(content, file_name), newline=None))
    if file_name.endswith(".conllu"):
        documents, signature = list(conllu.read(lines, name=file_name)), "conllu"
    else:
        captions = [line.strip() for line in lines if line.strip()]
        if len(captions) > MAX_CAPTIONS:
            raise InputError(file_name, Message("found.captions", number=len(captions)), Message("expected.at_most", number=MAX_CAPTIONS))
        parser = workspace.pack.parser(workspace.parser)
        documents, signature = list(parser.parse(captions)), parser.signature
    if not documents:
        raise InputError(file_name, Message("found.empty_file"), Message("expected.captions_or_trees"))
    return ParsedCorpus(workspace.pack, documents, signature)


def _show_hits(workspace: Workspace, pattern: Pattern, hits: list[QueryHit], caption_count: int) -> None:
    matched_captions = len({hit.position for hit in hits})
    html.show_heading(t("query.hits", hits=len(hits), captions=matched_captions, of=caption_count))
    if not hits:
        html.show_note(t("query.none"))
        return
    names = list(pattern.explicit_names) or list(hits[0].bindings)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        name = _choose_option("group", names, {label: label for label in names}, ".".join(names))
        attribute = _choose_option("by", GROUPING_ATTRIBUTES, {label: t(f"parse.{label}") for label in GROUPING_ATTRIBUTES})
        groups = group_hits(hits, name, attribute)
        labels = {"": t("query.all", number=len(hits)), **{value: f"{value} ({len(group)})" for value, group in groups.items() if value}}
        only = _choose_option("only", list(labels), labels, f"{name}.{attribute}.{hash(tuple(labels))}")
        headers = ["caption", *(f"{label} ({field})" for label in names for field in ("word", "lemma", "relation"))]
        table = ([hit.caption, *(v for n in names for v in (hit.word(n), hit.value(n), hit.value(n, "relation")))] for hit in hits)
        choice.download_button(t("query.save"), table_csv(headers, table), "hits.csv", "text/csv", key="rules.hits", type="secondary")
    left, right = st.columns([1, 2], gap="medium")
    with left:
        _show_groups(groups, only, f"rules.only.{name}.{attribute}.{hash(tuple(labels))}")
    with right:
        _list_hits(workspace, groups[only] if only else hits)


def _choose_option(name: str, options: Sequence[str], labels: Mapping[str, str], suffix: str = "") -> str:
    """Show a select box and store the option in the URL. Return it, by default the first."""
    widget = ".".join(filter(None, (f"rules.{name}", suffix)))
    url.init_from_param(widget, name, options, options[0])
    chosen_option = choice.selectbox(
        t(f"query.{name}"), {option: labels[option] for option in options}, key=widget, persist_state="session"
    )
    url.set_param(name, chosen_option, options[0])
    return chosen_option


def _show_groups(groups: Mapping[str, list[QueryHit]], selected_group: str, widget: str) -> None:
    """Show the largest groups as bars and, if there are more groups, a table.

    A click on a bar shows its hits. A second click shows all hits.
    """
    values = [value for value in groups if value][:MAX_BARS]
    counts = [len(groups[value]) for value in values]

    def on_click(index: int) -> None:
        st.session_state[widget] = "" if values[index] == selected_group else values[index]

    if values:
        html.show_titled_note(t("query.groups", number=len(groups)), t("query.click"))
        selected_index = values.index(selected_group) if selected_group in values else None
        figure = charts.draw_bars(
            values, counts, list(map(str, counts)), [""] * len(values), selected_index=selected_index, style=page.display_style()
        )
        alt = t("query.groups_alt", groups=", ".join(f"{value}: {count}" for value, count in zip(values, counts)))
        show_chart(figure, key="rules.groups", alt=alt, on_click=on_click)
    if len(groups) > len(values):
        rows = [[escape(value) or "–", str(len(group))] for value, group in list(groups.items())[:MAX_HITS]]
        with st.expander(t("query.table")):
            st.html(wording.table_html([t("query.value"), t("query.count")], rows, scrolls_vertically=True))


def _list_hits(workspace: Workspace, hits: list[QueryHit]) -> None:
    listed_hits = hits[:MAX_HITS]
    rows = []
    for hit_number, hit in enumerate(listed_hits, 1):
        bindings = wording.binding_list({name: hit.word(name) for name in hit.bindings})
        rows.append([str(hit_number), wording.sentence_html(hit.graph.tokens, list(hit.bindings.values())), bindings])
    st.html(wording.table_html(["", t("captions.title"), t("trace.bindings")], rows, scrolls_vertically=True))
    if len(hits) > MAX_HITS:
        html.show_note(t("query.more", shown=MAX_HITS, number=len(hits)))
    key, label_of = f"rules.hit.{hash(tuple(hit.caption for hit in listed_hits))}", lambda n: f"{n + 1}. {listed_hits[n].caption}"
    hit_number = st.selectbox(t("query.draw"), range(len(listed_hits)), format_func=label_of, key=key)
    hit = listed_hits[min(hit_number or 0, len(listed_hits) - 1)]
    words = [value for value in hit.bindings.values() if isinstance(value, int)]
    highlighted_edges = [edge for edge in hit.graph.edges if edge.head in words and edge.dependent in words]
    graphs.draw_trees([(hit.caption, hit.graph, words, highlighted_edges)], lang=workspace.lang)
