"""Tasks in worker processes: what they raise arrives as it was raised."""

from __future__ import annotations

import pickle

import pytest

from spice_core.data.rows import RowError
from spice_core.errors import InputError, MissingResourceError, RuleError, UnknownNameError
from spice_core.workers import processes

ERRORS = [
    InputError("field test", 5, "a caption"),
    RowError("in.json", "row 2", InputError("field test", 5, "a caption")),
    UnknownNameError("rule set", "mine", ["caption"]),
    RuleError("rule x: no pattern", part="pattern", position=3),
    MissingResourceError("pip install it"),
]


def refused() -> None:
    raise ERRORS[1]


@pytest.mark.parametrize("error", ERRORS)
def test_errors_survive_the_way_between_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)


def test_what_is_wrong_with_an_item_is_said_by_a_worker():
    with pytest.raises(RowError, match="in.json, row 2, field test: found 5, expected a caption"), processes(2) as submit:
        submit(refused)()
