"""SPICE as a reward function of TRL's trainers, such as GRPOTrainer. The module imports neither TRL nor torch.

from spice_core.adapters.trl import SpiceReward

trainer = GRPOTrainer(model, reward_funcs=SpiceReward("captions"), train_dataset=dataset)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spice_core.errors import InputError, Message
from spice_core.evaluation.rewards import Rewards

Completion = str | Sequence[Mapping[str, Any]]  # a text, or a chat


class SpiceReward:
    """A reward function ``f(prompts, completions, **columns)``: each completion's F1 against the references in a column.

    The column of the data set holds a list of references in each row. A completion is a text or a chat. Only the last
    message of a chat is scored. Trainers log the rewards under ``__name__``.

    >>> reward = SpiceReward()
    >>> chat = [{"role": "assistant", "content": "a dog on a sofa"}]
    >>> reward(["Describe the image."], [chat], references=[["a brown dog lies on a couch"]])
    [0.5]
    """

    def __init__(self, column: str = "references", *, rewards: Rewards | None = None):
        """``rewards`` determines the metric, the cache and the workers. By default, captions are English and are parsed in this process."""
        self.__name__ = "spice"
        self.column, self.rewards = column, rewards or Rewards()

    def __call__(self, prompts: object, completions: Sequence[Completion], **columns: Any) -> list[float]:
        """Return the reward of each completion, in order.

        Args:
            prompts: ignored; trainers pass them.
            completions: the samples of the model.
            columns: the other columns of the data set, each with a value for every completion. All columns except ``column`` are ignored.

        Raises:
            InputError: the column is missing, has no references for a completion, or a completion is neither a text nor a chat with text.
        """
        if self.column not in columns:
            raise InputError("columns", sorted(columns), Message("expected.reward_column", column=self.column))
        texts = [_completion_text(completion, f"completions[{n}]") for n, completion in enumerate(completions)]
        return self.rewards.scores_against(columns[self.column], texts)


def _completion_text(completion: object, where: str) -> str:
    """Return the text of a completion: for a chat, the text of its last message."""
    if isinstance(completion, str):
        return completion
    message = completion[-1] if isinstance(completion, Sequence) and completion else None
    content = message.get("content") if isinstance(message, Mapping) else None
    if isinstance(content, str):
        return content
    parts = [_part_text(part) for part in content] if isinstance(content, Sequence) else []
    if not parts or None in parts:
        raise InputError(where, completion, Message("expected.completion"))
    return "".join(filter(None, parts))


def _part_text(message_part: object) -> str | None:
    """Return the text of a part of a message, or None if the part has no text."""
    text = message_part.get("text") if isinstance(message_part, Mapping) else None
    return text if isinstance(text, str) else None
