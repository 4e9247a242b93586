"""Differences between two rule files: added, removed, changed and moved rules, their texts, and how often they fire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff
from functools import lru_cache

from spice_core.rules import text_positions
from spice_core.rules.rule_file import parse_rules
from spice_core.scene.propositions import Parse

ADDED_KIND, REMOVED_KIND, CHANGED_KIND, MOVED_KIND = "added", "removed", "changed", "moved"
HEAD_NAME = ""  # the name of the text before the first rule


@dataclass(frozen=True)
class RuleChange:
    """A rule that differs between two files: the kind of change, and its text in both files ("" if absent)."""

    name: str
    kind: str
    before: str
    after: str

    @property
    def lines(self) -> list[str]:
        """The removed (-), added (+) and surrounding unchanged ( ) lines."""
        diff = unified_diff(self.before.splitlines(), self.after.splitlines(), lineterm="", n=1)
        return [line for line in diff if not line.startswith(("---", "+++", "@@"))]


def rule_changes(before: str, after: str) -> list[RuleChange]:
    """Return the changes between the texts of two rule files, in the order of the second file, with removed rules last.

    Raises RuleError if a file is invalid.
    """
    old_texts, new_texts = _text_by_rule(before), _text_by_rule(after)
    moved_names = _moved_rules([n for n in old_texts if n in new_texts and n], [n for n in new_texts if n in old_texts and n])
    out = []
    for name in dict.fromkeys((*new_texts, *old_texts)):
        old_text, new_text = old_texts.get(name, ""), new_texts.get(name, "")
        if name not in old_texts or name not in new_texts:
            out.append(RuleChange(name, ADDED_KIND if name in new_texts else REMOVED_KIND, old_text, new_text))
        elif old_text != new_text or name in moved_names:
            out.append(RuleChange(name, CHANGED_KIND if old_text != new_text else MOVED_KIND, old_text, new_text))
    return out


def count_firings(parses: Iterable[Parse]) -> Counter[str]:
    """Count the propositions that each rule yields."""
    return Counter(p.rule for parse in parses for p in parse.propositions)


@lru_cache(maxsize=8)
def _text_by_rule(text: str) -> dict[str, str]:
    """Return the text of each rule by name, and the file's settings under ``HEAD_NAME``."""
    text = text_positions.set_version(text, "")
    blocks = text_positions.rule_blocks(text)
    names = [rule.name for rule in parse_rules(text, name="").rules]
    settings = text[: blocks[0].start if blocks else None]
    head = "\n".join(line for line in settings.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return {HEAD_NAME: head, **{name: text_positions.rule_source(text, n).strip() for n, name in enumerate(names)}}


def _moved_rules(old_names: list[str], new_names: list[str]) -> set[str]:
    """Return the names of the rules that changed their relative order."""
    blocks = SequenceMatcher(None, old_names, new_names, autojunk=False).get_matching_blocks()
    return set(new_names).difference(*(old_names[block.a : block.a + block.size] for block in blocks))
