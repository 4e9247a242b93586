"""Test the URL: what links open, why they are refused, and how the URL follows the visitor's changes."""

import base64
import json
import re
import zlib
from itertools import cycle
from urllib import parse

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.inspect import references, tab_storage
from pages.parts.kit import page as shell
from pages.parts.kit import url
from pages.parts.kit.texts import INTERFACE_LANGUAGES, t, text_catalogue
from pages.parts.state import engine, examples, links, settings
from pages.parts.state import links as share
from pages.parts.state.engine import CaptionInputs
from spice_core import SpiceConfig
from spice_core.data.reader import Upload
from spice_core.errors import InputError
from spice_core.lang.ja import PACK
from tests.app.conftest import (
    APP,
    choose_example,
    component_data,
    enter_and_score,
    open_page,
    page_html,
    page_messages,
    reference_numbers,
    signature,
)
from tests.data.test_fuzz_files import Reader, find_reader_fault, iterate_damaged_files

pytestmark = pytest.mark.usefixtures("use_few_ratings")
CAPTIONS = ("A red dog on a sofa.", "A dog sits on a sofa.", "A red cat.", "A dog and a cat.")
CHOSEN_SETTINGS = {"lang": "en", "parser": "spice-2016", "rules": "spice-2016", "synonyms": "none"}
CONFIG = SpiceConfig(**CHOSEN_SETTINGS)
LINK = share.pack_captions(CaptionInputs(CAPTIONS[0], CAPTIONS[1:]), CONFIG)
OTHER_TAB_STATE = {"used": [], "categories": "", "auto": True}
FIRST_EXAMPLE_ID = next(iter(examples.examples_by_id()))


def pack_link(content: object) -> str:
    text = content if isinstance(content, str) else json.dumps(content)
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def reopen_tab(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Reopen the app in the browser tab that stored this page's data."""
    tab_content, original_request = component_data(app, "spice_tab")["content"], tab_storage.request_stored_content

    def answer_from_tab() -> None:
        original_request()
        tab_storage.restore_captions(tab_content)

    with monkeypatch.context() as patch:
        patch.setattr(tab_storage, "request_stored_content", answer_from_tab)
        return open_page()


def used_references(app: AppTest) -> list[int]:
    return app.button_group(key="inspect.used").value


def count_references(app: AppTest) -> int:
    """Return the number of references that the result was scored against."""
    return page_html(app).count('<div class="sc-marked" lang') - 1


def test_excluded_references_stay_excluded_and_new_references_are_scored(app):
    app = enter_and_score(app, *CAPTIONS[:3])
    app = app.button_group(key="inspect.used").set_value([0]).run()
    app = enter_and_score(app, *CAPTIONS)
    assert used_references(app) == [0, 2] and count_references(app) == 2
    app = app.button(key=f"inspect.remove.{reference_numbers(app)[0]}").click().run()
    app = app.button(key="inspect.score").click().run()
    assert used_references(app) == [1] and count_references(app) == 1
    app = app.button_group(key="inspect.used").set_value([]).run()
    assert count_references(app) == 2 and used_references(app.run()) == [0, 1]
    app = choose_example(app.button_group(key="inspect.used").set_value([0]).run(), "umbrella")
    assert count_references(app) == len(examples.examples_by_id()["umbrella"]["references"]) and "refs" not in app.query_params


@pytest.mark.parametrize("params", [{"example": "pizza"}, {"t": LINK}, {}])
def test_the_choice_of_references_survives_a_reload(params):
    app = open_page(**params).button_group(key="inspect.used").set_value([0, 2]).run()
    assert app.query_params["refs"] == "1.3"
    reopened = open_page(**open_page(**app.query_params).query_params)
    assert used_references(reopened) == [0, 2] and count_references(reopened) == 2
    assert reopened.text_area(key="inspect.candidate").value == app.text_area(key="inspect.candidate").value


def test_the_tab_stores_data_that_the_url_lacks(app):
    def stored_content(app: AppTest) -> dict:
        return component_data(app, "spice_tab")["content"]

    assert stored_content(app) == {} and stored_content(open_page(t=LINK)) == {}
    app = enter_and_score(app, *CAPTIONS)
    app = app.button_group(key="inspect.used").set_value([0, 2]).run()
    assert {"example", "t", "refs"}.isdisjoint(app.query_params) and count_references(app) == 2
    assert used_references(open_page(**component_data(app, "spice_copy")["params"])) == [0, 2]
    assert stored_content(app) == {
        "captions": list(CAPTIONS),
        "settings": SpiceConfig("en").resolved().as_dict(),
        **OTHER_TAB_STATE,
        "used": [0, 2],
    }
    app = app.selectbox(key="inspect.en.parser").set_value("spice-2016").run()
    assert stored_content(app)["settings"] == CHOSEN_SETTINGS | {"synonyms": stored_content(app)["settings"]["synonyms"]}
    # An empty candidate cannot be scored, but the tab still stores the captions.
    app = enter_and_score(app, "", *CAPTIONS[1:])
    assert stored_content(app)["captions"] == ["", *CAPTIONS[1:]] and page_messages(app, "alert")
    assert stored_content(choose_example(app, "umbrella")) == {}


def test_data_stored_in_the_tab_is_validated(monkeypatch):
    for stored_data, used_indices, categories in (
        ({"used": [1]}, [1], ""), ({"used": []}, [], ""), ({"used": [1, 0, 0]}, [], ""), ({"used": [9, [1]]}, [], ""), ({"used": [True]}, [1], ""),
        ({"used": "1"}, [], ""), ({"used": None}, [], ""), ({"categories": 5}, [], ""), ({"categories": ["a"]}, [], ""),
        ({"categories": None, "auto": "yes"}, [], ""), ({"categories": "a: b" * 5_000}, [], ""), ({"categories": "a: \ud83d"}, [], r"a: \ud83d"),
    ):  # fmt: skip
        monkeypatch.setattr(tab_storage.st, "session_state", state := {"page": "inspect"})
        tab_storage.restore_captions({"captions": list(CAPTIONS[:3]), "settings": {"lang": "en"}, **stored_data})
        assert state["InspectState"].used_references == (CAPTIONS[1:3], used_indices)
        assert state["inspect.categories"] == categories and state["inspect.lang"] == "en"


def test_a_reload_detects_the_language_again_and_restores_custom_categories(monkeypatch: pytest.MonkeyPatch):
    for lang, expected in (("auto", "lang:ja"), ("en", "lang:en")):
        app = enter_and_score(open_page().segmented_control(key="inspect.lang").set_value(lang).run(), *CAPTIONS)
        edited_page = app.text_area(key="inspect.categories").set_value("Animals: dog, cat; Red: red").run()
        reopened = reopen_tab(edited_page, monkeypatch)
        assert reopened.segmented_control(key="inspect.lang").value == lang and "lang:en" in signature(reopened)
        assert reopened.text_area(key="inspect.categories").value == "Animals: dog, cat; Red: red"
        assert signature(reopened) == signature(edited_page) and "categories:" in signature(reopened)
        assert expected in signature(enter_and_score(reopened, "赤い傘を持った女性", "傘を差した女性", "赤い傘", "傘"))


def test_the_menu_restores_each_page_with_the_captions_choice_and_url_of_inspect():
    app = open_page(t=LINK, refs="1.3")
    params_before = dict(app.query_params)
    # The visitor returns by a link with the parameters, and then by a link without parameters.
    for address_query in (parse.urlencode(params_before), ""):
        app = app.switch_page("pages/6_Learn.py").run()
        assert menu_links(app)[0] == parse.urlencode(params_before)
        app.query_params.clear()
        app.query_params.update(parse.parse_qsl(address_query))
        app = app.switch_page("app.py").run()
        assert used_references(app) == [0, 2] and dict(app.query_params) == params_before
    assert app.text_area(key="inspect.candidate").value == CAPTIONS[0]
    params = {"section": "book", "caption": "A dog on a sofa.", "ui": "ja"}
    app = open_page("pages/2_Rules.py", **params).switch_page("pages/6_Learn.py")
    app.query_params.clear()
    assert dict(parse.parse_qsl(menu_links(app.run())[list(shell.NAME_BY_PAGE.values()).index("rules")])) == params


# Links to invalid captions or settings, or above the limits.
REFUSED_LINKS = [
    {"captions": "A dog.", "settings": {}}, {"captions": {"a": 1}, "settings": {}}, {"captions": [], "settings": {}},
    {"captions": ["A dog.", 5], "settings": {}}, {"captions": ["A dog.", None], "settings": {}},
    {"captions": ["A dog.", ["A cat."]], "settings": {}}, {"captions": ["A dog.", "A cat."], "settings": [["lang", "en"]]},
    {"captions": ["A dog.", "A cat."], "settings": {"lang": 5}}, {"captions": ["A dog.", "A cat."]}, ["A dog."], "5" * 5_000,
    "[" * 50_000, '{"captions": ["A \\ud83d dog.", "A cat."], "settings": {}}',
    '{"captions": ["A dog.", "A cat."], "settings": {"lang": "\\udc00"}}', {"captions": ["A dog."] * 24_000, "settings": {}},
    {"captions": ["A dog.", *["A cat."] * 51], "settings": {}}, {"captions": ["A dog." * 600, "A cat."], "settings": {}},
    {"captions": ["A dog.", *["A cat." * 100] * 20], "settings": {}},
    {"captions": ["A dog." + " " * 5_000_000, "A cat."], "settings": {}},
]  # fmt: skip
INVALID_TOKENS = [
    "x",
    "AAAA",
    "%",
    share.pack_captions(CaptionInputs("", ()), SpiceConfig())[:-4],
    "eNqrVipSslJQUtJRUCpJLS5RqgUAJRoEoA",
    *map(pack_link, REFUSED_LINKS),
]


@pytest.mark.parametrize("token", INVALID_TOKENS, ids=lambda token: token[:20])
def test_a_link_with_other_content_is_refused(token):
    with pytest.raises(InputError) as error_info:
        share.unpack_captions(token)
    assert len(t("share.unopened", found=error_info.value.found, expected=error_info.value.expected)) < 250


def test_a_refused_link_gives_a_short_message_and_opens_the_first_example():
    long = pack_link("".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(20_000)))
    refusal = t("share.unopened", found=f"{len(long):,} characters", expected="at most 4,096 characters")
    assert len(long) > share.MAX_LINK_CHARS
    for token, expected_messages in (
        (INVALID_TOKENS[0], "The link could not be opened: found "),
        (INVALID_TOKENS[-1], "The link could not be opened: found "),
        (long, refusal),
    ):
        app = open_page(t=token, refs="2")
        (message,) = page_messages(app)
        assert expected_messages in message and len(message) < 250
        assert app.query_params == {"example": FIRST_EXAMPLE_ID} and len(used_references(app)) == count_references(app) == 3
    assert len(page_messages(open_page(example="x" * 100_000))[0]) < 200


def test_the_url_lists_references_in_any_order_and_all_count_if_one_does_not_exist(monkeypatch: pytest.MonkeyPatch):
    app = open_page(refs="3.1.1.")
    assert used_references(app) == [0, 2] and app.query_params["refs"] == "1.3" and not page_messages(app)
    app = open_page(refs="1.99")
    assert len(page_messages(app)) == 1 and "Expected: numbers from 1 to 3" in page_messages(app)[0]
    assert count_references(app) == 3 and "refs" not in app.query_params
    # A single reference cannot be deselected.
    app = open_page(t=share.pack_captions(CaptionInputs(*CAPTIONS[:1], CAPTIONS[1:2]), CONFIG), refs="1")
    assert count_references(app) == 1 and "refs" not in app.query_params and not page_messages(app)
    for refs in ("9" * 5_000, "1.99", "0", "-1", "１", "1,2", "a", "1." + "9" * 5_000, "\ufffd"):
        messages: list[str] = []
        monkeypatch.setattr(references.url, "current_params", lambda refs=refs: {"refs": refs})
        monkeypatch.setattr(references.html, "show_messages", messages.extend)
        assert references._requested_references(3) == []
        assert len(messages) == 1 and "Expected: numbers from 1 to 3" in messages[0] and len(messages[0]) < 250


def test_an_unexpected_error_reveals_nothing_about_the_server():
    def raise_error() -> None:
        raise RuntimeError("/srv/secret")

    (shown_error,) = AppTest.from_function(raise_error, default_timeout=240).run().exception
    assert not re.search(r"secret|\.py|/|RuntimeError", str(shown_error.proto).partition("(if you")[0])
    assert not shown_error.stack_trace


HOSTILE_VALUES = ["9" * 5_000, "x" * 100_000, "a.b,c:d\x00", "</script><img src=x onerror=alert(1)>", "{}{0}{number}%s", "..", "\ufffd"]
PARAMETERS_BY_PAGE = {
    "app.py": ("ui", "example", "t", "image", "refs", "view", "show", "category", "focus"),
    "pages/2_Rules.py": ("ui", "section", "lang", "parser", "rules", "caption", "off", "q", "words"),
    "pages/3_Batch.py": ("ui", "example", "t", "q", "f1", "by", "only", "find", "order"),
    "pages/4_Systems.py": ("ui", "example", "t", "q", "base", "other", "gap", "side", "box"),
    "pages/5_Agreement.py": ("ui", "example", "t", "q"),
    "pages/6_Learn.py": ("ui", "section", "step", "exercise", "set", "item", "present"),
}


@pytest.mark.parametrize("page", PARAMETERS_BY_PAGE)
def test_no_parameter_breaks_a_page(page):
    """In each visit, every parameter has a hostile value. All visits together cover each value (on slower pages, two)."""
    for visit in range(len(HOSTILE_VALUES)) if page in ("app.py", "pages/2_Rules.py", "pages/6_Learn.py") else (0, 4):
        values = dict(zip(PARAMETERS_BY_PAGE[page], cycle(HOSTILE_VALUES[visit:] + HOSTILE_VALUES[:visit])))
        app = open_page(page, **values)
        assert "<img src=x" not in page_html(app), values
        assert all(len(text) < 300 for text in [*page_messages(app), *page_messages(app, "alert")]), values


def test_the_form_stops_adding_references_at_fifty():
    app = open_page(
        t=share.pack_captions(
            CaptionInputs("A dog.", tuple(f"A {noun}." for noun in ("cat", "dog", "bus", "hat", "car", "cup", "bed")) * 7), CONFIG
        )
    )
    assert len(reference_numbers(app)) == engine.MAX_REFERENCES - 1 and not app.button(key="inspect.add").disabled
    app = app.button(key="inspect.add").click().run()
    assert len(reference_numbers(app)) == engine.MAX_REFERENCES and app.button(key="inspect.add").disabled
    assert t("inputs.full", most=engine.MAX_REFERENCES) in page_html(app)
    assert not app.button(key=f"inspect.remove.{reference_numbers(app)[0]}").click().run().button(key="inspect.add").disabled


def test_captions_over_a_limit_are_refused_but_stay_in_the_form(app):
    long = [("a caption of 3,500 characters", "at most 3,000 characters")]
    for inputs, excess in (
        (("A dog. " * 500, "A dog."), long), (("A dog.", "A cat. " * 500), long), (("A dog.", *["A cat."] * 51), [("51 references", "at most 50")]),
        (("A dog.", *["A cat. " * 140] * 12), [("captions of 11,766 characters in total", "at most 6,000 characters in total")]),
        (("x" * 3_000, "x" * 2_000, "x" * 1_000, *[""] * 48), []),
    ):  # fmt: skip
        assert engine.find_exceeded_limits(CaptionInputs(inputs[0], inputs[1:])) == excess
    captions = ("A dog.", "A cat. " * 100_000)
    app = enter_and_score(app, *captions)
    found_text, expected_text = "a caption of 699,999 characters", "at most 3,000 characters"
    assert t("states.excess", found=found_text, expected=expected_text) in page_messages(app, "alert")
    assert 'class="sc-score"' not in page_html(app)
    assert app.text_area(key="inspect.candidate").value == captions[0]
    assert app.text_area(key=f"inspect.reference.{reference_numbers(app)[0]}").value == captions[1]
    assert 'class="sc-score"' in page_html(enter_and_score(app, *CAPTIONS))
    app = enter_and_score(app, "A dog and " * 80 + "a cat.", "A dog.")
    assert any("words" in text for text in page_messages(app)) and 'class="sc-score"' in page_html(app)


def menu_links(app: AppTest) -> list[str]:
    """Return the query strings of the menu's links, in the order of the pages."""
    query_strings = [link.proto.query_string for link in app.get("page_link")]
    assert len(query_strings) == len(shell.NAME_BY_PAGE)
    return query_strings


def language_switch(app: AppTest) -> object:
    return next(group for group in app.button_group if group.options == list(INTERFACE_LANGUAGES.values()))


def page_language(app: AppTest) -> str:
    """Return the language of a page, and check that its switch, tagline and texts agree."""
    page, language_group = page_html(app), language_switch(app)
    languages = {code for code in ("en", "ja") for text in text_catalogue(code)["page"].values() if f'<p title="{text}">' in page}
    titles = {code for code in ("en", "ja") if text_catalogue(code)["settings"]["title"] in [s.value for s in app.sidebar.subheader]}
    assert languages == {language_group.value} and titles <= languages
    return language_group.value


def test_a_page_opens_in_the_language_of_the_url_or_else_of_the_browser():
    for page, (locale, requested_language, expected_language) in zip(cycle(shell.NAME_BY_PAGE), (
        ("ja", {}, "ja"), ("ja-JP", {}, "ja"), ("en-US", {}, "en"), ("de-DE", {}, "en"),
        (None, {}, "en"), ("ja-JP", {"ui": "en"}, "en"), ("en-US", {"ui": "ja"}, "ja"), ("ja-JP", {"ui": "xx"}, "ja"),
    )):  # fmt: skip
        app = open_page(page, locale=locale, **requested_language)
        assert page_language(app) == page_language(app.run()) == expected_language, (page, locale, requested_language)
        assert app.query_params.get("ui") == (requested_language["ui"] if requested_language.get("ui") in ("en", "ja") else None)


@pytest.mark.parametrize(("locale", "chosen_language"), [("en-US", "ja"), ("ja-JP", "en")])
def test_the_chosen_language_applies_to_every_page(locale, chosen_language):
    app = open_page(locale=locale)
    app = language_switch(app).set_value(chosen_language).run()
    assert page_language(app) == chosen_language and app.query_params["ui"] == chosen_language
    assert all(f"ui={chosen_language}" in link for link in menu_links(app))
    first_page, *other_pages = shell.NAME_BY_PAGE
    for page, linked in zip([first_page, *other_pages, *other_pages, first_page], cycle([True, False])):
        app.switch_page(page)
        app.query_params.clear()
        # If ``linked`` is false, the link was drawn before the choice.
        if linked:
            app.query_params["ui"] = chosen_language
        app = app.run()
        assert page_language(app) == chosen_language and app.query_params["ui"] == chosen_language, page


def page_elements(app: AppTest) -> str:
    """Return the content of all elements in order, without the fields on the origin of widget and file values."""
    page_html(app)
    protos = "\n".join(str(element.proto) for place in (app.sidebar, app.main) for element in place)
    return re.sub(r"^(set_value|raw_values?|value|expanded|deferred_file_id):.*\n", "", protos, flags=re.MULTILINE)


@pytest.mark.parametrize("page", shell.NAME_BY_PAGE)
def test_a_page_after_a_language_switch_equals_the_page_opened_in_that_language(page):
    params = {"app.py": {"example": "umbrella", "view": "difference"}, "pages/2_Rules.py": {"lang": "en"}}.get(page, {})

    def with_drawers(app: AppTest) -> AppTest:
        for drawer in ("shares", "beside", "whatif", "parses") if page == "app.py" else ():
            app.session_state[f"inspect.{drawer}"] = True
        return app.run()

    app = with_drawers(open_page(page, **params))
    app = language_switch(app).set_value("ja").run()
    assert page_elements(with_drawers(app)) == page_elements(with_drawers(open_page(page, ui="ja", **params)))


def test_the_first_captions_are_in_the_language_of_the_interface():
    assert open_page(ui="ja").session_state["inspect.candidate"] == examples.examples_by_id()["ja-umbrella"]["candidate"]
    assert (
        open_page(example="tennis-girl", ui="ja").session_state["inspect.candidate"]
        == examples.examples_by_id()[FIRST_EXAMPLE_ID]["candidate"]
    )
    for params, caption in [({"ui": "ja"}, PACK.first_caption), ({"ui": "ja", "caption": "a dog"}, "a dog")]:
        app = open_page("pages/2_Rules.py", **params)
        assert app.session_state[f"rules.caption.{'ja' if caption == PACK.first_caption else 'en'}"] == caption


def test_the_page_follows_the_url_after_navigation_back_unless_the_url_is_outdated(monkeypatch: pytest.MonkeyPatch):
    app = open_page(ui="ja").switch_page("pages/6_Learn.py").run()
    app.query_params["ui"] = "en"
    assert page_language(app.run()) == "ja" and app.query_params["ui"] in ("ja", ["ja"])
    monkeypatch.setattr(url, "has_gone_back", lambda: True)
    app.query_params["ui"] = "en"
    assert page_language(app.run()) == "en" and page_language(app.switch_page("app.py").run()) == "en"


def test_a_choice_sent_with_an_outdated_label_keeps_its_value():
    """Streamlit returns None for a label that has changed in the meantime."""
    app = open_page(t=pack_link({"captions": list(CAPTIONS), "settings": CHOSEN_SETTINGS}))
    for widget in ("inspect.show", "inspect.view", "inspect.lang"):
        app.session_state[widget] = None
        app.run()
        assert not app.exception and count_references(app) == 3


def test_navigation_back_undoes_the_last_choice(app, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(url, "has_gone_back", lambda: False)
    assert dict(app.query_params) == {}
    app = choose_example(choose_example(app, "pizza"), "umbrella")
    app = app.segmented_control(key="inspect.view").set_value("union").run()
    assert dict(app.query_params) == {"example": "umbrella", "view": "union"}

    def go_back(**params: str) -> str:
        with monkeypatch.context() as patch:
            patch.setattr(url, "has_gone_back", lambda: True)
            app.query_params.clear()
            app.query_params.update(params)
            app.run()
        assert dict(app.query_params) == params
        return app.text_area(key="inspect.candidate").value

    caption_by_name = {name: example["candidate"] for name, example in examples.examples_by_id().items()}
    assert go_back(example="umbrella") == caption_by_name["umbrella"] and app.segmented_control(key="inspect.view").value == "both"
    assert go_back(example="pizza", refs="2", focus="c:o1") == caption_by_name["pizza"] and used_references(app) == [1]
    assert app.selectbox(key="inspect.focus").value == "c:o1"
    assert go_back(t=LINK) == CAPTIONS[0] and go_back() == caption_by_name[FIRST_EXAMPLE_ID]
    app = choose_example(enter_and_score(app, "Two dogs.", "A dog."), "pizza")
    assert go_back() == "Two dogs.", "captions of one's own have no address"


def test_edited_rules_survive_a_reload_and_the_page_shows_their_name(monkeypatch: pytest.MonkeyPatch):
    text = (APP.parent / "spice_core/lang/en/rules/caption.toml").read_text(encoding="utf-8")
    app = open_page(state={settings.CUSTOM_RULES: {"en": {"mine": text}}})
    app = app.selectbox(key="inspect.en.rules").set_value("mine").run()
    assert "mine" in t("costs.own_rules", name="mine") and t("costs.own_rules", name="mine") in page_html(app)
    stored_rules, original_request = component_data(app, "spice_tab")["rules"], tab_storage.request_stored_content

    def answer_from_tab() -> None:
        original_request()
        tab_storage.restore_captions({"rules": stored_rules})

    monkeypatch.setattr(tab_storage, "request_stored_content", answer_from_tab)
    for params in ({}, {"example": "pizza"}):
        assert signature(open_page(**params)) == signature(app)
    for raise_error in (
        {**stored_rules, "rules_text": "[["},
        {**stored_rules, "lang": "xx"},
        {**stored_rules, "rules": 5},
        [],
        {**stored_rules, "rules_text": text * 50},
    ):
        stored_rules = raise_error
        assert "rules:mine" not in signature(open_page())


LINKED_CONTENT = {"captions": ["A dog on a sofa.", "A brown dog.", "黒い犬。"], "settings": {"lang": "en", "rules": "caption"}}


def unpack_damaged_links(file: Upload) -> None:
    """Unpack three links made from a damaged text: packed, packed and truncated, and raw.

    Check that captions and settings are text.
    """
    token = base64.urlsafe_b64encode(zlib.compress(file.content)).decode()
    for link_text in (token, token[: len(file.content) % len(token)], file.content.decode("utf-8", "replace")):
        try:
            inputs, settings = links.unpack_captions(link_text)
        except links.InputError:
            continue
        assert all(isinstance(text, str) for text in (inputs.candidate, *inputs.references, *settings.as_dict().values()))
        "".join((inputs.candidate, *inputs.references)).encode()


LINK_READER = Reader("link", json.dumps(LINKED_CONTENT, ensure_ascii=False).encode(), unpack_damaged_links)


def test_broken_links_are_opened_or_refused():
    faults = {
        fault: file
        for file in iterate_damaged_files(LINK_READER, seed=1, count=300)
        if (fault := find_reader_fault(LINK_READER, file, seconds=60))
    }
    assert faults == {}
