"""A visitor's decisions on a data set: causes and notes of captions, causes of tuples, custom tags."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from pages.parts.kit.texts import INTERFACE_LANGUAGES, t
from spice_core.data.work_file import MAX_TAG_CHARS, MAX_TAGS, CausesAndNote, ImageId, UnmatchedTuple
from spice_core.explain.causes.annotators import CAUSE_SEPARATOR
from spice_core.explain.causes.suggest import ANSWER_CAUSE_NAMES, CAPTION_CAUSE_NAMES, UNCLEAR_CAUSE, Cause

CAUSE_NAMES = (*map(str, Cause), *ANSWER_CAUSE_NAMES, *CAPTION_CAUSE_NAMES, UNCLEAR_CAUSE)  # names of all causes except custom tags
_REVISION_NUMBERS = count(1)


class _CauseAddition(NamedTuple):
    """A cause added to several captions at once: the captions that lacked it, and the revisions before and after."""

    cause: str
    images: tuple[ImageId, ...]
    revisions: tuple[int, int]


@dataclass(eq=False)
class Decisions:
    """Causes and notes of captions, causes of tuples, and custom tags. ``revision`` identifies the current state."""

    captions: dict[ImageId, CausesAndNote] = field(default_factory=dict)
    tuples: dict[ImageId, dict[UnmatchedTuple, str]] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    revision: int = 0
    _last_addition: _CauseAddition | None = None

    def __bool__(self) -> bool:
        return bool(self.captions or self.tuples or self.tags)

    @property
    def caption_causes(self) -> list[str]:
        """The causes that a caption can have."""
        return [*CAPTION_CAUSE_NAMES, *self.tags]

    @property
    def tuple_causes(self) -> list[str]:
        """The causes that a tuple can have."""
        return [*Cause, *ANSWER_CAUSE_NAMES, *CAPTION_CAUSE_NAMES, *self.tags, UNCLEAR_CAUSE]

    @property
    def undo_count(self) -> int:
        """The number of captions that ``undo`` would change."""
        return len(self._last_addition.images) if self._last_addition else 0

    def causes_of(self, image: ImageId) -> tuple[str, ...]:
        """Return the causes of a caption."""
        return self.captions.get(image, ((), ""))[0]

    def note_of(self, image: ImageId) -> str:
        """Return the note of a caption."""
        return self.captions.get(image, ((), ""))[1]

    def set_causes(self, image: ImageId, causes: Iterable[str]) -> None:
        """Set the causes of a caption."""
        self._store(image, tuple(causes), self.note_of(image))
        self._renew_revision()

    def set_note(self, image: ImageId, note: str) -> None:
        """Set the note of a caption."""
        self._store(image, self.causes_of(image), note)
        self._renew_revision()

    def add_cause(self, images: Iterable[ImageId], cause: str) -> None:
        """Add a cause to several captions in one step, without changing other causes and notes."""
        other_images, revision = tuple(image for image in images if cause not in self.causes_of(image)), self.revision
        for image in other_images:
            self._store(image, (*self.causes_of(image), cause), self.note_of(image))
        self._renew_revision()
        self._last_addition = _CauseAddition(cause, other_images, (revision, self.revision))

    def undo(self) -> None:
        """Undo the last ``add_cause``, if it is not undone yet."""
        if self._last_addition is None:
            return
        cause, images, revisions = self._last_addition
        for image in images:
            self._store(image, tuple(other_cause for other_cause in self.causes_of(image) if other_cause != cause), self.note_of(image))
        self.revision = revisions[0] if self.revision == revisions[1] else next(_REVISION_NUMBERS)
        self._last_addition = None

    def set_tuple_causes(self, image: ImageId, causes: Mapping[UnmatchedTuple, str]) -> None:
        """Set the causes of a caption's tuples. An empty cause removes the decision."""
        causes_by_tuple = {tuple_: cause for tuple_, cause in {**self.tuples.get(image, {}), **causes}.items() if cause}
        if causes_by_tuple:
            self.tuples[image] = causes_by_tuple
        else:
            self.tuples.pop(image, None)
        self._renew_revision()

    def set_tags(self, texts: Iterable[str]) -> list[str]:
        """Replace the custom tags. Return messages about invalid tags, and about removed tags that are in use and remain."""
        old_tags = self.tags
        self.tags, problems = _validate_tags(texts)
        used_causes = {cause for causes, _ in self.captions.values() for cause in causes} | {
            cause for causes in self.tuples.values() for cause in causes.values()
        }
        if in_use := [tag for tag in old_tags if tag in used_causes and tag not in self.tags]:
            self.tags = [*in_use, *self.tags][:MAX_TAGS]
            problems.append(t("tagging.used", tags=", ".join(in_use)))
        if self.tags != old_tags:
            self._renew_revision()
        return problems

    def _store(self, image: ImageId, causes: tuple[str, ...], note: str) -> None:
        self.captions[image] = (causes, note)
        if not causes and not note:
            del self.captions[image]

    def _renew_revision(self) -> None:
        self.revision = next(_REVISION_NUMBERS)


def cause_label(cause: str, *, language: str = "") -> str:
    """Return the label of one or more causes in the interface language (or ``language``). Custom tags are their own labels."""
    if CAUSE_SEPARATOR in cause:
        return CAUSE_SEPARATOR.join(cause_label(part, language=language) for part in cause.split(CAUSE_SEPARATOR))
    if cause in CAPTION_CAUSE_NAMES:
        return t(f"batch.{cause}" if cause != "caption" else "batch.caption_cause", language=language)
    if cause in CAUSE_NAMES:
        return t("reasons.unclear" if cause == UNCLEAR_CAUSE else f"reasons.{cause.replace(' ', '_')}", language=language)
    return cause


def _validate_tags(texts: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the valid custom tags without duplicates, and messages about the rejected tags."""
    reserved_tags = {
        label.casefold() for name in CAUSE_NAMES for label in (name, *(cause_label(name, language=code) for code in INTERFACE_LANGUAGES))
    }
    tags: dict[str, str] = {}
    problems = []
    for text in texts:
        tag = "".join(filter(str.isprintable, " ".join(text.split())))
        if len(tag) > MAX_TAG_CHARS:
            problems.append(t("tagging.too_long", tag=f"{tag[:MAX_TAG_CHARS]}…", most=MAX_TAG_CHARS))
        elif tag.casefold() in reserved_tags:
            problems.append(t("tagging.taken", tag=tag))
        elif tag:
            tags.setdefault(tag.casefold(), tag)
    if len(tags) > MAX_TAGS:
        problems.append(t("tagging.too_many", most=MAX_TAGS))
    return list(tags.values())[:MAX_TAGS], problems
