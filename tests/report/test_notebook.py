"""A result in a notebook: all of it is there, markup stays text, nothing is fetched or run, the size is bounded."""

from __future__ import annotations

import json
import math
import re
import sys
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from IPython.core.formatters import DisplayFormatter

from spice_core import Spice
from spice_core.errors import UnknownNameError
from spice_core.explain.explanation import Explanation
from spice_core.hooks import provide
from spice_core.report.frames import to_frame
from spice_core.report.notebook import display, show
from tests.draw.test_layout import PLAIN
from tests.report.test_result_page import NASTY, Seen


def seen(html: str) -> Seen:
    """What a browser reads of a display, without the text for readers that remove styles."""
    return Seen(re.sub(r"<style>.*?</style><pre.*?</pre>", "", html, flags=re.S))


def test_a_result_shows_itself(result):
    found, _ = DisplayFormatter().format(result)
    assert found["text/plain"] == str(result) and found["text/html"] == display(result)
    shown = seen(found["text/html"])
    said = " ".join(" ".join(shown.text).split())
    assert shown.open == [] and shown.tags.count("svg") == 2 and shown.tags.count("mark") == 0  # propositions have no words in a caption
    assert f"{result.f1:.3f}" in said and f"{result.recall:.3f}" in said and str(result.signature) in said
    assert "6 of 7 candidate tuples match" in said and f"Relation {result.scores['Relation'].f1:.3f}" in said and "Size" not in said


@pytest.mark.parser
def test_words_of_tuples_are_marked(spice):
    html = spice.compute("A brown dog on a sofa.", ["A dog on a couch."])._repr_html_()
    marks = re.findall(r'<mark class="(\w+ \w+)"[^>]*>(.*?)</mark>', html)
    assert ("object exact", "dog") in marks and ("object synonym", "sofa") in marks and ("attribute extra", "brown") in marks


def test_an_explanation_shows_its_tuples_with_reasons(result, synonyms):
    explanation = Explanation(result, synonyms)
    found, _ = DisplayFormatter().format(explanation)
    assert seen(found["text/html"]).tags.count("tr") == 1 + len(explanation.rows) and "a sports implement" in found["text/html"]
    assert "exact    girl: young" in found["text/plain"] and len(found["text/plain"].splitlines()) == len(explanation.rows)


def test_the_language_and_the_scale_are_chosen(result):
    html = show(result, lang="ja", percent=True, palette="paper")._repr_html_()
    assert '<div class="spice-core" lang="ja"' in html and "適合率" in html and "Precision" not in html.partition("</pre>")[2]
    assert f"{100 * result.f1:.1f}" in html and "#D60000" in html


def test_nothing_is_fetched_or_run(result, synonyms):
    html = display(Explanation(result, synonyms))
    names = {name for name, _ in seen(html).attributes}
    assert not names & {"src", "href", "srcset", "action", "xlink:href", "background"} and not {n for n in names if n.startswith("on")}
    assert not {"script", "link", "iframe", "object", "img"} & set(seen(html).tags) and not re.search(r"url\(|@import", html)


def test_every_rule_of_the_styles_holds_within_the_display_alone(result):
    styles = re.search(r"<style>(.*?)</style>", display(result), re.S)[1].strip()
    first, _, rest = styles.partition("\n")
    assert first == ".spice-core-text { display: none; }" and rest.startswith(".spice-core.spice-core.spice-core {") and rest.endswith("}")
    depth = list(accumulate({"{": 1, "}": -1}.get(character, 0) for character in rest))
    assert 0 not in depth[rest.index("{") : -1] and depth[-1] == 0  # one block, from the first brace to the last


def test_markup_stays_text():
    result = PLAIN.compute([[NASTY], [NASTY, NASTY], ["</style><img src=x onerror=alert(1)>"]], [[[NASTY], [NASTY, "on", "x"]]])
    html = display(Explanation(result, PLAIN.synonyms))
    shown = seen(html)
    assert "<img" not in html and "script" not in shown.tags and shown.open == [] and NASTY in " ".join(shown.text)
    assert "onerror" not in {name for name, _ in shown.attributes}


WORD = st.text(min_size=1, max_size=12).filter(str.strip)
GRAPHS = st.lists(st.one_of(st.tuples(WORD), st.tuples(WORD, WORD), st.tuples(WORD, WORD, WORD)), max_size=6)


@settings(max_examples=40)
@given(GRAPHS, st.lists(GRAPHS, min_size=1, max_size=3))
def test_any_result_has_a_display(candidate, references):
    html = display(Explanation(PLAIN.compute(candidate, references), PLAIN.synonyms))
    shown = seen(html)
    assert shown.open == [] and html.count("<style>") == 1 and not {"script", "img"} & set(shown.tags)
    html.encode()


def test_a_display_is_bounded():
    many = [[f"thing{i}", f"colour{j}"] for i in range(40) for j in range(9)]
    result = PLAIN.compute(many, [[[f"thing{i}"] for i in range(n)] for n in range(1, 40)])
    html = display(Explanation(result, PLAIN.synonyms))
    said = " ".join(seen(html).text)
    assert len(html.encode()) < 300_000 and "References not shown: 29" in said
    assert "Tuples not shown: 300" in said and re.search(r"Nodes not drawn: 3\d\d", said)


@pytest.mark.parser
def test_captions_of_a_data_set_have_displays_of_at_most_150_kb(spice):
    caption = "A tall man in a blue shirt reads an old newspaper at a round wooden table beside two small white cats and a brown dog with a red collar."
    references = [
        caption,
        "A man reads.",
        "Two cats and a dog sit near a man with a paper.",
        "Someone reads the news.",
        "Pets beside a reader.",
    ]
    result = spice.compute(caption, references)
    assert len(display(result)) < len(display(Explanation.of(result, spice))) < 150_000


def test_the_graphs_are_networks(result):
    candidate = result.graph()
    assert set(candidate) == {f"c:{element.id}" for element in result.candidate_graph.elements()}
    assert nodes(candidate)["c:o1"] == ["girl"] and len(result.graph("references")) == len(list(result.reference_graph.elements()))
    union, difference = result.graph("union"), result.graph("difference")
    assert set(difference) < set(union) and {state for _, state in difference.nodes(data="state")} >= {"extra", "missing"}
    with pytest.raises(UnknownNameError, match="unknown view 'both'; known: candidate, difference, references, union"):
        result.graph("both")


def nodes(graph) -> dict[str, list[str]]:
    return dict(graph.nodes(data="words"))


def test_a_result_as_plain_data(result):
    whole = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert whole["scores"]["All"]["f1"] == result.f1 and whole["scores"]["Size"]["f1"] is None
    racket = {t["id"]: t for t in whole["tuples"]["references"]}
    (racquet,) = [t for t in whole["tuples"]["candidate"] if t["words"] == [["racquet"]]]
    assert racquet["state"] == "synonym" and racket[racquet["partner"]]["words"] == [["racket"]] and racquet["credit"] == 1
    assert [t["state"] for t in whole["tuples"]["candidate"]].count("extra") == len(result.extra)


def test_a_hook_has_one_function():
    with pytest.raises(ValueError, match=r"hook 'result\.html' has a function already"):
        provide("result.html", print)


def test_without_pandas_the_error_says_how_to_install_it(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(Exception, match="pandas is not installed; install it with: pip install pandas"):
        to_frame([result])


def test_undefined_scores_are_nan_in_a_frame(result):
    frame = to_frame([result, Spice(synonyms="none").compute([["dog"]], [[["cat"]]])])
    assert frame["All f1"].tolist() == [result.f1, 0.0] and math.isnan(frame["Relation f1"][1])
