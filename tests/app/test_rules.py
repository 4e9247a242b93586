"""The Rules page without a browser: every section, why a tuple is missing, edits that hold and edits that do not."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit import html as kit_html
from pages.parts.kit.texts import t
from pages.parts.rules import edit, edits, gold, query, results, tree, tree_link, workspace
from pages.parts.rules.edit import NEW, TEMPLATE, WHOLE
from pages.parts.session import links, settings
from spice_core.cli import main
from spice_core.data.ratings import Rated
from spice_core.errors import InputError, RuleError
from spice_core.evaluation.gold import compare
from spice_core.lang import language
from spice_core.rules import Pattern, text_positions
from spice_core.rules.rule_file import parse_rules
from spice_core.syntax import conllu, tree_edit
from spice_core.syntax.document import Document
from spice_core.workbench.query import search
from tests.app.conftest import choice

pytestmark = pytest.mark.parser
APP = Path(__file__).parents[2] / "app.py"
NASTY = "</script><img src=x onerror=alert(1)> dog"
MISSING = "controlled-subject-object"
REX = "My dog, Rex, is on a sofa."
RATED = (Rated("A red dog.", ("A red dog on a sofa.",), (4.0,)), Rated("A cat.", ("A bus.",), (1.0,)), Rated("A dog.", ("A dog.",), (5.0,)))
SECTIONS = ("trace", "why", "tree", "edit", "query", "parsers", "gold", "book")


def opened(**asked: str) -> AppTest:
    """The page as a link opens it."""
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/2_Rules.py")
    for name, value in asked.items():
        app.query_params[name] = value
    return app.run()


def shown(app: AppTest) -> str:
    """All HTML of the page, the styles left out."""
    assert not app.exception
    return "\n".join(body for block in app.get("html") if not (body := block.proto.body).startswith("<style"))


def alerts(app: AppTest) -> list[str]:
    blocks = re.findall(r'role="alert">(.*?)</div>', shown(app), re.S)
    return [html.unescape(text) for block in blocks for text in re.findall("<p>(.*?)</p>", block, re.S)]


def statuses(app: AppTest) -> list[str]:
    blocks = re.findall(r'role="status">(.*?)</div>', shown(app), re.S)
    return [html.unescape(text) for block in blocks for text in re.findall("<p>(.*?)</p>", block, re.S)]


def editor(app: AppTest, choice: int | str) -> AppTest:
    """Choose a rule to edit."""
    return app.selectbox(key="rules.which.en.caption").set_value(choice).run()


def apply(app: AppTest, text: str) -> AppTest:
    """Type a text for the chosen rule and press Apply."""
    next(area for area in app.text_area if area.key.startswith("rules.text.")).set_value(text)
    return app.button(key="rules.apply").click().run()


def gold_f1(app: AppTest) -> list[str]:
    return re.findall(r"<b[^>]*>(\d\.\d{3})</b>", re.search(r'<p class="sc-goldf1">.*?</p>', shown(app))[0])


@pytest.mark.parametrize("interface", ["en", "ja"])
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_opens(section, lang, interface):
    app = opened(section=section, lang=lang, ui=interface)
    assert t(f"sections.{section}_help", language=interface) in shown(app) and not alerts(app)


@pytest.mark.parametrize("section", SECTIONS)
def test_markup_is_text(section):
    page = shown(opened(section=section, caption=NASTY))
    assert "<img" not in page and "</script>" not in page


def test_the_stages_can_be_walked():
    app, seen = opened(), []
    while not seen or not app.button(key="rules.next").disabled:
        app = app.button(key="rules.next").click().run() if seen else app
        seen.append(app.selectbox(key="rules.stage").value)
    assert seen == list(range(len(seen))) and len(seen) >= 6
    assert "man – ride – wave" in shown(app)
    assert app.button(key="rules.back").click().run().selectbox(key="rules.stage").value == len(seen) - 2


def test_a_rule_that_is_switched_off_is_found_and_switched_on():
    app = opened(section="edit", off=MISSING, words="0.2-7")
    before, after = gold_f1(app)
    assert float(after) < float(before)
    app = app.segmented_control(key="rules.section").set_value("why").run()
    assert t("why.off", rule=MISSING) in shown(app) and "man – ride – wave" in shown(app)
    app = app.button(key=f"rules.on.{MISSING}").click().run()
    assert t("why.made", a="man", b="wave") in shown(app)
    assert len(set(gold_f1(app.segmented_control(key="rules.section").set_value("edit").run()))) == 1
    assert "off" not in app.query_params


def test_pills_switch_rules():
    app = opened(section="edit")
    force = app.button_group(key="rules.force.en.caption")
    app = force.set_value([name for name in force.value if name != "noun"]).run()
    assert app.query_params["off"] == "noun" and len(set(gold_f1(app))) == 2


BAD = [
    (TEMPLATE.replace(">appos", ">>appos"), "line 4, column 33"),
    (TEMPLATE.replace("near_miss.caption", "#"), "near_miss: expected the fields"),
    (TEMPLATE.replace('name = "apposition"', 'name = "noun"'), "is defined twice"),
    (TEMPLATE.replace('"apposition"', "apposition"), "at line 2, column 8"),
    ("", "expected one: [[rule]]"),
    (TEMPLATE.replace("{tag:/NN.*/}=thing >appos", "{}=a .. ({}=b .. ({}=c .. ({}=d .. {}=e))) >appos"), "expected a name of the pattern"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=[b[1] for b in BAD])
def test_bad_text_is_said_and_the_old_rules_stay(text, said):
    app = apply(editor(opened(section="edit"), NEW), text)
    assert said in alerts(app)[0] and alerts(app)[1] == t("edit.in_force")
    assert len(set(gold_f1(app))) == 1 and settings.OWN not in app.session_state


@pytest.mark.parametrize(("head", "said"), [('steps = ["no such"]', "enhancement step"), ('scheme = "twice"', "scheme: found 'twice'")])
def test_bad_settings_of_a_file_are_said(head, said):
    app = apply(editor(opened(section="edit"), WHOLE), f"{head}\n{TEMPLATE}")
    assert said in alerts(app)[0] and alerts(app)[1] == t("edit.in_force")


def test_a_rule_that_takes_too_long_ends_within_a_bound():
    slow = TEMPLATE.replace("{tag:/NN.*/}=thing >appos {tag:/NN.*/}=name", "{}=thing .. ({} .. ({} .. ({} .. ({} .. ({} .. {}=name)))))")
    app = apply(editor(opened(section="edit"), NEW), slow)
    assert "takes more than" in alerts(app)[0] and "steps" in alerts(app)[0]
    assert settings.OWN not in app.session_state


def test_a_rule_added_here_scores_in_inspect_and_on_the_command_line(tmp_path, capsys):
    app = apply(editor(opened(section="edit", caption=REX), NEW), TEMPLATE)
    assert not alerts(app) and "dog: rex" in shown(app)
    text = app.session_state[settings.OWN]["en"]["caption-edited"]
    file = tmp_path / "caption-edited.toml"
    file.write_text(text, encoding="utf-8")
    captions = tmp_path / "captions.txt"
    captions.write_text(REX + "\n", encoding="utf-8")
    assert main.main(["parse", str(captions), "--parser", "caption", "--rules", str(file)]) == 0
    tuples = [tuple(row) for row in json.loads(capsys.readouterr().out)["tuples"]]
    assert ("dog", "rex") in tuples

    app = app.switch_page("app.py").run()
    app.text_area(key="inspect.candidate").set_value(REX)
    app.text_area(key=f"inspect.reference.{app.session_state['inspect.rows'][0]}").set_value(REX)
    app = app.button(key="inspect.score").click().run()
    app = app.selectbox(key="inspect.en.parser").set_value("caption").run()
    plain = app.selectbox(key="inspect.en.rules").set_value("caption").run().session_state["inspect.scored"].result
    mine = app.selectbox(key="inspect.en.rules").set_value("caption-edited").run().session_state["inspect.scored"].result
    assert {t.words for t in mine.candidate_tuples} == set(tuples) and mine.overall.candidate == plain.overall.candidate + 1
    assert "caption-edited-" in mine.signature.rules


def test_minimal_pairs_run_with_the_active_rules():
    app = opened(section="gold")
    assert "Minimal pairs: 151" in shown(app) and "pairs pass" not in shown(app)
    app = app.button(key="rules.pairs").click().run()
    passed = int(re.search(r"(\d+) of 151 pairs pass", shown(app))[1])
    assert not alerts(app) and passed > 100 and "finite verb or noun" in shown(app)
    app = app.button_group(key="rules.section").set_value("edit").run()
    app = app.button_group(key="rules.force.en.caption").set_value([]).run()
    app = app.button_group(key="rules.section").set_value("gold").run()
    assert int(re.search(r"(\d+) of 151 pairs pass", shown(app))[1]) < 20


def test_japanese_pairs_run_as_well():
    app = opened(section="gold", lang="ja")
    app = app.button(key="rules.pairs").click().run()
    passed = int(re.search(r"(\d+) of 112 pairs pass", shown(app))[1])
    assert not alerts(app) and passed >= 101 and "relative clause in ている" in shown(app)


def test_sentences_of_a_japanese_caption_are_read_together():
    caption = "犬が走っている。首輪をつけている。"
    app = opened(section="trace", lang="ja", caption=caption)
    assert not alerts(app) and "つける" in shown(app)
    app = opened(section="why", lang="ja", caption=caption)
    (line,) = choice(app)["lines"]
    assert not alerts(app) and {"犬", "首輪", "つけ"} <= {text for _, text, _ in line}


@pytest.mark.parametrize(("lang", "rules"), [("en", "spice-2016"), ("ja", "jaspice-2023"), ("ja", "ja-ud")])
def test_the_other_rule_sets(lang, rules):
    for section in ("trace", "why", "edit", "book"):
        assert not alerts(opened(section=section, lang=lang, rules=rules))


def test_all_rules_may_be_switched_off():
    app = opened(section="edit")
    app = app.button_group(key="rules.force.en.caption").set_value([]).run()
    assert not alerts(app) and gold_f1(app)[1] == "0.000"
    app = app.segmented_control(key="rules.section").set_value("trace").run()
    while not app.button(key="rules.next").disabled:
        app = app.button(key="rules.next").click().run()
    assert not alerts(app)


@pytest.mark.parametrize("caption", ["", "...", "a " * 400, "犬が走る", "The dog sat. The cat ran."])
def test_strange_captions(caption):
    for section in ("trace", "why", "edit", "gold"):
        assert not alerts(opened(section=section, caption=caption))


def test_labels_are_not_read_as_markdown():
    assert kit_html.plain("a*b_c 名詞") == "a\\*b\\_c 名詞"


def test_an_edited_rule_takes_the_place_of_the_old_one():
    app = editor(opened(section="edit"), 0)
    area = next(area for area in app.text_area if area.key.startswith("rules.text."))
    app = apply(app, area.value.replace("(subject, verb, object)", '(subject, "does", object)'))
    assert not alerts(app) and len(set(gold_f1(app))) == 2
    app = app.button(key="rules.reset").click().run()
    assert len(set(gold_f1(app))) == 1


def test_a_query_finds_groups_and_says_what_is_wrong():
    app = opened(section="query", q="{tag:/NN.*/}=noun >amod {lemma:red}=adjective")
    assert "<u>red</u>" in shown(app)
    app.text_input(key="rules.pattern").set_value("{} >>amod")
    app = app.button(key="rules.search").click().run()
    assert "position 4" in alerts(app)[0] and "^" in app.code[0].value


ENDLESS = [
    ("{word:/(?x)(a+) +c/}", "position 7: found '/(?x)(a+) +c/}', expected a regular expression (no flags"),
    (f"{{word:/{'(' * 200}a{')' * 200}/}}", "expected a regular expression (at most 50 groups"),
    ("{word:/.*.*.*.*.*.*xyz/}", None),
]


@pytest.mark.parametrize(("q", "said"), ENDLESS, ids=["flags", "parentheses", "dots"])
def test_a_link_to_a_query_that_would_never_end_is_answered(q, said):
    app = opened(section="query", q=q)
    if said:
        assert said in alerts(app)[0]
    else:
        assert not alerts(app) and t("query.none") in shown(app)


def test_a_search_in_an_upload_ends_and_says_why():
    row = f"1\t{'a' * 5000}\ta\t_\tNN\t_\t0\troot\t_\t_\n"
    corpus = query.read("a.conllu", row.encode(), workspace.Work("en", "caption", "caption", "A dog"))
    with pytest.raises(RuleError, match="takes too long"):
        search(Pattern("{word:/.*?.*?.*?[xyz]/}"), corpus.enhanced())


def test_two_parsers_are_compared_with_gold():
    page = shown(opened(section="parsers"))
    assert t("parsers.compared", number=len(workspace.gold("en"))) in page and t("parsers.mistakes") in page


def test_a_case_is_kept_and_run():
    app = opened(section="gold")
    assert t("gold.from_rules") in shown(app)
    app = app.button(key="rules.keep_case").click().run()
    assert t("gold.cases", number=1) in shown(app)
    assert t("gold.outcome", passed=1, total=1, f1="1.000") in shown(app)
    (case,) = app.session_state[gold.CASES]["en"].values()
    assert ("man", "ride", "wave") in case.tuples


LOADING = "Two men wearing red hats are seen loading boxes onto the back of a truck."


def test_a_tagging_error_is_blamed_before_the_rules_and_corrected_at_a_click():
    app = opened(section="why", caption=LOADING, words="0.2-9")
    page = shown(app)
    assert t("blame.title") in page and page.index(t("blame.title")) < page.index(t("why.nearest"))
    before, after = (t("blame.named_tag", name=name, tag=tag) for name, tag in (("adjective", "JJ"), ("verb in -ing", "VBG")))
    assert t("blame.tag", word="loading", before=before, after=after, rules=MISSING) in page
    app = app.button(key="rules.take.0").click().run()
    assert t("why.made", a="men", b="boxes") in shown(app) and t("rules.corrected") in shown(app)
    app = app.segmented_control(key="rules.section").set_value("tree").run()
    assert "man – load – box" in shown(app)
    app = app.button(key="rules.tree.undo").click().run()
    assert "man – load – box" not in shown(app) and app.button(key="rules.tree.restore").disabled


def test_a_right_parse_is_not_blamed():
    app = opened(section="why", caption="A dog, a poodle, on a sofa.", words="0.2-5")
    assert t("blame.title") not in shown(app) and t("why.nearest") in shown(app)


def test_a_rule_that_is_switched_off_is_said_alone():
    assert t("blame.title") not in shown(opened(section="why", off=MISSING, words="0.2-7"))


def test_a_corrected_tree_changes_the_tuples_without_a_parse(monkeypatch):
    app = opened(section="tree", caption=LOADING)
    assert "man – load – box" not in shown(app)
    work = workspace.Work("en", "caption", "caption", LOADING)
    app.session_state[workspace.TREES] = {("en", "caption", LOADING): (corrected(work),)}
    monkeypatch.setattr(type(work.pack.parser("caption")), "parse", None)
    assert "man – load – box" in shown(app.run())
    for section in ("trace", "why", "gold"):
        assert not alerts(app.segmented_control(key="rules.section").set_value(section).run())


def corrected(work: workspace.Work) -> Document:
    """The tree in which men load boxes."""
    (sentence,) = workspace.analysed(work.caption, work.lang, work.parser).sentences
    table = list(tree_edit.rows(sentence))
    table[7], table[8] = tree_edit.Row("load", "VBG", 7, "xcomp"), table[8]._replace(head=8)
    return tree_edit.with_sentence(work.parsed, 0, tree_edit.edited(sentence, table, tree_edit.Labels(work.pack.tags, tree_edit.RELATIONS)))


def test_a_corrected_tree_survives_a_copied_link():
    app = opened(section="tree", caption=LOADING)
    app.session_state[workspace.TREES] = {("en", "caption", LOADING): (corrected(workspace.Work("en", "caption", "caption", LOADING)),)}
    link = app.run().query_params
    assert link["tree"]
    again = opened(**link)
    assert again.session_state[workspace.TREES] == app.session_state[workspace.TREES]
    assert "man – load – box" in shown(again) and not alerts(again)
    assert "tree" not in again.button(key="rules.tree.restore").click().run().query_params


ROW = ["load", "VBG", 7, "xcomp"]
CORRECTIONS = {
    "no text": "x",
    "list": links.packed([1]),
    "no rows": links.packed({"0": 3}),
    "no word": links.packed({"0": {"99": ROW}}),
    "no sentence": links.packed({"-1": {"0": ROW}}),
    "half a row": links.packed({"0": {"1": ROW[:3]}}),
    "no head": links.packed({"0": {"1": ["man", "NN", True, "nsubj"]}}),
    "own head": links.packed({"0": {"1": ["man", "NN", 2, "nsubj"]}}),
    "no tag": links.packed({"0": {"1": ["man", "<b>", 3, "nsubj"]}}),
    "long": "A" * 5_000,
}


@pytest.mark.parametrize("token", CORRECTIONS.values(), ids=CORRECTIONS)
def test_a_link_whose_tree_cannot_be_opened_says_so(token):
    app = opened(section="tree", caption=LOADING, tree=token)
    assert alerts(app)[0].startswith("The tree of the link was not taken over")
    assert workspace.TREES not in app.session_state and "tree" not in app.query_params


def test_a_tree_that_no_link_can_hold():
    work = workspace.Work("en", "caption", "caption", LOADING)
    before, now = workspace.analysed(LOADING, "en", "caption"), corrected(work)
    shorter = replace(now, sentences=(replace(now.sentences[0], tokens=now.sentences[0].tokens[:-1]),))
    packed = [tree_link.packed(document, before, tree.labels(work)) for document in (before, now, shorter)]
    assert packed[0] == "" and packed[1] and packed[2] is None


def test_a_corrected_tree_is_kept_and_run_on_the_command_line(tmp_path, capsys):
    app = opened(section="tree", caption=LOADING)
    work = workspace.Work("en", "caption", "caption", LOADING)
    app.session_state[workspace.TREES] = {("en", "caption", LOADING): (corrected(work),)}
    app = app.run().button(key="rules.tree.keep").click().run()
    assert t("tree.cases", number=1) in shown(app)
    app = app.button(key="rules.tree.restore").click().run()
    app = app.segmented_control(key="rules.section").set_value("gold").run()
    assert t("gold.outcome", passed=1, total=1, f1="1.000") in shown(app)
    (case,) = app.session_state[gold.CASES]["en"].values()
    file = tmp_path / "cases.conllu"
    file.write_text(gold.write_trees([case]), encoding="utf-8")
    assert main.main(["gold", str(file), "--parser", "caption", "--rules", "caption"]) == 0
    assert "1 captions, 0 differ" in capsys.readouterr().out
    app = app.button(key="rules.clear").click().run()
    app = app.file_uploader[0].set_value(("cases.conllu", file.read_bytes(), "text/plain")).run()
    assert t("gold.outcome", passed=1, total=1, f1="1.000") in shown(app)


def test_a_case_is_a_regression_test_on_the_command_line(tmp_path, capsys):
    (case,) = opened(section="gold").button(key="rules.keep_case").click().run().session_state[gold.CASES]["en"].values()
    file = tmp_path / "gold.jsonl"
    file.write_text(gold.write_gold([case]), encoding="utf-8")
    assert main.main(["gold", str(file), "--parser", "caption", "--rules", "caption"]) == 0
    assert "1 captions, 0 differ" in capsys.readouterr().out


ROWS = [
    ([["dog", "", ""], ["", "", ""]], {("dog",)}),
    ([["dog", "on", "sofa"]], {("dog",), ("sofa",), ("dog", "on", "sofa")}),
    ([[" dog ", "red", ""]], {("dog",), ("dog", "red")}),
]


@pytest.mark.parametrize(("rows", "tuples"), ROWS)
def test_tuples_of_the_editor(rows, tuples):
    assert gold.written(rows) == tuples


@pytest.mark.parametrize("row", [["", "red", ""], ["dog", "", "sofa"]])
def test_a_gap_in_a_row_is_said(row):
    with pytest.raises(InputError, match="row 2"):
        gold.written([["dog", "", ""], row])


UPLOADS = [("a.txt", b"", "an empty file"), ("a.txt", b"\xff\xfe", "text in UTF-8"), ("a.conllu", b"1\tdog\n", "ten columns")]


@pytest.mark.parametrize(("name", "raw", "said"), UPLOADS)
def test_uploads_are_checked(name, raw, said):
    with pytest.raises(InputError, match=said):
        query.read(name, raw, workspace.Work("en", "caption", "caption", "A dog"))


def test_only_line_ends_part_the_captions_of_an_upload():
    work = workspace.Work("en", "caption", "caption", "A dog")
    captions = [d.text for d in query.read("a.txt", "a\u2028dog\r\na\x85cat\n".encode(), work).documents]
    assert len(captions) == 2
    row = "1\tdog\u2028s\tdog\t_\tNN\t_\t0\troot\t_\t_\n"
    assert len(query.read("a.conllu", row.encode(), work).documents) == 1


def test_the_bundled_captions_have_no_gold_graphs():
    assert len(workspace.sample("en")) == 500
    assert not {graph.caption for graph in workspace.gold("en")} & set(workspace.sample("en"))
    corpus = workspace.corpus("en", "caption", "gold")
    assert compare(workspace.gold("en"), corpus.parses(corpus.pack.rule_set("caption"))).overall.f1 > 0.85


def test_a_rule_file_is_loaded_or_refused():
    text = workspace.language("en").rules["caption"].read_text(encoding="utf-8")
    app = opened(section="edit")
    app = app.file_uploader[0].set_value(("mine.toml", (text + "\n" + TEMPLATE).encode(), "application/toml")).run()
    assert "apposition" in app.session_state[settings.OWN]["en"]["caption-edited"] and not alerts(app)
    app = app.file_uploader[0].set_value(("bad.toml", b"[[rule]]\nname = ", "application/toml")).run()
    assert "line 2" in alerts(app)[0] and "apposition" in app.session_state[settings.OWN]["en"]["caption-edited"]


def test_cases_are_loaded_or_refused():
    app = opened(section="gold")
    case = b'{"caption": "A dog on a sofa", "tuples": [["dog"], ["dog", "under", "sofa"]]}'
    app = app.file_uploader[0].set_value(("cases.jsonl", case, "application/jsonl")).run()
    assert t("gold.outcome", passed=0, total=1, f1="0.667") in shown(app)
    app = app.file_uploader[0].set_value(("bad.jsonl", b'{"caption": 3}', "application/jsonl")).run()
    assert "bad.jsonl, line 1" in alerts(app)[0]


def test_trees_of_a_file_against_a_parser(tmp_path):
    documents = workspace.corpus("en", "spice-2016", "gold").documents[:5]
    text = "".join(conllu.write(document) for document in documents)
    app = opened(section="parsers")
    app = app.selectbox(key="rules.two.en").set_value("conllu").run()
    assert t("parsers.upload_first") in shown(app)
    app = app.file_uploader[0].set_value(("trees.conllu", text.encode(), "text/plain")).run()
    assert t("parsers.compared", number=5) in shown(app) and not alerts(app)


def test_captions_of_a_file_are_searched():
    app = opened(section="query", q="{tag:/NN.*/}=noun >amod {}=adjective")
    app = app.segmented_control(key="rules.set.en").set_value("own").run()
    app = app.file_uploader[0].set_value(("mine.txt", b"A red dog.\nA cat.\n", "text/plain")).run()
    assert t("query.hits", hits=1, captions=1, of=2) in shown(app)


UNKNOWN = [
    (">appos {tag:/NN.*/}=name", ">apos {tag:/NN.*/}=name", "line 4, column 34", "the label apos; the nearest is appos"),
    ("{tag:/NN.*/}=thing >", "{tag:/NM.*/}=thing >", "line 4, column 19", "the tag /NM.*/; the nearest is NN"),
]


@pytest.mark.parametrize(("old", "new", "place", "said"), UNKNOWN, ids=["label", "tag"])
def test_an_unknown_name_is_warned_of_and_the_rule_is_taken_over(old, new, place, said):
    app = apply(editor(opened(section="edit"), NEW), TEMPLATE.replace(old, new))
    (doubt, fails) = statuses(app)[-2:]
    assert place in doubt and said in doubt and "on its example" in fails
    assert not alerts(app) and "apposition" in app.session_state[settings.OWN]["en"]["caption-edited"]


def test_a_changed_rule_runs_on_its_own_example_and_near_miss():
    app = editor(opened(section="edit", ui="ja"), 0)
    area = next(area for area in app.text_area if area.key.startswith("rules.text."))
    app = apply(app, area.value.replace("(subject, verb, object)", "(object, verb, subject)"))
    assert "期待する結果は(man, ride, horse)です" in statuses(app)[-1]
    app = app.button(key="rules.undo").click().run()
    assert not [text for text in statuses(app) if "期待する結果" in text]


def test_the_caption_becomes_example_or_near_miss():
    app = editor(opened(section="edit", caption="The dog, a poodle, is red."), NEW)
    app = app.button(key="rules.as_near_miss").click().run()
    app.text_input(key="rules.caption.en").set_value("A man holds an umbrella.")
    app = app.button(key="rules.read").click().run()
    app = app.button(key="rules.as_near_miss").click().run()
    area = next(area for area in app.text_area if area.key.startswith("rules.text."))
    (rule,) = parse_rules(area.value, name="x").rules
    assert rule.near_miss.caption == "A man holds an umbrella." and rule.near_miss.graph.tokens[1].lemma == "man"
    app = app.button(key="rules.as_example").click().run()
    assert any("makes no tuple of this caption" in text for text in statuses(app))


def test_edits_are_undone_and_done_again():
    app = opened(section="edit")
    assert app.button(key="rules.undo").disabled and app.button(key="rules.redo").disabled
    app = apply(editor(app, NEW), TEMPLATE)
    app = app.button_group(key="rules.force.en.caption").set_value(["noun"]).run()
    assert app.query_params["off"]
    app = app.button(key="rules.undo").click().run()
    assert "off" not in app.query_params and "edits" in app.query_params
    app = app.button(key="rules.undo").click().run()
    assert "edits" not in app.query_params and settings.OWN in app.session_state
    app = app.button(key="rules.redo").click().run()
    assert "edits" in app.query_params and not app.button(key="rules.undo").disabled


def test_what_differs_from_the_default_rules():
    app = apply(editor(opened(section="edit"), NEW), TEMPLATE)
    app = (
        app.button_group(key="rules.force.en.caption")
        .set_value([name for name in app.button_group(key="rules.force.en.caption").value if name != "noun"])
        .run()
    )
    page = shown(app)
    assert t("edit.added") in page and t("edit.off") in page and "<ins>+name = &quot;apposition&quot;</ins>" in page
    assert [part.label for part in app.expander] == [t("edit.differences", number=2)]


def test_edits_survive_a_copied_link():
    first = apply(editor(opened(section="edit", off=MISSING), NEW), TEMPLATE)
    app = opened(**first.query_params)
    assert app.session_state[settings.OWN]["en"] == first.session_state[settings.OWN]["en"]
    assert not alerts(app) and MISSING in app.query_params["off"]


BASE = language("en").rules["caption"].read_text(encoding="utf-8")
MANY = {
    "every rule": BASE.replace("yields = ", "# as before\nyields = "),
    "settings": BASE.replace('phrase = "compound:prt"', 'phrase = "prt"'),
    "order": text_positions.added(text_positions.without(BASE, [0]), text_positions.piece(BASE, 0)),
    "thirty new rules": BASE + "".join(f"\n{TEMPLATE.replace('apposition', f'apposition-{n}')}" for n in range(30)),
}


@pytest.mark.parametrize("name", MANY)
def test_many_edits_fit_into_a_link(name):
    default, draft = workspace.Draft("caption", BASE), workspace.Draft("caption", MANY[name])
    token = edits.packed(draft, default)
    assert draft.text != BASE and token and len(token) <= links.LONGEST
    assert edits.unpacked(token, default).rstrip() == draft.text.rstrip()


def test_a_link_with_a_whole_file_opens_only_with_the_same_default_rules():
    token = edits.packed(workspace.Draft("caption", MANY["settings"]), workspace.Draft("caption", BASE))
    assert token.startswith(edits.PACKED_FILE)
    with pytest.raises(InputError, match="packed edits"):
        edits.unpacked(token, workspace.Draft("caption", BASE.replace("subject", "agent")))
    app = opened(section="edit", edits=token)
    assert not alerts(app) and 'phrase = "prt"' in app.session_state[settings.OWN]["en"]["caption-edited"]


SLOW = TEMPLATE.replace("{tag:/NN.*/}=thing >appos {tag:/NN.*/}=name", "{}=thing .. ({} .. ({} .. ({} .. ({} .. ({} .. {}=name)))))")
PACKED = [
    "x", "A" * 5_000, links.packed([1]), links.packed({"rules": {"a": 3}, "gone": []}), links.packed({"rules": {"noun": "[[rule]]"}, "gone": []}),
    links.packed({"rules": {"x": SLOW}, "gone": []}), ".x", links.packed([1], BASE), "." + links.packed({"file": 3}, BASE),
    "." + links.packed({"file": "[[rule]]"}, BASE), "." + links.packed({"file": "#" * 200_000}, BASE),
]  # fmt: skip
NAMES = ["no text", "long", "list", "number", "no rule", "slow", "no file", "unmarked", "number for a file", "no rule in a file", "large"]


@pytest.mark.parametrize("token", PACKED, ids=NAMES)
def test_a_link_whose_edits_cannot_be_opened_says_so(token):
    app = opened(section="edit", edits=token)
    assert alerts(app)[0].startswith("The edits of the link were not taken over") and settings.OWN not in app.session_state


def test_a_link_of_a_newer_version_names_it():
    token = links.packed({"version": "9.0.0", "rules": {"x": TEMPLATE.replace("yields", "weight")}, "gone": []})
    assert "written by spice_core 9.0.0" in alerts(opened(section="edit", edits=token))[0]


def test_a_saved_rule_set_opens_on_the_command_line_and_back(tmp_path, capsys):
    app = apply(editor(opened(section="edit", caption=REX), NEW), TEMPLATE)
    work = workspace.Work("en", "caption", "caption", REX)
    draft = app.session_state[workspace.DRAFTS]["en", "caption"]
    file = tmp_path / "mine.toml"
    file.write_text(draft.saved, encoding="utf-8")
    captions = tmp_path / "captions.txt"
    captions.write_text(f"{REX}\nA man is seen riding a wave.\n", encoding="utf-8")
    assert main.main(["parse", str(captions), "--parser", "caption", "--rules", str(file)]) == 0
    printed = [json.loads(line)["tuples"] for line in capsys.readouterr().out.splitlines()]
    again = opened(section="edit", caption=REX)
    again = again.file_uploader[0].set_value(("mine.toml", file.read_bytes(), "application/toml")).run()
    assert again.session_state[workspace.DRAFTS]["en", "caption"] == draft and not alerts(again)
    for caption, tuples in zip(captions.read_text(encoding="utf-8").splitlines(), printed, strict=True):
        document = workspace.analysed(caption, "en", "caption")
        parse = workspace.applied(work.pack, draft.rules, document, caption)
        assert {p.words for p in parse.propositions} <= {tuple(words) for words in tuples} and tuples


VERSIONS = [('version = "0.1.0"\n', "spice_core 0.1.0"), ("", "before 0.2.0"), ('version = "99.0.0"\n', "spice_core 99.0.0")]


@pytest.mark.parametrize(("head", "said"), VERSIONS)
def test_a_rule_file_of_another_version_is_named(head, said):
    text = workspace.language("en").rules["caption"].read_text(encoding="utf-8")
    app = opened(section="edit")
    app = app.file_uploader[0].set_value(("mine.toml", f"{head}{text}\n{TEMPLATE}".encode(), "application/toml")).run()
    assert any(said in text for text in statuses(app)) and not alerts(app)


def test_names_are_looked_up():
    app = opened(section="edit")
    app = app.selectbox(key="rules.name.en").set_value(("relation", "amod")).run()
    assert app.code[0].value == ">amod" and "<u>" in shown(app) and "amod</b>" in shown(app)


def test_tuples_gained_and_lost_stand_with_their_words():
    page = shown(opened(section="edit", off="adjective"))
    assert t("effect.drawn", shown=20, number=0).partition(" of ")[0] in page and "<b><u>" in page
    assert "captions compared in" in page


def test_an_edit_is_compared_with_the_one_before():
    app = opened(section="edit", off="adjective")
    app = (
        app.button_group(key="rules.force.en.caption")
        .set_value([name for name in app.button_group(key="rules.force.en.caption").value if name != "noun"])
        .run()
    )
    against_default = gold_f1(app)
    app = app.segmented_control(key="rules.against").set_value("last").run()
    assert gold_f1(app)[0] < against_default[0] and gold_f1(app)[1] == against_default[1]


def test_more_captions_and_the_ratings_on_demand(monkeypatch):
    monkeypatch.setattr(workspace, "more", lambda lang: tuple(c for item in RATED for c in (item.candidate, *item.references)))
    monkeypatch.setattr(workspace, "rated", lambda lang: RATED)
    workspace.corpus.clear("en", "caption", "rated")
    app = opened(section="edit", off="adjective")
    first = t("effect.on_ratings", number=3, all=3)
    assert first in shown(app) and t("effect.rescored", number=1) in shown(app)
    app = app.button(key="rules.read_more").click().run()
    page = shown(app)
    assert first not in page and "tau-c" in page and t("effect.rescored", number=1) in page
    workspace.corpus.clear("en", "caption", "rated")
    workspace._chunks.clear()
    workspace._more_corpus.clear()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_ratings_are_among_what_an_edit_shows(lang):
    page = shown(opened(section="edit", lang=lang))
    assert t("effect.on_ratings", number=workspace.MOST_RATED, all=300) in page and t("effect.rescored", number=0) in page


def test_an_edit_is_drawn_once(monkeypatch):
    drawn, compared = [], []
    on_sets, whole = edit.effect.on_sets, results.compare
    monkeypatch.setattr(edit.effect, "on_sets", lambda work: (drawn.append(work), on_sets(work)))
    monkeypatch.setattr(results, "compare", lambda *sides: (compared.append(sides), whole(*sides))[1])
    app = opened(section="edit")
    del drawn[:], compared[:]
    text = next(area.value for area in app.text_area if area.key.startswith("rules.text."))
    app = apply(app, text.replace("{lemma:!be}", "{lemma:!/be|zebra/}"))
    assert not alerts(app) and app.session_state[settings.OWN]
    assert (len(drawn), len(compared)) == (1, 1)


READ = [("{tag:/NN.*/}=noun >amod {lemma:red}", "noun with adjective “red”", "形容詞「red」を持つ名詞"),
        ("{tag:/V.*/}=v >nsubj {}=s !>obj {}", "verb with subject, without object", "主語を持ち、目的語を持たない動詞"),
        ("{tag:/NN.*/}=a >obl:on {}=b", "noun with phrase with a preposition “on”", "前置詞や助詞を伴う語句「on」を持つ名詞")]  # fmt: skip


@pytest.mark.parametrize(("q", "english", "japanese"), READ)
def test_a_query_is_read_aloud(q, english, japanese):
    assert t("query.aloud", pattern=english) in shown(opened(section="query", q=q))
    assert t("query.aloud", pattern=japanese, language="ja") in shown(opened(section="query", q=q, ui="ja"))


def test_the_address_has_the_whole_query():
    asked = {"q": "{tag:/NN.*/}=noun >amod {}=adjective", "set": "gold", "group": "adjective", "by": "tag", "only": "JJ", "graph": "basic"}
    app = opened(section="query", **asked)
    (heading,) = re.findall(r"\d+ hits in \d+ of 160 captions", shown(app))
    assert {name: app.query_params[name] for name in asked if name != "q"} == {name: asked[name] for name in asked if name != "q"}
    again = opened(**app.query_params)
    assert heading in shown(again) and again.selectbox(key="rules.by").value == "tag"
    app = app.segmented_control(key="rules.section").set_value("trace").run()
    assert not set(asked) & set(app.query_params)


def test_groups_are_drawn_with_their_counts():
    app = opened(section="query", q="{tag:/NN.*/}=noun >amod {}=adjective", group="adjective")
    (chart,) = (json.loads(chart.proto.spec) for chart in app.get("plotly_chart"))
    assert "white" in "".join(chart["layout"]["yaxis"]["ticktext"])


@pytest.mark.parametrize(("asked", "stage"), [("3", 2), ("999", None), ("0", 0), ("x", 0), ("²", 0)])
def test_the_stage_is_in_the_address(asked, stage):
    app = opened(stage=asked)
    assert app.selectbox(key="rules.stage").value == (stage if stage is not None else len(app.selectbox(key="rules.stage").options) - 1)
    assert int(app.query_params.get("stage", 1)) == app.selectbox(key="rules.stage").value + 1
