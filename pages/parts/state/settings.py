"""The sidebar: parser, rules, synonyms, custom categories, and the display of numbers and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from html import escape
from itertools import chain, count
from typing import Any

import streamlit as st

from pages.parts.kit import choice, matching, page
from pages.parts.kit.texts import error_text, interface_language, t, text_catalogue
from pages.parts.kit.url import widget_key
from spice_core import SpiceConfig
from spice_core.draw.style import DisplayStyle
from spice_core.errors import InputError, Message
from spice_core.lang import LANGUAGES, language
from spice_core.lang.pack import LanguagePack
from spice_core.lang.tree_file import is_uploaded
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL

PART_NAMES = ("parser", "rules", "synonyms")
MEANING_SCHEME = "entailed"  # scheme for matching by meaning
CUSTOM_RULES = "own_rules"  # rule sets edited in this session: texts by language and name


def choose_settings(lang: str, *, trees: tuple[str, str] | None = None) -> SpiceConfig:
    """Show the choice of parser, rules, synonyms, custom categories and page colours. Return the settings, with the chosen matching.

    Uploaded ``trees`` (their parser name in the settings, and their file name) replace the parser.
    """
    pack = language(lang)
    with st.sidebar:
        st.subheader(t("settings.title"))
        chosen_parts = {part: _show_trees(trees) if trees and part == "parser" else _choose_part(pack, part) for part in PART_NAMES}
    categories = _read_categories(lang)
    st.sidebar.toggle(t("settings.paper"), key=page.PAPER_PALETTE, help=t("settings.paper_help"), persist_state="session")
    rules_text = custom_rule_texts(lang).get(chosen_parts["rules"], "")
    return SpiceConfig(lang, **chosen_parts, rules_text=rules_text, scheme=chosen_scheme(lang), categories=categories)


def chosen_scheme(lang: str) -> str:
    """Return the scheme for matching by meaning if chosen and supported by the language, otherwise ""."""
    return MEANING_SCHEME if matching.is_by_meaning() and language(lang).inference_rules else ""


def choose_style() -> DisplayStyle:
    """Show the switch between ratios and percent. Return the style of the page with this choice."""
    percent = st.sidebar.toggle(t("settings.percent"), key=widget_key("percent"), persist_state="session")
    return replace(page.display_style(), percent=percent)


def part_options(pack: LanguagePack, part_name: str) -> list[str]:
    """Return the names of a language's argument-free parsers, rules or synonym sources, the default first."""
    names = {"parser": pack.all_parsers, "rules": pack.rules, "synonyms": pack.synonyms}[part_name]
    default_name = getattr(default_config(pack.code), part_name)
    return [default_name, *(name for name in names if name != default_name and not name.endswith(":"))]


def custom_rule_texts(lang: str) -> dict[str, str]:
    """Return the texts of the visitor's rule sets from the Rules page, by name."""
    return st.session_state.get(CUSTOM_RULES, {}).get(lang, {})


def default_config(lang: str) -> SpiceConfig:
    """Return the default settings of a language."""
    return SpiceConfig(lang).resolved()


def link_config(config: SpiceConfig) -> SpiceConfig:
    """Return the settings for a link, without custom categories, uploaded trees and custom rule texts."""
    return replace(config, rules_text="", categories=(), parser="" if is_uploaded(config.parser) else config.parser)


def apply_settings(config: SpiceConfig) -> None:
    """Select the settings of a link, except names unknown to this server."""
    if config.lang not in LANGUAGES:
        return
    st.session_state[widget_key("lang")] = config.lang
    if config.scheme == MEANING_SCHEME:  # links made since version 0.3 name the matching in the URL
        matching.choose_matching(True)
    for part in PART_NAMES:
        if (name := getattr(config, part)) in part_options(language(config.lang), part):
            st.session_state[widget_key(f"{config.lang}.{part}")] = name


def restore_settings(config: SpiceConfig) -> SpiceConfig:
    """Apply and return settings with matching, custom rules and categories. Custom rules get a new name if theirs is taken."""
    matching.choose_matching(config.scheme == MEANING_SCHEME)
    if config.rules_text:
        custom_files = st.session_state.setdefault(CUSTOM_RULES, {}).setdefault(config.lang, {})
        names = chain([config.rules], (f"{config.rules} ({number})" for number in count(2)))
        free_name = next(
            name
            for name in names
            if custom_files.get(name, config.rules_text) == config.rules_text and name not in language(config.lang).rules
        )
        config = replace(config, rules=free_name)
        custom_files[free_name] = config.rules_text
    apply_settings(config)
    st.session_state[widget_key(f"{config.lang}.rules")] = config.rules
    st.session_state[widget_key("categories")] = "\n".join(f"{name}: {', '.join(words)}" for name, words in config.categories)
    return config


def _show_trees(trees: tuple[str, str]) -> str:
    """Show the uploaded file's name instead of the parser choice. Return the parser name of the trees."""
    name, file = trees
    st.selectbox(t("settings.parser"), [t("trees.parser", file=file)], disabled=True)
    return name


def _choose_part(pack: LanguagePack, part_name: str) -> str:
    hint = t("settings.synonyms_help") if part_name == "synonyms" else None

    def update_dependents() -> None:
        chosen_parts = {name: st.session_state.get(widget_key(f"{pack.code}.{name}"), "") for name in PART_NAMES}
        if part_name == "parser" and chosen_parts["parser"] in pack.rules:
            chosen_parts["rules"] = st.session_state[widget_key(f"{pack.code}.rules")] = chosen_parts["parser"]
        if part_name != "synonyms" and chosen_parts["synonyms"] in {_default_synonyms(pack, name) for name in pack.rules}:
            st.session_state[widget_key(f"{pack.code}.synonyms")] = _default_synonyms(pack, chosen_parts["rules"])

    option_names = part_options(pack, part_name) + (list(custom_rule_texts(pack.code)) if part_name == "rules" else [])
    widget: dict[str, Any] = {
        "key": widget_key(f"{pack.code}.{part_name}"),
        "help": hint,
        "on_change": update_dependents,
        "persist_state": "session",
    }
    labelled_names = text_catalogue(interface_language())["synonyms"] if part_name == "synonyms" else {}
    names = {name: t(f"synonyms.{name}") if name in labelled_names else name for name in option_names}
    return choice.selectbox(t(f"settings.{part_name}"), names, **widget)


def _default_synonyms(pack: LanguagePack, rules: str) -> str:
    return SpiceConfig(pack.code, rules=rules, rules_text=custom_rule_texts(pack.code).get(rules, "")).resolved().synonyms


def _read_categories(lang: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Show the field for custom categories. Return them, or none after reporting invalid word lists."""
    with st.sidebar:
        widget_options: dict[str, Any] = {
            "placeholder": t("settings.categories_hint"),
            "help": t("settings.categories_help"),
            "persist_state": "session",
        }
        text = st.text_area(t("settings.categories"), key=widget_key("categories"), **widget_options)
        try:
            lists = read_word_list(text, reserved_names=language(lang).categories)
        except InputError as error:
            st.html(f'<div class="sc-say sc-problem" role="alert"><p>{escape(error_text(error))}</p></div>')
            return ()
    return tuple((name, tuple(sorted(words))) for name, words in lists.items())


def read_word_list(text: str, *, reserved_names: Iterable[str] = ()) -> dict[str, frozenset[str]]:
    """Read categories written as ``name: word, word``, one per line or separated by semicolons, for ``Spice(categories=…)``.

    The separators 、，；： are also accepted. Words are lower-cased. Each name may occur once, and must differ from ``All``,
    from the kinds of tuples and from ``reserved_names`` (the categories of the language). Names are compared without case.
    Raises InputError naming the line.
    """
    all_reserved_names = {name.casefold() for name in (OVERALL, *KIND_CATEGORIES, *reserved_names)}
    out: dict[str, frozenset[str]] = {}
    for line_number, line in enumerate(text.splitlines(), 1):
        for entry in filter(str.strip, re.split("[;；]", line)):
            name, *words = (" ".join(piece.split()) for piece in re.split("[,、，]", re.sub("[:：]", ",", entry, count=1)))
            if not re.search("[:：]", entry) or not name or not any(words):
                raise InputError(Message("where.line", number=line_number), entry.strip(), Message("expected.category_line"))
            if name.casefold() in all_reserved_names:
                raise InputError(Message("where.line", number=line_number), name, Message("expected.free_name"))
            all_reserved_names.add(name.casefold())
            out[name] = frozenset(word.lower() for word in words if word)
    return out
