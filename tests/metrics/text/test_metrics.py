"""BLEU, ROUGE-L and CIDEr-D equal pycocoevalcap's scores on the same tokens.

The largest differences on the 60 stored captions are 2.3e-10 for BLEU, where pycocoevalcap adds small constants to avoid a
division by zero, 4.5e-16 for CIDEr-D (0–10), and 0 for ROUGE-L.

METEOR is compared with stored scores of pycocoevalcap's Java program, and chrF with sacrebleu.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from statistics import correlation, fmean
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge
from sacrebleu.metrics import CHRF

from spice_core import Spice
from spice_core.lang import language
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.text.cider import cider_d_scores
from spice_core.metrics.text.meteor import EXACT_MATCH_WEIGHT, STEM_MATCH_WEIGHT, SYNONYM_MATCH_WEIGHT, meteor_score
from spice_core.metrics.text.overlap import bleu_scores, chrf_scores, corpus_bleu, rouge_l_scores
from spice_core.metrics.text.tokens import TokenPair, text_signature, tokenise_captions, tokenise_items
from spice_core.version import __version__
from tests.conftest import DATA

SENSES = SimpleNamespace(synsets=lambda word: [])


def test_meteor_correlates_with_java_meteor():
    stored_scores = json.loads((DATA / "baselines.json").read_text(encoding="utf-8"))
    own_scores = segment_scores([(row["candidate"], row["references"]) for row in stored_scores], ["METEOR"])["METEOR"]
    assert correlation(own_scores, [row["METEOR"] for row in stored_scores]) > 0.9
    pairs = [("a couch", ["a sofa"]), ("dogs running", ["dog runs"]), ("a couch", ["a bus"])]
    synonym, stem, unrelated = segment_scores(pairs, ["METEOR"])["METEOR"]
    assert synonym > unrelated and stem > unrelated and EXACT_MATCH_WEIGHT > SYNONYM_MATCH_WEIGHT > STEM_MATCH_WEIGHT
    stemmer, function_words = language("ja").stemmer(), frozenset(["the"])
    assert meteor_score(["the", "dog"], [["bus"], ["the", "dog"]], stemmer, SENSES, function_words) == 1
    assert meteor_score(["the", "dog"], [["the", "bus"]], stemmer, SENSES, function_words) < meteor_score(
        ["the", "dog"], [["a", "dog"]], stemmer, SENSES, function_words
    )


def test_chrf_equals_sacrebleus_on_joined_words():
    pair = TokenPair("a brown dog".split(), ("a dog".split(), "the brown dogs".split()))
    assert chrf_scores([pair]) == [pytest.approx(CHRF().sentence_score("a brown dog", ["a dog", "the brown dogs"]).score / 100)]
    pair = TokenPair(["赤い", "傘"], (["赤", "い", "傘"],))
    # chrF ignores spaces, so the division into words does not matter.
    assert chrf_scores([pair], "") == [1] and chrf_scores([pair], " ") == [1]


def test_words_without_punctuation_are_shared_by_equal_captions_and_by_threads():
    for lang, caption, expected_words in [
        ("en", 'Two  dogs, "one" can\'t run.', ["two", "dogs", "one", "ca", "n't", "run"]),
        ("ja", "犬がソファで寝ている。", ["犬", "が", "ソファ", "で", "寝", "て", "いる"]),
        ("en", "?!", []),
    ]:  # fmt: skip
        assert tokenise_captions([caption], language(lang)) == [expected_words]
    first_words, second_words = tokenise_items([("a dog", ["a cat", "a dog"]), ("a cat", ["a dog"])], language("en"))
    assert first_words.candidate is second_words.references[0] and first_words.references == (["a", "cat"], ["a", "dog"])
    items = [("犬がソファで寝ている。", ["犬が長椅子で寝ている。"])]
    scores_by_metric = segment_scores(items, ["BLEU-1", "ROUGE-L", "METEOR", "chrF"], spice=Spice("ja"))
    assert all(0 < score <= 1 for (score,) in scores_by_metric.values())
    texts, pack = [f"{n}匹の犬が公園を走っている。" * 20 for n in range(100)], language("ja")
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: tokenise_captions([text], pack), texts)) == [tokenise_captions([text], pack) for text in texts]


def test_a_signature_names_every_part():
    assert text_signature("X", synonyms=lambda pack: "wn3.0")(Spice()) == f"X|lang:en|tokens:penn|synonyms:wn3.0|version:{__version__}"
    assert "|sacrebleu:" in text_signature("X", "sacrebleu")(Spice())


TOLERANCE = {**{f"BLEU-{n}": 3e-10 for n in (1, 2, 3, 4)}, "ROUGE-L": 1e-12, "CIDEr-D": 1e-12}
WORD_LISTS = st.lists(st.sampled_from("a red dog on the sofa".split()), min_size=4, max_size=12)
ITEM_LISTS = st.lists(st.builds(TokenPair, WORD_LISTS, st.lists(WORD_LISTS, min_size=1, max_size=4).map(tuple)), min_size=1, max_size=5)


def pycocoevalcap_scores(pairs: list[TokenPair]) -> dict[str, tuple[float, list[float]]]:
    references = {i: [" ".join(r) for r in pair.references] for i, pair in enumerate(pairs)}
    candidates = {i: [" ".join(pair.candidate)] for i, pair in enumerate(pairs)}
    corpus, segments = Bleu(4).compute_score(references, candidates, verbose=0)
    scores_by_name = {f"BLEU-{n}": (corpus[n - 1], segments[n - 1]) for n in (1, 2, 3, 4)}
    return scores_by_name | {
        "ROUGE-L": Rouge().compute_score(references, candidates),
        "CIDEr-D": Cider().compute_score(references, candidates),
    }


def project_scores(pairs: list[TokenPair]) -> dict[str, tuple[float, list[float]]]:
    means = {"ROUGE-L": rouge_l_scores(pairs), "CIDEr-D": cider_d_scores(pairs)}
    scores_by_name = {f"BLEU-{n}": (corpus_bleu(pairs, n), bleu_scores(pairs, n)) for n in (1, 2, 3, 4)}
    return scores_by_name | {name: (fmean(values), values) for name, values in means.items()}


def test_scores_of_stored_captions_equal_pycocoevalcap():
    stored_scores = json.loads((DATA / "baselines.json").read_text(encoding="utf-8"))
    pairs = tokenise_items([(row["candidate"], row["references"]) for row in stored_scores], language("en"))
    own_scores = project_scores(pairs)
    for name, (corpus, segments) in pycocoevalcap_scores(pairs).items():
        assert own_scores[name][1] == pytest.approx(list(segments), abs=TOLERANCE[name], rel=0), name
        assert own_scores[name][0] == pytest.approx(corpus, abs=1e-10, rel=0), name


@settings(max_examples=20)
@given(ITEM_LISTS)
def test_scores_of_any_words_equal_pycocoevalcap(pairs):
    """The examples include repeated words and captions, different lengths, and a single image."""
    own_scores = project_scores(pairs)
    for name, (corpus, segments) in pycocoevalcap_scores(pairs).items():
        assert own_scores[name][1] == pytest.approx(list(segments), abs=1e-9), name
        assert own_scores[name][0] == pytest.approx(corpus, abs=1e-9), name


@pytest.mark.parametrize(("candidate", "order"), [("dog", 2), ("a dog", 3), ("a red bus", 4)])
def test_a_candidate_without_ngrams_scores_0(candidate, order):
    """A deliberate difference: pycocoevalcap's constants give such a candidate (1e-15 / 1e-9) ** (1 / n)."""
    pair = TokenPair(candidate.split(), (candidate.split(),))
    assert bleu_scores([pair], order) == [0]
    assert pycocoevalcap_scores([pair])[f"BLEU-{order}"][1] == [pytest.approx(1e-6 ** (1 / order), rel=1e-3)]
