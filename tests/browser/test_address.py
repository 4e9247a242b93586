"""Test the URL in a browser: custom captions, refused links, the language on every page, reload and navigation back."""

from urllib.parse import parse_qs, urlsplit

import pytest

from pages.parts.kit import shell
from pages.parts.kit.page import NAME_BY_PAGE
from pages.parts.kit.texts import INTERFACE_LANGUAGES, t
from tests.browser.conftest import RecordedPage, click_when_ready, open_recorded_page, wait_for_result, wait_until_still, write
from tests.cli.test_app import BASE_PATH, start_app

PATH_BY_PAGE = {name: "" if path == "app.py" else shell.page_address(path) for path, name in NAME_BY_PAGE.items()}


def query_parameters(page: object) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}


def wait_for_language(page: object, name: str, language: str) -> None:
    """Wait until the page of this name is complete in this language."""
    page.wait_for_url(lambda url: urlsplit(url).path == f"/{PATH_BY_PAGE[name]}")
    page.locator(".sc-head p", has_text=t(f"page.{name}_tagline", language=language)).wait_for(state="attached")
    page.locator(".st-key-head").get_by_role("radio", name=INTERFACE_LANGUAGES[language], checked=True).wait_for()
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    links = page.locator(".st-key-head").get_by_role("link")
    assert links.all_inner_texts() == [t(f"page.{page_key}", language=language) for page_key in NAME_BY_PAGE.values()]


def wait_for_references(page: object, *numbers: int) -> None:
    """Wait until exactly these references are scored."""
    marked_elements = "[...document.querySelectorAll('.st-key-inspect-others .sc-marked')]"
    counted_texts = f"{marked_elements}.flatMap((each, i) => each.classList.contains('sc-off') ? [] : [i + 1])"
    page.wait_for_function(f"numbers => JSON.stringify({counted_texts}) === JSON.stringify(numbers)", arg=numbers)
    wait_for_result(page)


def test_references_and_custom_captions_survive_a_reload_and_never_enter_the_url(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    page.goto(f"{address}/?refs=1.3")
    wait_for_references(page, 1, 3)
    assert query_parameters(page)["refs"] == "1.3"
    click_when_ready(page.locator(".st-key-inspect-used").get_by_role("button", name="2"))
    wait_for_references(page, 1, 2, 3)
    assert "refs" not in query_parameters(page)

    write(page.get_by_label("Candidate caption"), "Two dogs sleep on a red sofa.")
    write(page.get_by_label("Reference 2", exact=True), "A dog naps on a couch.")
    click_when_ready(page.get_by_role("button", name="Score"))
    page.locator(".sc-marked", has_text="Two dogs sleep").wait_for()
    click_when_ready(page.locator(".st-key-inspect-used").get_by_role("button", name="1"))
    wait_for_references(page, 2, 3)
    page.reload()
    wait_for_references(page, 2, 3)
    for field_index, text in ((0, "Two dogs sleep on a red sofa."), (2, "A dog naps on a couch.")):
        marked_captions = page.locator(".sc-marked").nth(field_index)
        # The element is hidden until the script finds the scored text in the field.
        marked_captions.wait_for()
        assert marked_captions.inner_text() == text
    assert not {"t", "example", "refs"} & query_parameters(page).keys()
    page.goto(f"{address}/?example=pizza")
    page.locator(".sc-marked", has_text="pizza").first.wait_for()
    wait_until_still(page)
    check_typed_captions_survive(page)
    assert recorded_page.abroad == [] and recorded_page.errors == []


def check_typed_captions_survive(page: object) -> None:
    """Check that captions that are not scored yet survive a reload, a visit to another page, and an example.

    After the reload and after the visit, the old result is still dimmed.
    """
    field, dim = page.get_by_label("Reference 1", exact=True), "dim => document.documentElement.classList.contains('sc-stale') === dim"
    page.locator(".sc-marked").nth(1).click(position={"x": 3, "y": 12})
    page.wait_for_function("document.activeElement.ariaLabel === 'Reference 1'")
    write(field, "A pizza with <q>olives.")
    page.wait_for_function(dim, arg=True)
    for navigate in (
        page.reload,
        lambda: (
            click_when_ready(page.get_by_role("link", name="Learn", exact=True)),
            page.wait_for_url("**/Learn*"),
            wait_until_still(page),
            page.go_back(),
        ),
    ):
        navigate()
        page.wait_for_function("document.querySelector('[aria-label=\"Reference 1\"]')?.value.includes('olives')")
        page.wait_for_function(dim, arg=True)
        wait_for_result(page)
    click_when_ready(page.get_by_text("Examples", exact=True))
    click_when_ready(page.locator(".st-key-inspect-example-giraffe button"))
    click_when_ready(page.get_by_role("button", name="Back to your captions"))
    page.locator(".sc-marked", has_text="<q>olives").wait_for()
    page.wait_for_function(dim, arg=False)


def test_an_invalid_link_is_reported_and_empty_tab_storage_ignored(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    page.goto(f"{address}/?t=eNqrVkpOLCjJzM8rVrJSUHJUSMlP11PSUVAqTi0pycxLB4lW19YCAO4qDFg&refs=2")
    page.locator(".sc-say:visible").wait_for()
    wait_for_references(page, 1, 2, 3)
    assert page.locator(".sc-say:visible").count() == 1 and not {"t", "refs"} & query_parameters(page).keys()
    for stored_text in ("no JSON", '{"captions": ["\\ud800", "a"], "settings": {"lang": "en"}}'):
        page.evaluate("found => sessionStorage.setItem('spice_core.inspect', found)", stored_text)
        page.goto(address)
        wait_for_references(page, 1, 2, 3)
    assert page.get_by_test_id("stException").count() == 0 and recorded_page.errors == []


@pytest.mark.parametrize(
    ("locale", "chosen_language", "pages_back"),
    [("en-US", "ja", 1), *(pytest.param(*case, 5, marks=pytest.mark.release) for case in (("en-US", "ja"), ("ja-JP", "en")))],
)
def test_the_language_applies_to_every_page_and_after_navigation_back(
    browser, recorded_page: RecordedPage, address: str, locale: str, chosen_language: str, pages_back: int
):
    other_language = None if locale == "en-US" else browser.new_context(locale=locale)
    page = RecordedPage(open_recorded_page(other_language)).page if other_language else recorded_page.page
    page.goto(address)
    wait_for_language(page, "inspect", locale[:2])
    wait_for_result(page)
    click_when_ready(page.locator(".st-key-head").get_by_role("radio", name=INTERFACE_LANGUAGES[chosen_language]))
    wait_for_language(page, "inspect", chosen_language)
    visited_pages = ["inspect", *(name for name in list(PATH_BY_PAGE)[1:] if pages_back > 1 or name in ("rules", "learn"))]
    for name in visited_pages[1:]:
        click_when_ready(page.locator(".st-key-head").get_by_role("link", name=t(f"page.{name}", language=chosen_language), exact=True))
        wait_for_language(page, name, chosen_language)
        assert query_parameters(page)["ui"] == chosen_language
        if name == "learn":
            page.reload()
            wait_for_language(page, name, chosen_language)
    for name in [*reversed(visited_pages[:-1])][:pages_back]:
        page.go_back()
        wait_for_language(page, name, chosen_language)
    if other_language:
        other_language.close()


@pytest.mark.release
def test_every_page_loads_below_a_base_path(browser: object):
    """All requests stay below the path and are answered."""
    refused_requests: list[str] = []
    with start_app("--base-path", BASE_PATH) as (port, _):
        address, context = f"http://localhost:{port}{BASE_PATH}", browser.new_context()
        recorded_page = RecordedPage(open_recorded_page(context))
        page, known_starts = recorded_page.page, (f"{address}/", "data:", "blob:")
        page.on("request", lambda request: None if request.url.startswith(known_starts) else refused_requests.append(request.url))
        page.on("response", lambda answer: refused_requests.append(answer.url) if answer.status >= 400 else None)
        page.goto(f"{address}/")
        wait_for_result(page)
        assert page.evaluate("document.fonts.check('16px Inter')")
        click_when_ready(page.get_by_role("link", name="Rules").first)
        page.wait_for_url(f"{address}/Rules*")
        for path in list(PATH_BY_PAGE.values())[1:]:
            page.goto(f"{address}/{path}")
            page.locator(".sc-head").wait_for()
            wait_until_still(page)
            assert page.get_by_test_id("stException").count() == 0
        context.close()
    assert refused_requests == recorded_page.errors == []
