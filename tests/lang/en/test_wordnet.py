"""English WordNet: synset ids and base forms of real words, ranks, the index files and the table of lines."""

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spice_core
from spice_core.errors import InputError, MissingResourceError
from spice_core.lang.en.wordnet.database import ARCHIVE_NAME, LineTable, RankedWordNet, Synset, WordNet, ranked_wordnet
from spice_core.scene.graph import Concept
from spice_core.scene.synonyms import senses_of
from tools import build_wordnet

WORDNET = WordNet.load()
WORDNET_WITHOUT_COLLISIONS = WordNet.load(collisions=False)


def test_phrases_have_bases_and_ids():
    for form, bases in [
        # The exception lists contain these forms, so no suffix rule is tried.
        ("men", ("man",)),
        ("geese", ("goose",)), ("children", ("child",)), ("wolves", ("wolf",)), ("is", ("is", "be")), ("worse", ("bad",)),
        ("axes", ("ax", "axis")),
        # The first suffix rule whose result is in WordNet gives the base form.
        ("boxes", ("box",)), ("skis", ("ski",)),
        ("glasses", ("glass",)), ("dogs", ("dog",)), ("ladies", ("lady",)), ("firemen", ("fireman",)), ("smiled", ("smile",)),
        ("jumping", ("jump",)), ("surfer", ("surf",)),
        ("clothes", ("clothe",)),  # the rule for "s" comes before the rule for "es"
        ("tiered", ("tier",)), ("standing", ("stand",)), ("fire hydrants", ("fire_hydrant",)), ("handfuls", ("handful",)),
        # If a word ends in "ful", the suffix rules apply to the part before "ful".
        ("spoonful", ()), ("spoonsful", ("spoonful",)), ("boxesful", ("boxful",)),
        # no base form
        ("grass", ()),
        ("as", ()), ("ss", ()), ("", ()), ("dog", ()), ("stop signs", ()), ("xyzzys", ()),
    ]:  # fmt: skip
        assert WORDNET.bases(form) == bases
    for phrase, some_names in [
        ("dog", {"dog.n.01", "chase.v.01"}),  # senses of all parts of speech
        ("able", {"able.a.01", "able.s.04"}),  # satellites count as adjectives
        ("glasses", {"spectacles.n.01", "glass.n.01"}),  # senses of the form and of its base form
        ("is", {"be.v.01"}), ("fire hydrant", {"fireplug.n.01"}), ("Rome", {"rome.n.01"}),
    ]:  # fmt: skip
        assert some_names <= sense_names(phrase)
    for phrase in ["stop sign", "xyzzy", "", "   "]:
        assert WORDNET.ids(phrase) == frozenset() and phrase not in WORDNET
        # ``in`` ignores case but does not look up base forms.
        assert "Fire Hydrant" in WORDNET and "fire hydrants" not in WORDNET


def sense_names(phrase: str) -> set[str]:
    return {WORDNET.synset(i).name for i in WORDNET.ids(phrase)}


def test_lemmas_are_found_by_bisection():
    lemmas = list(WORDNET._lemmas)
    with pytest.raises(ValueError, match=f"found 2 lines, expected {len(lemmas)}"):
        WORDNET._lines_by_lemma(b"1\n2")
    sampled_indices = {*range(0, len(lemmas), 50), len(lemmas) - 1}
    assert lemmas == sorted(set(lemmas)) and all(WORDNET._lemmas.find(lemmas[n]) == n for n in sampled_indices)


def sense_ids(lemma: str) -> list[int]:
    """Return the ids that the index stores for a lemma."""
    return [int(id) for id in WORDNET._senses[WORDNET._lemmas.find(lemma)].split()]


STORED_LEMMAS = st.integers(0, len(WORDNET._lemmas) - 1).map(WORDNET._lemmas.__getitem__)


@settings(max_examples=50)
@given(STORED_LEMMAS, st.data())
def test_ids_ignore_case_and_the_kind_of_space(lemma, data):
    def vary(character: str) -> str:
        return data.draw(st.sampled_from((character, character.upper(), character.replace("_", " "))))

    phrase = data.draw(st.sampled_from(("", " ", "\t "))) + "".join(map(vary, lemma)) + data.draw(st.sampled_from(("", " ", "\n")))
    assert WORDNET.ids(phrase) == WORDNET.ids(lemma)
    assert WORDNET.ids(phrase) >= WORDNET_WITHOUT_COLLISIONS.ids(phrase) >= set(sense_ids(lemma))
    assert phrase in WORDNET


def test_a_collision_is_marked_and_sorted_after_true_synonyms():
    (shared_synset,) = WORDNET.shared_synsets("stand", "bear")
    assert (shared_synset.name, shared_synset.pos, shared_synset.collision) == ("digest.v.03", "v", False)
    assert shared_synset.gloss == "put up with something or somebody unpleasant" and {"stand", "bear"} <= set(shared_synset.lemmas)
    assert "I cannot bear his constant criticism" in shared_synset.examples
    (shared_synset,) = WORDNET.shared_synsets("able", "breathe")
    assert shared_synset.collision
    assert shared_synset.gloss.startswith("not a synonym") and "take a breath" in shared_synset.gloss
    assert {"able", "breathe", "entity"} <= set(shared_synset.lemmas)
    assert WORDNET_WITHOUT_COLLISIONS.shared_synsets("able", "breathe") == ()
    assert [synset.collision for synset in WORDNET.shared_synsets("able", "breathing")] == [True], "by the base form"
    assert (WORDNET.signature, WORDNET_WITHOUT_COLLISIONS.signature) == ("wn3.0+collisions", "wn3.0")
    with pytest.raises(KeyError, match="-1"):
        WORDNET_WITHOUT_COLLISIONS.synset(-1)
    kinds = [synset.collision for synset in WORDNET.shared_synsets("aid", "help")]
    assert kinds == sorted(kinds) and set(kinds) == {False, True}


def test_ids_have_hypernyms_ranks_and_synsets():
    def hypernym_names(name: str) -> set[str]:
        (synset_id,) = (i for i in WORDNET.ids(name.split(".")[0]) if WORDNET.synset(i).name == name)
        return {WORDNET.synset(hypernym).name for hypernym in WORDNET.hypernyms(synset_id)}

    assert hypernym_names("dog.n.01") == {"canine.n.02", "domestic_animal.n.01"}
    assert "national_capital.n.01" in hypernym_names("rome.n.01")
    assert WORDNET.hypernyms(-1) == frozenset()
    for phrase, name, rank in [
        ("stand", "digest.v.03", 5), ("bear", "digest.v.03", 3), ("bear", "bear.n.01", 1), ("couch", "sofa.n.01", 1),
        ("Dogs", "chase.v.01", 1),  # a sense of the base form "dog"
        ("glasses", "glass.n.02", 2), ("cat", "dog.n.01", None),
    ]:  # fmt: skip
        (id,) = {
            i for lemma in (phrase, *name.split(".")[:1]) for i in WORDNET_WITHOUT_COLLISIONS.ids(lemma) if WORDNET.synset(i).name == name
        }
        assert WORDNET.sense_rank(phrase, id) == rank
        assert WORDNET.sense_rank(phrase, -1) is None
    sample = sorted({i for value in WORDNET._senses[::500] for i in map(int, value.split())})
    for number in [*sample, -1, -282]:
        synset = WORDNET.synset(number)
        assert synset.id == number and synset.gloss
        assert all(number in WORDNET.ids(lemma) for lemma in synset.lemmas)
    for number in [117659, 10**9, -283, -(10**9)]:
        with pytest.raises(KeyError, match=str(number)):
            WORDNET.synset(number)


@given(STORED_LEMMAS)
def test_the_ranks_of_a_word_count_from_one_in_each_part_of_speech(lemma):
    ids = sense_ids(lemma)
    by_pos: dict[str, list[int]] = {}
    for id, character in zip(ids, WORDNET._ranks[WORDNET._lemmas.find(lemma)] or "!" * len(ids)):
        by_pos.setdefault(WORDNET.synset(id).pos.replace("s", "a"), []).append(ord(character) - ord(" "))
    assert all(sorted(ranks) == list(range(1, len(ranks) + 1)) for ranks in by_pos.values())


SMALL_DATABASE = build_wordnet.Database(
    synsets=[
        Synset(0, "animal.n.01", "n", ("animal", "creature"), "a living thing"),
        Synset(1, "ox.n.01", "n", ("ox", "Bos"), "a strong animal", ("an ox pulls", "two oxen"), (0,)),
    ],
    exceptions={"oxen": ["ox"]},
    licence="Do as you like.\n",
    ranks={("ox", 1): 2},
)


def test_an_index_is_read_as_it_was_written(tmp_path):
    build_wordnet.write_index(SMALL_DATABASE, [["bos", "creature"]], tmp_path)
    build_wordnet.write_index(SMALL_DATABASE, [["bos", "creature"]], tmp_path / "again")
    assert (tmp_path / ARCHIVE_NAME).read_bytes() == (tmp_path / "again" / ARCHIVE_NAME).read_bytes()
    wordnet = WordNet(tmp_path)
    assert [wordnet.synset(synset.id) for synset in SMALL_DATABASE.synsets] == SMALL_DATABASE.synsets
    assert wordnet.ids("oxen") == {1} and wordnet.ids("BOS") == {1, -1}
    assert wordnet.hypernyms(1) == {0} and wordnet.hypernyms(0) == frozenset()
    assert (wordnet.sense_rank("oxen", 1), wordnet.sense_rank("Bos", 1), wordnet.sense_rank("ox", 0)) == (2, 1, None)
    assert (tmp_path / "LICENSE").read_text("utf-8").endswith("Do as you like.\n")
    with pytest.raises(InputError, match="collision group 1.*unicorn"):
        build_wordnet.write_index(SMALL_DATABASE, [["ox", "unicorn"]], tmp_path)
    run = Synset(2, "run.v.01", "v", ("run",), "move fast")
    build_wordnet.write_index(replace(SMALL_DATABASE, synsets=[*SMALL_DATABASE.synsets, run]), [], tmp_path)
    source = RankedWordNet(tmp_path)
    assert [source._part_of_speech(id) for id in range(3)] == ["n", "n", "v"] and source.senses("running", "v").ids == frozenset()
    assert source.senses("runs", "v").ids == {2} and source.senses("ox", "n").rare_ids == frozenset()


def test_missing_files_are_reported_and_loading_needs_only_the_standard_library(tmp_path):
    with pytest.raises(MissingResourceError, match="build_wordnet"):
        WordNet(tmp_path)
    (tmp_path / ARCHIVE_NAME).write_bytes(b"no archive")
    with pytest.raises(MissingResourceError, match="BadZipFile"):
        WordNet(tmp_path)
    with pytest.raises(MissingResourceError, match="apt-get install wordnet-base"):
        build_wordnet.read_database(tmp_path)
    code = (
        "import sys; from spice_core.lang.en.wordnet.database import WordNet; WordNet.load().ids('dogs'); "
        "print({'nltk', 'numpy', 'spacy'} & set(sys.modules))"
    )
    root = Path(spice_core.__file__).parents[1]
    run = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("set()\n", "")


def make_concept(word, pos):
    return Concept(frozenset({word}), *senses_of(ranked_wordnet(), word, pos))


def test_words_match_by_ordinary_senses_of_their_part_of_speech():
    for a, b, pos, is_similar in [
        ("sofa", "couch", "n", True),
        ("racket", "racquet", "n", True),  # the fourth sense of one word is the first sense of the other
        # The shared sense is rare for both words.
        ("man", "piece", "n", False),
        # "Robe" and "cloak" are synonyms only as verbs.
        ("robe", "cloak", "n", False),
        ("robe", "cloak", "v", True),
        # An id of "able" collides with an id of "breathe" only in the original SPICE.
        ("able", "breathe", "nvar", False),
        # Nouns such as "skier" are not inflected forms of other nouns.
        ("skier", "ski", "n", False),
        ("surfer", "surfboard", "n", False), ("boarder", "board", "n", False),
        # The base form of a gerund has only its senses as a verb.
        ("skiing", "ski", "n", False),
        # Inflected forms match by their base forms.
        ("bigger", "large", "a", True),
        ("donuts", "doughnut", "n", True), ("lit", "illuminated", "a", True), ("lay", "lie", "v", True),
    ]:  # fmt: skip
        assert make_concept(a, pos).is_similar(make_concept(b, pos)) == is_similar
    for word, pos, verb in [("parked", "a", "park"), ("broken", "a", "break"), ("parking", "n", "park")]:
        assert make_concept(word, pos).is_similar(make_concept(verb, "v"))


def test_ranks_belong_to_the_bundled_wordnet():
    source = ranked_wordnet()
    assert WordNet.load() is WordNet.load(collisions=True) is pickle.loads(pickle.dumps(WORDNET)) is WORDNET
    assert senses_of(WORDNET, "robe", "n") == (WORDNET.ids("robe"), frozenset()), "all senses of a source without parts of speech"
    assert source.signature == "wn3.0+ranks" and pickle.loads(pickle.dumps(source)) is source
    assert all(
        source._part_of_speech(id) == source.synset(id).pos.replace("s", "a") for id in (0, 82_114, 82_115, 95_882, 114_037, 114_038)
    )
    assert source.ids("skier") < WORDNET_WITHOUT_COLLISIONS.ids("skier") and source.ids("bed") == WORDNET_WITHOUT_COLLISIONS.ids("bed")
    (id,) = (i for i in source.ids("racquet") if source.synset(i).name == "racket.n.04")
    assert (source.sense_rank("racket", id), source.sense_rank("racquet", id), source.sense_rank("dog", id)) == (4, 1, None)


LINES = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")), min_size=1)


@given(LINES, st.slices(8))
def test_lines_are_read_by_number(lines: list[str], part: slice):
    table = LineTable("\n".join(lines).encode())
    assert list(table) == lines and len(table) == len(lines) and table[-1] == lines[-1]
    assert table[part] == lines[part]


@given(LINES, st.text())
def test_a_line_of_a_sorted_table_is_found_by_its_text(lines: list[str], other_line: str):
    lines = sorted(set(lines))
    table = LineTable("\n".join(lines).encode())
    assert [table.find(line) for line in lines] == list(range(len(lines)))
    assert table.find(other_line) == (lines.index(other_line) if other_line in lines else None)
