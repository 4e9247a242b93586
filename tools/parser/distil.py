"""Distil the parser ``caption``: train a network with the parser as the teacher, starting from its weights or some of its layers.

    python -m tools.parser.distil examples --teacher FOLDER --treebank DIR --captions FILE --factual FILE --ewt FILE --plain FILE
        --never GOLD.jsonl … --out EXAMPLES.npz
    python -m tools.parser.distil train EXAMPLES.npz --teacher FOLDER --passes 6 --out FOLDER
    python -m tools.parser.distil average FOLDER FOLDER … --out FOLDER
    python -m tools.parser.distil train EXAMPLES.npz --teacher FOLDER --layers 0 1 3 5 --student --passes 9 --out FOLDER

FOLDER is the folder of a parser (``parser.onnx`` …). Captions without trees have the teacher's probabilities as targets, and
sentences with trees have the trees. With ``--student``, the targets of sentences with trees are the mean of both, because the
teacher was trained on these trees.
In the last 30% of the steps, matrices and their inputs are rounded as in the exported network. The word embeddings are those of the teacher
and do not change. The tool needs torch, transformers and onnx, and uses a GPU if there is one. Its random numbers are seeded.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, one_hot, softmax
from transformers import BertConfig, BertModel

from tools.parser import distil_corpus
from tools.parser.examples import Example, pad_examples
from tools.parser.export import export_parser
from tools.parser.from_onnx import count_layers, load_labels, load_weights
from tools.parser.network import Network, make_schedule, mask_padding
from tools.parser.recipes import SEED, Sources
from tools.parser.rounding import apply_fake_quantization, unrounded_weights

MAX_BATCH_PIECES = 8000  # maximum number of word pieces of a batch
ROUNDED_SHARE = 0.3  # share of the steps, at the end, in which the network is rounded
LEARNING_RATE, HEAD_LEARNING_RATE = 1.5e-4, 5e-4
STUDENT_LEARNING_RATE, STUDENT_HEAD_LEARNING_RATE = 4e-4, 1e-3
TREE_SHARE = 0.5  # share of a tree in a student's targets; the rest are the teacher's probabilities
REPORT_INTERVAL_STEPS = 200  # steps between two lines of the log


class DeviceBatch:
    """A batch on the device. ``has_trees`` is true if all its sentences have trees."""

    def __init__(self, rows: Sequence[Example], has_trees: bool, device: str):
        *self.inputs, self.tags, self.heads, self.relations = (torch.from_numpy(part).to(device) for part in pad_examples(rows))
        self.is_word, self.has_trees = self.heads >= 0, has_trees


def make_batches(rows: Sequence[Example], has_trees: bool, device: str) -> Iterator[DeviceBatch]:
    """Yield batches of sentences of similar length."""
    order = sorted(rows, key=lambda row: (len(row.ids), row.ids))
    while order:
        batch_size = max(1, MAX_BATCH_PIECES // len(order[-1].ids))
        group, order = order[-batch_size:], order[:-batch_size]
        yield DeviceBatch(group, has_trees, device)


def load_network(folder: Path, layers: Sequence[int]) -> Network:
    """Return the network of a parser folder with these layers of its encoder."""
    weights, labels = load_weights(folder), load_labels(folder)
    config = BertConfig(
        hidden_size=384, intermediate_size=1536, num_attention_heads=12, num_hidden_layers=len(layers), attn_implementation="sdpa"
    )
    network = Network(BertModel(config, add_pooling_layer=False), len(labels.tags), len(labels.relations))
    prefix = "encoder.encoder.layer."
    kept_weights = {name: value for name, value in weights.items() if not name.startswith(prefix)}
    for new_layer, old_layer in enumerate(layers):
        kept_weights |= {
            f"{prefix}{new_layer}.{name.split('.', 4)[4]}": value
            for name, value in weights.items()
            if name.startswith(f"{prefix}{old_layer}.")
        }
    network.load_state_dict({name: torch.tensor(value) for name, value in kept_weights.items()})
    return network


# --- loss ----------------------------------------------------------------------------------------------------------


Scores = tuple[Tensor, Tensor, Tensor]  # tags, arcs, relations of the target heads, all of words that are not padding


def compute_scores(network: Network, batch: DeviceBatch, head_indices: Tensor | None) -> tuple[Scores, Tensor]:
    """Return the scores of tags, arcs and relations, and the heads to which the relations belong.

    If ``head_indices`` is None, these are the heads with the highest scores.
    """
    tags, arcs, states = network(*batch.inputs)
    arcs = mask_padding(arcs.float(), batch.is_word)
    head_indices = arcs.argmax(2) if head_indices is None else head_indices
    relations = network.relations(states, head_indices)
    return (tags.float()[batch.is_word], arcs[batch.is_word], relations.float()[batch.is_word]), head_indices


@torch.no_grad()
def compute_targets(teacher: Network, batch: DeviceBatch, gold_weight: float) -> tuple[Scores, Tensor]:
    """Return the target probabilities, and the heads to which the targets of the relations belong.

    If the batch has trees, these are the heads in the trees. Otherwise, they are the heads that the teacher scores highest.
    """
    if not batch.has_trees:
        teacher_scores, head_indices = compute_scores(teacher, batch, None)
        return _to_probabilities(teacher_scores), head_indices
    head_indices = batch.heads.clamp(min=0)
    sizes = teacher.tag.out_features, batch.heads.shape[1] + 1, teacher.relation.out_features
    tags, arcs, relations = (
        one_hot(labels[batch.is_word], label_count).float()
        for labels, label_count in zip((batch.tags, batch.heads, batch.relations), sizes)
    )
    if gold_weight == 1:
        return (tags, arcs, relations), head_indices
    teacher_scores, teacher_weight = _to_probabilities(compute_scores(teacher, batch, head_indices)[0]), 1 - gold_weight
    return (
        gold_weight * tags + teacher_weight * teacher_scores[0],
        gold_weight * arcs + teacher_weight * teacher_scores[1],
        gold_weight * relations + teacher_weight * teacher_scores[2],
    ), head_indices


def _to_probabilities(network_scores: Scores) -> Scores:
    tags, arcs, relations = network_scores
    return softmax(tags, -1), softmax(arcs, -1), softmax(relations, -1)


def compute_loss(network: Network, batch: DeviceBatch, targets: Scores, head_indices: Tensor) -> Tensor:
    """Return the mean loss per word against target probabilities, weighted as in `Network.loss`."""
    (tags, arcs, relations), _ = compute_scores(network, batch, head_indices)
    return cross_entropy(arcs, targets[1]) + cross_entropy(relations, targets[2]) + 0.5 * cross_entropy(tags, targets[0])


# --- training ------------------------------------------------------------------------------------------------------


def train_student(
    network: Network, teacher: Network, batches: Sequence[DeviceBatch], pass_count: int, is_student: bool, device: str
) -> None:
    """Train in ``pass_count`` passes over the batches."""
    rng, share = random.Random(SEED), TREE_SHARE if is_student else 1.0
    plan = [batch for _ in range(pass_count) for batch in rng.sample(batches, len(batches))]
    network.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    encoder = [p for p in network.encoder.parameters() if p.requires_grad]
    other_parameters = [p for name, p in network.named_parameters() if not name.startswith("encoder.")]
    rates = (STUDENT_LEARNING_RATE, STUDENT_HEAD_LEARNING_RATE) if is_student else (LEARNING_RATE, HEAD_LEARNING_RATE)
    optimiser = torch.optim.AdamW(
        [{"params": p, "lr": r} for p, r in zip((encoder, other_parameters), rates)], weight_decay=0.01, fused=device != "cpu"
    )
    rate = make_schedule(optimiser, len(plan))
    start, total = time.time(), torch.zeros((), device=device)
    network.train()
    teacher.eval()
    for step, batch in enumerate(plan, 1):
        if step == int((1 - ROUNDED_SHARE) * len(plan)) + 1:
            apply_fake_quantization(network)
        with torch.autocast(device, torch.bfloat16, enabled=device != "cpu"):
            targets, head_indices = compute_targets(teacher, batch, share)
            value = compute_loss(network, batch, targets, head_indices)
        optimiser.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_([*encoder, *other_parameters], 1.0)
        optimiser.step()
        rate.step()
        total += value.detach()
        if step % REPORT_INTERVAL_STEPS == 0 or step == len(plan):
            print(f"{step}/{len(plan)} steps, {time.time() - start:.0f} s, loss {total.item() / REPORT_INTERVAL_STEPS:.4f}", flush=True)
            total.zero_()


@torch.no_grad()
def evaluate(network: Network, teacher: Network, batches: Sequence[DeviceBatch]) -> dict[str, float]:
    """Return the shares of correct tags, heads, and heads with relations. For captions, the teacher's labels count as correct."""
    network.eval()
    words = tags = right_heads = right_arcs = 0
    for batch in batches:
        (wanted_tags, wanted_arcs, wanted_relations), wanted_heads = compute_targets(teacher, batch, 1.0)
        (by_tag, by_arc, _), _ = compute_scores(network, batch, None)
        (_, _, relation_scores), _ = compute_scores(network, batch, wanted_heads)
        is_right_head = by_arc.argmax(1) == wanted_arcs.argmax(1)
        words += len(is_right_head)
        tags += int((by_tag.argmax(1) == wanted_tags.argmax(1)).sum())
        right_heads += int(is_right_head.sum())
        right_arcs += int((is_right_head & (relation_scores.argmax(1) == wanted_relations.argmax(1))).sum())
    return {name: round(n / words, 4) for name, n in (("tags", tags), ("UAS", right_heads), ("LAS", right_arcs))}


# --- commands ------------------------------------------------------------------------------------------------------


def _run_examples(options: argparse.Namespace) -> None:
    sources = Sources(options.treebank, options.captions, options.factual, options.ewt, options.plain, tuple(options.never))
    corpus = distil_corpus.make_corpus(
        sources, load_labels(options.teacher), options.teacher / "tokenizer.json", grammar_count=options.by_grammar, workers=options.workers
    )
    print({name: len(rows) for name, rows in corpus._asdict().items()}, flush=True)
    distil_corpus.write_examples(corpus, options.out)


def _run_train(options: argparse.Namespace) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(SEED + options.seed)
    corpus, layers = distil_corpus.read_examples(options.examples), count_layers(load_weights(options.teacher))
    teacher = load_network(options.teacher, range(layers)).to(device)
    network = load_network(options.teacher, options.layers or range(layers)).to(device)
    drawn_examples = corpus.grammar[: int(options.share_of_grammar * len(corpus.grammar))]
    parts = [
        *make_batches(corpus.soft, False, device),
        *make_batches(corpus.hard, True, device),
        *make_batches(drawn_examples, True, device),
    ]
    print(f"{len(parts)} batches, {device}", flush=True)
    train_student(network, teacher, parts, options.passes, options.student, device)
    for name, rows, has_trees in (("captions", corpus.held_out_soft, False), ("grammar", corpus.held_out_grammar, True)):
        print(name, json.dumps(evaluate(network, teacher, list(make_batches(rows, has_trees, device)))), flush=True)
    _write_parser({name: tensor.float().cpu().numpy() for name, tensor in unrounded_weights(network).items()}, options.teacher, options)


def _run_average(options: argparse.Namespace) -> None:
    """Average the weights of networks, each trained from the previous one. The average preserves more of the earlier networks than the last network does."""
    network_weights = [load_weights(folder) for folder in options.folders]
    weights = {name: np.mean([weights_[name] for weights_ in network_weights], axis=0) for name in network_weights[0]}
    _write_parser(weights, options.folders[0], options)


def _write_parser(weights: dict[str, np.ndarray], template_folder: Path, options: argparse.Namespace) -> None:
    """Write the weights as a parser folder, with the labels, word pieces and lemmas of ``template_folder``."""
    export_parser(
        weights, load_labels(template_folder), count_layers(weights), template_folder / "tokenizer.json", options.version, options.out
    )
    (options.out / "lemmas.json").write_bytes((template_folder / "lemmas.json").read_bytes())


def main(argv: list[str] | None = None) -> None:
    """Run the command line, which the module's docstring describes."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = argument_parser.add_subparsers(required=True)
    examples_command = commands.add_parser("examples")
    for name in ("treebank", "captions", "factual", "ewt", "plain"):
        examples_command.add_argument(f"--{name}", type=Path, required=True)
    examples_command.add_argument("--never", type=Path, nargs="+", required=True)
    examples_command.add_argument("--by-grammar", type=int, default=48_000)
    examples_command.add_argument("--workers", type=int, default=2)
    examples_command.set_defaults(run=_run_examples)
    train_command = commands.add_parser("train")
    train_command.add_argument("examples", type=Path)
    train_command.add_argument("--layers", type=int, nargs="+")
    train_command.add_argument("--student", action="store_true")
    train_command.add_argument("--passes", type=int, required=True)
    train_command.add_argument("--share-of-grammar", type=float, default=1.0)
    train_command.add_argument("--seed", type=int, default=0)
    train_command.set_defaults(run=_run_train)
    average = commands.add_parser("average")
    average.add_argument("folders", type=Path, nargs="+")
    average.set_defaults(run=_run_average)
    for command in (examples_command, train_command, average):
        command.add_argument("--out", type=Path, required=True)
        command.add_argument("--version", default="2.2.0")
    for command in (examples_command, train_command):
        command.add_argument("--teacher", type=Path, required=True)
    options = argument_parser.parse_args(argv)
    options.run(options)


if __name__ == "__main__":
    main()
