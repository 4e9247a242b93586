"""Test the notebook display of a result, and many results as a data frame."""

import json
import math
import re
import sys
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from IPython.core.formatters import DisplayFormatter

from spice_core import Spice, to_frame
from spice_core.cli.main import main
from spice_core.data.results import read_results
from spice_core.errors import InputError, UnknownNameError
from spice_core.explain.explanation import Explanation
from spice_core.report.notebook import notebook_html, show
from spice_core.syntax.clean_text import clean_text
from tests.draw.test_layout import SPICE_WITHOUT_SYNONYMS
from tests.report.test_result_page import HOSTILE_TEXT, PageContent


def read_display(html: str) -> PageContent:
    """Return the content of a display that a browser shows, without the text for viewers that remove styles."""
    return PageContent(re.sub(r"<style>.*?</style><pre.*?</pre>", "", html, flags=re.S))


def test_a_result_and_its_explanation_are_displayed_in_the_chosen_language(result, synonyms):
    display, _ = DisplayFormatter().format(result)
    assert display["text/plain"] == str(result) and display["text/html"] == notebook_html(result)
    shown_display = read_display(display["text/html"])
    shown_text = " ".join(" ".join(shown_display.text).split())
    assert (
        shown_display.open == [] and shown_display.tags.count("svg") == 2 and shown_display.tags.count("mark") == 0
    )  # propositions have no words in a caption
    assert f"{result.f1:.3f}" in shown_text and f"{result.recall:.3f}" in shown_text and str(result.signature) in shown_text
    assert "6 of 7 candidate tuples match" in shown_text
    assert f"Relation {result.scores['Relation'].f1:.3f}" in shown_text
    assert "Size" not in shown_text
    explanation = Explanation(result, synonyms)
    display, _ = DisplayFormatter().format(explanation)
    assert read_display(display["text/html"]).tags.count("tr") == 1 + len(explanation.rows) and "a sports implement" in display["text/html"]
    assert "exact    girl: young" in display["text/plain"] and len(display["text/plain"].splitlines()) == len(explanation.rows)
    html = show(result, lang="ja", percent=True, palette="paper")._repr_html_()
    assert '<div class="spice-core" lang="ja"' in html and "適合率" in html and "Precision" not in html.partition("</pre>")[2]
    assert f"{100 * result.f1:.1f}" in html and "#D60000" in html


def test_words_of_tuples_are_marked_and_captions_of_a_data_set_have_displays_of_at_most_150_kb(spice):
    html = spice.compute("A brown dog on a sofa.", ["A dog on a couch."])._repr_html_()
    marks = re.findall(r'<mark class="(\w+ \w+)"[^>]*>(.*?)</mark>', html)
    assert ("object exact", "dog") in marks and ("object synonym", "sofa") in marks and ("attribute extra", "brown") in marks
    caption = "A tall man in a blue shirt reads an old newspaper at a round wooden table beside two small white cats and a brown dog with a red collar."
    other_rows = ["A man reads.", "Two cats and a dog sit near a man with a paper.", "Someone reads the news.", "Pets beside a reader."]
    result = spice.compute(caption, [caption, *other_rows])
    assert len(notebook_html(result)) < len(notebook_html(Explanation.from_result(result, spice))) < 150_000


def test_a_display_loads_and_runs_nothing_and_its_styles_are_scoped(result, synonyms):
    html = notebook_html(Explanation(result, synonyms))
    names = {name for name, _ in read_display(html).attributes}
    assert not names & {"src", "href", "srcset", "action", "xlink:href", "background"} and not {n for n in names if n.startswith("on")}
    assert not {"script", "link", "iframe", "object", "img"} & set(read_display(html).tags) and not re.search(r"url\(|@import", html)
    styles = re.search(r"<style>(.*?)</style>", notebook_html(result), re.S)[1].strip()
    first_style, _, rest_style = styles.partition("\n")
    assert first_style == ".spice-core-text { display: none; }"
    assert rest_style.startswith(".spice-core.spice-core.spice-core {")
    assert rest_style.endswith("}")
    depth = list(accumulate({"{": 1, "}": -1}.get(character, 0) for character in rest_style))
    assert 0 not in depth[rest_style.index("{") : -1] and depth[-1] == 0  # one block, from the first brace to the last


def test_markup_is_text_and_a_display_is_bounded():
    result = SPICE_WITHOUT_SYNONYMS.compute(
        [[HOSTILE_TEXT], [HOSTILE_TEXT, HOSTILE_TEXT], ["</style><img src=x onerror=alert(1)>"]],
        [[[HOSTILE_TEXT], [HOSTILE_TEXT, "on", "x"]]],
    )
    html = notebook_html(Explanation(result, SPICE_WITHOUT_SYNONYMS.synonyms))
    shown_display = read_display(html)
    assert "<img" not in html
    assert "script" not in shown_display.tags
    assert shown_display.open == []
    assert HOSTILE_TEXT in " ".join(shown_display.text)
    assert "onerror" not in {name for name, _ in shown_display.attributes}
    many_tuples = [[f"thing{i}", f"colour{j}"] for i in range(40) for j in range(9)]
    result = SPICE_WITHOUT_SYNONYMS.compute(many_tuples, [[[f"thing{i}"] for i in range(n)] for n in range(1, 40)])
    html = notebook_html(Explanation(result, SPICE_WITHOUT_SYNONYMS.synonyms))
    shown_text = " ".join(read_display(html).text)
    assert len(html.encode()) < 300_000 and "References not shown: 29" in shown_text
    assert "Tuples not shown: 300" in shown_text and re.search(r"Nodes not drawn: 3\d\d", shown_text)


WORD = st.text(min_size=1, max_size=12).filter(lambda text: clean_text(text).strip())
GRAPHS = st.lists(st.one_of(st.tuples(WORD), st.tuples(WORD, WORD), st.tuples(WORD, WORD, WORD)), max_size=6)


@settings(max_examples=12)
@given(GRAPHS, st.lists(GRAPHS, min_size=1, max_size=3))
def test_any_result_has_a_display(candidate, references):
    html = notebook_html(Explanation(SPICE_WITHOUT_SYNONYMS.compute(candidate, references), SPICE_WITHOUT_SYNONYMS.synonyms))
    shown_display = read_display(html)
    assert shown_display.open == [] and html.count("<style>") == 1 and not {"script", "img"} & set(shown_display.tags)
    html.encode()


def test_a_result_is_returned_as_networks_and_as_plain_data(result):
    candidate = result.graph()
    assert set(candidate) == {element.id for element in result.candidate_graph.elements()}
    assert candidate.nodes["c:o1"]["words"] == ["girl"] and len(result.graph("references")) == len(list(result.reference_graph.elements()))
    union, difference = result.graph("union"), result.graph("difference")
    assert set(difference) < set(union) and {state for _, state in difference.nodes(data="state")} >= {"extra", "missing"}
    with pytest.raises(UnknownNameError, match="unknown view 'both'; known: candidate, difference, references, union"):
        result.graph("both")
    content = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert content["scores"]["All"]["f1"] == result.f1 and content["scores"]["Size"]["f1"] is None
    racket = {t["id"]: t for t in content["tuples"]["references"]}
    (racquet,) = [t for t in content["tuples"]["candidate"] if t["words"] == [["racquet"]]]
    assert racquet["state"] == "synonym" and racket[racquet["partner"]]["words"] == [["racket"]] and racquet["credit"] == 1
    assert [t["state"] for t in content["tuples"]["candidate"]].count("extra") == len(result.extra)


def test_a_frame_has_a_row_for_each_result_or_tuple_or_row_of_a_file(result, tmp_path):
    frame = to_frame([result, Spice(synonyms="none").compute([["dog"]], [[["cat"]]])])
    assert frame["All f1"].tolist() == [result.f1, 0.0] and math.isnan(frame["Relation f1"][1])
    frame = to_frame([result, result])
    assert len(frame) == 2 and frame["All f1"][0] == result.f1 and frame["Object matched"][1] == result.scores["Object"].matched
    assert frame["candidate"][0] == result.candidate.caption and frame["references"][0] == [p.caption for p in result.references]
    assert list(frame.columns)[-1] == "signature" and frame["signature"][0] == str(result.signature)
    frame = to_frame([result], rows="tuples")
    assert len(frame) == len(result.candidate_tuples) + len(result.reference_tuples)
    lost_tuples = frame[(frame["side"] == "references") & ~frame["matched"]]
    assert lost_tuples["tuple"].tolist() == [t.words for t in result.missed]
    assert frame["kind"].tolist() == [t.kind for t in (*result.candidate_tuples, *result.reference_tuples)]
    rows = [{"image_id": n, "test": [["dog"], ["dog", "brown"]], "refs": [[["dog"]], [["cat"]]]} for n in (7, 8)]
    (tmp_path / "in.json").write_text(json.dumps(rows))
    assert main(["score", str(tmp_path / "in.json"), "--out", str(tmp_path / "out.jsonl"), "--subset", "--detailed", "--silent"]) == 0
    items = list(read_results(tmp_path / "out.jsonl"))
    frame = to_frame(items)
    assert frame["image_id"].tolist() == [7, 8] and frame["All f1"].tolist() == [0.5, 0.5] and frame["Color f1"].isna().all()
    assert frame["candidate"][0] == [["dog"], ["dog", "brown"]]
    assert to_frame(items, rows="tuples")["image_id"].tolist() == [7] * 4 + [8] * 4


def test_empty_results_give_an_empty_frame_and_errors_are_explained(result, monkeypatch):
    assert len(to_frame([])) == 0
    for results, rows, expected_text in (([1], "results", r"results\[0\]: found 1, expected a result"), ([], "x", "rows: found 'x'")):
        with pytest.raises(InputError, match=expected_text):
            to_frame(results, rows)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(Exception, match="pandas is not installed; install it with: pip install pandas"):
        to_frame([result])
