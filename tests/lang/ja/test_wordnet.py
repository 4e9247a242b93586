"""The Japanese WordNet from a database file, and what is said where it is absent."""

from __future__ import annotations

import sqlite3

import pytest

from spice_core import Spice
from spice_core.errors import InputError, MissingResourceError
from spice_core.lang import language
from spice_core.lang.ja.wordnet import JapaneseWordNet
from spice_core.scene.synonyms import hypernym_path


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "wnjpn.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE word (wordid INTEGER, lang TEXT, lemma TEXT, pron TEXT, pos TEXT)")
        db.execute("CREATE TABLE sense (synset TEXT, wordid INTEGER, lang TEXT)")
        db.execute("CREATE TABLE synset_def (synset TEXT, lang TEXT, def TEXT, sid INTEGER)")
        db.executemany("INSERT INTO word VALUES (?, ?, ?, '', 'n')", [(1, "jpn", "少年"), (2, "jpn", "小僧"), (3, "eng", "boy")])
        db.executemany("INSERT INTO sense VALUES ('10285313-n', ?, 'jpn')", [(1,), (2,), (3,)])
        db.execute("INSERT INTO word VALUES (4, 'jpn', '人', '', 'n')")
        db.execute("INSERT INTO sense VALUES ('00007846-n', 4, 'jpn')")
        db.execute("CREATE TABLE synlink (synset1 TEXT, synset2 TEXT, link TEXT, src TEXT)")
        db.execute("INSERT INTO synlink VALUES ('10285313-n', '00007846-n', 'hype', '')")
        db.execute("INSERT INTO synlink VALUES ('00007846-n', '10285313-n', 'hypo', '')")
        db.execute("INSERT INTO synset_def VALUES ('10285313-n', 'jpn', '若い男性', 0)")
    return path


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


def test_without_nltks_data_the_error_carries_the_install_line(monkeypatch):
    import nltk

    monkeypatch.setattr(nltk.data, "path", [])
    with pytest.raises(MissingResourceError, match="python -m nltk.downloader wordnet omw-1.4"):
        language("ja").synonym_source("wordnet")


def test_another_file_in_its_place_is_named(tmp_path):
    (tmp_path / "wnjpn.db").write_bytes(b"no database " * 500)
    with pytest.raises(InputError, match="wnjpn.db: found file is not a database, expected the Japanese WordNet"):
        JapaneseWordNet(str(tmp_path / "wnjpn.db")).ids("犬")
    with pytest.raises(MissingResourceError, match="found no Japanese WordNet"):
        JapaneseWordNet("a" * 5000)
