"""Systems: several systems on the same images, the significance of their differences, and the tuples behind them."""

import streamlit as st

from pages.parts.kit import messages, page
from pages.parts.kit.texts import problem, t
from pages.parts.session import datasets, problems, runs, settings, tasks
from pages.parts.systems import inputs, pairs, standings
from pages.parts.views import metric_table
from spice_core.errors import InputError
from spice_core.lang import LANGUAGES

KEY = "systems"
RUN = f"{KEY}.run"


def main() -> None:
    """The files, a run if captions have to be scored, then the comparison."""
    page.begin("systems")
    entries = inputs.choose(key=KEY)
    for entry in entries:
        problems.report(entry.data, key=f"{KEY}.{entry.name}")
    start(entries)
    run = tasks.current(RUN, runs.Run)
    if run and (run.working or run.digest == inputs.to_score(entries).digest):
        with st.container():
            runs.follow(run, key=KEY)
        if run.working:
            return
    found = inputs.scored(entries, run)
    if len(found) == 1:
        messages.say([t("systems.one", name=next(iter(found)))])
    elif len(found) > 1:
        show(found, run, entries)


def start(entries: list[inputs.Entry]) -> None:
    """The settings, and the button that scores the captions without scores."""
    data, run = inputs.to_score(entries), tasks.current(RUN, runs.Run)
    if not entries:
        messages.say([t("systems.nothing")])
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        lang = datasets.language(data, key=KEY) if data.items else next(iter(LANGUAGES))
        chosen = settings.choose(lang, key=KEY)
        if not data.items:
            return
        if run is None and chosen == settings.usual("en") and (run := inputs.scored_sample(entries)):
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
    style, names = settings.style(key=KEY), list(found)
    lang = run.settings.lang if run else next(iter(LANGUAGES))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        baseline = st.selectbox(t("systems.baseline"), names, key=f"{KEY}.baseline", width=320)
        try:
            result = inputs.compared(found, baseline, key=KEY, mark=inputs.settings_mark(run, entries))
        except InputError as error:
            messages.say([problem(error)], kind="problem")
            return
        standings.save(result, key=KEY)
    standings.remarks(result, key=KEY)
    standings.table(result, style=style)
    st.subheader(t("systems.categories"))
    standings.categories(result, key=KEY, style=style)
    metric_table.drawer(inputs.together(found), run.settings if run else settings.usual(lang), key=KEY, style=style)
    st.subheader(t("systems.against"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        other = st.selectbox(t("systems.other"), [name for name in names if name != baseline], key=f"{KEY}.other", width=320)
        unseen = st.toggle(t("systems.blind"), key=f"{KEY}.blind", help=t("systems.blind_help"))
    both, both_names = pairs.paired(found[baseline], found[other]), (baseline, other)
    if unseen:
        pairs.blind(both, both_names, lang, key=KEY, style=style)
        return
    left, right = st.columns(2, gap="large")
    with left:
        selected = pairs.scatter(both, both_names, key=KEY, style=style)
    with right:
        pair = pairs.choose(both, both_names, selected, key=KEY, style=style)
    if pair:
        pairs.detail(pair, both_names, lang, style=style)


main()
