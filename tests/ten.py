"""The ten most important rules of the set ``caption``. Each has a caption and the words of a tuple that is missing without the rule."""

from __future__ import annotations

TOWER_CAPTION = "a tall clock tower with trees all around"
WORDS_BY_RULE = {  # the words in the notation of the URL: sentences are numbered from 0, words from 1
    "preposition": (TOWER_CAPTION, "0.4-5-6"),
    "adjective": (TOWER_CAPTION, "0.4-2"),
    "compound": (TOWER_CAPTION, "0.4-3"),
    "subject-preposition": ("A grey and white cat watches from between parked cars.", "0.5-6-10"),
    "participle-preposition": ("A giraffe reaching for a tree branch on a sandy zoo lot.", "0.2-3-7"),
    "participle-object": ("a close up of a dog riding a skate board", "0.6-7-10"),
    "number": ("Four vases with purple flower in it. There are two different shapes and sizes.", "0.2-1"),
    "subject-object": ("A crowd looks on as a young man does a skateboard trick.", "0.8-9-12"),
    "possessive": ("A man is laying down in a pavement balancing a ball on his foot while others watch.", "0.2-14"),
    "predicate-adjective": ("The workers are busy serving meals under the tent.", "0.2-4"),
}
