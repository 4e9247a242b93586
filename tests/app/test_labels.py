"""External text is not rendered as Markdown: labels, options and help of all widgets show it unchanged."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from pages.parts.state import links
from pages.parts.state.engine import CaptionInputs
from spice_core.data.reader import Upload
from tests.app.conftest import enter_and_score, open_page, visit
from tests.app.test_batch import run_batch, upload, upload_files
from tests.app.test_systems import open_with_uploads

pytestmark = pytest.mark.usefixtures("run_tasks_in_process")
MARKDOWN_PICTURE = "![x](http://host/p.png)"
MARKDOWN_LINK_SIGNS = ("![x](", "](http")
MARKDOWN_FIELDS = ("label", "help", "text", "body", "content", "caption", "captions", "options", "placeholder")
PLAIN_TEXT_ELEMENTS = {
    "html",
    "text_area",
    "text_input",
    "dataframe",
    "arrow_data_frame",
    "selectbox",
    "multiselect",
    "code",
    "file_uploader",
}


def markdown_texts(app: AppTest) -> Iterator[tuple[str, str, str]]:
    """Yield kind, field and text of everything rendered as Markdown."""

    def nested_texts(node: object) -> Iterator[tuple[str, str, str]]:
        kind = getattr(node, "type", "")
        if (proto := getattr(node, "proto", None)) is not None:
            yield from texts(kind, MessageToDict(proto))
        for child in getattr(node, "children", {}).values():
            yield from nested_texts(child)

    def texts(element_type: str, content: object, name: str = "") -> Iterator[tuple[str, str, str]]:
        if isinstance(content, dict):
            for key, value in content.items():
                yield from texts(element_type, value, key)
        elif isinstance(content, list):
            for value in content:
                yield from texts(element_type, value, name)
        elif (
            isinstance(content, str) and name in MARKDOWN_FIELDS and (element_type not in PLAIN_TEXT_ELEMENTS or name in ("label", "help"))
        ):
            yield element_type, name, content

    yield from nested_texts(app._tree)


def open_inspect_page() -> AppTest:
    app = open_page(state={"inspect.categories": f"{MARKDOWN_PICTURE}: girl, dog"})
    app = enter_and_score(app, f"A dog on a {MARKDOWN_PICTURE} sofa.", f"{MARKDOWN_PICTURE} dog", f"A girl. {MARKDOWN_PICTURE}")
    app.session_state["InspectState"].custom_inputs = CaptionInputs(MARKDOWN_PICTURE, ())
    app = app.run()
    assert app.button(key="inspect.back").help
    return app


def hostile_file(name: str = "") -> Upload:
    """Return a file with hostile texts in its name, ids and captions."""
    row = {"test": f"A {MARKDOWN_PICTURE} dog.", "refs": [f"A dog on a {MARKDOWN_PICTURE} sofa."]}
    return replace(upload(*({"image_id": f"{MARKDOWN_PICTURE} {i}"} | row for i in range(3))), name=f"{MARKDOWN_PICTURE}{name}.jsonl")


def open_batch_page() -> AppTest:
    app = run_batch(upload_files(visit("3_Batch", find=MARKDOWN_PICTURE, by="word", only=MARKDOWN_PICTURE), hostile_file()))
    app.session_state["batch.tags"] = [MARKDOWN_PICTURE]
    return app.run()


def open_systems_page() -> AppTest:
    return open_with_uploads(*((file.name, file.content, "text/plain") for file in map(hostile_file, "AB")))


def open_learn_page() -> AppTest:
    item = {
        "id": MARKDOWN_PICTURE,
        "candidate": f"A {MARKDOWN_PICTURE} dog.",
        "references": [f"{MARKDOWN_PICTURE} dog"],
        "ask": MARKDOWN_PICTURE,
        "answer": "matched",
    }
    return visit("6_Learn", section="set", set=links.pack_json({"spice_class_set": 1, "lang": "en", "items": [item]}))


def open_rules_page() -> AppTest:
    return visit("2_Rules", section="why", caption=f"A dog on a {MARKDOWN_PICTURE} sofa.", words="0.2-6")


def open_agreement_page() -> AppTest:
    content = f"candidate,ref1,rating,{MARKDOWN_PICTURE}\nA {MARKDOWN_PICTURE} dog.,A dog {MARKDOWN_PICTURE},3,x\nA cat.,A cat.,4,y\nA bus.,A car.,1,z\n".encode()
    app = visit("5_Agreement", {"agreement.source": "upload"})
    app.file_uploader(key="agreement.file").set_value([(f"{MARKDOWN_PICTURE}.csv", content, "text/csv")]).run()
    app.button(key="agreement.measure").click().run()
    app.session_state["agreement.study"].wait(240)
    return app.run()


@pytest.mark.parametrize(
    "open_function", [open_inspect_page, open_batch_page, open_systems_page, open_learn_page, open_rules_page, open_agreement_page]
)
def test_external_text_is_not_rendered_as_markdown(open_function):
    app = open_function()
    texts_ = [text for text in markdown_texts(app)]
    assert not app.exception and len(texts_) > 10
    assert [text for text in texts_ if any(sign in text[2] for sign in MARKDOWN_LINK_SIGNS)] == []
