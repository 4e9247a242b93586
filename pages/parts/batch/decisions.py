"""What a visitor decides on a data set: diagnosis and note of captions, causes of tuples, own tags."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import streamlit as st

from pages.parts.jobs.runs import Run
from pages.parts.kit.texts import INTERFACE, t
from spice_core.data.work_file import MAX_TAG_CHARS, MAX_TAGS, CauseAndNote, ImageId, Unmatched
from spice_core.explain.causes.suggest import CAPTION_CAUSES, UNCLEAR, Cause

NAMES = (*map(str, Cause), *CAPTION_CAUSES, UNCLEAR)  # of all causes but own tags
_MARKS = count(1)


class _Step(NamedTuple):
    """A cause given to many captions at once: their causes before it, and the marks before and after it."""

    cause: str
    before: Mapping[ImageId, str]
    marks: tuple[int, int]


@dataclass(eq=False)
class Decisions:
    """Diagnosis and note by image, causes of tuples by image, own tags; ``mark`` tells one state from another."""

    captions: dict[ImageId, CauseAndNote] = field(default_factory=dict)
    tuples: dict[ImageId, dict[Unmatched, str]] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    mark: int = 0
    _last: _Step | None = None

    def __bool__(self) -> bool:
        return bool(self.captions or self.tuples or self.tags)

    @property
    def for_captions(self) -> list[str]:
        """The causes that a caption can be given."""
        return [*CAPTION_CAUSES, *self.tags]

    @property
    def for_tuples(self) -> list[str]:
        """The causes that a tuple can be given."""
        return [*Cause, *CAPTION_CAUSES, *self.tags, UNCLEAR]

    @property
    def undoable(self) -> int:
        """The number of captions of the last step that gave many a cause; 0 if there is none."""
        return len(self._last.before) if self._last else 0

    def diagnose(self, image: ImageId, cause: str, note: str) -> None:
        """Give a caption a cause and a note, or take them away."""
        self._put(image, cause, note)
        self._changed()

    def diagnose_all(self, images: Collection[ImageId], cause: str) -> None:
        """Give captions a cause in one step; their notes stay."""
        before, mark = {image: self.captions.get(image, ("", ""))[0] for image in images}, self.mark
        for image in images:
            self._put(image, cause, self.captions.get(image, ("", ""))[1])
        self._changed()
        self._last = _Step(cause, before, (mark, self.mark))

    def undo(self) -> None:
        """Give the captions of the last such step their causes back; what was changed since stays."""
        if self._last is None:
            return
        cause, before, marks = self._last
        for image, old in before.items():
            now, note = self.captions.get(image, ("", ""))
            if now == cause:
                self._put(image, old, note)
        self.mark = marks[0] if self.mark == marks[1] else next(_MARKS)
        self._last = None

    def decide(self, image: ImageId, causes: Mapping[Unmatched, str]) -> None:
        """Give tuples of a caption their causes; an empty one takes the decision away."""
        now = {tuple_: cause for tuple_, cause in {**self.tuples.get(image, {}), **causes}.items() if cause}
        if now:
            self.tuples[image] = now
        else:
            self.tuples.pop(image, None)
        self._changed()

    def keep_tags(self, wanted: Iterable[str]) -> list[str]:
        """Let these be the own tags; returns messages about those that cannot be had, and about those in use, which stay."""
        found = self.tags
        self.tags, problems = _checked(wanted)
        used = {cause for cause, _ in self.captions.values()} | {cause for causes in self.tuples.values() for cause in causes.values()}
        if stay := [tag for tag in found if tag in used and tag not in self.tags]:
            self.tags = [*stay, *self.tags][:MAX_TAGS]
            problems.append(t("tagging.used", tags=", ".join(stay)))
        if self.tags != found:
            self._changed()
        return problems

    def _put(self, image: ImageId, cause: str, note: str) -> None:
        self.captions[image] = (cause, note)
        if not cause and not note:
            del self.captions[image]

    def _changed(self) -> None:
        self.mark = next(_MARKS)


def of(run: Run, *, key: str) -> Decisions:
    """The visitor's decisions on the data of a run."""
    found: Decisions = st.session_state.setdefault(f"{key}.decisions", {}).setdefault(run.digest, Decisions())
    return found


def label(name: str, *, language: str = "") -> str:
    """The name of a cause in the interface language (or ``language``); an own tag is as the visitor wrote it."""
    if name in CAPTION_CAUSES:
        return t(f"batch.{name}" if name != "caption" else "batch.caption_cause", language=language)
    if name in NAMES:
        return t("reasons.unclear" if name == UNCLEAR else f"reasons.{name.replace(' ', '_')}", language=language)
    return name


def _checked(wanted: Iterable[str]) -> tuple[list[str], list[str]]:
    """Own tags without repetitions and names of other causes, and messages about what was left out."""
    taken = {each.casefold() for name in NAMES for each in (name, *(label(name, language=code) for code in INTERFACE))}
    tags: dict[str, str] = {}
    problems = []
    for text in wanted:
        tag = "".join(filter(str.isprintable, " ".join(text.split())))
        if len(tag) > MAX_TAG_CHARS:
            problems.append(t("tagging.too_long", tag=f"{tag[:MAX_TAG_CHARS]}…", most=MAX_TAG_CHARS))
        elif tag.casefold() in taken:
            problems.append(t("tagging.taken", tag=tag))
        elif tag:
            tags.setdefault(tag.casefold(), tag)
    if len(tags) > MAX_TAGS:
        problems.append(t("tagging.too_many", most=MAX_TAGS))
    return list(tags.values())[:MAX_TAGS], problems
