"""Runs over many images in a thread of their own: what is done stays, however they end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic

import streamlit as st

from pages.parts import engine, states
from pages.parts.words import t
from spice_core.cache import ParseCache
from spice_core.data.items import Item
from spice_core.errors import SpiceError
from spice_core.evaluate import Job, maker, run, score_chunk

_AT_ONCE = 8  # images between two looks at Stop
_JOB = Job(categories=True, detailed=True, lines=True)


@dataclass
class Run:
    """Rows as ``score --detailed --subset`` writes them, as far as they are done; ``names`` are the systems of the items.

    ``kept`` holds what was counted or drawn from the rows of a run that has ended.
    """

    items: Sequence[Item]
    settings: engine.Settings
    name: str
    digest: str = ""
    rows: list[dict] = field(default_factory=list, repr=False)
    failure: str = ""
    kept: dict[object, object] = field(default_factory=dict, repr=False)
    seconds: float = 0.0
    _stop: Event = field(default_factory=Event, repr=False)
    _thread: Thread | None = field(default=None, repr=False)

    def start(self) -> Run:
        """Begin in the background."""
        with st.spinner(t("states.loading")):
            spice = engine.engine(self.settings)
        self._thread = Thread(target=self._work, args=(spice,), daemon=True)
        self._thread.start()
        return self

    @property
    def working(self) -> bool:
        return bool(self._thread and self._thread.is_alive())

    @property
    def stopped(self) -> bool:
        """Whether it ended before all was done."""
        return not self.working and len(self.rows) < len(self.items)

    def stop(self) -> None:
        """End after the images at hand."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Return when it has ended."""
        self._thread.join(seconds)

    def _work(self, spice: object) -> None:
        def submit(*task: object) -> Callable[[], object]:
            def work() -> object:
                with engine.ONE_AT_A_TIME:
                    return score_chunk(*task[1:], [spice])

            return work

        began = monotonic()
        try:
            for row in run(self.items, _JOB, submit, [ParseCache(maker(spice))], size=_AT_ONCE):
                self.rows.append(json.loads(row.json))
                self.seconds = monotonic() - began
                if self._stop.is_set():
                    return
        except SpiceError as error:
            self.failure = str(error)
        except Exception as error:  # a thread has nobody else to tell
            self.failure = f"{type(error).__name__}: {error}"


def follow(run_: Run, *, key: str) -> None:
    """How far the run is, with a button that stops it; the page is drawn anew when it has ended."""
    if run_.working:
        st.fragment(_progress, run_every=0.7)(run_, key=key)
        return
    if run_.failure:
        states.say([t("batch.failed", done=len(run_.rows), total=len(run_.items), reason=run_.failure)], kind="problem")
    elif run_.stopped:
        states.say([t("batch.stopped", done=len(run_.rows), total=len(run_.items))])


def _progress(run_: Run, *, key: str) -> None:
    if not run_.working:
        st.rerun()
    done, total = len(run_.rows), len(run_.items)
    rate = done / run_.seconds if run_.seconds else 0.0
    left = t("batch.left", seconds=round((total - done) / rate)) if rate else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.progress(done / total, text=t("batch.progress", done=done, total=total, rate=f"{rate:.0f}", left=left))
        st.button(t("batch.stop"), key=f"{key}.stop", on_click=run_.stop)
