"""Agreement of metrics with human ratings."""

import streamlit as st

from pages.parts import agreement_data, agreement_views, shell, states
from pages.parts.words import t
from spice_core.errors import SpiceError


def main() -> None:
    """The ratings, then one table, plots and the largest disagreements."""
    shell.begin("agreement")
    try:
        study = agreement_data.choose()
        if study is None:
            return
        st.subheader(t("agreement.title"))
        agreement_views.table(study)
        if study.rated:
            metric = agreement_views.pick(study)
            agreement_views.plot(study, metric)
            agreement_views.categories(study)
            agreement_views.disagreements(study, metric)
        agreement_views.reported()
    except SpiceError as error:
        states.say([str(error)], kind="problem")


main()
