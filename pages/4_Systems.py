"""Systems: several systems on the same images, how sure their differences are, and where they come from."""

import streamlit as st

from pages.parts import datasets, others, runs, settings, shell, states, systems_pairs, systems_standings, systems_teams, tasks
from pages.parts.words import t
from spice_core.errors import InputError

KEY = "systems"
RUN = f"{KEY}.run"


def main() -> None:
    """Files, a run where captions have to be scored, then the comparison."""
    shell.begin("systems")
    entries = systems_teams.choose(key=KEY)
    for entry in entries:
        datasets.report(entry.data, key=f"{KEY}.{entry.name}")
    start(entries)
    run = tasks.current(RUN)
    if run and (run.working or run.digest == systems_teams.to_score(entries).digest):
        with st.container():
            runs.follow(run, key=KEY)
        if run.working:
            return
    found = systems_teams.scored(entries, run)
    if len(found) == 1:
        states.say([t("systems.one", name=next(iter(found)))])
    elif len(found) > 1:
        show(found, run, entries)


def start(entries: list[systems_teams.Entry]) -> None:
    """The settings, and the button that scores what is not scored yet."""
    data, run = systems_teams.to_score(entries), tasks.current(RUN)
    if not entries:
        states.say([t("systems.nothing")])
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        lang = datasets.language(data, key=KEY) if data.items else "en"
        chosen = settings.choose(lang, key=KEY)
        if not data.items:
            return
        systems = sum(not entry.rows for entry in entries)
        busy = bool(run and run.working)
        if st.button(t("systems.run", number=len(data.items), systems=systems), type="primary", key=f"{KEY}.start", disabled=busy):
            st.session_state.pop(f"{KEY}.image", None)  # the list would go on showing the run before
            st.session_state[RUN] = runs.Run(data.items, chosen, data.name, data.digest).start(RUN)
            st.rerun()
    if run and not run.working and (run.settings, run.digest) != (chosen, data.digest) and run.digest == data.digest:
        states.say([t("batch.stale", name=", ".join(entry.name for entry in entries))])


def show(found: dict[str, systems_teams.Rows], run: runs.Run | None, entries: list[systems_teams.Entry]) -> None:
    """The comparison, from the table down to single tuples."""
    scale, names = settings.scale(key=KEY), list(found)
    lang = run.settings.lang if run else "en"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        baseline = st.selectbox(t("systems.baseline"), names, key=f"{KEY}.baseline", width=320)
        try:
            result = systems_teams.compared(found, baseline, key=KEY, mark=systems_teams.settings_mark(run, entries))
        except InputError as error:
            states.say([str(error)], kind="problem")
            return
        systems_standings.save(result, key=KEY)
    systems_standings.remarks(result, key=KEY)
    systems_standings.table(result, scale=scale)
    st.subheader(t("systems.categories"))
    systems_standings.categories(result, key=KEY, scale=scale)
    others.drawer(systems_teams.together(found), run.settings if run else settings.usual(lang), key=KEY, scale=scale)
    st.subheader(t("systems.against"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        other = st.selectbox(t("systems.other"), [name for name in names if name != baseline], key=f"{KEY}.other", width=320)
        unseen = st.toggle(t("systems.blind"), key=f"{KEY}.blind", help=t("systems.blind_help"))
    both, both_names = systems_pairs.paired(found[baseline], found[other]), (baseline, other)
    if unseen:
        systems_pairs.blind(both, both_names, lang, key=KEY, scale=scale)
        return
    left, right = st.columns(2, gap="large")
    with left:
        selected = systems_pairs.scatter(both, both_names, key=KEY, scale=scale)
    with right:
        pair = systems_pairs.choose(both, both_names, selected, key=KEY, scale=scale)
    if pair:
        systems_pairs.detail(pair, both_names, lang, scale=scale)


main()
