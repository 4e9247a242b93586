"""Passages of long captions for soft matching.

Long captions are encoded sentence by sentence, because one wrong word hardly changes the vector of a hundred words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spice_core.scene.propositions import Parse

if TYPE_CHECKING:
    import numpy as np

_MAX_SHORT_CAPTION_CHARS = 200  # the longest caption of Flickr8k has 154 characters


def passage_text(parse: Parse) -> str:
    """Return the caption text to which its tokens' offsets refer."""
    return parse.document.text if parse.document else " ".join(parse.caption.split())


def split_passages(parse: Parse) -> tuple[str, ...]:
    """Return the sentences of a long caption, or the full text of a short caption or a single sentence."""
    text = passage_text(parse)
    return parse.sentences if len(parse.sentences) > 1 and len(text) > _MAX_SHORT_CAPTION_CHARS else (text,)


def passage_of_sentence(parse: Parse, sentence: int) -> tuple[str, int]:
    """Return the passage that contains a sentence, with its offset in the text."""
    passages = split_passages(parse)
    if len(passages) == 1 or parse.document is None:
        return passages[sentence if len(passages) > 1 else 0], 0
    return passages[sentence], parse.document.text_offsets(parse.sentences)[sentence]


def passage_similarity(similarities: np.ndarray, lengths: tuple[Sequence[int], Sequence[int]]) -> float:
    """Return the similarity of two captions from the similarities of their passages.

    Each passage is compared with the nearest passage of the other caption. The result is the mean of both directions, in which passages are
    weighted by length.
    """
    import numpy as np

    if similarities.size == 1:
        return float(similarities[0, 0])
    first_lengths, second_lengths = (np.array(side, float) for side in lengths)
    forward, backward = (
        similarities.max(axis=1) @ first_lengths / first_lengths.sum(),
        similarities.max(axis=0) @ second_lengths / second_lengths.sum(),
    )
    return float(forward + backward) / 2
