"""The propositions of ``ja-caption`` for captions that visitors typically enter, grouped by construction."""

import pytest

from spice_core import Spice

pytest.importorskip("ginza", reason="GiNZA is not installed; pip install -r requirements.txt")


@pytest.fixture(scope="module")
def caption_spice() -> Spice:
    return Spice("ja")


EXPECTED_PROPOSITIONS = [
    ("画像には、公園で遊ぶ子供が写っています", "子供,遊ぶ,公園"),
    ("写真には、橋を渡る電車が写っています。", "電車,渡る,橋"),
    ("ろくろを回す女性が写っている写真です。", "女性,回す,ろくろ"),
    ("窓のない部屋", "窓,ない,部屋"),
    ("柵のない庭で犬が遊んでいる。", "柵,ない,庭 犬,遊ぶ,庭"),
    ("雲一つない青空", "雲,ない,青空"),
    ("コップと木の皿が並ぶ", "コップ,並ぶ 皿,並ぶ 木,の,皿"),
    ("椅子とガラスのテーブルが置かれている。", "テーブル,置く 椅子,置く ガラス,の,テーブル"),
    ("右には犬が、左には猫がいる", "犬,いる,右 猫,いる,左"),
    ("兄はサッカーを、弟は野球をしている。", "兄,する,サッカー 弟,する,野球"),
    ("右手に傘、左手に鞄を持つ女性", "女性,持つ,傘 女性,持つ,右手 女性,持つ,左手 女性,持つ,鞄"),
    ("雨が降っているので傘を差す", "雨,降る [PHI],差す,傘"),
    ("部屋が暗いので電気をつけました。", "部屋,暗い [PHI],つける,電気"),
    ("スーツを着たまま男性が泳いでいる", "男性,泳ぐ 男性,着る,スーツ"),
    ("靴を履いたままソファで寝ている男の子", "男の子,寝る,ソファ 男の子,履く,靴"),
    ("五、六頭の牛が草を食べている。", "牛,五、六頭 牛,食べる,草"),
    ("何人かの人が並んでいる。", "人,並ぶ 人,何人か"),
    ("犬いる", "犬,いる"),
    ("犬じゃなくて猫がいる", "猫,いる"),
    ("人でいっぱいの電車", "電車,いっぱい,人"),
    ("本でいっぱいの棚がある。", "棚,ある 棚,いっぱい,本"),
    ("色とりどりの花が咲いている", "花,咲く 花,色とりどり"),
    ("父親が海に釣りに来る", "父親,来る,海 父親,来る,釣り"),
    ("男の子と、その隣で拍手する女の子", "男の子 女の子,拍手する,隣"),
    ("これは公園です", "公園"),
    ("子供がにこにこしながら走る", "子供,にこにこする 子供,走る"),
    ("絵本を読み聞かせる母親", "母親,読み聞かせる,絵本"),
    ("紅葉に染まった寺を訪れる修学旅行生（京都市で）", "京都市 修学旅行生,訪れる,寺 寺,染まる,紅葉"),
    ("車を掘り出す作業員ら＝長野県", "作業員,掘り出す,車 長野県"),
    ("公園に行ったら、桜が満開でした", "[PHI],行く,公園 桜,満開"),
    ("先週は妹と動物園に行った", "[PHI],行く,動物園 [PHI],行く,妹"),
    ("試合が中止になり、パジャマのまま部屋で本を読んだ", "[PHI],読む,本 [PHI],読む,部屋 パジャマ 試合,なる,中止"),
    ("人形の家と屏風が並ぶ", "人形,の,家 家,並ぶ 屏風,並ぶ"),
    ("監督を胴上げする選手", "選手,胴上げする,監督"),
    ("農夫が田を耕す様子を描いた絵巻", "絵巻 農夫,耕す,田"),
    ("旗を手に歩く少年", "少年,歩く,手 旗"),
    ("赤いシャツの選手が球を蹴り、黒いシャツの選手がそれを追う", "シャツ,の,選手 シャツ,赤い シャツ,黒い 選手,蹴る,球 選手,追う,球"),
    ("松の木と二羽の鶴が描かれている", "木,描く 松,の,木 鶴,二羽 鶴,描く"),
    ("夫とビールを飲む", "[PHI],飲む,ビール [PHI],飲む,夫"),
    ("友人と駅前の店で食べる", "[PHI],食べる,友人 [PHI],食べる,店 駅前,の,店"),
    ("箱と、紙に包まれた皿が並ぶ", "皿,並ぶ 皿,包む,紙 箱,並ぶ"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected_propositions"), EXPECTED_PROPOSITIONS)
def test_a_caption_yields_these_propositions(caption_spice, text, expected_propositions):
    (parse,) = caption_spice.parse([text])
    assert {p.words for p in parse.propositions} == {tuple(words.split(",")) for words in expected_propositions.split()}
    for sentence in parse.document.sentences:
        assert {e.dependent for e in sentence.edges} == {token.index for token in sentence.tokens}, "each word keeps an edge"
