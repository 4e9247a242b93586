"""Garbage collection examines new objects often, and all objects once a minute."""

import gc
import weakref
from collections.abc import Callable
from threading import current_thread

import pytest

from pages.parts.kit import capacity
from tests.app.conftest import run_full_collection


class CyclicResult:
    """Data that a visitor leaves behind. It refers to itself, so only garbage collection frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that tests set. The last full garbage collection was at time 0.

    Threads that other tests left running do not collect garbage.
    """
    seconds, test_thread = [0.0], current_thread()

    def run_in_thread(function: Callable[[], None]) -> Callable[[], None]:
        return lambda: function() if current_thread() is test_thread else None

    def walk(*_: object, **__: object) -> list[object]:
        raise AssertionError("a list of all objects holds tuples that other threads are still building")

    monkeypatch.setattr(gc, "get_objects", walk)
    monkeypatch.setattr(capacity, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(capacity, "freeze_loaded_objects", run_in_thread(run_full_collection))
    monkeypatch.setattr(capacity, "freeze_new_objects", run_in_thread(capacity.freeze_new_objects))
    capacity.freeze_loaded_objects()
    return seconds


def test_new_objects_are_excluded_from_collections_only_if_there_are_many(clock: list[float]):
    for object_count, frozen_count in ((10, 0), (capacity._MAX_NEW_BLOCKS, capacity._MAX_NEW_BLOCKS)):
        objects = [CyclicResult() for _ in range(object_count)]
        gc.collect()
        count_before = gc.get_freeze_count()
        capacity.freeze_new_objects()
        newly_frozen = gc.get_freeze_count() - count_before
        assert newly_frozen >= frozen_count if frozen_count else newly_frozen <= 0
        assert objects


def test_memory_of_a_departed_visitor_is_freed_within_a_minute(clock: list[float]):
    objects = [CyclicResult() for _ in range(capacity._MAX_NEW_BLOCKS)]
    reference = weakref.ref(objects[0])
    gc.collect()
    capacity.freeze_new_objects()
    del objects
    gc.collect()
    assert reference(), "no search looks at what was left out"
    clock[0] = capacity._FULL_SEARCH_INTERVAL_S + 1
    capacity.freeze_new_objects()
    assert not reference()
