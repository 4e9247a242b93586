"""From a tuple to the Rules page: the caption, and the words in it."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.batch import counts
from pages.parts.kit.texts import INTERFACE, t
from pages.parts.session import settings
from pages.parts.views import scored_rows, tuples
from spice_core import SpiceConfig
from spice_core.data.results import ScoredItem, ScoredTuple
from spice_core.data.work_file import Unmatched
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import Parse
from tests.app.conftest import APP, choice, shown

pytestmark = pytest.mark.parser


def test_one_click_opens_the_rules_with_the_words_in_place():
    app = AppTest.from_file(str(APP), default_timeout=240)
    app.query_params["example"] = "umbrella"
    app.run()
    missing = next(row.id for row in app.session_state["inspect.scored"].explanation.rows if row.parts == ("umbrella", "blue"))
    app.selectbox(key="inspect.focus").set_value(missing).run()
    (address,) = (link.proto.url for link in app.get("link_button") if "/Rules" in link.proto.url)
    asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert asked["section"] == "why" and asked["caption"] == "A woman holding a blue umbrella."
    rules = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/2_Rules.py")
    for name, value in asked.items():
        rules.query_params[name] = value
    rules.run()
    assert not rules.exception and choice(rules)["chosen"] == "0.6-5"
    assert t("why.made", a="umbrella", b="blue") in shown(rules) and "umbrella" in shown(rules)


@pytest.mark.parametrize("words", ["0.1-99", "9.1-2", "x", "0.1-2-3-4", "٠.1-2", "-1.1-2", "0.2-2"])
def test_words_that_are_not_there_are_left_out(words):
    rules = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/2_Rules.py")
    for name, value in {"caption": "A dog on a sofa.", "section": "why", "words": words}.items():
        rules.query_params[name] = value
    rules.run()
    assert not rules.exception and rules.query_params.get("words", "") not in (words, [words])


def links_of(page: AppTest) -> dict[str, dict[str, str]]:
    """What the links of unmatched tuples ask of the Rules page, by tuple."""
    found = re.findall(r'<li class="sc-tuple[^>]*><a href="\./Rules\?([^"]*)" target="_blank" title="[^"]*">(.*?)</a>', shown(page))
    return {unescape(of): {name: values[0] for name, values in parse_qs(unescape(query)).items()} for query, of in found}


@pytest.mark.parametrize("lang", INTERFACE)
def test_a_missing_tuple_of_batch_opens_rules_with_its_words(lang):
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/3_Batch.py")
    app.query_params["ui"] = lang
    rows = counts.lines(app.run().session_state["batch.run"])
    line = next(line for line in rows if any(len(words) == 2 for words in line.row.missing))
    app.selectbox(key="batch.row").set_value(line.id).run()
    found = links_of(app)
    assert found.keys() == {unescape(tuples.named(words)) for words in (*line.row.extra, *line.row.missing)}
    asked = found[tuples.named(next(words for words in line.row.missing if len(words) == 2))]
    assert asked["caption"] in line.row.references and re.fullmatch(r"0\.\d+-\d+", asked["words"]) and asked["lang"] == "en"
    assert t("tuples.to_rules", language=lang) in shown(app)


def test_the_settings_of_a_run_travel_with_the_link():
    row = ScoredItem(1, "A dog.", ("A brown dog on a sofa.",), {}, (), ())
    found = scored_rows.to_rules(row, SpiceConfig("en", rules="spice-2016").resolved())
    assert Unmatched(MatchState.MISSING, ("dog", "brown")) in found
    assert all("rules=spice-2016" in address for address, _ in found.values())


@pytest.mark.parametrize(
    ("candidate", "reference", "wanted"),
    [("A dog.", "A brown dog.", {"A brown dog."}), ("A cat. " * 450, "A dog.", {"A dog."}), ("", "A dog.", set()), ("A dog.", " ", set())],
)
def test_captions_that_are_too_long_or_empty_have_no_link(candidate, reference, wanted):
    row = ScoredItem(1, candidate, (reference,), {}, (), ())
    addresses = [address for address, _ in scored_rows.to_rules(row, settings.usual("en")).values()]
    assert {parse_qs(urlsplit(address).query)["caption"][0] for address in addresses} == wanted


def test_given_propositions_have_no_link():
    graph = Parse("", (), None)
    row = ScoredItem(1, graph, (graph,), {}, (ScoredTuple(("dog",), False),), ())
    assert scored_rows.to_rules(row, settings.usual("en")) == {}


def test_a_missing_tuple_of_systems_opens_rules_with_its_words():
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/4_Systems.py").run()
    found = links_of(app)
    assert t("systems.lacks") in shown(app) and any(asked.get("words") for asked in found.values())
    assert {asked["lang"] for asked in found.values()} == {"en"}
