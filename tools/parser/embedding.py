"""Token embedding of the pipeline ``spice-2016``: spaCy's hashed features, plus the writing style of the caption.

The original SPICE's parser reads "a man riding a horse" differently with a full stop at its end and a capital at its
beginning. A convolution does not reach that far, so every token contains this information.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy
from spacy.attrs import intify_attr
from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import HashEmbed, Maxout, Model, chain, concatenate, list2ragged, ragged2list, with_array
from thinc.types import Floats2d, Ints2d


@registry.architectures("spice_core.CaptionEmbed.v1")
def caption_embed(width: int, attrs: list[str], rows: list[int], style_rows: int = 50) -> Model[list[Doc], list[Floats2d]]:
    """Return spaCy's MultiHashEmbed without vectors, with a column added for the caption's style (end mark, capital)."""
    columns = [(rows_, i) for i, rows_ in enumerate([*rows, style_rows])]
    embeddings: list[Model[Ints2d, Floats2d]] = [HashEmbed(width, rows_, column=i, seed=7 + i, dropout=0.0) for rows_, i in columns]
    mix = Maxout(width, width * len(columns), nP=3, dropout=0.0, normalize=True)
    return chain(_feature_model(attrs), list2ragged(), with_array(concatenate(*embeddings)), with_array(mix), ragged2list())


def caption_style(doc: Doc) -> int:
    """Return the style of the caption: bit 0 is set if the caption ends with an end mark, bit 1 if it begins with a capital."""
    return (doc[-1].text[-1] in ".!?") + 2 * doc[0].text[0].isupper() if len(doc) else 0


def _feature_model(attrs: list[str]) -> Model[list[Doc], list[Ints2d]]:
    return Model("caption_features", _forward, attrs={"columns": [intify_attr(a) for a in attrs]})


def _forward(
    model: Model[list[Doc], list[Ints2d]], docs: list[Doc], is_train: bool
) -> tuple[list[Ints2d], Callable[[list[Ints2d]], list[Doc]]]:
    columns = model.attrs["columns"]
    vectors_out = []
    for doc in docs:
        features = doc.to_array(columns).reshape(len(doc), len(columns))
        styles = numpy.full((len(doc), 1), caption_style(doc), "uint64")
        vectors_out.append(cast(Ints2d, numpy.hstack([features, styles])))
    return vectors_out, lambda gradients: []
