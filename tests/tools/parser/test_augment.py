"""Test the trees that augmentation by grammar makes from captions. Structures follow the UD English-EWT sentences in the comments."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from spice_core.lang.en.parsers.penn_tokenizer import PennTokenizer
from spice_core.syntax.document import Document
from tests.tools.parser.conftest import document
from tools.parser.augment import CONSTRUCTION_BY_KIND, augment_documents, draw_variants, learn_grammar
from tools.parser.clauses import Clause, parse_clause
from tools.parser.combinations import make_copular
from tools.parser.respell import is_tree
from tools.parser.words import copy_words, make_document, read_words

# Each token is form/lemma/tag/head/relation.
RIDING_TREE = "A/a/DT/2/det man/man/NN/0/root riding/ride/VBG/2/acl a/a/DT/5/det horse/horse/NN/3/obj on/on/IN/8/case a/a/DT/8/det beach/beach/NN/3/obl ./././2/punct"
SLEEPING_TREE = "Two/two/CD/2/nummod dogs/dog/NNS/0/root sleeping/sleep/VBG/2/acl on/on/IN/6/case a/a/DT/6/det sofa/sofa/NN/3/obl"
STANDING_TREE = (
    "The/the/DT/2/det woman/woman/NN/3/nsubj stands/stand/VBZ/0/root near/near/IN/6/case a/a/DT/6/det bus/bus/NN/3/obl ./././3/punct"
)
TIED_TREE = "A/a/DT/2/det dog/dog/NN/0/root tied/tie/VBN/2/acl to/to/IN/6/case a/a/DT/6/det tree/tree/NN/3/obl"
WEARING_TREE = "A/a/DT/2/det boy/boy/NN/0/root wearing/wear/VBG/2/acl a/a/DT/5/det helmet/helmet/NN/3/obj"
BLACK_DOG_TREE = "A/a/DT/3/det black/black/JJ/3/amod dog/dog/NN/0/root on/on/IN/6/case the/the/DT/6/det sofa/sofa/NN/3/nmod ./././3/punct"
NAPPING_TREE = "A/a/DT/2/det child/child/NN/3/nsubj naps/nap/VBZ/0/root beside/beside/IN/6/case two/two/CD/6/nummod puppies/puppy/NNS/3/obl"
WALKING_BOY_TREE = "Boy/boy/NN/2/nsubj walks/walk/VBZ/0/root in/in/IN/5/case the/the/DT/5/det street/street/NN/2/obl"
WALKING_BOYS_TREE = "boys/boy/NNS/3/nsubj are/be/VBP/3/aux walking/walk/VBG/0/root"
WALK_NOUN_TREE = "the/the/DT/2/det walk/walk/NN/0/root"
WORD_FORMS_TREE = (
    "she/she/PRP/2/nsubj rode/ride/VBD/0/root ridden/ride/VBN/2/advmod slept/sleep/VBD/2/dep worn/wear/VBN/2/dep stood/stand/VBD/2/dep"
)
DOCUMENTS = [
    document(tree)
    for tree in (
        RIDING_TREE,
        SLEEPING_TREE,
        STANDING_TREE,
        TIED_TREE,
        WEARING_TREE,
        BLACK_DOG_TREE,
        NAPPING_TREE,
        WALKING_BOY_TREE,
        WALKING_BOYS_TREE,
        WALK_NOUN_TREE,
        WALK_NOUN_TREE,
    )
]


def rows(document: Document) -> str:
    (sentence,) = document.sentences
    return " ".join(f"{t.text}/{t.tag}/{e.head}/{e.relation}" for t, e in zip(sentence.tokens, sentence.basic))


def augmented_trees(construction: str, caption: str, partner: str = STANDING_TREE) -> dict[str, str]:
    """Return the trees that the grammar makes from a caption (and a partner) with 200 seeds, by text."""
    words = read_words(document(caption))
    clause, other_clause = parse_clause(words), parse_clause(read_words(document(partner)))
    learned_grammar, variants = learn_grammar(DOCUMENTS, [document(WORD_FORMS_TREE)], [other_clause], random.Random()), {}
    for seed in range(200):
        grammar = replace(learned_grammar, rng=random.Random(seed))
        made = (
            make_copular(copy_words(words), grammar)
            if construction == "copular"
            else CONSTRUCTION_BY_KIND[construction](clause.copy(), grammar)
        )
        if made:
            changed_document = make_document(*made)
            variants[changed_document.text] = rows(changed_document)
    return variants


# Construction, caption, and a tree that must be among the variants. The trailing comments cite EWT sentences with the construction.
EXPECTED_VARIANTS = [
    ("make_present", RIDING_TREE, "A/DT/2/det man/NN/3/nsubj rides/VBZ/0/root a/DT/5/det horse/NN/3/obj on/IN/8/case a/DT/8/det beach/NN/3/obl ././3/punct"),
    ("make_present", TIED_TREE, "A/DT/2/det dog/NN/4/nsubj:pass is/VBZ/4/aux:pass tied/VBN/0/root to/IN/7/case a/DT/7/det tree/NN/4/obl ././4/punct"),
    ("make_past", RIDING_TREE, "A/DT/2/det man/NN/3/nsubj rode/VBD/0/root a/DT/5/det horse/NN/3/obj on/IN/8/case a/DT/8/det beach/NN/3/obl ././3/punct"),
    ("make_progressive", SLEEPING_TREE, "Two/CD/2/nummod dogs/NNS/4/nsubj are/VBP/4/aux sleeping/VBG/0/root on/IN/7/case a/DT/7/det sofa/NN/4/obl ././4/punct"),
    ("make_participle_phrase", STANDING_TREE, "The/DT/2/det woman/NN/0/root standing/VBG/2/acl near/IN/6/case a/DT/6/det bus/NN/3/obl ././2/punct"),
    ("make_passive", WEARING_TREE, "A/DT/2/det helmet/NN/5/nsubj:pass is/VBZ/5/aux being/VBG/5/aux:pass worn/VBN/0/root by/IN/8/case a/DT/8/det boy/NN/5/obl ././5/punct"),  # email-enronsent39_01-0009 "The meeting is being held"
    ("make_telegraphic", RIDING_TREE, "man/NN/2/nsubj rides/VBZ/0/root horse/NN/2/obj on/IN/5/case beach/NN/2/obl"),
    ("make_question", STANDING_TREE, "Does/VBZ/4/aux the/DT/3/det woman/NN/4/nsubj stand/VB/0/root near/IN/7/case a/DT/7/det bus/NN/4/obl ?/./4/punct"),  # weblog-blogspot.com_rigorousintuition_20060511134300_ENG_20060511_134300-0224 "Does the distinction actually exist ?"
    ("make_question", RIDING_TREE, "Who/WP/3/nsubj is/VBZ/3/aux riding/VBG/0/root a/DT/5/det horse/NN/3/obj on/IN/8/case a/DT/8/det beach/NN/3/obl ?/./3/punct"),
    ("make_question", SLEEPING_TREE, "Where/WRB/6/advmod are/VBP/6/aux the/DT/5/det two/CD/5/nummod dogs/NNS/6/nsubj sleeping/VBG/0/root ?/./6/punct"),  # email-enronsent35_01-0110 "Where are you living these days ?"
    ("make_question", SLEEPING_TREE, "How/WRB/2/advmod many/JJ/3/amod dogs/NNS/5/nsubj are/VBP/5/aux sleeping/VBG/0/root on/IN/8/case a/DT/8/det sofa/NN/5/obl ?/./5/punct"),  # answers-20111108084633AAzZD8i_ans-0001 "How many days will speed post take"
    ("make_imperative", WEARING_TREE, "Do/VB/3/aux not/RB/3/advmod wear/VB/0/root a/DT/5/det helmet/NN/3/obj ././3/punct"),
    ("make_existential", SLEEPING_TREE, "There/EX/2/expl are/VBP/0/root two/CD/4/nummod dogs/NNS/2/nsubj sleeping/VBG/4/acl on/IN/8/case a/DT/8/det sofa/NN/5/obl ././2/punct"),  # answers-20111108065616AAKtL2c_ans-0040 "There are many online sites offering the booking facility"
    ("make_negation", WEARING_TREE, "A/DT/2/det boy/NN/5/nsubj is/VBZ/5/aux not/RB/5/advmod wearing/VBG/0/root a/DT/7/det helmet/NN/5/obj ././5/punct"),  # answers-20111108111107AAlrzok_ans-0005 "he is not following me"
    ("make_negation", WEARING_TREE, "A/DT/2/det boy/NN/0/root wearing/VBG/2/acl no/DT/5/det helmet/NN/3/obj ././2/punct"),
    ("coordinate_subjects", SLEEPING_TREE, "Two/CD/2/nummod dogs/NNS/6/nsubj and/CC/5/cc the/DT/5/det woman/NN/2/conj sleep/VBP/0/root on/IN/9/case a/DT/9/det sofa/NN/6/obl ././6/punct"),
    ("coordinate_verbs", WEARING_TREE, "A/DT/2/det boy/NN/3/nsubj wears/VBZ/0/root a/DT/5/det helmet/NN/3/obj and/CC/7/cc stands/VBZ/3/conj near/IN/10/case a/DT/10/det bus/NN/7/obl ././3/punct"),
    ("subordinate_clause", WEARING_TREE, "A/DT/2/det boy/NN/3/nsubj wears/VBZ/0/root a/DT/5/det helmet/NN/3/obj while/IN/9/mark the/DT/8/det woman/NN/9/nsubj stands/VBZ/3/advcl near/IN/12/case a/DT/12/det bus/NN/9/obl ././3/punct"),
    ("make_relative_clause", WEARING_TREE, "A/DT/2/det boy/NN/0/root who/WP/5/nsubj is/VBZ/5/aux wearing/VBG/2/acl:relcl a/DT/7/det helmet/NN/5/obj ././2/punct"),  # email-enronsent10_01-0006 "someone who is watching this"
    ("make_relative_clause", WEARING_TREE, "A/DT/2/det helmet/NN/0/root that/WDT/7/obj a/DT/5/det boy/NN/7/nsubj is/VBZ/7/aux wearing/VBG/2/acl:relcl ././2/punct"),
    ("split_group", WEARING_TREE, "One/CD/2/nummod boy/NN/3/nsubj wears/VBZ/0/root a/DT/5/det helmet/NN/3/obj and/CC/9/cc the/DT/8/det other/JJ/9/nsubj stands/VBZ/3/conj near/IN/12/case a/DT/12/det bus/NN/9/obl ././3/punct"),
    ("split_group", WEARING_TREE, "One/CD/5/nsubj of/IN/4/case the/DT/4/det boys/NNS/1/nmod wears/VBZ/0/root a/DT/7/det helmet/NN/5/obj ././5/punct"),  # weblog-juancole.com_juancole_20051126063000_ENG_20051126_063000-0023 "One of them was from the Jubur tribe"
    ("replace_verb", STANDING_TREE, "The/DT/2/det woman/NN/3/nsubj walks/VBZ/0/root near/IN/6/case a/DT/6/det bus/NN/3/obl ././3/punct"),
    ("replace_noun", RIDING_TREE, "A/DT/2/det man/NN/3/nsubj rides/VBZ/0/root a/DT/5/det walk/NN/3/obj on/IN/8/case a/DT/8/det beach/NN/3/obl ././3/punct"),
    ("copular", BLACK_DOG_TREE, "A/DT/3/det black/JJ/3/amod dog/NN/7/nsubj is/VBZ/7/cop on/IN/7/case the/DT/7/det sofa/NN/0/root ././7/punct"),
    ("copular", BLACK_DOG_TREE, "The/DT/2/det dog/NN/7/nsubj on/IN/5/case the/DT/5/det sofa/NN/2/nmod is/VBZ/7/cop black/JJ/0/root ././7/punct"),
    ("copular", BLACK_DOG_TREE, "Is/VBZ/7/cop the/DT/4/det black/JJ/4/amod dog/NN/7/nsubj on/IN/7/case the/DT/7/det sofa/NN/0/root ?/./7/punct"),  # weblog-blogspot.com_alaindewitt_20060924104100_ENG_20060924_104100-0240 "Is the solution a democratic Arab world ?"
]  # fmt: skip


@pytest.mark.parametrize(("kind", "caption", "expected_text"), EXPECTED_VARIANTS)
def test_a_construction_changes_the_tree_with_the_words(kind, caption, expected_text):
    assert expected_text in augmented_trees(kind, caption).values()


def test_a_relative_clause_of_possession_has_the_possessor_as_its_noun():
    variants_found = augmented_trees("make_relative_clause", WEARING_TREE).values()
    assert any("woman/NN/" in row and "whose/WP$/4/nmod:poss boy/NN/" in row and "/2/acl:relcl" in row for row in variants_found)


@pytest.mark.parametrize(("caption", "reason"), [
    ("a/a/DT/2/det sheep/sheep/NN/0/root grazing/graze/VBG/2/acl", "number in doubt"),
    ("two/two/CD/2/nummod man/man/NN/0/root running/run/VBG/2/acl", "number and noun disagree"),
    ("a/a/DT/2/det man/man/NN/0/root going/go/VBG/2/acl", "a verb of other constructions"),
    ("a/a/DT/2/det dog/dog/NN/0/root on/on/IN/4/case grass/grass/NN/2/nmod", "no verb"),
    ("a/a/DT/2/det man/man/NN/0/root riding/ride/VBG/2/acl with/with/IN/5/case hats/hat/NNS/2/nmod", "a phrase of the noun behind the verb"),
])  # fmt: skip
def test_ambiguous_captions_yield_no_clause(caption, reason):
    assert parse_clause(read_words(document(caption))) is None


def test_a_finite_caption_is_read_as_a_clause():
    clause = parse_clause(read_words(document(NAPPING_TREE)))
    assert isinstance(clause, Clause) and clause.is_finite and not clause.is_plural
    assert [w.text for w in clause.subject] == ["a", "child"] and clause.verb.lemma == "nap"


def test_every_variant_is_a_tree_of_its_tokens_and_depends_only_on_the_seed():
    all_variants = list(draw_variants(DOCUMENTS, 1, share=80, form_documents=[document(WORD_FORMS_TREE)]))
    tokenizer, numbers = PennTokenizer.read(), set()
    for _, variant in all_variants:
        (sentence,) = variant.sentences
        assert is_tree(sentence.basic) and sum(not e.head for e in sentence.basic) == 1
        assert [variant.text[t.start : t.end] for t in sentence.tokens] == [t.text for t in sentence.tokens]
        assert [word.text for word in tokenizer.words(variant.text)] == [t.text for t in sentence.tokens]
        numbers |= {(t.text, t.lemma) for t, e in zip(sentence.tokens, sentence.basic) if e.relation == "nummod"}
    assert {("2", "2"), ("two", "two")} <= numbers  # some variants have digits instead of number words
    counts = Counter(kind for kind, _ in all_variants)
    assert len(all_variants) > 400 and set(counts) == {*CONSTRUCTION_BY_KIND, "copular"} and max(counts.values()) <= len(all_variants) / 4
    texts = [[d.text for d in augment_documents(DOCUMENTS, seed, form_documents=[document(WORD_FORMS_TREE)])] for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
