"""The tour: steps with one idea each, their texts, questions and pictures, and the navigation between them."""

from html import escape

import streamlit as st

from pages.parts.kit import choice, html, page, url
from pages.parts.kit.texts import error_text, t
from pages.parts.learn import elements, pictures, results
from pages.parts.learn.lessons import STEP_NAMES, TOUR_STEPS, StepFigures, TourStep
from pages.parts.learn.material import current_material
from pages.parts.learn.results import score_original
from pages.parts.state.engine import CaptionInputs, ScoredCaptions, excess_messages
from pages.parts.views import captions, present, score, sheet
from pages.parts.views.present import AudienceChoice
from spice_core.errors import SpiceError
from spice_core.lang import language

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
    position = STEP_NAMES.index(step.name)
    position_text = t("learn.at", number=position + 1, total=len(STEP_NAMES))
    with st.spinner(t("states.loading")):
        figures = step.compute_figures()
    with st.container(key="learn.body"):
        with st.container(key="learn.told"):
            st.html(f'<h2 class="sc-step"><small>{position_text}</small>{escape(t(f"tour.{step.name}"))}</h2>')
            st.html(f'<p class="sc-told">{elements.italics_html(elements.step_text(step, "text", figures))}</p>')
            progress = elements.ask_question(step, figures) if step.choices else pictures.ask_wrong_tuples(step, figures)
        with st.container(key="learn.picture"):
            pictures.SHOW_PICTURE_BY_NAME[step.name](figures, progress)
    elements.show_navigation(position, len(STEP_NAMES), _go_to, choose=_choose_step)
    question, link = plain_text(step, "ask", figures), {"step": step.name, **page.page_query()}
    choices = [
        AudienceChoice(plain_text(step, name, figures), name in figures.right_choices, plain_text(step, f"{name}_why", figures))
        for name in step.choices
    ]
    slide = present.PresentedSlide(t(f"tour.{step.name}"), position_text, question, choices, link=link)
    elements.present_result(figures.scored_captions, slide, step.name, lambda offset: _go_to((position + offset) % len(STEP_NAMES)))
    if progress.open:
        _compare_with_original(figures.scored_captions)
    show_custom_captions(step, figures)
    sheet.show_sheet(figures.scored_captions, title=t(f"tour.{step.name}"), question=question, link=link, key=f"learn.{step.name}")


def _choose_step() -> None:
    titles = {name: f"{step_number} · {t(f'tour.{name}')}" for step_number, name in enumerate(STEP_NAMES, 1)}
    choice.selectbox(t("learn.step"), titles, key=STEP_KEY, label_visibility="collapsed", width=300)


def plain_text(step: TourStep, key_suffix: str, figures: StepFigures) -> str:
    """Return a text of a step without emphasis marks."""
    return elements.step_text(step, key_suffix, figures).replace("*", "")


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
            scores = {"": scored_original.result.overall, "here_": scored_captions.result.overall}
            names = ("f1", "matched", "candidate", "reference")
            values = {f"{prefix}{name}": getattr(score, name) for prefix, score in scores.items() for name in names}
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
    if problems := excess_messages(inputs):
        html.show_messages(problems, severity="problem")
        return None
    try:
        return results.score_inputs(inputs)
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
        elements.show_graph(scored_captions, key=key)
