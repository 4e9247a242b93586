"""Tags chosen anew by the relation of their token."""

from __future__ import annotations

import pytest
from spacy.tokens import Doc

from spice_core.lang.en import tag_reranker
from spice_core.lang.en.parser import bundled


@pytest.mark.parser
def test_a_relation_can_outweigh_the_tagger(tmp_path):
    nlp = bundled()._nlp
    pipe = nlp.get_pipe(tag_reranker.NAME)
    doc = nlp("A man riding a horse.")
    assert [(t.text, t.tag_, t.dep_) for t in doc][2] == ("riding", "VBG", "acl")

    # trees in which whatever is a clausal modifier is a noun, very often
    words = {"words": ["x"] * 3000, "tags": ["NN"] * 3000, "deps": ["acl"] * 3000, "heads": [0] * 3000}
    other = {"words": ["x"] * 3000, "tags": ["VBG"] * 3000, "deps": ["dep"] * 3000, "heads": [0] * 3000}
    taught = tag_reranker.TagAgreement(nlp, tag_reranker.NAME)
    taught.learn([Doc(nlp.vocab, **words), Doc(nlp.vocab, **other)])
    labels = nlp.get_pipe("tagger").labels
    evidence = taught._evidence["acl"]
    assert evidence[labels.index("NN")] > 0 > evidence[labels.index("VBG")]

    pipe.to_disk(tmp_path / "evidence")
    again = tag_reranker.TagAgreement(nlp, tag_reranker.NAME).from_disk(tmp_path / "evidence")
    assert [t.tag_ for t in again(nlp("A man riding a horse."))] == [t.tag_ for t in doc]


@pytest.mark.parser
def test_an_empty_caption_stays_empty():
    nlp = bundled()._nlp
    assert len(nlp("")) == 0
