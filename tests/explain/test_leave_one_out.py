"""Test scores of captions without one word, and against a subset of the references."""

import itertools

import pytest

from spice_core import Spice
from spice_core.errors import InputError
from spice_core.explain.leave_one_out import ablate_words, leave_one_out, result_without_references
from spice_core.explain.result_diff import compare_results
from spice_core.scene.propositions import parse_from_tuples

pytestmark = pytest.mark.parser


def test_a_caption_without_a_word_loses_the_tuples_of_the_word(spice):
    full_result = spice.compute("A young girl holding a racket.", ["A young girl with a racquet."])
    young_ablation, *_ = ablations = ablate_words(spice, full_result.candidate, full_result.references)
    assert [(a.start, a.end, a.word) for a in ablations] == [(2, 7, "young"), (8, 12, "girl"), (13, 20, "holding"), (23, 29, "racket")]
    assert young_ablation.caption == "A girl holding a racket."
    changes = [c for c in compare_results(full_result, young_ablation.result).changes if c.side == "candidate" and c.kind != "kept"]
    assert [(c.words, c.kind, c.before) for c in changes] == [(("girl", "young"), "lost", "exact")]
    assert young_ablation.change == young_ablation.f1 - full_result.f1 < 0
    (parse, *references) = spice.parse(["A  man rides a   red bike. Two dogs watch him.", "A man on a bike.", "Dogs watch."])
    full_result = spice.compare(parse, references).f1
    for a in ablate_words(spice, parse, references):
        assert parse.document.text[a.start : a.end] == a.word
        assert a.f1 == spice.compare(next(spice.parse([a.caption])), references).f1
        assert a.change == a.f1 - full_result
    parse = parse_from_tuples([["dog"]], where="candidate")
    assert ablate_words(spice, parse, [parse]) == ()
    for caption, variants in [
            ("A young girl holding a racket.", ["A girl holding a racket.", "A young holding a racket.", "A young girl a racket.", "A young girl holding."]),
            ("Two dogs are on the street", ["dogs are on the street", "Two are on the street", "Two dogs are"]),
            ("A cat next to a car, asleep", ["next to a car, asleep", "A cat, asleep", "A cat next to a car,"]),
            ("The (red) \"bus\"", ['The () "bus"', 'The (red) ""']),
            ("Dog.", ["."]),
            ("", []),
        ]:  # fmt: skip
        (parse,) = spice.parse([caption])
        assert [a.caption for a in ablate_words(spice, parse, [parse])] == variants
    spice = Spice("ja")
    (parse,) = spice.parse(["公園で二匹の犬が走っている。"])
    ablations = {a.word: a.caption for a in ablate_words(spice, parse, [parse])}
    shorter_captions = ["二匹の犬が走っている。", "公園で犬が走っている。", "公園で二匹の走っている。", "公園で二匹の犬が。"]
    assert ablations == dict(zip(("公園", "二匹", "犬", "走っ"), shorter_captions))


CANDIDATE = "A young girl holding a racket on a court."
REFERENCES = ["A girl holds a tennis racquet.", "A woman on a tennis court.", "A child plays tennis.", "A young girl on grass."]


@pytest.mark.parser
def test_the_score_without_references_equals_the_score_against_the_other_references(spice):
    result = spice.compute(CANDIDATE, REFERENCES)
    for count in range(len(REFERENCES)):
        for omitted_indices in itertools.combinations(range(len(REFERENCES)), count):
            remaining_references = [r for i, r in enumerate(REFERENCES) if i not in omitted_indices]
            reduced_result = result_without_references(spice, result, omitted_indices)
            assert (reduced_result.scores, reduced_result.signature) == (
                spice.compute(CANDIDATE, remaining_references).scores,
                result.signature,
            )
    assert result_without_references(spice, result, range(len(REFERENCES))) is None
    result = spice.compute(CANDIDATE, REFERENCES)
    scores_without = leave_one_out(spice, result)
    assert [w.reference for w in scores_without] == [0, 1, 2, 3]
    for w in scores_without:
        assert (w.f1_change, w.recall_change) == (w.result.f1 - result.f1, w.result.recall - result.recall)
        # Removing references never increases precision.
        assert w.precision_change <= 0
    # The first reference is the only one that mentions the racket.
    assert min(scores_without, key=lambda w: w.precision_change).reference == 0
    spice = Spice()
    result = spice.compute([["dog"]], [[["dog"], ["sky"]], []])
    assert [w[2:] for w in leave_one_out(spice, result)] == [(-result.f1, -1.0, -0.5), (0.0, 0.0, 0.0)]

    result = spice.compute([["dog"]], [[["dog"]]])
    assert leave_one_out(spice, result) == () and result_without_references(spice, result, {0}) is None
    with pytest.raises(InputError, match="omitted_indices: found .1., expected positions of references, 0 to 0"):
        result_without_references(spice, result, {1})
