"""Frames, comments and guesses, on frozen trees."""

from __future__ import annotations

import pytest

from spice_core.lang.en.frames import comments, picture_frames
from tests.lang.edges import applied

CASES = [
    (
        picture_frames,
        "the/the/DT/2/det image/image/NN/3/nsubj shows/show/VBZ/0/root a/a/DT/5/det dog/dog/NN/3/obj on/on/IN/7/case sofas/sofa/NNS/3/obl:on",
        {"root root dog", "dog frame shows", "dog frame image", "dog nmod:on sofas"},
    ),
    (
        picture_frames,
        "a/a/DT/2/det picture/picture/NN/3/nsubj shows/show/VBZ/0/root a/a/DT/5/det dog/dog/NN/3/obj",
        set(),  # a picture on a wall
    ),
    (
        picture_frames,
        "dogs/dog/NNS/4/nsubj:pass can/can/MD/4/aux be/be/VB/4/aux:pass seen/see/VBN/0/root",
        {"root root dogs", "seen frame can", "seen frame be", "dogs frame seen"},
    ),
    (
        picture_frames,
        "dogs/dog/NNS/4/nsubj:pass can/can/MD/4/aux be/be/VB/4/aux:pass seen/see/VBN/0/root at/at/IN/6/case doors/door/NNS/4/obl:at",
        set(),  # seen at doors
    ),
    (
        picture_frames,
        "dogs/dog/NNS/4/nsubj:pass can/can/MD/4/aux be/be/VB/4/aux:pass seen/see/VBN/0/root sleeping/sleep/VBG/4/xcomp",
        {"root root sleeping", "sleeping nsubj dogs", "sleeping frame seen", "sleeping frame can", "sleeping frame be"},
    ),
    (
        picture_frames,
        "the/the/DT/2/det image/image/NN/3/nsubj captures/capture/VBZ/0/root scenes/scene/NN/3/obj of/of/IN/6/case towns/town/NNS/4/nmod:of",
        {"root root towns", "towns frame scenes", "scenes frame captures", "scenes frame image"},
    ),
    (
        picture_frames,
        "no/no/DT/2/det dogs/dog/NNS/4/nsubj are/be/VBP/4/cop visible/visible/JJ/0/root",
        set(),  # denied
    ),
    (
        picture_frames,
        "sides/side/NNS/0/root of/of/IN/4/case the/the/DT/4/det image/image/NN/1/nmod:of",
        {"sides frame image"},
    ),
    (
        picture_frames,
        "it/it/PRP/5/nsubj is/be/VBZ/5/cop a/a/DT/5/det quiet/quiet/JJ/5/amod scene/scene/NN/0/root",
        {"scene dep it", "scene frame is", "scene frame a", "scene frame quiet", "root frame scene"},
    ),
    (
        comments,
        "trees/tree/NNS/0/root adding/add/VBG/1/acl a/a/DT/4/det touch/touch/NN/2/obj",
        {"trees frame adding", "touch frame a", "adding frame touch"},
    ),
    (comments, "men/man/NNS/0/root adding/add/VBG/1/acl salt/salt/NN/2/obj", set()),
    (
        comments,
        "clouds/cloud/NNS/2/nsubj suggest/suggest/VBP/0/root rain/rain/NN/2/obj",
        {"suggest dep clouds", "root frame suggest", "suggest frame rain"},
    ),
]


@pytest.mark.parametrize(("step", "tree", "added"), CASES, ids=[f"{c[0].__name__} {i}" for i, c in enumerate(CASES)])
def test_steps(step, tree, added):
    assert applied(step, tree) == added
