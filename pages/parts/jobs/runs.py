"""Runs over many images and measurements of them, in the machine's queue: what is done stays, however they end."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from time import monotonic
from typing import Any, Self, TypeVar

import streamlit as st

from pages.parts.jobs import calculations
from pages.parts.jobs.tasks import Task
from pages.parts.kit import memory, messages
from pages.parts.kit.texts import problem, t
from pages.parts.state import engine, settings
from pages.parts.uploads import datasets
from pages.parts.uploads.images import Images
from spice_core.data.items import Item
from spice_core.data.results import RowFields, ScoredItem, read_results
from spice_core.data.work_file import ImageId, Unmatched
from spice_core.evaluation.parse_cache import ParseCache
from spice_core.evaluation.run import RunOptions, run
from spice_core.lang.tree_file import TreeFile
from spice_core.metrics.config import SpiceConfig

FIELDS = RowFields(categories=True, detailed=True, lines=True, sentences=True)  # of a downloaded row
MOST_SEARCHED = 1_000  # captions whose causes are found at most
_AT_ONCE = 8  # images between two checks of Stop
_LONG_S = 300  # a run that takes longer is better done on the command line
_WORKING_S, _WAITING_S = 1.0, 2.5  # between two looks of a page; each takes the server's time from others
T = TypeVar("T")


class OnTrees(Task):
    """A task whose settings may name uploaded ``trees``; the worker has only those of the captions at work."""

    trees: TreeFile | None = None

    def call_on(self, captions: Iterable[object], function: Callable[..., T], *args: object) -> T:
        """What the function returns in the worker, with the trees of these captions; propositions have none."""
        if self.trees is None:
            return self.call(function, *args)
        return self.call(calculations.call_with_trees, self.trees.of(text for text in captions if isinstance(text, str)), function, *args)


class Counted(OnTrees):
    """A task of many steps, which tells how many are done; ``texts`` is the section of its messages."""

    texts = "batch"
    seconds = 0.0

    @property
    def done(self) -> int:
        """The number of steps done."""
        raise NotImplementedError

    @property
    def total(self) -> int:
        """The number of all steps."""
        raise NotImplementedError

    @property
    def stopped(self) -> bool:
        """Whether it ended early."""
        return not self.working and self.done < self.total


@dataclass(eq=False)
class CauseSearch(Counted):
    """The probable causes of the unmatched tuples of scored rows, by image."""

    rows: Sequence[ScoredItem]
    settings: SpiceConfig
    found: dict[ImageId, dict[Unmatched, str]] = field(default_factory=dict, repr=False)
    trees: TreeFile | None = None
    texts = "pareto"

    @property
    def done(self) -> int:
        return len(self.found)

    @property
    def total(self) -> int:
        return len(self.rows)

    def _work(self) -> None:
        """Find the causes of a few rows at a time."""
        began = monotonic()
        for start in range(0, self.total, _AT_ONCE):
            rows = [(row.image_id, row.candidate, row.references) for row in self.rows[start : start + _AT_ONCE]]
            captions = (text for _, candidate, references in rows for text in (candidate, *references))
            self.found |= self.call_on(captions, calculations.find_causes, rows, self.settings)
            self.seconds = monotonic() - began
            if self._ends():
                return


@dataclass(eq=False)
class Run(Counted):
    """Scored items with their tuples.

    ``cache`` caches statistics and drawings of a run that has ended; ``search`` finds the probable causes of its tuples.
    """

    items: Sequence[Item]
    settings: SpiceConfig
    name: str
    digest: str = ""
    rows: list[ScoredItem] = field(default_factory=list, repr=False)
    cache: dict[object, Any] = field(default_factory=dict, repr=False)
    images: Images | None = None
    search: CauseSearch | None = None
    trees: TreeFile | None = field(default=None, repr=False)

    @classmethod
    def of_sample(cls, system: str = datasets.SYSTEMS[0]) -> Self:
        """The sample as the usual settings score it, from its file."""
        data = datasets.sample(system)
        rows = stored_rows(system)
        return cls(data.items, settings.default_config("en"), data.name, data.digest, rows=[rows[item.image_id] for item in data.items])

    def start(self, name: str = "") -> Self:
        with st.spinner(t("states.loading")):
            engine.engine(self.settings)  # which tells what is wrong with the settings while the visitor looks
        return super().start(name)

    @property
    def done(self) -> int:
        return len(self.rows)

    @property
    def total(self) -> int:
        return len(self.items)

    @property
    def suggested(self) -> dict[ImageId, dict[Unmatched, str]]:
        """The probable causes that were found, by image; empty during the search."""
        return self.search.found if self.search and not self.search.working else {}

    def _work(self) -> None:
        """Score the items, a few at a time."""

        def submit(function: Callable[..., object], options: RunOptions, items: Sequence[Item], known: object) -> Callable[[], object]:
            captions = [caption for item in items for caption in item.captions]
            return lambda: self.call_on(captions, function, options, items, known)

        options = RunOptions(self.settings, FIELDS)
        began = monotonic()
        for row in run(self.items, options, submit, [ParseCache(engine.engine(self.settings).parse_key)], size=_AT_ONCE):
            self.rows.append(row)
            self.seconds = monotonic() - began
            if len(self.rows) % _AT_ONCE == 0:
                memory.tidy()
                if self._ends():  # what is scored is kept
                    break


@cache
def stored_rows(system: str) -> dict[int | str, ScoredItem]:
    """The rows of a system of the sample by image, as the usual settings score them."""
    return {row.image_id: row for row in read_results(datasets.scored_sample(system))}


@dataclass(eq=False)
class Measurement(OnTrees):
    """One call of the worker; ``mark`` tells what it is about, ``result`` is what came back.

    ``captions`` are those that it reads, where there are ``trees``.
    """

    function: Callable[..., Any]
    args: tuple[object, ...]
    mark: object = None
    result: Any = field(default=None, repr=False)
    trees: TreeFile | None = field(default=None, repr=False)
    captions: Sequence[object] = field(default=(), repr=False)

    def _work(self) -> None:
        self.result = self.call_on(self.captions, self.function, *self.args)


def follow(task: Task, *, key: str) -> None:
    """How far it is, with a button that stops it; the page is drawn anew when it has ended."""
    if task.working:
        waits = not task.begun
        st.fragment(_progress, run_every=_WAITING_S if waits else _WORKING_S)(task, waits, key=key)
        return
    if not isinstance(task, Counted):
        messages.say([problem(task.failure)] if task.failure else [], kind="problem")
    elif task.failure:
        reason = problem(task.failure)
        messages.say([t(f"{task.texts}.failed", done=task.done, total=task.total, reason=reason)], kind="problem")
    elif task.stopped:
        messages.say([t(f"{task.texts}.stopped", done=task.done, total=task.total)])


def _progress(task: Task, waits: bool, *, key: str) -> None:
    if not task.working or waits == task.begun:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if waits:
            st.progress(0.0, text=t("queue.place", place=task.place))
        elif isinstance(task, Counted):
            done, total = task.done, task.total
            rate = done / task.seconds if task.seconds else 0.0
            seconds = (total - done) / rate if rate else 0.0
            said = t(
                f"{task.texts}.progress",
                done=done,
                total=total,
                rate=f"{rate:.0f}" if rate >= 1 else f"{rate:.1f}",
                left=_remaining_text(seconds),
            )
            st.progress(done / total, text=said + (t("queue.shared", number=task.others) if task.others else ""))
        else:
            st.html(f'<p class="sc-count" role="status">{t("others.measuring")}</p>')
        st.button(t(f"{task.texts}.stop" if isinstance(task, Counted) else "queue.stop"), key=f"{key}.stop", on_click=task.stop)
    if isinstance(task, Run) and not waits and seconds > _LONG_S and not task.trees and not task.settings.rules_text:
        messages.say([t("queue.long", minutes=round(seconds / 60), command=_command(task))])


def _remaining_text(seconds: float) -> str:
    """How long it will take yet, in seconds or minutes; nothing while that is unknown."""
    if not seconds:
        return ""
    return t("batch.left", seconds=round(seconds)) if seconds < 120 else t("batch.left_minutes", minutes=round(seconds / 60))


def _command(run: Run) -> str:
    """The command line that scores the same on the visitor's machine, which this page can open and Ctrl-C only interrupts."""
    config = run.settings.resolved()
    named = f"--lang {config.lang} --parser {config.parser} --rules {config.rules} --synonyms {config.synonyms}"
    return f"spice-core score {shlex.quote(run.name)} {named} --detailed --subset --out scores.jsonl --resume"
