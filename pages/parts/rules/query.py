"""Query: a pattern read aloud and searched over many captions, its hits counted by group, drawn and saved; the address has it all."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from pages.parts.kit import choice, html, messages, page, url
from pages.parts.kit.charts import LOOK
from pages.parts.kit.texts import problem, t
from pages.parts.rules import reading, wording, workspace
from pages.parts.rules.workspace import KEY, Workspace
from pages.parts.views import trees
from spice_core.data.reader import text_of
from spice_core.draw import charts
from spice_core.errors import InputError, Message, RuleError, SpiceError
from spice_core.report.tables import as_csv
from spice_core.rules import Pattern
from spice_core.syntax import conllu
from spice_core.workbench.corpus import ParsedCorpus
from spice_core.workbench.query import BY, Hit, group_hits, search

PATTERN = f"{KEY}.pattern"
MOST, LARGEST = 40, 5_000  # hits listed; captions of an upload
BARS = 12  # groups drawn
LONGEST = 500  # characters of a pattern
PLACES = ("q", "set", "group", "by", "only", "graph")  # of the address


def show(work: Workspace) -> None:
    """The pattern, the captions to search, and the hits."""
    snippets = work.pack.first_patterns
    st.session_state.setdefault(PATTERN, messages.requested_text("q", LONGEST) or snippets[0])
    st.pills(
        t("query.snippets"),
        snippets,
        key=f"{KEY}.snippet.{work.lang}",
        on_change=_paste,
        args=(work.lang,),
        format_func=html.plain,
    )
    with st.form(f"{KEY}.query", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(t("query.pattern"), key=PATTERN, max_chars=LONGEST, persist_state="session")
        st.form_submit_button(t("query.search"), type="primary", key=f"{KEY}.search")
    url.set_param("q", st.session_state[PATTERN], snippets[0])
    kinds = [*workspace.kinds(work.lang), "own"]
    usual = kinds[-2:][0]
    url.init_from_param(f"{KEY}.set.{work.lang}", "set", kinds, usual)
    st.session_state.setdefault(f"{KEY}.enhanced", st.query_params.get("graph") != "basic")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        kind = choice.one_of(
            t("query.where"), {k: _kind(k) for k in kinds}, default=usual, key=f"{KEY}.set.{work.lang}", persist_state="session"
        )
        enhanced = st.toggle(t("query.enhanced"), key=f"{KEY}.enhanced", help=t("query.enhanced_help"), persist_state="session")
    url.set_param("set", kind, usual)
    url.set_param("graph", "" if enhanced else "basic")
    try:
        corpus = _upload(work) if kind == "own" else workspace.corpus(work.lang, work.parser, kind)
        if corpus is None:
            return
        pattern = Pattern(st.session_state[PATTERN])
        hits = search(pattern, corpus.enhanced(work.rules.steps), enhanced=enhanced)
    except SpiceError as error:
        _say(error)
        return
    html.note(t("query.aloud", pattern=reading.describe_pattern(pattern, workspace.known_labels(work))))
    _show_hits(work, pattern, hits, len(corpus.documents))


def leave() -> None:
    """Take the query out of the address, which another section does not show."""
    for name in PLACES:
        url.set_param(name, "")


def _kind(name: str) -> str:
    return t(f"query.{name}")


def _paste(lang: str) -> None:
    if snippet := st.session_state.get(f"{KEY}.snippet.{lang}"):
        st.session_state[PATTERN] = snippet


def _say(error: SpiceError) -> None:
    """The error and, if it is in the pattern, its place there."""
    messages.say([problem(error)], kind="problem")
    if isinstance(error, RuleError) and error.part == "pattern" and error.position is not None:
        st.code(f"{st.session_state[PATTERN]}\n{' ' * error.position}^", language=None)


def _upload(work: Workspace) -> ParsedCorpus | None:
    """The captions or trees of an uploaded file, kept in the session."""
    file = st.file_uploader(t("query.upload"), type=["txt", "conllu"], key=f"{KEY}.captions.{work.lang}")
    if file is None:
        return None
    cache_key = (file.file_id, work.lang, work.parser)
    cached = st.session_state.get(f"{KEY}.uploaded")
    if not cached or cached[0] != cache_key:
        with st.spinner(t("query.parsing")):
            st.session_state[f"{KEY}.uploaded"] = cached = (cache_key, read(file.name, file.getvalue(), work))
    return cached[1]


def read(name: str, raw: bytes, work: Workspace) -> ParsedCorpus:
    """The captions of a text file, one a line, or the trees of a CoNLL-U file. Raises InputError."""
    lines = list(io.StringIO(text_of(raw, name), newline=None))
    if name.endswith(".conllu"):
        documents, signature = list(conllu.read(lines, name=name)), "conllu"
    else:
        captions = [line.strip() for line in lines if line.strip()]
        if len(captions) > LARGEST:
            raise InputError(name, Message("found.captions", number=len(captions)), Message("expected.at_most", number=LARGEST))
        parser = work.pack.parser(work.parser)
        documents, signature = list(parser.parse(captions)), parser.signature
    if not documents:
        raise InputError(name, Message("found.empty_file"), Message("expected.captions_or_trees"))
    return ParsedCorpus(work.pack, documents, signature)


def _show_hits(work: Workspace, pattern: Pattern, hits: list[Hit], captions: int) -> None:
    distinct = len({hit.position for hit in hits})
    html.heading(t("query.hits", hits=len(hits), captions=distinct, of=captions))
    if not hits:
        html.note(t("query.none"))
        return
    names = list(pattern.named) or list(hits[0].bindings)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        name = _choice("group", names, {one: one for one in names}, ".".join(names))
        by = _choice("by", BY, {one: t(f"parse.{one}") for one in BY})
        groups = group_hits(hits, name, by)
        labels = {"": t("query.all", number=len(hits)), **{value: f"{value} ({len(group)})" for value, group in groups.items() if value}}
        only = _choice("only", list(labels), labels, f"{name}.{by}.{hash(tuple(labels))}")
        heads = ["caption", *(f"{one} ({what})" for one in names for what in ("word", "lemma", "relation"))]
        table = ([hit.caption, *(v for n in names for v in (hit.word(n), hit.value(n), hit.value(n, "relation")))] for hit in hits)
        st.download_button(
            t("query.save"), as_csv(heads, table), file_name="hits.csv", mime="text/csv", on_click="ignore", key=f"{KEY}.hits"
        )
    left, right = st.columns([1, 2], gap="medium")
    with left:
        _show_groups(groups, only, f"{KEY}.only.{name}.{by}.{hash(tuple(labels))}")
    with right:
        _list_hits(work, groups[only] if only else hits)


def _choice(name: str, options: Sequence[str], labels: Mapping[str, str], of: str = "") -> str:
    """A list whose choice the address holds; it begins with its first option."""
    widget = ".".join(filter(None, (f"{KEY}.{name}", of)))
    url.init_from_param(widget, name, options, options[0])
    chosen = choice.in_list(t(f"query.{name}"), {one: labels[one] for one in options}, key=widget, persist_state="session")
    url.set_param(name, chosen, options[0])
    return chosen


def _show_groups(groups: Mapping[str, list[Hit]], only: str, widget: str) -> None:
    """The largest groups as bars; a click on one shows its hits, another click all. The whole list stands below."""
    values = [value for value in groups if value][:BARS]
    counts = [len(groups[value]) for value in values]

    def clicked() -> None:
        if points := st.session_state[f"{KEY}.groups"].selection.points:
            value = values[points[0]["point_index"]]
            st.session_state[widget] = "" if value == only else value

    if values:
        html.titled_note(t("query.groups", number=len(groups)), t("query.click"))
        place = values.index(only) if only in values else None
        figure = charts.bars(values, counts, list(map(str, counts)), [""] * len(values), chosen=place, style=page.style())
        alt = t("query.groups_alt", groups=", ".join(f"{value}: {count}" for value, count in zip(values, counts)))
        st.plotly_chart(figure, key=f"{KEY}.groups", on_select=clicked, selection_mode="points", alt=alt, **LOOK)
    if len(groups) > len(values):
        rows = [[escape(value) or "–", str(len(group))] for value, group in list(groups.items())[:MOST]]
        with st.expander(t("query.table")):
            st.html(wording.table([t("query.value"), t("query.count")], rows, high=True))


def _list_hits(work: Workspace, hits: list[Hit]) -> None:
    """The hits with their words marked, and one of them as a drawing."""
    shown = hits[:MOST]
    rows = [
        [
            str(number),
            wording.mark_sentence(hit.graph.tokens, list(hit.bindings.values())),
            wording.binding_list({n: hit.word(n) for n in hit.bindings}),
        ]
        for number, hit in enumerate(shown, 1)
    ]
    st.html(wording.table(["", t("captions.title"), t("trace.bindings")], rows, high=True))
    if len(hits) > MOST:
        html.note(t("query.more", shown=MOST, number=len(hits)))
    number = st.selectbox(
        t("query.draw"),
        range(len(shown)),
        format_func=lambda n: f"{n + 1}. {shown[n].caption}",
        key=f"{KEY}.hit.{hash(tuple(hit.caption for hit in shown))}",
    )
    hit = shown[min(number or 0, len(shown) - 1)]
    words = [value for value in hit.bindings.values() if isinstance(value, int)]
    inside = [edge for edge in hit.graph.edges if edge.head in words and edge.dependent in words]
    trees.draw(hit.graph, hit.caption, lang=work.lang, words=words, marked=inside)
