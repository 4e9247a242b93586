"""What a result shows: scores, categories, captions, graphs. Each takes the result first and a key prefix."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

import streamlit as st

from pages.parts import shell
from pages.parts.words import catalogue, t
from spice_core.draw import charts, look
from spice_core.draw.evidence import Stretch, marked
from spice_core.draw.frame import Words, page
from spice_core.draw.network import networks, outline
from spice_core.metric import SpiceResult
from spice_core.scoring import OVERALL, Score


def number(value: float, *, scale: int = 1) -> str:
    """A ratio as it is shown: three decimals, or one when times a hundred; n/a where undefined."""
    return t("categories.undefined") if math.isnan(value) else f"{value * scale:.{3 if scale == 1 else 1}f}"


def header(result: SpiceResult, *, scale: int = 1) -> None:
    """F1 large, in words what it counts, precision and recall."""
    overall = result.overall
    sides = [
        t("score.found", matched=charts.counted(overall.matched), total=overall.candidate),
        t("score.covered", matched=charts.counted(overall.matched), total=overall.reference),
    ]
    shared = len(result.matches) - len({id(m.reference) for m in result.matches})
    st.html(
        f'<section class="sc-score"><div class="sc-f1"><span>{t("score.f1")}</span><b>{number(result.f1, scale=scale)}</b></div>'
        f'<p class="sc-said">{" · ".join(sides)}</p><dl>'
        f"<div><dt>{t('score.precision')}</dt><dd>{number(result.precision, scale=scale)}</dd></div>"
        f"<div><dt>{t('score.recall')}</dt><dd>{number(result.recall, scale=scale)}</dd></div></dl>"
        + (f'<p class="sc-note">{t("score.shared", number=shared)}</p>' if shared else "")
        + "</section>"
    )


def categories(result: SpiceResult, *, key: str, scale: int = 1) -> None:
    """F1 by category as a chart."""
    names = _names(result.scores)
    undefined = t("categories.undefined")
    figure = charts.categories(result.scores, names, theme=shell.theme(), scale=scale, undefined=undefined)
    said = ", ".join(f"{name} {number(result.scores[k].f1, scale=scale)}" for k, name in names.items())
    st.html(f'<div class="sc-titled"><h3 class="sc-small">{t("categories.title")}</h3><span>{t("categories.counts")}</span></div>')
    st.plotly_chart(figure, theme=None, key=f"{key}.chart", config={"displayModeBar": False}, alt=t("categories.alt", values=said))


def category_table(result: SpiceResult, *, scale: int = 1) -> None:
    """The same as a table: F1, precision, recall and counts."""
    names = [t(f"categories.{k}") for k in ("category", "f1")] + [t("score.precision"), t("score.recall")]
    names += [t(f"categories.{k}") for k in ("matched", "candidate", "references")]
    head = "".join(f"<th scope=col>{name}</th>" for name in names)
    body = [_score_row(name, result.scores[k], scale) for k, name in {OVERALL: t("categories.All"), **_names(result.scores)}.items()]
    cells = "".join(f"<tr><th scope=row>{row[0]}</th>{''.join(f'<td>{cell}</td>' for cell in row[1:])}</tr>" for row in body)
    st.html(
        f'<div class="sc-scroll"><table class="sc-table sc-numbers"><thead><tr>{head}</tr></thead>'
        f'<tbody>{cells}</tbody></table></div><p class="sc-note">{t("categories.note")}</p>'
    )


def captions(result: SpiceResult) -> None:
    """Each caption with the words that gave tuples marked by kind and state."""
    first, *others = marked(result)
    names = [t("captions.candidate"), *(t("captions.reference", number=i) for i in range(1, len(others) + 1))]
    said = f"<dd lang={result.signature.lang}>"
    lines = "".join(f"<div><dt>{name}</dt>{said}{''.join(map(_stretch, line))}</dd></div>" for name, line in zip(names, [first, *others]))
    st.html(f'<h3 class="sc-small">{t("captions.title")}</h3><dl class="sc-captions">{lines}</dl>')


def graphs(result: SpiceResult) -> None:
    """Both graphs in one frame; the heading and the legend stand outside it."""
    understood = t("tuples.understood")
    candidate, references = networks(result, understood=understood)
    told = tuple(
        "; ".join(outline(g, understood=understood)) or t("graphs.empty") for g in (result.candidate_graph, result.reference_graph)
    )
    mine, theirs, several = len(result.candidate_tuples), len(result.reference_tuples), len(result.references)
    words = Words(
        titles=(t("graphs.candidate"), t("graphs.references")),
        notes=(t("graphs.one", tuples=mine), t("graphs.many" if several > 1 else "graphs.single", tuples=theirs, captions=several)),
        empty=(t("graphs.none_candidate"), t("graphs.none_references")),
        buttons=(t("graphs.smaller"), t("graphs.larger"), t("graphs.fit")),
        states={s: t(f"legend.{s}") for s in look.STATES},
    )
    alts = tuple(t("graphs.alt", outline=text) for text in told)
    document = page(candidate, references, words=words, alts=alts, font_css=shell.font_css(), theme=shell.theme())
    st.iframe(document, height="content", alt=t("graphs.frame"))


def legend(result: SpiceResult) -> None:
    """What shapes, colours, borders and marks mean, in text."""
    partial = any(match.kind == "partial" for match in result.matches)
    kinds = "".join(f'<li><i class="sc-key sc-{k}"></i>{t(f"legend.{k}")}</li>' for k in look.KINDS)
    states = "".join(
        f'<li><i class="sc-key sc-{s}">{look.MARKS[s]}</i>{t(f"legend.{s}")}</li>' for s in look.STATES if s != "partial" or partial
    )
    st.html(f'<ul class="sc-legend">{kinds}{states}<li>{t("legend.badge")}</li></ul>')


def outlines(result: SpiceResult) -> None:
    """Both graphs in words, for those who read rather than look."""
    for column, graph, title in zip(
        st.columns(2, gap="small"), (result.candidate_graph, result.reference_graph), ("graphs.candidate", "graphs.references")
    ):
        lines = (
            "".join(f"<li>{escape(line)}</li>" for line in outline(graph, understood=t("tuples.understood")))
            or f"<li>{t('graphs.empty')}</li>"
        )
        column.html(f'<h4 class="sc-small">{t(title)}</h4><ul class="sc-outline">{lines}</ul>')


def signature(result: SpiceResult) -> None:
    """What the score depends on, to be copied."""
    st.html(f'<h3 class="sc-small">{t("score.signature")}</h3><p class="sc-note">{t("score.signature_help")}</p>')
    st.code(str(result.signature), language=None, wrap_lines=True)


def _names(scores: Mapping[str, Score]) -> dict[str, str]:
    """The categories in the order of the page; those that a user defined keep their own names."""
    order = ["Object", "Relation", "Attribute", *(k for k in scores if k not in ("Object", "Relation", "Attribute", OVERALL))]
    known = catalogue("en")["categories"]
    return {k: known.get(k, k) for k in order if k in scores}


def _score_row(name: str, score: Score, scale: int) -> list[str]:
    ratios = [number(value, scale=scale) for value in (score.f1, score.precision, score.recall)]
    return [escape(name), *ratios, charts.counted(score.matched), str(score.candidate), str(score.reference)]


def _stretch(stretch: Stretch) -> str:
    if not stretch.kind:
        return escape(stretch.text)
    said = f"{t(f'legend.{stretch.kind}')}, {t(f'legend.{stretch.state}')}"
    return f'<mark class="sc-{stretch.kind} sc-{stretch.state}" title="{said}">{escape(stretch.text)}</mark>'
