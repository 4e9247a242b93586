"""Browser components, such as the graph, which reports clicked tuples."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import t
from spice_core.draw import frame, picture, trees
from spice_core.explain.evidence import TupleRow
from spice_core.syntax.document import Token

_BAR_TEXT_KEYS = ("find", "found", "none", "before", "next", "all", "sentences")
_SCRIPTS_FOLDER = Path(__file__).parents[3] / "assets" / "scripts"


@cache
def _registered_components() -> dict[str, Callable]:
    """Return the registered components by name: clickable graphs, tables and words, tab storage, and browser events."""
    html = {
        "graphs": '<nav></nav><main role="group"></main>',
        "copy": '<div><button type="button"></button><span role="status"></span></div>',
        "grid": '<div tabindex="-1"><table></table></div>',
        "bars": "<section></section>",
        "fired": "<ul></ul>",
        "present": "<dialog></dialog>",
        "sheet": '<div class="sc-sheet"></div>',
        "words": '<div role="toolbar"></div><div class="state"><p role="status"></p><button type="button" class="clear"></button></div><figure></figure>',
    }
    read_file = lambda name, suffix: (_SCRIPTS_FOLDER / f"{name}.{suffix}").read_text(encoding="utf-8")
    styles = {name: read_file(name, "css") for name in ("copy", "grid", "bars", "fired", "present")}
    styles |= {"graphs": frame.drawing_css() + read_file("bar", "css"), "words": trees.tree_css() + read_file("words", "css")}
    styles["sheet"] = page.printed_sheet_css()
    scripts = {name: read_file("el", "js") + read_file(name, "js") for name in ("code", "grid", "bars", "words", "fired", "present")}
    scripts["graphs"] = frame.drawing_script() + read_file("bar", "js") + read_file("linked", "js")
    names = {*html, "details", "leave", "tab", "work", "reveal", "fields", "code", "press"}
    return {
        name: st.components.v2.component(
            f"spice_{name}", html=html.get(name), css=styles.get(name), js=scripts.get(name) or read_file(name, "js")
        )
        for name in names
    }


def registered_component(name: str) -> Callable[..., Any]:
    """Return a browser component."""
    return _registered_components()[name]


def draw_graphs(
    drawing: Mapping[str, object],
    rows: Sequence[TupleRow],
    nodes: Mapping[str, Sequence[str]],
    *,
    result: str,
    focus: str,
    highlighted_rows: Sequence[str],
    sentences: Sequence[Mapping[str, object]],
    make_picture: Callable[[object], Mapping[str, str] | None],
    key: str,
) -> None:
    """Draw the graphs, emphasise the nodes of the ``highlighted_rows``, and mark the row ``focus`` everywhere on the page.

    ``nodes`` maps each row id to its nodes. ``sentences`` are the sentences of captions with several sentences, each with its nodes. The
    visitor can step through these sentences.
    A click writes the id of the clicked row, or "" for the background, to the session state of the focus box (``key``.focus). Once the
    browser has received the details of the same ``result`` from :func:`send_details`, it shows the explanation of a clicked row without
    waiting for the server. A step to a sentence writes the id of the sentence to ``key``.part. ``make_picture`` receives the options of a
    picture, must check them, and returns the id, name and URL of the file to save.
    """
    owners = {node: row for row in reversed([*nodes]) for node in nodes[row]} | {row: row for row in nodes if row in nodes[row]}
    row_of_node = {node: row.id for row in reversed(rows) for node in row.nodes}
    nearby_rows = {row.id: [row_of_node[host] for host in row.hosts if host in row_of_node] for row in rows}

    def on_click() -> None:
        clicked_row = st.session_state[f"{key}.graphs"].row
        st.session_state[f"{key}.focus"] = clicked_row if clicked_row in nodes else ""

    def on_step() -> None:
        st.session_state[f"{key}.part"] = st.session_state[f"{key}.graphs"].part

    def on_picture() -> None:
        st.session_state[f"{key}.file"] = make_picture(st.session_state[f"{key}.graphs"].picture)

    menu: dict[str, object] = {name: t(f"picture.{name}") for name in ("picture", "format", "width", "legend", "save")}
    menu["formats"] = [("svg", "SVG"), ("pdf", "PDF"), ("png/2", "PNG 2×"), ("png/3", "PNG 3×")]
    menu["widths"] = [(picture.ONE_COLUMN_MM, t("picture.one")), (picture.TWO_COLUMNS_MM, t("picture.two"))]
    data = {
        **drawing,
        "picture": menu,
        "file": st.session_state.pop(f"{key}.file", None),
        "row": focus,
        "focus": [n for row in highlighted_rows for n in nodes[row]],
        "rows": nodes,
        "near": nearby_rows,
        "owners": owners,
    }
    data |= {"result": result, "details": f"{key}.details", "parts": sentences, "bar": {name: t(f"bar.{name}") for name in _BAR_TEXT_KEYS}}
    _registered_components()["graphs"](
        key=f"{key}.graphs", data=data, on_row_change=on_click, on_part_change=on_step, on_picture_change=on_picture
    )


def send_details(texts: Mapping[str, str], *, result: str, key: str) -> None:
    """Send the explanation of each row to the browser.

    Call this after :func:`draw_graphs`, because the texts take longer to generate than the drawing.
    """
    name = f"{key}.details"
    _registered_components()["details"](key=name, data={"key": name, "result": result, "details": dict(texts)}, height=1)


def show_copy_button(
    params: Mapping[str, str], *, view: Sequence[str], contains_captions: bool, problem: str = "", base: str = "", key: str
) -> None:
    """Show a button that copies a link with ``params`` and the values of the URL parameters ``view`` at the time of the click.

    The link starts with ``base``, by default the URL of the page.

    If there is a ``problem``, a click shows this message instead.
    """
    texts = {
        "label": t("share.link"),
        "failed": t("share.by_hand"),
        "problem": problem,
        "done": t("share.inside" if contains_captions else "share.example"),
    }
    _registered_components()["copy"](
        key=f"{key}.copy", data={"params": dict(params), "view": list(view), "base": base, **texts}, width="content"
    )


class GridCell(NamedTuple):
    """A button in a grid: id, number, title in words, and whether it is chosen."""

    id: str
    item_count: int
    title: str
    is_chosen: bool


def show_grid(
    caption: str,
    headers: Sequence[tuple[str, str]],
    rows: Sequence[tuple[str, Sequence[GridCell]]],
    *,
    on_choice: Callable[[str], None],
    key: str,
) -> None:
    """Show a table of buttons with numbers. ``headers`` are column titles with explanations. A click calls ``on_choice`` with the cell's id."""
    table_rows = [[name, *(cell._asdict() for cell in cells)] for name, cells in rows]
    data = {"caption": caption, "headers": headers, "rows": table_rows}
    _show_choices("grid", data, {cell.id for _, cells in rows for cell in cells}, on_choice, key)


def _show_choices(name: str, data: Mapping[str, object], ids: Container[str], on_choice: Callable[[str], None], key: str) -> None:
    def on_click() -> None:
        if (chosen_id := st.session_state[key].choice) in ids:
            on_choice(chosen_id)

    _registered_components()[name](key=key, data=data, on_choice_change=on_click)


class BarRow(NamedTuple):
    """A row of bars: id, name, tuple kind (for the colour), ratios (0–1 or None), texts of F1 and counts, and whether it is chosen."""

    id: str
    name: str
    kind: str
    f1: float | None
    precision: float | None
    recall: float | None
    ratio: str
    counts: str
    is_chosen: bool


def show_bars(caption: str, rows: Sequence[BarRow], *, hint: str, on_choice: Callable[[str], None], key: str) -> None:
    """Show rows of bars. A click calls ``on_choice`` with the row's id."""
    data = {"caption": caption, "hint": hint, "chosen": any(row.is_chosen for row in rows), "rows": [row._asdict() for row in rows]}
    _show_choices("bars", data, {row.id for row in rows}, on_choice, key)


class SentenceTree(NamedTuple):
    """A sentence's tree: sentence index, title, and picture as SVG."""

    sentence: int
    title: str
    svg: str


def show_words(
    caption: Sequence[Sequence[Token]], tree: SentenceTree, *, chosen_text: str, lang: str, on_choice: Callable[[object], None], key: str
) -> None:
    """Show a caption's words and a tree. Up to three words can be clicked in either.

    ``chosen_text`` has the form 0.6-7-10, which stands for words 6, 7 and 10 of the first sentence. A click calls ``on_choice`` with the
    chosen words in that form. ``on_choice`` must check this text, because a browser sent it.
    """
    lines = [
        [(token.index, token.text, line_index > 0 and line[line_index - 1].end == token.start) for line_index, token in enumerate(line)]
        for line in caption
    ]
    text = {name: t(f"choose.{name}", words="%") for name in ("label", "clear", "none", "one", "two", "three")}
    text |= {name: t(f"choose.{name}", number="%") for name in ("sentence", "show")}
    data = {"lines": lines, "key": repr(lines), "lang": lang, "chosen": chosen_text, **tree._asdict()}
    data["text"] = {**text, "parts": [t(f"choose.{name}") for name in ("first", "second", "third")]}
    _registered_components()["words"](key=key, data=data, on_choice_change=lambda: on_choice(st.session_state[key].choice))


class FiredRule(NamedTuple):
    """A tuple and its rule: the id of its words, parts, kind, rule, hint, and whether it is chosen."""

    id: str
    parts: Sequence[str]
    kind: str
    rule: str
    hint: str
    is_chosen: bool


def show_fired_rules(caption: str, rows: Sequence[FiredRule], *, on_choice: Callable[[str], None], key: str) -> None:
    """Show tuples with their rules. A click calls ``on_choice`` with the id of the tuple."""
    data = {"caption": caption, "rows": [row._asdict() for row in rows]}
    _show_choices("fired", data, {row.id for row in rows}, on_choice, key)


def warn_before_leaving(*, is_unsaved: bool, save: str, key: str) -> None:
    """Make the browser ask for confirmation before closing a page with unsaved changes.

    After a click on the button with the key ``save``, the browser does not ask.
    """
    _registered_components()["leave"](key=key, data={"unsaved": is_unsaved, "save": save.replace(".", "-")}, height=1)


def exchange_with_tab(
    content: Mapping[str, object], rules: Mapping[str, str], *, ask: str, on_content: Callable[[object], None], key: str
) -> None:
    """Store nonempty content and edited ``rules`` in the browser tab to survive a reload.

    Once for each new ``ask``, ``on_content`` receives what the tab already stores, if anything: the rules and, if ``content`` is empty, the
    content. ``on_content`` must check them, because a browser sent them.
    """
    name = f"{key}.tab"
    data = {"key": key, "content": dict(content), "rules": dict(rules), "ask": ask}
    _registered_components()["tab"](key=name, data=data, on_found_change=lambda: on_content(st.session_state[name].found), height=1)


def exchange_work(
    data: Mapping[str, object],
    *,
    on_content: Callable[[object], None],
    on_mark: Callable[[object], None],
    on_answer: Callable[[object], None],
    key: str,
) -> None:
    """Store scored rows and decisions in the browser tab to survive a reload.

    Args:
        data: The data set on the page (``shown``), its ``decisions``, its packed ``rows`` unless the tab already has them, the id of the
            rows (``mark``), and the request for stored work (``ask``).
        on_content: Receives the stored work, if any, once for each new ``ask``, and must check it, because a browser sent it.
        on_mark: Receives the ``mark`` of new rows, or "" if they do not fit into the tab.
        on_answer: Receives {"fits": whether the decisions fit into the tab} whenever this changes.
    """
    name = f"{key}.work_tab"
    _registered_components()["work"](
        key=name,
        data={"key": key, **data},
        on_found_change=lambda: on_content(st.session_state[name].found),
        on_kept_change=lambda: on_mark(st.session_state[name].kept),
        on_decided_change=lambda: on_answer(st.session_state[name].decided),
        height=1,
    )


def press_on_key(key_name: str, *, button: str, key: str) -> None:
    """Bind a key to a button, like Streamlit's ``shortcut`` but for any key."""
    _registered_components()["press"](key=key, data={"key": key_name, "button": button.replace(".", "-")}, height=1)


def watch_fields(scored_texts: Sequence[str], *, edit: str, on_edit: Callable[[object], None], key: str) -> None:
    """Dim the result while the fields differ from ``scored_texts``, and report typed captions to ``on_edit``.

    A field opens when the visitor clicks its caption outside the marked words, or double-clicks it. ``on_edit`` receives {"captions":
    texts, "fill": whether to fill the fields}, and must check it, because a browser sent it.
    """
    name, data = f"{key}.written", {"key": key, "scored": list(scored_texts), "edit": edit}
    _registered_components()["fields"](key=name, data=data, on_typed_change=lambda: on_edit(st.session_state[name].typed), height=1)


def number_lines(text: str, marks: Mapping[int, str], *, text_id: str, key: str) -> None:
    """Add line numbers, colours and, while the text is unchanged, ``marks`` by line to the text area in the container ``key``.

    Selection and scroll position are restored for each ``text_id`` when Streamlit replaces the text area.
    """
    numbered_lines = [{"line": line, "text": mark} for line, mark in marks.items()]
    _registered_components()["code"](
        key=f"{key}.lines", data={"key": key.replace(".", "-"), "place": text_id, "text": text, "marks": numbered_lines}, height=1
    )


def scroll_to(container_key: str, trigger: int) -> None:
    """Scroll to a container whenever ``trigger`` changes."""
    _registered_components()["reveal"](
        key=f"{container_key}.reveal", data={"place": container_key.replace(".", "-"), "mark": trigger}, height=1
    )
