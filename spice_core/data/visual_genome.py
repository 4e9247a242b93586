"""Reader and writer of scene graphs in the format of Visual Genome (Krishna et al., IJCV 2017).

A file is a JSON array of images with ``image_id``, ``objects`` (``object_id``, ``names``, ``attributes``) and ``relationships``
(``predicate``, ``subject_id``, ``object_id``). The reader ignores boxes and synsets, and the writer writes neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spice_core.data.graph_parts import nodes_and_edges, parse_of
from spice_core.data.items import check_fields, check_image_id, check_utf8, field_place
from spice_core.data.reader import ReadablePath, Row, json_rows, read_each
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import PLACEHOLDER, Parse, Proposition


def read_scene_graphs(path: ReadablePath) -> Iterator[tuple[int | str, Parse]]:
    """Yield the id of each image in a file, and a parse with the propositions of its graph.

    Raises InputError naming file, row and field.
    """
    return read_each((Row(row.place, _with_id(row.value, n)) for n, row in enumerate(json_rows(path), 1)), path, _read_image)


def _with_id(row: object, number: int) -> object:
    """Return a row in Visual Genome's layout. A graph of a single caption gets its number as its id."""
    has_other_layout = isinstance(row, dict) and _kind_of_graph(row) in ("sng_parser graphs", "Stanford graphs", "SGAE graphs")
    return as_visual_genome({"image_id": row.get("id", number), **row}) if isinstance(row, dict) and has_other_layout else row


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
        attributes = _check_list(thing, "attributes", where) if thing.get("attributes") else ()
        propositions += ([name, _check_word(attribute, f"{where}.attributes")] for attribute in attributes)
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


_Objects = list[tuple[object, object, object]]  # id, name and attributes; an object may occur several times
_Relations = list[tuple[object, object, object]]  # id of the subject, predicate, and id of the object


def _read_gqa(row: Mapping[str, Any]) -> tuple[_Objects, _Relations]:
    things = _dicts(row["objects"])
    relations = [(id, r.get("name"), r.get("object")) for id, thing in things for _, r in _dicts(thing.get("relations"))]
    return [(id, thing.get("name"), thing.get("attributes") or []) for id, thing in things], relations


def _read_sng(row: Mapping[str, Any]) -> tuple[_Objects, _Relations]:
    objects: _Objects = []
    for id, thing in _dicts(row["entities"]):
        modifiers = [m.get("lemma_span", m.get("span")) for _, m in _dicts(thing.get("modifiers")) if m.get("dep") != "det"]
        objects.append((id, thing.get("lemma_head", thing.get("head")), modifiers))
    return objects, [(r.get("subject"), r.get("lemma_relation", r.get("relation")), r.get("object")) for _, r in _dicts(row["relations"])]


def _read_stanford(row: Mapping[str, Any]) -> tuple[_Objects, _Relations]:
    names: _Objects = [(id, next(iter(thing.get("names") or ()), None), []) for id, thing in _dicts(row["objects"])]
    attributes: _Objects = [(a.get("subject"), None, [a.get("object", a.get("attribute"))]) for _, a in _dicts(row["attributes"])]
    return names + attributes, [(r.get("subject"), r.get("predicate"), r.get("object")) for _, r in _dicts(row["relationships"])]


def _read_sgae(row: Mapping[str, Any]) -> tuple[_Objects, _Relations]:
    objects, owner = _Objects(), ""
    for word in map(str, row["attribute"]):
        owner = word[5:] if word.startswith("node:") else owner
        objects.append((owner, owner, [] if word.startswith("node:") else [word]))
    return objects + [(word, word, []) for word in (*row["subject"], *row["object"])], [*zip(row["subject"], row["rela"], row["object"])]


_READERS = {"GQA scene graphs": _read_gqa, "sng_parser graphs": _read_sng, "Stanford graphs": _read_stanford, "SGAE graphs": _read_sgae}


def as_visual_genome(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Convert an image's graph from another layout to Visual Genome's. Other rows remain unchanged.

    The layouts are GQA, sng_parser and FACTUAL's parser, the Stanford parser of SPICE, SGAE, and Visual Genome's files of
    relationships, attributes or objects.
    """
    if not (kind := _kind_of_graph(row)):
        return row
    id_field = {"image_id": row["id"]} if "id" in row and "image_id" not in row else {}
    objects: dict[str, dict[str, Any]] = {}
    relationships: list[object] = []
    if read := _READERS.get(kind):
        things, relations = read(row)
        for id, name, attributes in things:
            thing = objects.setdefault(str(id), {"object_id": str(id), "names": [name], "attributes": []})
            thing["attributes"] += attributes if isinstance(attributes, list) else [attributes]
        relationships += [{"subject_id": str(a), "predicate": word, "object_id": str(b)} for a, word, b in relations]
    elif kind == "Visual Genome relationships":
        for relation in row["relationships"]:
            ends = [end for _, end in _dicts([relation.get(name) for name in ("subject", "object")] if isinstance(relation, dict) else [])]
            for end in ends:
                objects.setdefault(str(end.get("object_id")), {"names": [end.get("name")], **end, "object_id": str(end.get("object_id"))})
            ids = [str(end.get("object_id")) for end in ends]
            relationships.append({**relation, "subject_id": ids[0], "object_id": ids[1]} if len(ids) == 2 else relation)
    else:
        return {**row, "objects": row[kind.split()[-1]], "relationships": [], "layout": Message("notice.named", name=kind)}
    layout = Message("notice.named", name=kind)
    return {**row, **id_field, "objects": [*objects.values()], "relationships": relationships, "layout": layout}


def _kind_of_graph(row: Mapping[str, Any]) -> str:
    """Return the layout of a scene graph other than Visual Genome's, or "" for other rows."""
    lists = {name for name, value in row.items() if isinstance(value, list)}
    if isinstance(row.get("objects"), dict):
        return "GQA scene graphs"
    for name, fields in (
        ("sng_parser graphs", {"entities", "relations"}),
        ("SGAE graphs", {"subject", "rela", "object", "attribute"}),
        ("Stanford graphs", {"objects", "attributes", "relationships"}),
    ):
        if fields <= lists:
            return name
    if "image_id" not in row or ("relationships" in row and "objects" in row):
        return ""
    kind = next((name for name in ("relationships", "objects", "attributes") if name in lists), "")
    return f"Visual Genome {kind}" if kind and (kind == "relationships" or "relationships" not in row) else ""


def _dicts(value: Any) -> list[tuple[object, Mapping[str, Any]]]:
    """Return the objects in a JSON list or object, each with its index or name."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(id, element) for id, element in pairs if isinstance(element, dict)]


def _check_list(row: Mapping[str, object], key: str, where: str) -> list[object]:
    if not isinstance(value := row.get(key), list):
        raise InputError(field_place(where), value, Message("expected.list", name=key))
    return value


def _check_word(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(field_place(where), value, Message("expected.word"))
    word = check_utf8(" ".join(value.lower().split()), field_place(where))
    return PLACEHOLDER if word == PLACEHOLDER.lower() else word  # an implicit subject written by write_scene_graphs
