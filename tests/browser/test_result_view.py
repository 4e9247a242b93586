"""Clicks, keys and links on the Inspect page have the same effect in all views and for another visitor."""

import re
from contextlib import suppress

from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from pages.parts.kit.texts import t
from tests.browser.conftest import (
    GRAPHS_SELECTOR,
    RecordedPage,
    check_width,
    click_when_ready,
    delay_answers,
    find_node,
    open_recorded_page,
    wait_for_answer,
    wait_for_result,
    wait_until_ready,
    wait_until_still,
    write,
)
from tests.browser.test_inspect import check_first_screen, check_phone_layout, f1, top_offsets_px


def focused_nodes(page: object) -> list[str]:
    return page.locator(GRAPHS_SELECTOR).evaluate("main => main.graphs.focused")


_FOCUSED_LABELS_JS = """main.graphs.data.panels.flatMap(panel => panel.nodes)
    .filter(node => main.graphs.focused.includes(node.id)).map(node => node.label)"""


def focused_words(page: object) -> set[str]:
    return set(page.locator(GRAPHS_SELECTOR).evaluate(f"main => {_FOCUSED_LABELS_JS}"))


def wait_for_no_focus(page: object) -> None:
    """Wait until no node is in focus. The URL changes before the drawing does."""
    page.wait_for_function("main => !main.graphs.focused.length", arg=page.locator(GRAPHS_SELECTOR).element_handle())


def outlined_words(page: object) -> list[str]:
    """Return the marked words with a solid outline."""
    words = "[...document.querySelectorAll('.sc-marked mark')].filter(m => getComputedStyle(m).outlineStyle === 'solid')"
    return page.evaluate(f"() => {words}.map(mark => mark.innerText)")


def wait_for_explanation(page: object, text: str) -> None:
    """Wait until the explanation of this tuple is shown."""
    page.locator(".sc-detail header", has_text=text).wait_for()


def wait_for_url_text(page: object, text: str, *, is_present: bool = True) -> None:
    """Wait until the URL contains this text, or until it does not if ``is_present`` is false."""
    page.wait_for_function("([text, told]) => location.search.includes(text) === told", arg=[text, is_present])


def test_a_focus_is_shown_in_all_views_at_every_width(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    page.goto(f"{address}/?example=umbrella")
    wait_for_result(page)
    check_first_screen(page)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True))) == 1
    check_phone_layout(page)
    # A small graph needs no search, and single sentences need no steps, so the bar for both is hidden.
    assert page.locator("nav.bar").is_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
    check_panels_move_together(page)
    page.set_viewport_size({"width": 375, "height": 812})
    check_click_far_from_drawer(page)
    for width in (320, 375, 1440):
        check_width(page, width)
    check_click_highlights_all_views(page)
    check_keys_in_drawing(page)
    check_click_on_line(page)
    check_category_filter(page)
    check_combined_drawing(page)
    check_keyboard_focus(page)
    assert recorded_page.abroad == recorded_page.errors == []


def check_panels_move_together(page: object) -> None:
    """Check that wheel and drag move both panels together unless unlocked, and that Fit resets both."""
    graphs = page.locator(GRAPHS_SELECTOR)

    def views() -> list[list[int]]:
        return graphs.evaluate(
            "main => main.graphs.data.panels.map(({ picture, view }) => [picture.getScreenCTM().a, view.y].map(x => Math.round(90 * x)))"
        )

    wait_until_still(page)
    home, box = views(), graphs.locator(".graph").first.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.wheel(0, -200)
    larger = views()
    assert larger[0] == larger[1] and larger[0][0] > home[0][0]
    page.mouse.down()
    page.mouse.move(box["x"] + 70, box["y"] + 110, steps=3)
    page.mouse.up()
    moved_views = views()
    assert moved_views[0] == moved_views[1] != larger[0]
    click_when_ready(graphs.get_by_role("button", name=f"{t('graphs.lock')}: {t('graphs.candidate')}"))
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.wheel(0, -100)
    assert views()[0] != views()[1] == moved_views[1]
    click_when_ready(graphs.get_by_role("button", name=f"{t('graphs.lock')}: {t('graphs.references')}"))
    click_when_ready(graphs.get_by_role("button", name=f"{t('graphs.fit')}: {t('graphs.references')}"))
    assert views() == home


def check_click_far_from_drawer(page: object) -> None:
    button = page.locator(".sc-tuple-cell button").last
    button.scroll_into_view_if_needed()
    click_when_ready(button)
    drawer = page.locator(".sc-here")
    drawer.wait_for()
    wait_until_still(page)
    button_box, drawer_box = button.bounding_box(), drawer.bounding_box()
    assert (
        button_box["y"] >= 0 and button_box["y"] + button_box["height"] <= drawer_box["y"] and drawer_box["y"] + drawer_box["height"] <= 812
    )


def check_click_highlights_all_views(page: object) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    wait_until_still(page)
    node = find_node(page, "hold", kind="relation")
    graph_box = page.locator(GRAPHS_SELECTOR).bounding_box()
    page.mouse.click(*node)
    wait_for_explanation(page, "woman – hold – umbrella")
    wait_until_still(page)
    assert page.locator(GRAPHS_SELECTOR).bounding_box() == graph_box  # a click keeps the graph
    page.set_viewport_size({"width": 1440, "height": 900})
    wait_until_still(page)
    assert len(focused_nodes(page)) == 2 and outlined_words(page) == ["holding"] * 2
    wait_for_url_text(page, "focus=")
    page.get_by_role("button", name="Parse of Candidate").wait_for()
    page.mouse.click(*find_node(page, "blue", panel=1))
    page.locator(".sc-detail", has_text="red").wait_for()
    assert "Why it did not match" in page.locator(".sc-detail").inner_text() and outlined_words(page) == ["blue", "blue"]
    click_when_ready(page.locator(".sc-detail button", has_text="umbrella: red"))
    wait_for_explanation(page, "umbrella: red")
    click_when_ready(page.locator(".sc-marked mark", has_text="rain"))
    wait_for_explanation(page, "rain")
    click_when_ready(page.locator(".sc-tuples button", has_text="woman – walk in – rain"))
    page.locator(".sc-here header", has_text="walk in").wait_for()
    x, y = find_node(page, "woman")
    page.mouse.click(x, y - 60)
    page.locator(".sc-hint").wait_for(state="attached")
    wait_for_url_text(page, "focus", is_present=False)
    wait_for_no_focus(page)


def check_keys_in_drawing(page: object) -> None:
    """Check that Tab enters a graph once, arrow keys move between its nodes, and Enter chooses a node."""
    nodes = page.locator(f"{GRAPHS_SELECTOR} .graph").first.locator(".node")
    assert [node.get_attribute("tabindex") for node in nodes.all()].count("0") == 1
    page.get_by_role("button", name=f"{t('graphs.lock')}: {t('graphs.candidate')}").focus()
    page.keyboard.press("Tab")
    # The first node is the woman, at the left.
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    focused_title = (
        "() => { let at = document.activeElement; while (at.shadowRoot) at = at.shadowRoot.activeElement; return at.textContent; }"
    )
    assert "umbrella" in page.evaluate(focused_title)
    page.keyboard.press("Enter")
    wait_for_explanation(page, "umbrella")
    wait_for_url_text(page, "focus=")
    wait_until_still(page)
    assert "umbrella" in page.evaluate(focused_title)


def check_click_on_line(page: object) -> None:
    """Check that a click near a line chooses its relation."""
    woman, relation = find_node(page, "woman"), find_node(page, "hold", kind="relation")
    page.mouse.click((woman[0] + relation[0]) / 2, (woman[1] + relation[1]) / 2 + 3)
    wait_for_explanation(page, "woman – hold – umbrella")
    page.mouse.click(woman[0], woman[1] - 60)
    page.locator(".sc-hint").wait_for(state="attached")
    wait_for_no_focus(page)


def check_category_filter(page: object) -> None:
    bars = page.locator("[class*=st-key-inspect-bars]")
    # The bar of this category is empty, so click on its track.
    click_when_ready(bars.get_by_role("button", name="Colour").locator(".track"))
    wait_for_url_text(page, "category=Color")
    bars.get_by_role("button", name="Colour", pressed=True).wait_for()
    page.locator(".sc-tuples tbody tr").nth(2).wait_for(state="detached")
    assert {row.inner_text() for row in page.locator(".sc-tuples button").all()} == {"umbrella: red", "umbrella: blue"}
    relation = bars.get_by_role("button", name="Relation")
    relation.focus()
    page.keyboard.press("Enter")
    wait_for_url_text(page, "category=Relation")
    bars.get_by_role("button", name="Relation", pressed=True).wait_for()
    assert relation.evaluate("button => button.getRootNode().activeElement === button")
    page.keyboard.press("Enter")
    wait_for_url_text(page, "category", is_present=False)
    # The URL changes before the bars do.
    bars.get_by_role("button", pressed=True).wait_for(state="detached")


def check_keyboard_focus(page: object) -> None:
    """Check that a table row and the list "Focus on" work without a mouse."""
    row = page.locator(".sc-tuples button", has_text="umbrella: blue")
    wait_until_still(page)
    row.focus()
    page.keyboard.press("Enter")
    page.locator(".sc-here header", has_text="umbrella: blue").wait_for()
    wait_for_url_text(page, "focus=")
    box = page.get_by_role("combobox", name="Focus on")
    page.wait_for_function("box => box.value.startsWith('umbrella: blue')", arg=box.element_handle())
    wait_for_result(page)
    # The list is updated late. Until then, Enter has no effect.
    for _ in range(4):
        box.focus()
        page.keyboard.press("ArrowDown")
        box.fill("rain")
        page.locator("[role=option][data-focused]", has_text="rain (").wait_for()
        page.keyboard.press("Enter")
        with suppress(PlaywrightTimeout):
            page.locator(".sc-detail header", has_text="rain").wait_for(timeout=60_000)
            break
    wait_for_explanation(page, "rain")
    assert focused_nodes(page)


def check_combined_drawing(page: object) -> None:
    """Check that the graphs are side by side, and that clicks also work in the views Union and Difference."""
    assert find_node(page, "red")[0] != find_node(page, "blue", panel=1)[0]
    for view, word in (("Union", "blue"), ("Difference", "red")):
        click_when_ready(page.get_by_test_id("stButtonGroup").get_by_text(view, exact=True))
        wait_for_url_text(page, f"view={view.lower()}")
        wait_for_result(page)
        page.mouse.click(*find_node(page, word))
        wait_for_explanation(page, f"umbrella: {word}")


def test_a_sentence_and_a_word_are_found_in_a_large_graph(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    page.goto(f"{address}/?example=market")
    wait_for_result(page)
    check_phone_layout(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    assert top_offsets_px(page, GRAPHS_SELECTOR)[0] <= 450
    check_sentence_filter(page, "en", 2, {"woman", "smile at", "man", "stand behind", "wooden", "stall"})
    check_word_search(page)
    page.goto(f"{address}/?example=ja-kitchen&ui=ja")
    wait_for_result(page)
    check_sentence_filter(page, "ja", 1, {"女性", "着ける", "赤い", "エプロン", "鍋", "かき混ぜる"})
    assert recorded_page.abroad == recorded_page.errors == []


def check_sentence_filter(page: object, language: str, sentence: int, some_words: set[str]) -> None:
    counts = page.locator(".sc-sentences button")
    assert counts.count() > 6
    click_when_ready(counts.nth(sentence))
    status = page.locator("nav.bar .status")
    status.locator("b").wait_for()
    page.wait_for_function(
        f"([main, some]) => some.every(word => ({_FOCUSED_LABELS_JS}).includes(word))",
        arg=[page.locator(GRAPHS_SELECTOR).element_handle(), list(some_words)],
    )
    assert counts.nth(sentence).inner_text() in status.inner_text()
    assert page.locator(GRAPHS_SELECTOR).evaluate("main => main.getBoundingClientRect().top < innerHeight - 200")
    names = [t(f"bar.{name}", language=language) for name in ("next", "before", "all")]
    next_button, previous_button, full_button = (page.get_by_role("button", name=name, exact=True) for name in names)
    first_status = status.inner_text()
    # The server draws the rest of the fragment after the status.
    wait_for_result(page)
    next_button.press("Enter")
    assert status.inner_text() != first_status
    previous_button.press("Enter")
    assert status.inner_text() == first_status
    wait_for_result(page)
    wait_until_ready(full_button)
    # A late drawing keeps the nodes highlighted by the pointer.
    with delay_answers(page):
        full_button.click()
        assert focused_nodes(page) == [] and full_button.is_disabled()
        page.locator(".sc-sentences p").nth(sentence).locator("span").first.hover()
        wait_for_answer(page)
    wait_for_result(page)
    page.wait_for_function("main => main.graphs.focused.length > 0", arg=page.locator(GRAPHS_SELECTOR).element_handle())
    page.mouse.move(2, 2)
    wait_for_no_focus(page)


def check_word_search(page: object) -> None:
    click_when_ready(page.get_by_text("Show all"))
    field, found_count = page.get_by_placeholder("Find in the graph"), page.locator("nav.bar output")
    write(field, "BOX")
    assert focused_words(page) == {"box"} and found_count.inner_text() == "2 found"
    field.press("Enter")
    assert len(focused_nodes(page)) == 1 and found_count.inner_text() == "1/2"
    field.press("Enter")
    assert found_count.inner_text() == "2/2"
    write(field, "elephant <b>")
    assert focused_nodes(page) == [] and found_count.inner_text() == "not found"
    field.press("Escape")
    assert field.input_value() == "" and found_count.inner_text() == ""


def test_visitors_are_independent_until_one_sends_a_link(recorded_page: RecordedPage, address: str, browser: object):
    context = browser.new_context()
    other_page = RecordedPage(open_recorded_page(context))
    captions = {recorded_page.page: "A zebra & a ‘cat’ on a sofa.", other_page.page: "A giraffe."}
    for page in captions:
        page.goto(address)
    for page, caption in captions.items():
        wait_for_result(page)
        write(page.get_by_label("Candidate caption"), caption)
        click_when_ready(page.get_by_role("button", name="Score"))
    for page, own_text, other_text in ((recorded_page.page, "zebra", "giraffe"), (other_page.page, "giraffe", "zebra")):
        page.locator(".sc-tuples", has_text=own_text).wait_for()
        wait_for_result(page)
        assert other_text not in page.locator("body").inner_text()

    page = recorded_page.page
    page.mouse.click(*find_node(page, "sofa"))
    wait_for_explanation(page, "sofa")
    wait_for_url_text(page, "focus=")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    click_when_ready(page.get_by_role("button", name="Copy link"))
    page.get_by_text("Copied. The link contains the captions").wait_for()
    other_page.page.goto(page.evaluate("navigator.clipboard.readText()"))
    wait_for_result(other_page.page)
    expect(other_page.page.get_by_label("Candidate caption")).to_have_value(captions[page])
    assert f1(other_page.page) == f1(page) and "sofa" in other_page.page.locator(".sc-detail header").inner_text()
    assert recorded_page.abroad == recorded_page.errors == other_page.abroad == other_page.errors == []
    context.close()
