"""Small database in the layout of the Japanese WordNet 1.1, with all tables and with English and Japanese rows."""

import sqlite3
from contextlib import closing
from pathlib import Path

TABLES = {
    "pos_def": "pos text, lang text, def text",
    "link_def": "link text, lang text, def text",
    "synset": "synset text, pos text, name text, src text",
    "synset_def": "synset text, lang text, def text, sid text",
    "synset_ex": "synset text, lang text, def text, sid text",
    "synlink": "synset1 text, synset2 text, link text, src text",
    "ancestor": "synset1 text, synset2 text, hops int",
    "word": "wordid integer primary key, lang text, lemma text, pron text, pos text",
    "variant": "varid integer primary key, wordid integer, lang text, lemma text, vartype text",
    "sense": "synset text, wordid integer, lang text, rank text, lexid integer, freq integer, src text",
    "xlink": "synset text, resource text, xref text, misc text, confidence text",
}
_INDEXES = ("word (wordid)", "word (lemma)", "sense (wordid)", "sense (synset)", "synset (synset)", "synlink (synset1, link)")
_BOY, _PERSON, _BABEL = "10285313-n", "00007846-n", "04523831-a"
_ROWS = {
    "pos_def": [("n", "eng", "noun"), ("n", "jpn", "名詞")],
    "link_def": [("hype", "eng", "Hypernyms"), ("inst", "eng", "Instances")],
    "synset": [(_BOY, "n", "male_child", "eng30"), (_PERSON, "n", "person", "eng30")],
    "synset_def": [(_BOY, "jpn", "若い男性", "0"), (_BOY, "eng", "a youthful male person", "0"), (_BOY, "img", "boy.jpg", "0")],
    "synset_ex": [(_BOY, "jpn", "彼は今では大きな少年だ", "0")],
    "synlink": [(_BOY, _PERSON, "hype", "eng30"), (_PERSON, _BOY, "hypo", "eng30"), (_BOY, _BABEL, "attr", "eng30")],
    "ancestor": [(_BOY, _PERSON, 1)],
    "word": [*((number, "jpn", lemma, None, "n") for number, lemma in ((156370, "少年"), (156371, "小僧"), (156372, "人"), (156373, ""))), (1, "eng", "boy", None, "n")],
    "sense": [*((_BOY, number, "jpn", None, None, None, "hand") for number in (156370, 156371)),
     (_PERSON, 156372, "jpn", None, None, None, "mono"), (_BOY, 1, "eng", "0", 2, 82, "eng-30"),
     ("no-synset", 156370, "jpn", None, None, None, "hand")],
    "xlink": [(_BOY, "SUMO", "Boy", "", "")],
}  # fmt: skip


def write_wordnet(path: Path, *, omitted_table: str = "", languages: tuple[str, ...] = ("jpn", "eng", "img")) -> Path:
    with closing(sqlite3.connect(path)) as db, db:
        for table, columns in TABLES.items():
            if table != omitted_table:
                db.execute(f"CREATE TABLE {table} ({columns})")
                places = ", ".join("?" * len(columns.split(", ")))
                rows = [row for row in _ROWS.get(table, []) if table not in ("word", "sense") or set(row) & set(languages)]
                db.executemany(f"INSERT INTO {table} VALUES ({places})", rows)
        for index_number, index in enumerate(_INDEXES):
            if index.split()[0] != omitted_table:
                db.execute(f"CREATE INDEX index_{index_number} ON {index}")
    return path
