"""State of the Systems page during a visit, besides the values of its widgets."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pages.parts.kit.visit import state_of_visit
from pages.parts.uploads.reading import CaptionData
from pages.parts.views.saved_work import StoredRun
from spice_core.data.results import ScoredItem

T = TypeVar("T")


@dataclass(frozen=True)
class System:
    """The captions of a system, with their result rows if they are already scored."""

    name: str
    caption_data: CaptionData
    rows: tuple[ScoredItem, ...] = ()


@dataclass
class SystemsState:
    """State of the Systems page.

    Attributes:
        entries: The contents of the uploaded files, which ``upload_key`` identifies.
        read_entries: The contents of new files, which the next run of the page opens.
        tab: The copy of the run in the browser tab.
        opening_messages: Messages about the saved run that was opened.
        latest: The latest result of each kind, with a key that identifies its input.
        votes: The votes of blind comparisons: names of both systems, then id of the image, then the chosen side or None for neither.
        pair_index: Index of the pair in the blind comparison.
        plot_number: Number of the scatter plot. A new plot has no selection.
        had_region: Whether the last plot had a selection.
    """

    entries: list[System] = field(default_factory=list)
    read_entries: list[System] = field(default_factory=list)
    upload_key: object = None
    tab: StoredRun = field(default_factory=StoredRun)
    opening_messages: list[str] = field(default_factory=list)
    latest: dict[str, tuple[object, Any]] = field(default_factory=dict)
    votes: dict[tuple[str, str], dict[int | str, int | None]] = field(default_factory=dict)
    pair_index: int = 0
    plot_number: int = 0
    had_region: bool = False

    def cached(self, kind: str, key: object, compute: Callable[[], T]) -> T:
        """Return the result of ``compute``, cached until ``key`` changes."""
        if self.latest.get(kind, (None, None))[0] != key:
            self.latest[kind] = key, compute()
        return self.latest[kind][1]


def systems_state() -> SystemsState:
    """Return the state of the Systems page."""
    return state_of_visit(SystemsState)
