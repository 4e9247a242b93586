"""Test near misses of propositions and of captions."""

from spice_core import Spice
from spice_core.explain.nearest import nearest_tuples, related_tuples


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
