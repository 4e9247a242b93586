"""Helpers for page tests: open a page from a link, fill it in and read it."""

import html
import json
import pickle
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from pages.parts.agreement import views as agreement
from pages.parts.inspect import result_view
from pages.parts.jobs import tasks
from pages.parts.jobs.calculations import RatingStudy, build_study
from pages.parts.kit import bounded, capacity
from pages.parts.uploads import images
from spice_core.data.ratings import RatedCaption

APP = Path(__file__).parents[2] / "app.py"
# Without these caches, each AppTest recompiles every page and rereads the metadata of every installed package.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
app_test.ScriptCache = local_script_runner.ScriptCache = cache(app_test.ScriptCache)
# AppTest draws nothing.
result_view._DRAWING_PAUSE_S = 0
# A full garbage collection takes a second after earlier tests. Only test_memory.py runs it.
run_full_collection = capacity.freeze_loaded_objects
capacity.freeze_loaded_objects = capacity._freeze_objects


def open_page(page: str = "app.py", *, locale: str | None = None, state: Mapping[str, object] | None = None, **params: str) -> AppTest:
    """Open a page by a link with these parameters. ``locale`` is the browser's locale, and ``state`` becomes the session state."""
    app = AppTest.from_file(str(APP), default_timeout=240)
    app.context["locale"] = locale
    if page != "app.py":
        app.switch_page(page)
    for name, value in (state or {}).items():
        app.session_state[name] = value
    app.query_params.update(params)
    return app.run()


@pytest.fixture
def app() -> AppTest:
    return open_page()


@cache
def small_study(lang: str) -> RatingStudy:
    """Study only the first 20 rows of the sample and few metrics: the bootstrap of the full sample takes seconds."""
    sample = json.loads((agreement.AGREEMENT_FOLDER / f"sample_{lang}.json").read_text(encoding="utf-8"))
    captions = tuple(RatedCaption(row["candidate"], tuple(row["references"]), (row["rating"],)) for row in sample["items"][:20])
    names = [*[name for name in sample["scores"] if ": " not in name][:3], *[name for name in sample["scores"] if ": " in name][:2]]
    return build_study(captions, {name: sample["scores"][name][:20] for name in names}, "caption", lang, sample["signature"])


@pytest.fixture(scope="module")
def use_few_ratings() -> Iterator[None]:
    """Make the Agreement page use only a few ratings of its sample."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agreement, "load_sample_study", small_study)
        yield


class InProcessWorker:
    """A worker that calls functions in this process. It pickles arguments and results, as `Worker` does for its process."""

    def __init__(self, *, is_bounded: bool = False) -> None:
        """Impose no limits."""

    def call(self, function: Callable, *args: object, is_abandoned: Callable[[], bool]) -> object:
        function, args = pickle.loads(pickle.dumps((function, args)))
        return pickle.loads(pickle.dumps(function(*args)))


bounded.Worker, images._PICTURE_WORKER = InProcessWorker, InProcessWorker()  # starting a process takes longer than reading small files


@pytest.fixture(scope="module")
def run_tasks_in_process() -> Iterator[None]:
    """Run tasks in this process instead of the worker process that the app starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "_SHARED_WORKER", InProcessWorker())
        yield


def visit(page: str, state: Mapping[str, object] | None = None, **query: str) -> AppTest:
    return open_page(f"pages/{page}.py", state=state, **query)


def component_data(app: AppTest, component: str) -> dict:
    (component_json,) = (json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.component_name == component)
    return component_json


def page_html(app: AppTest) -> str:
    assert not app.exception
    return "\n".join(block.proto.body for block in app.get("html"))


def signature(app: AppTest) -> str:
    return re.findall(r'<pre class="sc-quoted">(.*?)</pre>', page_html(app))[-1]


def page_messages(app: AppTest, role: str = "status") -> list[str]:
    """Return the messages of the page: notes (``status``) or problems (``alert``)."""
    blocks = re.findall(rf'role="{role}">(.*?)</div>', page_html(app), re.S)
    return [html.unescape(text) for block in blocks for text in re.findall("<p>(.*?)</p>", block, re.S)]


def enter_and_score(app: AppTest, candidate: str, *references: str) -> AppTest:
    for _ in range(len(references) - len(reference_numbers(app))):
        app = app.button(key="inspect.add").click().run()
    app.text_area(key="inspect.candidate").set_value(candidate)
    for number, reference in zip(reference_numbers(app), [*references, "", "", ""], strict=False):
        app.text_area(key=f"inspect.reference.{number}").set_value(reference)
    return app.button(key="inspect.score").click().run()


def choose_example(app: AppTest, example: str) -> AppTest:
    app = app.toggle(key="inspect.gallery").set_value(True).run()
    return app.button(key=f"inspect.example.{example}").click().run()


def button_keys(app: AppTest) -> set[str]:
    return {button.key for button in app.button}


def open_drawer(app: AppTest, drawer: str) -> AppTest:
    app.session_state[f"inspect.{drawer}"] = True
    return app.run()


def reference_numbers(app: AppTest) -> list[int]:
    return app.session_state["InspectState"].row_ids


def shown_word_choice(app: AppTest) -> dict:
    """Return the data for the Rules page's word choice: sentences, chosen words and tree."""
    return component_data(app, "spice_words")
