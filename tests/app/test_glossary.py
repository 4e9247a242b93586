"""Test that Japanese terms are consistent: no catalogue text or Japanese document contains a term that the glossary replaces."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CATALOGUES = (
    *sorted((ROOT / "assets" / "words" / "ja").glob("*.toml")),
    ROOT / "assets" / "words" / "rules.ja.toml",
    ROOT / "spice_core" / "draw" / "texts" / "ja.toml",
    ROOT / "spice_core" / "messages" / "ja.toml",
)
DOCUMENTS = (ROOT / "README.ja.md", ROOT / "docs" / "japanese.md")
# Patterns that no text may contain, with the preferred forms.
GLOSSARY = {
    r"95 ?%区間|パーセンタイル区間": "95%信頼区間",
    r"\d %": "4%, without a space",
    r"(?<![一二三四五六七八九十唯統同第画万均])[一二三四五六七八九](つ(?!組|ひとつ)|文(?!字)|語|組目|種類|人用|番目)": "arabic numerals",
    r"(?<![\w.])\.\d": "0.9, with the zero",
    r"\d{4,}回": "1,000回",
    r"仮の主語|代わりの記号|主語の代替|不明な主語": "省略された主語（φ）",
    r"(以前|現在|公式実装|つ|別)の構文解析(?!器|の)|構文解析(の木|の代わり|と辞書|の比較|を選)": "構文解析器, the tool",
    r"\d件中\d件.*タプル|件中[^。]*件のタプル|タプル\{[^}]*\}件": "タプルは個で数える",
    r"言葉で表した|語で表したグラフ": "グラフのテキスト表示",
    r"は同じ語です": "相手側にも「…」があります",
    r"^発表$|消灯": "発表モード; 画面を暗くする",
    r"(?<!係り受け)木(の修正|を修正|を手で)": "係り受け木",
    r"前置詞や助詞を伴う": "連体修飾語, 連用修飾語",
    r"描写": "名詞修飾, 修飾語",
    r"正解グラフ\{[^}]*\}個": "正解…個",
    r"正解セット": "正解グラフ",
    r"ここでは動かない": "この環境では使えない",
    r"の多いタプル": "…になりやすいタプル",
    r"違う値|値が違う": "値の相違",
    r"^キャプションの原因$|^タプルの原因$|一致しなかった原因": "誤りの原因（…別）, 不一致の原因",
    r"言い落とし": "記述漏れ",
    r"結び付きの違い": "係り先の違い",
    r"画像のブートストラップ": "画像単位のブートストラップ",
    r"なし。$": "なし",
    r"スピアマン|ピアソン|ケンドール|コーエン": "Spearman, Pearson, Kendall, Cohen, as in the tables",
    r"選択の場合は": "優劣判定のデータでは",
    r"[がをにで]格": "ガ格, in katakana",
    r"」 (です|ます)|[ぁ-んァ-ヶ一-龠] (?=[ぁ-んァ-ヶ一-龠])": "no space between Japanese words",
    r"代償のない": "スコアが下がらない",
    r"近似例": "適用されない類例",
    r"をもつ|をもち|をもって": "を持つ",
    r"(?<!その)他の(?!人)": "ほかの",
    r"サーバ(?!ー)|ユーザ(?!ー)|フォルダー|ブラウザー": "サーバー, ユーザー, フォルダ, ブラウザ",
    r"\d～|～\d": "〜, the wave dash",
    r"出来る|下さい|(?<![すべ])全て|の為": "できる, ください, すべて, ため",
    r"部分的に一致|^部分的$": "部分一致",
    r"候補の各?組|参照にもない組|正しくない組|^組についての質問|組がなく": "タプル; 組 is a pair",
}


def texts() -> Iterator[tuple[str, str]]:
    """Yield each Japanese text with its place, without format specifications."""
    for path in CATALOGUES:
        for place, text in _iterate_strings(tomllib.loads(path.read_text(encoding="utf-8")), path.stem):
            yield place, re.sub(r":[^}:]*}", "}", text)
    remarks = re.findall(r'"ja": "([^"]*)"', (ROOT / "assets" / "examples.json").read_text(encoding="utf-8"))
    yield from (("examples.json", text) for text in remarks)
    for path in DOCUMENTS:
        prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", path.read_text(encoding="utf-8"), flags=re.S)
        paragraphs = (part for part in prose.split("\n\n") if re.search("[ぁ-ん]", part) and not part.startswith(("|", "*")))
        yield from ((path.name, part) for part in paragraphs)


def _iterate_strings(content: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(content, dict):
        for key, value in content.items():
            if key != "english":
                yield from _iterate_strings(value, f"{place}.{key}")
    elif isinstance(content, str):
        yield place, content


def test_no_text_contains_a_replaced_term():
    known_texts = list(texts())
    violations = [
        (place, preferred_term, text)
        for pattern, preferred_term in GLOSSARY.items()
        for place, text in known_texts
        if re.search(pattern, text)
    ]
    assert violations == []
