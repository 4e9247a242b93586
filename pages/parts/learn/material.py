"""The captions of the tour and of the exercises, in each interface language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pages.parts.kit.texts import interface_language

_TREES_FOLDER = Path(__file__).parents[3] / "assets" / "learn"
CaptionPair = tuple[str, str]  # a candidate and its reference


@dataclass(frozen=True)
class Material:
    """The captions of one language, named as in the steps and exercises.

    Attributes:
        girl, giraffe: Captions of two different pictures. Both captions contain ``shared_words``.
        pot, pan: Two captions of one picture that share no content word.
        court, other_court: A caption, and the same caption with one attribute changed.
        words_by_choice: The word of ``court`` for each choice of the step "tree".
        highlighted_relations: The relations that the step "tree" can highlight.
        gap: A sentence with a gap. ``fill_by_choice`` contains the word for each choice. ``more_fills`` are further words to try.
        subjects: Two words for the subject of ``sofa``, only the first of which matches, and the word that they replace.
        meaning: A pair with at least one tuple of each verdict. ``entailed_caption`` follows from ``narrow_caption``.
        limits: The pairs of the step "limits" by choice. ``more_limits`` are the pairs in the answer of the step.
        misread_caption: A sentence whose stored tree in ``misread_tree`` is wrong. ``correct_caption`` is parsed correctly.
        cards: Captions to rank against the references ``buses``. SPICE prefers ``false_card`` to ``true_card``.
        sofa_word: The word of ``sofa`` that an exercise forbids.
        hedge_words: Words that change whether a caption is true. ``hedge_examples`` are shown in a hint.
        rule, narrow_pattern, wide_pattern: The rule set and name of a rule to repair, its narrowed pattern, and the repaired pattern.
        answers_by_number: The initial texts and model answers of the exercises, by number.
    """

    lang: str
    girl: str
    giraffe: str
    shared_words: str
    pot: str
    pan: str
    court: str
    other_court: str
    words_by_choice: Mapping[str, str]
    highlighted_relations: tuple[str, ...]
    sofa: str
    dog_references: tuple[str, ...]
    white_dog: str
    gap: str
    fill_by_choice: Mapping[str, str]
    more_fills: tuple[str, ...]
    subjects: tuple[str, str, str]
    toothbrush: tuple[str, str, str]
    horse_references: tuple[str, ...]
    three_horses: str
    two_horses: str
    meaning: CaptionPair
    narrow_caption: str
    entailed_caption: str
    limits: Mapping[str, CaptionPair]
    more_limits: Mapping[str, CaptionPair]
    misread_caption: str
    misread_tree: Path
    correct_caption: str
    buses: tuple[str, ...]
    cards: tuple[str, ...]
    false_card: int
    true_card: int
    coat: str
    cup: str
    sofa_word: str
    hedge_words: frozenset[str]
    hedge_examples: tuple[str, ...]
    rule: tuple[str, str]
    narrow_pattern: str
    wide_pattern: str
    rule_captions: tuple[str, ...]
    answers_by_number: Mapping[int, tuple[Mapping[str, str], Mapping[str, str]]]

    def fill(self, word: str) -> str:
        """Return the sentence with the gap filled."""
        return self.gap.replace("[ ]", f"{'an' if word[0] in 'aeiou' else 'a'} {word}" if self.lang == "en" else word)

    @property
    def shown_gap(self) -> str:
        """The sentence with its gap."""
        return self.gap.replace("[ ]", "a [ ]") if self.lang == "en" else self.gap


_COURT_CAPTION, _SOFA_CAPTION = "A young girl stands on a tennis court.", "A dog sleeps on a sofa."
_TODDLER_CAPTION = "Two small dogs and a toddler are sleeping on a red sofa."
_SLEEP_CAPTION = _TODDLER_CAPTION.replace("are sleeping", "sleep")
_THREE_HORSES_CAPTION, _TWO_HORSES_CAPTION = "Three brown horses in a green field.", "Two brown horses in a green field."
_BUS_CAPTION = "A red double decker bus drives down a city street."
_POT_CAPTION = "A {} is on the table."
_CUP_CAPTION = "A red cup is to the left of a lamp."
ENGLISH_MATERIAL = Material(
    lang="en",
    girl="A young girl standing on top of a tennis court.",
    giraffe="A giraffe standing on top of a green field.",
    shared_words="standing on top of a",
    pot="A shiny metal pot filled with some diced veggies.",
    pan="The pan on the stove has chopped vegetables in it.",
    court=_COURT_CAPTION,
    other_court=_COURT_CAPTION.replace("tennis", "basketball"),
    words_by_choice={"a": "A", "tennis": "tennis", "stands": "stands"},
    highlighted_relations=("amod", "nsubj", "obl", "compound"),
    sofa=_SOFA_CAPTION,
    dog_references=("A small brown dog sleeps on a sofa.", "A little dog lies on a couch.", "A dog sleeps near a red pillow."),
    white_dog="A little white dog sleeps on a couch.",
    gap="A dog sleeps on [ ].",
    fill_by_choice={"couch": "couch", "armchair": "armchair", "bench": "bench"},
    more_fills=("lounge",),
    subjects=("hound", "puppy", "dog"),
    toothbrush=("An infant holds a toothbrush.", "A child holds a toothbrush.", "A baby holds a toothbrush."),
    horse_references=("Two brown horses grazing in a field next to a tree.", "Two horses stand in a green field."),
    three_horses=_THREE_HORSES_CAPTION,
    two_horses=_TWO_HORSES_CAPTION,
    meaning=("A dog, a blue lamp and a cat on a sofa.", "A puppy and a red lamp on a couch."),
    narrow_caption="A puppy sleeps.",
    entailed_caption="A dog sleeps.",
    limits={
        "fluency": ("Young girl. Tennis court. Girl stands on court.", _COURT_CAPTION),
        "almost": ("A dog almost sleeps on a sofa.", _SOFA_CAPTION),
        "stool": ("A cat sits on a stool.", "A cat sits on a toilet."),
        "bites": ("A man bites a dog.", "A dog bites a man."),
    },
    more_limits={
        "toilet": (_POT_CAPTION.format("toilet"), _POT_CAPTION.format("pot")),
        "pan": (_POT_CAPTION.format("pan"), _POT_CAPTION.format("pot")),
        "negated": ("No dog sleeps on a sofa.", _SOFA_CAPTION),
    },
    misread_caption=_SLEEP_CAPTION,
    misread_tree=_TREES_FOLDER / "earlier_parser.conllu",
    correct_caption=_TODDLER_CAPTION,
    buses=(
        "The red, double decker bus is driving past other buses.",
        "A red double decker bus driving down a city street.",
        "A red bus is driving on the road.",
        "A double decker bus rolls along the streets.",
        "a red double decker bus that is in the middle of the road",
    ),  # COCO, image 1584
    cards=(
        _BUS_CAPTION,
        "A red bus is on the road.",
        "A green bus stands in a garage.",
        "Red bus, double decker, city street, road.",
        "A big bus with two floors drives through town.",
        "A red car drives down a city street.",
    ),
    false_card=5,
    true_card=4,
    coat="A woman in a red coat holds a small dog.",
    cup=_CUP_CAPTION,
    sofa_word="sofa",
    hedge_words=frozenset(
        "almost nearly rarely hardly seldom scarcely barely might may could would should can will maybe perhaps possibly if unless false "
        "only once soon sometimes supposedly allegedly".split()
    ),
    hedge_examples=("almost", "rarely", "might", "if"),
    rule=("caption", "adjective"),
    narrow_pattern="{tag:NN}=noun >amod {tag:JJ}=adjective",
    wide_pattern="{tag:/NN.*/}=noun >amod {tag:/JJ.*|VB[NG]/}=adjective",
    rule_captions=("Two small dogs sleep on a sofa.", "A pan with chopped vegetables in it.", "A larger dog sleeps on a sofa."),
    answers_by_number={
        1: (
            {"tuples": "woman\nwoman, hold, coat"},
            {"tuples": "woman\ncoat\ncoat, red\nwoman, in, coat\ndog\ndog, small\nwoman, hold\nwoman, hold, dog"},
        ),
        2: ({"candidate": "A red bus and a dog."}, {"candidate": "A bus."}),
        3: ({"candidate": _SOFA_CAPTION}, {"candidate": "A dog sleeps on a sofa and a cat sits on a chair."}),
        4: ({"candidate": _THREE_HORSES_CAPTION}, {"candidate": _TWO_HORSES_CAPTION}),
        5: ({"candidate": _SOFA_CAPTION}, {"candidate": "A dog sleeps on a couch."}),
        6: (
            {"candidate": "A man holds a dog.", "reference": "A man holds a hotdog."},
            {"candidate": "A boy looks at a seal.", "reference": "A boy looks at a stamp."}
            | {"sense_matched": "seal.n.02", "sense_meant": "seal.n.09"},
        ),
        7: (
            {"candidate": _BUS_CAPTION},
            {
                "candidate": "Red double decker bus. Bus driving past other buses. Bus driving down a city street. Bus driving on the road. "
                "Middle of the road."
            },
        ),
        8: ({"candidate": "No dog sleeps on a sofa."}, {"candidate": "A dog almost sleeps on a sofa."}),
        9: ({"reference": "A big dog barks."}, {"reference": "A brown dog is sleeping on a lounge."}),
        10: (
            {"tuples": "dog\nsleep\nsleep, toddler", "candidate": _SLEEP_CAPTION},
            {
                "tuples": "dog\ndog, two\ndog, small\ntoddler\nsofa\nsofa, red\ndog, sleep\ntoddler, sleep\ndog, sleep on, sofa\n"
                "toddler, sleep on, sofa",
                "candidate": _TODDLER_CAPTION,
            },
        ),
        13: (
            {"follows": _CUP_CAPTION, "contradicts": _CUP_CAPTION},
            {"follows": "A lamp is to the right of a cup.", "contradicts": "A blue cup is to the left of a lamp."},
        ),
        14: ({"numbers": "2, 3"}, {"numbers": "1, 4, 5, 6, 8, 10, 11, 12"}),
    },
)

_COURT_CAPTION_JA, _SOFA_CAPTION_JA = "若い女の子がテニスコートに立っている。", "犬がソファで寝ている。"
_THREE_HORSES_CAPTION_JA, _TWO_HORSES_CAPTION_JA = "三頭の茶色い馬が草原に立っている。", "二頭の茶色い馬が草原に立っている。"
_MISREAD_CAPTION_JA, _READ_CAPTION_JA = "女性が玄関ではきものを脱いでいる。", "女性が玄関で履物を脱いでいる。"
_CUP_CAPTION_JA = "赤いコップがランプの左にある。"
_BUS_CAPTION_JA = "赤い二階建てバスが街の通りを走っている。"
JAPANESE_MATERIAL = Material(
    lang="ja",
    girl="若い女の子がテニスコートの上に立っている。",
    giraffe="キリンが緑の草原の上に立っている。",
    shared_words="の上に立っている",
    pot="車が道に止まっている。",
    pan="自動車が道路に停車している。",
    court=_COURT_CAPTION_JA,
    other_court=_COURT_CAPTION_JA.replace("若い", "小さい"),
    words_by_choice={"a": "が", "tennis": "若い", "stands": "立っ"},
    highlighted_relations=("acl", "nsubj", "obl", "case"),
    sofa=_SOFA_CAPTION_JA,
    dog_references=("小さな茶色い犬がソファで寝ている。", "小さい犬がソファーに横たわっている。", "犬が赤いクッションのそばで寝ている。"),
    white_dog="小さな白い犬がソファーで寝ている。",
    gap="犬が[ ]で寝ている。",
    fill_by_choice={"couch": "長椅子", "armchair": "椅子", "bench": "ベンチ"},
    more_fills=("ソファー",),
    subjects=("子犬", "愛犬", "犬"),
    toothbrush=("乳児が歯ブラシを持っている。", "子供が歯ブラシを持っている。", "赤ちゃんが歯ブラシを持っている。"),
    horse_references=("二頭の茶色い馬が木のそばで草を食べている。", "二頭の馬が草原に立っている。"),
    three_horses=_THREE_HORSES_CAPTION_JA,
    two_horses=_TWO_HORSES_CAPTION_JA,
    meaning=("青いコップがランプの左にあり、猫が長椅子で寝ている。", "ランプが赤いコップの右にあり、ソファがある。"),
    narrow_caption="犬がソファの上で寝ている。",
    entailed_caption="ソファの上に犬がいる。",
    limits={
        "fluency": ("若い女の子。女の子がテニスコートに立つ。", _COURT_CAPTION_JA),
        "almost": ("犬がおそらくソファで寝ている。", _SOFA_CAPTION_JA),
        "stool": ("フライが皿の上にある。", "ハエが皿の上にいる。"),
        "bites": ("男性が犬を噛む。", "犬が男性を噛む。"),
    },
    more_limits={
        "toilet": ("マウスが机の上にある。", "ネズミが机の上にいる。"),
        "pan": ("母親が本を読んでいる。", "女性が本を読んでいる。"),
        "negated": ("犬はソファで寝ていない。", _SOFA_CAPTION_JA),
    },
    misread_caption=_MISREAD_CAPTION_JA,
    misread_tree=_TREES_FOLDER / "misread_ja.conllu",
    correct_caption=_READ_CAPTION_JA,
    buses=(
        "赤い二階建てバスがほかのバスの横を走っている。",
        _BUS_CAPTION_JA,
        "赤いバスが道路を走っている。",
        "二階建てバスが通りを走っている。",
        "道路の真ん中に赤い二階建てバスがいる。",
    ),
    cards=(
        _BUS_CAPTION_JA,
        "赤いバスが道路にいる。",
        "緑のバスが車庫に止まっている。",
        "赤いバス、二階建て、街の通り、道路。",
        "二つの階がある大きな乗り物が町を進んでいる。",
        "赤い車が街の通りを走っている。",
    ),
    false_card=5,
    true_card=4,
    coat="赤いコートを着た女性が小さな犬を抱いている。",
    cup=_CUP_CAPTION_JA,
    sofa_word="ソファ",
    hedge_words=frozenset("おそらく たぶん 多分 恐らく ほとんど もしも もし まるで 時々 ときどき たまに めったに かつて 昔 いつか".split()),
    hedge_examples=("おそらく", "たまに", "昔"),
    rule=("ja-caption", "description"),
    narrow_pattern="{}=noun >amod {}=description",
    wide_pattern="{}=noun >amod|nummod {}=description",
    rule_captions=("二匹の白い犬が走っている。", "三人の子供が遊んでいる。", "赤い帽子の女性が立っている。"),
    answers_by_number={
        1: (
            {"tuples": "女性\n女性, 抱く, コート"},
            {"tuples": "女性\nコート\nコート, 赤い\n女性, 着る, コート\n犬\n犬, 小さな\n女性, 抱く, 犬"},
        ),
        2: ({"candidate": "赤いバスと犬。"}, {"candidate": "バス。"}),
        3: ({"candidate": _SOFA_CAPTION_JA}, {"candidate": "犬がソファで寝ていて、猫が椅子に座っている。"}),
        4: ({"candidate": _THREE_HORSES_CAPTION_JA}, {"candidate": _TWO_HORSES_CAPTION_JA}),
        5: ({"candidate": _SOFA_CAPTION_JA}, {"candidate": "犬が長椅子で寝ている。"}),
        6: (
            {"candidate": "男性がバットを持っている。", "reference": "男性がコウモリを持っている。"},
            {"candidate": "ハエが皿の上にいる。", "reference": "フライが皿の上にある。"},
        ),
        7: (
            {"candidate": _BUS_CAPTION_JA},
            {"candidate": "赤い二階建てバス。赤いバス。通りを走るバス。通りを走る二階建てバス。街の通り。"},
        ),
        8: ({"candidate": "犬がソファで寝ていない。"}, {"candidate": "犬がおそらくソファで寝ている。"}),
        9: ({"reference": "大きな犬が吠えている。"}, {"reference": "茶色い犬が長椅子で眠っている。"}),
        10: (
            {"tuples": "女性\nきもの\n女性, 脱ぐ, きもの", "candidate": _MISREAD_CAPTION_JA},
            {"tuples": "女性\n履物\n玄関\n女性, 脱ぐ, 履物\n女性, 脱ぐ, 玄関", "candidate": "玄関で履物を脱ぐ女性。"},
        ),
        13: (
            {"follows": _CUP_CAPTION_JA, "contradicts": _CUP_CAPTION_JA},
            {"follows": "ランプがコップの右にある。", "contradicts": "青いコップがランプの左にある。"},
        ),
        14: ({"numbers": "2, 3"}, {"numbers": "1, 2, 3, 4, 5, 8, 10"}),
    },
)
MATERIAL_BY_LANGUAGE = {material.lang: material for material in (ENGLISH_MATERIAL, JAPANESE_MATERIAL)}


def current_material() -> Material:
    """Return the captions in the interface language or, if there are none, in English."""
    return MATERIAL_BY_LANGUAGE.get(interface_language(), ENGLISH_MATERIAL)
