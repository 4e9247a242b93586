"""Reader and writer of scene graphs in the format of Visual Genome (Krishna et al., IJCV 2017).

A file is a JSON array of images with ``image_id``, ``objects`` (``object_id``, ``names``, ``attributes``) and ``relationships``
(``predicate``, ``subject_id``, ``object_id``). The reader ignores boxes and synsets, and the writer writes neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spice_core.data.graph_parts import nodes_and_edges, parse_of
from spice_core.data.items import check_fields, check_image_id, check_utf8, field_place
from spice_core.data.reader import ReadablePath, json_rows, read_each
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import PLACEHOLDER, Parse, Proposition


def read_scene_graphs(path: ReadablePath) -> Iterator[tuple[int | str, Parse]]:
    """Yield the id of each image in a file, and a parse with the propositions of its graph.

    Raises InputError naming file, row and field.
    """
    return read_each(json_rows(path), path, _read_image)


def _read_image(row: object) -> tuple[int | str, Parse]:
    id, *lists = check_fields(row, "image_id", "objects", "relationships")
    assert isinstance(row, dict)
    return check_image_id(id), parse_of(scene_graph(row) if lists != [[], []] else (), where=field_place("objects"))


def write_scene_graphs(propositions: tuple[Proposition, ...], image: int | str) -> dict[str, object]:
    """Return the propositions as one image with an object for each noun. Objects and relationships are numbered from 1."""
    graph = nodes_and_edges(propositions)
    numbers = {node.id: n for n, node in enumerate((n for n in graph.nodes if n.kind == "object"), 1)}
    node_by_id = {node.id: node for node in graph.nodes}
    objects: dict[str, dict[str, object]] = {
        id: {"object_id": n, "names": [node_by_id[id].word], "attributes": []} for id, n in numbers.items()
    }
    relations: dict[str, dict[str, object]] = {}
    for tail, head in graph.edges:
        if node_by_id[head].kind == "attribute":
            attributes = objects[tail]["attributes"]
            assert isinstance(attributes, list)
            attributes.append(node_by_id[head].word)
        elif node_by_id[head].kind == "relation":
            relations[head] = {"relationship_id": len(relations) + 1, "predicate": node_by_id[head].word, "subject_id": numbers[tail]}
        else:
            relations[tail]["object_id"] = numbers[head]
    return {"image_id": image, "objects": list(objects.values()), "relationships": list(relations.values())}


def scene_graph(row: Mapping[str, object]) -> list[list[str]]:
    """Return the propositions of one image in Visual Genome's layout: its objects, attributes and relationships.

    Only the first name of an object is used. Raises InputError naming the field.
    """
    names: dict[object, str] = {}
    propositions: list[list[str]] = []
    for i, thing in enumerate(_check_list(row, "objects", "objects")):
        where = f"objects[{i}]"
        if not isinstance(thing, dict) or not isinstance(thing.get("object_id"), (int, str)):
            raise InputError(field_place(where), thing, Message("expected.scene_object"))
        name = _check_word((_check_list(thing, "names", where) or [None])[0], f"{where}.names")
        names[thing["object_id"]] = name
        if name != PLACEHOLDER:
            propositions.append([name])
        propositions += (
            [name, _check_word(a, f"{where}.attributes")]
            for a in (_check_list(thing, "attributes", where) if thing.get("attributes") else ())
        )
    for i, relation in enumerate(_check_list(row, "relationships", "relationships")):
        where = f"relationships[{i}]"
        relation = relation if isinstance(relation, dict) else {}
        ends = [relation.get(end) for end in ("subject_id", "object_id")]
        for end in ends:
            if not isinstance(end, (int, str)) or end not in names:
                raise InputError(field_place(where), end, Message("expected.known_object"))
        propositions.append([names[ends[0]], _check_word(relation.get("predicate"), f"{where}.predicate"), names[ends[1]]])
    if not propositions:
        raise InputError(field_place("objects"), [], Message("expected.one_object"))
    return propositions


def _check_list(row: Mapping[str, object], key: str, where: str) -> list[object]:
    if not isinstance(value := row.get(key), list):
        raise InputError(field_place(where), value, Message("expected.list", name=key))
    return value


def _check_word(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(field_place(where), value, Message("expected.word"))
    word = check_utf8(" ".join(value.lower().split()), field_place(where))
    return PLACEHOLDER if word == PLACEHOLDER.lower() else word  # an implicit subject written by write_scene_graphs
