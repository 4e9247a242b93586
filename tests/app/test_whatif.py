"""Switching, pinning, editing, comparing and sharing on the Inspect page, without a browser."""

from __future__ import annotations

import json
import math

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.inspect import categories, downloads
from pages.parts.kit.texts import t
from pages.parts.session import links, settings
from pages.parts.session.engine import Inputs
from pages.parts.session.engine import score as scored
from spice_core import Spice, SpiceConfig
from spice_core.draw.style import DisplayStyle
from spice_core.errors import InputError
from spice_core.scene.scores import Score
from tests.app.conftest import APP, opened, said, score, shown, signature

pytestmark = pytest.mark.parser
CAPTIONS = ("A red dog on a sofa.", "A dog sits on a sofa.", "A red cat.")


def bars(app: AppTest) -> list[str]:
    """The names of the categories that have a bar."""
    (sent,) = (json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.component_name == "spice_bars")
    return [row["name"] for row in sent["rows"]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The captions that were parsed, in order."""
    seen: list[str] = []
    parse = Spice.parse

    def counted(self: Spice, captions):
        seen.extend(captions := list(captions))
        return parse(self, captions)

    monkeypatch.setattr(Spice, "parse", counted)
    return seen


def f1(page: str) -> float:
    return float(page.partition('class="sc-f1"')[2].partition("<b>")[2].partition("</b>")[0])


def test_a_reference_can_be_switched_off_and_nothing_is_parsed(app, asked):
    spice = Spice()
    alone, both = (round(spice.compute(CAPTIONS[0], used).f1, 3) for used in (CAPTIONS[1:2], CAPTIONS[1:]))
    app = score(app, *CAPTIONS)
    asked.clear()
    app = app.button_group(key="inspect.used").set_value([0]).run()
    assert f1(shown(app)) == alone != both
    assert f1(shown(app.button_group(key="inspect.used").set_value([]).run())) == both and asked == []


def test_what_each_reference_does(app):
    page = shown(opened(score(app, *CAPTIONS), "shares"))
    table = page.partition(t("references.alone"))[2]
    assert f"{Spice().compute(CAPTIONS[0], [CAPTIONS[2]]).f1:.3f}" in table and 'class="sc-fall">−' in table


def test_the_focus_box_says_why_and_parses_nothing(app, asked):
    app = score(app, *CAPTIONS)
    asked.clear()
    box = app.selectbox(key="inspect.focus")
    app = box.set_value("c:o1").run()
    page = shown(app)
    assert t("detail.why") in page and t("detail.rules") in page and asked == []
    assert app.query_params["focus"].startswith("c:")


def test_pin_and_edit(app):
    app = score(app, *CAPTIONS)
    app = app.button(key="inspect.pin").click().run()
    assert t("whatif.same") in shown(app)
    app = score(app, "A dog on a sofa.", *CAPTIONS[1:])
    page = shown(app).partition('class="sc-changes"')[2]
    assert "dog: red" in page and t("whatif.lost_candidate") in page
    app = app.button(key="inspect.unpin").click().run()
    assert 'class="sc-changes"' not in shown(app)


def test_what_each_word_is_worth_and_what_other_settings_say(app):
    app = opened(score(app, "A grey couch.", "A gray sofa."), "whatif")
    page = shown(app).partition(t("whatif.worth"))[2]
    assert "<b>grey</b>" in page and "<b>couch</b>" in page
    app = app.segmented_control(key="inspect.way").set_value("settings").run()
    assert t("whatif.choose_other") in shown(app)
    app = app.selectbox(key="inspect.other.en.synonyms").set_value("none").run()
    page = shown(app)
    assert "wn3.0+ranks → none" in page and t("whatif.changed_candidate") in page


def test_other_settings_leave_own_rules_behind(app):
    """The text of own rules once stayed under the name of the other rule set."""
    app.session_state[settings.OWN] = {"en": {"mine": "# a rule set without a rule"}}
    app = app.run().sidebar.selectbox(key="inspect.en.rules").set_value("mine").run()
    app = opened(score(app, "A red dog.", "A red dog."), "whatif")
    app = app.segmented_control(key="inspect.way").set_value("settings").run()
    app = app.selectbox(key="inspect.other.en.rules").set_value("spice-2016").run()
    changes = shown(app).partition('class="sc-changes"')[2]
    assert not app.exception and "dog: red" in changes


def test_own_categories(app):
    app = score(app, "A wooden table.", "A wooden table.", "A glass table.")
    app = app.sidebar.text_area(key="inspect.categories").set_value("Material: wooden, glass").run()
    assert "Material" in bars(app)
    app = app.sidebar.text_area(key="inspect.categories").set_value("wooden").run()
    assert "line 1" in " ".join(said(app, "alert")) and "Material" not in bars(app)


@pytest.mark.parametrize(
    ("category", "score", "percent", "wanted"),
    [
        ("Object", Score(2, 4, 2), False, ("object", 2 / 3, 0.5, 1.0, "0.667", "2/4 · 2/2")),
        ("Relation", Score(0, 1, 1), True, ("relation", 0.0, 0.0, 0.0, "0.0", "0/1 · 0/1")),
        ("Size", Score(0, 0, 0), False, ("attribute", None, None, None, "n/a", "0/0 · 0/0")),
        ("Colour", Score(0, 2, 0), False, ("attribute", None, None, None, "n/a", "0/2 · 0/0")),
        ("Object", Score(2 + 2 / 3, 3, 12), False, ("object", 0.3556, 0.8889, 0.2222, "0.356", "2.67/3 · 2.67/12")),
    ],
)
def test_the_bar_of_a_category(category, score, percent, wanted):
    bar = categories.bar(category, "name", score, DisplayStyle(percent=percent), chosen=True)
    kind, *ratios, figure, counts = wanted
    assert (bar.id, bar.kind, bar.ratio, bar.counts, bar.chosen) == (category, kind, figure, counts, True)
    for found, asked in zip((bar.f1, bar.precision, bar.recall), ratios):
        assert found is asked or math.isclose(found, asked, abs_tol=1e-4)


def test_a_category_shows_its_tuples_alone(app):
    app.session_state["inspect.category"] = "Color"
    app = app.run()
    table = shown(app).partition('sc-table sc-tuples"')[2].partition("</table>")[0]
    assert "dress: white" in table and "court" not in table and app.query_params["category"] == "Color"


def test_a_link_restores_captions_settings_and_view():
    app = AppTest.from_file(str(APP), default_timeout=240)
    chosen = SpiceConfig("en", "spice-2016", "spice-2016", "none")
    app.query_params["t"] = links.pack(Inputs(CAPTIONS[0], CAPTIONS[1:]), chosen)
    app.query_params["view"], app.query_params["show"], app.query_params["ui"] = "difference", "missing", "ja"
    app.run()
    assert app.text_area(key="inspect.candidate").value == CAPTIONS[0] and "synonyms:none" in signature(app)
    assert app.segmented_control(key="inspect.view").value == "difference" and app.segmented_control(key="inspect.show").value == "missing"
    assert t("tuples.title", language="ja") in [s.value for s in app.subheader]


@pytest.mark.parametrize("token", ["x", "AAAA", "%", links.pack(Inputs("", ()), SpiceConfig())[:-4], "eNqrVipSslJQUtJRUCpJLS5RqgUAJRoEoA"])
def test_a_broken_link_is_said_and_the_first_example_opens(token):
    with pytest.raises(InputError):
        links.unpack(token)
    app = AppTest.from_file(str(APP), default_timeout=240)
    app.query_params["t"] = token
    assert "link" in said(app.run())[0] and f1(shown(app)) > 0


def test_a_link_cannot_unfold_without_end():
    bomb = links.pack(Inputs("a" * 5_000_000, ()), SpiceConfig())
    with pytest.raises(InputError):
        links.unpack(bomb)


@pytest.mark.parametrize("captions", [("A dog <b>x</b>.", ("=A dog & cat.",)), ("赤い傘を持つ人", ("傘を差す人",)), ("?", ("A dog.",))])
def test_every_file_can_be_saved(captions):
    lang = "ja" if captions[0][0] == "赤" else "en"
    pack = {"ja": ("ginza", "ja-caption", "sudachi+captions"), "en": ("spice-2016", "spice-2016", "wn3.0+collisions")}[lang]
    found = scored(Inputs(*captions), SpiceConfig(lang, *pack))
    style = DisplayStyle()
    for name, (_, _, make) in downloads.FILES.items():
        made = make(found, style)()
        assert isinstance(made, bytes) and len(made) > 20, name
        assert name not in ("html", "svg", "report") or b"<b>x" not in made


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_interface_speaks_either_language(language):
    app = AppTest.from_file(str(APP), default_timeout=240)
    app.query_params["ui"] = language
    page = shown(app.run())
    assert t("captions.title", language=language) in page and t("score.precision", language=language) in page
    other = {"en": "ja", "ja": "en"}[language]
    assert t("captions.title", language=other) not in page.replace("report.captions", "")
