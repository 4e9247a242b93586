"""Test selection and normalisation of training trees for the parser ``caption``."""

import gzip
import json
import random
from dataclasses import replace

import pytest

from spice_core.lang import language
from spice_core.scene.propositions import parse_from_tuples
from spice_core.syntax.conllu import read, write
from spice_core.syntax.document import Document
from tests.tools.parser.conftest import document, edges
from tools.parser import respell, select_trees
from tools.parser.attachment import attach_belongings, count_belongings
from tools.parser.inflection import Inflection, NounVerbWords, ing_form, s_form
from tools.parser.recipes import Sources, make_caption_corpus

RULES = language("en").rule_set("caption")


RIGHT_TREE = document("man/man/NN/0/root in/in/IN/3/case boats/boat/NNS/1/nmod with/with/IN/5/case dogs/dog/NNS/1/nmod")
WRONG_TREE = document("man/man/NN/0/root in/in/IN/3/case boats/boat/NNS/1/nmod with/with/IN/5/case dogs/dog/NNS/3/nmod")
GOLD = frozenset({frozenset({"man", "boat"}), frozenset({"man", "dog"})})


def test_a_tree_is_selected_only_if_two_parsers_share_it():
    assert select_trees.choose_tree([WRONG_TREE, RIGHT_TREE, RIGHT_TREE], None, RULES) is RIGHT_TREE
    assert select_trees.choose_tree([WRONG_TREE, RIGHT_TREE], None, RULES) is None


def test_a_gold_graph_selects_and_repairs_a_tree():
    assert select_trees.choose_tree([WRONG_TREE, RIGHT_TREE], GOLD, RULES) is RIGHT_TREE
    assert edges(select_trees.choose_tree([WRONG_TREE, WRONG_TREE], GOLD, RULES)) == edges(RIGHT_TREE)
    assert (
        select_trees.choose_tree([RIGHT_TREE, WRONG_TREE], frozenset({frozenset({"cat", "hat"})}), RULES) is None
    )  # neither tree yields the gold graph's relations


@pytest.mark.parametrize(("tree", "expected_words"), [
    ("a/a/DT/2/det boy/boy/NN/3/compound swinging/swinging/NN/0/root bats/bat/NNS/3/dep", ["2 det 1", "0 root 2", "2 acl 3", "3 obj 4"]),
    ("man/man/NN/0/root flying/fly/VBG/3/amod kites/kite/NNS/1/dep", ["0 root 1", "1 acl 2", "2 obj 3"]),
    ("man/man/NN/0/root riding/ride/VBG/1/acl bikes/bike/NNS/2/obj", None),
    ("red/red/JJ/2/amod building/building/NN/0/root", None),
])  # fmt: skip
def test_an_ing_word_after_a_noun_can_be_its_participle(tree, expected_words):
    tree_before = document(tree)
    verb = next(t.index for t in tree_before.sentences[0].tokens if t.text.endswith("ing"))
    read_ = select_trees.reanalyse_participle(tree_before.sentences[0], verb)
    assert (read_ and edges(Document("", (read_,)))) == expected_words


def test_hyphenated_words_are_joined_and_lemmas_normalised():
    tree = "a/a/DT/5/det t/t/NN/5/compound -/-/HYPH/2/punct shirt/shirt/NN/2/dep store/store/NN/0/root"
    joined = respell.join_hyphenated_words(document(tree, "a t-shirt store"))
    assert [t.text for t in joined.sentences[0].tokens] == ["a", "t-shirt", "store"]
    assert edges(joined) == ["3 det 1", "3 compound 2", "0 root 3"]
    tree = "two/two/CD/3/nummod parked/park/VBN/3/amod people/person/NNS/0/root larger/large/JJR/3/amod"
    tokens = respell.normalise_caption_words(document(tree)).sentences[0].tokens
    assert [(t.lemma, t.tag) for t in tokens] == [("two", "CD"), ("parked", "JJ"), ("people", "NNS"), ("larger", "JJR")]
    tree = "a/a/DT/2/det close/close/JJ/0/root up/up/IN/2/advmod of/of/IN/5/case cats/cat/NNS/3/obl"
    assert edges(respell.reanalyse_close_ups(document(tree))) == ["2 det 1", "0 root 2", "2 compound:prt 3", "5 case 4", "2 nmod 5"]


def test_spellings_keep_the_tree_and_align():
    tree = "A/a/DT/2/det man/man/NN/4/nmod:poss 's/'s/POS/2/case dog/dog/NN/5/nsubj sits/sit/VBZ/0/root ./././5/punct"
    document_before, texts = document(tree, "A man's dog sits."), set()
    for seed in range(12):
        document_after = respell.respell(document_before, random.Random(seed))
        texts.add(document_after.text)
        assert edges(document_after)[:5] == edges(document_before)[:5]
        assert all(document_after.text[t.start : t.end] == t.text for t in document_after.sentences[0].tokens)
    assert texts == {"A man's dog sits.", "A man's dog sits", "a man's dog sits.", "a man's dog sits"}


GRAPHS = [parse_from_tuples(graph, where="graph").propositions for graph in [[["horse", "with", "mane"], ["man", "wear", "hat"]]] * 3]
CLAUSE = "a/a/DT/2/det man/man/NN/3/nsubj rides/ride/VBZ/0/root a/a/DT/5/det horse/horse/NN/3/obj"


def test_people_count_as_one_owner():
    known_counts = count_belongings(
        [*GRAPHS, parse_from_tuples([["girl", "have", "hat"], ["tail", "of", "horse"]], where="graph").propositions]
    )
    assert known_counts["person"]["hat"] == 4 and known_counts["horse"] == {"mane": 3, "tail": 1}


def test_the_last_noun_and_the_subject_get_their_exclusive_things():
    documents_found = []
    for variant in attach_belongings([document(CLAUSE)] * 2, GRAPHS, seed=1):
        (sentence,) = variant.sentences
        words = {t.index: t.text for t in sentence.tokens}
        documents_found.append((variant.text, {(words.get(e.head), e.relation, words[e.dependent]) for e in sentence.basic}))
    assert [text for text, _ in documents_found] == ["A man rides a horse with a mane.", "A man rides a horse with a hat."]
    assert ("horse", "nmod", "mane") in documents_found[0][1] and ("rides", "obl", "hat") in documents_found[1][1]
    assert all(("mane", "case", "with") in edges or ("hat", "case", "with") in edges for _, edges in documents_found)


@pytest.mark.parametrize("tree", ["a/a/DT/2/det man/man/NN/0/root", CLAUSE + " today/today/NN/3/obl:tmod"])
def test_other_captions_get_no_phrase(tree):
    assert list(attach_belongings([document(tree)], GRAPHS, seed=1)) == []


TAGGED_WORDS = "rode/ride/VBD parked/park/VBN men/man/NNS skis/ski/VBZ standng/stand/VBG nap/nap/VB nap/nap/NN nap/nap/NN"
TAGGED_WORDS_DOCUMENT = document(" ".join(f"{word}/0/root" for word in TAGGED_WORDS.split()))  # unconnected


def test_forms_are_spelt_by_rule_unless_stress_decides():
    third_person = {"ride": "rides", "watch": "watches", "carry": "carries", "play": "plays", "go": "goes"}
    assert {word: s_form(word) for word in third_person} == third_person
    participles = {"ride": "riding", "nap": "napping", "sleep": "sleeping", "play": "playing", "visit": None, "lie": None}
    assert {word: ing_form(word) for word in participles} == participles


@pytest.mark.parametrize(("lemma", "tag", "form"), [
    ("ride", "VBD", "rode"),
    ("park", "VBD", "parked"),  # has the form of the participle
    ("stand", "VBD", None),  # not in the trees, so it may be irregular
    ("stand", "VBG", "standing"),  # the only form in the trees is a typing error
    ("man", "NNS", "men"),
    ("dog", "NNS", "dogs"),
    ("be", "VBP", "are"),
    ("doughbut", "NNS", None),  # WordNet lacks this word
])  # fmt: skip
def test_forms_come_from_the_trees_or_are_unknown(lemma, tag, form):
    assert Inflection([TAGGED_WORDS_DOCUMENT]).form(lemma, tag) == form


def test_words_that_are_noun_and_verb_have_their_frame():
    noun_verbs = NounVerbWords([TAGGED_WORDS_DOCUMENT], Inflection([TAGGED_WORDS_DOCUMENT]))
    assert "nap" in noun_verbs.intransitive and "nap" in noun_verbs.nouns and "nap" not in noun_verbs.transitive
    assert "man" not in noun_verbs.nouns  # "to man a ship", but never a verb here


SNOW_TREE = "a/a/DT/2/det {0}/{0}/NN/0/root in/in/IN/4/case snow/snow/NN/2/nmod"
TREE_BY_CAPTION = {f"a {animal} in snow": SNOW_TREE.format(animal) for animal in ("dog", "cat", "cow")}
PLAIN_TREE_BY_CAPTION = {"a cat naps": "a/a/DT/2/det cat/cat/NN/3/nsubj naps/nap/VBZ/0/root"}
OTHER_TREE_BY_CAPTION = {**TREE_BY_CAPTION, "a cow in snow": "a/a/DT/4/det cow/cow/NN/4/compound in/in/IN/4/case snow/snow/NN/0/root"}


def conllu(trees: dict[str, str]) -> str:
    return "".join(write(document(tree)) for tree in trees.values())


@pytest.fixture
def sources(tmp_path) -> Sources:
    def write_packed(name: str, text: str):
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as file:
            file.write(text)
        return tmp_path / name

    write_packed("captions.corenlp45nn.conllu.gz", conllu(TREE_BY_CAPTION))
    write_packed("captions.corenlp45sr.conllu.gz", conllu(OTHER_TREE_BY_CAPTION))
    images = [{"image_id": 10, "captions": ["a cat in snow"]}, {"image_id": 11, "captions": ["a dog in snow"]}]
    captions = write_packed("coco.jsonl.gz", "\n".join(map(json.dumps, images)))
    graphs = [{"caption": "a bird", "scene_graph": "( bird )"}, {"caption": "a cow in snow", "scene_graph": "( cow , in , snow )"}]
    factual = write_packed("factual.jsonl.gz", "\n".join(map(json.dumps, graphs)))
    for kind in ("nn", "sr"):
        write_packed(f"plain.corenlp45{kind}.conllu.gz", conllu(PLAIN_TREE_BY_CAPTION))
    ewt = write_packed("ewt.conllu.gz", conllu({"": "it/it/PRP/2/nsubj rains/rain/VBZ/0/root today/today/NN/2/obl:unmarked"}))
    return Sources(tmp_path, captions, factual, ewt, tmp_path)


def texts(documents) -> list[str]:
    return [d.text.lower().rstrip(".") for d in documents]


def test_the_first_round_holds_out_every_tenth_image_and_uses_agreed_trees_and_ewt(sources):
    corpus = make_caption_corpus(sources)
    assert texts(corpus.train) == ["a dog in snow", "it rains today"]
    assert texts(corpus.held_out) == ["a cat in snow"] and texts(corpus.lemma_documents) == ["a dog in snow"]
    labels = {e.relation for d in corpus.train for s in d.sentences for e in s.basic}
    assert "obl:npmod" in labels and "obl:unmarked" not in labels


class FirstRoundParser:
    """A parser like that of the first round, which gives every caption the tree of a CoreNLP parser."""

    signature = "first"

    def parse(self, captions):
        return read(conllu({text: (TREE_BY_CAPTION | PLAIN_TREE_BY_CAPTION)[text] for text in captions}).splitlines())


def test_the_second_round_adds_what_a_gold_graph_explains_and_plain_sentences(sources):
    corpus = make_caption_corpus(sources, FirstRoundParser())
    assert texts(corpus.lemma_documents) == ["a dog in snow", "a cow in snow", "a cat naps"]
    assert {*texts(corpus.lemma_documents), "it rains today"} <= set(texts(corpus.train)) and texts(corpus.held_out) == ["a cat in snow"]


@pytest.mark.parametrize("first_parser", [None, FirstRoundParser()])
def test_captions_of_excluded_files_are_not_used(sources, tmp_path, first_parser):
    (tmp_path / "gold.jsonl").write_text("\n".join(json.dumps({"caption": text}) for text in ("a dog in snow", "a cat naps")))
    corpus = make_caption_corpus(replace(sources, excluded_files=(tmp_path / "gold.jsonl",)), first_parser)
    assert not {"a dog in snow", "a cat naps"} & set(texts(corpus.train))
