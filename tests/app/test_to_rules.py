"""Test links from a tuple to the Rules page with its caption and words."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.batch import counts
from pages.parts.kit.texts import t
from pages.parts.state import settings
from pages.parts.views import scored_rows, tuples
from spice_core import SpiceConfig
from spice_core.data.results import ScoredItem, ScoredTuple
from spice_core.data.work_file import UnmatchedTuple
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import Parse
from tests.app.conftest import open_page, page_html, shown_word_choice

pytestmark = pytest.mark.parser


def test_one_click_opens_the_rules_with_the_words_chosen():
    app = open_page(example="umbrella")
    missing_id = next(row.id for row in app.session_state["InspectState"].scored.explanation.rows if row.parts == ("umbrella", "blue"))
    app.selectbox(key="inspect.focus").set_value(missing_id).run()
    (address,) = (link.proto.url for link in app.get("link_button") if "/Rules" in link.proto.url)
    link_params = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert link_params["section"] == "why" and link_params["caption"] == "A woman holding a blue umbrella."
    rules = open_page("pages/2_Rules.py", **link_params)
    assert not rules.exception and shown_word_choice(rules)["chosen"] == "0.6-5"
    assert t("why.made", a="umbrella", b="blue") in page_html(rules) and "umbrella" in page_html(rules)


def rules_links(page: AppTest) -> dict[str, dict[str, str]]:
    """Return the parameters of the links from unmatched tuples to the Rules page, by tuple."""
    link_matches = re.findall(
        r'<li class="sc-tuple[^>]*><a href="\./Rules\?([^"]*)" target="_blank" title="[^"]*">(.*?)</a>', page_html(page)
    )
    return {
        unescape(tuple_html): {name: values[0] for name, values in parse_qs(unescape(query)).items()} for query, tuple_html in link_matches
    }


def test_a_missing_tuple_of_batch_and_systems_opens_rules_with_its_words():
    app = open_page("pages/3_Batch.py", ui="ja")
    rows = counts.caption_lines(app.session_state["batch.run"])
    line = next(line for line in rows if any(len(words) == 2 for words in line.row.missing))
    app.selectbox(key="batch.row").set_value(line.id).run()
    links = rules_links(app)
    assert links.keys() == {unescape(tuples.tuple_html(words)) for words in (*line.row.extra, *line.row.missing)}
    link_params = links[tuples.tuple_html(next(words for words in line.row.missing if len(words) == 2))]
    assert (
        link_params["caption"] in line.row.references and re.fullmatch(r"0\.\d+-\d+", link_params["words"]) and link_params["lang"] == "ja"
    )
    assert t("tuples.to_rules", language="ja") in page_html(app)
    app = open_page("pages/4_Systems.py")
    links = rules_links(app)
    assert t("systems.lacks") in page_html(app) and any(link_params.get("words") for link_params in links.values())
    assert {link_params["lang"] for link_params in links.values()} == {"en"}


def test_links_include_settings_and_some_tuples_have_no_link():
    row = ScoredItem(1, "A dog.", ("A brown dog on a sofa.",), {}, (), ())
    links = scored_rows.rules_links(row, SpiceConfig("en", rules="spice-2016").resolved())
    assert UnmatchedTuple(MatchState.MISSING, ("dog", "brown")) in links
    assert all("rules=spice-2016" in address for address, _ in links.values())
    for candidate, reference, expected_count in (
        ("A dog.", "A brown dog.", {"A brown dog."}), ("A cat. " * 450, "A dog.", {"A dog."}), ("", "A dog.", set()), ("A dog.", " ", set()),
    ):  # fmt: skip
        row = ScoredItem(1, candidate, (reference,), {}, (), ())
        addresses = [address for address, _ in scored_rows.rules_links(row, settings.default_config("en")).values()]
        assert {parse_qs(urlsplit(address).query)["caption"][0] for address in addresses} == expected_count
    graph = Parse("", (), None)
    row = ScoredItem(1, graph, (graph,), {}, (ScoredTuple(("dog",), False),), ())
    assert scored_rows.rules_links(row, settings.default_config("en")) == {}
