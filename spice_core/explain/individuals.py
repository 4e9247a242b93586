"""Members of a group that a caption distinguishes ("two dogs, one brown, the other white").

The scene graph has one object for the group, but drawings show each distinguished member.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from spice_core.lang import language
from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import Parse, Proposition


def member_name_by_part(tuples: Iterable[SceneTuple], parse: Parse, lang: str) -> Mapping[tuple[str, int], str]:
    """Return the names of group members, by the id of an attribute or relation and the index of the part that is about the member.

    Only groups with at least two distinguished members are included.
    """
    names_by_element: dict[str, dict[tuple[str, int], str]] = {}
    for tuple_ in tuples if parse.document else ():
        for part in range(0, len(tuple_.elements), 2) if len(tuple_.elements) > 1 else ():
            names = {_find_member_name(mention.proposition, part, parse, lang) for mention in tuple_.mentions}
            if len(names) == 1 and (name := names.pop()):
                names_by_element.setdefault(tuple_.elements[part].id, {})[tuple_.id, part] = name
    return {key: name for members in names_by_element.values() if len(set(members.values())) > 1 for key, name in members.items()}


def _find_member_name(proposition: Proposition, part_index: int, parse: Parse, lang: str) -> str:
    tokens = proposition.tokens
    if parse.document is None or part_index >= len(tokens):
        return ""
    predicate = tokens[1] if part_index == 0 and len(tokens) > 1 else ()
    return language(lang).member_word(parse.document.sentences[parse.tree(proposition)], tokens[part_index], predicate)
