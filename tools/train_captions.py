"""Train a linear map of the encoder's caption vectors, so that they predict which captions describe the same or similar images.

    python -m tools.train_captions COCO TEACHER

COCO is a file of images with five captions each (JSON lines with a field ``captions``, optionally gzipped). TEACHER is the folder of a
larger sentence encoder (all-mpnet-base-v2, Apache 2.0). The tool needs torch, sentence-transformers and scikit-learn.

The likeness of two images is the mean of three standardised similarities of their captions: by the teacher, by the encoder, and by
TF-IDF. The map is trained to predict, from one caption of an image and four captions of another, this likeness and whether the images
are the same. Output: ``models/captions.npy`` (384, 384).
"""

from __future__ import annotations

import gzip
import json
import sys

import numpy as np

from spice_core.metrics.soft.encoder import Encoder
from spice_core.metrics.soft.weights import CAPTION_MAP_PATH

HELD_OUT_IMAGE_COUNT = 484  # excluded from the first training, for evaluation
TRAINING_STEPS, BATCH_IMAGES, LEARNING_RATE = 400, 256, 3e-4
TEMPERATURE = 0.05
LIKENESS_WEIGHT = 0.5  # both the temperature of the likeness and its weight relative to identity
PREDICTION_WEIGHT = 5  # weight of predicting similarity relative to identifying the image


def encode_groups(groups: list[list[str]], encode) -> np.ndarray:
    """Return unit vectors of all captions: (images, captions, width)."""
    flat = np.stack(encode([caption for group in groups for caption in group]))
    return flat.reshape(len(groups), -1, flat.shape[-1])


def likeness(groups: list[list[str]], *caption_vectors: np.ndarray) -> np.ndarray:
    """Return the standardised likeness of images by their captions (images, images), with the maximum on the diagonal."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    tfidf = TfidfVectorizer(sublinear_tf=True).fit_transform(" ".join(group) for group in groups)
    similarities = [(tfidf @ tfidf.T).toarray()]
    for vectors in caption_vectors:
        centre = vectors.mean(axis=1)
        centre /= np.linalg.norm(centre, axis=1, keepdims=True)
        similarities.append(centre @ centre.T)
    is_other = ~np.eye(len(groups), dtype=bool)
    mean = np.mean([(f - f[is_other].mean()) / f[is_other].std() for f in similarities], axis=0)
    np.fill_diagonal(mean, mean[is_other].max())
    return mean.astype(np.float32)


def image_similarities(captions, caption_numbers):
    """Return the similarity of one caption per image (rows) to the other captions of each image (columns).

    The similarity is the average of the mean and the maximum over these captions.
    """
    import torch

    rows = torch.arange(len(captions))
    is_other = torch.stack([(caption_numbers + k) % captions.shape[1] for k in range(1, captions.shape[1])], 1)
    neighbours = torch.einsum("id,jkd->ijk", captions[rows, caption_numbers], captions[rows[:, None], is_other])
    return (neighbours.mean(2) + neighbours.max(2).values) / 2


def train_map(captions: np.ndarray, likeness_: np.ndarray, seed: int = 0) -> np.ndarray:
    """Train the map (384, 384), initialised with the identity."""
    import torch
    from torch.nn.functional import log_softmax, normalize, softmax

    rng, inputs, target = np.random.default_rng(seed), torch.tensor(captions), torch.tensor(likeness_)
    weight = torch.eye(captions.shape[-1], requires_grad=True)
    optimiser = torch.optim.Adam([weight], LEARNING_RATE)
    for _ in range(TRAINING_STEPS):
        batch = torch.tensor(rng.choice(len(captions), BATCH_IMAGES, replace=False))
        predicted_likeness = image_similarities(
            normalize(inputs[batch] @ weight.T, dim=-1), torch.tensor(rng.integers(0, captions.shape[1], BATCH_IMAGES))
        )
        target_likeness = target[batch][:, batch]
        share = (1 - LIKENESS_WEIGHT) * torch.eye(BATCH_IMAGES) + LIKENESS_WEIGHT * softmax(target_likeness / LIKENESS_WEIGHT, 1)
        identity_loss = (
            -(share * log_softmax(predicted_likeness / TEMPERATURE, 1) + share.T * log_softmax(predicted_likeness.T / TEMPERATURE, 1))
            .sum(1)
            .mean()
            / 2
        )
        a, b = predicted_likeness - predicted_likeness.mean(), target_likeness - target_likeness.mean()
        loss = identity_loss + PREDICTION_WEIGHT * (1 - (a * b).sum() / ((a * a).sum() * (b * b).sum()).sqrt())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return weight.detach().numpy()


def evaluation_line(weight: np.ndarray, captions: np.ndarray, likeness_: np.ndarray) -> str:
    """Return the correlation with the likeness, and the share of images nearest to their own first caption."""
    import torch
    from torch.nn.functional import normalize

    mapped_vectors = normalize(torch.tensor(captions) @ torch.tensor(weight).T, dim=-1)
    predicted_likeness = image_similarities(mapped_vectors, torch.zeros(len(captions), dtype=torch.long)).numpy()
    is_other = ~np.eye(len(predicted_likeness), dtype=bool)
    nearest = np.where(is_other, likeness_, -np.inf).argmax(axis=0)
    is_nearest = predicted_likeness.diagonal() > predicted_likeness[nearest, np.arange(len(predicted_likeness))]
    return f"correlation {np.corrcoef(predicted_likeness[is_other], likeness_[is_other])[0, 1]:.3f}, nearer to its own image {is_nearest.mean():.3f}"


def main(coco: str, teacher: str) -> None:
    """Train without the held-out images, print the evaluation, then train on all images and write the map."""
    from sentence_transformers import SentenceTransformer

    with gzip.open(coco, "rt", encoding="utf-8") if coco.endswith(".gz") else open(coco, encoding="utf-8") as lines:
        groups = [json.loads(line)["captions"][:5] for line in lines]
    groups = [groups[i] for i in np.random.default_rng(7).permutation(len(groups))]
    encoder, large_model = Encoder(), SentenceTransformer(teacher, device="cpu")
    vectors = encode_groups(groups, lambda texts: [e.text_vector for e in encoder(texts)])
    teacher_vectors = encode_groups(groups, lambda texts: list(large_model.encode(texts, batch_size=64, normalize_embeddings=True)))
    parts = slice(HELD_OUT_IMAGE_COUNT, None), slice(HELD_OUT_IMAGE_COUNT)
    likeness_ = [likeness(groups[part], vectors[part], teacher_vectors[part]) for part in parts]
    weight = train_map(vectors[parts[0]], likeness_[0])
    for name, matrix in (("without training", np.eye(len(weight), dtype=np.float32)), ("trained", weight)):
        print(f"{name}: {evaluation_line(matrix, vectors[parts[1]], likeness_[1])}")
    np.save(CAPTION_MAP_PATH, train_map(vectors, likeness(groups, vectors, teacher_vectors)).astype(np.float16))


if __name__ == "__main__":
    main(*sys.argv[1:3])
