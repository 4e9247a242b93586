"""Test columns, rows and files of Hugging Face datasets with the library itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spice_core import Spice
from spice_core.coco import f1_scores
from spice_core.data import Source
from spice_core.evaluation.rewards import Rewards
from tests.release.conftest import import_library

pytestmark = pytest.mark.release
DATASET_COLUMNS = {
    "image_id": [3, 1, 2],
    "caption": ["a brown dog on a sofa", "two men ride bicycles", "a red bus"],
    "sentences": [["A dog lies on a brown couch.", "A dog."], ["Two men ride bicycles."], ["A bus is red.", "A red bus on a street."]],
}
CHOSEN_COLUMNS = {"image_id": ["image_id"], "test": ["caption"], "refs": ["sentences"]}


@pytest.fixture(scope="module")
def dataset() -> Any:
    return import_library("datasets").Dataset.from_dict(DATASET_COLUMNS)


def _map_scores(dataset: Any, spice: Spice, **settings: Any) -> list[float]:
    return list(
        dataset.map(lambda rows: {"spice": f1_scores(spice, rows["caption"], rows["sentences"])}, batched=True, **settings)["spice"]
    )


def test_columns_batches_and_rows_give_the_scores_of_lists(dataset: Any, print_table: Callable[..., None]) -> None:
    spice = Spice(parser="spice-2016")
    expected_scores = f1_scores(spice, DATASET_COLUMNS["caption"], DATASET_COLUMNS["sentences"])
    arrays, frame = dataset.with_format("numpy"), dataset.to_pandas()
    scores_by_form = {
        "columns": f1_scores(spice, dataset["caption"], dataset["sentences"]),
        "NumPy columns": f1_scores(spice, arrays["caption"], arrays["sentences"]),
        "NumPy arrays": f1_scores(
            spice, np.array(DATASET_COLUMNS["caption"]), [np.array(column) for column in DATASET_COLUMNS["sentences"]]
        ),
        "pandas": f1_scores(spice, frame["caption"], frame["sentences"]),
        "rows": [spice.compute(row["caption"], row["sentences"]).f1 for row in dataset],
        "map": _map_scores(dataset, spice),
        "map in two processes": _map_scores(dataset, spice, num_proc=2),
        "rewards": Rewards(dict(zip(dataset["image_id"], dataset["sentences"])), spice=spice).scores(
            dataset["image_id"], dataset["caption"]
        ),
    }
    print_table(
        "Hugging Face datasets, 3 captions", {name: (np.mean(expected_scores), np.mean(column)) for name, column in scores_by_form.items()}
    )
    assert all(column == pytest.approx(expected_scores) for column in scores_by_form.values()), scores_by_form


def test_files_that_a_dataset_writes_are_read(dataset: Any, tmp_path: Path) -> None:
    dataset.save_to_disk(tmp_path / "disk")
    for suffix, write in (("parquet", dataset.to_parquet), ("jsonl", dataset.to_json), ("csv", dataset.to_csv)):
        write(str(tmp_path / f"rows.{suffix}"))
    paths = [*tmp_path.glob("disk/*.arrow"), *tmp_path.glob("rows.*")]
    assert len(paths) == 4
    for path in paths:
        items = [(str(item.image_id), item.candidate, list(item.references)) for item in Source(path, columns=CHOSEN_COLUMNS)]
        assert items == [(str(id), *row_fields) for id, *row_fields in zip(*DATASET_COLUMNS.values())], path.name
