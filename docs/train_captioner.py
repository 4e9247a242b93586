"""Train a toy captioner with SPICE as its reward: self-critical training, then GRPO. Run: python docs/train_captioner.py [WORKERS]

The captioner fills four slots. For each image and slot, it samples one of three words from a softmax.
"""

import sys

import numpy as np

from spice_core.evaluation.rewards import Rewards

REFERENCES = {
    "sofa": ["A brown dog lies on a couch.", "Two dogs on a sofa, one of them brown."],
    "wave": ["A man is riding a wave on a surfboard.", "A tall man rides a big wave."],
}
WORDS = [["a brown", "a tall", "a red"], ["dog", "man", "bus"], ["on", "riding", "near"], ["a sofa", "a wave", "a street"]]
SAMPLES = 8  # per image and step


class ToyCaptioner:
    """A policy with one softmax for each image and slot."""

    def __init__(self, images, seed=0):
        self.logits = {image: np.zeros((len(WORDS), 3)) for image in images}
        self.rng = np.random.default_rng(seed)

    def probabilities(self, image):
        exponentials = np.exp(self.logits[image])
        return exponentials / exponentials.sum(axis=1, keepdims=True)

    def sample(self, image):
        return np.array([self.rng.choice(3, p=row) for row in self.probabilities(image)])

    def greedy(self, image):
        return self.logits[image].argmax(axis=1)

    def update(self, image, choices, advantage, rate=0.5):
        """Take a step along the gradient of the log-probability of the choices, weighted by their advantage."""
        self.logits[image] += rate * advantage * (np.eye(3)[choices] - self.probabilities(image)) / SAMPLES


def caption(choices):
    return " ".join(words[choice] for words, choice in zip(WORDS, choices))


def self_critical(sampled, greedy):
    """Advantage: the reward of a sample minus the reward of the greedy caption (Rennie et al., CVPR 2017)."""
    return sampled - greedy


def group_relative(sampled, greedy):
    """Advantage: the reward of a sample, standardised among the samples of its image (GRPO, Shao et al. 2024)."""
    return (sampled - sampled.mean()) / (sampled.std() + 1e-4)


def train(rewards, advantages, steps=60):
    """Train a captioner and return the mean reward of its greedy captions before each step."""
    captioner, curve = ToyCaptioner(REFERENCES), []
    for _ in range(steps):
        drawn = {image: [captioner.greedy(image), *(captioner.sample(image) for _ in range(SAMPLES))] for image in REFERENCES}
        ids = [image for image, group in drawn.items() for _ in group]
        scores = rewards.scores(ids, [caption(choices) for group in drawn.values() for choices in group])  # all in one call
        scores = dict(zip(drawn, np.reshape(scores, (len(drawn), -1))))
        curve.append(np.mean([scores[image][0] for image in drawn]))
        for image, (_, *samples) in drawn.items():
            for choices, advantage in zip(samples, advantages(scores[image][1:], scores[image][0])):
                captioner.update(image, choices, advantage)
    return curve


if __name__ == "__main__":
    with Rewards(REFERENCES, workers=int(sys.argv[1]) if len(sys.argv) > 1 else 1) as rewards:
        for method in (self_critical, group_relative):
            curve = train(rewards, method)
            print(f"{method.__name__}: {curve[0]:.2f} before training, {curve[-1]:.2f} after")
