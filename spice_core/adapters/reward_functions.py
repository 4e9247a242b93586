"""SPICE as a reward function of verl and OpenRLHF, which load this file by its path. The module imports neither of them.

python -c "import spice_core.adapters.reward_functions as module; print(module.__file__)"  # the path for their options
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from spice_core.errors import InputError, Message, require_module
from spice_core.evaluation.rewards import Rewards


@cache
def default_rewards() -> Rewards:
    """Return the rewards of this process for English captions, which it parses itself."""
    return Rewards()


def compute_score(data_source: object, solution_str: str, ground_truth: object, extra_info: object = None, **_: Any) -> float:
    """Return the F1 of one answer, with the signature of verl's ``custom_reward_function``. Only two arguments matter.

    >>> compute_score("coco", "<think>A cat?</think>a dog on a sofa", ["a brown dog lies on a couch"])
    0.5
    """
    return compute_scores([data_source], [solution_str], [ground_truth])[0]


def compute_scores(
    data_sources: object, solution_strs: Sequence[str], ground_truths: Sequence[object], extra_infos: object = None, **_: Any
) -> list[float]:
    """Return the F1 of each answer of a batch, with the signature of verl's reward manager ``batch``."""
    return default_rewards().scores_against([references_of(truth) for truth in ground_truths], solution_strs)


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[object], **_: Any) -> dict[str, Any]:
    """Return the rewards of a batch as tensors, with the signature of OpenRLHF's ``--remote_rm_url FILE.py``.

    A query is a prompt followed by the answer, and a label holds the references.
    """
    torch = require_module("torch", "pip install torch")
    scores = torch.tensor(default_rewards().scores_against([references_of(label) for label in labels], answers_of(queries, prompts)))
    return {"rewards": scores, "scores": scores, "extra_logs": {"spice": scores}}


def answers_of(queries: Sequence[str], prompts: Sequence[str] | None) -> list[str]:
    """Return the queries without their prompts."""
    return [query.removeprefix(prompt) for query, prompt in zip(queries, prompts, strict=True)] if prompts else [*queries]


def references_of(label: object) -> list[str]:
    """Return the references in a label or ground truth: a list of captions, a list written as JSON, or a caption.

    Raises InputError for other values.

    >>> references_of('["a dog", "a pup"]'), references_of("a dog")
    (['a dog', 'a pup'], ['a dog'])
    """
    value = label
    if isinstance(label, str) and label.lstrip().startswith("["):
        with suppress(ValueError, RecursionError):
            value = json.loads(label)
    captions = [value] if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []
    if not captions or not all(isinstance(caption, str) for caption in captions):
        raise InputError("references", label, Message("expected.captions"))
    return captions
