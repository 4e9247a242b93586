"""The Systems page: compare systems on the same images, test their differences, and show the tuples that cause them."""

import streamlit as st

from pages.parts.jobs import runs, tasks
from pages.parts.kit import html, messages, page
from pages.parts.kit.html import plain
from pages.parts.kit.texts import problem, t
from pages.parts.state import settings
from pages.parts.systems import downloads, filters, inputs, pairs, questions, standings
from pages.parts.uploads import datasets, problems
from pages.parts.views import component, metric_table
from spice_core import SpiceConfig
from spice_core.draw.style import DisplayStyle
from spice_core.errors import InputError
from spice_core.evaluation.system_questions import RowPair, SystemSide
from spice_core.lang import LANGUAGES
from spice_core.scene.scores import OVERALL

KEY = "systems"
RUN = f"{KEY}.run"


def main() -> None:
    """Show the choice of files, a run if captions need scores, and the comparison."""
    page.begin("systems")
    filters.begin(key=KEY)
    entries = inputs.choose(key=KEY)
    for entry in entries:
        if not entry.rows:  # a file of results has no captions to check
            problems.report_problems(entry.data, key=f"{KEY}.{entry.name}")
    start(entries)
    run = tasks.current_task(RUN, runs.Run)
    if run and (run.working or run.digest == inputs.items_to_score(entries).digest):
        with st.container():
            runs.show_progress(run, key=KEY)
        if run.working:
            return
    rows_by_system = inputs.scored_systems(entries, run)
    if len(rows_by_system) == 1:
        messages.show_messages([t("systems.one", name=next(iter(rows_by_system)))])
    elif len(rows_by_system) > 1:
        show(rows_by_system, run, entries)


def start(entries: list[inputs.Entry]) -> None:
    """Show the settings and the button that scores the captions without scores."""
    data = inputs.items_to_score(entries)
    runs.recall_run(RUN, data.digest)
    run = tasks.current_task(RUN, runs.Run)
    if not entries:
        messages.show_messages([t("systems.nothing")])
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        lang = datasets.choose_language(data, key=KEY) if data.items else next(iter(LANGUAGES))
        chosen = settings.choose(lang, key=KEY)
        if not data.items:
            return
        if run is None and chosen == settings.default_config(datasets.bundled().lang) and (run := inputs.scored_sample(entries)):
            st.session_state[RUN] = run
        systems = sum(not entry.rows for entry in entries)
        busy = bool(run and run.working)
        if st.button(t("systems.run", number=len(data.items), systems=systems), type="primary", key=f"{KEY}.start", disabled=busy):
            st.session_state.pop(f"{KEY}.image", None)  # otherwise the list still shows an image of the previous run
            st.session_state[RUN] = runs.Run(data.items, chosen, data.name, data.digest).start(RUN)
            st.rerun()
    if run and not run.working and (run.settings, run.digest) != (chosen, data.digest) and run.digest == data.digest:
        messages.show_messages([t("batch.stale", name=", ".join(entry.name for entry in entries))])


def show(rows_by_system: dict[str, inputs.Rows], run: runs.Run | None, entries: list[inputs.Entry]) -> None:
    """Show the comparison, from the table of means down to single tuples."""
    style, config, rows_mark = settings.style(key=KEY), inputs.settings_of(rows_by_system, run), inputs.settings_mark(run, entries)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        names = filters.choose_systems(list(rows_by_system), key=KEY)
        try:
            result = inputs.compare_systems(rows_by_system, names[0], key=KEY, mark=rows_mark)
        except InputError as error:
            messages.show_messages([problem(error)], kind="problem")
            return
        paired = pairs.pair_rows(rows_by_system[names[0]], rows_by_system[names[1]])
        compared = [name for name in result.categories if name != OVERALL]
        answers = questions.find_answers(paired, names, compared, config, key=KEY, mark=rows_mark)
        downloads.show_menu(result, paired, answers, config.lang, key=KEY, style=style)
    standings.show_remarks(result, key=KEY)
    standings.show_table(result, style=style)
    st.subheader(t("systems.categories"))
    standings.show_categories(result, names[1], key=KEY, style=style)
    metric_table.show_drawer(inputs.common_rows(rows_by_system), config, key=KEY, style=style)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key=f"{KEY}-pair"):
        st.subheader(t("systems.pair", base=plain(names[0]), other=plain(names[1])), width="content")
        blind = st.toggle(t("systems.blind"), key=f"{KEY}.blind", help=t("systems.blind_help"))
    if blind:
        pairs.show_blind_test(paired, names, config.lang, key=KEY, style=style)
        return
    show_pair(paired, answers, config, style)


def show_pair(paired: list[RowPair], answers: questions.Answers, config: SpiceConfig, style: DisplayStyle) -> None:
    """Show the questions about two systems, the filters, the images that pass them, and one image in detail."""
    questions.show_table(answers, key=KEY)
    with st.container(key=f"{KEY}-images"):
        st.subheader(t("systems.against"))
    component.scroll_to(f"{KEY}-images", st.session_state.get(f"{KEY}.brought", 0))
    left, right = st.columns(2, gap="large")
    with left:
        html.show_note(t("systems.scatter_note", other=answers.names[SystemSide.OTHER]))
        filters.show_scatter(paired, answers, key=KEY, style=style)
    with right:
        matching = filters.choose(paired, answers, key=KEY, style=style)
        pair = pairs.choose(matching, key=KEY, style=style)
    if pair:
        pairs.show_detail(pair, answers, config, key=KEY, style=style)


main()
