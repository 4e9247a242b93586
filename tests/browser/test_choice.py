"""Lists show their choice in the language of the page, in the browser itself."""

from __future__ import annotations

import pytest

from pages.parts.kit.texts import INTERFACE, t
from tests.browser.conftest import Watched, press, quiet, settled


def picked(page: object, key: str) -> str:
    """What a list shows as its choice."""
    box = page.locator(f".st-key-{key}").get_by_role("combobox")
    return box.evaluate("box => box.value || box.closest('[data-baseweb=select], [data-testid=stSelectbox]').innerText")


@pytest.mark.parametrize(
    ("path", "key", "label"),
    [
        ("", "inspect-focus", "focus.nothing"),
        ("Learn?step=tuples", "learn-step", "tour.tuples"),
        ("Batch", "batch-kind", "batch.by_none"),
    ],
)
def test_a_list_is_relabelled_when_the_language_is_switched(watched: Watched, address: str, path: str, key: str, label: str):
    page = watched.page
    page.goto(f"{address}/{path}")
    page.locator(f".st-key-{key}").wait_for()
    if not path:
        settled(page)
    quiet(page)
    assert t(label, language="en") in picked(page, key)
    for language in ("ja", "en"):
        press(page.locator(".st-key-head").get_by_role("radio", name=INTERFACE[language]))
        page.wait_for_function("lang => document.title && document.body.innerText.includes(lang)", arg=t("page.batch", language=language))
        quiet(page)
        print(language, repr(picked(page, key)))
        assert t(label, language=language) in picked(page, key)
    assert watched.errors == []
