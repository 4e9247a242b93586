"""Raise KeyboardInterrupt for SIGINT and SIGTERM, but not within critical sections."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_HANDLED_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class InterruptHandler:
    """Context in which SIGINT and SIGTERM, unless ignored, raise KeyboardInterrupt with the signal's number."""

    def __init__(self) -> None:
        self._signal_number, self._is_delayed = 0, False
        self._previous_handlers: dict[int, Any] = {}  # by signal number

    def __enter__(self) -> InterruptHandler:
        if threading.current_thread() is threading.main_thread():  # other threads cannot set handlers
            handled_signals = [signal_number for signal_number in _HANDLED_SIGNALS if signal.getsignal(signal_number) != signal.SIG_IGN]
            self._previous_handlers = {
                signal_number: signal.signal(signal_number, self._handle_signal) for signal_number in handled_signals
            }
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if (
            isinstance(error, KeyboardInterrupt) and self._signal_number and not error.args
        ):  # the exception with the signal's number was lost
            error.args = (self._signal_number,)
        for signal_number, handler in self._previous_handlers.items():
            signal.signal(signal_number, handler)

    @contextmanager
    def delay_signals(self) -> Iterator[None]:
        """Delay signals until the end of this context.

        At the end, raise KeyboardInterrupt if a signal has arrived. This includes a signal before the context whose exception was lost,
        for example in a destructor.
        """
        self._is_delayed = True
        try:
            yield
        finally:
            self._is_delayed = False
        if self._signal_number:
            raise KeyboardInterrupt(self._signal_number)

    def _handle_signal(self, signal_number: int, _: object) -> None:
        self._signal_number = signal_number
        if not self._is_delayed:
            raise KeyboardInterrupt(signal_number)


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """Return 128 plus the number of the signal, as shells do."""
    return 128 + next(iter(interrupt.args), signal.SIGINT)
