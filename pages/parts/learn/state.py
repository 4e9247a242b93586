"""State of the Learn page during a visit, besides the values of its widgets."""

from dataclasses import dataclass, field
from typing import Any

from pages.parts.kit.visit import state_of_visit
from pages.parts.learn.class_set import ClassSet
from pages.parts.state.engine import CaptionInputs, ScoredCaptions


@dataclass
class LearnState:
    """State of the Learn page.

    Attributes:
        solved_ids: Ids of the solved exercises.
        answers: The last answer to each exercise. ``verdicts`` contains the checked answers, as far as they have been computed.
        tries: Number of wrong answers to each exercise.
        steps: The chosen answer at each step of the tour.
        revealed_steps: The steps whose solution is revealed.
        items: The answers to the items of the class set with the digest ``items_digest``, by position.
        created_digest: Digest of the class set that was created, or opened from a file, in this tab.
        class_set: The class set that is open. ``set_token`` is its packed text in the URL.
        file_id: Id of the last file that was opened.
        presented_inputs: Captions that the presenter has entered, by step of the tour, or "item" for a class set.
        card_order: The visitor's order of the cards, the best caption first.
        results: Results by captions and settings.
    """

    solved_ids: set[str] = field(default_factory=set)
    answers: dict[str, dict[str, str]] = field(default_factory=dict)
    verdicts: dict[str, Any] = field(default_factory=dict)
    tries: dict[str, int] = field(default_factory=dict)
    steps: dict[str, str] = field(default_factory=dict)
    revealed_steps: set[str] = field(default_factory=set)
    items: dict[str, str] = field(default_factory=dict)
    items_digest: str = ""
    created_digest: str = ""
    class_set: ClassSet | None = None
    set_token: str = ""
    file_id: str = ""
    presented_inputs: dict[str, CaptionInputs] = field(default_factory=dict)
    card_order: list[int] = field(default_factory=lambda: [2, 4, 0, 5, 3, 1])
    results: dict[str, ScoredCaptions] = field(default_factory=dict, repr=False, compare=False)


def learn_state() -> LearnState:
    """Return the state of the Learn page."""
    return state_of_visit(LearnState)
