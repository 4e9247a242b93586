"""Words of captions for text metrics, and the signatures of these metrics."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from spice_core import Spice
from spice_core.lang import language
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.text.tokens import signature, tokenised, tokens
from spice_core.version import __version__


@pytest.mark.parametrize(
    ("lang", "caption", "expected"),
    [
        ("en", 'Two  dogs, "one" can\'t run.', ["two", "dogs", "one", "ca", "n't", "run"]),
        ("ja", "犬がソファで寝ている。", ["犬", "が", "ソファ", "で", "寝", "て", "いる"]),
        ("en", "?!", []),
    ],
)
def test_words_without_punctuation(lang, caption, expected):
    assert tokens([caption], language(lang)) == [expected]


def test_pairs_share_the_tokens_of_equal_captions():
    first, second = tokenised([("a dog", ["a cat", "a dog"]), ("a cat", ["a dog"])], language("en"))
    assert first.candidate is second.references[0] and first.references == (["a", "cat"], ["a", "dog"])


def test_japanese_captions_are_scored_by_sudachis_words():
    items = [("犬がソファで寝ている。", ["犬が長椅子で寝ている。"])]
    found = segment_scores(items, ["BLEU-1", "ROUGE-L", "METEOR", "chrF"], spice=Spice("ja"))
    assert all(0 < score <= 1 for (score,) in found.values())


def test_threads_share_sudachis_words():
    texts, pack = [f"{n}匹の犬が公園を走っている。" * 20 for n in range(100)], language("ja")
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: tokens([text], pack), texts)) == [tokens([text], pack) for text in texts]


def test_a_signature_names_every_part():
    assert signature("X", synonyms=lambda pack: "wn3.0")(Spice()) == f"X|lang:en|tokens:penn|synonyms:wn3.0|version:{__version__}"
    assert "|sacrebleu:" in signature("X", "sacrebleu")(Spice())
