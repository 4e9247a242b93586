"""The tree of the caption, corrected by hand: its tuples follow at once, and it can be kept as a test case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from pages.parts.kit import html, messages
from pages.parts.kit.texts import problem, t
from pages.parts.rules import gold, wording, workspace
from pages.parts.rules.workspace import KEY, Workspace
from pages.parts.views import trees
from spice_core.data.gold import GoldGraph
from spice_core.data.gold_trees import SUFFIX, write_trees
from spice_core.errors import InputError
from spice_core.scene.propositions import closed, ordered
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document, Sentence
from spice_core.syntax.tree_edit import LONGEST, Labels, Row, edited, rows, with_sentence

TABLE = f"{KEY}.tree.table"
COLUMNS = ("lemma", "tag", "head", "label")


class Table(NamedTuple):
    """The table that is being edited: its sentence, the current tree, the rows that it began with, and its number."""

    place: tuple[str, str, str, int]
    tree: Document
    start: pd.DataFrame
    turn: int

    @property
    def widget(self) -> str:
        return f"{TABLE}.{self.turn}"


def show(work: Workspace) -> None:
    """The tree as a table, its tuples, and the tree drawn."""
    sentences = work.parsed.sentences
    if not sentences:
        html.note(t("trace.nothing"))
        return
    texts = work.parsed.sentence_texts
    number = 0
    if len(sentences) > 1:
        number = st.selectbox(t("tree.sentence"), range(len(sentences)), format_func=texts.__getitem__, key=_key("sentence", work))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        wrong = _editor(work, number)
        _buttons(work, wrong=wrong)
    with right:
        _tuples(work)
        _case(work)
    now = work.parsed.sentences[number]
    before = workspace.parse_caption(work.caption, work.lang, work.parser).sentences[number]
    marked = [edge for edge in now.basic if edge not in before.basic]
    trees.draw(DependencyGraph(now.tokens, now.basic), t("trace.tree"), lang=work.lang, marked=marked)


def take_over(work: Workspace, document: Document) -> None:
    """Take over a corrected tree."""
    workspace.correct(work, (*work.corrections, document))


def _editor(work: Workspace, number: int) -> bool:
    """The table; a change that makes a tree is taken over at once. Whether it makes none."""
    document = work.parsed
    sentence = document.sentences[number]
    table, known = _table(work, number), labels(work)
    columns = _columns(sentence, known)
    written = st.data_editor(table.start, column_config=columns, hide_index=True, key=table.widget, num_rows="fixed", alt=t("tree.table"))
    changed = list(_rows(written))
    if changed == list(rows(sentence)):
        return False
    try:
        corrected = with_sentence(document, number, edited(sentence, changed, known))
    except InputError as error:
        messages.say([problem(error), t("tree.in_force")], kind="problem")
        return True
    workspace.correct(work, (*work.corrections, corrected))
    st.session_state[TABLE] = table._replace(tree=corrected)
    return False


def _table(work: Workspace, number: int) -> Table:
    """The table of the sentence, begun anew where its tree changed elsewhere or the table was left."""
    place, table = (work.lang, work.parser, work.caption, number), st.session_state.get(TABLE)
    if not table or (table.place, table.tree) != (place, work.parsed) or table.widget not in st.session_state:
        turn = st.session_state.get(f"{TABLE}.turn", 0) + 1
        table = Table(place, work.parsed, _frame(work.parsed.sentences[number]), turn)
        st.session_state[TABLE], st.session_state[f"{TABLE}.turn"] = table, turn
    return table


def _frame(sentence: Sentence) -> pd.DataFrame:
    """A row for each word."""
    heads = _heads(sentence)
    table = [
        [token.index, token.text, row.lemma, row.tag, heads[row.head], row.relation] for token, row in zip(sentence.tokens, rows(sentence))
    ]
    return pd.DataFrame(table, columns=["number", "word", *COLUMNS])


def _heads(sentence: Sentence) -> list[str]:
    """The words with their numbers, as they are chosen for heads."""
    return ["0 ROOT", *(f"{token.index} {token.text}" for token in sentence.tokens)]


def _rows(frame: pd.DataFrame) -> Iterator[Row]:
    for lemma, tag, head, label in frame[list(COLUMNS)].fillna("").values.tolist():
        number = int(head.partition(" ")[0] or -1)
        yield Row(lemma, tag, number, label if number else "root")


def _columns(sentence: Sentence, labels: Labels) -> dict[str, Any]:
    tags = sorted(labels.tags.union(token.tag for token in sentence.tokens))
    return {
        "number": st.column_config.NumberColumn(t("parse.number"), disabled=True, width="small"),
        "word": st.column_config.TextColumn(t("parse.word"), disabled=True),
        "lemma": st.column_config.TextColumn(t("parse.lemma"), max_chars=LONGEST, required=True),
        "tag": st.column_config.SelectboxColumn(t("parse.tag"), options=tags, required=True),
        "head": st.column_config.SelectboxColumn(t("parse.head"), options=_heads(sentence), required=True),
        "label": st.column_config.SelectboxColumn(t("parse.relation"), options=sorted(labels.relations), required=True),
    }


def labels(work: Workspace) -> Labels:
    """What tags and relations may be chosen: those of the tagset, of UD and of the gold captions."""
    known: Sequence[Document] = workspace.corpus(work.lang, work.parser, "gold").documents if workspace.gold(work.lang) else ()
    return Labels.of([*known, workspace.parse_caption(work.caption, work.lang, work.parser), *work.corrections[-1:]], work.pack.tags)


def _buttons(work: Workspace, *, wrong: bool) -> None:
    """Undo, and back to the parser's tree."""

    def undo() -> None:
        if wrong:
            st.session_state.pop(TABLE)
        else:
            workspace.correct(work, work.corrections[:-1])

    def restore() -> None:
        workspace.correct(work, ())
        st.session_state.pop(TABLE)

    idle = not work.corrections and not wrong
    with st.container(horizontal=True, gap="small"):
        st.button(t("tree.undo"), on_click=undo, disabled=idle, key=f"{KEY}.tree.undo")
        st.button(t("tree.restore"), on_click=restore, disabled=idle, key=f"{KEY}.tree.restore")


def _tuples(work: Workspace) -> None:
    """The tuples of the tree, those gained and lost against the parser's tree marked."""
    before, now = (
        closed(p.words for p in workspace.apply_rules(work.pack, work.rules, document, work.caption).propositions)
        for document in (workspace.parse_caption(work.caption, work.lang, work.parser), work.parsed)
    )
    html.heading(t("trace.tuples", number=len(now)))
    if work.corrections:
        html.note(t("tree.changed", gained=len(now - before), lost=len(before - now)))
    parts = ((now - before, "+"), (before - now, "−"), (now & before, ""))
    st.html("".join(wording.tuple_list(ordered(found), mark) for found, mark in parts if found) or wording.tuple_list(()))


def _case(work: Workspace) -> None:
    """Keep the tree with its tuples as a test case, and save the cases that have trees."""
    kept = [case for case in gold.cases(work.lang).values() if case.document]

    def keep() -> None:
        known = gold.known_case(work)
        tuples = known.tuples if known else closed(p.words for p in work.parse(work.caption).propositions)
        gold.keep(work.lang, [GoldGraph(work.caption, tuples, document=work.parsed)])

    st.button(t("tree.keep"), on_click=keep, type="primary", key=f"{KEY}.tree.keep", help=t("tree.keep_help"))
    if kept:
        html.note(t("tree.cases", number=len(kept)))
        data = write_trees(kept)
        name = f"{KEY}-gold{SUFFIX}"
        st.download_button(t("gold.save_trees"), data, name, "text/plain", on_click="ignore", key=f"{KEY}.tree.save")


def _key(name: str, work: Workspace) -> str:
    return f"{KEY}.tree.{name}.{hash((work.lang, work.parser, work.caption))}"
