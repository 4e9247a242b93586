"""CIDEr-D gives the same scores with stored document frequencies as with the images, and can score a single image."""

import copy
import json
import pickle
import re

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.errors import InputError, UnknownNameError
from spice_core.lang import language
from spice_core.metrics.measure import metric_signatures, segment_scores
from spice_core.metrics.metric import Needs
from spice_core.metrics.registry import metric_by_name
from spice_core.metrics.text.cider import cider_d_scores
from spice_core.metrics.text.frequencies import DocumentFrequencies
from spice_core.metrics.text.tokens import tokenise_items
from tests.conftest import DATA

SCENES = json.loads((DATA / "audio_captions.json").read_text(encoding="utf-8"))["scenes"]
SCENE_ITEMS = [(scene["captions"][0], tuple(scene["captions"][1:])) for scene in SCENES]
SOUND_ITEM = [("Rain falls on a metal roof.", ("Rain is falling hard on a roof.", "Heavy rain hits metal."))]


@pytest.mark.parametrize("name", ["sounds.json", "sounds.json.gz"])
def test_stored_frequencies_give_the_scores_of_the_images_they_were_counted_on(tmp_path, name):
    expected_scores = segment_scores(SCENE_ITEMS, ["CIDEr-D"])["CIDEr-D"]
    counted_frequencies = DocumentFrequencies.of_captions((references for _, references in SCENE_ITEMS), language("en"))
    counted_frequencies.save(tmp_path / name)
    by_file = f"CIDEr-D:{tmp_path / name}"
    assert segment_scores(SCENE_ITEMS, [by_file])[by_file] == pytest.approx(expected_scores, abs=1e-12)
    # Score each image in a separate call.
    single_scores = [segment_scores([item], [by_file])[by_file][0] for item in SCENE_ITEMS]
    assert single_scores == pytest.approx(expected_scores, abs=1e-12) and sum(expected_scores) > 0
    read_frequencies = DocumentFrequencies.load(tmp_path / name)
    assert read_frequencies.digest == counted_frequencies.digest and (
        read_frequencies.images,
        read_frequencies.lang,
        read_frequencies.tokens,
    ) == (40, "en", "penn")
    # The file omits n-grams that occur in the references of a single image.
    assert max(read_frequencies.counts.values()) <= 40 < len(read_frequencies.counts) < len(counted_frequencies.counts)


def test_a_single_image_needs_bundled_frequencies():
    names = ["CIDEr-D", "CIDEr-D:coco-val2017"]
    scores_by_metric = segment_scores(SOUND_ITEM, names)
    assert scores_by_metric["CIDEr-D"] == [0] and 0 < scores_by_metric["CIDEr-D:coco-val2017"][0] < 10
    assert segment_scores([(SOUND_ITEM[0][1][0], SOUND_ITEM[0][1][:1])], names[1:])[names[1]] == pytest.approx([10])
    in_corpus, with_stored = metric_signatures(names, Spice())
    assert in_corpus.startswith("CIDEr-D|lang:en") and with_stored.startswith("CIDEr-D|frequencies:69fa6a11|lang:en")
    assert metric_by_name(names[1]).needs is Needs.TEXT and metric_by_name(names[1]) is metric_by_name(names[1])
    for copy_function in (copy.deepcopy, lambda original: pickle.loads(pickle.dumps(original))):
        assert copy_function(metric_by_name(names[1])) is metric_by_name(names[1])


def test_shorter_ngrams_than_stored_are_scored_and_longer_ones_refused():
    pairs = tokenise_items(SCENE_ITEMS, language("en"))
    counted_frequencies = DocumentFrequencies.count(references for _, references in pairs)
    assert cider_d_scores(pairs, order=2, frequencies=counted_frequencies) == pytest.approx(cider_d_scores(pairs, order=2), abs=1e-12)
    with pytest.raises(InputError, match="n: found 5, expected at most 4"):
        cider_d_scores(pairs, order=5, frequencies=counted_frequencies)


@pytest.mark.parametrize("content", [
    "", "[]", "{}", "null", '{"images": 2}', '{"images": 0, "order": 4, "lang": "en", "tokens": "penn", "counts": {}}',
    '{"images": 2, "order": 4, "lang": "en", "tokens": "penn", "counts": {"a": -1}}',
    '{"images": 2, "order": 4, "lang": "en", "tokens": "penn", "counts": ["a"]}', "[" * 100_000,
])  # fmt: skip
def test_invalid_frequency_files_are_refused(tmp_path, content):
    (tmp_path / "in.json").write_text(content)
    with pytest.raises(InputError, match="found no document frequencies, expected a file of document frequencies"):
        metric_by_name(f"CIDEr-D:{tmp_path / 'in.json'}")


def test_missing_frequencies_and_frequencies_of_another_language_are_reported(tmp_path):
    with pytest.raises(InputError, match="none: found No such file or directory, expected a file that can be read"):
        metric_by_name("CIDEr-D:none")
    for name in ("CIDEr-D:", "BLEU-4:coco-val2017", "CIDEr:coco-val2017"):
        with pytest.raises(UnknownNameError):
            metric_by_name(name)
    with pytest.raises(InputError, match="found frequencies of language en and tokenizer penn, expected frequencies of language ja"):
        segment_scores([("犬が走る。", ("犬が走っている。",))], ["CIDEr-D:coco-val2017"], spice=Spice("ja"))


CLOTHO_CSV = "file_name,caption_1,caption_2\na.wav,rain falls,it rains\nb.wav,a dog barks,rain and a dog\n"
COCO_ANNOTATIONS = {"images": [{"id": 1}, {"id": 2}], "annotations": [{"image_id": i, "id": i, "caption": c} for i, c in ((1, "rain falls"), (1, "it rains"), (2, "a dog barks"), (2, "rain and a dog"))]}  # fmt: skip
ITEM_ROWS = [{"image_id": 1, "test": "a cat", "refs": ["rain falls", "it rains"]}, {"image_id": 2, "test": "a cat", "refs": ["a dog barks", "rain and a dog"]}]  # fmt: skip


@pytest.mark.parametrize(("name", "content"), [
    ("clotho.csv", CLOTHO_CSV.replace("caption_2", "caption_2,caption_3,caption_4,caption_5").replace("rains", "rains,,,").replace("a dog\n", "a dog,,,\n")),
    ("coco.json", json.dumps(COCO_ANNOTATIONS)),
    ("lists.jsonl", '{"image_id": 1, "captions": ["rain falls", "it rains"]}\n{"image_id": 2, "captions": ["a dog barks", "rain and a dog"]}\n'),
    ("items.json", json.dumps(ITEM_ROWS)),
])  # fmt: skip
def test_the_command_counts_references_in_their_layouts(tmp_path, capsys, name, content):
    (tmp_path / name).write_text(content)
    assert main(["frequencies", str(tmp_path / name), "--out", str(tmp_path / "out.json.gz")]) == 0
    assert f"out.json.gz: 2 images, 4 captions, 18 n-grams, {DIGEST}" in capsys.readouterr().out
    assert DocumentFrequencies.load(tmp_path / "out.json.gz").counts == {("rain",): 2}
    (tmp_path / "one.json").write_text(json.dumps(ITEM_ROWS[:1]))
    assert main(["metrics", str(tmp_path / "one.json"), "--metrics", f"CIDEr-D:{tmp_path / 'out.json.gz'}", "--resamples", "10"]) == 0


DIGEST = DocumentFrequencies.of_captions([["rain falls", "it rains"], ["a dog barks", "rain and a dog"]], language("en")).digest


@pytest.mark.parametrize(("content", "line"), [
    ('[{"image_id": 1, "captions": []}]', "captions: found \\[\\], expected a list of at least one caption"),
    ('[{"image_id": 1, "captions": [[["dog"]]]}]', "found \\[\\['dog'\\]\\], expected a caption"),
    ("[]", "found no row"),
])  # fmt: skip
def test_references_that_cannot_be_counted_are_reported(tmp_path, capsys, content, line):
    (tmp_path / "in.json").write_text(content)
    assert main(["frequencies", str(tmp_path / "in.json"), "--out", str(tmp_path / "out.json")]) == 2
    error = capsys.readouterr().err
    assert re.search(line, error) and error.count("\n") == 1 and not (tmp_path / "out.json").exists()
