"""Test that the stored digests of steps, which signatures record, are current and depend on code but not on comments."""

import ast

import pytest

from spice_core import Signature, Spice
from spice_core.lang import language
from tools.step_digests import code_of, format_digests


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_stored_digests_of_steps_are_current(lang):
    pack = language(lang)
    assert pack.step_digests.read_text(encoding="utf-8") == format_digests(pack), "run python -m tools.step_digests"


def test_a_digest_covers_code_but_no_docstring_comment_layout_or_reason():
    code = 'def one(graph):\n    """Return one."""\n    return 1  # one\n'
    for other_code, is_equal in [
        ('def one(graph):\n    """Say one."""\n\n    return (1)\n', True),
        ("def one(graph):\n    return 2\n", False),
    ]:
        assert (code_of(ast.parse(other_code)) == code_of(ast.parse(code))) is is_equal
    step, reworded_step, other_step = (
        code_of(ast.parse(f"Step({text})")) for text in ('"names", "A name.", f', '"names", "Names.", f', '"names", "A name.", g')
    )
    assert step == reworded_step != other_step


def test_the_signature_names_the_steps_unless_there_are_none_or_they_are_the_originals():
    for settings, named_steps in [({}, True), ({"rules": "stanford-2015"}, True), ({"parser": "spice-2016"}, False)]:
        signature = Spice("en", **settings).signature
        assert bool(signature.steps) is named_steps and Signature.parse(str(signature)) == signature
    english = language("en")
    few_steps, many_steps = (english.digest_of_steps(steps) for steps in (["negation"], ["negation", "names"]))
    assert few_steps != many_steps and english.digest_of_steps([]) == "" and len(few_steps) == 8
