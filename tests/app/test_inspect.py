"""Test the Inspect page without a browser: it opens with a scored example and handles any typed text."""

import html
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import ScriptRunContext
from streamlit.testing.v1 import AppTest

from pages.parts.batch import counts
from pages.parts.inspect import inputs, result_view
from pages.parts.inspect.gallery import PICTURES_FOLDER, picture_url
from pages.parts.kit import capacity
from pages.parts.kit.texts import t
from pages.parts.state import engine, examples, settings
from pages.parts.views import graphs, scored_rows, tuples
from spice_core import Spice, SpiceConfig
from spice_core.data.results import ScoredItem, ScoredTuple
from spice_core.data.work_file import UnmatchedTuple
from spice_core.lang import language
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import Parse
from tests.app.conftest import (
    APP,
    choose_example,
    enter_and_score,
    open_drawer,
    open_page,
    page_html,
    page_messages,
    reference_numbers,
    shown_word_choice,
    signature,
)
from tools.gallery import render_picture

SCORE_SECTION_HTML = '<section class="sc-score"'
HOSTILE_CAPTION = "</script><img src=x onerror=alert(1)> dog"


def test_the_page_opens_on_a_scored_example(app):
    example = next(iter(examples.examples_by_id().values()))
    result = Spice().compute(example["candidate"], example["references"])
    page = page_html(app)
    assert f"<b>{result.f1:.3f}</b>" in page
    assert t("score.found", matched=result.overall.matched, total=result.overall.candidate) in page
    assert app.text_area(key="inspect.candidate").value == example["candidate"]
    assert signature(app) == str(result.signature)


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.release)])
def test_every_example_opens_and_an_unknown_one_is_reported(step):
    for name, example in list(examples.examples_by_id().items())[::step]:
        assert example["title"]["en"] in html.unescape(page_html(open_page(example=name)))
    app = open_page(example="<b>nope")
    assert page_messages(app) == [t("states.unknown_example", name="<b>nope")] and SCORE_SECTION_HTML in page_html(app)


def test_the_url_names_the_example_and_only_changed_inputs_are_reported(app):
    app = choose_example(app, "umbrella")
    assert app.query_params["example"] == "umbrella" and "umbrella" in page_html(app)
    app = app.button(key="inspect.add").click().run()
    assert not page_messages(app) and SCORE_SECTION_HTML in page_html(app)
    app = enter_and_score(app, "A dog.", "A dog.", "A cat.")
    app = app.button(key=f"inspect.remove.{reference_numbers(app)[0]}").click().run()
    assert page_messages(app) == [t("states.stale")] and SCORE_SECTION_HTML in page_html(app)


def test_after_score_the_first_messages_are_the_graphs_and_the_elements_above_them(app, monkeypatch):
    steps = []

    def record(owner: object, name: str) -> None:
        function = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *given, **options: (steps.append(name), function(*given, **options))[1])

    def record_message(context: ScriptRunContext, message: ForwardMsg) -> None:
        element = message.delta.new_element
        steps.append(element.bidi_component.component_name.rpartition(".")[2] or message.WhichOneof("type"))
        send(context, message)

    send = ScriptRunContext.enqueue
    monkeypatch.setattr(ScriptRunContext, "enqueue", record_message)
    for owner, name in ((engine, "score_captions"), (result_view, "wait_for_drawing"), (capacity, "freeze_new_objects")):
        record(owner, name)
    enter_and_score(app, "A dog on a red sofa.", "A dog.")
    score_step, drawing_step = steps.index("score_captions"), steps.index("wait_for_drawing")
    assert (
        "delta" not in steps[:score_step] and "spice_graphs" in steps[score_step:drawing_step] and "spice_details" in steps[drawing_step:]
    )
    assert steps[-1] == "freeze_new_objects", "a search for garbage delays what comes after it"


def test_missing_captions_matches_and_tuples_are_reported_and_markup_is_text(app):
    cases = [(("", "A dog."), ["no_candidate"]), (("A dog.", ""), ["no_references"]), (("", ""), ["no_candidate", "no_references"])]
    for captions, missing_parts in cases:
        app = enter_and_score(app, *captions)
        assert page_messages(app, "alert") == [t(f"states.{m}") for m in missing_parts] and SCORE_SECTION_HTML not in page_html(app)
    page = page_html(enter_and_score(app, HOSTILE_CAPTION, HOSTILE_CAPTION))
    assert "<img" not in page and "</script>" not in page and "&lt;" in page
    app = enter_and_score(app, "A dog.", "An airplane.")
    assert page_messages(app) == [t("states.nothing_matched")] and "<b>0.000</b>" in page_html(app)
    assert t("states.no_candidate_tuples") in page_messages(enter_and_score(app, "?", "A dog."))
    assert t("states.no_reference_tuples") in page_messages(enter_and_score(app, "A dog.", "?"))


def test_the_language_is_detected_and_can_be_set(app):
    app = enter_and_score(app, "赤い傘を持った女性", "傘を差した女性", "赤い傘")
    assert "lang:ja" in signature(app) and not page_messages(app)
    app = app.segmented_control(key="inspect.lang").set_value("en").run()
    assert "lang:en" in signature(app)
    assert t("states.other_script", where="Candidate, Reference 1, Reference 2", name="English") in page_messages(app)
    app = app.button(key="inspect.switch").click().run()
    assert "lang:ja" in signature(app) and not page_messages(app)
    app = enter_and_score(app.segmented_control(key="inspect.lang").set_value("auto").run(), "赤い傘を持った女性", "A dog.", "A cat.")
    assert t("states.other_script", where="Candidate", name="English") in page_messages(app)


def test_a_chosen_language_survives_other_pages_until_an_example_changes_it(app):
    app = app.segmented_control(key="inspect.lang").set_value("ja").run()
    assert "lang:ja" in signature(app)
    app = app.switch_page("pages/6_Learn.py").run().switch_page("app.py").run()
    assert app.session_state["inspect.lang"] == "ja" and "lang:ja" in signature(app)
    assert app.segmented_control(key="inspect.lang").value == "ja"
    app = app.segmented_control(key="inspect.lang").set_value("en").run()
    app = choose_example(app, "ja-umbrella")
    assert app.session_state["inspect.lang"] == "auto" and "lang:ja" in signature(app)
    assert app.sidebar.selectbox(key="inspect.ja.rules").options == list(language("ja").rules)
    app = app.sidebar.selectbox(key="inspect.ja.rules").set_value("jaspice-2023").run()
    assert "rules:jaspice-2023" in signature(app)


def test_a_japanese_result_shows_its_implicit_subject_and_its_parse():
    app = open_page(example="ja-umbrella")
    page = page_html(app)
    assert t("score.found", matched=6, total=6) in page and "人 – 座る – ベンチ" in page
    assert t("tuples.implicit_subject") in page and 'title="[PHI] – ' in page and "contains [PHI] instead" in page
    page = page_html(open_drawer(app, "parses"))
    assert "座る" in page.partition(t("parse.arguments"))[2] and t("parse.inferred") in page
    words = page.partition(t("parse.words"))[2]
    assert "名詞-普通名詞-一般" in words and "<td>座る</td>" in words


def test_the_parse_of_each_caption_is_shown(app):
    app = open_drawer(app, "parses")
    page = page_html(app)
    assert t("parse.edges") in page and "<td>obl:on</td>" in page and "<td>stand</td>" in page
    app = app.toggle(key="inspect.conllu").set_value(True).run()
    assert "1\tA\ta\t_\tDT" in "".join(block.value for block in app.code)
    app = app.segmented_control(key="inspect.parse").set_value(1).run()
    assert "<td>hold</td>" in page_html(app).partition(t("parse.words"))[2]


@pytest.mark.release
def test_english_loads_nothing_japanese():
    code = f"""
import sys
from collections.abc import Iterator
from streamlit.testing.v1 import AppTest
app = AppTest.from_file({str(APP)!r}, default_timeout=240).run()
assert not app.exception and any("sc-score" in block.proto.body for block in app.get("html"))
assert not {{"ginza", "ja_ginza", "sudachipy"}} & set(sys.modules), sorted(sys.modules)
"""
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=APP.parent)
    assert completed.returncode == 0, completed.stderr[-2000:]


def test_a_large_graph_first_shows_the_matches(app):
    nouns = "dog cat horse bird bus train sofa table car tree house boat hat ball kite bear cow zebra pizza plate cup fork bowl".split()
    nouns += "banana apple orange cake chair bed clock vase book laptop phone oven sink door window street court bench umbrella".split()
    captions = [" ".join(f"A red {a} is near a small {b}." for a, b in zip(words[::2], words[1::2])) for words in (nouns, nouns[1:])]
    app = enter_and_score(app, *captions)
    for view in ("both", "difference"):
        app = app.segmented_control(key="inspect.view").set_value(view).run()
        assert not app.exception
        assert app.toggle(key="inspect.whole").label.startswith("Show ")
        app = app.toggle(key="inspect.whole").set_value(True).run()
        assert not app.exception
        app = app.toggle(key="inspect.whole").set_value(False).run()


def test_scores_by_sentence_and_in_percent_and_tuples_of_one_state_are_shown(app):
    app = open_drawer(enter_and_score(app, "A dog sits. A cat <q> runs.", "A dog sits. It is brown."), "sentences")
    assert "<small>Candidate</small> A dog sits." in page_html(app) and "A cat &lt;q&gt; runs." in page_html(app)
    assert t("score.precision") + " 1.000" in page_html(app) and t("sentences.of", matched=1, total=2) in page_html(app)
    assert t("sentences.note") not in page_html(open_drawer(enter_and_score(app, "A dog.", "A cat."), "sentences"))
    app = enter_and_score(app, "A dog.", "A dog.", "A cat.")
    app = app.segmented_control(key="inspect.show").set_value("missing").run()
    table = page_html(app).partition('sc-table sc-tuples"')[2].partition("</table>")[0]
    assert "cat" in table and "dog" not in table
    app = enter_and_score(app, "A dog.", "A dog.", "")
    assert "<b>1.000</b>" in page_html(app)
    assert "<b>100.0</b>" in page_html(app.sidebar.toggle(key="inspect.percent").set_value(True).run())


def test_the_synonyms_follow_the_rules_until_they_are_chosen(app):
    def choose_setting(setting: str, name: str) -> str:
        return signature(app.sidebar.selectbox(key=f"inspect.en.{setting}").set_value(name).run())

    assert "scheme:distinct|synonyms:wn3.0+ranks" in signature(app)
    chosen_settings = choose_setting("parser", "spice-2016")
    assert "rules:spice-2016" in chosen_settings and "scheme:spice|synonyms:wn3.0+collisions" in chosen_settings
    assert "scheme:distinct|synonyms:wn3.0+ranks" in choose_setting("rules", "caption")
    assert "synonyms:none" in choose_setting("synonyms", "none")
    assert "synonyms:none" in choose_setting("parser", "caption") and "synonyms:none" in choose_setting("rules", "spice-2016")


def test_parses_are_cached_within_bounds(monkeypatch: pytest.MonkeyPatch):
    """Many submissions of maximum length do not fill the memory."""
    config, parsed_texts = settings.default_config("en"), []

    class CountingSpice:
        def parse(self, captions: list[str]) -> Iterator[str]:
            parsed_texts.extend(captions)
            return iter(captions)

    monkeypatch.setattr(engine, "cached_metric", lambda config: CountingSpice())
    try:
        for length, limit in ((10, 2048), (engine.MAX_CAPTION_CHARS, 100)):
            texts = [f"{text_number} ".ljust(length, "x") for text_number in range(limit + 1)]
            for text in (*texts, texts[-1], texts[0]):
                engine.cached_parse(text, config)
            assert parsed_texts == [*texts, texts[0]], "the last is cached, the first is not any more"
            parsed_texts.clear()
    finally:
        engine._parse_short.clear()
        engine._parse_long.clear()


def chips(app: AppTest) -> dict[str, list[str]]:
    """Return the words on the chips beside the score, by group."""
    groups = re.findall(r"<p[^>]*><b>([^<]*)</b>(.*?)</p>", page_html(app).partition('<div class="sc-chips">')[2].partition("</div>")[0])
    return {name: [re.sub("<[^>]*>", "", chip) for chip in re.findall(r"<button.*?</button>", body)] for name, body in groups}


def test_chips_show_what_the_words_do_and_the_parser_can_be_switched(app):
    captions = "A puppy on a red couch.", "A dog on a blue sofa.", "A dog on a sofa with a racket.", "A racket."
    app = enter_and_score(app, *captions)
    left_out = ["– dog 2/3", "– racket 2/3", "– dog – on – sofa 2/3"]
    words = {"earned": [], "cost": ["+ puppy", "+ on", "+ red"], "other_words": ["≈ couch ≈ sofa"]}
    assert chips(app) == {t(f"ledger.{name}"): texts for name, texts in (words | {"left_out": left_out}).items() if texts}
    app = app.button_group(key="matching.switch").set_value("meaning").run()
    assert chips(app)[t("ledger.cost")] == ["≠ red ≠ blue ½"]
    assert chips(app)[t("ledger.other_words")] == ["⊂ puppy ⊂ dog", "⊂ on ⊂ dog – on – sofa ½", "≈ couch ≈ sofa"]
    assert "1 by synonym, 2 narrower, 1 contradicted" in page_html(app) and t("costs.for_graphs") in page_html(app)
    app = app.button_group(key="matching.switch").set_value("exact").run()
    app = app.button(key="inspect.other_parser").click().run()
    assert (
        "parser:spice-2016" in signature(app) and "synonyms:wn3.0+collisions" in signature(app) and t("costs.for_papers") in page_html(app)
    )
    assert signature(app.button(key="inspect.other_parser").click().run()) == str(Spice().signature)
    app = enter_and_score(app, "傘を持つ人", "傘")
    assert "rules:jaspice-2023" in signature(app.button(key="inspect.other_parser").click().run())
    assert chips(enter_and_score(app, "A dog.", "A dog.")) == {t("ledger.earned"): ["✓ dog"]}
    letters = "a big black cat, a small white dog, a tall green tree, a long brown bench, an old red bus, a new blue car, "
    app = enter_and_score(
        app, letters + "a thin grey pole, a wide wooden door, a round metal lamp, a short yellow pen and a cup.", "A cat."
    )
    assert t("ledger.too_long", number=31, most=30) in page_html(app)


def test_tuples_can_be_searched_and_sorted(app):
    def listed_rows() -> list[str]:
        return re.findall(r'data-focus="[^"]*"[^>]*>([^<]*)</button><small>', page_html(app))

    app = enter_and_score(app, "A big dog on a sofa.", "A dog.", "A brown dog.")
    all_rows = listed_rows()
    app = app.text_input(key="inspect.find").set_value(" Dog").run()
    assert listed_rows() == [row for row in all_rows if "dog" in row] != all_rows
    app = app.text_input(key="inspect.find").set_value("").run()
    app = app.selectbox(key="inspect.order").set_value("words").run()
    assert listed_rows() == sorted(all_rows, key=lambda row: re.split(": | – ", row))
    app = app.selectbox(key="inspect.order").set_value("references").run()
    assert listed_rows()[0] == "dog"


@pytest.mark.parametrize(
    "sent_content",
    [None, 3, {}, {"captions": []}, {"captions": "A dog."}, {"captions": [1]}, {"captions": ["a"] * 60}, {"captions": ["a" * 20_000]}],
)
def test_typed_captions_sent_by_the_browser_are_validated(monkeypatch: pytest.MonkeyPatch, sent_content: object):
    monkeypatch.setattr(inputs.st, "session_state", state := {})
    inputs._restore_typed_captions(sent_content)
    assert state == {}


def test_stored_pictures_are_current():
    outdated_files = [
        name for name in examples.examples_by_id() if (PICTURES_FOLDER / f"{name}.svg").read_text(encoding="utf-8") != render_picture(name)
    ]
    assert outdated_files == [], "draw anew: python -m tools.gallery"


def test_a_picture_has_the_colours_of_the_theme():
    light, dark_url = (picture_url("umbrella", theme) for theme in ("light", "dark"))
    assert light != dark_url and light.startswith("data:image/svg+xml;base64,")


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


PICTURE_CHOICE = {"format": "png/2", "width": "84", "legend": "on", "views": [None, [0, 0, 50, 20]], "focused": ["c:o1"], "faded": []}


@pytest.mark.parametrize(
    "change",
    [{"format": "exe"}, {"format": "png/9"}, {"width": "85"}, {"width": None}, {"views": [[0, 0, 1]]}, {"views": [[0, 0, 0, 1]]},
     {"views": [[0, 0, 1, 900]]}, {"views": [[0, 0, "nan", 1]]}, {"views": 3}, {"faded": None}],
)  # fmt: skip
def test_options_of_a_picture_from_a_browser_are_checked(change):
    assert graphs._read_options(PICTURE_CHOICE).focused == {"c:o1"}
    assert graphs._read_options(PICTURE_CHOICE | change) is None and graphs._read_options(None) is None
