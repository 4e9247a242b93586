"""The Agreement page: compare the scores of metrics with human ratings."""

import streamlit as st

from pages.parts.agreement import views
from pages.parts.kit import choice, html, page
from pages.parts.kit.texts import error_text, t
from spice_core.errors import SpiceError


def main() -> None:
    """Show the choice of ratings, the coefficients, the plots and the largest disagreements."""
    page.begin("agreement")
    try:
        study = views.choose_study()
        if study is None:
            return
        st.subheader(t("agreement.title"))
        views.show_table(study)
        if study.captions:
            names = {name: views.metric_label(name, study) for name in study.agreement.coefficients}
            metric = choice.segmented_control(t("agreement.metric"), names, key="agreement.metric", persist_state="session")
            views.show_plot(study, metric)
            views.show_categories(study)
            views.show_disagreements(study, metric)
        views.show_published_results()
    except SpiceError as error:
        html.show_messages([error_text(error)], severity="problem")


main()
