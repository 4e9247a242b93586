"""Test the Inspect page without a browser: references are chosen, a result is pinned and compared with edited captions, and links are shared."""

import html
import math

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.inspect import categories, downloads
from pages.parts.kit.html import escape_markdown
from pages.parts.kit.texts import t
from pages.parts.state import links, settings
from pages.parts.state.engine import CaptionInputs
from pages.parts.state.engine import score_captions as scored
from spice_core import Spice, SpiceConfig
from spice_core.draw import design
from spice_core.draw.style import DisplayStyle
from spice_core.scene.scores import Score
from tests.app.conftest import component_data, enter_and_score, open_drawer, open_page, page_html, page_messages, signature

CAPTIONS = ("A red dog on a sofa.", "A dog sits on a sofa.", "A red cat.")


def bar_labels(app: AppTest) -> list[str]:
    return [row["name"] for row in component_data(app, "spice_bars")["rows"]]


def f1(app: AppTest) -> float:
    return float(page_html(app).partition('class="sc-f1"')[2].partition("<b>")[2].partition("</b>")[0])


def test_excluding_a_reference_and_explaining_a_tuple_parse_nothing(app, monkeypatch):
    parsed_texts, parse = [], Spice.parse
    monkeypatch.setattr(Spice, "parse", lambda self, captions: (parsed_texts.extend(captions := list(captions)), parse(self, captions))[1])
    spice = Spice()
    first_f1, both_f1, last_f1 = (round(spice.compute(CAPTIONS[0], used).f1, 3) for used in (CAPTIONS[1:2], CAPTIONS[1:], CAPTIONS[2:]))
    app = enter_and_score(app, *CAPTIONS)
    assert parsed_texts
    parsed_texts.clear()
    assert f1(app.button_group(key="inspect.used").set_value([0]).run()) == first_f1 != both_f1
    assert f1(app.button_group(key="inspect.used").set_value([]).run()) == both_f1
    page = page_html(app.selectbox(key="inspect.focus").set_value("c:o1").run())
    assert t("detail.why") in page and t("detail.rules") in page and app.query_params["focus"].startswith("c:")
    table = page_html(open_drawer(app, "shares")).partition(t("references.alone"))[2]
    assert f"{last_f1:.3f}" in table and 'class="sc-fall">−' in table
    assert parsed_texts == []


def test_a_pinned_result_is_compared_with_edited_captions(app):
    app = enter_and_score(app, *CAPTIONS)
    app = app.button(key="inspect.pin").click().run()
    assert t("whatif.same") in page_html(app)
    app = enter_and_score(app, "A dog on a sofa.", *CAPTIONS[1:])
    page = page_html(app).partition('class="sc-changes"')[2]
    assert "dog: red" in page and t("whatif.lost_candidate") in page
    app = app.button(key="inspect.unpin").click().run()
    assert 'class="sc-changes"' not in page_html(app)


def test_an_edit_of_the_ledger_is_applied_and_undone(app):
    captions = "A puppy beside a woman holding a red umbrella.", "A dog beside a woman holding a blue umbrella."
    app = enter_and_score(app, *captions)
    button = next(button for button in app.button if (button.key or "").startswith("inspect.edit.") and "“blue”" in button.label)
    edited_caption = "A puppy beside a woman holding a blue umbrella."
    assert button.help == escape_markdown(edited_caption)
    predicted_f1 = button.label.partition(":")[0]
    app = button.click().run()
    assert app.text_area(key="inspect.candidate").value == edited_caption and f"<b>{predicted_f1}</b>" in page_html(app)
    assert t("whatif.pinned") in page_html(app)
    app = app.button(key="inspect.back").click().run()
    assert app.text_area(key="inspect.candidate").value == captions[0] and "inspect.back" not in [button.key for button in app.button]


def test_other_settings_exclude_custom_rules(app):
    app.session_state[settings.CUSTOM_RULES] = {"en": {"mine": "# a rule set without a rule"}}
    app = app.run().sidebar.selectbox(key="inspect.en.rules").set_value("mine").run()
    app = open_drawer(enter_and_score(app, "A red dog.", "A red dog."), "whatif")
    app = app.selectbox(key="inspect.other.en.rules").set_value("spice-2016").run()
    changes = page_html(app).partition('class="sc-changes"')[2]
    assert not app.exception and "dog: red" in changes


def test_a_category_shows_only_its_tuples_and_custom_categories_have_a_bar(app):
    app.session_state["inspect.category"] = "Color"
    app = app.run()
    table = page_html(app).partition('sc-table sc-tuples"')[2].partition("</table>")[0]
    assert "dress: white" in table and "court" not in table and app.query_params["category"] == "Color"
    app = enter_and_score(app, "A wooden table.", "A wooden table.", "A glass table.")
    app = app.sidebar.text_area(key="inspect.categories").set_value("Material: wooden, glass").run()
    assert "Material" in bar_labels(app)
    app = app.sidebar.text_area(key="inspect.categories").set_value("wooden").run()
    assert "line 1" in " ".join(page_messages(app, "alert")) and "Material" not in bar_labels(app)


def test_a_bar_shows_the_figures_of_its_category():
    for category, counts, percent, (kind, *ratios, figure, counts_text) in (
        ("Object", Score(2, 4, 2), False, ("object", 2 / 3, 0.5, 1.0, "0.667", "2/4 · 2/2")),
        ("Relation", Score(0, 1, 1), True, ("relation", 0.0, 0.0, 0.0, "0.0", "0/1 · 0/1")),
        ("Size", Score(0, 0, 0), False, ("attribute", None, None, None, "n/a", "0/0 · 0/0")),
        ("Colour", Score(0, 2, 0), False, ("attribute", None, None, None, "n/a", "0/2 · 0/0")),
        ("Object", Score(2 + 2 / 3, 3, 12), False, ("object", 0.3556, 0.8889, 0.2222, "0.356", "2.67/3 · 2.67/12")),
    ):
        bar = categories.category_bar(category, "name", counts, DisplayStyle(percent=percent), is_chosen=True)
        assert (bar.id, bar.kind, bar.ratio, bar.counts, bar.is_chosen) == (category, kind, figure, counts_text, True)
        for shown_ratio, expected_ratio in zip((bar.f1, bar.precision, bar.recall), ratios):
            assert shown_ratio is expected_ratio or math.isclose(shown_ratio, expected_ratio, abs_tol=1e-4)


def test_a_link_restores_captions_settings_view_and_the_language_of_the_interface():
    token = links.pack_captions(CaptionInputs(CAPTIONS[0], CAPTIONS[1:]), SpiceConfig("en", "spice-2016", "spice-2016", "none"))
    app = open_page(t=token, view="difference", show="missing", ui="ja")
    assert app.text_area(key="inspect.candidate").value == CAPTIONS[0] and "synonyms:none" in signature(app)
    assert app.segmented_control(key="inspect.view").value == "difference" and app.segmented_control(key="inspect.show").value == "missing"
    assert t("tuples.title", language="ja") in [s.value for s in app.subheader]
    for language, other_language, page in (("ja", "en", page_html(app)), ("en", "ja", page_html(open_page(ui="en")))):
        assert t("inputs.candidate", language=language) in page and t("score.precision", language=language) in page
        assert t("inputs.candidate", language=other_language) not in page


@pytest.mark.parametrize("captions", [("A dog <b>x</b>.", ("=A dog & cat.",)), ("赤い傘を持つ人", ("傘を差す人",)), ("?", ("A dog.",))])
def test_every_file_can_be_saved(captions):
    lang = "ja" if captions[0][0] == "赤" else "en"
    pack = {"ja": ("ginza", "ja-caption", "sudachi+captions"), "en": ("spice-2016", "spice-2016", "wn3.0+collisions")}[lang]
    scored_captions = scored(CaptionInputs(*captions), SpiceConfig(lang, *pack))
    style = DisplayStyle()
    for name, (_, _, make_file) in downloads.DOWNLOAD_FILES.items():
        content = make_file(scored_captions, style)
        assert len(content) > 20, name
        assert name not in ("html", "report") or "<b>x" not in content


CONTRADICTING_CAPTIONS = CaptionInputs("A red cup is to the right of a puppy.", ("A dog is to the left of a blue cup.",))


def test_the_switch_counts_entailed_tuples_and_marks_contradictions(app):
    app = enter_and_score(app, CONTRADICTING_CAPTIONS.candidate, *CONTRADICTING_CAPTIONS.references)
    plain_html = page_html(app)
    assert "SPICE, by meaning" not in plain_html and t("legend.entailed") not in plain_html and t("legend.contradicted") not in plain_html
    app = app.button_group(key="matching.switch").set_value("meaning").run()
    counted_html = html.unescape(page_html(app))
    assert "scheme:entailed" in signature(app) and "SPICE, by meaning (F1)" in counted_html and app.query_params["matching"] == "meaning"
    assert all(
        t(f"legend.{state}") in counted_html and design.MARK_BY_STATE[state] in counted_html for state in ("entailed", "contradicted")
    )
    assert "left – of – cup, dog – to – left ⇒ cup – to – right (right of what is left)" in counted_html
    assert t("tuples.contradicted_why", other="cup: blue") in counted_html
    # All tuples of the references except (cup, blue) are covered.
    assert t("score.covered", matched=5, total=6) in counted_html


def test_a_link_restores_the_choice_and_japanese_has_its_own_rules():
    captions = [CONTRADICTING_CAPTIONS.candidate, *CONTRADICTING_CAPTIONS.references]
    old_token = links.pack_json({"captions": captions, "settings": {"lang": "en", "scheme": settings.MEANING_SCHEME}})
    for params in ({"t": old_token}, {"t": links.pack_captions(CONTRADICTING_CAPTIONS, SpiceConfig()), "matching": "meaning"}):
        app = open_page(**params)
        assert app.button_group(key="matching.switch").value == "meaning" and "scheme:entailed" in signature(app)
        for page in ("pages/3_Batch.py", "pages/4_Systems.py"):
            assert app.switch_page(page).run().button_group(key="matching.switch").value == "meaning"
    japanese = CaptionInputs("ドアの左に標識がある。", ("標識の右にドアがある。",))
    app = open_page(t=links.pack_captions(japanese, SpiceConfig("ja")), matching="meaning", ui="ja")
    assert "<b>1.000</b>" in page_html(app) and "右と左" in page_html(app)
