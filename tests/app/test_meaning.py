"""Test comparison by meaning on the pages: the toggle, the verdicts with their steps, and a link that restores the choice."""

import html

from pages.parts.kit.texts import t
from pages.parts.state import links, settings
from pages.parts.state.engine import CaptionInputs
from spice_core import SpiceConfig
from spice_core.draw import design
from tests.app.conftest import enter_and_score, open_page, page_html, signature

CAPTIONS = CaptionInputs("A red cup is to the right of a puppy.", ("A dog is to the left of a blue cup.",))


def test_the_switch_counts_entailed_tuples_and_marks_contradictions(app):
    app = enter_and_score(app, CAPTIONS.candidate, *CAPTIONS.references)
    plain_html = page_html(app)
    assert "SPICE, entailed" not in plain_html and t("legend.entailed") not in plain_html and t("legend.contradicted") not in plain_html
    app = app.toggle(key="inspect.meaning").set_value(True).run()
    counted_html = html.unescape(page_html(app))
    assert "scheme:entailed" in signature(app) and "SPICE, entailed (F1)" in counted_html
    assert all(
        t(f"legend.{state}") in counted_html and design.MARK_BY_STATE[state] in counted_html for state in ("entailed", "contradicted")
    )
    assert "left – of – cup, dog – to – left ⇒ cup – to – right (right of what is left)" in counted_html
    assert t("tuples.contradicted_why", other="cup: blue") in counted_html
    # All tuples of the references except (cup, blue) are covered.
    assert t("score.covered", matched=5, total=6) in counted_html


def test_a_link_restores_the_choice_and_japanese_has_its_own_rules():
    app = open_page(t=links.pack_captions(CAPTIONS, SpiceConfig(scheme=settings.MEANING_SCHEME)))
    assert app.toggle(key="inspect.meaning").value and "scheme:entailed" in signature(app)
    japanese = CaptionInputs("ドアの左に標識がある。", ("標識の右にドアがある。",))
    app = open_page(t=links.pack_captions(japanese, SpiceConfig("ja", scheme=settings.MEANING_SCHEME)), ui="ja")
    assert "<b>1.000</b>" in page_html(app) and "右と左" in page_html(app)
