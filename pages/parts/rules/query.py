"""Query: a pattern searched over many captions, its hits grouped, drawn and saved."""

from __future__ import annotations

import io
from html import escape

import streamlit as st

from pages.parts.kit import choice, html, messages, url
from pages.parts.kit.texts import problem, t
from pages.parts.rules import wording, workspace
from pages.parts.rules.workspace import KEY, Work
from pages.parts.views import trees
from spice_core.data.reader import text_of
from spice_core.errors import InputError, Message, RuleError, SpiceError
from spice_core.report.tables import as_csv
from spice_core.rules import Pattern
from spice_core.syntax import conllu
from spice_core.workbench.corpus import ParsedCorpus
from spice_core.workbench.query import BY, Hit, grouped, search

PATTERN = f"{KEY}.pattern"
MOST, LARGEST = 40, 5_000  # hits listed; captions of an upload
LONGEST = 500  # characters of a pattern


def show(work: Work) -> None:
    """The pattern, the captions to search, and the hits."""
    snippets = work.pack.first_patterns
    st.session_state.setdefault(PATTERN, messages.asked("q", LONGEST) or snippets[0])
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
    url.keep("q", st.session_state[PATTERN], snippets[0])
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        kinds = [*workspace.kinds(work.lang), "own"]
        kind = choice.one_of(t("query.where"), {k: _kind(k) for k in kinds}, default=kinds[-2:][0], key=f"{KEY}.set.{work.lang}")
        enhanced = st.toggle(t("query.enhanced"), True, key=f"{KEY}.enhanced", help=t("query.enhanced_help"))
    try:
        corpus = _uploaded(work) if kind == "own" else workspace.corpus(work.lang, work.parser, kind)
        if corpus is None:
            return
        pattern = Pattern(st.session_state[PATTERN])
        hits = search(pattern, corpus.enhanced(work.rules.steps), enhanced=enhanced)
    except SpiceError as error:
        _say(error)
        return
    _found(work, pattern, hits, len(corpus.documents))


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


def _uploaded(work: Work) -> ParsedCorpus | None:
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


def read(name: str, raw: bytes, work: Work) -> ParsedCorpus:
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


def _found(work: Work, pattern: Pattern, hits: list[Hit], captions: int) -> None:
    distinct = len({hit.position for hit in hits})
    html.heading(t("query.hits", hits=len(hits), captions=distinct, of=captions))
    if not hits:
        html.note(t("query.none"))
        return
    names = list(pattern.named) or list(hits[0].bindings)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        name = st.selectbox(t("query.group"), names, key=f"{KEY}.group.{'.'.join(names)}")
        by = st.selectbox(t("query.by"), BY, format_func={one: t(f"parse.{one}") for one in BY}.__getitem__, key=f"{KEY}.by")
        groups = grouped(hits, name, by)
        labels = {"": t("query.all", number=len(hits)), **{value: f"{value} ({len(group)})" for value, group in groups.items() if value}}
        only = st.selectbox(
            t("query.only"), list(labels), format_func=labels.__getitem__, key=f"{KEY}.only.{name}.{by}.{hash(tuple(labels))}"
        )
        heads = ["caption", *(f"{one} ({what})" for one in names for what in ("word", "lemma", "relation"))]
        table = ([hit.caption, *(v for n in names for v in (hit.word(n), hit.value(n), hit.value(n, "relation")))] for hit in hits)
        st.download_button(
            t("query.save"), as_csv(heads, table), file_name="hits.csv", mime="text/csv", on_click="ignore", key=f"{KEY}.hits"
        )
    left, right = st.columns([1, 3], gap="medium")
    with left:
        rows = [[escape(value) or "–", str(len(group))] for value, group in list(groups.items())[:MOST]]
        st.html(wording.table([t(f"parse.{by}"), t("query.count")], rows, high=True))
    with right:
        _listed(work, groups[only] if only else hits)


def _listed(work: Work, hits: list[Hit]) -> None:
    """The hits with their words marked, and one of them as a drawing."""
    shown = hits[:MOST]
    rows = [[str(number), _marked(hit), wording.bound({n: hit.word(n) for n in hit.bindings})] for number, hit in enumerate(shown, 1)]
    st.html(wording.table(["", t("captions.title"), t("trace.bindings")], rows, high=True))
    if len(hits) > MOST:
        html.note(t("query.more", shown=MOST, number=len(hits)))
    number = st.selectbox(t("query.draw"), range(len(shown)), format_func=lambda n: f"{n + 1}. {shown[n].caption}", key=f"{KEY}.hit")
    hit = shown[min(number or 0, len(shown) - 1)]
    words = [value for value in hit.bindings.values() if isinstance(value, int)]
    inside = [edge for edge in hit.graph.edges if edge.head in words and edge.dependent in words]
    trees.draw(hit.graph, hit.caption, lang=work.lang, words=words, marked=inside)


def _marked(hit: Hit) -> str:
    """The sentence with the words of the hit marked."""
    words = {value for value in hit.bindings.values() if isinstance(value, int)}
    out, end = [], None
    for token in hit.graph.tokens:
        gap = "" if end is not None and token.start == end >= 0 else " "
        out.append(gap + (f"<b><u>{escape(token.text)}</u></b>" if token.index in words else escape(token.text)))
        end = token.end
    return "".join(out).strip()
