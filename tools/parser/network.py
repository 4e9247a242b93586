"""The network of the encoder parser: MiniLM with heads for tags, arcs (biaffine) and relations. The module needs torch and transformers."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR
from transformers import BertConfig, BertModel

from spice_core.lang.en.parsers.word_tokens import SHAPE_COUNT

STATE_WIDTH, SHAPE_WIDTH = 384, 16
ARC_WIDTH, RELATION_WIDTH = 256, 192
DROPOUT_RATE = 0.2
WARM_UP_SHARE = 0.06  # share of the steps
_EXCLUDED_SCORE = -1e4


class Network(nn.Module):
    """A network that scores the tags of each word, the arcs between words and heads (or the root), and the arcs' relations.

    The states of [CLS] and of each word's first piece stand for the root and the words.
    """

    def __init__(self, encoder: BertModel, tags: int, relations: int):
        super().__init__()
        self.encoder = encoder
        self.shape = nn.Embedding(SHAPE_COUNT, SHAPE_WIDTH)
        width = STATE_WIDTH + SHAPE_WIDTH
        self.drop = nn.Dropout(DROPOUT_RATE)
        self.arc_dependent, self.arc_head = nn.Linear(width, ARC_WIDTH), nn.Linear(width, ARC_WIDTH)
        self.arc = nn.Linear(ARC_WIDTH + 1, ARC_WIDTH, bias=False)
        self.relation_dependent, self.relation_head = nn.Linear(width, RELATION_WIDTH), nn.Linear(width, RELATION_WIDTH, bias=False)
        self.relation = nn.Linear(RELATION_WIDTH, relations)
        self.tag_hidden, self.tag = nn.Linear(width, ARC_WIDTH), nn.Linear(ARC_WIDTH, tags)

    def states(self, ids: Tensor, mask: Tensor, first_pieces: Tensor, shapes: Tensor) -> Tensor:
        """Return the states of root and words: (sentences, 1 + words, width)."""
        pieces = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        places = torch.cat([torch.zeros_like(first_pieces[:, :1]), first_pieces], 1)
        words = pieces.gather(1, places[:, :, None].expand(-1, -1, STATE_WIDTH))
        shape = self.shape(torch.cat([torch.zeros_like(shapes[:, :1]), shapes], 1))
        return self.drop(torch.cat([words, shape], 2))

    def forward(self, ids: Tensor, mask: Tensor, first_pieces: Tensor, shapes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the scores of tags (sentences, words, tags) and of arcs (sentences, words, 1 + words), and the states."""
        states = self.states(ids, mask, first_pieces, shapes)
        words = states[:, 1:]
        activation = nn.functional.gelu
        tags = self.tag(self.drop(activation(self.tag_hidden(words))))
        dependent, head = self.drop(activation(self.arc_dependent(words))), self.drop(activation(self.arc_head(states)))
        dependent = torch.cat([dependent, torch.ones_like(dependent[:, :, :1])], 2)
        return tags, self.arc(dependent) @ head.transpose(1, 2), states

    def relations(self, states: Tensor, head_indices: Tensor) -> Tensor:
        """Return the scores of the relations of the arcs from these heads: (sentences, words, relations)."""
        head = self.relation_head(states).gather(1, head_indices[:, :, None].expand(-1, -1, RELATION_WIDTH))
        return self.relation(self.drop(nn.functional.gelu(self.relation_dependent(states[:, 1:]) + head)))

    def loss(
        self, ids: Tensor, mask: Tensor, first_pieces: Tensor, shapes: Tensor, tags: Tensor, head_indices: Tensor, relations: Tensor
    ) -> Tensor:
        """Return the mean loss per word: of arc and relation to the gold head, plus half of that of the tag."""
        by_tag, by_arc, states = self(ids, mask, first_pieces, shapes)
        is_word = head_indices >= 0
        by_arc = mask_padding(by_arc.float(), is_word)
        by_relation = self.relations(states, head_indices.clamp(min=0))
        return (
            cross_entropy(by_arc[is_word], head_indices[is_word])
            + cross_entropy(by_relation[is_word].float(), relations[is_word])
            + 0.5 * cross_entropy(by_tag[is_word].float(), tags[is_word])
        )


def mask_padding(arcs: Tensor, is_real_word: Tensor) -> Tensor:
    """Return arc scores (sentences, words, 1 + words) without padding as heads. ``is_real_word`` is False for padding."""
    return arcs.masked_fill(~torch.cat([torch.ones_like(is_real_word[:, :1]), is_real_word], 1)[:, None, :], _EXCLUDED_SCORE)


def make_schedule(optimiser: Optimizer, steps: int) -> LambdaLR:
    """Return a schedule of the learning rate over ``steps`` steps: a warm-up, then a linear decay."""
    warm_up_steps = math.ceil(WARM_UP_SHARE * steps)
    return LambdaLR(optimiser, lambda n: min((n + 1) / warm_up_steps, (steps - n) / (steps - warm_up_steps)))


def load_encoder(folder: str, layers: int) -> BertModel:
    """Return the first layers of the encoder in this folder."""
    config = BertConfig.from_pretrained(folder, num_hidden_layers=layers, attn_implementation="sdpa")
    return BertModel.from_pretrained(folder, config=config, add_pooling_layer=False)
