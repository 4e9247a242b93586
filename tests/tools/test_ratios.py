"""The captions that the benchmarks time."""

from __future__ import annotations

import pytest

from tools.benchmarks.ratios import items


@pytest.mark.parametrize("images", [1, 200, 500, 1200])
def test_so_many_different_images_of_five_captions(images):
    made = items(images)
    assert [row["image_id"] for row in made] == list(range(images))
    assert {len(row["refs"]) for row in made} == {4} and all(text.strip() for row in made for text in (row["test"], *row["refs"]))
    assert len({(row["test"], *row["refs"]) for row in made}) > 0.95 * images
