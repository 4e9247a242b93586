"""The metric behind the pages: settings in the sidebar, cached engines and parses, results kept for the visit."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

import streamlit as st

from pages.parts.words import t
from spice_core import Spice
from spice_core.lang import LANGUAGES, language
from spice_core.metric import SpiceResult
from spice_core.propositions import Parse


@dataclass(frozen=True)
class Settings:
    """Which engine scores."""

    lang: str = next(iter(LANGUAGES))
    analyser: str = ""
    rules: str = ""
    synonyms: str = ""


@dataclass(frozen=True)
class Inputs:
    """What is scored."""

    candidate: str
    references: tuple[str, ...]

    def digest(self, settings: Settings) -> str:
        """The hash of these captions under these settings."""
        return sha256(repr((self, settings)).encode()).hexdigest()


@dataclass(frozen=True)
class Scored:
    """A result with what it was made from."""

    inputs: Inputs
    settings: Settings
    result: SpiceResult


def settings(lang: str, *, key: str) -> Settings:
    """The choice of analyser, rules and synonyms among those of the language pack."""
    pack = language(lang)
    known = {"analyser": pack.analysers, "rules": pack.rules, "synonyms": pack.synonyms}
    choices = {part: [name for name in names if not name.endswith(":")] for part, names in known.items()}
    with st.sidebar:
        st.subheader(t("settings.title"))
        chosen = {
            name: st.selectbox(
                t(f"settings.{name}"), options, key=f"{key}.{lang}.{name}", help=t("settings.synonyms_help") if name == "synonyms" else None
            )
            for name, options in choices.items()
        }
    return Settings(lang, **chosen)


def scale(*, key: str) -> int:
    """1, or 100 where the visitor wants scores times a hundred."""
    return 100 if st.sidebar.toggle(t("settings.hundred"), key=f"{key}.hundred") else 1


@st.cache_resource(show_spinner=False, max_entries=8)
def engine(chosen: Settings) -> Spice:
    """The metric for these settings, loaded once."""
    spice = Spice(chosen.lang, analyser=chosen.analyser, rules=chosen.rules, synonyms=chosen.synonyms)
    next(spice.parse(["a dog"]))
    return spice


@st.cache_data(show_spinner=False, max_entries=2048)
def parse(caption: str, chosen: Settings) -> Parse:
    """The parse of a caption, kept by its text and the settings."""
    return next(engine(chosen).parse([caption]))


def score(inputs: Inputs, chosen: Settings) -> Scored:
    """Score the captions; each is parsed only if it is new."""
    with st.spinner(t("states.loading")):
        spice = engine(chosen)
    parses = [parse(caption, chosen) for caption in (inputs.candidate, *inputs.references)]
    return Scored(inputs, chosen, spice.compare(parses[0], parses[1:]))
