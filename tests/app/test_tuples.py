"""Test the tuple table and the explanation of the focused tuple: reasons are named and markup is escaped."""

from pages.parts.kit.texts import t
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from pages.parts.views import detail, tuples
from spice_core import Spice, SpiceConfig
from spice_core.explain.evidence import Occurrence, TupleRow
from spice_core.scene.matching import MatchState

OCCURRENCES = (Occurrence(0, "man … stands", "subject-verb-object"), Occurrence(0, "man … stands", "b"), Occurrence(0, "man … stands", "c"))


def score_propositions(
    candidate: list[list[str]], references: list[list[list[str]]], *, synonyms: str = "wn3.0+collisions", rules: str = "spice-2016"
) -> ScoredCaptions:
    settings = SpiceConfig("en", rules, rules, synonyms)
    result = Spice(settings).compute(candidate, references)
    return ScoredCaptions(CaptionInputs("", ("",) * len(references)), settings, result, (), tuple(range(len(references))))


def drawer_html(scored_example: ScoredCaptions, words: str) -> str:
    """Return the explanation of the row with these words."""
    return detail.detail_html(scored_example, next(row for row in scored_example.explanation.rows if " ".join(row.parts) == words))


def test_a_row_shows_how_it_matched_and_its_source():
    words, partner = ("man", "stand", "hill"), ("man", "bear", "hill")
    row = TupleRow("c:r1", ("c:r1", "r:r2"), (), words, "relation", MatchState.SYNONYM, (), partner, (), OCCURRENCES, OCCURRENCES)
    page = tuples.table_html([row], names={0: 4})
    assert "by synonym" in page and "man – bear – hill" in page and 'data-focus="c:r1"' in page
    assert "<small>5</small> man … stands" in page and "subject-verb-object, b +1" in page


def test_a_long_block_of_a_detail_stands_below_the_others(monkeypatch):
    scored_captions = score_propositions([["dog"]], [[["dog"]]])
    assert "sc-long" not in drawer_html(scored_captions, "dog")
    monkeypatch.setattr(detail, "rules_of_row", lambda row: ["noun"] * 9)
    assert drawer_html(scored_captions, "dog").count('<div class="sc-long">') == 1


def test_uncounted_synonyms_have_a_reason():
    references = [[["bathroom", "white"], ["piece"]], [["bathroom", "with", "toilet"]]]
    scored_example = score_propositions([["toilet", "white"], ["man"]], references, synonyms="wn3.0+ranks", rules="caption")
    apart_html, rare_html = drawer_html(scored_example, "toilet white"), drawer_html(scored_example, "man")
    assert "“toilet” and “bathroom” share the sense <code>toilet.n.01</code>" in apart_html and "one caption contains both" in apart_html
    assert t("detail.why") in drawer_html(score_propositions([["train"]], [[["rail"]], [["track"]], [["train", "rail"]]]), "train")
    assert "rare for both and therefore does not count: <code>man.n.10</code>" in rare_html
    assert "No tuples to show." in tuples.table_html([], names={})
    row = TupleRow("c:r1", ("c:r1",), (), ("[PHI]", "sit", "hill"), "relation", MatchState.PARTIAL, (), ("man", "sit", "hill"))
    page = tuples.table_html([row], names={})
    assert "(implicit subject) – sit – hill" in page and "½" in page and 'title="[PHI] – sit – hill"' in page


MATCH_REASONS = [
    (["racquet"], ["racket"], "racquet", ["share the sense <code>racket.n.04</code>", "a sports implement"]),
    (["man", "stand", "hill"], ["man", "bear", "hill"], "man stand hill", ["the same word: “man”", "is rare for both"]),
    (["dog"], ["animal"], "dog", ["no reference has this tuple", "dog → domestic animal → animal", 'data-focus="r:o1"']),
    (["dog", "grey"], ["dog", "gray"], "dog grey", ["share the sense"]),
    (["dog", "run"], ["dog", "run on", "street"], "dog run", ["only one of the two tuples contains “street”"]),
    (["zebra"], ["spoon"], "zebra", ["No tuple on the other side is similar."]),
    (["<b>x"], ["<b>x"], "<b>x", ["the same word: “&lt;b&gt;x”"]),
]


def test_the_drawer_gives_the_reason_of_a_match():
    for candidate_tuple, reference_tuple, words, expected_reason in MATCH_REASONS:
        page = drawer_html(score_propositions([candidate_tuple], [[reference_tuple]]), words)
        assert [text for text in expected_reason if text not in page] == [] and "<b>x" not in page
