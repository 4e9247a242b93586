"""Test the explanation of a result: rows, marked captions and details, all computed once, and words without a tuple."""

from dataclasses import replace

import pytest

from pages.parts.state import engine, settings
from pages.parts.state.engine import CaptionInputs
from spice_core import Spice
from spice_core.explain.evidence import caption_spans, locate_tuple, tuple_rows, tuple_text
from spice_core.explain.explanation import Explanation, Judgement, RowDetails, judge_tuples
from spice_core.explain.unused_words import find_unused_words
from spice_core.inference.rules import inference_rules
from spice_core.lang import language
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import Parse, parse_from_tuples
from spice_core.syntax.document import Dependency, Document, Sentence, Token
from tests.contracts.esperanto import PACK as ESPERANTO


@pytest.fixture
def explained_caption(result, synonyms) -> Explanation:
    return Explanation(result, synonyms)


def test_rows_have_their_tuples_nodes_senses_references_and_categories(result, synonyms, explained_caption):
    spice = Spice(synonyms="none", categories={"Wood": ["wooden"]})
    explanation = Explanation.from_result(spice.compute([["table", "wooden"]], [[["table"]]]), spice)
    assert {row.parts: row.categories for row in explanation.rows} == {("table",): (), ("table", "wooden"): ("Wood",)}
    assert explanation.rules is spice.rules
    explanation = tuple_rows(result, synonyms, categories={"Color": frozenset({"blue"})})
    assert len(explanation) == len(result.candidate_tuples) + len(result.missed)
    assert [row.state for row in explanation] == sorted(
        (row.state for row in explanation), key=["exact", "synonym", "extra", "missing"].index
    )
    row_by_words = {row.parts: row for row in explanation}
    assert row_by_words["racquet",].partner == ("racket",) and row_by_words["racquet",].reasons[0].synset.gloss == "a sports implement"
    mentions = row_by_words["girl",].in_references
    assert {source.caption for source in mentions} == {0, 1} and {s.words for s in mentions} == {"girl"}
    assert [row.parts for row in explanation if row.categories] == [("court", "blue")]
    texts = ["girl", "girl: young", "girl – hold – racket"]
    assert [tuple_text(parts) for parts in (("girl",), ("girl", "young"), ("girl", "hold", "racket"))] == texts
    for row in explained_caption.rows:
        assert [set(part.split("/")) for part in row.parts] == [set(c.words) for c in explained_caption.tuple_of(row.id).concepts]
        assert explained_caption.result.state(explained_caption.tuple_of(row.id)) is row.state
        assert all(explained_caption.row_by_node[node] is row for node in row.nodes)
    details = {row.parts: explained_caption.details(row.id) for row in explained_caption.rows}
    assert [near_tuple.other.words for near_tuple in details["woman", "hold", "racket"].nearest] == [("girl", "hold", "racquet")]
    assert details["girl",] == RowDetails()


def test_marked_captions_keep_their_text(spice):
    captions = ["A black dog.", "A dog on a sofa!", "Dogs"]
    lines = caption_spans(spice.compute(captions[0], captions[1:]))
    assert ["".join(stretch.text for stretch in line) for line in lines] == captions
    assert {"object", "attribute"} >= {stretch.kind for stretch in lines[0] if stretch.kind}


def unused_word_reasons(spice, caption, rules=None) -> dict[str, str]:
    (parse,) = spice.parse([caption])
    unused_words = find_unused_words(parse, language(spice.lang), rules)
    assert all(parse.document.text[u.token.start : u.token.end] == u.token.text for u in unused_words)
    return {u.token.text: u.reason for u in unused_words}


@pytest.mark.parametrize(("caption", "reasons"), [
    ("The photo shows a crab.", {"The": "function", "photo": "frame", "shows": "frame", "a": "function"}),
    ("A pier without boats", {"A": "function", "without": "function", "boats": "negated"}),
    ("There is a very large dog.", {"There": "function", "is": "function", "a": "function", "very": "unread"}),
])  # fmt: skip
def test_frames_negations_and_adverbs_of_degree_have_their_own_reasons(caption_spice, caption, reasons):
    assert unused_word_reasons(caption_spice, caption, caption_spice.rules) == reasons


def test_words_are_used_or_unused_for_a_reason(spice):
    for caption, unused_words in [
        ("A young girl holding a racket.", {"A": "function", "a": "function"}),
        ("There is a very large dog.", {"There": "function", "is": "function", "a": "function", "very": "unread"}),
        ("Two dogs are quickly running on a street!", {"are": "function", "quickly": "unread", "a": "function"}),
        ("A man who holds his dog.", {"A": "function", "who": "pronoun", "holds": "unread", "his": "pronoun"}),
        ("red umbrella", {}),
        ("", {}),
    ]:
        assert unused_word_reasons(spice, caption, spice.rules) == unused_words
        assert unused_word_reasons(spice, caption) == {word: reason.replace("unread", "content") for word, reason in unused_words.items()}
    # Without the rule for adjectives, "young" is unused. The reason is "content", because the full rule set reads its edge.
    (parse,) = spice.parse(["A young girl."])
    (parse_without,) = Spice(rules=spice.rules.without("adjective")).parse(["A young girl."])
    assert [u.token.text for u in find_unused_words(parse, language(spice.lang))] == ["A"]
    assert [u.token.text for u in find_unused_words(parse_without, language(spice.lang))] == [
        "A",
        "young",
    ]
    assert find_unused_words(parse_without, language(spice.lang), spice.rules)[1].reason == "content"
    assert (
        find_unused_words(parse_without, language(spice.lang))[1].relation,
        find_unused_words(parse_without, language(spice.lang))[1].sentence,
    ) == ("amod", 0)
    (parse,) = spice.parse(["A man on a surfboard, who rides waves; it's a well-known beach. Two dogs watch him!"])
    used_indices = {(p.sentence, t.index) for p in parse.propositions for part in p.tokens for t in part}
    unused_indices = {(u.sentence, u.token.index) for u in find_unused_words(parse, language(spice.lang))}
    remaining_texts = [
        t.text for n, s in enumerate(parse.document.sentences) for t in s.tokens if (n, t.index) not in used_indices | unused_indices
    ]
    assert not used_indices & unused_indices and set(remaining_texts) <= set(",;.!")
    spice = Spice("ja")
    unused_words = unused_word_reasons(spice, "公園で二匹の犬がとても速く走っている。", spice.rules)
    assert unused_words == dict.fromkeys("で の が て いる".split(), "function") | {"とても": "unread", "速く": "unread"}
    (parse,) = spice.parse(["赤い傘をさして座って海を見ています"])
    parse_without = replace(parse, propositions=tuple(p for p in parse.propositions if "座る" not in p.words))
    assert [
        (u.text, u.token.text) for u in find_unused_words(parse_without, language(spice.lang), spice.rules) if u.reason != "function"
    ] == [("座って", "座っ")]
    result = spice.compute("男性が一人立っている", ["犬が二匹、ベンチのそばにいる", "傘を差した人が一人座っている"])
    assert [
        u.text for caption_unused in Explanation.from_result(result, spice).unused_words for u in caption_unused if u.reason != "function"
    ] == [], "numbers are used"
    parse = parse_from_tuples([["dog"]], where="candidate")
    assert find_unused_words(parse, language(spice.lang)) == find_unused_words(replace(parse, document=None), language(spice.lang)) == ()


@pytest.mark.parametrize(("pack", "tag", "reason"), [
    (ESPERANTO, "PRON", "pronoun"), (ESPERANTO, "NOUN", "content"), (language("en"), "WP$", "pronoun"), (language("ja"), "代名詞", "pronoun"),
])  # fmt: skip
def test_a_pronoun_is_recognised_in_every_tagset(pack, tag, reason):
    document = Document("li", (Sentence((Token(1, "li", "li", tag, 0, 2),), (Dependency(0, 1, "root"),)),))
    assert [word.reason for word in find_unused_words(Parse("li", (), document), pack)] == [reason]


@pytest.fixture(scope="module")
def caption_spice() -> Spice:
    return Spice()


def judge_conclusion(caption_spice: Spice, premise: str, conclusion: str, words: tuple[str, ...], **options: object) -> Judgement:
    return next(judgement for judgement in judge_tuples(caption_spice, premise, conclusion, **options) if judgement.row.parts == words)


@pytest.mark.parametrize(("premise", "conclusion", "words", "rule", "lack", "state"), [
    ("A man looks at the sea.", "A man is at the sea.", ("man", "at", "sea"), "place of an action", ("look", ("looking",), True), MatchState.EXTRA),
    ("A camera on a shelf.", "The camera hangs on the shelf.", ("camera", "hang on", "shelf"), "upper side", ("camera", "hang on top of", "shelf"), MatchState.NARROWER),
], ids=["excluded word", "missing premise"])  # fmt: skip
def test_a_tuple_that_does_not_follow_has_near_miss_rules(caption_spice, premise, conclusion, words, rule, lack, state):
    judgement = judge_conclusion(caption_spice, premise, conclusion, words)
    assert judgement.row.state is state
    miss = next(near_miss for near_miss in judgement.near_misses if near_miss.rule.name == rule)
    assert lack in (miss.missing_premise, (miss.word, miss.classes, miss.is_excluded_class))
    assert [len(near_miss.proved_premises) for near_miss in judgement.near_misses] == sorted(
        (len(near_miss.proved_premises) for near_miss in judgement.near_misses), reverse=True
    )


def test_disabled_rules_prove_nothing(caption_spice):
    names = [rule.name for rule in inference_rules(language("en").inference_rules).rules]
    dog = ("A brush stands behind the skeleton.", "The brush is behind the skeleton.", ("brush", "behind", "skeleton"))
    assert judge_conclusion(caption_spice, *dog).row.state is MatchState.ENTAILED
    assert judge_conclusion(caption_spice, *dog, disabled_rules=names).row.state is MatchState.EXTRA


def test_every_near_miss_of_the_rules_has_an_obstacle_or_no_rule(caption_spice):
    """A near miss always has an unmet condition."""
    for rule in inference_rules(language("en").inference_rules).rules[::6]:
        for judgement in judge_tuples(caption_spice, *rule.near_miss) if rule.near_miss else ():
            for miss in judgement.near_misses:
                incomplete = (
                    miss.rule.owner
                    or miss.rule.likely_owner
                    or miss.rule.in_one_sentence
                    or miss.rule.cost > 1
                    or len(miss.rule.premises) > 1
                )
                assert miss.missing_premise or miss.classes or incomplete, (rule.name, judgement.row.parts, miss.rule.name)


ENGLISH = "The image shows a market.In front, a woman in a yellow dress holds a basket. She is smiling at a man. Yes!"
JAPANESE = "画像には、台所で料理をしている女性が写っています。彼女は赤いエプロンを着けています。椅子の上で猫が眠っています。"


def explain(caption_spice: Spice, candidate: str, references: list[str]) -> Explanation:
    return Explanation.from_result(caption_spice.compute(candidate, references), caption_spice)


@pytest.fixture(scope="module")
def english_explanation() -> Explanation:
    return explain(Spice("en"), ENGLISH, ["A man stands. A woman smiles at him.", "A market."])


def written_passages(explanation: Explanation) -> list[list[str]]:
    return [["".join(span.text for span in passage.spans).strip() for passage in caption] for caption in explanation.passages]


def test_sentences_have_the_words_scores_and_rows_of_their_captions(english_explanation):
    for sentences, spans in zip(english_explanation.passages, english_explanation.captions, strict=True):
        assert "".join(span.text for passage in sentences for span in passage.spans) == "".join(span.text for span in spans)
    front, she = "In front, a woman in a yellow dress holds a basket.", "She is smiling at a man."
    assert written_passages(english_explanation)[0] == ["The image shows a market.", front, she, "Yes!"]
    flat = [passage for caption in english_explanation.passages for passage in caption]
    assert [passage.score for passage in flat] == list(english_explanation.result.sentences)
    assert all(len(set(passage.rows)) == passage.score.tuples for passage in flat)
    assert [passage.id for passage in flat] == ["0.0", "0.1", "0.2", "0.3", "1.0", "1.1", "2.0"]
    known_ids = {row.id for row in english_explanation.rows}
    assert all(row in known_ids for passage in flat for row in passage.rows)
    woman = next(row.id for row in english_explanation.rows if row.parts == ("woman",))
    assert [woman in passage.rows for passage in english_explanation.passages[0]] == [False, True, True, False]
    assert explain(Spice("en"), "A dog runs.", ["A dog.", "A cat sits."]).passages == ((), (), ())
    passages = explain(Spice("ja"), JAPANESE, ["女性が青いエプロンを着けている。"])
    assert written_passages(passages)[0] == [f"{sentence}。" for sentence in JAPANESE.split("。")[:-1]]
    tuples = {row.id: row.parts for row in passages.rows}
    second_tuples = {tuples[row] for row in passages.passages[0][1].rows}
    assert {("エプロン", "赤い"), ("女性", "着ける", "エプロン"), ("女性",), ("エプロン",)} == second_tuples
    assert [passage.score.matched for passage in passages.passages[0]] == [1, 3, 0]


def test_the_words_of_a_tuple_are_found_in_its_caption():
    for captions, parts, caption, words in [
        (("A woman near an umbrella that is red.", "A red umbrella."), ("umbrella", "red"), 0, ("umbrella", "red")),
        (("A boat. A dog chases a cat.", "A cat that a dog sees."), ("dog", "chase", "cat"), 0, ("dog", "cat")),
        # The caption lacks the tuple but contains its words.
        (("A dog and a red ball.", "The dog has a ball."), ("dog", "have", "ball"), 0, ("dog", "ball")),
        (("A dog.", "A brown dog."), ("dog", "brown"), 1, ("dog", "brown")),
        (("A dog.", "A dog on a sofa."), ("sofa",), 1, ()),
        (("猫が寝ている。", "黒い猫が寝ている。"), ("猫", "黒い"), 1, ("猫", "黒い")),
    ]:
        lang = "ja" if "猫" in captions[0] else "en"
        scored = engine.score_captions(CaptionInputs(captions[0], captions[1:]), settings.default_config(lang))
        row = next(row for row in scored.explanation.rows if row.parts == parts)
        parse, pair = locate_tuple(scored.result, row)
        assert parse.caption == captions[caption]
        tokens = parse.document.sentences[pair.sentence].tokens if pair else ()
        assert tuple(tokens[index - 1].text for index in (pair[1:] if pair else ())) == words
