"""The Systems page: compare systems on the same images, test the differences in score, and show the tuples that cause the differences."""

from dataclasses import replace

import streamlit as st

from pages.parts.jobs import runs, tasks
from pages.parts.kit import html, matching, page
from pages.parts.kit.html import escape_markdown
from pages.parts.kit.texts import error_text, t
from pages.parts.state import settings
from pages.parts.systems import downloads, filters, foils, inputs, pairs, standings
from pages.parts.systems.state import System, systems_state
from pages.parts.uploads import datasets, problems
from pages.parts.views import metric_table, score
from pages.parts.views.filters import init_filters, show_rows_heading
from pages.parts.views.tuples import sort_categories
from spice_core import SpiceConfig
from spice_core.draw.style import DisplayStyle
from spice_core.errors import InputError
from spice_core.evaluation.differences import RowPair, SystemSide
from spice_core.lang import LANGUAGES
from spice_core.scene.scores import OVERALL


def main() -> None:
    """Show the files, the run that scores unscored captions, the comparison, and foils of a visitor's references."""
    page.begin("systems")
    matching.write_url()
    init_filters(filters.FILTERS)
    systems_state().tab.request_stored_work()
    inputs.restore_entries()
    entries = inputs.choose_entries()
    for entry in entries:
        if not entry.rows:  # result files have no captions to check
            problems.report_problems(entry.caption_data, key=f"systems.{entry.name}")
    show_start(entries)
    run = tasks.current_task(inputs.RUN_KEY, runs.ScoringRun)
    if run and (run.is_working or run.digest == inputs.items_to_score(entries).digest):
        with st.container():
            runs.show_progress(run, key="systems")
    rows_by_system, view = inputs.scored_rows_by_system(entries, run) if not (run and run.is_working) else {}, dict[str, str]()
    if len(rows_by_system) == 1:
        html.show_messages([t("systems.one", name=next(iter(rows_by_system)))])
    elif len(rows_by_system) > 1:
        view = show_comparison(rows_by_system, run, entries)
    foils.show_foils()
    inputs.store_run(rows_by_system, entries, run, view)  # last, because the browser's answer reruns the page


def show_start(entries: list[System]) -> None:
    """Show the settings and the button that scores unscored captions."""
    caption_data = inputs.items_to_score(entries)
    runs.restore_stored_run(inputs.RUN_KEY, caption_data.digest)
    run = tasks.current_task(inputs.RUN_KEY, runs.ScoringRun)
    if not entries:
        html.show_messages([t("systems.nothing")])
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        lang = datasets.choose_language(caption_data, key="systems") if caption_data.items else next(iter(LANGUAGES))
        matching.choose()
        config = settings.choose_settings(lang)
        if not caption_data.items:
            return
        if run is None and config == settings.default_config(datasets.bundled_sample().lang) and (run := inputs.scored_sample(entries)):
            st.session_state[inputs.RUN_KEY] = run
        systems = sum(not entry.rows for entry in entries)
        label, has_same_data = (
            t("systems.run", number=len(caption_data.items), systems=systems),
            bool(run and run.digest == caption_data.digest),
        )
        is_current = has_same_data and bool(run and run.settings == config)
        if runs.show_start_button(label, run, is_current=is_current, key="systems.start"):
            st.session_state.pop("systems.image", None)  # otherwise the list still shows an image of the previous run
            run = runs.ScoringRun(caption_data.items, config, caption_data.name, caption_data.digest)
            run.cache["entries"] = entries
            st.session_state[inputs.RUN_KEY] = run.start(inputs.RUN_KEY)
            st.rerun()
    if has_same_data:
        html.show_messages(systems_state().opening_messages)
    if run and not run.is_working and has_same_data and not is_current:
        html.show_messages([t("batch.stale", name=", ".join(entry.name for entry in entries))])


def show_comparison(rows_by_system: dict[str, inputs.RowsByImage], run: runs.ScoringRun | None, entries: list[System]) -> dict[str, str]:
    """Show the comparison, from the table of means down to single tuples. Return the view for the file of the run."""
    style, config = settings.choose_style(), inputs.settings_of(rows_by_system, run)
    rows_key = run.settings if run else None, tuple((entry.name, entry.caption_data.digest) for entry in entries)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        names = filters.choose_systems(list(rows_by_system))
        try:
            result = inputs.compare_systems(rows_by_system, names[0], rows_key=rows_key)
        except InputError as error:
            html.show_messages([error_text(error)], severity="problem")
            return {}
        row_pairs = pairs.pair_rows(rows_by_system[names[0]], rows_by_system[names[1]])
        compared_categories = [name for name in sort_categories(result.categories) if name != OVERALL]
        answers = filters.find_answers(row_pairs, names, compared_categories, config, rows_key=rows_key)
        works = inputs.saved_works(rows_by_system, entries, run)
        works[0] = replace(works[0], view=inputs.saved_view(answers))
        downloads.show_menu(works, result, row_pairs, answers, config.lang, style=style)
    standings.show_remarks(result)
    standings.show_table(result, style=style)
    st.subheader(t("systems.categories"))
    standings.show_categories(result, names[1], style=style)
    metric_table.show_drawer(inputs.common_rows(rows_by_system), config, style=style)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="systems-pair"):
        st.subheader(t("systems.pair", base=escape_markdown(names[0]), other=escape_markdown(names[1])), width="content")
        is_blind = st.toggle(t("systems.blind"), key="systems.blind", help=t("systems.blind_help"))
    if is_blind:
        pairs.show_blind_test(row_pairs, names, config.lang, style=style)
    else:
        show_pair(row_pairs, answers, config, style)
    score.show_signature("\n".join(dict.fromkeys(s for signatures in result.signatures.values() for s in signatures)))
    return inputs.saved_view(answers)


def show_pair(row_pairs: list[RowPair], answers: filters.SystemAnswers, config: SpiceConfig, style: DisplayStyle) -> None:
    """Show the questions about two systems, the filters, the matching images, and one image in detail."""
    filters.show_table(answers)
    show_rows_heading(t("systems.against"))
    left, right = st.columns(2, gap="large")
    with left:
        html.show_note(t("systems.scatter_note", other=answers.names[SystemSide.OTHER]))
        filters.show_scatter(row_pairs, answers, style=style)
    with right:
        matching_pairs = filters.choose_pairs(row_pairs, answers, style=style)
        pair = pairs.choose_pair(matching_pairs, style=style)
    if pair:
        pairs.show_detail(pair, answers, config, style=style)


main()
