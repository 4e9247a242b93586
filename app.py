"""The Inspect page: explain why a caption got its SPICE score. Run with ``streamlit run app.py``."""

from contextlib import nullcontext
from typing import NamedTuple

import streamlit as st
from starlette.middleware import Middleware
from streamlit.delta_generator import DeltaGenerator

from pages.parts.inspect import (
    baselines,
    categories,
    gallery,
    inputs,
    ledger,
    notices,
    parses,
    questions,
    references,
    result_view,
    tab_storage,
    whatif,
)
from pages.parts.kit import capacity, delivery, html, matching, page, shell, url
from pages.parts.kit.texts import error_text, t
from pages.parts.state import engine, examples, links, settings
from pages.parts.state.inspect_state import inspect_state
from pages.parts.uploads import images
from pages.parts.views import captions, detail, graphs, score
from spice_core import SpiceConfig
from spice_core.draw.style import DisplayStyle
from spice_core.errors import SpiceError


class Places(NamedTuple):
    """The containers of the page from top to bottom, created empty so that the page can show new graphs first."""

    tools: DeltaGenerator
    strip: DeltaGenerator
    score_line: DeltaGenerator
    lesson: DeltaGenerator
    form: inputs.FormContainers
    result: DeltaGenerator


def main() -> None:
    """Show the page, then write all changes to the URL in one step. After a click on Score, show the styles and the header last."""
    score_pressed = bool(st.session_state.get("inspect.score"))  # a click on Score started this run of the page
    with delivery.hold_messages() if score_pressed else nullcontext():
        tools, show_frame = page.begin_without_styles("inspect")
        if not score_pressed:
            show_frame()
        with url.write_together():
            show_inspect(tools, score_pressed=score_pressed)
            matching.write_url()
        if score_pressed:
            show_frame()


def show_inspect(tools: DeltaGenerator, *, score_pressed: bool) -> None:
    """Show the settings in the sidebar, the captions with their result beside them, and the explanations below."""
    tab_storage.request_stored_content()
    tab_storage.restore_from_url()
    link_problems = links.open_link()
    current_inputs = examples.current_captions()
    lang = inputs.current_language(current_inputs)
    config, style = settings.choose_settings(lang), settings.choose_style()
    tab_storage.store_captions(current_inputs, config)
    with st.container():  # a fixed container, so that later messages above it do not remount the graphs
        html.show_messages(link_problems)
    places = create_places(tools)
    with places.form.below:
        inputs.show_paste_notice()
        if score_pressed or not (scored_captions := inspect_state().scored) or scored_captions.settings != config:
            rescore(current_inputs, config, score_pressed=score_pressed)
    if scored_captions := inspect_state().scored:
        links.write_captions_to_url(scored_captions.inputs)
        with places.result:
            notices.show_stale_message(is_stale=current_inputs != scored_captions.inputs)
        show_result(scored_captions, places, style=style)
    else:
        for name in ("example", "t", "image", "refs"):  # other captions
            url.set_param(name, "")
        show_captions(current_inputs, config, places)
        inputs.watch_edits([])


def create_places(tools: DeltaGenerator) -> Places:
    """Create the containers of the page below the ``tools`` in the header."""
    strip = st.container()
    with st.container(key="inspect.board"):
        line, form = st.container(key="inspect.top"), inputs.create_places()
        return Places(tools, strip, line, st.container(key="inspect.about"), form, st.container(key="inspect.result", gap="small"))


def show_captions(captions: engine.CaptionInputs, config: SpiceConfig, places: Places) -> list[inputs.MarkedPlace]:
    """Show the buttons, the gallery, the lesson and the form. Return the captions of the form with the containers of their marked words."""
    with places.tools:
        st.toggle(t("examples.button"), key="inspect.gallery")
        st.button(t("inputs.new"), key="inspect.new", type="tertiary", on_click=examples.clear_form)
        gallery.offer_previous_captions(captions)
    with places.strip:
        gallery.show_strip()
    with places.form.below:
        inputs.choose_language(config.lang)
    with places.lesson:
        inputs.show_lesson(captions)
    return inputs.show_form(places.form)


def rescore(captions: engine.CaptionInputs, config: SpiceConfig, *, score_pressed: bool) -> None:
    """Score the captions and replace the stored result. Missing captions are reported only after a click on Score."""
    state = inspect_state()
    state.scored = state.typed_inputs = None
    if problems := notices.input_problems(captions):
        html.show_messages(problems if score_pressed else engine.excess_messages(captions), severity="problem")
        return
    try:
        state.scored = engine.score_captions(captions, config)
    except SpiceError as error:
        html.show_messages([t("states.failed", reason=error_text(error))], severity="problem")


def show_result(scored_captions: engine.ScoredCaptions, places: Places, *, style: DisplayStyle) -> None:
    """Show the result. The graphs come first, so that the browser draws them while the server computes the rest."""
    with places.form.status:
        scored_captions = references.choose_references(scored_captions)
    category_rows = categories.chosen_rows(scored_captions)
    with places.result:
        result_view.show_graphs(scored_captions, category_rows)
    with places.score_line:
        action_place = result_view.show_scores(scored_captions, style=style)
    delivery.send_held_messages()
    result_view.wait_for_drawing(scored_captions)
    with places.result, st.container(key="inspect.kinds", gap="small"):
        categories.choose_category(scored_captions, style=style)
    marked_places = show_captions(examples.current_captions(), scored_captions.settings, places)
    inputs.mark_words(scored_captions, marked_places)
    result_view.present_result(scored_captions)
    with action_place:
        result_view.show_actions(scored_captions, style=style)
    with places.form.ledger:
        ledger.show_ledger(scored_captions, style=style)
    with places.form.below:
        result_view.show_parser(scored_captions.settings)
        captions.show_unused_words(scored_captions)
        lang = scored_captions.settings.lang
        other_captions = inputs.captions_in_other_scripts(scored_captions.inputs, lang)
        html.show_messages(notices.reliability_remarks(scored_captions, other_captions, lang=lang))
        inputs.offer_detected_language(scored_captions)
        photo = images.image_of_link(links.image_token(scored_captions.inputs))
        images.show_photo(photo, t("images.of_captions"))
    with st.container():
        whatif.show_comparison(scored_captions, style=style)
    result_view.show_table(scored_captions, category_rows)
    detail.send_details(scored_captions, key="inspect")
    with st.expander(t("categories.table")):
        categories.show_table(scored_captions, style=style)
    with st.expander(t("graphs.outline")):
        graphs.show_outlines(scored_captions)
    questions.show_drawer(scored_captions, photo, style=style)
    references.show_leave_one_out(scored_captions, style=style)
    if scored_captions.result.sentences:
        categories.show_sentence_scores(scored_captions, style=style)
    html.show_note(t("beside.fluency"))
    baselines.show_baselines(scored_captions, style=style)
    whatif.show_drawer(scored_captions, style=style)
    parses.show_drawer(scored_captions)
    score.show_signature(str(scored_captions.result.signature))
    result_view.print_sheet(scored_captions)


if __name__ == "__main__":  # Streamlit runs this file as a page
    main()
else:  # the server imports this file for `app`
    shell.disable_ip_lookup()
    capacity.raise_file_limit()
    app = st.App(
        __file__,
        routes=[*shell.document_routes(), images.image_route()],
        middleware=[Middleware(shell.SecureResponses), Middleware(capacity.LimitUploads)],
    )
