"""The sidebar: parser, rules, synonyms, own categories, and how numbers and colours are shown."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit.page import PAPER
from pages.parts.kit.texts import t
from pages.parts.session.work import Settings
from spice_core.data.category_lists import read_word_list
from spice_core.errors import InputError
from spice_core.lang import LANGUAGES, language
from spice_core.lang.pack import LanguagePack

PARTS = ("parser", "rules", "synonyms")
OWN = "own_rules"  # rule sets made in this session: texts by name, by language


def choose(lang: str, *, key: str) -> Settings:
    """The choice of the language's parser, rules and synonyms, of own categories, and of the page's colours."""
    pack = language(lang)
    with st.sidebar:
        st.subheader(t("settings.title"))
        chosen = {part: _part(pack, part, key=key) for part in PARTS}
    categories = _categories(lang, key=key)
    st.sidebar.toggle(t("settings.paper"), key=PAPER, help=t("settings.paper_help"), persist_state="session")
    mine = own(lang).get(chosen["rules"], "")
    return Settings(lang, **chosen, categories=categories, own=(chosen["rules"], mine) if mine else ("", ""))


def scale(*, key: str) -> int:
    """The scale of scores: 1 or 100."""
    return 100 if st.sidebar.toggle(t("settings.hundred"), key=f"{key}.hundred", persist_state="session") else 1


def options(pack: LanguagePack, part: str) -> list[str]:
    """The names of one part of a language pack that need no argument."""
    known = {"parser": pack.parsers, "rules": pack.rules, "synonyms": pack.synonyms}[part]
    return [name for name in known if not name.endswith(":")]


def own(lang: str) -> dict[str, str]:
    """The visitor's rule sets from the Rules page: texts by name."""
    return st.session_state.get(OWN, {}).get(lang, {})


def first(lang: str, part: str) -> str:
    """The default of one part of a language."""
    return options(language(lang), part)[0]


def usual(lang: str) -> Settings:
    """The defaults of a language."""
    return Settings(lang, **{part: first(lang, part) for part in PARTS})


def named(chosen: Settings) -> dict[str, str]:
    """The language and its parts by name, as stored in a link."""
    return {"lang": chosen.lang, **{part: getattr(chosen, part) for part in PARTS}}


def put(chosen: dict[str, str], *, key: str) -> None:
    """Apply the known settings of a link."""
    lang = chosen.get("lang")
    if lang not in LANGUAGES:
        return
    st.session_state[f"{key}.lang"] = lang
    chosen = {"parser": chosen.get("analyser", ""), **chosen}  # as links said until 0.2
    for part in PARTS:
        if chosen.get(part) in options(language(lang), part):
            st.session_state[f"{key}.{lang}.{part}"] = chosen[part]


def _part(pack: LanguagePack, part: str, *, key: str) -> str:
    hint = t("settings.synonyms_help") if part == "synonyms" else None

    def follow() -> None:
        named = st.session_state[f"{key}.{pack.code}.parser"]
        if part == "parser" and named in pack.rules:
            st.session_state[f"{key}.{pack.code}.rules"] = named

    known = options(pack, part) + (list(own(pack.code)) if part == "rules" else [])
    return st.selectbox(t(f"settings.{part}"), known, key=f"{key}.{pack.code}.{part}", help=hint, on_change=follow, persist_state="session")


def _categories(lang: str, *, key: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The visitor's own word lists; a list that cannot be read is reported and left out."""
    with st.sidebar:
        look = {"placeholder": t("settings.categories_hint"), "help": t("settings.categories_help"), "persist_state": "session"}
        written = st.text_area(t("settings.categories"), key=f"{key}.categories", **look)
        try:
            lists = read_word_list(written, taken=language(lang).categories)
        except InputError as error:
            st.html(f'<div class="sc-say sc-problem" role="alert"><p>{escape(str(error))}</p></div>')
            return ()
    return tuple((name, tuple(sorted(words))) for name, words in lists.items())
