"""What all metrics of the registry share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.errors import MissingResourceError, UnknownNameError
from spice_core.lang import LANGUAGES, language
from spice_core.lang.pack import TextTools
from spice_core.metrics.measure import segment_scores, signatures
from spice_core.metrics.metric import Batch
from spice_core.metrics.registry import DEFAULT, METRICS, available, metric, unavailable

SAME = "a dog on a sofa with a ball"
ITEMS = [(SAME, [SAME]), ("a red bus", ["two men ride horses in a field"])]
BARE = replace(language("en"), name="Bare", text=TextTools(), similarities=("hypernyms",))


@pytest.fixture(scope="module")
def scores() -> dict[str, list[float]]:
    return segment_scores(ITEMS)


@pytest.mark.parametrize("name", METRICS)
def test_equal_captions_score_most(scores, name):
    equal, other = scores[name]
    assert equal == pytest.approx(METRICS[name].best, abs=1e-3) and other < 0.3 * METRICS[name].best


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_described_and_signs_for_itself(name):
    spice = Spice()
    assert METRICS[name].summary and metric(name).signature(spice).endswith(f"|version:{spice.signature.version}")


def test_no_two_metrics_have_the_same_signature():
    assert len(set(signatures(METRICS, Spice()))) == len(METRICS)


@pytest.mark.parametrize("code", LANGUAGES)
def test_our_languages_have_every_metric(code):
    assert available(language(code)) == list(METRICS) and unavailable(language(code)) == []


def test_what_a_language_lacks_is_said_in_one_line():
    lines = [f"no {name} for Bare: the pack names no vectors" for name in ("soft", "soft+", "support")]
    assert unavailable(BARE) == [*lines, "no METEOR for Bare: the pack names no synonyms"]
    assert available(BARE, DEFAULT) == ["SPICE"]


def test_a_lacking_metric_is_refused_or_left_out(monkeypatch):
    monkeypatch.setattr(Batch, "pack", BARE)
    with pytest.raises(MissingResourceError, match="^no METEOR for Bare"):
        segment_scores(ITEMS, ["METEOR"])
    problems: list[str] = []
    assert list(segment_scores(ITEMS, ["METEOR", "SPICE"], problems=problems)) == ["SPICE"]
    assert problems == ["no METEOR for Bare: the pack names no synonyms"]


def test_unknown_metrics_are_named():
    with pytest.raises(UnknownNameError, match="unknown metric 'ROUGE'; known: .*ROUGE-L"):
        segment_scores([], ["ROUGE"])


@pytest.mark.parametrize("name", [name for name, each in METRICS.items() if each.explain])
def test_explanations_pair_the_tuples(name):
    pairings = METRICS[name].explain(Batch([("a puppy on a couch", ["a dog on a sofa"])], Spice()))
    assert {(p.candidate, p.reference) for p in pairings} >= {("puppy", "dog"), ("couch", "sofa")}
    assert all(0 < p.credit <= 1.001 for p in pairings) and any(p.path for p in pairings) == (name == "hypernyms")
