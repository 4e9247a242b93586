"""Elements of the Learn page: questions with feedback, graphs, captions without marks, navigation, and slides."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from pages.parts.kit import choice
from pages.parts.kit.texts import t
from pages.parts.learn import results
from pages.parts.learn.lessons import StepFigures, TourStep
from pages.parts.learn.state import learn_state
from pages.parts.state import links
from pages.parts.state.engine import CaptionInputs, ScoredCaptions, find_exceeded_limits
from pages.parts.views import detail, graphs, present, tuples

NO_FOCUS = ""


@dataclass(frozen=True)
class StepProgress:
    """A visitor's progress at a step: the chosen answer, and whether the solution is revealed."""

    answer: str = ""
    is_revealed: bool = False

    @property
    def open(self) -> bool:
        """Whether the picture may be shown."""
        return bool(self.answer) or self.is_revealed


def italics_html(text: str) -> str:
    """Return a text as HTML, with *words* in italics."""
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", escape(text))


def step_text(step: TourStep, key_suffix: str, figures: StepFigures) -> str:
    """Return a text of a step, filled in with computed values."""
    return t(f"tour.{step.name}_{key_suffix}", **figures.values)


def current_progress(step: TourStep) -> StepProgress:
    """Return the progress of the visitor at this step."""
    state = learn_state()
    chosen_name = st.session_state.get(f"learn.{step.name}.answer", state.steps.get(step.name))
    return StepProgress(chosen_name or "", step.name in state.revealed_steps)


def ask_question(step: TourStep, figures: StepFigures) -> StepProgress:
    """Show the choices, the feedback, and the Reveal button or the revealed text. Return the progress."""
    if step.choices:
        answer = _show_choices(step, figures)
        learn_state().steps[step.name] = answer
        if answer:
            is_right = answer in figures.right_choices
            show_feedback(t("learn.right" if is_right else "learn.wrong"), step_text(step, f"{answer}_why", figures), is_right=is_right)
    progress = current_progress(step)
    if not progress.is_revealed:
        st.button(
            t("learn.reveal"), key=f"learn.{step.name}.reveal", type="primary", on_click=learn_state().revealed_steps.add, args=(step.name,)
        )
    else:
        st.html(f'<p class="sc-then" role="status">{italics_html(step_text(step, "then", figures))}</p>')
    return progress


def _show_choices(step: TourStep, figures: StepFigures) -> str:
    widget, labels = f"learn.{step.name}.answer", {name: step_text(step, name, figures) for name in step.choices}
    if widget not in st.session_state:
        answer = learn_state().steps.get(step.name)
        st.session_state[widget] = answer if answer in labels else None
    return st.radio(step_text(step, "ask", figures), list(labels), key=widget, format_func=labels.__getitem__) or ""


def show_feedback(verdict: str, reason: str, *, is_right: bool) -> None:
    """Show the verdict on an answer and its reason."""
    st.html(f'<p class="sc-verdict sc-{"yes" if is_right else "no"}" role="status"><b>{escape(verdict)}</b> {italics_html(reason)}</p>')


@st.fragment
def show_graph(
    scored_captions: ScoredCaptions, *, key: str, view: str = "union", is_plain: bool = False, highlighted_rows: Sequence[str] = ()
) -> None:
    """Draw a view. A click on a tuple, or its choice in the list below the drawing, puts the tuple in focus.

    Without a focus, the ``highlighted_rows`` stand out.
    """
    rows = scored_captions.explanation.rows
    names = {NO_FOCUS: t("focus.nothing"), **tuples.tuple_labels(rows)}
    widget = f"{key}.focus"
    if st.session_state.get(widget) not in names:
        st.session_state[widget] = choice.last_choice(widget, names, NO_FOCUS)
    focus = st.session_state[widget]
    graphs.show_view(
        scored_captions, focus=focus, highlighted_rows=[focus] if focus else highlighted_rows, key=key, view=view, is_plain=is_plain
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        choice.selectbox(t("learn.focus"), names, key=widget, width=320)
        if address := links.inspect_address(scored_captions.inputs, scored_captions.settings):
            st.link_button(t("learn.inspect"), address, type="tertiary")
    st.html(detail.row_html(scored_captions, focus) if focus else detail.hint_html(t("learn.hint")))
    detail.send_details(scored_captions, key=key)


def show_captions(captions: dict[str, str], *, lang: str) -> None:
    """Show captions with their labels, without marks."""
    lines = "".join(f'<div><dt>{escape(name)}</dt><dd lang="{lang}">{escape(text)}</dd></div>' for name, text in captions.items())
    short_class = " sc-letters" if all(len(name) < 3 for name in captions) else ""
    st.html(f'<dl class="sc-captions sc-stacked{short_class}">{lines}</dl>')


def show_scored_captions(scored_captions: ScoredCaptions) -> None:
    """Show the captions of a result without marks."""
    inputs = scored_captions.inputs
    texts = dict(zip(scored_captions.caption_labels, (inputs.candidate, *inputs.references)))
    show_captions(texts, lang=scored_captions.settings.lang)


def show_navigation(
    position: int, total: int, go_to: Callable[[int], None], *, section: str = "learn", choose: Callable[[], object] = lambda: None
) -> None:
    """Show Back, what ``choose`` shows, Next and Present. The left and right arrow keys press Back and Next."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn.ways"):
        is_first, is_last = position == 0, position == total - 1
        st.button(t(f"{section}.back"), key="learn.back", on_click=go_to, args=(position - 1,), disabled=is_first, shortcut="Left")
        choose()
        st.button(t(f"{section}.next"), key="learn.next", on_click=go_to, args=(position + 1,), disabled=is_last, shortcut="Right")
        present.show_button()


def present_result(scored_captions: ScoredCaptions, slide: present.PresentedSlide, place: str, turn_slide: Callable[[int], None]) -> None:
    """If the URL requests it, present a result on the full screen.

    Captions that the presenter enters at a ``place`` stay until the next slide.
    """
    if not present.is_active():
        return
    entered_inputs = learn_state().presented_inputs

    def leave_slide(offset: int) -> None:
        entered_inputs.pop(place, None)
        turn_slide(offset)

    def use_captions(inputs: CaptionInputs) -> None:
        if not find_exceeded_limits(inputs):
            entered_inputs[place] = inputs

    if inputs := entered_inputs.get(place):
        scored_captions = results.score_inputs(inputs)
    present.show_presentation(scored_captions, slide, turn_slide=leave_slide, use_captions=use_captions)
