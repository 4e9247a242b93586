"""The Japanese WordNet from a database file, and the import command: accepted files, refused files, no data loss."""

import gzip
import os
import signal
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.errors import InputError, MissingResourceError
from spice_core.lang import language
from spice_core.lang.ja.wordnet import wordnet_import
from spice_core.lang.ja.wordnet.database import JapaneseWordNet
from spice_core.lang.ja.wordnet.wordnet_import import ImportedCounts, default_wordnet_path, import_wordnet
from spice_core.scene.synonyms import hypernym_path
from tests.lang.ja.wnja import write_wordnet


@pytest.fixture(autouse=True)
def use_temporary_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def wordnet_file(tmp_path):
    return write_wordnet(tmp_path / "wnjpn.db")


def compress_database(path: Path, content: bytes) -> Path:
    path.write_bytes(gzip.compress(content))
    return path


def test_the_import_command_adds_the_wordnet_and_shows_progress_by_table(wordnet_file, capsys):
    assert main(["import-wordnet", str(wordnet_file)]) == 0
    assert capsys.readouterr() == (f"{default_wordnet_path()}: 3 words, 2 synsets, 3 senses, 1 hypernym links\n", "")
    source = language("ja").synonym_source("sudachi+wordnet")
    assert source.ids("少年") & source.ids("小僧") and "wnjpn-" in source.signature
    seen_rows = {}

    def progress(rows, table, row_count):
        rows = list(rows)
        seen_rows[table] = (len(rows), row_count)
        return rows

    assert import_wordnet(wordnet_file, progress=progress) == ImportedCounts(3, 2, 3, 1)
    assert seen_rows == {"word": (3, 3), "sense": (3, 3), "synset_def": (1, 1), "synlink": (1, 1)}


def test_lookups_match_the_full_file_and_the_signature_depends_on_the_content(wordnet_file, tmp_path):
    import_wordnet(compress_database(tmp_path / "wnjpn.db.gz", wordnet_file.read_bytes()))
    full_source, small_source = JapaneseWordNet(str(wordnet_file)), JapaneseWordNet()
    for word in ("少年", "小僧", "人", "boy", "犬", ""):
        assert small_source.ids(word) == full_source.ids(word)
        assert [small_source.synset(i) for i in small_source.ids(word)] == [full_source.synset(i) for i in full_source.ids(word)]
        assert [small_source.hypernyms(i) for i in small_source.ids(word)] == [full_source.hypernyms(i) for i in full_source.ids(word)]
    other_path = write_wordnet(tmp_path / "other.db", languages=("jpn",))
    import_wordnet(wordnet_file, tmp_path / "a.db")
    import_wordnet(other_path, tmp_path / "b.db")
    a, b = (JapaneseWordNet(str(tmp_path / name)).signature for name in ("a.db", "b.db"))
    # The import ignores English rows.
    assert a == b
    with sqlite3.connect(wordnet_file) as db:
        db.execute("DELETE FROM synlink WHERE link = 'hype'")
    import_wordnet(wordnet_file, tmp_path / "c.db")
    assert JapaneseWordNet(str(tmp_path / "c.db")).signature != a


INVALID_FILES = {
    "another file": (b"no database " * 500, "found file is not a database, expected the Japanese WordNet, wnjpn.db"),
    "an empty file": (b"", "found no such table: word, expected the Japanese WordNet"),
    "gzip of another file": (gzip.compress(b"PK archive" * 99), "found file is not a database"),
    "gzip cut off": (gzip.compress(os.urandom(4000))[:-9], "found Compressed file ended before the end-of-stream marker"),
    "gzip with a wrong byte": (b"\x1f\x8b\x08\x00" + b"\xff" * 90, "expected a file that can be read"),
}


def test_a_file_of_another_format_is_reported(tmp_path, capsys):
    for content, message in INVALID_FILES.values():
        (tmp_path / "wnjpn.db").write_bytes(content)
        assert main(["import-wordnet", str(tmp_path / "wnjpn.db")]) == 2
        error = capsys.readouterr().err
        assert message in error and error.count("\n") == 1 and "wnjpn.db: found" in error
        assert not default_wordnet_path().exists()
    (tmp_path / "wnjpn.db").write_bytes(b"no database " * 500)
    with pytest.raises(InputError, match="wnjpn.db: found file is not a database, expected the Japanese WordNet"):
        JapaneseWordNet(str(tmp_path / "wnjpn.db")).ids("犬")
    with pytest.raises(MissingResourceError, match="no such file"):
        JapaneseWordNet("a" * 5000)


def test_a_missing_table_a_view_no_japanese_words_and_a_damaged_page_are_reported(tmp_path, wordnet_file):
    for table in ["word", "sense", "synset_def", "synlink"]:
        with pytest.raises(InputError, match=f"x.db: found no such table: {table}, expected the Japanese WordNet"):
            import_wordnet(write_wordnet(tmp_path / f"{table}-x.db", omitted_table=table))
    path = write_wordnet(tmp_path / "x.db", omitted_table="word")
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"CREATE VIEW word AS {ENDLESS_QUERY} LIMIT 9")
    with pytest.raises(InputError, match="x.db: found no such table: word, expected the Japanese WordNet"):
        import_wordnet(path)
    with pytest.raises(InputError, match="x.db: found no such table: word, expected the Japanese WordNet"):
        JapaneseWordNet(str(path))
    with pytest.raises(InputError, match=r"x.db: found a file without Japanese words"):
        import_wordnet(write_wordnet(tmp_path / "eng-x.db", languages=("eng",)))
    content = bytearray(wordnet_file.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 4096] = b"\xff" * 4096
    wordnet_file.write_bytes(content)
    with pytest.raises(InputError, match=r"wnjpn.db: found .*malformed.*, expected the Japanese WordNet"):
        import_wordnet(wordnet_file)


ENDLESS_QUERY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS wordid, 'jpn' AS lang, 'x' AS lemma FROM n"


@pytest.mark.parametrize(("signal_number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_long_query(wordnet_file, monkeypatch, signal_number, code):
    """SQLite handles the signal first and drops its exception, but the command still exits with its code."""
    # The query takes minutes, so the signal always arrives while the query runs.
    rows, finished = 2_000_000_000, []
    query = f"SELECT ? FROM ({ENDLESS_QUERY} LIMIT {rows}) WHERE CASE wordid WHEN 1 THEN begun() WHEN {rows} THEN finished() END"
    open_database = wordnet_import._open_database

    def connection(path):
        connection_ = open_database(path)
        connection_.create_function("begun", 0, threading.Timer(0.1, os.kill, (os.getpid(), signal_number)).start)
        connection_.create_function("finished", 0, lambda: finished.append(True))
        return connection_

    monkeypatch.setattr(wordnet_import, "TABLE_EXISTS_QUERY", query)
    monkeypatch.setattr(wordnet_import, "_open_database", connection)
    # Set a handler: background jobs of a shell ignore SIGINT.
    handler_before = signal.signal(signal_number, signal.default_int_handler)
    try:
        assert main(["import-wordnet", str(wordnet_file)]) == code
    finally:
        signal.signal(signal_number, handler_before)
    assert not finished and not default_wordnet_path().exists()


def test_the_old_file_remains_until_the_new_one_is_complete(wordnet_file, tmp_path):
    output_path = tmp_path / "out" / "small.db"
    import_wordnet(wordnet_file, output_path)
    content_before = output_path.read_bytes()

    def stop(rows, table, row_count):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_wordnet(wordnet_file, output_path, progress=stop)
    with pytest.raises(InputError):
        import_wordnet(write_wordnet(tmp_path / "x.db", omitted_table="sense"), output_path)
    assert output_path.read_bytes() == content_before and os.listdir(output_path.parent) == ["small.db"]


@pytest.mark.parametrize("name", ["wnjpn.db", "linked.db"])
def test_a_wordnet_does_not_replace_its_source_file(wordnet_file, tmp_path, name):
    (tmp_path / "linked.db").symlink_to(wordnet_file)
    content_before = wordnet_file.read_bytes()
    with pytest.raises(InputError, match=r"^out: found .*, expected a file other than the input$"):
        import_wordnet(wordnet_file, tmp_path / name)
    assert wordnet_file.read_bytes() == content_before


def test_unreadable_and_unwritable_paths_are_reported(wordnet_file, tmp_path, capsys):
    for name in ["a\0b", "a\ud800b"]:
        for source, output_path in ((tmp_path / name, None), (wordnet_file, tmp_path / name)):
            with pytest.raises(InputError, match=r"found (embedded null byte|'utf-8' codec can't encode)"):
                import_wordnet(source, output_path)
        assert not default_wordnet_path().exists()
    os.mkfifo(tmp_path / "pipe")
    assert main(["import-wordnet", str(tmp_path / "pipe")]) == 2
    assert main(["import-wordnet", str(tmp_path / "none.db")]) == 2
    assert main(["import-wordnet", str(tmp_path)]) == 2
    assert main(["import-wordnet", str(wordnet_file), "--out", str(wordnet_file / "below" / "it.db")]) == 2
    lines = capsys.readouterr().err.splitlines()
    for line, message in zip(lines, ("a pipe or device", "No such file", "Is a directory", "it.db: found Not a directory"), strict=True):
        assert message in line


def test_synsets_match_and_have_hypernyms_also_with_sudachi(wordnet_file):
    spice = Spice("ja", synonyms=f"wordnet:{wordnet_file}")
    result = spice.compute([["少年"]], [[["小僧"]]])
    (evidence,) = result.matches[0].evidence
    synset = spice.synonyms.synset(evidence.synsets[0])
    assert (synset.name, synset.lemmas, synset.gloss) == ("10285313-n", ("少年", "小僧"), "若い男性")
    assert "synonyms:wordnet-wnjpn|" in str(result.signature)
    combined_source = language("ja").synonym_source(f"sudachi+wordnet:{wordnet_file}")
    assert combined_source.ids("少年") & combined_source.ids("小僧") and combined_source.ids("台所") & combined_source.ids("厨房")
    assert {combined_source.synset(i).name for i in combined_source.ids("小僧")} >= {"10285313-n"}
    for name in ["wordnet", "sudachi+wordnet"]:
        source = language("ja").synonym_source(f"{name}:{wordnet_file}")
        path_names = hypernym_path(source, source.ids("小僧"), source.ids("人"))
        assert [source.synset(i).lemmas for i in path_names] == [("少年", "小僧"), ("人",)]
        assert hypernym_path(source, source.ids("人"), source.ids("小僧")) == ()


def test_missing_data_is_reported_with_instructions(tmp_path, monkeypatch):
    with pytest.raises(MissingResourceError, match=r"wnja|bond-lab"):
        Spice("ja", synonyms=f"wordnet:{tmp_path / 'absent.db'}")
    import nltk

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(nltk.data, "path", [])
    with pytest.raises(MissingResourceError, match="import-wordnet wnjpn.db.gz; or .*python -m nltk.downloader wordnet omw-1.4"):
        language("ja").synonym_source("wordnet")
