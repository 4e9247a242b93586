"""Systems: several systems on the same images, the significance of their differences, and the tuples behind them."""

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
    """The files, a run if captions have to be scored, then the comparison."""
    page.begin("systems")
    filters.begin(key=KEY)
    entries = inputs.choose(key=KEY)
    for entry in entries:
        problems.report_problems(entry.data, key=f"{KEY}.{entry.name}")
    start(entries)
    run = tasks.current(RUN, runs.Run)
    if run and (run.working or run.digest == inputs.items_to_score(entries).digest):
        with st.container():
            runs.follow(run, key=KEY)
        if run.working:
            return
    found = inputs.scored_systems(entries, run)
    if len(found) == 1:
        messages.say([t("systems.one", name=next(iter(found)))])
    elif len(found) > 1:
        show(found, run, entries)


def start(entries: list[inputs.Entry]) -> None:
    """The settings, and the button that scores the captions without scores."""
    data, run = inputs.items_to_score(entries), tasks.current(RUN, runs.Run)
    if not entries:
        messages.say([t("systems.nothing")])
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        lang = datasets.language(data, key=KEY) if data.items else next(iter(LANGUAGES))
        chosen = settings.choose(lang, key=KEY)
        if not data.items:
            return
        if run is None and chosen == settings.default_config("en") and (run := inputs.scored_sample(entries)):
            st.session_state[RUN] = run
        systems = sum(not entry.rows for entry in entries)
        busy = bool(run and run.working)
        if st.button(t("systems.run", number=len(data.items), systems=systems), type="primary", key=f"{KEY}.start", disabled=busy):
            st.session_state.pop(f"{KEY}.image", None)  # the list would go on showing the run before
            st.session_state[RUN] = runs.Run(data.items, chosen, data.name, data.digest).start(RUN)
            st.rerun()
    if run and not run.working and (run.settings, run.digest) != (chosen, data.digest) and run.digest == data.digest:
        messages.say([t("batch.stale", name=", ".join(entry.name for entry in entries))])


def show(found: dict[str, inputs.Rows], run: runs.Run | None, entries: list[inputs.Entry]) -> None:
    """The comparison, from the table of means down to single tuples."""
    style, config, mark = settings.style(key=KEY), inputs.settings_of(found, run), inputs.settings_mark(run, entries)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        both = filters.systems(list(found), key=KEY)
        try:
            result = inputs.compare_systems(found, both[0], key=KEY, mark=mark)
        except InputError as error:
            messages.say([problem(error)], kind="problem")
            return
        paired = pairs.pair_rows(found[both[0]], found[both[1]])
        known = [name for name in result.categories if name != OVERALL]
        answers = questions.answers(paired, both, known, config, key=KEY, mark=mark)
        downloads.menu(result, paired, answers, config.lang, key=KEY, style=style)
    standings.remarks(result, key=KEY)
    standings.table(result, style=style)
    st.subheader(t("systems.categories"))
    standings.categories(result, both[1], key=KEY, style=style)
    metric_table.drawer(inputs.common_rows(found), config, key=KEY, style=style)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key=f"{KEY}-pair"):
        st.subheader(t("systems.pair", base=plain(both[0]), other=plain(both[1])), width="content")
        unseen = st.toggle(t("systems.blind"), key=f"{KEY}.blind", help=t("systems.blind_help"))
    if unseen:
        pairs.show_blind_test(paired, both, config.lang, key=KEY, style=style)
        return
    against(paired, answers, config, style)


def against(paired: list[RowPair], answers: questions.Answers, config: SpiceConfig, style: DisplayStyle) -> None:
    """Two systems: questions, filters, the images that pass them, and one of these in detail."""
    questions.table(answers, paired, key=KEY)
    with st.container(key=f"{KEY}-images"):
        st.subheader(t("systems.against"))
    component.reveal(f"{KEY}-images", st.session_state.get(f"{KEY}.brought", 0))
    left, right = st.columns(2, gap="large")
    with left:
        html.note(t("systems.scatter_note", other=answers.names[SystemSide.OTHER]))
        filters.scatter(paired, answers, key=KEY, style=style)
    with right:
        kept = filters.choose(paired, answers, key=KEY, style=style)
        pair = pairs.choose(kept, key=KEY, style=style)
    if pair:
        pairs.detail(pair, answers, config, key=KEY, style=style)


main()
