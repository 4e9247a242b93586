"""The Japanese WordNet from a database file, and what is said where it is absent."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.errors import InputError, MissingResourceError
from spice_core.lang import language
from spice_core.lang.ja.wordnet import JapaneseWordNet
from spice_core.scene.synonyms import hypernym_path
from tests.lang.ja.wnja import write_wordnet


@pytest.fixture
def database(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # without what the person who runs the tests has imported
    return write_wordnet(tmp_path / "wnjpn.db")


def test_words_of_one_synset_match_and_the_synset_explains_it(database):
    spice = Spice("ja", synonyms=f"wordnet:{database}")
    result = spice.compute([["少年"]], [[["小僧"]]])
    (evidence,) = result.matches[0].evidence
    synset = spice.synonyms.synset(evidence.synsets[0])
    assert (synset.name, synset.lemmas, synset.gloss) == ("10285313-n", ("少年", "小僧"), "若い男性")
    assert "synonyms:wnjpn|" in str(result.signature)


def test_both_sources_together(database):
    both = language("ja").synonym_source(f"sudachi+wordnet:{database}")
    assert both.ids("少年") & both.ids("小僧") and both.ids("台所") & both.ids("厨房")
    assert {both.synset(i).name for i in both.ids("小僧")} >= {"10285313-n"}


@pytest.mark.parametrize("name", ["wordnet", "sudachi+wordnet"])
def test_the_chain_from_a_word_to_its_hypernym(database, name):
    source = language("ja").synonym_source(f"{name}:{database}")
    found = hypernym_path(source, source.ids("小僧"), source.ids("人"))
    assert [source.synset(i).lemmas for i in found] == [("少年", "小僧"), ("人",)]
    assert hypernym_path(source, source.ids("人"), source.ids("小僧")) == ()


def test_what_is_missing_is_said_with_the_way_to_get_it(tmp_path):
    with pytest.raises(MissingResourceError, match=r"wnja|bond-lab"):
        Spice("ja", synonyms=f"wordnet:{tmp_path / 'absent.db'}")


def test_without_nltks_data_the_error_carries_both_ways_to_get_it(monkeypatch, tmp_path):
    import nltk

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(nltk.data, "path", [])
    with pytest.raises(MissingResourceError, match="import-wordnet wnjpn.db.gz; or .*python -m nltk.downloader wordnet omw-1.4"):
        language("ja").synonym_source("wordnet")


def test_another_file_in_its_place_is_named(tmp_path):
    (tmp_path / "wnjpn.db").write_bytes(b"no database " * 500)
    with pytest.raises(InputError, match="wnjpn.db: found file is not a database, expected the Japanese WordNet"):
        JapaneseWordNet(str(tmp_path / "wnjpn.db")).ids("犬")
    with pytest.raises(MissingResourceError, match="found no Japanese WordNet"):
        JapaneseWordNet("a" * 5000)
