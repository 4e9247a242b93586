"""Calls that read uploads, in a process with limited memory and time. A visitor's uploads are read one at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from weakref import WeakValueDictionary

import streamlit as st

from pages.parts.kit import visit
from pages.parts.kit.worker import CallAbandoned, Worker

T = TypeVar("T")
_WORKER_KEY = "upload_worker"
_WORKER_BY_VISITOR: WeakValueDictionary[str, Worker] = WeakValueDictionary()


def call_bounded(function: Callable[..., T], *args: object) -> T:
    """Call a function in the visitor's bounded worker, and return its value. Stop the script if the page was closed.

    Raises InputError as the function does, and if the call needs more memory or time than allowed.
    """
    visitor = visit.browser_cookie() or visit.session_id()
    worker = st.session_state.setdefault(_WORKER_KEY, _WORKER_BY_VISITOR.setdefault(visitor, Worker(is_bounded=True)))
    try:
        return worker.call(function, *args, is_abandoned=visit.is_closed)
    except CallAbandoned:
        st.stop()
