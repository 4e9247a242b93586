"""State of the Rules page during a visit, besides the values of its widgets."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from pages.parts.kit.visit import state_of_visit
from spice_core.data.gold import GoldGraph
from spice_core.errors import SpiceError
from spice_core.rules import Rule, RuleSet, text_positions
from spice_core.rules.rule_file import parse_rules
from spice_core.syntax.document import Document
from spice_core.version import __version__
from spice_core.workbench.corpus import ParsedCorpus

T = TypeVar("T")
_MAX_CACHED_RESULTS = 12  # maximum number of results of each kind


@dataclass(frozen=True)
class RuleDraft:
    """The visitor's version of a rule set: the file's text and the disabled rules."""

    name: str
    text: str
    disabled_names: frozenset[str] = frozenset()

    @property
    def all_rules(self) -> RuleSet:
        """All rules of the text, including disabled rules."""
        return parse_rule_text(self.text, self.name)

    @property
    def rules(self) -> RuleSet:
        """The active rules."""
        return parse_rule_text(self.file, self.name)

    @property
    def file(self) -> str:
        """The text without the disabled rules."""
        return text_positions.remove_rules(
            self.text, (n for n, rule in enumerate(self.all_rules.rules) if rule.name in self.disabled_names)
        )

    @property
    def versioned_file(self) -> str:
        """The text without the disabled rules, with the current version of spice_core in its head."""
        return text_positions.set_version(self.file, __version__)

    @property
    def disabled_rules(self) -> list[Rule]:
        """The disabled rules."""
        return [rule for rule in self.all_rules.rules if rule.name in self.disabled_names]


@dataclass
class DraftHistory:
    """The visitor's drafts of a rule set: the active, the earlier and the undone ones."""

    active: RuleDraft | None = None
    past: list[RuleDraft] = field(default_factory=list)
    undone: list[RuleDraft] = field(default_factory=list)


class OpenedText(NamedTuple):
    """A text opened in the editor by another section, with language, rule set, and rule index or "new"."""

    place: tuple[str, str, int | str]
    text: str


@dataclass
class RulesState:
    """State of the Rules page.

    Attributes:
        has_read_link: Whether the edits in the URL have been applied.
        has_read_tree: Whether the tree in the URL has been applied.
        histories: The drafts, by language and rule set.
        corrections: The corrected trees by language, parser and caption, the current tree of a caption last.
        cases: The visitor's test cases, by language and caption.
        marks: The cause of a difference from a gold graph and a note on it, by language, caption, side and tuple.
        editor_error: The error of the text that the visitor has applied.
        editor_messages: Other messages about this text.
        opened_text: A text that another section opened in the editor.
        open_count: How often another section has opened the editor.
        added_rule: The name of the rule that was added or changed last.
        loaded_file: Id of the last rule file that was loaded, or of the last file of cases (``loaded_cases``).
        uploaded_corpus: The captions or trees of the last file on the page Search, with a key that identifies them.
        shows_pairs: Whether the minimal pairs have been run.
        caches: Results of rules, by kind and then by a key that identifies the rules and the captions.
        run_seconds: How long the last run on each set of captions took.
    """

    has_read_link: bool = False
    has_read_tree: bool = False
    histories: defaultdict[tuple[str, str], DraftHistory] = field(default_factory=lambda: defaultdict(DraftHistory))
    corrections: dict[tuple[str, str, str], tuple[Document, ...]] = field(default_factory=dict)
    cases: defaultdict[str, dict[str, GoldGraph]] = field(default_factory=lambda: defaultdict(dict))
    marks: dict[tuple, tuple[str, str]] = field(default_factory=dict)
    editor_error: SpiceError | None = None
    editor_messages: list[str] = field(default_factory=list)
    opened_text: OpenedText | None = None
    open_count: int = 0
    added_rule: str = ""
    loaded_file: str = ""
    loaded_cases: str = ""
    uploaded_corpus: tuple[object, ParsedCorpus] | None = None
    shows_pairs: bool = False
    caches: defaultdict[str, dict[object, Any]] = field(default_factory=lambda: defaultdict(dict))
    run_seconds: dict[str, float] = field(default_factory=dict)

    def cached(self, kind: str, key: object, compute: Callable[[], T]) -> T:
        """Return the result of ``compute``, cached by a key. Only the last results of each kind are cached."""
        cache = self.caches[kind]
        if key not in cache:
            cache[key] = compute()
            while len(cache) > _MAX_CACHED_RESULTS:
                del cache[next(iter(cache))]
        return cache[key]


def rules_state() -> RulesState:
    """Return the state of the Rules page."""
    return state_of_visit(RulesState)


@lru_cache(maxsize=32)
def parse_rule_text(text: str, name: str) -> RuleSet:
    """Return the rule set of a text. Raises RuleError if the text is invalid."""
    return replace(_parse_rule_text(text), name=name)


@lru_cache(maxsize=16)
def _parse_rule_text(text: str) -> RuleSet:
    return parse_rules(text, name="")
