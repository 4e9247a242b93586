"""The queue of long tasks. Visitors take turns, and a task ends soon after its visitor has disconnected."""

from collections.abc import Callable
from secrets import token_urlsafe
from threading import Condition, Thread
from time import monotonic
from typing import Self, TypeVar
from weakref import WeakValueDictionary

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.kit import capacity, url, visit
from pages.parts.kit.texts import t
from pages.parts.kit.worker import CallAbandoned, Worker
from spice_core.errors import SpiceError

T = TypeVar("T")
TaskType = TypeVar("TaskType", bound="Task")
MAX_TASKS = 2  # maximum number of tasks of one visitor, waiting or running
_RECONNECT_TIMEOUT_S = 20  # a disconnected page may reconnect within this time
_POLL_S = 0.5
_MAX_TURN_S = 5.0  # after this time (a worker restart in another language takes as long), other visitors' tasks go first
_SHARED_WORKER = Worker()
_TURN_CONDITION = Condition()
_TASK_QUEUE: "list[Task]" = []  # the first task runs, and the others wait in order
_NAMED_TASKS: "WeakValueDictionary[tuple[str, str], Task]" = WeakValueDictionary()  # keys: name and token


class Task:
    """A long task that runs ``_execute`` in the background.

    The task ends early if it is stopped, or if its visitor does not reconnect within ``_RECONNECT_TIMEOUT_S``.
    """

    failure: SpiceError | str = ""
    token = ""
    _session = ""
    _browser = ""
    _last_seen = 0.0
    _turn_start = 0.0
    _is_stopping = False
    _thread: Thread | None = None

    def _execute(self) -> None:
        """Run the task as a series of worker calls, between which other visitors' tasks may run."""
        raise NotImplementedError

    def start(self, name: str = "") -> Self:
        """Add the task to the queue and return it. If the visitor has ``MAX_TASKS`` tasks in the queue, set ``failure`` instead.

        With a ``name``, ``current_task`` can find the task.
        """
        self._record_session()
        if name:
            self.token, self._browser = token_urlsafe(12), visit.browser_cookie()
            _NAMED_TASKS[name, self.token] = self
        with _TURN_CONDITION:
            if self._session and sum(task._session == self._session for task in _TASK_QUEUE) >= MAX_TASKS:
                self.failure = t("queue.most", most=MAX_TASKS)
                return self
            _TASK_QUEUE.append(self)
        self._thread = Thread(target=self._run_in_turn, daemon=True)
        self._thread.start()
        return self

    @property
    def is_working(self) -> bool:
        """Whether the task is waiting or running."""
        return bool(self._thread and self._thread.is_alive())

    @property
    def queue_position(self) -> int:
        """The position in the queue: 1 for the running task, 0 if the task is not in the queue."""
        with _TURN_CONDITION:
            return next((place for place, task in enumerate(_TASK_QUEUE, 1) if task is self), 0)

    @property
    def has_begun(self) -> bool:
        """Whether the task has started to run."""
        return self._turn_start > 0.0

    @property
    def other_task_count(self) -> int:
        """The number of tasks of other visitors in the queue."""
        with _TURN_CONDITION:
            return sum(not self._belongs_to_same_visitor(task) for task in _TASK_QUEUE)

    def stop(self) -> None:
        """Make the task end soon, keeping its results so far."""
        self._is_stopping = True

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the task to end, for at most the given number of seconds."""
        if self._thread:
            self._thread.join(seconds)

    def call(self, function: Callable[..., T], *args: object) -> T:
        """Call a function in the worker once it is this task's turn.

        Raises CallAbandoned if the task has to end (see :class:`Task`) while it waits for its turn or for the answer.
        """
        self._await_turn()
        return _SHARED_WORKER.call(function, *args, is_abandoned=self._should_end)

    @property
    def is_page_connected(self) -> bool:
        """Whether the visitor's page is connected, or no page started the task."""
        return not self._session or not st.runtime.exists() or st.runtime.get_instance().is_active_session(self._session)

    def _record_session(self) -> None:
        context = get_script_run_ctx(suppress_warning=True)
        self._session, self._last_seen = context.session_id if context else "", monotonic()

    def _should_end(self) -> bool:
        if self.is_page_connected:
            self._last_seen = monotonic()
        return self._is_stopping or monotonic() - self._last_seen > _RECONNECT_TIMEOUT_S

    def _belongs_to_same_visitor(self, task: "Task") -> bool:
        return task is self or bool(self._session and task._session == self._session)

    def _await_turn(self) -> None:
        """Wait for this task's turn. After a turn of ``_MAX_TURN_S``, tasks of other visitors go first.

        Raises CallAbandoned if the task should end while it waits.
        """
        with _TURN_CONDITION:
            if _TASK_QUEUE[0] is self:
                if not self.has_begun:
                    self._turn_start = monotonic()
                if monotonic() - self._turn_start <= _MAX_TURN_S or all(map(self._belongs_to_same_visitor, _TASK_QUEUE)):
                    return
                _TASK_QUEUE.sort(key=self._belongs_to_same_visitor)  # a stable sort: other visitors' tasks first
                _TURN_CONDITION.notify_all()
            while _TASK_QUEUE[0] is not self:
                if self._should_end():
                    raise CallAbandoned
                _TURN_CONDITION.wait(_POLL_S)
            self._turn_start = monotonic()

    def _run_in_turn(self) -> None:
        try:
            self._await_turn()
            self._execute()
        except CallAbandoned:
            pass
        except SpiceError as error:
            self.failure = error
        except Exception as error:  # exceptions in this thread would be lost
            self.failure = f"{type(error).__name__}: {error}"
        finally:
            with _TURN_CONDITION:
                _TASK_QUEUE.remove(self)
                _TURN_CONDITION.notify_all()
            capacity.freeze_loaded_objects()  # exclude the results, which a page may store for a long time, from garbage collection


def current_task(name: str, task_type: type[TaskType]) -> TaskType | None:
    """Return the visitor's task of this name and write its token to the URL, or remove the token and return None.

    A reloaded page finds the task by the token in the URL, but only in the same browser and if no other page is connected to the task.
    """
    task = st.session_state.get(name)
    if task is None:
        task = _NAMED_TASKS.get((name, st.query_params.get("run", "")))
        if isinstance(task, task_type) and task._browser == visit.browser_cookie() and not task.is_page_connected:
            st.session_state[name] = task
            task._record_session()
        else:
            task = None
    url.set_param("run", task.token if task else "")
    return task
