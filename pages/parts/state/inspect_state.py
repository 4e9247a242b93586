"""State of the Inspect page during a visit, besides the values of its widgets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pages.parts.kit.visit import state_of_visit
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from spice_core.questions import Answer


class OpenedLink(NamedTuple):
    """The captions of an opened link, and its packed text."""

    inputs: CaptionInputs | None = None
    token: str = ""


class UsedReferences(NamedTuple):
    """The references, and the indices of those last used for scoring."""

    texts: tuple[str, ...]
    indices: list[int]


class PastedCaptions(NamedTuple):
    """The fields before and after a paste, the pasted text, and its captions.

    ``is_pending`` is True until the visitor decides how to use the captions.
    """

    inputs_before: CaptionInputs
    inputs_after: CaptionInputs
    text: str
    captions: tuple[str, ...]
    is_pending: bool


class PictureAnswers(NamedTuple):
    """The answers about these references' picture, by question id in the order given. Answer.OPEN is "not sure"."""

    references: tuple[str, ...] = ()
    answers: Mapping[str, Answer] = {}


@dataclass
class InspectState:
    """State of the Inspect page.

    Attributes:
        scored: The result.
        has_fields: Whether the form has been filled.
        row_ids: Ids of the reference fields, in order. ``next_row_id`` is the id of the next field.
        typed_inputs: Typed captions that the browser has reported, but that were not scored.
        custom_inputs: The visitor's last captions that are no example, which the gallery offers.
        opened_link: The link that was opened.
        used_references: The references that were last used.
        paste: The last paste of several captions.
        undivided_texts: Pasted texts that the visitor uses as single captions.
        pinned: The result with which later results are compared.
        picture_answers: The answers to the questions about the picture.
        tab_request: Identifies the request for the content stored in the browser tab.
        starts_with_link: Whether the first URL of the session contained captions.
    """

    scored: ScoredCaptions | None = None
    has_fields: bool = False
    row_ids: list[int] = field(default_factory=list)
    next_row_id: int = 0
    typed_inputs: CaptionInputs | None = None
    custom_inputs: CaptionInputs | None = None
    opened_link: OpenedLink = field(default_factory=OpenedLink)
    used_references: UsedReferences | None = None
    paste: PastedCaptions | None = None
    undivided_texts: set[str] = field(default_factory=set)
    pinned: ScoredCaptions | None = None
    picture_answers: PictureAnswers = field(default_factory=PictureAnswers)
    tab_request: str = ""
    starts_with_link: bool = False


def inspect_state() -> InspectState:
    """Return the state of the Inspect page."""
    return state_of_visit(InspectState)
