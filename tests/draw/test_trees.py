"""Test drawings of dependency trees: deterministic, escaped, without external resources."""

import re

from spice_core.draw import trees
from spice_core.draw.style import DisplayStyle
from spice_core.syntax.document import Dependency, Sentence, Token

RAIN_SENTENCE = Sentence(
    (Token(1, "傘", "傘", "名詞-普通名詞"), Token(2, "を", "を", "助詞-格助詞"), Token(3, "差す", "差す", "動詞-一般")),
    (Dependency(3, 1, "obj"), Dependency(1, 2, "case"), Dependency(0, 3, "root")),
)
HOSTILE_TEXT = "</script><img src=x onerror=alert(1)>"


def test_trees_of_words_and_units_are_drawn_on_a_page():
    assert [w["text"] for w in trees.word_tree(RAIN_SENTENCE)["words"]] == ["傘", "を", "差す"]
    tree = trees.unit_tree(RAIN_SENTENCE, [RAIN_SENTENCE.tokens[:2], RAIN_SENTENCE.tokens[2:]])
    assert [w["text"] for w in tree["words"]] == ["傘を", "差す"]
    assert tree["arcs"] == [{"start": 0, "end": 1, "label": "obj", "dir": "left"}]
    words = tuple(Token(i, f"word{i}", "", "NN") for i in range(1, 21))
    tree = trees.graph_tree(words, [Dependency(i, i + 1, "dep") for i in range(1, 20)])
    part = trees.truncate_tree(tree, 789)
    assert [word["text"] for word in part["words"]] == [f"word{i}" for i in range(1, 9)] and len(part["arcs"]) == 7
    assert trees.truncate_tree(tree, 1e6) == tree and len(trees.truncate_tree(tree, 1)["words"]) == 2
    first_page, second_page = (trees.tree_page([("Words", trees.word_tree(RAIN_SENTENCE))], lang="ja") for _ in range(2))
    assert first_page == second_page and 'lang="ja"' in first_page and "名詞" in first_page and "格助詞" not in first_page
    assert not re.search(r"\bsrc\s*=|<link|@import|url\(", first_page) and not re.search(r"%% \w+ %%", first_page)


def test_markup_is_text():
    awkward_sentence = Sentence(
        (Token(1, HOSTILE_TEXT, HOSTILE_TEXT, HOSTILE_TEXT), Token(2, "x", "x", "x")),
        (Dependency(0, 1, "root"), Dependency(1, 2, HOSTILE_TEXT)),
    )
    page = trees.tree_page([(HOSTILE_TEXT, trees.word_tree(awkward_sentence))], DisplayStyle(HOSTILE_TEXT))
    assert "<img" not in page and page.count("</script>") == 1
    assert "<svg" in trees.tree_svg(trees.word_tree(Sentence((Token(1, "dog", "dog", "NN"),), (Dependency(0, 1, "root"),))))
