"""SIGINT and SIGTERM: both end a command as KeyboardInterrupt, and not between what belongs together."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Within this context both signals raise KeyboardInterrupt with their number; those that are ignored stay so."""

    def __init__(self) -> None:
        self._number, self._held = 0, False
        self._before: dict[int, Any] = {}  # handlers

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():  # no other may set handlers
            heard = [number for number in _SIGNALS if signal.getsignal(number) != signal.SIG_IGN]
            self._before = {number: signal.signal(number, self._hear) for number in heard}
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, KeyboardInterrupt) and self._number and not error.args:  # raised in place of one that was lost
            error.args = (self._number,)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def held(self) -> Iterator[None]:
        """A signal that comes now is raised at the end, as is one that came before and was lost (in a destructor, for example)."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._number:
            raise KeyboardInterrupt(self._number)

    def _hear(self, number: int, _: object) -> None:
        self._number = number
        if not self._held:
            raise KeyboardInterrupt(number)


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """128 and the number of the signal, as shells have it."""
    return 128 + next(iter(interrupt.args), signal.SIGINT)
