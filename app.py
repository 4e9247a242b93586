"""Inspect: why a caption got its SPICE score. Run with ``streamlit run app.py``."""

import streamlit as st

from pages.parts import engine, inputs, languages, parses, results, shell, states, tuples
from pages.parts.words import t
from spice_core.draw.evidence import rows
from spice_core.errors import SpiceError

KEY = "inspect"
SCORED = f"{KEY}.scored"


def main() -> None:
    """Inputs, then what they scored."""
    shell.begin(t("page.inspect"))
    shell.head(tagline=t("page.tagline"))
    shell.menu()
    unknown = inputs.prepare(key=KEY)
    lang = languages.current(inputs.current(key=KEY), key=KEY)
    chosen, scale = engine.settings(lang, key=KEY), engine.scale(key=KEY)
    captions(chosen, unknown)
    if scored := st.session_state.get(SCORED):
        show(scored, scale=scale)


def captions(chosen: engine.Settings, unknown: str) -> None:
    """The form and, when Score is pressed or an example is new, a new result."""
    top = st.container(horizontal=True, vertical_alignment="center", gap="medium")
    with top:
        inputs.choose_example(key=KEY)
        languages.choose(chosen.lang, key=KEY)
    about = st.container()
    if unknown:
        states.say([t("states.unknown_example", name=unknown)])
    pressed = inputs.form(key=KEY)
    now = inputs.current(key=KEY)
    with about:
        inputs.lesson(now, key=KEY)
    scored = st.session_state.get(SCORED)
    if pressed or not scored or scored.settings != chosen:
        renew(now, chosen)
    elif now.digest(chosen) != scored.inputs.digest(scored.settings):
        states.say([t("states.stale")])


def renew(now: engine.Inputs, chosen: engine.Settings) -> None:
    """Score the captions, or say what is missing; an earlier result then goes."""
    st.session_state.pop(SCORED, None)
    if problems := states.problems(now):
        states.say(problems, kind="problem")
        return
    try:
        st.session_state[SCORED] = engine.score(now, chosen)
    except SpiceError as error:
        states.say([t("states.failed", reason=error)], kind="problem")


def show(scored: engine.Scored, *, scale: int) -> None:
    """The result, from the number down to the words it stands on."""
    result = scored.result
    states.say(states.remarks(result, languages.misfits(scored.inputs, scored.settings.lang), lang=scored.settings.lang))
    languages.offer(scored, key=KEY)
    left, right = st.columns(2, gap="small")
    with left:
        results.header(result, scale=scale)
        results.captions(result)
    with right:
        results.categories(result, key=KEY, scale=scale)
        with st.expander(t("categories.table")):
            results.category_table(result, scale=scale)
    st.subheader(t("graphs.title"))
    results.legend(result)
    results.graphs(result)
    with st.expander(t("graphs.outline")):
        results.outlines(result)
    parses.drawer(result, key=KEY)
    st.subheader(t("tuples.title"))
    listed(scored)
    results.signature(result)


@st.fragment
def listed(scored: engine.Scored) -> None:
    """The tuples; choosing among them runs nothing else."""
    spice = engine.engine(scored.settings)
    tuples.table(rows(scored.result, spice.synonyms, categories=spice.categories), key=KEY)


main()
