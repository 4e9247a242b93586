"""Report the effect of each enhancement step, parser repair and default rule: ``python -m tools.step_report [FOLDER]``.

FOLDER has captions in ``en/*.txt`` and ``ja/*.txt``, one per line. By default, the captions in ``assets`` are used. The columns of the
Markdown tables are: the number of sentences that a part changes, of 5,000 (for a rule: for which it yields a proposition); the F1 on each
half of each gold file without the part, where it differs; and the tuples that rewritten captions lose and invent, compared with the
captions before rewriting, without the part minus with it. Captions are parsed once. A part that changes no sentence of a caption does not
affect the propositions of the caption, so only the others are computed again without it.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from spice_core import Spice
from spice_core.data.gold import GoldGraph, read_gold
from spice_core.lang import language
from spice_core.lang.en.parsers import encoder_parser, tree_repair
from spice_core.lang.pack import ASSETS_FOLDER
from spice_core.rules.edit_step import RuleSetStep
from spice_core.scene.propositions import TupleWords, add_implied_objects
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document, Sentence

SENTENCES = 5_000
MIN_CHANGED = 10  # of 5,000 sentences
MIN_F1_LOSS = 0.002
_SEED = 7
_REWRITTEN_CAPTIONS = 300
_OPENERS = {
    "en": (
        "The image shows {}.",
        "The image captures {}.",
        "This is a photo of {}.",
        "In this image, there is {}.",
        "The image depicts a scene featuring {}.",
        "Here we see {}.",
        "The main subject of the image is {}.",
    ),
    "ja": ("この画像には{}が写っています。", "これは{}の写真です。", "写真には{}が見えます。"),
}
_PICTURE_WORDS = frozenset("image photo picture scene photograph view subject 画像 写真 もの".split())
_NOUN_PHRASE = re.compile(
    r"(?i)(?:an?|two|three|several|some|the) (?!.*\b(?:is|are|was|were|has|have|it|they|that|which|image|photo|there)\b)"
)
_CLAUSE = re.compile(r"(?i)(?:an?|the|two|three|several|some) (?!.*\b(?:there|it|they|who|that|which|his|her|its|their)\b).* (?:is|are) ")
_NOUN_AT_END = re.compile(r"(?:犬|猫|人|男性|女性|車|子供|電車|馬|鳥|木|皿|テーブル)$")


class Part(NamedTuple):
    """A step, repair or rule that can be switched off."""

    kind: str
    name: str


class Rewriting(NamedTuple):
    """A caption and its rewritten forms, which should have the same tuples."""

    caption: str
    originals: tuple[str, ...]


@dataclass
class PartReport:
    """The changes by a part, and the results without it.

    Attributes:
        changed: The number of sentences that the part changes, of 5,000.
        f1_by_half: F1 without the part, for the gold halves on which it differs.
        lost, invented: Numbers of tuples of rewritten captions without the part, minus those with it.
    """

    changed: float
    f1_by_half: dict[str, float]
    lost: int
    invented: int


@dataclass
class Report:
    """Result for one language: F1 by gold half, lost and invented tuples with all parts, and a row per part."""

    lang: str
    sentence_count: int
    f1_by_half: dict[str, float]
    lost: int
    invented: int
    parts: dict[Part, PartReport]

    def superfluous_parts(self) -> list[Part]:
        """Return the parts that change few sentences and are not needed by any test half."""
        return [part for part, row in self.parts.items() if row.changed < MIN_CHANGED and not self._is_needed(row)]

    def _is_needed(self, row: PartReport) -> bool:
        losses = (self.f1_by_half[half] - f1 for half, f1 in row.f1_by_half.items() if half.endswith(" test"))
        return any(loss >= MIN_F1_LOSS for loss in losses)

    def __str__(self) -> str:
        lines = [f"## {self.lang}, {self.sentence_count:,} sentences", ""]
        lines += [
            _table_row("part", "name", "changes", *self.f1_by_half, "lost", "invented"),
            _table_row(*["---"] * (len(self.f1_by_half) + 5)),
        ]
        lines += [_table_row("", "all", "", *(f"{f1:.4f}" for f1 in self.f1_by_half.values()), self.lost, self.invented)]
        for part, row in self.parts.items():
            f1 = (f"{row.f1_by_half[half]:.4f}" if half in row.f1_by_half else "" for half in self.f1_by_half)
            changes = (f"{n:+}" if n else "" for n in (row.lost, row.invented))
            lines.append(_table_row(*part, f"{row.changed:.0f}", *f1, *changes))
        return "\n".join([*lines, ""])


def _table_row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


class Captions:
    """Captions of a language, parsed once, with the default rules' tuples with and without a part."""

    def __init__(self, lang: str, captions: Iterable[str]):
        spice = Spice(lang)
        self._pack, self._rules, self._parser = language(lang), spice.rules, spice.parser
        self._repairs = tree_repair.REPAIRS if isinstance(self._parser, encoder_parser.EncoderParser) else ()
        unique_captions = list(dict.fromkeys(captions))
        with patch.object(encoder_parser, "repair_tree", lambda graph: graph):
            documents = list(self._parser.parse(unique_captions))
        self._documents = dict(zip(unique_captions, documents))
        self._steps = self._rules.steps or self._pack.enhancer.default_names
        self.effects = {caption: Counter(self._effects(document)) for caption, document in self._documents.items()}
        self._tuples = {caption: self._compute_tuples(caption, None) for caption in self._documents}

    def parts(self) -> list[Part]:
        """Return all parts (repairs, steps and rules) in order of application."""
        return [
            *(Part("repair", _function_name(repair)) for repair in self._repairs),
            *(Part("step", _step_name(step)) for step in self._steps),
            *(Part("rule", rule.name) for rule in self._rules.rules),
        ]

    def sentence_count(self, caption: str) -> int:
        """Return the number of sentences of a caption."""
        return len(self._documents[caption].sentences)

    def tuples(self, caption: str, without: Part | None = None) -> frozenset[TupleWords]:
        """Return the tuples of a caption, with implied objects, without one part."""
        return self._compute_tuples(caption, without) if without and self.effects[caption][without] else self._tuples[caption]

    def _compute_tuples(self, caption: str, part: Part | None) -> frozenset[TupleWords]:
        kind, name = part or ("", "")
        rules = self._rules.without(name) if kind == "rule" else self._rules
        steps = tuple(step for step in self._steps if (kind, name) != ("step", _step_name(step)))
        repairs = tuple(repair for repair in self._repairs if (kind, name) != ("repair", _function_name(repair)))
        with patch.object(tree_repair, "REPAIRS", repairs):
            document = self._documents[caption]
            if self._repairs:
                trees = [tree_repair.repair_tree(DependencyGraph(s.tokens, s.basic)) for s in document.sentences]
                document = Document(document.text, tuple(map(self._with_lemmas, trees)))
            return add_implied_objects(p.words for p in rules.apply(self._pack.enhance(document, steps)))

    def _with_lemmas(self, tree: DependencyGraph) -> Sentence:
        lemma: Callable[[str, str], str] = self._parser._lemma  # type: ignore[attr-defined]
        return Sentence(tuple(t._replace(lemma=lemma(t.text, t.tag)) for t in tree.tokens), tree.edges)

    def _effects(self, document: Document) -> Iterator[Part]:
        """Yield each part once per changed sentence."""
        if self._repairs:
            trees = []
            for sentence in document.sentences:
                raw_tree = DependencyGraph(sentence.tokens, sentence.basic)
                yield from (Part("repair", name) for name in _effective_names(self._repairs, raw_tree))
                trees.append(self._with_lemmas(tree_repair.repair_tree(raw_tree)))
            document = Document(document.text, tuple(trees))
        for discourse_step, result in self._pack.enhancer.trace_discourse(document, self._rules.steps):
            pairs = zip_longest(document.sentences, result.sentences)
            yield from [Part("step", discourse_step.name)] * sum(before != after for before, after in pairs)
            document = result
        for sentence in document.sentences:
            edges = sentence.basic
            for step, new_edges in self._pack.enhancer.trace(sentence, self._rules.steps):
                if new_edges != edges:
                    yield Part("step", step.name)
                edges = new_edges
        propositions = self._rules.apply(self._pack.enhance(document, self._rules.steps))
        yield from (Part("rule", rule) for rule, _ in {(p.rule, p.sentence) for p in propositions})


def _effective_names(functions: Iterable[Callable[[DependencyGraph], DependencyGraph]], graph: DependencyGraph) -> Iterator[str]:
    """Apply functions to a graph in order, and yield the names of those that change it."""
    for function in functions:
        changed_graph = function(graph)
        if (changed_graph.tokens, changed_graph.edges) != (graph.tokens, graph.edges):
            yield _function_name(function)
        graph = changed_graph


def _step_name(step: RuleSetStep) -> str:
    return step if isinstance(step, str) else step.name


def _function_name(function: Callable[..., object]) -> str:
    return function.__name__.strip("_")


def make_report(lang: str, texts: Iterable[str]) -> Report:
    """Return a language's report on all parts, with a seeded sample of texts without gold graphs.

    If the sample has fewer than 5,000 sentences, the numbers of changed sentences are scaled up.
    """
    rng = random.Random(_SEED)
    texts = sorted(set(texts))
    rng.shuffle(texts)
    texts = texts[:SENTENCES]
    rewritings = list(_rewritings(lang, texts[:_REWRITTEN_CAPTIONS], rng))
    graphs_by_half = dict(_gold_halves(lang))
    gold_captions = (graph.caption for graphs in graphs_by_half.values() for graph in graphs)
    captions = Captions(lang, [*texts, *gold_captions, *(r.caption for r in rewritings)])
    sentence_counts = accumulate(captions.sentence_count(text) for text in texts)
    sample = [text for text, count in zip(texts, sentence_counts) if count <= SENTENCES]
    sentence_count = sum(map(captions.sentence_count, sample))
    changed_counts = sum((captions.effects[text] for text in sample), Counter[Part]())
    f1_by_half = {half: _f1(graphs, captions.tuples) for half, graphs in graphs_by_half.items()}
    lost, invented = _broken_tuples(rewritings, captions.tuples)
    rows = {}
    for part in captions.parts():
        tuples = partial(captions.tuples, without=part)
        affected = [r for r in rewritings if any(captions.effects[caption][part] for caption in (r.caption, *r.originals))]
        lost_by_part, invented_by_part = (
            without - with_part
            for without, with_part in zip(_broken_tuples(affected, tuples), _broken_tuples(affected, captions.tuples), strict=True)
        )
        affected_halves = [h for h, graphs in graphs_by_half.items() if any(captions.effects[g.caption][part] for g in graphs)]
        f1_without = {half: f1 for half in affected_halves if (f1 := _f1(graphs_by_half[half], tuples)) != f1_by_half[half]}
        changed = changed_counts[part] * SENTENCES / sentence_count
        rows[part] = PartReport(changed, f1_without, lost_by_part, invented_by_part)
    return Report(lang, sentence_count, f1_by_half, lost, invented, rows)


def _gold_halves(lang: str) -> Iterator[tuple[str, list[GoldGraph]]]:
    for path in sorted(ASSETS_FOLDER.glob(f"gold/*_{lang}*.jsonl")):
        if "tuples" in json.loads(path.read_text(encoding="utf-8").partition("\n")[0]):
            graphs = read_gold(path)
            yield from ((f"{path.stem} {half}", [g for g in graphs if g.split == half]) for half in sorted({g.split for g in graphs}))


def _f1(graphs: Iterable[GoldGraph], tuples: Callable[[str], frozenset[TupleWords]]) -> float:
    pairs = [(tuples(graph.caption) - graph.optional_tuples, graph.tuples) for graph in graphs]
    return 2 * sum(len(a & b) for a, b in pairs) / sum(len(a) + len(b) for a, b in pairs)


def _broken_tuples(rewritings: Iterable[Rewriting], tuples: Callable[[str], frozenset[TupleWords]]) -> tuple[int, int]:
    """Return the numbers of lost and invented tuples in rewritten captions."""
    lost = invented = 0
    for caption, originals in rewritings:
        expected, actual = frozenset().union(*map(tuples, originals)), tuples(caption)
        lost += len(expected - actual)
        invented += sum(_PICTURE_WORDS.isdisjoint(" ".join(words).split()) for words in actual - expected)
    return lost, invented


def _rewritings(lang: str, captions: Sequence[str], rng: random.Random) -> Iterator[Rewriting]:
    """Yield captions rewritten with the same meaning: rephrased, after an opener, and joined in pairs."""
    is_english = lang == "en"
    for caption in captions:
        text = caption.rstrip(".。 ")
        quoted, stop = ("“{}.”", ".") if is_english else ("「{}」", "。")
        forms = [text, text + stop, quoted.format(text), *([text.lower(), text.upper() + "."] if is_english else ())]
        yield from (Rewriting(form, (caption,)) for form in forms if form != caption)
        if (_NOUN_PHRASE.match(text) and ". " not in text) if is_english else _NOUN_AT_END.search(text):
            opener = rng.choice(_OPENERS[lang])
            yield Rewriting(opener.format(text[0].lower() + text[1:]), (caption,))
    clauses = [c for c in captions if not is_english or (_CLAUSE.match(c) and not re.search(r"[.!?;:,] ", c))]
    for first, second in zip(clauses[::2], clauses[1::2]):
        pair, a, b = (first, second), first.rstrip(".。 "), second.rstrip(".。 ")
        yield Rewriting(f"{a}. {b}." if is_english else f"{a}。{b}。", pair)
        if is_english:
            yield Rewriting(f"{a}, while {b[0].lower() + b[1:]}.", pair)


def bundled_texts(lang: str) -> Iterator[str]:
    """Yield the captions of a language in the folder ``assets``."""
    for path in sorted(ASSETS_FOLDER.glob("captions/*.txt") if lang == "en" else ()):
        yield from path.read_text(encoding="utf-8").splitlines()
    for path in sorted(ASSETS_FOLDER.glob("samples/*.jsonl")):
        if (path.stem.endswith("_ja")) == (lang == "ja"):
            rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            yield from (caption for row in rows for caption in (row["refs"] if "refs" in row else row["captions"]))
    for pair in tomllib.loads((ASSETS_FOLDER / "gold" / f"pairs_{lang}.toml").read_text(encoding="utf-8"))["pair"]:
        yield from (pair[side]["caption"] for side in ("first", "second"))
    yield from (graph.caption for _, graphs in _gold_halves(lang) for graph in graphs)


def main() -> None:
    """Print the report for English and Japanese."""
    for lang in ("en", "ja"):
        files = sorted(Path(sys.argv[1], lang).glob("*.txt")) if sys.argv[1:] else []
        texts = [line for file in files for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        if not sys.argv[1:] or texts:
            print(make_report(lang, texts or bundled_texts(lang)), flush=True)


if __name__ == "__main__":
    main()
