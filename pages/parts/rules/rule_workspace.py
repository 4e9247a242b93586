"""State of the Rules page: the caption and its parse, the visitor's draft of the rules, and the bundled captions."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.kit import capacity
from pages.parts.rules.state import DraftHistory, RuleDraft, rules_state
from pages.parts.state import settings
from pages.parts.uploads import datasets
from spice_core.data.gold import GoldGraph, read_gold
from spice_core.data.ratings import RatedCaption
from spice_core.data.reader import read_rows
from spice_core.lang import language
from spice_core.lang.pack import LanguagePack, NBestParser
from spice_core.rules import RuleSet
from spice_core.rules.edit_step import RuleSetStep
from spice_core.scene.propositions import Parse
from spice_core.syntax.document import Document
from spice_core.workbench.corpus import ParsedCorpus
from spice_core.workbench.judged_captions import IndexedCaptions
from spice_core.workbench.rule_check import LabelVocabulary, make_vocabulary

MAX_UNDO_STEPS = 50
MAX_RATED_CAPTIONS = 90  # maximum number of rated captions that are scored without a request
MAX_MORE_CAPTIONS = 2_340  # maximum number of captions that are parsed on demand
CAPTIONS_PER_CHUNK = 90
RATINGS_FOLDER = Path(__file__).parents[3] / "assets" / "agreement"
MAX_CORRECTIONS = 50  # maximum number of corrections per caption, and of corrected captions


@dataclass(frozen=True)
class Workspace:
    """The choices on the page: language, parser, bundled rule set and caption.

    The properties look up what belongs to these choices, such as the visitor's draft of the rules.
    """

    lang: str
    parser: str
    base: str
    caption: str

    @property
    def pack(self) -> LanguagePack:
        return language(self.lang)

    @property
    def bundled_rules(self) -> RuleSet:
        """The bundled rule set."""
        return self.pack.rule_set(self.base)

    @property
    def draft(self) -> RuleDraft:
        """The visitor's draft, initially the default rules."""
        return self.history.active or self.default_draft

    @property
    def history(self) -> DraftHistory:
        """The visitor's drafts of the rule set."""
        return rules_state().histories[self.lang, self.base]

    @property
    def default_draft(self) -> RuleDraft:
        """The default rules: the unedited text of the bundled rule set."""
        return RuleDraft(self.base, self.pack.rules[self.base].read_text(encoding="utf-8"))

    @property
    def rules(self) -> RuleSet:
        """The active rules."""
        return self.draft.rules if self.is_changed else self.bundled_rules

    @property
    def is_changed(self) -> bool:
        return self.has_edits(self.draft)

    def has_edits(self, draft: RuleDraft) -> bool:
        """Return whether the rules of a draft differ from the default rules."""
        return bool(draft.disabled_names) or draft.text != self.default_draft.text

    @property
    def caption_document(self) -> Document:
        """The caption's latest corrected tree, or the parser's, before enhancement."""
        return self.tree(self.caption)

    @property
    def parser_tree(self) -> Document:
        """The parser's tree of the caption, before enhancement."""
        return parse_caption(self.caption, self.lang, self.parser)

    @property
    def corrections(self) -> tuple[Document, ...]:
        """The corrected trees of the caption, the current tree last."""
        return rules_state().corrections.get((self.lang, self.parser, self.caption), ())

    @property
    def document(self) -> Document:
        """The caption's tree after the steps across sentences, before the enhancement of each sentence."""
        return self.pack.enhancer.apply_discourse(self.caption_document, self.rules.steps)

    def parse(self, caption: str) -> Parse:
        """Return a caption with the propositions that the active rules yield on its tree, which may be corrected.

        Raises MissingResourceError if the parser is not installed.
        """
        return apply_rules(self.pack, self.rules, self.tree(caption), caption)

    def parse_case(self, case: GoldGraph) -> Parse:
        """Apply the active rules to a case. Parse its caption if the case has no tree.

        Raises MissingResourceError if the parser is not installed.
        """
        return apply_rules(self.pack, self.rules, case.document, case.caption) if case.document else self.parse(case.caption)

    def tree(self, caption: str) -> Document:
        """Return a caption's latest corrected tree, or the parser's.

        Raises MissingResourceError if the parser is not installed.
        """
        corrections = replace(self, caption=caption).corrections
        return corrections[-1] if corrections else parse_caption(caption, self.lang, self.parser)


def apply_rules(pack: LanguagePack, rules: RuleSet, document: Document, caption: str) -> Parse:
    """Enhance a parsed caption and apply rules to it."""
    graph = pack.enhance(document, rules.steps)
    return Parse(caption, rules.apply(graph), graph)


def activate_draft(workspace: Workspace, draft: RuleDraft) -> None:
    """Activate a draft, and offer its rules in other pages' settings. Raises RuleError if the rules are invalid."""
    draft = replace(draft, disabled_names=draft.disabled_names & {rule.name for rule in draft.all_rules.rules})
    if (draft.text, draft.disabled_names) != (workspace.draft.text, workspace.draft.disabled_names):
        workspace.history.past = [*workspace.history.past, workspace.draft][-MAX_UNDO_STEPS:]
        workspace.history.undone = []
    _replace_draft(workspace, draft)


def move_draft(workspace: Workspace, source: list[RuleDraft], target: list[RuleDraft]) -> None:
    """Undo or redo an edit: activate the last draft of one list, and append the active draft to the other list."""
    if source:
        target.append(workspace.draft)
        _replace_draft(workspace, source.pop())


def _replace_draft(workspace: Workspace, draft: RuleDraft) -> None:
    is_changed = workspace.has_edits(draft)
    workspace.history.active = draft = replace(draft, name=f"{workspace.base}-edited" if is_changed else workspace.base)
    other_rules = {name: text for name, text in settings.custom_rule_texts(workspace.lang).items() if name != f"{workspace.base}-edited"}
    custom_files = {**other_rules, draft.name: draft.file} if is_changed else other_rules
    st.session_state[settings.CUSTOM_RULES] = {**st.session_state.get(settings.CUSTOM_RULES, {}), workspace.lang: custom_files}


def store_corrections(workspace: Workspace, trees: tuple[Document, ...]) -> None:
    """Store corrected trees of the caption, the current one last. An empty tuple restores the parser's tree."""
    state, place = rules_state(), (workspace.lang, workspace.parser, workspace.caption)
    corrections = {key: documents for key, documents in state.corrections.items() if key != place}
    if trees:
        corrections[place] = trees[-MAX_CORRECTIONS:]
    state.corrections = dict(list(corrections.items())[-MAX_CORRECTIONS:])


def add_correction(workspace: Workspace, document: Document) -> None:
    """Use a corrected tree as the tree of the caption."""
    store_corrections(workspace, (*workspace.corrections, document))


def available_parsers(pack: LanguagePack) -> list[str]:
    """Return the names of a language's bundled parsers and installed pipelines."""
    names = settings.part_options(pack, "parser")
    for name in _installed_pipelines():
        prefix = next((parser_name for parser_name in pack.parsers if parser_name.endswith(":")), "")
        fits = name.startswith(f"{pack.code}_")
        if prefix and fits and name not in pack.bundled_pipelines:
            names.append(prefix + name)
    return names


@st.cache_resource(show_spinner=False, ttl=60)
def _installed_pipelines() -> tuple[str, ...]:
    return tuple(sorted(point.name for point in entry_points(group="spacy_models")))


@st.cache_resource(show_spinner=False, max_entries=512)
def parse_caption(caption: str, lang: str, parser: str) -> Document:
    """Parse a caption, without enhancement. Raises MissingResourceError if the parser is not installed."""
    return next(iter(language(lang).parser(parser).parse([caption])))


@st.cache_data(show_spinner=False, max_entries=64)
def runners_up(caption: str, lang: str, parser: str) -> list[Document] | None:
    """Return other trees of a caption, the likeliest first, or None if the parser does not score trees.

    Raises MissingResourceError if the parser is not installed.
    """
    caption_parser = language(lang).parser(parser)
    return caption_parser.runners_up(caption) if isinstance(caption_parser, NBestParser) else None


@st.cache_resource(show_spinner=False)
def gold_graphs(lang: str) -> tuple[GoldGraph, ...]:
    """Return the gold graphs of a language, if any."""
    path = language(lang).examples.gold
    return tuple(read_gold(path, place_links=True)) if path else ()


@st.cache_resource(show_spinner=False)
def sample_captions(lang: str) -> tuple[str, ...]:
    """Return the bundled captions of a language that have no gold graphs, if any."""
    path = language(lang).examples.captions
    return tuple(path.read_text(encoding="utf-8").splitlines()) if path else ()


@st.cache_resource(show_spinner=False)
def freeze_corpora(lang: str, parser: str) -> None:
    """Exclude parsed captions and other loaded data from later garbage collections."""
    capacity.freeze_loaded_objects()


def bundled_caption_sets(lang: str) -> list[str]:
    """Return the names of a language's nonempty sets of bundled captions (``gold`` and ``sample``)."""
    return [name for name, captions in (("gold", gold_graphs(lang)), ("sample", sample_captions(lang))) if captions]


@st.cache_resource(show_spinner=False, max_entries=12)
def parsed_corpus(lang: str, parser: str, caption_set: str) -> ParsedCorpus:
    """Return the bundled captions of a set (``gold``, ``sample`` or ``rated``), parsed once.

    Raises MissingResourceError if the parser is not installed.
    """
    captions: Iterable[str] = sample_captions(lang) if caption_set == "sample" else [graph.caption for graph in gold_graphs(lang)]
    if caption_set == "rated":
        captions = dict.fromkeys(
            caption for item in rated_captions(lang)[:MAX_RATED_CAPTIONS] for caption in (item.candidate, *item.references)
        )
    parser_ = language(lang).parser(parser)
    return ParsedCorpus(language(lang), list(parser_.parse(captions)), parser_.signature)


def known_labels(workspace: Workspace) -> LabelVocabulary:
    """Return the labels and tags of the bundled captions and rules, after the active rules' steps."""
    return _cached_vocabulary(workspace.lang, workspace.parser, workspace.base, workspace.rules.steps)


@st.cache_resource(show_spinner=False, max_entries=12)
def _cached_vocabulary(lang: str, parser: str, base: str, steps: tuple[RuleSetStep, ...] | None) -> LabelVocabulary:
    corpora = [parsed_corpus(lang, parser, caption_set).enhanced_documents(steps) for caption_set in bundled_caption_sets(lang)]
    return make_vocabulary(corpora, language(lang).rule_set(base).rules)


@st.cache_resource(show_spinner=False)
def rated_captions(lang: str) -> tuple[RatedCaption, ...]:
    """Return the bundled captions with ratings, if any."""
    path = RATINGS_FOLDER / f"sample_{lang}.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["items"] if path.is_file() else []
    return tuple(RatedCaption(row["candidate"], tuple(row["references"]), (row["rating"],)) for row in rows)


@st.cache_resource(show_spinner=False)
def more_captions(lang: str) -> tuple[str, ...]:
    """Return the captions that are parsed on demand: rated captions and their references, then captions of the bundled data sets.

    Return () for a language without rated captions.
    """
    captions_ = [caption for item in rated_captions(lang) for caption in (item.candidate, *item.references)]
    for path in (datasets.ENGLISH_SAMPLE.path, datasets.SAMPLES_FOLDER / "coco.jsonl") if captions_ else ():
        rows: list[Any] = [row for _, row in read_rows(path)]
        for row in rows:
            captions = row["captions"]
            captions_ += [*(captions.values() if isinstance(captions, dict) else captions), *row.get("refs", ())]
    return tuple(dict.fromkeys(filter(language(lang).is_mostly_in_script, captions_)))[:MAX_MORE_CAPTIONS]


def on_demand_corpus(lang: str, parser: str) -> ParsedCorpus | None:
    """Return the corpus of on-demand captions, or None until all are parsed."""
    chunks = _parsed_chunks(lang, parser)
    if len(chunks) * CAPTIONS_PER_CHUNK < len(more_captions(lang)):
        return None
    return _on_demand_corpus(lang, parser)


def parse_more(lang: str, parser: str) -> Iterator[float]:
    """Parse the remaining on-demand captions in chunks, and yield the share of parsed captions before each chunk.

    Raises MissingResourceError if the parser is not installed.
    """
    captions, chunks = more_captions(lang), _parsed_chunks(lang, parser)
    while (start := len(chunks) * CAPTIONS_PER_CHUNK) < len(captions):
        yield start / len(captions)
        chunk_index = start // CAPTIONS_PER_CHUNK
        chunks[chunk_index] = list(language(lang).parser(parser).parse(captions[start : start + CAPTIONS_PER_CHUNK]))


@st.cache_resource(show_spinner=False, max_entries=4)
def _parsed_chunks(lang: str, parser: str) -> dict[int, list[Document]]:
    return {}


@st.cache_resource(show_spinner=False, max_entries=4)
def _on_demand_corpus(lang: str, parser: str) -> ParsedCorpus:
    documents = [document for _, chunk in sorted(_parsed_chunks(lang, parser).items()) for document in chunk]
    return ParsedCorpus(language(lang), documents, language(lang).parser(parser).signature)


@st.cache_resource(show_spinner=False, max_entries=6)
def judged_captions(lang: str, parser: str, steps: tuple[RuleSetStep, ...] | None) -> IndexedCaptions:
    """Return the gold and sample captions with their graphs after these steps, as a standard for proposals.

    Raises MissingResourceError if the parser is not installed.
    """
    return IndexedCaptions(
        gold_graphs(lang),
        [d for caption_set in ("gold", "sample") for d in parsed_corpus(lang, parser, caption_set).enhanced_documents(steps)],
    )
