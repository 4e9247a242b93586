"""State of the Batch page during a visit, besides the values of its widgets."""

from dataclasses import dataclass, field

from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit.visit import state_of_visit
from pages.parts.uploads.reading import CaptionData
from pages.parts.views.saved_work import StoredRun


@dataclass
class BatchState:
    """State of the Batch page.

    Attributes:
        decisions: The visitor's decisions, by the digest of the data.
        opened_work: The work file that is open.
        opening_messages: Messages about content of the work file that could not be restored.
        saved_fingerprints: The fingerprint of the last saved work, if any. The thread that creates the file updates the list.
        tab: The copy of the work in the browser tab.
        restored_digest: Digest of the data that were restored from the tab in this run of the page.
        shows_all_rows: Whether the table contains all captions instead of the first.
        click_count: How often the visitor has clicked a row of the table.
        acceptance_count: How often the visitor has accepted suggested causes. A new table of causes shows the accepted ones.
        tag_messages: Messages about invalid custom tags.
    """

    decisions: dict[str, Decisions] = field(default_factory=dict)
    opened_work: CaptionData | None = None
    opening_messages: list[str] = field(default_factory=list)
    saved_fingerprints: list[object] = field(default_factory=list)
    tab: StoredRun = field(default_factory=StoredRun)
    restored_digest: str = ""
    shows_all_rows: bool = False
    click_count: int = 0
    acceptance_count: int = 0
    tag_messages: list[str] = field(default_factory=list)


def batch_state() -> BatchState:
    """Return the state of the Batch page."""
    return state_of_visit(BatchState)


def decisions_of(run: ScoringRun) -> Decisions:
    """Return the visitor's decisions on a run's data."""
    return batch_state().decisions.setdefault(run.digest, Decisions())
