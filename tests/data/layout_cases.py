"""Layouts of public data sets with examples, used by the tests and by the table in docs/data.md."""

import json
from typing import NamedTuple

CANDIDATES = ("a dog on a couch", "two men on bikes")
DOG_REFERENCES = ["A brown dog lies on a couch.", "A dog sleeps on a sofa."]
MEN_REFERENCES = ["Two men ride bicycles.", "Cyclists pass cars."]
RESULTS = '[{"image_id": 1, "caption": "a dog on a couch"},\n {"image_id": 2, "caption": "two men on bikes"}]\n'
CAPTIONS_WITH_IDS = '[{"image_id": "a1", "caption": "a dog on a couch"},\n {"image_id": "b2", "caption": "two men on bikes"}]\n'
ONE_REFERENCE_EACH = ([DOG_REFERENCES[0]], [MEN_REFERENCES[0]])
TWO_REFERENCES_EACH = (DOG_REFERENCES, MEN_REFERENCES)


class Layout(NamedTuple):
    """A layout of a public data set with an example: file, results, options, printed notices and expected references."""

    name: str
    description: str
    file: str
    content: str
    results: str = RESULTS
    options: str = ""
    notices: tuple[str, ...] = ()
    references: tuple[list[str], ...] = TWO_REFERENCES_EACH


def json_array(*rows: object) -> str:
    return "[" + ",\n ".join(json.dumps(row, ensure_ascii=False) for row in rows) + "]\n"


def json_lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def gqa_scenes(*parts: object) -> str:
    """Return a file of GQA scene graphs, with one image per line."""
    return "{" + ",\n ".join(f'"{part_number}": {json.dumps(part)}' for part_number, part in enumerate(parts, 1)) + "}\n"


_DOG_GRAPH = [["dog"], ["dog", "brown"], ["couch"], ["dog", "on", "couch"]]
_MAN_GRAPH = [["man"], ["bike"], ["man", "ride", "bike"]]

LAYOUTS = (
    Layout(
        "COCO, STAIR", "`annotations`, by `image_id`", "captions_val2014.json",
        '{"images": [{"id": 1}, {"id": 2}, {"id": 3}], "annotations": [\n {"id": 7, "image_id": 1, "caption": "A brown dog lies on a couch."},\n'
        ' {"id": 8, "image_id": 2, "caption": "Two men ride bicycles."},\n {"id": 9, "image_id": 3, "caption": "A cat."}]}\n',
        notices=("captions_val2014.json: 1 of 3 images has no result and is ignored (3)",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "nocaps", "as for COCO; `--by domain` prints a row for each domain", "nocaps_val.json",
        '{"images": [{"id": 1, "domain": "in-domain"},\n {"id": 2, "domain": "out-domain"}],\n "annotations": [{"image_id": 1, "caption": "A brown dog lies on a couch."},\n'
        ' {"image_id": 2, "caption": "Two men ride bicycles."}]}\n',
        options="--by domain", references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "VizWiz", "as for COCO, without rejected and precanned captions", "vizwiz_val.json",
        '{"images": [], "annotations": [{"image_id": 1, "caption": "A brown dog lies on a couch."},\n {"image_id": 2, "caption": "Two men ride bicycles.", "is_rejected": false},\n'
        ' {"image_id": 2, "caption": "Quality issues are too severe.", "is_precanned": true}]}\n',
        notices=("vizwiz_val.json: 1 rejected or precanned caption is ignored",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "Karpathy: `dataset_coco.json`, `dataset_flickr8k.json`, `dataset_flickr30k.json`, RSICD",
        "the `raw` sentences of each image. Results name images by `cocoid` (`imgid` if there is no `cocoid`) or by `filename`, with or without its extension. "
        "`--split` selects a split; without this option, all images with a result are scored",
        "dataset_coco.json",
        '{"dataset": "coco", "images": [\n {"cocoid": 1, "filename": "v1.jpg", "split": "test", "sentences": [{"raw": "A brown dog lies on a couch."}]},\n'
        ' {"cocoid": 2, "filename": "v2.jpg", "split": "test", "sentences": [{"raw": "Two men ride bicycles."}]},\n'
        ' {"cocoid": 3, "filename": "v3.jpg", "split": "train", "sentences": [{"raw": "A cat."}]}]}\n',
        options="--split test", notices=("dataset_coco.json was read as Karpathy split (test): 2 images",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "captions by id, as pycocoevalcap and CLIPScore store them", '`{"id": ["a caption", …]}`, `{"id": "a caption"}`, `{"id": [{"caption": "a caption"}]}`',
        "refs.json", '{"a1": ["A brown dog lies on a couch.", "A dog sleeps on a sofa."],\n "b2": ["Two men ride bicycles.", "Cyclists pass cars."]}\n',
        '{"a1": "a dog on a couch", "b2": "two men on bikes"}\n', notices=("refs.json was read as captions by image id: 2 images",),
    ),
    Layout(
        "TextCaps", "`caption_str` of `data`", "TextCaps_0.1_val.json",
        '{"dataset_name": "textcaps", "data": [\n {"image_id": "a1", "caption_str": "A brown dog lies on a couch.", "reference_strs": ["…"]},\n'
        ' {"image_id": "b2", "caption_str": "Two men ride bicycles.", "reference_strs": ["…"]}]}\n',
        CAPTIONS_WITH_IDS, notices=("TextCaps_0.1_val.json was read as TextCaps: 2 images",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "MSR-VTT", "`caption` of `sentences`, by `video_id`", "test_videodatainfo.json",
        '{"videos": [{"video_id": "a1"}], "sentences": [\n {"video_id": "a1", "sen_id": 1, "caption": "A brown dog lies on a couch."},\n'
        ' {"video_id": "b2", "sen_id": 2, "caption": "Two men ride bicycles."}]}\n',
        CAPTIONS_WITH_IDS, notices=("test_videodatainfo.json was read as MSR-VTT: 2 images",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "VATEX", "`enCap`, by `videoID`; captions in Chinese (`chCap`) are ignored", "vatex_validation_v1.0.json",
        json_array({"videoID": "a1", "enCap": DOG_REFERENCES, "chCap": ["一只棕色的狗"]}, {"videoID": "b2", "enCap": MEN_REFERENCES, "chCap": ["两个男人"]}),
        CAPTIONS_WITH_IDS, notices=("vatex_validation_v1.0.json was read as VATEX: 2 images",),
    ),
    Layout(
        "Visual Genome, `region_descriptions.json`", "the phrases of an image's `regions`, by image `id`", "region_descriptions.json",
        json_array(*({"id": i, "regions": [{"region_id": i * 10 + j, "image_id": i, "phrase": text} for j, text in enumerate(each)]} for i, each in enumerate(TWO_REFERENCES_EACH, 1))),
        notices=("region_descriptions.json was read as Visual Genome regions: 2 images",),
    ),
    Layout(
        "Visual Genome, `scene_graphs.json`", "objects, attributes and relationships, as propositions", "scene_graphs.json",
        json_array(
            {"image_id": 1, "objects": [{"object_id": 5, "names": ["dog"], "attributes": ["brown"]}, {"object_id": 6, "names": ["couch"]}], "relationships": [{"predicate": "ON", "subject_id": 5, "object_id": 6}]},
            {"image_id": 2, "objects": [{"object_id": 7, "names": ["man"]}, {"object_id": 8, "names": ["bike"]}], "relationships": [{"predicate": "ride", "subject_id": 7, "object_id": 8}]},
        ),
        references=(_DOG_GRAPH, _MAN_GRAPH),
    ),
    Layout(
        "Visual Genome, `relationships.json`, `attributes.json`, `objects.json`", "the relationships, attributes or objects that the file contains; images without any are ignored", "relationships.json",
        json_array(
            {"image_id": 1, "relationships": [{"predicate": "ON", "subject": {"object_id": 5, "name": "dog"}, "object": {"object_id": 6, "name": "couch"}}]},
            {"image_id": 2, "relationships": [{"predicate": "ride", "subject": {"object_id": 7, "names": ["man"]}, "object": {"object_id": 8, "names": ["bike"]}}]},
            {"image_id": 3, "relationships": []},
        ),
        notices=("relationships.json: 1 image without regions, objects or relationships is ignored", "relationships.json was read as Visual Genome relationships: 2 images"),
        references=([["dog"], ["couch"], ["dog", "on", "couch"]], _MAN_GRAPH),
    ),
    Layout(
        "GQA, `val_sceneGraphs.json`", "`objects` with attributes and relations, by image id", "val_sceneGraphs.json",
        gqa_scenes(
            {"objects": {"5": {"name": "dog", "attributes": ["brown"], "relations": [{"name": "on", "object": "6"}]}, "6": {"name": "couch", "attributes": [], "relations": []}}},
            {"objects": {"7": {"name": "man", "attributes": [], "relations": [{"name": "ride", "object": "8"}]}, "8": {"name": "bike", "attributes": [], "relations": []}}},
        ),
        notices=("val_sceneGraphs.json was read as GQA scene graphs: 2 images",), references=(_DOG_GRAPH, _MAN_GRAPH),
    ),
    Layout(
        "Stanford parser of SPICE, sng_parser", "objects, attributes and relations, by `id`", "stanford.json",
        json_array(
            {"id": 1, "phrase": "…", "objects": [{"names": ["dog"]}, {"names": ["couch"]}], "attributes": [{"subject": 0, "predicate": "is", "object": "brown"}], "relationships": [{"subject": 0, "predicate": "on", "object": 1}]},
            {"id": 2, "entities": [{"head": "man", "modifiers": [{"dep": "det", "span": "a"}]}, {"head": "bike"}], "relations": [{"subject": 0, "relation": "ride", "object": 1}]},
        ), notices=("stanford.json was read as sng_parser graphs: 2 images",), references=(_DOG_GRAPH, _MAN_GRAPH),
    ),
    Layout(
        "SGAE", "objects, attributes and relations, by image id", "coco_img_sg.json",
        gqa_scenes({"subject": ["dog"], "rela": ["on"], "object": ["couch"], "attribute": ["node:dog", "brown", "node:couch"]}, {"subject": ["man"], "rela": ["ride"], "object": ["bike"], "attribute": []}),
        notices=("coco_img_sg.json was read as SGAE graphs: 2 images",), references=(_DOG_GRAPH, _MAN_GRAPH),
    ),
    Layout(
        "R2Gen", "`report`, by `id`, in lists by split", "annotation.json",
        '{"train": [{"id": "c3", "report": "A cat.", "split": "train"}], "val": [],\n "test": [{"id": "a1", "report": "A brown dog lies on a couch.", "split": "test"},\n'
        ' {"id": "b2", "report": "Two men ride bicycles.", "split": "test"}]}\n',
        CAPTIONS_WITH_IDS, notices=("annotation.json was read as R2Gen (test): 2 images",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "ActivityNet and its results", "`sentences`, joined to a paragraph, by video id", "val_1.json",
        '{"a1": {"duration": 9, "timestamps": [[0, 9], [2, 5]], "sentences": ["A brown dog lies.", "It has a couch."]},\n "b2": {"duration": 9, "timestamps": [[0, 9]], "sentences": ["Two men ride bicycles."]}}\n',
        '{"version": "1.0", "results": {"a1": [{"sentence": "a dog", "timestamp": [0, 9]}, {"sentence": "on a couch", "timestamp": [2, 5]}],\n "b2": [{"sentence": "two men on bikes", "timestamp": [0, 9]}]}}\n',
        notices=("val_1.json was read as ActivityNet paragraphs: 2 images",), references=(["A brown dog lies. It has a couch."], [MEN_REFERENCES[0]]),
    ),
    Layout(
        "LLaVA's training data", "the last message of `conversations`, by `id` or `image`", "llava.json",
        json_array(*({"id": f"{name}", "image": f"{name}.jpg", "conversations": [{"from": "human", "value": "<image>"}, {"from": "gpt", "value": text}]} for name, text in (("a1", DOG_REFERENCES[0]), ("b2", MEN_REFERENCES[0])))),
        CAPTIONS_WITH_IDS, notices=("llava.json was read as conversations: 2 images",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "Flickr8k and Flickr30k, `.token`", "lines of `NAME.jpg#0`, a tab and a caption; results name images with or without `.jpg`", "Flickr8k.token.txt",
        "".join(f"{name}.jpg#{i}\t{text}\n" for name, each in zip(("a1", "b2"), TWO_REFERENCES_EACH) for i, text in enumerate(each)),
        CAPTIONS_WITH_IDS, notices=("Flickr8k.token.txt was read as Flickr tokens: 2 images",),
    ),
    Layout(
        "Flickr8k, `captions.txt`", "columns `image` and `caption`", "captions.txt", "image,caption\na1.jpg,A brown dog lies on a couch.\nb2.jpg,Two men ride bicycles.\n",
        CAPTIONS_WITH_IDS, notices=("captions.txt was read as image_id=image captions=caption",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "Flickr30k, `results.csv`", "columns `image_name` and `comment`, with <code>&#124;</code> between them", "results.csv",
        "image_name| comment_number| comment\na1.jpg| 0| A brown dog lies on a couch.\nb2.jpg| 0| Two men ride bicycles.\n",
        CAPTIONS_WITH_IDS, notices=("results.csv was read as image_id=image_name captions=comment",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "AudioCaps", "`caption`, by `youtube_id` or `audiocap_id`", "audiocaps_test.csv",
        "audiocap_id,youtube_id,start_time,caption\n103,a1,30,Rain falls on a roof.\n104,a1,30,Rain hits a roof.\n210,b2,0,A person speaks.\n",
        CAPTIONS_WITH_IDS, notices=("audiocaps_test.csv was read as image_id=youtube_id captions=caption",), references=(["Rain falls on a roof.", "Rain hits a roof."], ["A person speaks."]),
    ),
    Layout(
        "Clotho", "`caption_1` to `caption_5`, by `file_name`", "clotho_captions_evaluation.csv",
        "file_name,caption_1,caption_2,caption_3,caption_4,caption_5\na1,Rain falls.,Rain.,It rains.,A wet roof.,Drops fall.\nb2,A man speaks.,Talk.,A voice.,Speech.,Someone talks.\n",
        CAPTIONS_WITH_IDS, notices=("clotho_captions_evaluation.csv was read as image_id=file_name captions=caption_1,caption_2,caption_3,caption_4,caption_5",),
        references=(["Rain falls.", "Rain.", "It rains.", "A wet roof.", "Drops fall."], ["A man speaks.", "Talk.", "A voice.", "Speech.", "Someone talks."]),
    ),
    Layout(
        "DOCCI", "`description`, by `example_id` or `image_file`; `--split` selects a split", "docci_descriptions.jsonlines",
        json_lines(*({"example_id": name, "split": "test", "image_file": f"{name}.jpg", "description": each[0]} for name, each in zip(("a1", "b2"), TWO_REFERENCES_EACH))),
        CAPTIONS_WITH_IDS, notices=("docci_descriptions.jsonlines was read as image_id=example_id captions=description",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "DCI", "`image` and the columns that `--columns` names", "dci.jsonl",
        json_lines(*({"image": f"{name}.jpg", "short_caption": each[0], "extra_caption": each[1]} for name, each in zip(("a1", "b2"), TWO_REFERENCES_EACH))),
        '[{"image": "a1.jpg", "caption": "a dog on a couch"},\n {"image": "b2.jpg", "caption": "two men on bikes"}]\n',
        "--columns image_id=image caption=caption captions=short_caption", references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "Localized Narratives", "`caption`, by `image_id`", "coco_val_localized_narratives.jsonl",
        json_lines(*({"dataset_id": "mscoco_val2017", "image_id": str(i), "annotator_id": 93, "caption": each[0]} for i, each in enumerate(TWO_REFERENCES_EACH, 1))), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "plain text", "one caption per line. The first lines of all files describe the first image. An empty line adds no reference", "references.txt", "A brown dog lies on a couch.\nTwo men ride bicycles.\n",
        "a dog on a couch\ntwo men on bikes\n", notices=("candidates.txt was read line by line against references.txt: 2 lines",), references=ONE_REFERENCE_EACH,
    ),
    Layout(
        "LLaVA's answers", "`text`, by `question_id`; marks are removed, as from all captions", "captions.json",
        '{"images": [{"id": 1}, {"id": 2}],\n "annotations": [{"image_id": 1, "caption": "A brown dog lies on a couch."},\n {"image_id": 2, "caption": "Two men ride bicycles."}]}\n',
        json_lines({"question_id": 1, "text": "ASSISTANT: **a dog** on a couch<|im_end|>", "model_id": "model-7b"}, {"question_id": 2, "text": "two men on bikes", "model_id": "model-7b"}),
        "--columns image_id=question_id caption=text", ("removed marks of 2 kinds from 1 caption (<|im_end|>, Markdown)",), ONE_REFERENCE_EACH,
    ),
    Layout(
        "lmms-eval's samples", "answer and references in one file; a list with a single caption counts as that caption", "",
        "",
        json_lines(*({"doc_id": i, "target": each, "resps": [[said]], "filtered_resps": [said]} for i, (said, each) in enumerate(zip(CANDIDATES, TWO_REFERENCES_EACH), 1))),
        "--columns image_id=doc_id test=filtered_resps refs=target",
    ),
    Layout(
        "VLMEvalKit's tables, `.tsv` or `.xlsx`", "answer and references in one table; a cell may hold a list; columns of images in base64 are ignored", "", "",
        "index\tanswer\tprediction\n" + "".join(f"{i}\t{each!r}\t{said}\n" for i, (said, each) in enumerate(zip(CANDIDATES, TWO_REFERENCES_EACH), 1)),
        "--columns image_id=index test=prediction refs=answer",
    ),
)  # fmt: skip


def results_name(layout: Layout) -> str:
    if not layout.results.startswith(("[", "{")):
        return "results.tsv" if "\t" in layout.results else "candidates.txt"
    return "results.jsonl" if layout.results.startswith("{") and "\n{" in layout.results else "results.json"


def example_files(layout: Layout) -> dict[str, str]:
    """Return the files of a layout's example by name: the candidates, then the references."""
    return {results_name(layout): layout.results, **({layout.file: layout.content} if layout.file else {})}
