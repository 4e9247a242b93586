"""Tests for the word ledger: each row is checked against a score of the candidate without the word, and of the edited candidate."""

import pytest

from spice_core import Spice
from spice_core.explain.ledger import word_ledger
from spice_core.metrics.result import SpiceResult

# Candidate, references, and for each word its state by meaning, the sign of its points by exact matching, and its edit.
LEDGERS = [
    (
        "A puppy on a red sofa.",
        ["A dog on a blue sofa.", "A small dog lies on a sofa."],
        {
            "puppy": ("narrower", -1, ("replace", "dog", "A dog on a red sofa.")),
            "on": ("narrower", -1, None),
            "red": ("contradicted", -1, ("replace", "blue", "A puppy on a blue sofa.")),
            "sofa": ("exact", 1, ("add", "blue", "A puppy on a red blue sofa.")),
        },
    ),
    (
        "A young girl stands on a tennis court.",
        ["A young girl holding a tennis racket on a tennis court."],
        {"girl": ("exact", 1, ("add", "holding a tennis racket", "A young girl holding a tennis racket stands on a tennis court."))},
    ),
]


@pytest.fixture(scope="module")
def metrics() -> tuple[Spice, Spice]:
    spice = Spice()
    return spice, spice.with_scheme("entailed")


def score(metric: Spice, candidate: str, references: list[str]) -> SpiceResult:
    return metric.compute(candidate, references)


@pytest.mark.parametrize(("candidate", "references", "expected_rows"), LEDGERS)
def test_each_word_has_its_points_and_the_best_edit(metrics, candidate, references, expected_rows):
    exact, by_meaning = metrics
    rows = {row.word: row for row in word_ledger(score(by_meaning, candidate, references), exact, by_meaning)}
    for word, (state, sign, edit) in expected_rows.items():
        row = rows[word]
        assert (row.state, (row.exact > 0) - (row.exact < 0), row.edit and row.edit[:3]) == (state, sign, edit), row
        assert row.edit is None or row.edit.f1 > score(by_meaning, candidate, references).f1


def test_points_are_the_change_of_f1_without_the_tuples_of_a_word(metrics):
    candidate, references = "A red umbrella beside a chair.", ["A blue umbrella.", "An umbrella and a chair."]
    for way, metric in enumerate(metrics):
        result = score(metric, candidate, references)
        for row in word_ledger(result, *metrics):
            rest = [p.words for p in result.candidate.propositions if row.word not in " ".join(p.words).split()]
            assert row[4 + way] == pytest.approx(result.f1 - metric.compute(rest, references).f1), row
    edit = next(row.edit for row in word_ledger(score(metrics[0], candidate, references), *metrics) if row.word == "red")
    assert edit.f1 == pytest.approx(score(metrics[0], edit.caption, references).f1)


def test_given_propositions_have_no_ledger_and_japanese_words_keep_their_endings():
    assert word_ledger(Spice().compute([["dog"]], ["A dog."]), Spice(), None) == ()
    spice = Spice("ja")
    rows = word_ledger(spice.compute("ベンチに人が座っている。", ["大きなベンチに人が座っている。"]), spice, None)
    assert [row.word for row in rows] == ["ベンチ", "人", "座って"]
    assert rows[0].edit and rows[0].edit[:3] == ("add", "大きな", "大きなベンチに人が座っている。") and rows[0].by_meaning is None
