"""The machine's queue: visitors take turns with what takes long, and it goes on no longer than its visitor is there."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_urlsafe
from threading import Condition, Thread
from time import monotonic
from typing import Self, TypeVar
from weakref import WeakValueDictionary

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.jobs.worker import Abandoned, Worker
from pages.parts.kit import memory, url, visit
from pages.parts.kit.texts import t
from spice_core.errors import SpiceError

T = TypeVar("T")
Kind = TypeVar("Kind", bound="Task")
MOST = 2  # tasks of a visitor that wait or are at work
_GRACE_S = 20  # a page that lost its connection is back by then
_POLL_S = 0.5
_TURN_S = 5.0  # after which a task lets another visitor's go on; starting the worker in another language takes about as long
_WORKER = Worker()
_TURN = Condition()
_QUEUE: list[Task] = []  # the first has its turn, the others wait in their order
_STARTED: WeakValueDictionary[tuple[str, str], Task] = WeakValueDictionary()  # by the name that a page gave, and token


class Task:
    """Something long that is done in the background by ``_work``; ends early when it is stopped or its visitor has left."""

    failure: SpiceError | str = ""
    token = ""
    _session = ""
    _browser = ""
    _seen = 0.0
    _began_turn = 0.0
    _stopping = False
    _thread: Thread | None = None

    def _work(self) -> None:
        """What is to be done, by calls of the worker: between two of them another visitor's task may have its turn."""
        raise NotImplementedError

    def start(self, name: str = "") -> Self:
        """Join the queue, for the visitor whose page asks; a page that names it finds it again by ``current``."""
        self._attend()
        if name:
            self.token, self._browser = token_urlsafe(12), visit.browser()
            _STARTED[name, self.token] = self
        with _TURN:
            if self._session and sum(task._session == self._session for task in _QUEUE) >= MOST:
                self.failure = t("queue.most", most=MOST)
                return self
            _QUEUE.append(self)
        self._thread = Thread(target=self._live, daemon=True)
        self._thread.start()
        return self

    @property
    def working(self) -> bool:
        """Whether it waits or is at work."""
        return bool(self._thread and self._thread.is_alive())

    @property
    def place(self) -> int:
        """Its place in the queue: 1 at work, more while it waits for its turn; 0 when it has ended."""
        with _TURN:
            return next((place for place, task in enumerate(_QUEUE, 1) if task is self), 0)

    @property
    def begun(self) -> bool:
        """Whether it has had a turn."""
        return self._began_turn > 0.0

    @property
    def others(self) -> int:
        """How many tasks of other visitors it shares the machine with."""
        with _TURN:
            return sum(not self._same_visitor(task) for task in _QUEUE)

    def stop(self) -> None:
        """End soon; what is done stays."""
        self._stopping = True

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the run has ended."""
        if self._thread:
            self._thread.join(seconds)

    def call(self, function: Callable[..., T], *args: object) -> T:
        """What the function returns in the worker, at this task's turn. Raises Abandoned when the task ends meanwhile."""
        self._await_turn()
        return _WORKER.call(function, *args, abandoned=self._ends)

    @property
    def attended(self) -> bool:
        """Whether its visitor's page is connected."""
        return not self._session or not st.runtime.exists() or st.runtime.get_instance().is_active_session(self._session)

    def _attend(self) -> None:
        context = get_script_run_ctx(suppress_warning=True)
        self._session, self._seen = context.session_id if context else "", monotonic()

    def _ends(self) -> bool:
        if self.attended:
            self._seen = monotonic()
        return self._stopping or monotonic() - self._seen > _GRACE_S

    def _same_visitor(self, task: Task) -> bool:
        return task is self or bool(self._session and task._session == self._session)

    def _await_turn(self) -> None:
        """Wait until it is this task's turn; after a turn of some seconds others go first. Raises Abandoned when the task ends."""
        with _TURN:
            if _QUEUE[0] is self:
                if not self.begun:
                    self._began_turn = monotonic()
                if monotonic() - self._began_turn <= _TURN_S or all(map(self._same_visitor, _QUEUE)):
                    return
                _QUEUE.sort(key=self._same_visitor)  # the tasks of all other visitors, in their order, then those of this one
                _TURN.notify_all()
            while _QUEUE[0] is not self:
                if self._ends():
                    raise Abandoned
                _TURN.wait(_POLL_S)
            self._began_turn = monotonic()

    def _live(self) -> None:
        try:
            self._await_turn()
            self._work()
        except Abandoned:
            pass
        except SpiceError as error:
            self.failure = error
        except Exception as error:  # nobody else would see an exception of this thread
            self.failure = f"{type(error).__name__}: {error}"
        finally:
            with _TURN:
                _QUEUE.remove(self)
                _TURN.notify_all()
            memory.settle()  # a page may rest for long on what came of it


def current(name: str, kind: type[Kind]) -> Kind | None:
    """The visitor's task of this name. A page that was loaded anew finds it by its address, if no other page attends it.

    In another browser the address finds nothing.
    """
    task = st.session_state.get(name)
    if task is None:
        task = _STARTED.get((name, st.query_params.get("run", "")))
        if isinstance(task, kind) and task._browser == visit.browser() and not task.attended:
            st.session_state[name] = task
            task._attend()
        else:
            task = None
    url.set_param("run", task.token if task else "")
    return task
