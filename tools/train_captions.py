"""Train the map that turns the encoder's vector of a caption towards the image it describes.

    python -m tools.train_captions COCO TEACHER

COCO holds images with five captions each (JSON lines, may be gzipped, field ``captions``); TEACHER is a folder of a larger sentence encoder
(all-mpnet-base-v2, Apache 2.0). Needs torch, sentence-transformers and scikit-learn.

The likeness of two images is computed from all their captions: by the teacher, by the encoder itself, and by words weighted
by rarity, each standardised, then averaged. From one caption of an image and four of another, the trained similarity has to
predict this likeness, and which image the caption describes. Output: ``models/captions.npy`` (384, 384).
"""

from __future__ import annotations

import gzip
import json
import sys

import numpy as np

from spice_core.metrics.soft.encoder import Encoder
from spice_core.metrics.soft.weights import CAPTIONS

HELD_OUT = 484  # images held out of the first training, for evaluation
STEPS, IMAGES, RATE = 400, 256, 3e-4
TEMPERATURE = 0.05
ALIKE = 0.5  # temperature of the images' likeness, and its weight relative to identity
FOLLOWS = 5  # weight of predicting likeness relative to identifying the image


def vectors(groups: list[list[str]], encode) -> np.ndarray:
    """Unit vectors of all captions: (images, captions, width)."""
    flat = np.stack(encode([caption for group in groups for caption in group]))
    return flat.reshape(len(groups), -1, flat.shape[-1])


def likeness(groups: list[list[str]], *views: np.ndarray) -> np.ndarray:
    """Likeness of images from all their captions: (images, images), standardised; the diagonal equals the largest value."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    weighed = TfidfVectorizer(sublinear_tf=True).fit_transform(" ".join(group) for group in groups)
    found = [(weighed @ weighed.T).toarray()]
    for view in views:
        centre = view.mean(axis=1)
        centre /= np.linalg.norm(centre, axis=1, keepdims=True)
        found.append(centre @ centre.T)
    others = ~np.eye(len(groups), dtype=bool)
    mean = np.mean([(f - f[others].mean()) / f[others].std() for f in found], axis=0)
    np.fill_diagonal(mean, mean[others].max())
    return mean.astype(np.float32)


def scores(captions, chosen):
    """Similarity of one caption of each image (rows) to the other four of each image (columns), averaged over mean and best."""
    import torch

    rows = torch.arange(len(captions))
    others = torch.stack([(chosen + k) % captions.shape[1] for k in range(1, captions.shape[1])], 1)
    near = torch.einsum("id,jkd->ijk", captions[rows, chosen], captions[rows[:, None], others])
    return (near.mean(2) + near.max(2).values) / 2


def train(captions: np.ndarray, alike: np.ndarray, seed: int = 0) -> np.ndarray:
    """Train the map (384, 384), initialised with the identity."""
    import torch
    from torch.nn.functional import log_softmax, normalize, softmax

    rng, given, target = np.random.default_rng(seed), torch.tensor(captions), torch.tensor(alike)
    weight = torch.eye(captions.shape[-1], requires_grad=True)
    optimiser = torch.optim.Adam([weight], RATE)
    for _ in range(STEPS):
        batch = torch.tensor(rng.choice(len(captions), IMAGES, replace=False))
        found = scores(normalize(given[batch] @ weight.T, dim=-1), torch.tensor(rng.integers(0, captions.shape[1], IMAGES)))
        wanted = target[batch][:, batch]
        share = (1 - ALIKE) * torch.eye(IMAGES) + ALIKE * softmax(wanted / ALIKE, 1)
        told = -(share * log_softmax(found / TEMPERATURE, 1) + share.T * log_softmax(found.T / TEMPERATURE, 1)).sum(1).mean() / 2
        a, b = found - found.mean(), wanted - wanted.mean()
        loss = told + FOLLOWS * (1 - (a * b).sum() / ((a * a).sum() * (b * b).sum()).sqrt())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return weight.detach().numpy()


def report(weight: np.ndarray, captions: np.ndarray, alike: np.ndarray) -> str:
    """On held-out images: correlation with likeness, and how often a caption is closer to its image than to the most similar one."""
    import torch
    from torch.nn.functional import normalize

    turned = normalize(torch.tensor(captions) @ torch.tensor(weight).T, dim=-1)
    found = scores(turned, torch.zeros(len(captions), dtype=torch.long)).numpy()
    others = ~np.eye(len(found), dtype=bool)
    nearest = np.where(others, alike, -np.inf).argmax(axis=0)
    won = found.diagonal() > found[nearest, np.arange(len(found))]
    return f"correlation {np.corrcoef(found[others], alike[others])[0, 1]:.3f}, nearer to its own image {won.mean():.3f}"


def main(coco: str, teacher: str) -> None:
    """Train without the held-out images, print the evaluation, then train on all images and write the map."""
    from sentence_transformers import SentenceTransformer

    with gzip.open(coco, "rt", encoding="utf-8") if coco.endswith(".gz") else open(coco, encoding="utf-8") as lines:
        groups = [json.loads(line)["captions"][:5] for line in lines]
    groups = [groups[i] for i in np.random.default_rng(7).permutation(len(groups))]
    encoder, large = Encoder(), SentenceTransformer(teacher, device="cpu")
    own = vectors(groups, lambda texts: [e.whole for e in encoder(texts)])
    other = vectors(groups, lambda texts: list(large.encode(texts, batch_size=64, normalize_embeddings=True)))
    parts = slice(HELD_OUT, None), slice(HELD_OUT)
    alike = [likeness(groups[part], own[part], other[part]) for part in parts]
    weight = train(own[parts[0]], alike[0])
    for name, each in (("as it was", np.eye(len(weight), dtype=np.float32)), ("trained", weight)):
        print(f"{name}: {report(each, own[parts[1]], alike[1])}")
    np.save(CAPTIONS, train(own, likeness(groups, own, other)).astype(np.float16))


if __name__ == "__main__":
    main(*sys.argv[1:3])
