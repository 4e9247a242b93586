"""Test the parse cache: entries are found only under their key, and several processes can share a file."""

import contextlib
import multiprocessing
import sqlite3
import threading
from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.errors import InputError
from spice_core.evaluation import parse_cache as cache_module
from spice_core.evaluation.parse_cache import ParseCache, decode_parse, encode_parse
from spice_core.lang import language
from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Token
from tests.conftest import DATA, rows

STORED_PARSES = [
    Parse(row["caption"], tuple(Proposition(tuple(words), f"rule {n}") for n, words in enumerate(row["propositions"])))
    for row in rows(DATA / "propositions.jsonl")
]


def test_propositions_survive_in_order_with_their_rules_sentences_and_places():
    for parse in [*STORED_PARSES, Parse("nothing", ())]:
        decoded = decode_parse(parse.caption, encode_parse(parse), "a parser")
        assert decoded.propositions == parse.propositions and decoded.parser == "a parser"
        assert [p.rule for p in decoded.propositions] == [p.rule for p in parse.propositions]
    propositions = (Proposition(("dog",), "noun"), Proposition(("cat",), "noun", 1))
    decoded = decode_parse("", encode_parse(Parse("A dog. A cat.", propositions, sentences=("A dog.", "A cat."))), "a parser")
    assert decoded.sentences == ("A dog.", "A cat.") and [p.sentence for p in decoded.propositions] == [0, 1]
    assert decoded.propositions == propositions and [p.rule for p in decoded.propositions] == ["noun", "noun"]
    token = Token(4, "人", "人", "名詞")
    bare_proposition = Proposition(("[PHI]", "撮る", "人"), "rule", 0, ((), (Token(5, "撮る", "撮る", "動詞"),), (token,)))
    located_proposition = Proposition(("人", "立つ"), "rule", 1, ((token,), (Token(5, "立つ", "立つ", "動詞"),)))
    parse = Parse("人", (bare_proposition, located_proposition), sentences=("人", "人"))
    decoded_parse = decode_parse("人", encode_parse(parse), parse.parser).propositions
    assert [[t.index for part in p.tokens[::2] for t in part] for p in decoded_parse] == [[4], [4]]
    assert decoded_parse[0].tokens[0] == () and decoded_parse[0].tokens[2][0].index == 4


def store_parses(path, key: str, entries: dict[str, str]) -> None:
    with contextlib.closing(ParseCache(key, path)) as cache:
        cache.put(entries)


DOG_ENTRY = {"a dog": "noun\x1fdog"}


def test_owners_of_parts_are_found_in_parses_from_the_cache():
    spice = Spice(scheme="entailed")
    fresh_parses = list(spice.parse(["a man with a beard", "a woman walks and a man smiles, the beard is long"]))
    decoded_parses = [decode_parse(parse.caption, encode_parse(parse), parse.parser) for parse in fresh_parses]
    results = [spice.compare(candidate, [reference]) for candidate, reference in (fresh_parses, decoded_parses)]
    assert [[item.tuple_.words for item in result.verdicts.entailments] for result in results] == [[("man", "with", "beard")]] * 2


def test_the_cache_returns_entries_of_its_key_and_memory_keeps_the_latest(tmp_path, monkeypatch):
    path, entries = tmp_path / "cache", {parse.caption: encode_parse(parse) for parse in STORED_PARSES}
    first_cache = ParseCache("key 1", path)
    assert first_cache.get(entries) == {} and first_cache.misses == len(entries)
    first_cache.put(entries)
    first_cache.close()
    assert ParseCache("key 1", path).get([*entries, "unknown"]) == entries
    assert ParseCache("key 2", path).get(entries) == {}
    monkeypatch.setattr(cache_module, "_MAX_CAPTIONS_IN_MEMORY", 3)
    cache = ParseCache("key")
    cache.put({"a": "1", "b": "2", "c": "3"})
    cache.get(["a"])
    cache.put({"d": "4"})
    assert cache.get("abcd") == {"a": "1", "c": "3", "d": "4"}


def test_rules_whose_digests_begin_alike_share_no_parses(tmp_path):
    """The signature shows eight digits of the rules' digest, but the cache compares all."""
    first_rules, other_rules = (replace(language("en").rule_set("caption")) for _ in "ab")
    vars(first_rules)["digest"], vars(other_rules)["digest"] = f"01234567{'a' * 56}", f"01234567{'b' * 56}"
    first_spice, second_spice = Spice(rules=first_rules), Spice(rules=other_rules)
    assert first_spice.signature == second_spice.signature and first_spice.parse_key != second_spice.parse_key
    store_parses(tmp_path / "cache", first_spice.parse_key, DOG_ENTRY)
    assert ParseCache(second_spice.parse_key, tmp_path / "cache").get(["a dog"]) == {}
    assert ParseCache(first_spice.parse_key, tmp_path / "cache").get(["a dog"]) == DOG_ENTRY
    spice = Spice()
    s = spice.signature
    store_parses(tmp_path / "cache", "|".join((s.lang, s.parser, s.rules, s.version)), {"a dog": "noun\x1fcat"})
    new_cache = ParseCache(spice.parse_key, tmp_path / "cache")
    assert new_cache.get(["a dog"]) == {}
    new_cache.put(DOG_ENTRY)
    assert new_cache.get(["a dog"]) == DOG_ENTRY


def write_database(path, *statements: str, version: int = 0):
    """Write a SQLite database as another program or version would."""
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        for statement in (*statements, f"PRAGMA user_version = {version}"):
            file.execute(statement)
    return path


def test_a_file_that_is_no_cache_is_refused_and_remains_closed_and_unchanged(tmp_path, monkeypatch):
    opened_connections, connect = [], sqlite3.connect
    (tmp_path / "text").write_bytes(b"no database " * 500)
    write_database(tmp_path / "newer", version=99)
    write_database(tmp_path / "theirs", "CREATE TABLE bookmarks (address TEXT)")
    write_database(tmp_path / "makers", "CREATE TABLE makers (id INTEGER, name TEXT)", "INSERT INTO makers VALUES (1, 'Ann')", version=1)
    write_database(tmp_path / "one", "CREATE TABLE makers (id INTEGER, signature TEXT)", version=3)
    write_database(tmp_path / "new", "CREATE TABLE parses (key INTEGER, caption TEXT, propositions TEXT)")
    text_by_name = {"text": "file is not a database", "newer": "layout 99, not 11", "theirs": "tables of another program: bookmarks"}
    text_by_name |= {
        name: f"tables of another program: {table}" for name, table in (("makers", "makers"), ("one", "makers"), ("new", "parses"))
    }
    monkeypatch.setattr(
        sqlite3, "connect", lambda *args, **options: opened_connections.append(connect(*args, **options)) or opened_connections[-1]
    )
    for name, expected_text in text_by_name.items():
        path = tmp_path / name
        content_before = path.read_bytes()
        with pytest.raises(InputError, match=f"{path}: found {expected_text}, expected a parse cache, or a new file"):
            ParseCache("key", path)
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            opened_connections.pop().execute("SELECT 1")
        assert path.read_bytes() == content_before
        assert {other_connection.name for other_connection in tmp_path.iterdir()} == set(text_by_name)


@pytest.mark.parametrize(("layout", "keys"), [(1, "makers"), (2, "makers"), (7, "parse_keys")])
def test_the_cache_of_an_older_layout_is_emptied_and_used(tmp_path, layout, keys):
    path = write_database(
        tmp_path / "cache",
        f"CREATE TABLE {keys} (id INTEGER PRIMARY KEY, signature TEXT UNIQUE)",
        "CREATE TABLE parses (maker INTEGER, caption TEXT, propositions TEXT, PRIMARY KEY (maker, caption)) WITHOUT ROWID",
        f"INSERT INTO {keys} VALUES (1, 'key')",
        "INSERT INTO parses VALUES (1, 'a dog', 'noun\x1fcat')",
        version=layout,
    )
    cache = ParseCache("key", path)
    assert cache.get(["a dog"]) == {}
    cache.close()
    store_parses(path, "key", DOG_ENTRY)
    assert ParseCache("key", path).get(["a dog"]) == DOG_ENTRY


@pytest.mark.parametrize(
    "change", ["'noun\x1fcat'", "substr(propositions, 1, 9)", "replace(propositions, 'dog', 'cat')", "x'00ff'", "NULL"]
)
def test_a_changed_record_is_parsed_again(tmp_path, change):
    store_parses(path := tmp_path / "cache", "key", DOG_ENTRY | {"a cat": "noun\x1fcat"})
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        file.execute(f"UPDATE parses SET propositions = {change} WHERE caption = 'a dog'")
    with contextlib.closing(ParseCache("key", path)) as cache:
        assert cache.get(["a dog", "a cat"]) == {"a cat": "noun\x1fcat"} and cache.misses == 1
        cache.put(DOG_ENTRY)
    with contextlib.closing(ParseCache("key", path)) as cache:
        assert cache.get(["a dog"]) == DOG_ENTRY


@pytest.mark.parametrize("text", ["", "no JSON", "5", "[]", "[[], [[]]]", "[[], [5]]", '[[], {"a": 1}]', "[" * 100_000])
def test_a_record_of_another_program_is_an_error(text):
    with pytest.raises(InputError, match="record of 'a dog' in the parse cache: found .*, expected a parse; delete the file"):
        decode_parse("a dog", text, "a parser")


def test_a_new_cache_waits_for_another_process_that_writes_the_file(tmp_path):
    other_connection = sqlite3.connect(tmp_path / "cache", isolation_level=None, check_same_thread=False)
    other_connection.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, other_connection.execute, ["ROLLBACK"])
    release.start()
    cache = ParseCache("key", tmp_path / "cache")
    release.join()
    other_connection.close()
    cache.put(DOG_ENTRY)
    cache.close()
    assert ParseCache("key", tmp_path / "cache").get(DOG_ENTRY) == DOG_ENTRY


def fill_cache(path, start: int) -> None:
    cache = ParseCache("key", path)
    for n in range(start, start + 2000, 10):
        cache.put({f"caption {i}": f"rule\x1f{i}" for i in range(n, n + 10)})
        cache.get([f"caption {i}" for i in range(0, 4000, 97)])
    cache.close()


def test_two_processes_neither_lose_nor_damage_rows(tmp_path):
    path = tmp_path / "cache"
    processes = [multiprocessing.Process(target=fill_cache, args=(path, start)) for start in (0, 1000)]
    for step in (multiprocessing.Process.start, multiprocessing.Process.join):
        for process in processes:
            step(process)
    assert [process.exitcode for process in processes] == [0, 0]
    with sqlite3.connect(path) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    captions = [f"caption {i}" for i in range(3000)]
    assert ParseCache("key", path).get(captions) == {f"caption {i}": f"rule\x1f{i}" for i in range(3000)}
