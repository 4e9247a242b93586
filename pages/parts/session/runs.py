"""Runs over many images and measurements of them, in the machine's queue: what is done stays, however they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from time import monotonic
from typing import Any, Self

import streamlit as st

from pages.parts.kit import messages
from pages.parts.kit.texts import problem, t
from pages.parts.session import datasets, engine, settings
from pages.parts.session.images import Images
from pages.parts.session.tasks import Task
from spice_core.data.items import Item
from spice_core.data.results import RowFields, ScoredItem, read_results
from spice_core.evaluation.parse_cache import ParseCache
from spice_core.evaluation.run import RunOptions, run
from spice_core.metrics.config import SpiceConfig

FIELDS = RowFields(categories=True, detailed=True, lines=True, sentences=True)  # of a downloaded row
_AT_ONCE = 8  # images between two checks of Stop
_WORKING_S, _WAITING_S = 1.0, 2.5  # between two looks of a page; each takes the server's time from others


@dataclass(eq=False)
class Run(Task):
    """Scored items with their tuples.

    ``cache`` caches statistics and drawings of a run that has ended.
    """

    items: Sequence[Item]
    settings: SpiceConfig
    name: str
    digest: str = ""
    rows: list[ScoredItem] = field(default_factory=list, repr=False)
    cache: dict[object, Any] = field(default_factory=dict, repr=False)
    images: Images | None = None
    seconds: float = 0.0

    @classmethod
    def of_sample(cls, system: str = datasets.SYSTEMS[0]) -> Self:
        """The sample as the usual settings score it, from its file."""
        data = datasets.sample(system)
        rows = stored(system)
        return cls(data.items, settings.usual("en"), data.name, data.digest, rows=[rows[item.image_id] for item in data.items])

    def start(self, name: str = "") -> Self:
        with st.spinner(t("states.loading")):
            engine.engine(self.settings)  # which tells what is wrong with the settings while the visitor looks
        return super().start(name)

    @property
    def stopped(self) -> bool:
        """Whether the run ended early."""
        return not self.working and len(self.rows) < len(self.items)

    def _work(self) -> None:
        """Score the items, a few at a time."""

        def submit(function: Callable[..., object], *args: object) -> Callable[[], object]:
            return lambda: self.call(function, *args)

        options = RunOptions(self.settings, FIELDS)
        began = monotonic()
        for row in run(self.items, options, submit, [ParseCache(engine.engine(self.settings).parse_key)], size=_AT_ONCE):
            self.rows.append(row)
            self.seconds = monotonic() - began
            if len(self.rows) % _AT_ONCE == 0 and self._ends():  # what is scored is kept
                return


@cache
def stored(system: str) -> dict[int | str, ScoredItem]:
    """The rows of a system of the sample by image, as the usual settings score them."""
    return {row.image_id: row for row in read_results(datasets.scored_sample(system))}


@dataclass(eq=False)
class Measurement(Task):
    """One call of the worker; ``mark`` tells what it is about, ``result`` is what came back."""

    function: Callable[..., Any]
    args: tuple[object, ...]
    mark: object = None
    result: Any = field(default=None, repr=False)

    def _work(self) -> None:
        self.result = self.call(self.function, *self.args)


def follow(task: Task, *, key: str) -> None:
    """How far it is, with a button that stops it; the page is drawn anew when it has ended."""
    if task.working:
        waits = task.place > 1
        st.fragment(_progress, run_every=_WAITING_S if waits else _WORKING_S)(task, waits, key=key)
        return
    if not isinstance(task, Run):
        messages.say([problem(task.failure)] if task.failure else [], kind="problem")
    elif task.failure:
        messages.say([t("batch.failed", done=len(task.rows), total=len(task.items), reason=problem(task.failure))], kind="problem")
    elif task.stopped:
        messages.say([t("batch.stopped", done=len(task.rows), total=len(task.items))])


def _progress(task: Task, waits: bool, *, key: str) -> None:
    if not task.working or waits != (task.place > 1):
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if waits:
            st.progress(0.0, text=t("queue.place", place=task.place))
        elif isinstance(task, Run):
            done, total = len(task.rows), len(task.items)
            rate = done / task.seconds if task.seconds else 0.0
            left = t("batch.left", seconds=round((total - done) / rate)) if rate else ""
            st.progress(done / total, text=t("batch.progress", done=done, total=total, rate=f"{rate:.0f}", left=left))
        else:
            st.html(f'<p class="sc-count" role="status">{t("others.measuring")}</p>')
        st.button(t("batch.stop" if isinstance(task, Run) else "queue.stop"), key=f"{key}.stop", on_click=task.stop)
