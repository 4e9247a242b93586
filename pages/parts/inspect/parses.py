"""The parse of a caption: its trees, its arguments and its words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape

import streamlit as st

from pages.parts.kit import choice
from pages.parts.kit import page as shell
from pages.parts.kit.choice import drawer
from pages.parts.kit.html import plain_table
from pages.parts.kit.texts import t
from pages.parts.state.engine import ScoredCaptions
from spice_core.draw import trees
from spice_core.lang import language
from spice_core.lang.pack import Argument, LanguagePack
from spice_core.syntax import conllu
from spice_core.syntax.document import Document, Sentence


def offer_parses(scored_captions: ScoredCaptions, positions: Sequence[int]) -> None:
    """Show buttons that open the parses of the captions at these positions (0 is the candidate).

    A click reruns the full page, because the caller may be a fragment without the parses.
    """

    def open_parse(position: int) -> None:
        st.session_state["inspect.parses"] = True
        st.session_state["inspect.parse"] = position

    for position in positions:
        label = t("parse.open", caption=scored_captions.caption_labels[position])
        if st.button(label, key=f"inspect.open.{position}", on_click=open_parse, args=(position,), type="tertiary"):
            st.rerun()


@st.fragment
@drawer("parse.title", "inspect.parses")
def show_drawer(scored_captions: ScoredCaptions) -> None:
    """Show an expander with the parse of one caption at a time."""
    result, names = scored_captions.result, scored_captions.caption_labels
    caption_index = choice.segmented_control(t("parse.caption"), dict(enumerate(names)), key="inspect.parse")
    parse = (result.candidate, *result.references)[caption_index]
    if parse.document is None or not parse.document.sentences:
        st.html(f'<p class="sc-note">{t("parse.none")}</p>')
        return
    _show_parse(parse.document, lang=result.signature.lang)
    if st.toggle(t("parse.conllu"), key="inspect.conllu"):
        st.code(conllu.write(parse.document), language=None)


def _show_parse(document: Document, *, lang: str) -> None:
    pack = language(lang)
    pictures = [picture for sentence in document.sentences for picture in _trees_of_sentence(sentence, pack)]
    page = trees.tree_page(pictures, replace(shell.display_style(), font_css=shell.font_css()), lang=lang)
    st.iframe(page, height="content", alt=t("parse.frame"))
    arguments_column, words_column = st.columns([2, 3], gap="medium")
    structures = [(sentence, pack.structure(sentence)) for sentence in document.sentences]
    with arguments_column:
        has_arguments = any(structure for _, structure in structures)
        rows = [row for sentence, structure in structures for row in (structure.arguments if structure else edge_rows(sentence))]
        title, headers = ("arguments", ("predicate", "case", "argument")) if has_arguments else ("edges", ("head", "relation", "dependent"))
        other_origin = t("parse.inferred" if has_arguments else "parse.added")
        cells = [[row.predicate, row.case, row.argument, t("parse.in_tree") if row.is_explicit else other_origin] for row in rows]
        _show_table(title, (*headers, "read"), cells, lang=lang)
        st.html(f'<p class="sc-note">{t(f"parse.{title}_note")}</p>')
    with words_column:
        word_rows = [cells for sentence in document.sentences for cells in _token_rows(sentence)]
        _show_table("words", ("number", "word", "lemma", "tag", "head", "relation"), word_rows, lang=lang)


def edge_rows(sentence: Sentence) -> list[Argument]:
    """Return the edges of the enhanced graph: head, relation, dependent, and whether the basic tree has the edge."""
    words = {token.index: token.text for token in sentence.tokens}
    basic = set(sentence.basic)
    return [
        Argument(words[e.head], e.relation, words[e.dependent], e in basic) for e in sorted(sentence.enhanced or sentence.basic) if e.head
    ]


def _trees_of_sentence(sentence: Sentence, pack: LanguagePack) -> Iterator[tuple[str, dict]]:
    if structure := pack.structure(sentence):
        yield t("parse.units"), trees.unit_tree(sentence, structure.units)
    yield t("parse.tree"), trees.word_tree(sentence)


def _token_rows(sentence: Sentence) -> Iterator[list[str]]:
    edge_by_dependent = {e.dependent: e for e in sentence.basic}
    for token in sentence.tokens:
        edge = edge_by_dependent[token.index]
        head = f"{edge.head} {sentence.tokens[edge.head - 1].text}" if edge.head else "–"
        yield [str(token.index), token.text, token.lemma, token.tag, head, edge.relation]


def _show_table(title: str, names: Iterable[str], rows: Iterable[Sequence[str]], *, lang: str) -> None:
    cells = (map(escape, row) for row in rows)
    table = plain_table([t(f"parse.{name}") for name in names], map(tuple, cells), "sc-words-table", lang=lang)
    st.html(f'<h4 class="sc-small">{t(f"parse.{title}")}</h4>{table}')
