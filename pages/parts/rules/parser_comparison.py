"""Comparison of two parsers on the same captions: differences in trees and tuples, and the parser that is closer to the gold graphs."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.parts.kit import choice, html
from pages.parts.kit.texts import t
from pages.parts.rules import query, rule_workspace, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.views import graphs
from spice_core.data.gold import GoldGraph
from spice_core.errors import InputError
from spice_core.explain.evidence import tuple_text
from spice_core.report.tables import table_csv
from spice_core.scene.propositions import Parse, sort_tuples
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Document, Sentence
from spice_core.workbench.corpus import ParsedCorpus
from spice_core.workbench.parser_diff import ParseDiff, parse_diffs

UPLOAD_CHOICE = "conllu"
MAX_SHOWN_ROWS = 100


def show_parser_comparison(workspace: Workspace) -> None:
    """Show the choice of parsers and captions, and the differences."""
    choices = [*rule_workspace.available_parsers(workspace.pack), UPLOAD_CHOICE]
    first_index = choices.index(workspace.parser)
    second_index = next((n for n, name in enumerate(choices) if name != workspace.parser), 0)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        names = [
            choice.selectbox(
                t(f"parsers.{slot}"), {name: _parser_label(name) for name in choices}, index=index, key=f"rules.{slot}.{workspace.lang}"
            )
            for slot, index in (("one", first_index), ("two", second_index))
        ]
        caption_sets = ["caption", *rule_workspace.bundled_caption_sets(workspace.lang)]
        labels, key = {k: t(f"query.{k}") for k in caption_sets}, f"rules.contrast.{workspace.lang}"
        caption_set = choice.segmented_control(t("query.where"), labels, default=caption_sets[:2][-1], key=key)
    if names[0] == names[1]:
        html.show_note(t("parsers.same"))
        return
    gold = {graph.caption: graph for graph in rule_workspace.gold_graphs(workspace.lang)}
    captions_by_set = {"caption": [workspace.caption], "gold": list(gold), "sample": list(rule_workspace.sample_captions(workspace.lang))}
    captions = captions_by_set[caption_set]
    corpora = [corpus for name in names if (corpus := _parsed_corpus(workspace, name, caption_set, captions))]
    if len(corpora) < len(names):
        html.show_note(t("parsers.upload_first"))
        return
    sides = [corpus.parses(workspace.rules) for corpus in corpora]
    shared_indices = [n for n in range(len(captions)) if all(_sentences(side[n]) for side in sides)]  # captions that both have parsed
    captions, parses = [captions[n] for n in shared_indices], [[side[n] for n in shared_indices] for side in sides]
    first_parses, second_parses = parses
    diffs = list(parse_diffs(first_parses, second_parses, [gold.get(caption) for caption in captions]))
    _show_summary(diffs, names)
    _show_differences(workspace, diffs, parses, names, gold)


def _parser_label(parser: str) -> str:
    return t("parsers.file") if parser == UPLOAD_CHOICE else parser


def _parsed_corpus(workspace: Workspace, parser: str, caption_set: str, captions: list[str]) -> ParsedCorpus | None:
    """Return the captions parsed by one parser, or None while uploaded trees are missing.

    Raises InputError if the file contains no tree of any of the captions.
    """
    if parser != UPLOAD_CHOICE:
        if caption_set == "caption":
            document = rule_workspace.parse_caption(workspace.caption, workspace.lang, parser)
            return ParsedCorpus(workspace.pack, [document], parser)
        return rule_workspace.parsed_corpus(workspace.lang, parser, caption_set)
    file = st.file_uploader(t("parsers.upload"), type=["conllu"], key=f"rules.trees.{workspace.lang}")
    if file is None:
        return None
    trees = {document.text.strip(): document for document in query.read_captions(file.name, file.getvalue(), workspace).documents}
    documents = [trees.get(caption.strip()) for caption in captions]
    if not any(documents):
        raise InputError(file.name, next(iter(trees), ""), t("parsers.expected"))
    return ParsedCorpus(workspace.pack, [document or Document("", ()) for document in documents], UPLOAD_CHOICE)


def _sentences(parse: Parse) -> tuple[Sentence, ...]:
    return parse.document.sentences if parse.document else ()


def _show_summary(diffs: list[ParseDiff], parser_names: Sequence[str]) -> None:
    trees, tuples = sum(c.has_same_trees for c in diffs), sum(c.has_same_tuples for c in diffs)
    html.show_heading(t("parsers.compared", number=len(diffs)))
    rows = [[t("parsers.trees"), f"{trees}", f"{len(diffs) - trees}"], [t("parsers.tuples"), f"{tuples}", f"{len(diffs) - tuples}"]]
    st.html(wording.table_html(["", t("parsers.equal"), t("parsers.different")], rows))
    judged_diffs = [c for c in diffs if c.wrong_counts]
    if judged_diffs:
        better_counts = [sum(c.better_parser == n for c in judged_diffs) for n in (0, 1)]
        wrong_counts = [sum(c.wrong_counts[n] for c in judged_diffs if c.wrong_counts) for n in (0, 1)]
        rows = [[escape(_parser_label(name)), str(better_counts[n]), str(wrong_counts[n])] for n, name in enumerate(parser_names)]
        st.html(wording.table_html([t("settings.parser"), t("parsers.nearer"), t("parsers.mistakes")], rows))


def _show_differences(
    workspace: Workspace, diffs: list[ParseDiff], parses: list[list[Parse]], parser_names: Sequence[str], golden: dict[str, GoldGraph]
) -> None:
    """Show the differing tuples, a download of all differences, and both trees of a chosen caption."""
    parse_diffs = sorted((c for c in diffs if not (c.has_same_trees and c.has_same_tuples)), key=lambda c: (c.has_same_tuples, c.position))
    if not parse_diffs:
        return
    _show_different_tuples(parse_diffs[:MAX_SHOWN_ROWS], parser_names)
    choice.download_button(
        t("effect.save"), _differences_as_csv(parse_diffs, parser_names), "rules-parsers.csv", "text/csv", key="rules.contrasts"
    )
    key, caption_of = f"rules.differ.{'.'.join(parser_names)}", lambda n: parse_diffs[n].caption
    diff_number = st.selectbox(t("parsers.draw"), range(len(parse_diffs)), format_func=caption_of, key=key)
    chosen_diff = parse_diffs[min(diff_number or 0, len(parse_diffs) - 1)]
    if chosen_diff.tags:
        html.show_note(t("parsers.tags", list=", ".join(f"{word}: {a} / {b}" for word, a, b in chosen_diff.tags)))
    pictures = []
    for side, name, only in zip(parses, map(_parser_label, parser_names), chosen_diff.edges, strict=True):
        for sentence in _sentences(side[chosen_diff.position]):
            graph = DependencyGraph(sentence.tokens, sentence.basic)
            highlighted_edges = [e for e in graph.edges if _edge_words(graph, e) in only]
            pictures.append((name, graph, (), highlighted_edges))
    graphs.draw_trees(pictures, lang=workspace.lang)
    if gold := golden.get(chosen_diff.caption):
        html.show_heading(t("parsers.gold"))
        st.html(wording.tuple_list(sort_tuples(gold.tuples)))


def _show_different_tuples(diffs: Sequence[ParseDiff], parser_names: Sequence[str]) -> None:
    """Show a table of the tuples that only one parser yields, with the parser that is closer to the gold graph."""
    labels: dict[int | None, str] = {None: "–", **dict(enumerate(escape(_parser_label(name)) for name in parser_names))}
    rows = [
        [escape(c.caption), *(wording.tuple_list(side) for side in c.tuples), labels[c.better_parser]]
        for c in diffs
        if not c.has_same_tuples
    ]
    if rows:
        headers = [t("captions.title"), *(t("parsers.only", name=_parser_label(name)) for name in parser_names), t("parsers.nearer")]
        st.html(wording.table_html(headers, rows, scrolls_vertically=True))


def _differences_as_csv(diffs: Sequence[ParseDiff], parser_names: Sequence[str]) -> bytes:
    """Return a CSV file with one row per caption: tuples and edges that only one parser yields."""
    lines = (
        [c.caption, *("; ".join(map(tuple_text, s)) for s in c.tuples), *("; ".join(" ".join(a) for a in s) for s in c.edges)]
        for c in diffs
    )
    return table_csv(["caption", *(f"{field} of {name}" for field in ("tuples", "edges") for name in parser_names)], lines)


def _edge_words(graph: DependencyGraph, edge: Dependency) -> tuple[str, str, str]:
    return graph.token(edge.head).text if edge.head else "", edge.relation, graph.token(edge.dependent).text
