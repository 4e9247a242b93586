"""Write the index that `wordnet.py` reads, from the WordNet 3.0 database files.

    python -m tools.build_wordnet --wordnet /usr/share/wordnet --out DIR

The tool needs NLTK and the database files, such as those of the Debian package wordnet-base (the folder in the example).
Without `--collisions`, the groups in the library are used. The archive contains text files:

- `lemmas`: sorted, one per line; `senses`: the synset ids of the lemma on the same line;
- `exceptions`: an irregular form and its bases per line;
- `synsets/NNN`: 1024 synsets with name, lemmas, hypernym ids, definition and examples, separated by tabs.

A second archive contains `ranks` and `boundaries`. A line of `ranks` has one character per synset id of the lemma on the same line,
from "!" for rank 1, or is empty if each part of speech has one sense. `boundaries` lists the first ids of verbs, adjectives and adverbs.

Synset ids start at 0 and follow the order of the files: nouns, verbs, adjectives, adverbs. Equal databases give equal
bytes.
"""

import argparse
import io
import json
import re
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from spice_core.errors import InputError, MissingResourceError
from spice_core.lang.en.wordnet.database import ARCHIVE_NAME, BLOCK_LINES, COLLISIONS_NAME, RANKS_NAME, WORDNET_FOLDER, Synset

POS_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
LICENSE_HEAD = (
    "The files in this folder are an index derived from the WordNet 3.0 database by\n"
    "spice_core (build_wordnet.py). WordNet's licence follows.\n\n"
)


@dataclass(frozen=True, slots=True)
class Database:
    """The indexed part of WordNet, with synsets in id order.

    `ranks` maps a lemma and an id to the rank of the sense within its part of speech, unless the rank is 1.
    """

    synsets: Sequence[Synset]
    exceptions: Mapping[str, Sequence[str]]
    licence: str
    ranks: Mapping[tuple[str, int], int] = field(default_factory=dict)

    def senses(self) -> dict[str, list[int]]:
        """Return the synset ids of each lemma in lower case. Lemmas and ids are sorted."""
        ids: dict[str, list[int]] = {}
        for synset in self.synsets:
            for lemma in dict.fromkeys(map(str.lower, synset.lemmas)):
                ids.setdefault(lemma, []).append(synset.id)
        return dict(sorted(ids.items()))


def read_database(folder: Path) -> Database:
    """Read the WordNet database files with NLTK. Raises `MissingResourceError` if they are missing."""
    if not (folder / "data.noun").is_file():
        raise MissingResourceError(f"{folder}: found no data.noun, expected WordNet 3.0; apt-get install wordnet-base")
    reader = _open_reader(folder)
    database_synsets = [synset for pos in POS_FILES for synset in reader.all_eng_synsets(pos)]
    numbers = {synset: synset_number for synset_number, synset in enumerate(database_synsets)}
    synsets = [
        Synset(
            id=synset_number,
            name=_sense_name(synset, reader),
            pos=synset.pos(),
            lemmas=tuple(synset.lemma_names()),
            gloss=synset.definition(),
            examples=tuple(synset.examples()),
            hypernyms=tuple(sorted(numbers[hypernym] for hypernym in synset.hypernyms() + synset.instance_hypernyms())),
        )
        for synset, synset_number in numbers.items()
    ]
    ids = {(POS_FILES[synset.pos().replace("s", "a")], synset.offset()): synset_number for synset, synset_number in numbers.items()}
    return Database(synsets, _read_exceptions(folder), _read_licence(folder), _read_ranks(folder, ids))


def _open_reader(folder: Path):  # NLTK is imported only here, because the library runs without NLTK
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class DebianReader(WordNetCorpusReader):
        """NLTK's reader for the files of the Debian package."""

        def map_wn(self, version="wordnet"):
            """Skip the mapping to other WordNets, which needs `index.sense` and an NLTK corpus."""

        def open(self, file):
            """Return a dummy for `lexnames`, which the package lacks and the index ignores."""
            if file != "lexnames":
                return super().open(file)
            return io.StringIO("".join(f"{file_number:02} unnamed 0\n" for file_number in range(45)))

    nltk.data.path.append(str(folder))  # NLTK reads only from folders in this list
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The multilingual functions")
        return DebianReader(str(folder), None)


def _sense_name(synset, reader) -> str:
    """Return a name such as `dog.n.01`, without separate numbers for satellite adjectives (unlike NLTK 3.10)."""
    if synset.pos() != "s":
        return synset.name()
    lemma = synset.lemma_names()[0].lower()
    return f"{lemma}.s.{reader.synsets(lemma, 'a').index(synset) + 1:02}"


def _read_exceptions(folder: Path) -> dict[str, list[str]]:
    exceptions: dict[str, list[str]] = {}
    for name in POS_FILES.values():
        for line in (folder / f"{name}.exc").read_text("utf-8").splitlines():
            form, *bases = line.split()
            base_forms = exceptions.setdefault(form, [])
            base_forms.extend(base for base in dict.fromkeys(bases) if base not in base_forms)
    return dict(sorted(exceptions.items()))


def _read_ranks(folder: Path, ids: Mapping[tuple[str, int], int]) -> dict[tuple[str, int], int]:
    """Read the ranks of senses from the index files. Each line starts with a lemma and ends with its senses, sorted by frequency."""
    ranks: dict[tuple[str, int], int] = {}
    for name in POS_FILES.values():
        for line in (folder / f"index.{name}").read_text("utf-8").splitlines():
            if not line.startswith(" "):
                lemma, _, count, *offset_fields = line.split()
                offsets = offset_fields[len(offset_fields) - int(count) :]
                ranks |= {(lemma, ids[name, int(offset_field)]): rank for rank, offset_field in enumerate(offsets, start=1) if rank > 1}
    return ranks


def _read_licence(folder: Path) -> str:
    """Return the licence, which a data file has at its top in indented and numbered lines."""
    with (folder / "data.noun").open(encoding="utf-8") as lines:
        head = re.findall(r"^ +\d+ (.*?) *$", "".join(next(lines) for _ in range(29)), re.M)
    return "\n".join(head) + "\n"


def write_index(database: Database, groups: Sequence[Sequence[str]], out_path: Path) -> None:
    senses = database.senses()
    for group_number, group in enumerate(groups, start=1):
        if unknown := [lemma for lemma in group if lemma not in senses]:
            raise InputError(f"collision group {group_number}", unknown, "lemmas of this WordNet")
    members = {
        "lemmas": senses,
        "senses": (" ".join(map(str, ids)) for ids in senses.values()),
        "exceptions": (" ".join((form, *bases)) for form, bases in database.exceptions.items()),
    }
    for start in range(0, len(database.synsets), BLOCK_LINES):
        block = database.synsets[start : start + BLOCK_LINES]
        members[f"synsets/{start // BLOCK_LINES:03}"] = map(_synset_record, block)
    ranks = ([database.ranks.get((lemma, id), 1) for id in ids] for lemma, ids in senses.items())
    out_path.mkdir(parents=True, exist_ok=True)
    _write_archive(out_path / ARCHIVE_NAME, members)
    lines_of_ranks = ("".join(chr(ord(" ") + n) for n in row) if max(row) > 1 else "" for row in ranks)
    parts_of_speech = ["nvar".index(synset.pos.replace("s", "a")) for synset in database.synsets]
    boundaries = (str(bisect_left(parts_of_speech, n)) for n in (1, 2, 3))
    _write_archive(out_path / RANKS_NAME, {"ranks": lines_of_ranks, "boundaries": boundaries})
    lines = ",\n".join(json.dumps(list(group), ensure_ascii=False) for group in groups)
    (out_path / COLLISIONS_NAME).write_text(f"[\n{lines}\n]\n", "utf-8")
    (out_path / "LICENSE").write_text(LICENSE_HEAD + database.licence, "utf-8")


def _synset_record(synset: Synset) -> str:
    lemmas, hypernyms = " ".join(synset.lemmas), " ".join(map(str, synset.hypernyms))
    return "\t".join((synset.name, lemmas, hypernyms, synset.gloss, *synset.examples))


def _write_archive(path: Path, members: Mapping[str, Iterable[str]]) -> None:
    with ZipFile(path, "w") as archive:
        for name, lines in members.items():
            info = ZipInfo(name)  # dated 1980, so that the bytes depend only on the content
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, "\n".join(lines), ZIP_DEFLATED, compresslevel=9)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Write WordNet's index for spice_core.")
    add = parser.add_argument
    add("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="folder of the database files (%(default)s)")
    add("--collisions", type=Path, default=WORDNET_FOLDER / COLLISIONS_NAME, help="JSON list of groups of lemmas that share an id")
    add("--out", type=Path, default=WORDNET_FOLDER, help="folder to write to (default: the folder in the library)")
    options = parser.parse_args(arguments)
    groups = json.loads(options.collisions.read_text("utf-8"))
    write_index(read_database(options.wordnet), groups, options.out)


if __name__ == "__main__":
    main()
