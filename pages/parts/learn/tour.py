"""The tour: steps with one idea each, their texts, questions and pictures, and the navigation between them."""

from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import choice, html, page, url
from pages.parts.kit.texts import error_text, t
from pages.parts.learn import ask, graph, pictures, results
from pages.parts.learn.lessons import STEP_NAMES, TOUR_STEPS, StepFigures, TourStep
from pages.parts.learn.material import current_material
from pages.parts.learn.results import cached_result, score_original
from pages.parts.learn.state import learn_state
from pages.parts.state import settings
from pages.parts.state.engine import CaptionInputs, ScoredCaptions, find_excess
from pages.parts.views import captions, present, score, sheet
from pages.parts.views.present import AudienceChoice
from spice_core.errors import SpiceError
from spice_core.lang import detect_language, language

STEP_KEY = "learn.step"


def current_step() -> TourStep:
    """Return the step chosen by the visitor or the URL. An unknown step in the URL yields a message and the first step."""
    if STEP_KEY not in st.session_state:
        name = st.query_params.get("step", STEP_NAMES[0])
        name = STEP_NAMES[int(name) - 1] if name.isascii() and name.isdigit() and 0 < int(name[:3]) <= len(STEP_NAMES) else name
        if name not in STEP_NAMES:
            html.show_messages([t("learn.unknown_step", name=url.quote_value(name))])
        st.session_state[STEP_KEY] = name if name in STEP_NAMES else STEP_NAMES[0]
    url.set_param("step", st.session_state[STEP_KEY], STEP_NAMES[0])
    return TOUR_STEPS[STEP_NAMES.index(st.session_state[STEP_KEY])]


def show_tour() -> None:
    """Show the step with its text and question on the left and its picture on the right."""
    step = current_step()
    with st.spinner(t("states.loading")):
        figures = step.compute_figures()
    with st.container(key="learn.body"):
        with st.container(key="learn.told"):
            position_text = t("learn.at", number=STEP_NAMES.index(step.name) + 1, total=len(STEP_NAMES))
            st.html(f'<h2 class="sc-step"><small>{position_text}</small>{escape(t(f"tour.{step.name}"))}</h2>')
            st.html(f'<p class="sc-told">{ask.italics_html(ask.step_text(step, "text", figures))}</p>')
            progress = ask.ask_question(step, figures) if step.choices else pictures.ask_wrong_tuples(step, figures)
        with st.container(key="learn.picture"):
            pictures.SHOW_PICTURE_BY_NAME[step.name](figures, progress)
    _show_navigation(step)
    _present_step(step, figures)
    if progress.open:
        _compare_with_original(figures.scored_captions)
    show_custom_captions(step, figures)
    link = {"step": step.name, **page.page_query()}
    sheet.show_sheet(
        figures.scored_captions,
        title=t(f"tour.{step.name}"),
        question=plain_text(step, "ask", figures),
        link=link,
        key=f"learn.{step.name}",
    )


def _show_navigation(step: TourStep) -> None:
    """Show Back, the list of steps, Next and Present. The left and right arrow keys press Back and Next."""
    position = STEP_NAMES.index(step.name)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn.ways"):
        st.button(t("learn.back"), key="learn.back", on_click=_go_to, args=(position - 1,), disabled=position == 0, shortcut="Left")
        names = {name: f"{step_number}" for step_number, name in enumerate(STEP_NAMES, 1)}
        titles = {name: f"{step_number} · {t(f'tour.{name}')}" for name, step_number in names.items()}
        choice.selectbox(t("learn.step"), titles, key=STEP_KEY, label_visibility="collapsed", width=300)
        st.button(
            t("learn.next"),
            key="learn.next",
            on_click=_go_to,
            args=(position + 1,),
            disabled=position == len(STEP_NAMES) - 1,
            shortcut="Right",
        )
        present.show_button()


def _present_step(step: TourStep, figures: StepFigures) -> None:
    """Present the step on the full screen if the URL requests it. Captions entered there remain until the next step."""
    if not present.is_active():
        return
    position, state = STEP_NAMES.index(step.name), learn_state()

    def show_neighbour(offset: int) -> None:
        state.presented_inputs.pop(step.name, None)
        _go_to((position + offset) % len(STEP_NAMES))

    def use_captions(captions: CaptionInputs) -> None:
        if not find_excess(captions):
            state.presented_inputs[step.name] = captions

    scored_captions = figures.scored_captions
    if captions := state.presented_inputs.get(step.name):
        scored_captions = cached_result(captions, settings.default_config(detect_language((captions.candidate, *captions.references))))
    choices = [
        AudienceChoice(plain_text(step, name, figures), name in figures.right_choices, plain_text(step, f"{name}_why", figures))
        for name in step.choices
    ]
    position_text = t("learn.at", number=position + 1, total=len(STEP_NAMES))
    link = {"step": step.name, **page.page_query()}
    slide = present.PresentedSlide(t(f"tour.{step.name}"), position_text, plain_text(step, "ask", figures), choices, link=link)
    present.show_presentation(scored_captions, slide, turn_slide=show_neighbour, use_captions=use_captions)


def plain_text(step: TourStep, key_suffix: str, figures: StepFigures) -> str:
    """Return a text of a step without emphasis marks."""
    return ask.step_text(step, key_suffix, figures).replace("*", "")


def _go_to(step_index: int) -> None:
    st.session_state[STEP_KEY] = STEP_NAMES[min(max(step_index, 0), len(STEP_NAMES) - 1)]


def _compare_with_original(scored_captions: ScoredCaptions) -> None:
    """Show an expander with the score by the original parser and rules, if the language has them."""
    lang = scored_captions.settings.lang
    scored_original = score_original(scored_captions.inputs, lang) if st.session_state.get("learn.other") else None
    if scored_original is None and not language(lang).original:
        return
    with st.expander(t("learn.other"), key="learn.other", on_change="rerun") as expander:
        if expander is not None and scored_original:
            score, original_score = scored_captions.result.overall, scored_original.result.overall
            values: dict[str, Any] = {
                "f1": original_score.f1,
                "matched": original_score.matched,
                "candidate": original_score.candidate,
                "reference": original_score.reference,
            }
            values |= {
                "here": score.f1,
                "here_matched": score.matched,
                "here_candidate": score.candidate,
                "here_reference": score.reference,
            }
            st.html(f'<p class="sc-note">{escape(t("learn.other_line", **values))}</p>')


def show_custom_captions(step: TourStep, figures: StepFigures) -> None:
    """Show an expander with a form, initially with the step's captions, and the result."""
    expander = st.expander(t("learn.own"), key=f"learn.{step.name}.own", on_change="rerun")
    if expander.open:
        start = step.start_captions(current_material()) if step.start_captions else figures.scored_captions.inputs
        with expander:
            if scored_captions := show_form(start, key=f"learn.{step.name}"):
                show_result(scored_captions, key=f"learn.{step.name}.mine")


def show_form(start: CaptionInputs, *, key: str) -> ScoredCaptions | None:
    """Show fields for a candidate and for references, one per line. Return the result, or None if they cannot be scored."""
    with st.form(f"{key}.form", border=False):
        candidate = st.text_input(t("learn.own_candidate"), start.candidate, key=f"{key}.candidate")
        lines = st.text_area(t("learn.own_references"), "\n".join(start.references), key=f"{key}.references")
        st.form_submit_button(t("learn.own_score"))
    return score_captions(CaptionInputs(" ".join(candidate.split()), tuple(filter(None, map(str.strip, lines.splitlines())))))


def score_captions(inputs: CaptionInputs) -> ScoredCaptions | None:
    """Score a visitor's captions, or show why this is impossible and return None."""
    if not inputs.candidate or not inputs.references:
        html.show_messages([t("learn.write")], severity="problem")
        return None
    if problems := [t("states.excess", found=length, expected=limit) for length, limit in find_excess(inputs)]:
        html.show_messages(problems, severity="problem")
        return None
    try:
        lang = detect_language((inputs.candidate, *inputs.references))
        return results.cached_result(inputs, settings.default_config(lang))
    except SpiceError as error:
        html.show_messages([t("states.failed", reason=escape(error_text(error)))], severity="problem")
        return None


def show_result(scored_captions: ScoredCaptions, *, key: str) -> None:
    """Show the score, the marked captions and the graph of a result."""
    captions_column, graph_column = st.columns([2, 3], gap="medium")
    with captions_column:
        score.show_header(scored_captions.result, style=page.display_style())
        captions.show_captions(scored_captions)
    with graph_column:
        graph.show_graph(scored_captions, key=key)
