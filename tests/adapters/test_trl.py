"""Test SPICE as a reward function of TRL's trainers, called as GRPOTrainer calls it, without TRL or torch."""

import pytest

from spice_core import Spice
from spice_core.adapters.trl import SpiceReward
from spice_core.errors import InputError
from spice_core.evaluation.rewards import Rewards

REFERENCES = [["A brown dog lies on a couch."], ["A brown dog lies on a couch."], ["A man rides a wave."]]
COMPLETIONS = ["a dog on a sofa", "a brown dog", "a man on a wave"]
USER_MESSAGE = {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "Describe the image."}]}
COMPLETION_FORMATS = {
    "texts": lambda text: text,
    "chats": lambda text: [{"role": "assistant", "content": text}],
    "chats in parts": lambda text: [
        {"role": "assistant", "content": [{"type": "text", "text": text[:4]}, {"type": "text", "text": text[4:]}]}
    ],
    "chats with a tool": lambda text: [
        {"role": "assistant", "content": None},
        {"role": "tool", "content": "zoom"},
        {"role": "assistant", "content": text},
    ],
}


@pytest.mark.parametrize("shape", COMPLETION_FORMATS)
def test_completions_are_scored_against_the_references_of_their_row(shape):
    completions = list(map(COMPLETION_FORMATS[shape], COMPLETIONS))
    other_columns = {"completion_ids": [[1]] * 3, "trainer_state": object(), "image": [None] * 3}
    for reward, columns in ((SpiceReward(), {"references": REFERENCES}), (SpiceReward("captions"), {"captions": REFERENCES})):
        rewards = reward(prompts=[[USER_MESSAGE]] * 3, completions=completions, **columns, **other_columns)
        assert rewards == [Spice().compute(text, references).f1 for text, references in zip(COMPLETIONS, REFERENCES)]
        assert reward.__name__ == "spice"


DOG_COLUMN = {"references": [["a dog"]]}


@pytest.mark.parametrize(
    ("completion", "columns", "message"),
    [
        ("a dog", {"captions": [["a dog"]], "image": [1]}, "columns: found ['captions', 'image'], expected a column 'references' of"),
        ("a dog", {"references": ["a dog"]}, "references[0]: found 'a dog', expected a list of at least one caption"),
        ("a dog", {"references": [["a dog"], ["a cat"]]}, "references: found 2 lists, expected 1 list of references"),
        (["a dog"], DOG_COLUMN, "completions[0]: found ['a dog'], expected a text, or a chat whose last message is a text"),
        ([], DOG_COLUMN, "completions[0]: found [], expected a text"),
        ([{"role": "assistant", "content": [{"type": "image"}]}], DOG_COLUMN, "completions[0]: found"),
    ],
)
def test_missing_arguments_are_reported(completion, columns, message):
    with pytest.raises(InputError) as error_info:
        SpiceReward(rewards=Rewards())(["Describe it."], [completion], **columns)
    assert message in str(error_info.value)
