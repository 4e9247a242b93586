"""State of the Rules page: the caption and its parse, the visitor's draft of a rule set, the bundled captions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import entry_points

import streamlit as st

from pages.parts.session import settings
from spice_core.data.gold import GoldGraph, read_gold
from spice_core.lang import language
from spice_core.lang.pack import LanguagePack
from spice_core.rules import Rule, RuleSet, text_positions
from spice_core.rules.rule_file import parse_rules
from spice_core.scene.propositions import Parse
from spice_core.syntax.document import Document
from spice_core.workbench.corpus import ParsedCorpus
from spice_core.workbench.judged import Captions

KEY = "rules"
DRAFTS = f"{KEY}.drafts"


@dataclass(frozen=True)
class Draft:
    """The visitor's version of a rule set: the text of its file, and the rules that are switched off."""

    name: str
    text: str
    off: frozenset[str] = frozenset()

    @property
    def whole(self) -> RuleSet:
        """All rules of the text, including those switched off."""
        return parsed(self.text, self.name)

    @property
    def rules(self) -> RuleSet:
        """The active rules."""
        return parsed(self.file, self.name)

    @property
    def file(self) -> str:
        """The text of the active rules, to be saved."""
        return text_positions.without(self.text, (n for n, rule in enumerate(self.whole.rules) if rule.name in self.off))

    @property
    def silent(self) -> list[Rule]:
        """The rules that are switched off."""
        return [rule for rule in self.whole.rules if rule.name in self.off]


@dataclass(frozen=True)
class Work:
    """Input of one run of the page: language, parser, initial rule set, draft and caption."""

    lang: str
    parser: str
    base: str
    caption: str

    @property
    def pack(self) -> LanguagePack:
        return language(self.lang)

    @property
    def bundled(self) -> RuleSet:
        """The bundled rule set."""
        return self.pack.rule_set(self.base)

    @property
    def draft(self) -> Draft:
        """The visitor's draft, at first the text of the default rules."""
        return st.session_state.get(DRAFTS, {}).get((self.lang, self.base)) or self.unchanged

    @property
    def unchanged(self) -> Draft:
        return Draft(self.base, self.pack.rules[self.base].read_text(encoding="utf-8"))

    @property
    def rules(self) -> RuleSet:
        """The active rules."""
        return self.draft.rules if self.changed else self.bundled

    @property
    def changed(self) -> bool:
        return self.draft.off != frozenset() or self.draft.text != self.unchanged.text

    @property
    def parsed(self) -> Document:
        """The parsed caption, before all steps."""
        return analysed(self.caption, self.lang, self.parser)

    @property
    def document(self) -> Document:
        """The parsed caption as the enhancement steps read it."""
        return self.pack.prepared(self.parsed, self.rules.steps)

    def parse(self, caption: str) -> Parse:
        """What the active rules make of a caption. Raises MissingResourceError."""
        return applied(self.pack, self.rules, analysed(caption, self.lang, self.parser), caption)


def applied(pack: LanguagePack, rules: RuleSet, document: Document, caption: str) -> Parse:
    """What rules make of a parsed caption."""
    graph = pack.enhance(document, rules.steps)
    return Parse(caption, rules.apply(graph), graph)


@st.cache_data(show_spinner=False, max_entries=64)
def parsed(text: str, name: str) -> RuleSet:
    """The rule set of a text. Raises RuleError."""
    return parse_rules(text, name=name)


def keep(work: Work, draft: Draft) -> None:
    """Take over a draft: its rules are then active here and may be chosen on the Inspect page. Raises RuleError."""
    draft = replace(draft, off=draft.off & {rule.name for rule in draft.whole.rules})
    changed = draft.text != work.unchanged.text or draft.off
    draft = replace(draft, name=f"{work.base}-edited" if changed else work.base)
    st.session_state[DRAFTS] = {**st.session_state.get(DRAFTS, {}), (work.lang, work.base): draft}
    others = {name: text for name, text in settings.own(work.lang).items() if name != f"{work.base}-edited"}
    own = {**others, draft.name: draft.file} if changed else others
    st.session_state[settings.OWN] = {**st.session_state.get(settings.OWN, {}), work.lang: own}


def parsers(pack: LanguagePack) -> list[str]:
    """The parsers that can run here: the bundled ones, and installed pipelines of the language."""
    found = settings.options(pack, "parser")
    for name in sorted(point.name for point in entry_points(group="spacy_models")):
        prefix = next((known for known in pack.parsers if known.endswith(":")), "")
        fits = name.startswith(f"{pack.code}_")
        if prefix and fits and name not in pack.bundled_pipelines:
            found.append(prefix + name)
    return found


@st.cache_data(show_spinner=False, max_entries=512)
def analysed(caption: str, lang: str, parser: str) -> Document:
    """The parsed caption, without enhancement. Raises MissingResourceError."""
    return next(iter(language(lang).parser(parser).parse([caption])))


@st.cache_data(show_spinner=False)
def gold(lang: str) -> tuple[GoldGraph, ...]:
    """The gold graphs of a language; may be empty."""
    path = language(lang).examples.gold
    return tuple(read_gold(path, place_links=True)) if path else ()


@st.cache_data(show_spinner=False)
def sample(lang: str) -> tuple[str, ...]:
    """The captions of a language without gold graphs; may be empty."""
    path = language(lang).examples.captions
    return tuple(path.read_text(encoding="utf-8").splitlines()) if path else ()


def kinds(lang: str) -> list[str]:
    """The kinds of captions that a language has."""
    return [name for name, found in (("gold", gold(lang)), ("sample", sample(lang))) if found]


@st.cache_resource(show_spinner=False, max_entries=12)
def corpus(lang: str, parser: str, kind: str) -> ParsedCorpus:
    """The bundled captions of a kind (``gold`` or ``sample``), parsed once. Raises MissingResourceError."""
    captions = sample(lang) if kind == "sample" else [graph.caption for graph in gold(lang)]
    one = language(lang).parser(parser)
    return ParsedCorpus(language(lang), list(one.parse(captions)), one.signature)


@st.cache_resource(show_spinner=False, max_entries=6)
def judged(lang: str, parser: str, steps: tuple[str, ...] | None) -> Captions:
    """All bundled captions with the graphs of these steps, on which rules are judged. Raises MissingResourceError."""
    return Captions(gold(lang), [d for kind in ("gold", "sample") for d in corpus(lang, parser, kind).enhanced(steps)])
