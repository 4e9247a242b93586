"""Damaged files: each reader accepts them or refuses them in one line. tools/benchmarks/fuzz_files.py tests more of them."""

import csv
import io
import json
import signal
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

import pytest

from pages.parts.state.settings import read_word_list
from spice_core import Spice
from spice_core.cli.parse import _iterate_lines
from spice_core.data.columns import ITEM_FIELDS as ITEMS_LAYOUT
from spice_core.data.columns import RESULT_FIELDS as RESULTS_LAYOUT
from spice_core.data.factual import read_pairs
from spice_core.data.gold import parse_gold, read_gold, write_gold
from spice_core.data.ratings import read_judgements
from spice_core.data.reader import ReadablePath, Upload, decode_text
from spice_core.data.results import RowFields, complete_rows, read_results
from spice_core.data.sources import Source
from spice_core.data.work_file import read_work
from spice_core.errors import InputError, RuleError, SpiceError
from spice_core.evaluation.parse_cache import decode_parse, encode_parse
from spice_core.evaluation.systems import read_system
from spice_core.lang.tree_file import TreeFile
from spice_core.rules.pattern import Pattern
from spice_core.rules.rule_file import load_rules, read_tree
from spice_core.syntax import conllu
from tests.conftest import DATA, GOLD, rows
from tests.data.test_work_file import WORK
from tests.fuzzing import gzip_file, mutations, real_captions

ENGLISH_CAPTIONS = real_captions("en")
GRAPH = "A/a/DT/2/det man/man/NN/3/nsubj rides/ride/VBZ/0/root a/a/DT/6/det brown/brown/JJ/6/amod horse/horse/NN/3/obj"


def jsonl(rows: list[object]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def table(rows: list[list[object]], delimiter: str) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return buffer.getvalue().encode()


ITEM_ROWS = [
    *({"image_id": i, "test": ENGLISH_CAPTIONS[i], "refs": ENGLISH_CAPTIONS[i + 1 : i + 4]} for i in range(4)),
    {"image_id": "given.jpg", "test": [["dog"], ["dog", "brown"], ["dog", "on", "sofa"]], "refs": ["A brown dog.", [["sofa"]]]},
    {"image_id": "ja", "test": "猫がいる。", "refs": ["黒い猫。"]},
]
FOREIGN_TABLE = [
    ["画像", "生成文", "正解"],
    *([f"COCO_{i}.jpg", ENGLISH_CAPTIONS[i], f"{ENGLISH_CAPTIONS[i + 1]} | a red dog"] for i in range(5)),
]
TABLE_CELLS = [
    ["image_id", "test", "ref1", "ref2"],
    *([i, ENGLISH_CAPTIONS[i], ENGLISH_CAPTIONS[i + 1], 'a "red" dog, sitting'] for i in range(5)),
]
CHOSEN_COLUMNS = {"image_id": ["image_id"], "test": ["test"], "refs": ["ref2", "ref1"]}
RESULTS = [{"image_id": i, "caption": ENGLISH_CAPTIONS[i]} for i in range(4)]
ANNOTATIONS_OF_CAPTIONS = [{"image_id": i // 2, "id": i, "caption": ENGLISH_CAPTIONS[i]} for i in range(8)]
ANNOTATIONS = {"info": {"year": 2014}, "images": [{"id": 1}], "annotations": ANNOTATIONS_OF_CAPTIONS}
DOG = {"object_id": 1, "names": ["dog"], "attributes": ["brown", "small"]}
ON_RELATIONSHIP = {"subject_id": 1, "object_id": 2, "predicate": "ON"}
SCENES = [{"image_id": i, "objects": [DOG, {"object_id": 2, "names": ["red sofa"]}], "relationships": [ON_RELATIONSHIP]} for i in range(4)]
MARKED_TUPLES = [{"tuple": ["dog"], "truth_value": True}, {"tuple": ["dog", "red"], "truth_value": False}]
SCORED_FIELDS = {"signature": "spice", "refs": [[["dog"], ["dog", "red"]]], "test_tuples": MARKED_TUPLES}
COUNTS = [{"pr": i / (i + 1), "re": 1.0, "f": 2 * i / (2 * i + 1), "tp": i, "fp": 1, "fn": 0.0} for i in range(3)]
SCORES = [
    {"image_id": i, "scores": {"All": COUNTS[i], "Object": COUNTS[i]}, "test": ENGLISH_CAPTIONS[i], **SCORED_FIELDS} for i in range(3)
]
RATINGS = [
    {"candidate": "A dog.", "references": ["A brown dog.", "A cat."], "ratings": [4, 3, 4.5], "system": "a"},
    {"caption": "A bus.", "ref1": "A red bus.", "rating": "2"},
    {"sentence1": "犬がいる。", "sentence2": "猫がいる。", "similarity": 1.5},
]
PREFERENCES = [{"a": "A dog.", "b": "A cat.", "references": ["A brown dog."], "choice": c, "kind": "HC"} for c in ("a", "tie", 0.25)]
RATINGS_CSV = "candidate,ref1,ref2,ratings,system\nA dog.,A brown dog.,,4 3 5,a\nA cat.,A dog,A cat,1,b\n"
GOLD_ROWS = rows(GOLD / "gold_en.jsonl")[:5]
FACTUAL_ROWS = [{"caption": "A man with a red umbrella.", "scene_graph": "( man , hold , umbrella ) , ( umbrella , is , red )"}] * 3
CONLLU_TREES = "\n\n".join((DATA / "propositions.conllu").read_text("utf-8").split("\n\n")[:4]).encode() + b"\n\n"
PATTERNS = [
    "{tag:/NN.*/}=noun >amod {tag:/JJ.*/}=adjective",
    "{}=verb >nsubj ({tag:/NN.*/}=subject >det {word:a|the}) !>cop {} ?>obj ({}=object >/nmod:(.+)/=link {})",
    "{lemma:!be; tag:VBZ}=a . {}=b .. {}=c",
]
RULE_FILES = (DATA.parents[1] / "spice_core" / "lang" / "en" / "rules" / "caption.toml").read_text("utf-8")
CATEGORY_LISTS = "Material: wood, metal; 色：赤い、青い\nShape: round , square"


@cache
def default_metric() -> Spice:
    return Spice(parser="spice-2016", rules="spice-2016")


def check_error_lines(error: SpiceError) -> None:
    """Check that an error has one line, or for a rule file also that line of the file with a caret below."""
    lines = str(error).split("\n")
    assert len(lines) <= (3 if isinstance(error, RuleError) else 1), lines
    str(error).encode()


def check_printable(*texts: object) -> None:
    """Check that the content contains no unpaired surrogates, so it can be encoded."""
    "\n".join(map(str, texts)).encode()


def read_input_items(file: ReadablePath, references: Upload | None = None, **layout) -> None:
    if preview := Source(file, references).preview():
        layout |= {"columns": preview.columns.by_field(RESULTS_LAYOUT if references else ITEMS_LAYOUT)}
    for item in Source(file, references, **layout):
        if isinstance(item, InputError):
            check_error_lines(item)
        else:
            check_printable(item.image_id, *item.captions)


def read_result_file(file: Upload) -> None:
    with NamedTemporaryFile() as earlier_file:
        Path(earlier_file.name).write_bytes(file.content)
        for _ in complete_rows(Path(earlier_file.name)):
            pass
    for item in read_results(file):
        json.dumps(item.as_json(RowFields(True, True, True)), ensure_ascii=False).encode()
    system = read_system(file)
    check_printable(system.name, *system.categories, *system.row_by_image, *system.signatures)


def read_rating_file(file: Upload) -> None:
    for row in read_judgements(file):
        check_printable(*row, *row.references)


def read_tree_file(file: Upload, folder: Path) -> None:
    (folder / file.name).write_bytes(file.content)
    for document in conllu.read(_iterate_lines(str(folder / file.name)), name=file.name):
        default_metric().graph([default_metric().parse_document(document)])


def read_uploaded_trees(file: Upload) -> None:
    """Read uploaded trees, and check that each caption keeps its propositions after encoding and decoding."""
    tree_file = TreeFile(file)
    for parse in Spice(parser=tree_file, rules="spice-2016").parse(tree_file._trees):
        decoded_parse = decode_parse(parse.caption, encode_parse(parse), parse.parser)
        assert [p.words for p in decoded_parse.propositions] == [p.words for p in parse.propositions]


def read_rules(file: Upload, path: Path) -> None:
    path.write_bytes(file.content)
    load_rules(path).apply(next(conllu.read(CONLLU_TREES.decode().splitlines())))


def read_patterns(file: Upload) -> None:
    compiled, graph = Pattern(file.content.decode("utf-8", "surrogateescape")), read_tree(GRAPH)
    list(compiled.search(graph))
    compiled.failure(graph, {})


def read_saved_work(file: Upload) -> None:
    """Read a work file up to its first error, and check that the result survives writing and reading."""
    saved_work, _ = read_work(file, max_rows=10)
    if saved_work:
        "".join(saved_work.lines()).encode()
        assert read_work(Upload("again.jsonl", "".join(saved_work.lines()).encode()), max_rows=10) == (saved_work, None)


def packed_tables() -> dict[str, bytes]:
    """Return tables as Excel, Arrow and Parquet files and as a compressed file, by name. Return {} without their packages."""
    if not all(map(find_spec, ("openpyxl", "pyarrow"))):
        return {}
    import openpyxl
    import pyarrow
    from pyarrow import feather, parquet

    book, table, buffers = openpyxl.Workbook(), pyarrow.Table.from_pylist(ITEM_ROWS[:4]), [io.BytesIO() for _ in range(4)]
    for row in TABLE_CELLS:
        book.active.append(row)
    book.save(buffers[0])
    feather.write_feather(table, buffers[1], compression="uncompressed")
    with pyarrow.ipc.new_stream(buffers[2], table.schema) as stream:
        stream.write_table(table)
    parquet.write_table(table, buffers[3])
    names = ("items.xlsx", "items.feather", "items.arrow", "items.parquet")
    files = {name: buffer.getvalue() for name, buffer in zip(names, buffers)}
    return files | {"items.jsonl.zst": pyarrow.Codec("zstd").compress(jsonl(ITEM_ROWS), asbytes=True)}


def read_packed_items(file: Upload, folder: Path) -> None:
    """Read an Excel or compressed file as an upload and from disk, and any other file from disk."""
    if file.name.endswith((".xlsx", ".zst")):
        read_input_items(file)
    (folder / file.name).write_bytes(file.content)
    read_input_items(folder / file.name)


class Reader(NamedTuple):
    """The reader of a type of file, with a file name and a valid example."""

    name: str
    good: bytes
    read: Callable[[Upload], object]


def read_with_other_file(file: Upload, other_file: Upload, *, is_swapped: bool) -> None:
    read_input_items(*((other_file, file) if is_swapped else (file, other_file)))


def readers(folder: Path) -> list[Reader]:
    answers, notes = Upload("results.json", json.dumps(RESULTS).encode()), Upload("notes.json", json.dumps(ANNOTATIONS).encode())
    reader_cases = [
        ("items.json", json.dumps(ITEM_ROWS, ensure_ascii=False).encode(), read_input_items),
        ("items.jsonl", jsonl(ITEM_ROWS), read_input_items),
        ("results.json", answers.content, partial(read_with_other_file, other_file=notes, is_swapped=False)),
        ("annotations.json", notes.content, partial(read_with_other_file, other_file=answers, is_swapped=True)),
        ("scenes.json", json.dumps(SCENES).encode(), partial(read_with_other_file, other_file=answers, is_swapped=True)),
        ("items.csv", table(TABLE_CELLS, ","), read_input_items),
        ("foreign.csv", table(FOREIGN_TABLE, ";").decode().encode("cp932", "replace"), read_input_items),
        ("foreign.json", json.dumps([dict(zip(FOREIGN_TABLE[0], row)) for row in FOREIGN_TABLE[1:]]).encode("utf-16"), read_input_items),
        ("items.tsv", table(TABLE_CELLS, "\t"), read_input_items),
        ("semicolons.csv", table(TABLE_CELLS, ";"), partial(read_input_items, columns=CHOSEN_COLUMNS, delimiter=";")),
        ("scores.jsonl", jsonl(SCORES), read_result_file),
        ("work.jsonl", "".join(WORK.lines()).encode(), read_saved_work),
        ("scores.json", json.dumps(SCORES).encode(), read_result_file),
        ("ratings.jsonl", jsonl(RATINGS), read_rating_file),
        ("choices.json", json.dumps(PREFERENCES).encode(), read_rating_file),
        ("ratings.csv", RATINGS_CSV.encode(), read_rating_file),
        ("factual.jsonl", jsonl(FACTUAL_ROWS), read_pairs),
        ("gold.jsonl", jsonl(GOLD_ROWS), lambda file: check_printable(write_gold(read_gold(file, place_links=True)))),
        ("gold.txt", jsonl(GOLD_ROWS), lambda file: check_printable(write_gold(parse_gold(decode_text(file.content, file.name))))),
        ("trees.conllu", CONLLU_TREES, partial(read_tree_file, folder=folder)),
        ("own.conllu", CONLLU_TREES, read_uploaded_trees),
        ("rules.toml", "\n[[rule]]".join(RULE_FILES.split("\n[[rule]]")[:3]).encode(), partial(read_rules, path=folder / "rules.toml")),
        ("tree.txt", GRAPH.encode(), lambda file: read_tree(file.content.decode("utf-8", "surrogateescape"))),
        ("words.txt", CATEGORY_LISTS.encode(), lambda file: read_word_list(decode_text(file.content, file.name), reserved_names=["Color"])),
        *((name, content, partial(read_packed_items, folder=folder)) for name, content in packed_tables().items()),
        *((f"pattern-{pattern_number}.txt", source.encode(), read_patterns) for pattern_number, source in enumerate(PATTERNS)),
    ]
    return [Reader(*case) for case in reader_cases]


def iterate_damaged_files(reader: Reader, seed: int, count: int) -> Iterator[Upload]:
    """Yield damaged versions of a reader's file. A third of data files are gzipped, some with further damage."""
    gzipped = reader.name != "trees.conllu" and Path(reader.name).suffix in (".json", ".jsonl", ".csv", ".tsv", ".conllu")
    for mutation_number, content in enumerate(mutations(reader.good, seed, count)):
        pack = gzipped and mutation_number % 3 == 0
        yield Upload(f"{reader.name}.gz", gzip_file(content, seed + mutation_number)) if pack else Upload(reader.name, content)


class ReaderTimeoutError(BaseException):
    """Raised when a reader does not end. ``except Exception`` does not catch it."""


def raise_hang(*_) -> None:
    raise ReaderTimeoutError("does not end")


def find_reader_fault(reader: Reader, file: Upload, seconds: float) -> str:
    """Return a description of the reader's fault on a file, or ""."""
    handler_before = signal.signal(signal.SIGALRM, raise_hang)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        reader.read(file)
    except SpiceError as error:
        try:
            check_error_lines(error)
        except (AssertionError, UnicodeEncodeError) as fault:
            return f"{type(error).__name__} with a bad message: {fault}"
    except (Exception, ReaderTimeoutError) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler_before)
    return ""


@pytest.mark.parametrize("name", [reader.name for reader in readers(Path())])
def test_good_files_are_read_and_broken_ones_refused_in_one_line(name, tmp_path):
    reader = next(r for r in readers(tmp_path) if r.name == name)
    reader.read(Upload(reader.name, reader.good))
    faults = {
        fault: file for file in iterate_damaged_files(reader, seed=1, count=30) if (fault := find_reader_fault(reader, file, seconds=60))
    }
    assert faults == {}
