"""Rewards: the scores of ``Spice.compute``, references parsed once and kept, bad input named."""

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest

from spice_core import Spice
from spice_core.errors import InputError
from spice_core.evaluation.rewards import Rewards

pytestmark = pytest.mark.parser
REFERENCES = {
    "sofa": ["A brown dog lies on a couch.", "Two dogs, one of them brown, on a sofa."],
    7: ["A man is riding a wave on a surfboard. His board is yellow."],
}
ASKED = [
    (7, "A man on a surf board."),
    ("sofa", "a dog on a sofa"),
    ("sofa", ""),
    (7, "A man riding a yellow board"),
    ("sofa", "a dog on a sofa"),
]


class Counted:
    """A parser that counts what it reads."""

    def __init__(self, parser):
        self.parser, self.signature, self.read = parser, parser.signature, Counter[str]()

    def parse(self, captions: Iterable[str]):
        captions = list(captions)
        self.read.update(captions)
        return self.parser.parse(captions)


@pytest.fixture(scope="module")
def spice() -> Spice:
    return Spice()


@pytest.fixture
def counted(spice: Spice) -> Spice:
    return Spice(parser=Counted(spice.parser), rules=spice.rules)


def scores(rewards: Rewards) -> list[float]:
    return rewards.scores(*zip(*ASKED))


def test_rewards_are_the_scores_of_the_metric_and_bad_input_is_named(spice: Spice):
    assert scores(Rewards(REFERENCES, spice=spice)) == [spice.compute(text, REFERENCES[image]).f1 for image, text in ASKED]
    for references, ids, candidates, where in [
        ({1: ["a dog"]}, [1, 1], ["a dog"], "candidates"),
        ({1: ["a dog"]}, [1], "a", "candidates"),
        ({1: ["a dog"]}, [2], ["a dog"], "references[2]"),
        ({1: []}, [1], ["a dog"], "references[1]"),
        ({"1": "a dog"}, ["1"], ["a dog"], "references['1']"),
        ({1: [["dog"]]}, [1], ["a dog"], "references[1]"),
        ({1: ["a dog"]}, [1], [None], "candidates[0]: found None, expected a caption"),
        ({1: None}, [1], ["a dog"], "references[1]"),
        ({1: np.array([])}, [1], ["a dog"], "references[1]"),
    ]:
        with pytest.raises(InputError) as found:
            Rewards(references, spice=spice).scores(ids, candidates)
        assert where in str(found.value)
    assert Rewards({1: np.array(["a dog", "a cat"])}, spice=spice).scores([1], ["a dog"]) == [spice.compute("a dog", ["a dog", "a cat"]).f1]


def test_references_are_parsed_once_and_stay_in_the_file(counted: Spice, tmp_path):
    rewards = Rewards(REFERENCES, spice=counted)
    first, again = scores(rewards), scores(rewards)
    read = counted.parser.read
    assert first == again and {read[text] for texts in REFERENCES.values() for text in texts} == {1} and read["a dog on a sofa"] == 2
    first = Rewards(REFERENCES, spice=counted, cache=tmp_path / "parses.db")
    wanted = scores(first)
    first.close()
    counted.parser.read.clear()
    later = Rewards(REFERENCES, spice=counted, cache=tmp_path / "parses.db")
    assert scores(later) == wanted and not {text for texts in REFERENCES.values() for text in texts} & set(counted.parser.read)
    later.close()
