"""Tasks of the queue: runs over many images, searches for causes, and measurements. A stopped run or search keeps its results."""

import shlex
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, field
from functools import cache
from time import monotonic
from typing import Any, Self, TypeVar

import streamlit as st

from pages.parts.jobs import calculations
from pages.parts.jobs.tasks import Task, current_task
from pages.parts.kit import capacity, html
from pages.parts.kit.texts import error_text, t
from pages.parts.state import engine, settings
from pages.parts.uploads import datasets
from pages.parts.uploads.images import ImageSet
from spice_core.data.items import Item
from spice_core.data.results import RowFields, ScoredItem, read_results
from spice_core.data.work_file import ImageId, UnmatchedTuple
from spice_core.evaluation.parse_cache import ParseCache
from spice_core.evaluation.run import RunOptions, score_items
from spice_core.lang.tree_file import TreeFile
from spice_core.metrics.config import SpiceConfig

ROW_FIELDS = RowFields(categories=True, detailed=True, lines=True, sentences=True)  # fields of a downloaded row
MAX_SEARCHED_ROWS = 1_000
_ITEMS_PER_CALL = 8  # images per worker call; Stop takes effect between calls
_MAX_FINISHED_RUNS = 2  # finished runs that a page stores besides the current one
_LONG_RUN_S = 300  # the page suggests the command line for longer runs
_WORKING_POLL_S, _WAITING_POLL_S = 1.0, 2.5  # update intervals of a page; each update costs server time
T = TypeVar("T")


class TreeTask(Task):
    """A task that may use uploaded ``trees``. Each call sends the worker only the trees it needs."""

    trees: TreeFile | None = None

    def call_with_captions(self, captions: Iterable[object], function: Callable[..., T], *args: object) -> T:
        """Call a function in the worker with the trees of these captions. Propositions have no trees."""
        if self.trees is None:
            return self.call(function, *args)
        return self.call(
            calculations.call_with_trees, self.trees.select_captions(text for text in captions if isinstance(text, str)), function, *args
        )


class CountedTask(TreeTask):
    """A multi-step task that reports its progress. ``texts`` is the catalogue section of its messages."""

    texts = "batch"
    seconds = 0.0

    @property
    def steps(self) -> tuple[Sized, Sized]:
        """The results of the completed steps, and the inputs of all steps."""
        raise NotImplementedError

    @property
    def done_count(self) -> int:
        """The number of completed steps."""
        return len(self.steps[0])

    @property
    def total_count(self) -> int:
        """The total number of steps."""
        return len(self.steps[1])

    @property
    def is_stopped(self) -> bool:
        """Whether the task has stopped before its last step."""
        return not self.is_working and self.done_count < self.total_count


@dataclass(eq=False)
class CauseSearch(CountedTask):
    """A task that finds the probable causes of unmatched tuples, by image."""

    rows: Sequence[ScoredItem]
    settings: SpiceConfig
    causes: dict[ImageId, dict[UnmatchedTuple, str]] = field(default_factory=dict, repr=False)
    trees: TreeFile | None = None
    texts = "pareto"

    @property
    def steps(self) -> tuple[Sized, Sized]:
        return self.causes, self.rows

    def _execute(self) -> None:
        """Find causes for a few rows at a time."""
        start_time = monotonic()
        for start in range(0, self.total_count, _ITEMS_PER_CALL):
            rows = [(row.image_id, row.candidate, row.references) for row in self.rows[start : start + _ITEMS_PER_CALL]]
            captions = (text for _, candidate, references in rows for text in (candidate, *references))
            self.causes |= self.call_with_captions(captions, calculations.find_causes, rows, self.settings)
            self.seconds = monotonic() - start_time
            if self._should_end():
                return


@dataclass(eq=False)
class ScoringRun(CountedTask):
    """A task that scores items.

    ``cache`` stores statistics and drawings of a finished run. ``search`` finds the probable causes of its unmatched tuples.
    """

    items: Sequence[Item]
    settings: SpiceConfig
    name: str
    digest: str = ""
    rows: list[ScoredItem] = field(default_factory=list, repr=False)
    cache: dict[object, Any] = field(default_factory=dict, repr=False)
    images: ImageSet | None = None
    search: CauseSearch | None = None
    trees: TreeFile | None = field(default=None, repr=False)

    @classmethod
    def from_sample(cls) -> Self:
        """Return the finished run of the sample with default settings, from a bundled file."""
        sample, data = datasets.bundled_sample(), datasets.read_bundled_sample()
        rows = stored_rows(sample, sample.systems[0])
        return cls(
            data.items, settings.default_config(sample.lang), data.name, data.digest, rows=[rows[item.image_id] for item in data.items]
        )

    def start(self, name: str = "") -> Self:
        with st.spinner(t("states.loading")):
            engine.cached_metric(self.settings)  # report invalid settings before the run joins the queue
        return super().start(name)

    @property
    def steps(self) -> tuple[Sized, Sized]:
        return self.rows, self.items

    @property
    def suggested_causes(self) -> dict[ImageId, dict[UnmatchedTuple, str]]:
        """The probable causes by image, or {} before a search has ended."""
        return self.search.causes if self.search and not self.search.is_working else {}

    def _execute(self) -> None:
        def submit(function: Callable[..., object], options: RunOptions, items: Sequence[Item], known_rows: object) -> Callable[[], object]:
            captions = [caption for item in items for caption in item.captions]
            return lambda: self.call_with_captions(captions, function, options, items, known_rows)

        options = RunOptions(self.settings, ROW_FIELDS)
        start_time = monotonic()
        cache = ParseCache(engine.cached_metric(self.settings).parse_key)
        for row in score_items(self.items, options, submit, cache, batch_size=_ITEMS_PER_CALL):
            self.rows.append(row)
            self.seconds = monotonic() - start_time
            if len(self.rows) % _ITEMS_PER_CALL == 0:
                capacity.freeze_new_objects()
                if self._should_end():  # the run keeps its rows
                    break


def show_start_button(label: str, run: ScoringRun | None, *, is_current: bool, key: str) -> bool:
    """Show the button that starts a run, and return whether it was pressed. It stands out unless the current run is complete."""
    is_done = is_current and run is not None and not run.is_stopped and not run.failure
    return st.button(label, type="secondary" if is_done else "primary", key=key, disabled=bool(run and run.is_working))


def restore_stored_run(name: str, digest: str) -> None:
    """Replace an ended run on other data with the stored run on the data of ``digest``.

    Without a stored run on these data, the ended run stays current, because the new files may be a new version of its data. However, if the
    old or the new data are a sample, the page then has no current run.
    """
    current_run, finished_runs = current_task(name, ScoringRun), st.session_state.setdefault(f"{name}.finished", {})
    if current_run is None or current_run.is_working or current_run.digest == digest:
        return
    if digest in finished_runs or datasets.is_sample(digest) or datasets.is_sample(current_run.digest):
        finished_runs[current_run.digest] = current_run
        st.session_state[name] = finished_runs.pop(digest, None)
        if len(finished_runs) > _MAX_FINISHED_RUNS:
            del finished_runs[next(iter(finished_runs))]


def is_scored(name: str, digest: str) -> bool:
    """Return whether the page has an ended run with results on the data of ``digest``."""
    run = current_task(name, ScoringRun)
    is_current = bool(run and run.rows and not run.is_working and run.digest == digest)
    return is_current or digest in st.session_state.get(f"{name}.finished", {})


@cache
def stored_rows(sample: datasets.BundledSample, system: str) -> dict[int | str, ScoredItem]:
    """Return the bundled scored rows of one system of a sample, by image."""
    return {row.image_id: row for row in read_results(sample.scored_path(system))}


@dataclass(eq=False)
class MeasurementTask(TreeTask):
    """A task of one worker call. ``input_key`` identifies the call's input, and ``result`` is its value.

    ``captions`` are the captions that the call reads. Only a task with ``trees`` needs them.
    """

    function: Callable[..., Any]
    args: tuple[object, ...]
    input_key: object = None
    result: Any = field(default=None, repr=False)
    trees: TreeFile | None = field(default=None, repr=False)
    captions: Sequence[object] = field(default=(), repr=False)

    def _execute(self) -> None:
        self.result = self.call_with_captions(self.captions, self.function, *self.args)


def show_progress(task: Task, *, key: str) -> None:
    """Show a working task's progress with a Stop button, and rerun the page when it ends.

    After that, show a message if the task failed or if a task of several steps was stopped.
    """
    if task.is_working:
        is_waiting = not task.has_begun
        st.fragment(_show_task_progress, run_every=_WAITING_POLL_S if is_waiting else _WORKING_POLL_S)(task, is_waiting, key=key)
        return
    if not isinstance(task, CountedTask):
        html.show_messages([error_text(task.failure)] if task.failure else [], severity="problem")
    elif task.failure:
        reason = error_text(task.failure)
        html.show_messages([t(f"{task.texts}.failed", done=task.done_count, total=task.total_count, reason=reason)], severity="problem")
    elif task.is_stopped:
        html.show_messages([t(f"{task.texts}.stopped", done=task.done_count, total=task.total_count)])


def _show_task_progress(task: Task, is_waiting: bool, *, key: str) -> None:
    if not task.is_working or is_waiting == task.has_begun:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if is_waiting:
            st.progress(0.0, text=t("queue.place", place=task.queue_position))
        elif isinstance(task, CountedTask):
            done_count, total = task.done_count, task.total_count
            rate = done_count / task.seconds if task.seconds else 0.0
            seconds = (total - done_count) / rate if rate else 0.0
            rate_text, left = f"{rate:.0f}" if rate >= 1 else f"{rate:.1f}", _remaining_time_text(seconds)
            line = t(f"{task.texts}.progress", done=done_count, total=total, rate=rate_text, left=left)
            st.progress(done_count / total, text=line + (t("queue.shared", number=task.other_task_count) if task.other_task_count else ""))
        else:
            st.html(f'<p class="sc-count" role="status">{t("others.measuring")}</p>')
        st.button(t(f"{task.texts}.stop" if isinstance(task, CountedTask) else "queue.stop"), key=f"{key}.stop", on_click=task.stop)
    if isinstance(task, ScoringRun) and not is_waiting and seconds > _LONG_RUN_S and not task.trees and not task.settings.rules_text:
        html.show_messages([t("queue.long", minutes=round(seconds / 60), command=_score_command(task))])


def _remaining_time_text(seconds: float) -> str:
    """Return the remaining time as text, or "" while it is unknown."""
    if not seconds:
        return ""
    return t("batch.left", seconds=round(seconds)) if seconds < 120 else t("batch.left_minutes", minutes=round(seconds / 60))


def _score_command(run: ScoringRun) -> str:
    """Return a resumable command that scores the same file locally. Its output opens on the Batch page."""
    config = run.settings.resolved()
    options = f"--lang {config.lang} --parser {config.parser} --rules {config.rules} --synonyms {config.synonyms}"
    return f"spice-core score {shlex.quote(run.name)} {options} --detailed --subset --out scores.jsonl --resume"
