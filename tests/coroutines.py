"""Coroutines in tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor


def run_coroutine(coroutine: Coroutine[object, object, object]) -> object:
    """Run a coroutine in a thread, because browser tests keep an event loop running in the main thread."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, coroutine).result()
