"""Work kept in a file and opened again: scored rows, settings, filters, diagnoses and notes."""

from __future__ import annotations

import gzip
import json
from itertools import chain, islice
from typing import Any

import streamlit as st

from pages.parts.batch import filters
from pages.parts.batch.decisions import NAMES, Decisions
from pages.parts.jobs.runs import MOST_SEARCHED, CauseSearch, Run
from pages.parts.kit import memory, messages
from pages.parts.kit.texts import problem, t
from pages.parts.state import engine, settings
from pages.parts.uploads import datasets
from pages.parts.views import component
from spice_core import SpiceConfig
from spice_core.data.columns import file_name
from spice_core.data.work_file import MAX_TAGS, Work
from spice_core.errors import InputError, SpiceError
from spice_core.explain.causes.suggest import UNCLEAR, Cause
from spice_core.lang import LANGUAGES, language
from spice_core.lang.tree_file import TreeFile, uploaded

_MANY = 500  # rows that the search for garbage passes over
_ROW = "row"  # of the view: the caption that is shown
_SAVE = "save.work"  # the button


def open_once(data: datasets.Data, trees: TreeFile | None, *, key: str) -> Run | None:
    """The run of a work file, when it has just been chosen: its settings, filters and diagnoses become those of the page."""
    if not data.work or st.session_state.get(f"{key}.work") is data:
        return None
    st.session_state[f"{key}.work"] = data
    config, said = _settings(data.work, trees)
    st.session_state[f"{key}.work_said"] = said
    config = settings.restore(config, key=key)
    st.session_state[f"{key}.lang.{data.digest[:12]}"] = config.lang
    found = decided_in(data.work)
    st.session_state.setdefault(f"{key}.decisions", {})[data.digest] = found
    filters.put(data.work.view, key=key)
    st.session_state[f"{key}.row"] = _row(data.work)
    run = Run(data.items, config, data.name, data.digest, rows=list(data.work.rows), trees=_tree_settings(config, trees))
    run.search = _search(data.work, run, said)
    _restored_record(key=key)[:] = [_fingerprint(run, found)]
    if len(run.rows) >= _MANY:
        memory.settle()
    return run


def rejoin(data: datasets.Data, run: Run | None, trees: TreeFile | None, *, key: str) -> None:
    """Give the run of a work file the trees that it was scored on, once they are here: its settings can then be had."""
    own = run and data.work and run.rows and run.rows[0] is data.work.rows[0]
    if not run or not data.work or not own or run.trees or not trees or data.work.settings.get("parser") != trees.name:
        return
    config, said = _settings(data.work, trees)
    st.session_state[f"{key}.work_said"] = said
    run.settings, run.trees = settings.restore(config, key=key), _tree_settings(config, trees)
    run.search = run.search or _search(data.work, run, said)
    run.cache.clear()


def _tree_settings(config: SpiceConfig, trees: TreeFile | None) -> TreeFile | None:
    """The trees that settings name; None for others."""
    return trees if trees and config.parser == trees.name else None


def decided_in(work: Work) -> Decisions:
    """The decisions of a work file; a cause that it does not name as a tag becomes one, while there is room."""
    found = Decisions(dict(work.diagnoses), {image: dict(causes) for image, causes in work.causes.items()})
    given = chain((cause for cause, _ in work.diagnoses.values()), *(causes.values() for causes in work.causes.values()))
    own = dict.fromkeys(cause for cause in given if cause and cause not in NAMES)
    found.keep_tags([*work.tags, *islice(own, MAX_TAGS)])
    for_captions, for_tuples = {"", *found.for_captions}, set(found.for_tuples)
    for image, (cause, note) in work.diagnoses.items():
        if cause not in for_captions:
            found.diagnose(image, "", note)
    for image, causes in work.causes.items():
        found.decide(image, {of: "" for of, cause in causes.items() if cause not in for_tuples})
    found.mark = 0
    return found


def report(data: datasets.Data, run: Run | None, *, key: str) -> None:
    """That the rows are shown as they were saved, or why not with their settings."""
    if data.work and run and run.digest == data.digest:
        messages.say([t("batch.work_opened", number=len(data.items)), *st.session_state.get(f"{key}.work_said", [])])


def save(run: Run, decided: Decisions, *, key: str) -> None:
    """A button that saves the work as a file, made when it is pressed."""
    view = filters.view(run, key=key) | {_ROW: json.dumps(st.session_state.get(f"{key}.row"))}
    work = complete_record(run, {name: value for name, value in view.items() if value}, decided, key=key)
    saved, mark = _restored_record(key=key), _fingerprint(run, decided)

    def made() -> bytes:
        saved[:] = [mark]
        return as_file(work)

    # a script run started by the click would take the file away before the browser has fetched it: the button starts none
    file: dict[str, Any] = {"file_name": f"spice-{run.name}-{run.settings.lang}-work.jsonl.gz", "mime": "application/gzip"}
    st.download_button(t("batch.save_work"), made, key=f"{key}.{_SAVE}", on_click="ignore", type="tertiary", **file)


def complete_record(run: Run, view: dict[str, str], decided: Decisions, *, key: str) -> Work:
    """The work on a run, with what the file that it came from holds beside."""
    data: datasets.Data | None = st.session_state.get(f"{key}.work")
    before = data.work if data and data.work and data.digest == run.digest else Work(())
    causes, beside = {image: dict(found) for image, found in decided.tuples.items()}, (before.unknown, before.unknown_work)
    ids = {row.image_id for row in run.rows}
    files = {item.image_id: file_name(item.image_file) for item in run.items if item.image_file and item.image_id in ids}
    by = str(engine.engine(run.settings).signature) if run.suggested else ""
    found = (*beside, files, dict(run.suggested), by)
    return Work(tuple(run.rows), run.name, run.settings.as_dict(), view, dict(decided.captions), causes, tuple(decided.tags), *found)


def as_file(work: Work) -> bytes:
    """The gzipped lines, the same bytes for the same work."""
    return gzip.compress("".join(work.lines()).encode(), mtime=0)


def warn(run: Run, decided: Decisions, *, key: str) -> None:
    """Let the browser ask before work that is in no file is left."""
    own = run.digest != datasets.sample().digest or bool(decided)
    component.leave(unsaved=own and _restored_record(key=key) != [_fingerprint(run, decided)], save=f"{key}.{_SAVE}", key=f"{key}.leave")


def _restored_record(*, key: str) -> list[object]:
    """What the last file holds, if any: a list that also the thread that makes the file can change."""
    found: list[object] = st.session_state.setdefault(f"{key}.saved", [])
    return found


def _fingerprint(run: Run, decided: Decisions) -> tuple[object, ...]:
    """What tells one state of the work from another."""
    return run.digest, run.settings, len(run.rows), decided.mark


def _settings(work: Work, trees: TreeFile | None) -> tuple[SpiceConfig, list[str]]:
    """The settings of a work file, or those of its language with a message where they cannot be had here."""
    written = next((part[5:] for part in work.rows[0].signature.split("|") if part.startswith("lang:")), "")
    usual = settings.default_config(written if written in LANGUAGES else next(iter(LANGUAGES)))
    if not work.settings:
        return usual, []
    try:
        config = SpiceConfig.from_dict(work.settings)
        if uploaded(config.parser) and not _tree_settings(config, trees):
            return usual, [t("batch.work_trees")]
        _check_names(config, trees)
        config = config.resolved()
        engine.engine(config)
    except SpiceError as error:
        return usual, [t("batch.work_settings", problem=problem(error).partition("\n")[0])]
    return config, []


def _check_names(config: SpiceConfig, trees: TreeFile | None) -> None:
    """Only what the page offers by name: a file may name no path of this machine. Raises InputError and UnknownNameError."""
    pack = language(config.lang)
    for part in settings.PARTS:
        name, known = getattr(config, part), settings.options(pack, part)
        own = (part == "rules" and config.rules_text) or (part == "parser" and _tree_settings(config, trees))
        if name and name not in known and not own:
            raise InputError(t(f"settings.{part}"), name, ", ".join(known))


def _search(work: Work, run: Run, said: list[str]) -> CauseSearch | None:
    """The search whose suggestions the file has; None, with a message, where other settings or another version found them."""
    if not work.suggested:
        return None
    if work.suggested_by != str(engine.engine(run.settings).signature):
        said.append(t("batch.work_suggested"))
        return None
    rows = run.rows[:MOST_SEARCHED]
    names = {*map(str, Cause), UNCLEAR}
    found = {row.image_id: work.suggested[row.image_id] for row in rows if row.image_id in work.suggested}
    known = {image: {of: cause for of, cause in causes.items() if cause in names} for image, causes in found.items()}
    return CauseSearch(rows, run.settings, known, run.trees)


def _row(work: Work) -> Any:
    """The image of the caption that was shown; None if there is none of it."""
    try:
        shown = json.loads(work.view.get(_ROW, "null"))
    except (ValueError, RecursionError):
        return None
    return next((row.image_id for row in work.rows if row.image_id == shown), None)
