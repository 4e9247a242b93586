"""Test parts of an explanation: near misses, word ledger, senses, scores without references, differences between results."""

import itertools
import math
from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.errors import InputError
from spice_core.explain.leave_one_out import leave_one_out, result_without_references
from spice_core.explain.ledger import word_ledger
from spice_core.explain.nearest_tuples import nearest_tuples, related_tuples
from spice_core.explain.result_diff import compare_results
from spice_core.explain.senses import doubtful_senses, merges_of, needed_merges
from spice_core.metrics.result import SpiceResult

CANDIDATE = "A young girl holding a racket on a court."
REFERENCES = ["A girl holds a tennis racquet.", "A woman on a tennis court.", "A child plays tennis.", "A young girl on grass."]


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


# Candidate, references, and for each word its state by meaning, the sign of its points by exact matching, and its edit.
LEDGERS = [
    (
        "A puppy on a red sofa.",
        ["A dog on a blue sofa.", "A small dog lies on a sofa."],
        {
            "puppy": ("narrower", -1, ("replace", "dog", "A dog on a red sofa.")),
            "on": ("narrower", -1, ("replace", "lies on", "A puppy lies on a red sofa.")),
            "red": ("contradicted", -1, ("replace", "blue", "A puppy on a blue sofa.")),
            "sofa": ("exact", 1, ("add", "blue", "A puppy on a red blue sofa.")),
        },
    ),
    (
        "A polar bear standing next to a yellow frisbee.",
        ["A polar bear stands over an orange disc."],
        {
            "frisbee": ("entailed", -1, None),
            "standing next to": ("same_kind", 1, ("replace", "stands over", "A polar bear stands over a yellow frisbee.")),
        },  # "a bear standing" remains without "frisbee"
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
            rest = tuple(p for p in result.candidate.propositions if row.word not in " ".join(p.words).split())
            rest_parse = replace(result.candidate, propositions=rest)
            assert row[4 + way] == pytest.approx(result.f1 - metric.compare(rest_parse, result.references).f1), row
    edit = next(row.edit for row in word_ledger(score(metrics[0], candidate, references), *metrics) if row.word == "red")
    assert edit.f1 == pytest.approx(score(metrics[0], edit.caption, references).f1)


def test_given_propositions_have_no_ledger_and_japanese_words_keep_their_endings():
    assert word_ledger(Spice().compute([["dog"]], ["A dog."]), Spice(), None) == ()
    spice = Spice("ja")
    rows = word_ledger(spice.compute("ベンチに人が座っている。", ["大きなベンチに人が座っている。"]), spice, None)
    assert [row.word for row in rows] == ["ベンチ", "人", "座って"]
    assert rows[0].edit and rows[0].edit[:3] == ("add", "大きな", "大きなベンチに人が座っている。") and rows[0].by_meaning is None


def find_nearest(spice, candidate, references, words, **options):
    """Return the tuples of the other side that are nearest to the unmatched tuple with these words."""
    result = spice.compute(candidate, references)
    (tuple_,) = (t for t in (*result.extra, *result.missed) if t.words == words)
    return nearest_tuples(related_tuples(result, tuple_, spice.synonyms), tuple_, **options)


def test_the_nearest_tuples_are_found_if_there_are_any():
    for candidate, reference, words, nearest_words, how_near in [
            ([["dog"]], [["animal"]], ("dog",), ("animal",), ["broader"]),
            ([["dog"]], [["animal"]], ("animal",), ("dog",), ["narrower"]),
            ([["girl", "young"]], [["girl", "tall"]], ("girl", "young"), ("girl", "tall"), ["word", "unrelated"]),
            # Of two tuples that agree in one part, the one that agrees in the first part is nearer.
            ([["girl", "red"]], [["boy", "red"], ["girl", "tall"]], ("girl", "red"), ("girl", "tall"), ["word", "unrelated"]),
            # Of two tuples about the girl, the one with the nearer attribute is nearer.
            ([["girl", "red"]], [["girl", "tall"], ["girl", "blue"]], ("girl", "red"), ("girl", "blue"), ["word", "sibling"]),
            # The number of agreeing parts decides first, and then whether the first parts agree.
            ([["girl", "hold", "racquet"]], [["girl", "hold", "ball"], ["woman", "hold", "racket"], ["girl", "swing", "racket"], ["girl", "on", "court"]],
             ("girl", "hold", "racquet"), ("girl", "hold", "ball"), ["word", "word", "unrelated"]),
            ([["man", "stand on", "board"]], [["man", "stand in", "boat"]], ("man", "stand on", "board"), ("man", "stand in", "boat"), ["word", "phrase", "unrelated"]),
            # The nearest tuple may be of another kind: a relation for an attribute, or an attribute for an object.
            ([["dog", "run"]], [["dog", "run on", "street"]], ("dog", "run"), ("dog", "run on", "street"), ["word", "phrase", "absent"]),
            ([["dog", "run on", "street"]], [["dog", "run"]], ("dog", "run on", "street"), ("dog", "run"), ["word", "phrase", "absent"]),
            ([["court", "tennis"]], [["court", "for", "tennis"]], ("court", "tennis"), ("court", "for", "tennis"), ["word", "absent", "word"]),
            ([["cake", "heart"]], [["heart"]], ("cake", "heart"), ("heart",), ["absent", "word"]),
            ([["heart"]], [["cake", "heart"]], ("heart",), ("cake", "heart"), ["absent", "word"]),
        ]:  # fmt: skip
        nearest_tuple = find_nearest(Spice(), candidate, [reference], words)[0]
        assert (nearest_tuple.other.words, [p.relation for p in nearest_tuple.parts]) == (nearest_words, how_near)
        assert nearest_tuple.differences == tuple(p for p in nearest_tuple.parts if not p.agrees) and not nearest_tuple.is_matched
    for candidate, reference, words in (
        ([["umbrella"]], [["giraffe"]], ("umbrella",)),
        # The object tuple of the bear alone does not count as near.
        ([["bear", "happy"]], [["bear"]], ("bear", "happy")),
        ([["bear", "have", "paw"]], [["bear"]], ("bear", "have", "paw")),  # "bear" collides with "have", but is an object here.
        ([["dog"]], [["sky"]], ("dog",)),
    ):
        assert find_nearest(Spice(), candidate, [reference], words) == ()


def test_near_misses_of_captions_are_few_of_each_kind(spice):
    reference = [["dog", colour] for colour in ("red", "blue", "green", "white")] + [["dog", "run on", "street"], ["dog", "run to", "ball"]]
    near_tuples = find_nearest(Spice(), [["dog", "run"]], [reference], ("dog", "run"), max_count=2)
    assert [len(n.other.words) for n in near_tuples] == [2, 2, 3]

    near_tuples = find_nearest(spice, [["girl"], ["girl", "young"]], [[["girl"], ["girl", "young"], ["girl", "tall"]]], ("girl", "tall"))
    assert [(n.other.words, n.is_matched) for n in near_tuples] == [(("girl", "young"), True)]
    candidate, references = "A brown dog running on the grass.", ["An animal runs across a lawn.", "A dog with a red collar."]
    same_near, tied_near = find_nearest(spice, candidate, references, ("dog", "run on", "grass"))
    assert (same_near.other.words, same_near.agreement_count) == (("dog", "with", "collar"), 1)
    assert (tied_near.other.words, tied_near.agreement_count) == (("animal", "run across", "lawn"), 0)
    assert [(p.relation, p.path) for p in tied_near.parts[:2]] == [("broader", ("dog", "domestic animal", "animal")), ("phrase", ("run",))]
    candidate, references = "公園で二匹の犬が走っている。", ["公園で犬が寝ている。"]
    spice = Spice("ja")
    # The reference gives the dog no attribute.
    assert find_nearest(spice, candidate, references, ("犬", "二匹")) == ()
    (nearest_tuple,) = find_nearest(spice, candidate, ["三匹の犬が公園で寝ている。"], ("犬", "二匹"))
    assert (nearest_tuple.other.words, [p.relation for p in nearest_tuple.parts]) == (("犬", "三匹"), ["word", "unrelated"])


GIRL_TUPLES = [["girl"], ["girl", "young"], ["girl", "hold", "racquet"]]
REFERENCE = [["girl"], ["girl", "hold", "racket"], ["court", "blue"]]


def change_rows(comparison, *kinds):
    return {(c.side, c.words, c.before, c.after) for c in comparison.changes_of_kind(*kinds)}


def test_other_candidates_and_sources_of_synonyms_are_compared():
    spice = Spice()
    result_before, result_after = (
        spice.compute(GIRL_TUPLES, [REFERENCE]),
        spice.compute([["girl"], ["court", "blue"]], [REFERENCE]),
    )
    diff = compare_results(result_before, result_after)
    assert change_rows(diff, "gained") == {("candidate", ("court",), None, "exact"), ("candidate", ("court", "blue"), None, "exact")}
    assert change_rows(diff, "lost") == {
        ("candidate", ("girl", "young"), "extra", None),
        ("candidate", ("girl", "hold", "racquet"), "synonym", None),
        ("candidate", ("racquet",), "synonym", None),
    }
    assert ("references", ("racket",), "synonym", "missing") in change_rows(diff, "changed")
    assert ("candidate", ("girl",), "exact", "exact") in change_rows(diff, "kept")
    assert diff.scores["All"].recall == pytest.approx(result_after.recall - result_before.recall) and next(iter(diff.scores)) == "All"
    assert diff.scores["Color"].f1 == 1 and math.isnan(diff.scores["Size"].f1)
    assert diff.settings == {}
    diff = compare_results(*(Spice(synonyms=name).compute(GIRL_TUPLES, [REFERENCE]) for name in ("wn3.0", "none")))
    assert change_rows(diff, "changed") == {
        ("candidate", ("girl", "hold", "racquet"), "synonym", "extra"),
        ("candidate", ("racquet",), "synonym", "extra"),
        ("references", ("girl", "hold", "racket"), "synonym", "missing"),
        ("references", ("racket",), "synonym", "missing"),
    }
    assert change_rows(diff, "gained", "lost") == set()
    assert diff.settings == {"synonyms": ("wn3.0", "none")}
    references = [[["couch"]], [["sofa"]]]
    diff = compare_results(*(Spice(synonyms=name).compute([["sofa"]], references) for name in ("none", "wn3.0")))
    assert change_rows(diff, "lost") == {("references", ("couch",), "missing", None), ("references", ("sofa",), "exact", None)}
    assert change_rows(diff, "gained") == {("references", ("couch/sofa",), None, "exact")}


def test_the_reverse_diff_is_opposite_and_tuples_are_unique():
    spice = Spice()
    result = spice.compute(GIRL_TUPLES, [REFERENCE])
    empty_diff = compare_results(result, result)
    assert len(empty_diff.changes) == len(result.candidate_tuples) + len(result.reference_tuples) == len(empty_diff.changes_of_kind("kept"))
    custom_spice = Spice(categories={"Material": ["wooden"]}).compute([["table", "wooden"]], [[["table", "wooden"]]])
    # Only one result has the category Material.
    diff = compare_results(spice.compute([["table", "wooden"]], [[["table", "wooden"]]]), custom_spice)
    assert math.isnan(diff.scores["Material"].f1) and diff.scores["All"] == (0, 0, 0)
    one_result = spice.compute(GIRL_TUPLES, [REFERENCE])
    other_result = Spice(synonyms="none").compute([["dog"], ["girl", "young"]], [REFERENCE, GIRL_TUPLES])
    forward_diff, back = compare_results(one_result, other_result), compare_results(other_result, one_result)
    opposite_side = {"gained": "lost", "lost": "gained"}
    assert [(c.words, c.after, c.before, opposite_side.get(c.kind, c.kind)) for c in forward_diff.changes] == [
        (c.words, c.before, c.after, c.kind) for c in back.changes
    ]
    assert all(
        a == -b or (math.isnan(a) and math.isnan(b))
        for name in forward_diff.scores
        for a, b in zip(forward_diff.scores[name], back.scores[name])
    )
    assert {k: v[::-1] for k, v in forward_diff.settings.items()} == back.settings


def test_other_parsers_and_rule_sets_are_compared(spice):
    """Compare a parsed caption with hand-written propositions, and a Japanese caption under two rule sets."""
    caption = "A young girl holding a racquet."
    diff = compare_results(spice.compute(caption, [REFERENCE]), spice.compute(GIRL_TUPLES, [REFERENCE]))
    assert set(diff.settings) == {"parser", "rules"} and not diff.changes_of_kind("lost", "gained", "changed")
    caption, references = "二匹の犬が公園で走っている。", ["犬が公園を走っている。"]
    diff = compare_results(*(Spice("ja", rules=name).compute(caption, references) for name in ("ja-caption", "ja-ud")))
    assert set(diff.settings) == {"rules", "steps", "scheme", "synonyms"} and diff.changes_of_kind("gained", "lost", "changed")


def test_merged_words_are_listed_with_the_matches_that_need_them():
    references = [[["couch"], ["couch", "brown"]], [["sofa"]], [["couch"]], [["lounge"], ["lounge"]]]
    spice = Spice(synonyms="wn3.0")
    result = spice.compute([["sofa", "brown"]], references)
    (couch,) = result.reference_graph.objects
    sofa, lounge_merge = merges_of(couch, spice.synonyms)
    assert sofa[:4] == ("sofa", (1,), ("couch",), (0, 2)) and sofa.synset.name == "sofa.n.01"
    assert lounge_merge[:4] == ("lounge", (3,), ("couch", "sofa"), (0, 1, 2))
    (brown,) = result.reference_graph.attributes[couch]
    assert merges_of(brown, spice.synonyms) == ()
    result = spice.compute([["cup", "near", "cat"]], [[["cup", "be near", "cat"], ["cup", "close", "cat"]]])
    (relation,) = result.reference_graph.relations[tuple(result.reference_graph.objects)]
    # The leading "be" of the relation is not part of the merged word.
    (merge,) = merges_of(relation, spice.synonyms)
    assert (merge.word, merge.synonyms) == ("close", ("near",))
    # "Train" matches "track" only through "rail" in another caption.
    spice = Spice(parser="spice-2016")
    single_result = spice.compute([["train", "long"]], [[["track", "long"]]])
    assert all(m.candidate.words != ("train", "long") for m in single_result.matches)
    result = spice.compute([["train", "long"]], [[["rail"]], [["track", "long"]]])
    (match,) = (m for m in result.matches if m.candidate.words == ("train", "long"))
    (merge,) = needed_merges(match, spice.synonyms)
    assert (merge.word, merge.captions, merge.synonyms, merge.synonym_captions) == ("track", (1,), ("rail",), (0,))
    # These matches also exist without merging, so no merge explains them.
    spice = Spice()
    result = spice.compute([["sofa", "brown"], ["cat", "be on", "sofa"]], [[["couch", "brown"]], [["cat", "on", "sofa"]]])
    assert len(result.matches) == 4
    assert all(needed_merges(match, spice.synonyms) == () for match in result.matches)


def test_an_action_merges_by_its_verb_and_doubtful_senses_do_not_count():
    spice = Spice()
    result = spice.compute("A horse.", ["A horse is pulling a cart.", "A horse is drawing a cart."])
    horse = next(o for o in result.reference_graph.objects if "horse" in o.concept.words)
    (action,) = result.reference_graph.attributes[horse]
    (merge,) = merges_of(action, spice.synonyms)
    assert (merge.word, merge.synonyms) == ("draw", ("pull",))
    assert all(m.word in action.concept.words for m in action.mentions)
    spice = Spice(synonyms="wn3.0+collisions")
    for (candidate, reference), doubtful_words in {
        ("able", "breathe"): ("collision", "collision"),
        ("stand", "bear"): ("digest.v.03", "rare"),
        ("man", "piece"): ("man.n.10", "rare"),
        ("area", "field"): ("sphere.n.01", "rare"),
    }.items():
        doubtful_rows = doubtful_sense_rows([[candidate]], [[reference]], spice)
        assert [
            (name.split(".")[0] if names_senses == "collision" else name, names_senses) for _, _, name, names_senses in doubtful_rows
        ] == [doubtful_words]
        assert Spice().compute([[candidate]], [[[reference]]]).matches == ()
    for candidate, reference in [
        ("racket", "racquet"),  # the fourth sense of one word is the first sense of the other
        *(("picture", "photograph"), ("big", "large"), ("couch", "sofa"), ("bicycle", "bike"), ("dog", "dog")),
        # The words share senses besides the colliding id.
        ("aid", "help"),
    ]:
        assert doubtful_sense_rows([[candidate]], [[reference]], spice) == []


def doubtful_sense_rows(candidate, reference, spice):
    result = spice.compute(candidate, [reference])
    return [(s.candidate, s.reference, s.synset.name, s.reason) for m in result.matches for s in doubtful_senses(m, spice.synonyms)]


def test_doubtful_senses_depend_on_tags_and_japanese_has_none(spice):
    """ "Rail" and "train" are synonyms only as verbs, but both are nouns here."""
    assert doubtful_sense_rows("A long train.", "A long rail.", spice) == [(("train",), ("rail",), "train.v.10", "part of speech")] * 2
    # Given tuples have no part-of-speech tags, so the sense is only rare.
    assert doubtful_sense_rows([["train"]], [["rail"]], spice) == [(("train",), ("rail",), "train.v.10", "rare")]
    # Participles count as verbs and adjectives.
    assert doubtful_sense_rows("A parked car.", "A car that parks.", spice) == []
    spice = Spice("ja")
    result = spice.compute("台所に女性がいる。", ["キッチンに女の人がいる。"])
    assert result.matches and all(doubtful_senses(m, spice.synonyms) == () for m in result.matches)
