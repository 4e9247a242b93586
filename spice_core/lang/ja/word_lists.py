"""Word lists of the Japanese pack: places, attribute classes, people, verbs by valency."""

from __future__ import annotations

import re


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# places: the 17 words of JaSPICE -----------------------------------------------------------------------------------
PLACE_NOUNS = _split_words("上 下 前 後ろ 右 左 中 外 隣 近く 間 上部 下部 右下 右上 左下 左上")

# nouns for places relative to a noun with の (机の上, "on the desk"), which descriptions never modify
RELATIONAL_NOUNS = PLACE_NOUNS | _split_words(
    "横 側 脇 わき そば 傍 傍ら 周り 回り 周囲 まわり 手前 奥 端 隅 角 真ん中 中央 途中 先 向こう 向こう側 裏 表 内側 外側 下側 上側 左側 右側 両側 両脇 付近 周辺 そこ うえ した なか まえ うしろ となり 隙間 正面 背後 後方 前方 一角 淵 縁 際 ふち へり 片隅 間際"
)


# causes of events: 台風で倒れる ("fall because of a typhoon")
CAUSE_NOUNS = _split_words("影響 せい おかげ 風 強風 雨 大雨 雪 大雪 台風 地震 津波 事故 火事 火災 衝撃 重み 熱 寒さ 暑さ")
# verbs for actions of people and animals, never with a thing as implicit subject
PERSONAL_VERBS = _split_words(
    "する 食べる 飲む 見る 読む 書く 着る 着替える 履く 脱ぐ 持つ 買う 撮る 撮影する 作る 明かす 過ごす 聞く 聴く 話す 待つ 楽しむ 遊ぶ 寝る 眠る 歩く 走る 帰る 拍手する 応援する 見学する 料理する"
)
# predicates with が for the object of a feeling: 犬は風呂が大嫌い ("the dog hates baths")
FEELING_WORDS = _split_words("好き 大好き 嫌い 大嫌い 苦手 得意 上手 下手 欲しい ほしい 怖い こわい")
# verbs of depiction
DEPICTION_VERBS = _split_words("描く えがく 写る 映る 写す 映す 撮る 撮影する")

WEATHER_NOUNS = _split_words("雨 雪 風 霧 雷 日 太陽 陽 日差し 嵐")

# verbs for joint actions, and other verbs with と
JOINT_ACTION_VERBS = _split_words(
    "遊ぶ 話す 歩く 結婚する 踊る 戦う 競う 会う 並ぶ つなぐ 暮らす 住む 行く 来る 過ごす 食べる 飲む 見る なる する いう 言う 呼ぶ 書く 思う 比べる 似る 違う"
)

# nouns for pictures, shapes and groups after の: 犬の絵 ("picture of a dog"), 犬の群れ ("pack of dogs")
PICTURE_NOUNS = _split_words(
    "絵 写真 画像 イラスト 絵画 絵巻 版画 浮世絵 油絵 水彩画 作品 スケッチ 映像 模様 柄 形 ぬいぐるみ 人形 置物 像 銅像 マーク ロゴ 群れ 列 看板 標識 模型 飾り 影 姿 シルエット 様子"
)

# attribute classes of a modifier with の: colour, quantity, shape, time, parts of bodies, plants and buildings -------
COLOUR_WORDS = _split_words(
    "赤 青 黄 緑 白 黒 茶 紫 灰 紺 藍 橙 桃 金 銀 朱 赤色 青色 黄色 緑色 白色 黒色 茶色 紫色 灰色 紺色 藍色 橙色 桃色 金色 銀色 朱色 水色 "
    "空色 肌色 黄緑 黄緑色 薄茶色 焦げ茶色 こげ茶色 ピンク ピンク色 オレンジ オレンジ色 ベージュ クリーム色 グレー グリーン ブルー レッド "
    "ブラック ホワイト イエロー ブラウン パープル ゴールド シルバー 白黒 モノクロ カラー 紅白 虹色 透明 緑黄 深緑 真っ赤 真っ白 真っ黒 真っ青 "
    "赤い 青い 黄色い 白い 黒い 茶色い 金髪 茶髪 銀髪 白髪 黒髪"
)
QUANTITY_WORDS = _split_words(
    "たくさん 沢山 大勢 おおぜい 多く 多数 少数 複数 無数 大量 少量 少し 数多く いくつか いくつも 何人か 何匹か 何頭か 何本か 何台か いっぱい 一部 片方 全員 全部 "
    "半分 様々 さまざま いろいろ 色々 たくさん 一対 ペア 一組 二人 一人 ふたり ひとり 1人 2人 １人 ２人 一つ 二つ 三つ 四つ 五つ 数人 数匹 数頭 "
    "数名 数本 数台 数個 数枚 数羽 みんな 全て すべて"
)
COUNTERS = _split_words(
    "人 名 匹 頭 羽 台 個 つ 枚 本 艘 隻 機 皿 杯 組 両 脚 足 着 冊 株 輪 束 切れ 品 軒 棟 箱 袋 缶 対 体 列 種類 丁 艇 尾 点 斤 膳 段 膝 基 面 人組 人前 ホール 切 片"
)
NUMBER_WORDS = _split_words("一 二 三 四 五 六 七 八 九 十 1 2 3 4 5 6 7 8 9 10 １ ２ ３ ４ ５ ６ ７ ８ ９")
MATERIAL_WORDS = _split_words(
    "木 ガラス プラスチック 金属 鉄 アルミ ステンレス 銅 真鍮 石 大理石 レンガ 煉瓦 コンクリート タイル 竹 籐 革 皮 布 紙 ダンボール 段ボール ビニール ゴム 陶器 磁器 粘土 "
    "毛糸 ウール 綿 コットン シルク 絹 レース デニム 毛皮 わら 藁 氷 砂 丸太"
)
SHAPE_WORDS = _split_words(
    "円形 四角 四角形 三角 三角形 丸 楕円 楕円形 長方形 正方形 円筒形 球形 星形 星型 ハート型 ハート形 縦縞 横縞 縞模様 水玉 水玉模様 花柄 チェック柄 迷彩柄 ストライプ ボーダー チェック 縦長 横長 半円 円錐形 縦型 横型 らせん 十字"
)
TIME_WORDS = _split_words(
    "朝 昼 夜 夕方 夕暮れ 夜中 夜間 昼間 早朝 深夜 明け方 午前 午後 今日 昨日 明日 今 現在 昔 春 夏 秋 冬 正午 日没 日中 夜明け 朝方 夕刻 最近 当時 "
    "先週 今週 来週 先月 今月 来月 去年 昨年 今年 来年 今朝 今晩 今夜 昨夜 昨晩 先日 翌日 翌朝 毎日 毎朝 毎晩 週末 連休 夏休み 冬休み 春休み 年末 年始 元日 大晦日 "
    "一昨日 おととい きのう きょう あす あした 先ほど さっき 休日 平日 クリスマス 正月 お正月"
)
PART_NOUNS = _split_words(
    "頭 髪 髪の毛 顔 目 耳 鼻 口 首 肩 腕 手 両手 片手 指 胸 背中 腰 足 脚 両足 尻尾 しっぽ 羽 翼 毛 ひげ 髭 角 牙 爪 舌 歯 肌 坊主頭 スキンヘッド "
    "金髪 茶髪 白髪 黒髪 長髪 短髪 ロングヘア ロングヘアー 葉 葉っぱ 枝 幹 根 実 花 花びら 茎 つぼみ 壁 窓 床 天井 階段 屋根 柱 廊下 ベランダ"
)
BODY_PART_NOUNS = _split_words("頭 髪 髪の毛 顔 目 耳 鼻 口 首 腕 手 指 胸 腰 足 脚 尻尾 しっぽ 羽 翼 毛 ひげ 髭 角 牙 爪")
# nouns that modify another noun together with an adjective: 背の高い人 ("tall person"), 車両の長い電車 ("train with long cars")
DESCRIBED_NOUNS = PART_NOUNS | _split_words(
    "背 背丈 身長 体 身体 胴 丈 袖 裾 襟 柄 幅 色 車両 車体 ボディ 底 縁 蓋 ふた 取っ手 持ち手 つば 枠 角 先 表面 数 量 値段 天気 空 景色 眺め 日差し 光 見晴らし 波 緑 度 奥行き 奥行 年 肩幅 視野 人通り"
)
ADJECTIVAL_NOUNS = _split_words(
    "小型 大型 中型 満員 満開 色とりどり 裸 上半身裸 裸足 新品 本物 木造 大人気 普通 旧式 最新 特別 沢山 一般 木製 日本風 和風 洋風 特大 巨大 無人 別 同じ 逆さ "
    "空っぽ 半熟 熱々 厚切り 薄切り 輪切り 半透明 無地 満席 満タン 山盛り 大盛り 手作り お揃い おそろい 中古 モノクロ びしょ濡れ 食べかけ 飲みかけ 焼きたて 揚げたて できたて"
)
# nouns for containers, which 空の can describe as empty (elsewhere "of the sky")
CONTAINER_NOUNS = _split_words(
    "グラス ワイングラス コップ カップ 皿 お皿 ボウル 瓶 ボトル 缶 箱 ケース 容器 器 かご 鍋 部屋 席 座席 椅子 イス ベンチ 棚 冷蔵庫"
)
# words that modify a verb with or without a particle: manner, order, company
ADVERBIAL_WORDS = _split_words(
    "いつも 久しぶり 急ぎ足 早足 小走り 駆け足 忍び足 大急ぎ 一緒 一斉 同時 交互 次々 互い 別々 順番 まっすぐ 実際 非常 綺麗 一面 一列 何か 全体 こと ため 為 まま 途中 直接 自然 丁寧 無事 全力 仰向け うつ伏せ"
)
SIZE_WORDS = _split_words(
    "大きい 大きな 小さい 小さな 巨大 大型 小型 中型 長い 短い 高い 低い 太い 細い 広い 狭い 厚い 薄い でかい 特大 ミニ 大きめ 小さめ 幅広い 分厚い 細長い 背の高い"
)

_ATTRIBUTE_PATTERN = re.compile(
    r".*(?:色|模様|柄|状|風|裸)|.+(?:型|形)|.{2,}調|.*\d+[時年月日].*|.+時代|[0-9０-９一二三四五六七八九十数]+[歳才]"
)
# names of things with the ending of an attribute
_THINGS_LIKE_ATTRIBUTES = re.compile(
    ".*(?:台風|屏風|人形|模型|景色|音色|顔色|特色|年賀状|招待状|賞状|表彰状|礼状)|[強暴突熱寒北南東西春秋海潮夜微]?風|人柄|事柄|髪型|図形|地形|原形"
)


def is_attribute(word: str) -> bool:
    """Return whether the class of a word makes it a description in "word の noun"."""
    if word in _MODIFIER_WORDS:
        return True
    return _ATTRIBUTE_PATTERN.fullmatch(word) is not None and _THINGS_LIKE_ATTRIBUTES.fullmatch(word) is None


def is_suffixed(text: str) -> bool:
    """Return whether the suffix of a word makes it a description."""
    return _DESCRIPTIVE_SUFFIX.fullmatch(text) is not None


def is_quantity(word: str) -> bool:
    """Return whether the word is a quantity: a number with its counter, or a quantity word."""
    return word in QUANTITY_WORDS or _QUANTITY_PATTERN.fullmatch(word) is not None


def is_time(word: str) -> bool:
    """Return whether the word denotes a time."""
    return word in TIME_WORDS or _TIME_PATTERN.fullmatch(word) is not None


def is_picture(word: str) -> bool:
    """Return whether the word denotes a picture or another depiction."""
    return word in PICTURE_NOUNS or (len(word) > 1 and word.endswith(("画", "絵", "図", "写真", "屏風", "絵巻")))


def is_animate(word: str) -> bool:
    """Return whether the word denotes people or animals."""
    person = word.removesuffix("たち").removesuffix("達").removesuffix("さん") or word
    return word in ANIMATE_NOUNS or person in ANIMATE_NOUNS or (len(person) > 1 and person.endswith(_ANIMATE_SUFFIXES))


_DESCRIPTIVE_SUFFIX = re.compile(
    r".+(?:敷き|建て|掛け|編成|かけ|乗り|連れ|入り|専用|っぽい|付き|つき|製|仕立て|仕様|張り|塗り|編み|織り|染め|縁|並み|がかり|がかった|まみれ|だらけ)|.*[0-9０-９]+番.*|.+(?:めの?|いろ)|.{2,}中"
)
_MODIFIER_WORDS = COLOUR_WORDS | SHAPE_WORDS | TIME_WORDS | PART_NOUNS | ADJECTIVAL_NOUNS
_DIGITS_PATTERN = "[0-9０-９一二三四五六七八九十百千万億数何両](?:[、，,〜～~-]?[0-9０-９一二三四五六七八九十百千万億])*"
_QUANTITY_PATTERN = re.compile(
    f"(?:約|およそ)?{_DIGITS_PATTERN}(?:{'|'.join(map(re.escape, sorted(COUNTERS, key=len, reverse=True)))})(?:ほど|くらい|ずつ|以上|か)?"
)
_TIME_PATTERN = re.compile(
    f"(?:[先今来翌毎昨][週月年朝晩夜春夏秋冬]|週|月|年|学期)(?:末|頃|ごろ)|[月火水木金土日]曜日?|[来昨翌][春夏秋冬]|(?:午前|午後)?{_DIGITS_PATTERN}(?:時|年|月|日|分|時間)(?:半|頃|ごろ)?.*"
)

_ANIMATE_SUFFIXES = tuple(
    "人 者 員 選手 客 犬 猫 鳥 師 婦 児 嬢 飼い 将 隊 連れ 兵士 武士 騎士 戦士 消防士 看護士 弁護士 運転士 力士 棋士 ランナー プレーヤー プレイヤー キーパー ダンサー スイマー 学生 高校生 卒業生 旅行生 研究生 実習生 練習生".split()
)

# people and animals: the likely subjects ----------------------------------------------------------------------------
ANIMATE_NOUNS = _split_words(
    "泥棒 犯人 強盗 仲間 相手 人 人々 人間 者 男性 女性 男 女 男の子 女の子 少年 少女 子供 子ども 赤ちゃん 赤ん坊 幼児 男児 女児 親子 家族 夫婦 カップル 大人 若者 老人 男女 "
    "おじいさん おばあさん おじいちゃん おばあちゃん お兄さん お姉さん 祖父 祖母 父 母 兄 姉 弟 妹 息子 娘 孫 友達 友人 仲間 同僚 恋人 夫 妻 赤子 "
    "おじさん おばさん お父さん お母さん 父親 母親 選手 打者 バッター 投手 ピッチャー 捕手 キャッチャー 審判 球児 野球選手 テニス選手 サッカー選手 "
    "プレーヤー プレイヤー サーファー スキーヤー スノーボーダー スケーター スケートボーダー ライダー ランナー 観客 店員 店主 警察官 警官 兵士 新兵 将校 軍人 "
    "花嫁 花婿 新郎 新婦 運転手 作業員 学生 生徒 児童 園児 先生 医者 客 乗客 歩行者 通行人 シェフ 料理人 コック 職人 会社員 サラリーマン 騎手 農夫 "
    "ゴールキーパー キーパー フォワード ギタリスト ドラマー サンタクロース サンタ ピエロ レスラー クライマー ハイカー バーテンダー パティシエ アーティスト ミュージシャン 大工 左官 板前 "
    "舞妓 芸妓 武者 落語家 住職 青年 老婆 老夫 中年 高校生 中学生 小学生 大学生 親 両親 兄弟 姉妹 叔父 叔母 社長 役員 監督 市長 首相 大統領 教授 教師 講師 俳優 女優 "
    "ダンサー ピアニスト バレリーナ ボクサー ゴルファー ドライバー パイロット スタッフ ガイド コーチ ウェイター ウェイトレス バリスタ アナウンサー 侍 忍者 武将 僧 尼 王 女王 王子 姫 女神 天使 "
    "神父 牧師 住民 市民 村人 店長 船長 駅長 群衆 観衆 聴衆 巫女 職員 主人 老女 庭師 歌手 農家 画家 作家 旅行者 旅人 双子 老夫婦 歌い手 助手 警官隊 家族連れ カメラマン 消防士 僧侶 外国人 白人 黒人 集団 グループ 団体 一行 チーム 群れ 動物 犬 イヌ いぬ 子犬 猫 ネコ ねこ 子猫 黒猫 白猫 馬 ウマ 牛 ウシ 羊 ヒツジ 象 ゾウ 熊 クマ "
    "白熊 キリン シマウマ 縞馬 鳥 小鳥 水鳥 鴨 カモ カモメ ハト 鳩 白鳥 アヒル フラミンゴ オウム インコ スズメ フクロウ 猿 サル パンダ ライオン トラ 豹 "
    "ウサギ うさぎ 兎 リス ネズミ ハムスター イルカ クジラ アザラシ ラッコ カメ 亀 ウミガメ カエル ヘビ 蛇 鶴 ツル 鷲 鷹 カラス ツバメ 鶏 ニワトリ ひよこ ヒヨコ ガチョウ ダチョウ クジャク "
    "ラクダ ロバ 虎 狼 オオカミ 狐 キツネ 狸 タヌキ 猪 ゴリラ チンパンジー カンガルー アルパカ トナカイ 蝶 蜂 トンボ 金魚 鯉 サメ クラゲ 子馬 子牛 子羊 子象 "
    "ヤギ 鹿 シカ 魚 豚 ペンギン コアラ 家畜 ひつじ うま くま ぞう とり さる うし 主婦 婦人 モデル 警備員 船員 漁師 男子 女子 坊主 紳士"
)

FEMALE_NOUNS = _split_words(
    "母 姉 妹 娘 妻 祖母 おばあさん お姉さん 女性 女 女の子 少女 女児 おばさん お母さん 母親 花嫁 新婦 主婦 婦人 女子 女の人"
)
MALE_NOUNS = _split_words(
    "父 兄 弟 息子 夫 祖父 おじいさん お兄さん 男性 男 男の子 少年 男児 おじさん お父さん 父親 花婿 新郎 男子 坊主 紳士 男の人"
)
PERSON_NOUNS = ANIMATE_NOUNS - _split_words(
    "ウサギ うさぎ 兎 リス ネズミ ハムスター イルカ クジラ アザラシ ラッコ カメ 亀 ウミガメ カエル ヘビ 蛇 鶴 ツル 鷲 鷹 カラス ツバメ 鶏 ニワトリ ひよこ ヒヨコ ガチョウ ダチョウ クジャク "
    "ラクダ ロバ 虎 狼 オオカミ 狐 キツネ 狸 タヌキ 猪 ゴリラ チンパンジー カンガルー アルパカ トナカイ 蝶 蜂 トンボ 金魚 鯉 サメ クラゲ 子馬 子牛 子羊 子象 "
    "動物 犬 イヌ いぬ 子犬 猫 ネコ ねこ 子猫 黒猫 白猫 馬 ウマ 牛 ウシ 羊 ヒツジ 象 ゾウ 熊 クマ 白熊 キリン シマウマ 縞馬 鳥 小鳥 水鳥 鴨 カモ カモメ ハト "
    "鳩 白鳥 アヒル フラミンゴ オウム インコ スズメ フクロウ 猿 サル パンダ ライオン トラ 豹 ヤギ 鹿 シカ 魚 豚 ペンギン コアラ 家畜 ひつじ うま くま ぞう とり "
    "さる うし 群れ"
)

# verbs ---------------------------------------------------------------------------------------------------------------
# verbs whose object may be a noun without a case particle, such as the noun after a clause (焼いたピザ, "baked pizza"), unless it is animate
TRANSITIVE_VERBS = _split_words(
    "する 持つ 着る 見る 食べる かける かぶる 構える さす 乗せる 履く 打つ 出す つける 使う 被る 操作する 差す 切る 飲む 振る 投げる 抱える 入れる 上げる "
    "囲む 伸ばす 引く 揚げる 取る 楽しむ はく 見つめる 開ける 当てる 向ける 積む あげる 作る もつ 挟む くわえる 撮る 付ける 掛ける 組む とる 焼く 読む 握る "
    "背負う 示す 広げる のせる 見せる 載せる 連れる 撮影する 眺める 抱く 立てる 打ち返す 運ぶ 触る 掲げる 咥える 締める 着ける 近づける 指す 突っ込む "
    "キャッチする 覗く 漕ぐ 巻く はめる 食む 磨く 蹴る 下ろす 引っ張る いじる 下げる 塗る 照らす 切り分ける 売る あてる 見上げる みる 飛ばす 観る 洗う "
    "調理する 描く 突き出す かまえる 使用する 挙げる 押す ひく 曲げる 生やす 受け取る つかむ 注ぐ のぞく 掴む 閉じる 装着する 模する 撫でる はさむ むく "
    "丸める 行う 取り出す 運転する 持ち上げる 買う 覗き込む 受ける 販売する 追いかける 担ぐ 施す 振り上げる おこなう 穿く 寄せる 配る 写す 追う とかす "
    "つなぐ 与える 操る たたく かかえる 捨てる 探す 着用する 支える 落とす 集める 放つ 披露する 用いる 表示する こぐ ふる 掃除する 整える 確認する なめる "
    "外す かぶせる 片付ける 押さえる 弾く 流す 回す 差し出す 包む 置く 敷く 書く 盛る 盛り付ける 盛りつける 並べる 飾る 設置する 止める 停める 炒める "
    "煮る 茹でる 蒸す 混ぜる カットする スライスする トッピングする 編む 縫う 植える 積み上げる 積み重ねる 重ねる 吊るす 干す 貼る 結ぶ 折る 割る 詰める "
    "くりぬく 用意する 収納する 展示する 加工する 装飾する ライトアップする 塗装する 改造する 建てる 刈る 剥く 折りたたむ 畳む たたむ まとめる 添える かじる "
    "捕まえる 数える 拾う 拭く 掃く 掘る 売る 渡す 贈る 送る 届ける 教える 習う 学ぶ 聞く 聴く 話す 歌う 踊らせる 奏でる 演奏する 指揮する 待つ 迎える 見送る 見守る 見下ろす "
    "見比べる 眺め渡す のぞき込む 嗅ぐ 飼う 育てる 釣る 狩る 殴る 叩く 突く つつく 引きずる 転がす 倒す 壊す 破る 裂く ちぎる むしる 摘む 収穫する 積み込む "
    "運び入れる 運び出す 乗り回す 履かせる 着せる 食べさせる 飲ませる 温める 冷やす 沸かす 淹れる いれる すくう 掬う 吸う 吐く 吹く 吹き消す 灯す 消す 点ける 洗濯する 乾かす "
    "梳かす 束ねる 結わえる 結う 縛る 解く 脱ぐ 羽織る まとう 纏う 身につける 締め直す 抱きしめる 抱きかかえる 抱っこする おんぶする さする こする 擦る 揉む 押し付ける "
    "引き抜く 抜く はずす 閉める 塞ぐ 覆う おおう 隠す 見つける さがす 選ぶ 比べる 測る 計る 量る 調べる 検査する 修理する 直す 組み立てる 建設する 製作する 作成する 制作する "
    "描き込む 記す 記入する 印刷する 写生する 編集する 操縦する 牽引する 追い越す 追い抜く 横切る 越える 飛び越える 跳び越える くぐる 味わう 頬張る ほおばる かむ 噛む 舐める "
    "こぼす 散らす 撒く まく 飛び散らす 供える 祝う 応援する 指導する 撮影し直す 見学する 観戦する 鑑賞する 観察する 利用する 購入する 注文する 提供する"
)
# verbs with に for the goal of the object, which claim a noun with に even before another verb
HOLDING_VERBS = _split_words("持つ もつ 被る かぶる 着ける つける 巻く 背負う 抱える くわえる はめる 履く 着る さす 差す 構える 掲げる")
PLACEMENT_VERBS = (
    _split_words(
        "置く 入れる 載せる 乗せる のせる 掛ける かける 付ける つける 貼る 書く 盛る 盛り付ける 盛りつける 敷く 積む 立てる 並べる 飾る 当てる あてる 差す さす 巻く 向ける 浮かべる "
        "つなぐ 着ける 被る かぶる はめる 刺す 塗る 取り付ける 設置する 植える 干す 吊るす 描く 止める 停める 挟む くわえる 注ぐ つっこむ 突っ込む 近づける 添える 抱える 持つ もつ 背負う"
    )
    - HOLDING_VERBS
)
# verbs for the place of a thing, or for putting it there
POSITION_VERBS = _split_words("のる 載る 乗る 入る つく 付く はさまる 挟まる 刺さる ささる かかる 掛かる 並ぶ 置く 盛る ある")
# verbs for changes and movements of things
CHANGE_VERBS = _split_words(
    "止まる 停まる 燃える 落ちる 壊れる 割れる 折れる 倒れる 曲がる 濡れる 汚れる 破れる 枯れる 腐る 溶ける とける 凍る 焦げる 焼ける 光る 輝く 揺れる 動く 開く 閉まる 空く 散る "
    "散らかる 積もる たまる 溜まる 錆びる さびる 膨らむ 生える 咲く 実る 熟す 流れる 転がる ころがる 降る 降り積もる 吹く 昇る 上る 浮かぶ 沈む 乾く 飛ぶ 近づく 伸びる 並ぶ 続く"
)
# passive verbs with に for the place or the agent
RESULT_VERBS = _split_words(
    "放牧する 展示する 放置する 収納する 印刷する 固定する 印字する 囲む 覆う おおう 包む 照らす 支える 挟む つなぐ 繋ぐ 据える 据え付ける 備え付ける "
    "閉じ込める 入る 引く 連れる 守る 彩る 染める 塗る 併設する 配置する 駐車する 停車する 植える 建てる 保管する 刻む 彫る "
    "忘れる 置き忘れる 残す 捨てる 脱ぎ捨てる 隠す 生ける 活ける 挿す 敷き詰める 詰める 立てかける ぶら下げる 積み上げる 埋める 供える 収める 掲示する くるむ"
)
# verbs with に for the place or goal of the subject
LOCATIVE_VERBS = _split_words(
    "座る 腰掛ける 腰かける 立つ 佇む たたずむ 並ぶ ならぶ 止まる とまる 停まる 停車する 駐車する 停泊する 乗る のる 載る 寝る 寝そべる 横たわる "
    "寝転ぶ 寝転がる いる ある 住む 集まる 建つ たつ 浮かぶ 浮く 入る はいる 登る 上る 降りる 着く 行く 来る 向かう つく 付く かかる 掛かる 写る 映る "
    "積もる 生える 咲く 広がる 続く 面する 近づく 刺さる ささる 落ちる 倒れる 沈む 残る 隠れる 潜る 浸かる つかる 囲まれる もたれる 寄りかかる 寄り添う "
    "しゃがむ 跨る またがる 泊まる 現れる 立ち並ぶ たまる 溜まる ぶら下がる 群がる 包まれる くるまる 挟まる 収まる 触れる 飛び乗る 飛び込む 置く "
    "差し込む 届く 達する たっする 位置する なる 似る 見える 腰を下ろす"
)
# nouns for sports and other activities with する
SPORT_NOUNS = _split_words(
    "テニス サーフィン スキー スノーボード スノボ スノボー スケートボード スケボー スケート フリスビー サッカー 野球 バスケットボール バスケ バレーボール バレー ゴルフ "
    "ラグビー クリケット ボクシング ゲーム テレビゲーム カヌー ヨガ サイクリング 乗馬 パラセーリング ウィンドサーフィン カイトサーフィン ウェイクボード 凧揚げ 電話 仕事 話 "
    "餌やり 雪合戦 キャッチボール ポーズ 食事 料理 遊び 買い物 日光浴 水浴び 歯磨き 犬ぞり 綱引き"
)
# pronouns that か makes indefinite
INTERROGATIVE_PRONOUNS = _split_words("何 誰 だれ どこ 何処 どれ")
# formal nouns, which mean little without the preceding clause
FORMAL_NOUNS = _split_words("ところ 所 よう 様 もの 物 こと 事 様子 状態 模様 の さま")
# auxiliary verbs after て
SUPPORTING_VERBS = _split_words(
    "いる ある くる いく おく しまう みる もらう くれる あげる やる おる くださる いただく 居る 有る 来る 行く 置く おられる いらっしゃる"
)

_COUNTED_NUMBERS = frozenset(number + counter for number in NUMBER_WORDS for counter in COUNTERS)  # 二匹, 3人
WORDS_BY_CATEGORY = {"Color": COLOUR_WORDS, "Cardinality": QUANTITY_WORDS | NUMBER_WORDS | _COUNTED_NUMBERS, "Size": SIZE_WORDS}
