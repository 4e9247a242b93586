"""The address: what a link opens, what it is refused for, and that it stays true while the visitor works."""

from __future__ import annotations

import base64
import json
import re
import zlib
from urllib import parse

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.inspect import tab
from pages.parts.kit import page as shell
from pages.parts.kit import url
from pages.parts.kit.texts import INTERFACE, catalogue, t
from pages.parts.session import examples, limits
from pages.parts.session import links as share
from pages.parts.session.engine import Inputs
from spice_core import SpiceConfig
from tests.app.conftest import APP, choose, opened, rows, said, score, shown, signature

pytestmark = pytest.mark.parser
CAPTIONS = ("A red dog on a sofa.", "A dog sits on a sofa.", "A red cat.", "A dog and a cat.")
CHOSEN = {"lang": "en", "parser": "spice-2016", "rules": "spice-2016", "synonyms": "none"}
CONFIG = SpiceConfig(**CHOSEN)
BESIDE = {"used": [], "categories": "", "auto": True}
FIRST = next(iter(examples.examples()))


def at(page: str = "app.py", *, locale: str | None = None, **asked: str) -> AppTest:
    """A page as a link opens it, in a browser of this locale."""
    app = AppTest.from_file(str(APP), default_timeout=240)
    app.context["locale"] = locale
    if page != "app.py":
        app.switch_page(page)
    for name, value in asked.items():
        app.query_params[name] = value
    return app.run()


def reloaded(app: AppTest) -> AppTest:
    """A new visit to the address that the page has now."""
    return at(**app.query_params)


def packed(plain: object) -> str:
    """A link's text around anything."""
    text = plain if isinstance(plain, str) else json.dumps(plain)
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def copied(app: AppTest) -> dict:
    """What the button Copy link has been given."""
    (button,) = (json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.component_name == "spice_copy")
    return button


def kept(app: AppTest) -> dict:
    """What the browser's tab is given to keep."""
    (tab,) = (json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.component_name == "spice_tab")
    return tab["kept"]


def refilled(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """A new visit of the tab that keeps what this page gave it."""
    found, begin = kept(app), tab.begin

    def answered(*, key: str) -> None:
        begin(key=key)
        tab.fill(found, key=key)

    with monkeypatch.context() as patched:
        patched.setattr(tab, "begin", answered)
        return at()


def used(app: AppTest) -> list[int]:
    """The references that count, as the page shows them."""
    return app.button_group(key="inspect.used").value


def counted(app: AppTest) -> int:
    """How many references the result was scored against."""
    return shown(app).partition('class="sc-captions')[2].partition("</dl>")[0].count("<dt>") - 1


# References that count


@pytest.mark.parametrize("number", [2, 4, 12])
def test_references_that_are_added_count(app, number):
    few = [f"A dog on {n} sofas." for n in range(1, 3)]
    app = score(score(app, CAPTIONS[0], *few), CAPTIONS[0], *few, *(f"A cat on {n} beds." for n in range(1, number + 1)))
    assert used(app) == list(range(2 + number)) and counted(app) == 2 + number and "refs" not in app.query_params


def test_what_is_switched_off_stays_off_and_what_is_new_counts(app):
    app = score(app, *CAPTIONS[:3])
    app = app.button_group(key="inspect.used").set_value([0]).run()
    app = score(app, *CAPTIONS)
    assert used(app) == [0, 2] and counted(app) == 2
    app = app.button(key=f"inspect.remove.{rows(app)[0]}").click().run()
    app = app.button(key="inspect.score").click().run()
    assert used(app) == [1] and counted(app) == 1
    app = app.button_group(key="inspect.used").set_value([]).run()
    assert counted(app) == 2 and used(app.run()) == [0, 1]


def test_an_example_counts_all_its_references(app):
    app = choose(app.button_group(key="inspect.used").set_value([0]).run(), "umbrella")
    assert counted(app) == len(examples.examples()["umbrella"]["references"]) and "refs" not in app.query_params


def test_one_reference_is_no_choice_and_not_in_the_address():
    app = at(t=share.pack(Inputs(*CAPTIONS[:1], CAPTIONS[1:2]), CONFIG), refs="1")
    assert counted(app) == 1 and "refs" not in app.query_params and not said(app)


@pytest.mark.parametrize("asked", [{"ex": "pizza"}, {"t": share.pack(Inputs(CAPTIONS[0], CAPTIONS[1:]), CONFIG)}, {}])
def test_the_choice_of_references_survives_a_reload(asked):
    app = at(**asked).button_group(key="inspect.used").set_value([0, 2]).run()
    assert app.query_params["refs"] == "1.3"
    again = reloaded(reloaded(app))
    assert used(again) == [0, 2] and counted(again) == 2
    assert again.text_area(key="inspect.candidate").value == app.text_area(key="inspect.candidate").value


def test_the_address_says_nothing_of_captions_that_it_does_not_hold(app):
    app = score(app, *CAPTIONS).button_group(key="inspect.used").set_value([1]).run()
    assert {"example", "t", "refs"}.isdisjoint(app.query_params) and counted(app) == 1
    assert used(at(**copied(app)["asked"])) == [1]


def test_the_tab_keeps_what_the_address_does_not_hold(app):
    assert kept(app) == {} and kept(at(t=share.pack(Inputs(CAPTIONS[0], CAPTIONS[1:]), CONFIG))) == {}
    app = score(app, *CAPTIONS)
    app = app.button_group(key="inspect.used").set_value([0, 2]).run()
    assert kept(app) == {"captions": list(CAPTIONS), "settings": SpiceConfig("en").resolved().as_dict(), **BESIDE, "used": [0, 2]}
    app = app.selectbox(key="inspect.en.parser").set_value("spice-2016").run()
    assert kept(app)["settings"] == CHOSEN | {"synonyms": kept(app)["settings"]["synonyms"]}
    app = score(app, "", *CAPTIONS[1:])  # which cannot be scored, and is not lost
    assert kept(app)["captions"] == ["", *CAPTIONS[1:]] and said(app, "alert")
    assert kept(choose(app, "umbrella")) == {}


@pytest.mark.parametrize(("used", "counted"), [([1], [1]), ([], []), ([1, 0, 0], []), ([9, [1]], []), ([True], [1]), ("1", []), (None, [])])
def test_references_that_a_tab_names_count_if_there_are_such(monkeypatch: pytest.MonkeyPatch, used: object, counted: list[int]):
    monkeypatch.setattr(tab.st, "session_state", {})
    tab.fill({"captions": list(CAPTIONS[:3]), "settings": {"lang": "en"}, "used": used}, key="inspect")
    assert tab.st.session_state["inspect.counted"] == (CAPTIONS[1:3], counted)


@pytest.mark.parametrize(("lang", "then"), [("auto", "lang:ja"), ("en", "lang:en")])
def test_a_language_that_is_found_is_found_again_after_a_reload(app: AppTest, monkeypatch: pytest.MonkeyPatch, lang: str, then: str):
    app = score(app.segmented_control(key="inspect.lang").set_value(lang).run(), *CAPTIONS)
    again = refilled(app, monkeypatch)
    assert again.segmented_control(key="inspect.lang").value == lang and "lang:en" in signature(again)
    assert then in signature(score(again, "赤い傘を持った女性", "傘を差した女性", "赤い傘", "傘"))


def test_own_categories_survive_a_reload(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    app = score(app, *CAPTIONS)
    written = app.text_area(key="inspect.categories").set_value("Animals: dog, cat; Red: red").run()
    again = refilled(written, monkeypatch)
    assert again.text_area(key="inspect.categories").value == "Animals: dog, cat; Red: red"
    assert signature(again) == signature(written) and "categories:" in signature(again)


@pytest.mark.parametrize(("categories", "wanted"), [(5, ""), (["a"], ""), (None, ""), ("a: b" * 5_000, ""), ("a: \ud83d", r"a: \ud83d")])
def test_categories_that_a_tab_names_are_text_of_bounded_length(monkeypatch: pytest.MonkeyPatch, categories: object, wanted: str):
    monkeypatch.setattr(tab.st, "session_state", {})
    tab.fill({"captions": ["A dog.", "A cat."], "settings": {"lang": "en"}, "categories": categories, "auto": "yes"}, key="inspect")
    assert tab.st.session_state["inspect.categories"] == wanted and tab.st.session_state["inspect.lang"] == "en"


def test_the_way_back_to_inspect_keeps_captions_choice_and_address():
    app = at(t=share.pack(Inputs(CAPTIONS[0], CAPTIONS[1:]), CONFIG), refs="1.3")
    before = dict(app.query_params)
    for way in (parse.urlencode(before), ""):  # by the menu, or by a link of one's own
        app = app.switch_page("pages/5_Agreement.py").run()
        assert links(app)[0] == parse.urlencode(before)
        app.query_params.clear()
        for name, value in parse.parse_qsl(way):
            app.query_params[name] = value
        app = app.switch_page("app.py").run()
        assert used(app) == [0, 2] and dict(app.query_params) == before
    assert app.text_area(key="inspect.candidate").value == CAPTIONS[0]


def test_the_menu_leads_back_to_what_a_page_showed():
    asked = {"section": "book", "caption": "A dog on a sofa.", "ui": "ja"}
    app = at("pages/2_Rules.py", **asked).switch_page("pages/5_Agreement.py")
    app.query_params.clear()
    assert dict(parse.parse_qsl(links(app.run())[list(shell.PAGES.values()).index("rules")])) == asked


# What a link may not ask for


@pytest.mark.parametrize(
    "plain",
    [
        {"captions": "A dog.", "settings": {}},
        {"captions": {"a": 1}, "settings": {}},
        {"captions": [], "settings": {}},
        {"captions": ["A dog.", 5], "settings": {}},
        {"captions": ["A dog.", None], "settings": {}},
        {"captions": ["A dog.", ["A cat."]], "settings": {}},
        {"captions": ["A dog.", "A cat."], "settings": [["lang", "en"]]},
        {"captions": ["A dog.", "A cat."], "settings": {"lang": 5}},
        {"captions": ["A dog.", "A cat."]},
        ["A dog."],
        "5" * 5_000,
        "[" * 50_000,
        '{"captions": ["A \\ud83d dog.", "A cat."], "settings": {}}',
        '{"captions": ["A dog.", "A cat."], "settings": {"lang": "\\udc00"}}',
        {"captions": ["A dog."] * 24_000, "settings": {}},
        {"captions": ["A dog.", *["A cat."] * 51], "settings": {}},
        {"captions": ["A dog." * 600, "A cat."], "settings": {}},
        {"captions": ["A dog.", *["A cat." * 100] * 20], "settings": {}},
        {"captions": ["A dog." + " " * 5_000_000, "A cat."], "settings": {}},
    ],
    ids=lambda plain: str(plain)[:40],
)
def test_a_link_with_anything_else_is_refused_in_one_message(plain):
    app = at(t=packed(plain), refs="2")
    messages = said(app)
    assert len(messages) == 1 and "The link could not be opened: found " in messages[0] and len(messages[0]) < 250
    assert app.query_params == {"example": FIRST} and len(used(app)) == counted(app) == 3


def test_a_long_link_is_refused_unopened():
    token = packed("".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(20_000)))
    assert len(token) > share.LONGEST
    assert said(at(t=token)) == [t("share.unopened", found=f"{len(token):,} characters", expected="at most 4,096 characters")]


@pytest.mark.parametrize("refs", ["9" * 5_000, "1.99", "0", "-1", "１", "1,2", "a", "1." + "9" * 5_000, "\ufffd"])
def test_references_that_are_not_there_are_refused(refs):
    app = at(refs=refs)
    assert len(said(app)) == 1 and "Expected: numbers from 1 to 3" in said(app)[0] and len(said(app)[0]) < 250
    assert counted(app) == 3 and "refs" not in app.query_params


def test_references_may_be_named_twice_and_in_any_order():
    app = at(refs="3.1.1.")
    assert used(app) == [0, 2] and app.query_params["refs"] == "1.3" and not said(app)


def test_an_unknown_example_is_quoted_in_short():
    assert len(said(at(ex="x" * 100_000))[0]) < 200


def test_an_error_that_nobody_foresaw_tells_visitors_nothing_of_the_server():
    def broken() -> None:
        raise RuntimeError("/srv/secret")

    (shown_error,) = AppTest.from_function(broken, default_timeout=240).run().exception
    assert not re.search(r"secret|\.py|/|RuntimeError", str(shown_error.proto).partition("(if you")[0])
    assert not shown_error.stack_trace


HOSTILE = ["9" * 5_000, "x" * 100_000, "a.b,c:d\x00", "</script><img src=x onerror=alert(1)>", "{}{0}{number}%s", "..", "\ufffd"]
PARAMETERS = {
    "app.py": ("ui", "example", "ex", "t", "image", "refs", "view", "show", "category", "focus"),
    "pages/2_Rules.py": ("ui", "section", "lang", "parser", "rules", "caption", "off", "q", "words"),
    "pages/3_Batch.py": ("ui", "ex", "t", "q", "f1", "by", "only", "find", "order"),
    "pages/4_Systems.py": ("ui", "ex", "t", "q", "base", "other", "gap", "side", "box"),
    "pages/5_Agreement.py": ("ui", "ex", "t", "q"),
    "pages/6_Learn.py": ("ui", "section", "step", "exercise", "set", "item", "present"),
}


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: value[:10])
@pytest.mark.parametrize("page", PARAMETERS)
def test_no_parameter_breaks_a_page(page, value):
    app = at(page, **dict.fromkeys(PARAMETERS[page], value))
    assert "<img src=x" not in shown(app) and all(len(text) < 300 for text in [*said(app), *said(app, "alert")])


@pytest.mark.parametrize(("name", "section"), [("caption", "trace"), ("q", "query")])
def test_a_text_of_the_address_that_is_too_long_is_said_and_left_out(name, section):
    app = at("pages/2_Rules.py", section=section, **{name: "{tag:NN} " * 400})
    assert any(f"as “{name}”" in text for text in said(app)) and name not in app.query_params


# What the form takes


def test_the_form_stops_adding_references_at_fifty(app):
    for _ in range(limits.MOST - len(rows(app))):
        app = app.button(key="inspect.add").click().run()
    assert len(rows(app)) == limits.MOST and app.button(key="inspect.add").disabled
    assert t("inputs.full", most=limits.MOST) in shown(app)
    assert not app.button(key=f"inspect.remove.{rows(app)[0]}").click().run().button(key="inspect.add").disabled


@pytest.mark.parametrize(
    ("captions", "message"),
    [
        (("A dog. " * 500, "A dog."), ("a caption of 3,499 characters", "at most 3,000 characters")),
        (("A dog.", "A cat. " * 100_000), ("a caption of 699,999 characters", "at most 3,000 characters")),
        (("A dog.", *["A cat. " * 140] * 12), ("captions of 11,754 characters in all", "at most 10,000 characters in all")),
    ],
)
def test_captions_that_are_too_long_are_not_scored_and_not_lost(app, captions, message):
    app = score(app, *captions)
    found, expected = message
    assert t("states.excess", found=found, expected=expected) in said(app, "alert") and 'class="sc-score"' not in shown(app)
    assert app.text_area(key="inspect.candidate").value == captions[0]
    assert app.text_area(key=f"inspect.reference.{rows(app)[0]}").value == captions[1]
    assert 'class="sc-score"' in shown(score(app, *CAPTIONS))


def test_the_worth_of_each_word_is_told_for_captions_only(app):
    app = opened(score(app, "A dog and " * 80 + "a cat.", "A dog."), "whatif")
    assert "at most 60" in shown(app).partition(t("whatif.title"))[2] + shown(app) and t("whatif.worth") not in shown(app)


# The language of the interface


def links(app: AppTest) -> list[str]:
    """What the menu's links ask of their pages."""
    found = [link.proto.query_string for link in app.get("page_link")]
    assert len(found) == len(shell.PAGES)
    return found


def switched(app: AppTest) -> object:
    """The switch of the interface language."""
    return next(one for one in app.button_group if one.options == list(INTERFACE.values()))


def language(app: AppTest) -> str:
    """The language that a page speaks, all of it: its switch, its tagline and its texts."""
    page, switch = shown(app), switched(app)
    spoken = {code for code in ("en", "ja") for text in catalogue(code)["page"].values() if f'<p title="{text}">' in page}
    titles = {code for code in ("en", "ja") if catalogue(code)["settings"]["title"] in [s.value for s in app.sidebar.subheader]}
    assert spoken == {switch.value} and titles <= spoken
    return switch.value


@pytest.mark.parametrize(
    ("locale", "asked", "spoken"),
    [
        ("ja", {}, "ja"),
        ("ja-JP", {}, "ja"),
        ("en-US", {}, "en"),
        ("de-DE", {}, "en"),
        (None, {}, "en"),
        ("ja-JP", {"ui": "en"}, "en"),
        ("en-US", {"ui": "ja"}, "ja"),
        ("ja-JP", {"ui": "xx"}, "ja"),
    ],
)
@pytest.mark.parametrize("page", shell.PAGES)
def test_a_page_begins_in_the_language_of_the_address_else_of_the_browser(page, locale, asked, spoken):
    app = at(page, locale=locale, **asked)
    assert language(app) == language(app.run()) == spoken
    assert app.query_params.get("ui") == (asked["ui"] if asked.get("ui") in ("en", "ja") else None)


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize(("locale", "chosen"), [("en-US", "ja"), ("ja-JP", "en")])
def test_the_language_that_was_chosen_is_kept_on_every_page(locale, chosen, linked):
    app = at(locale=locale)
    app = switched(app).set_value(chosen).run()
    assert language(app) == chosen and app.query_params["ui"] == chosen
    assert all(f"ui={chosen}" in link for link in links(app))
    for page in [*shell.PAGES, *shell.PAGES]:
        app.switch_page(page)
        app.query_params.clear()
        if linked:  # else by a link that was drawn before the choice
            app.query_params["ui"] = chosen
        app = app.run()
        assert language(app) == chosen and app.query_params["ui"] == chosen, page


def told(app: AppTest) -> str:
    """All that a page shows, in the order of its elements, but for how it came by the values of its widgets."""
    shown(app)
    protos = "\n".join(str(element.proto) for place in (app.sidebar, app.main) for element in place)
    return re.sub(r"^(set_value|raw_values?|value|expanded):.*\n", "", protos, flags=re.MULTILINE)


@pytest.mark.parametrize("page", shell.PAGES)
def test_a_page_that_was_switched_is_the_page_in_that_language(page):
    asked = {"ex": "ja-umbrella", "view": "difference"} if page == "app.py" else {}

    def with_drawers(app: AppTest) -> AppTest:
        for drawer in ("shares", "beside", "whatif", "parses") if page == "app.py" else ():
            app.session_state[f"inspect.{drawer}"] = True
        return app.run()

    app = with_drawers(at(page, **asked))
    app = switched(app).set_value("ja").run()
    assert told(with_drawers(app)) == told(with_drawers(at(page, ui="ja", **asked)))


def test_an_address_is_followed_on_the_way_back_and_not_when_a_browser_names_it_late(monkeypatch: pytest.MonkeyPatch):
    app = at(ui="ja").switch_page("pages/5_Agreement.py").run()
    app.query_params["ui"] = "en"
    assert language(app.run()) == "ja" and app.query_params["ui"] in ("ja", ["ja"])
    monkeypatch.setattr(url, "went_back", lambda: True)
    app.query_params["ui"] = "en"
    assert language(app.run()) == "en" and language(app.switch_page("app.py").run()) == "en"


def test_links_and_addresses_are_read_as_they_were_written_until_0_2():
    old = {**{k: v for k, v in CHOSEN.items() if k != "parser"}, "analyser": "spice-2016"}
    app = at(t=packed({"captions": list(CAPTIONS), "settings": old}))
    assert app.selectbox(key="inspect.en.parser").value == "spice-2016"
    rules = at("pages/2_Rules.py", analyser="spice-2016", off="understood-subject-verb")
    assert rules.selectbox(key="rules.en.parser").value == "spice-2016" and "analyser" not in rules.query_params
    assert rules.query_params["off"] == "controlled-subject-verb"
    assert not any("analyser" in address for address in links(rules.switch_page("app.py").run()))


@pytest.mark.parametrize("widget", ["inspect.show", "inspect.view", "inspect.lang"])
def test_a_choice_that_a_browser_sends_by_an_old_label_keeps_its_value(widget):
    """Streamlit gives None for it, which once broke the page: labels hold numbers, and the numbers change."""
    app = at(t=packed({"captions": list(CAPTIONS), "settings": CHOSEN}))
    app.session_state[widget] = None
    app.run()
    assert not app.exception and counted(app) == 3
