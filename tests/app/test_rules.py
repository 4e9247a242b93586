"""Test the Rules page without a browser: every section, why a tuple is missing, and valid and invalid edits."""

import html as html_module
import json
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextArea

from pages.parts.kit import html, texts
from pages.parts.kit.texts import t
from pages.parts.rules import edit_links, gold, query, rule_workspace, tree, word_choice, wording
from pages.parts.rules.edit import FULL_FILE_CHOICE, NEW_RULE_CHOICE, RULE_TEMPLATE
from pages.parts.state import links, settings
from pages.parts.views import component
from spice_core.cli import main
from spice_core.data.ratings import RatedCaption
from spice_core.errors import InputError, RuleError
from spice_core.lang import language
from spice_core.rules import Pattern, text_positions
from spice_core.rules.rule_file import parse_rules, read_tree
from spice_core.syntax import conllu, tree_edit
from spice_core.syntax.document import Document
from spice_core.workbench.corpus import search_captions
from tests.app.conftest import enter_and_score, open_page, page_messages, shown_word_choice

HOSTILE_CAPTION = "</script><img src=x onerror=alert(1)> dog"
MISSING_RULE = "controlled-subject-object"
DOG_CAPTION = "A close up of a dog riding a skate board"
CHOSEN_WORDS = "0.6-7-10"  # dog, riding, board
LOADING_CAPTION = "Two men wearing red hats are seen loading boxes onto the back of a truck."
BUNDLED_RULES = language("en").rules["caption"].read_text(encoding="utf-8")
REX_CAPTION = "My dog, Rex, is on a sofa."
RATED_CAPTIONS = (
    RatedCaption("A red dog.", ("A red dog on a sofa.",), (4.0,)),
    RatedCaption("A cat.", ("A bus.",), (1.0,)),
    RatedCaption("A dog.", ("A dog.",), (5.0,)),
)
SECTIONS = ("trace", "why", "tree", "edit", "inference", "query", "parsers", "gold", "book")


def open_rules(**params: str) -> AppTest:
    return open_page("pages/2_Rules.py", **params)


def open_section(app: AppTest, name: str) -> AppTest:
    return app.segmented_control(key="rules.section").set_value(name).run()


def visible_html(app: AppTest) -> str:
    """Return all HTML of the page except styles."""
    assert not app.exception
    return "\n".join(body for block in app.get("html") if not (body := block.proto.body).startswith("<style"))


def alerts(app: AppTest) -> list[str]:
    return page_messages(app, "alert")


def open_editor(app: AppTest, choice: int | str) -> AppTest:
    return app.selectbox(key="rules.which.en.caption").set_value(choice).run()


def text_area(app: AppTest) -> TextArea:
    return next(area for area in app.text_area if area.key.startswith("rules.text."))


def apply_text(app: AppTest, text: str) -> AppTest:
    text_area(app).set_value(text)
    return app.button(key="rules.apply").click().run()


def disable_rules(app: AppTest, *names: str) -> AppTest:
    """Disable these rules in addition to those disabled before, and return the page."""
    force_group = app.button_group(key="rules.force.en.caption")
    return force_group.set_value([name for name in force_group.value if name not in names]).run()


def edited_rules(app: AppTest) -> str:
    return app.session_state[settings.CUSTOM_RULES]["en"]["caption-edited"]


def upload(app: AppTest, name: str, content: str | bytes) -> AppTest:
    return app.file_uploader[0].set_value((name, content.encode() if isinstance(content, str) else content, "text/plain")).run()


def gold_f1(app: AppTest) -> list[str]:
    return re.findall(r"<b[^>]*>(\d\.\d{3})</b>", re.search(r'<p class="sc-goldf1">.*?</p>', visible_html(app))[0])


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_opens_and_markup_is_text(name):
    assert html.escape_markdown("a*b_c 名詞") == "a\\*b\\_c 名詞"
    for lang, interface, caption in (("ja", "ja", ""), ("en", "en", HOSTILE_CAPTION)):
        app = open_rules(section=name, lang=lang, ui=interface, caption=caption)
        page = visible_html(app)
        assert t(f"sections.{name}_help", language=interface) in page and not alerts(app)
        assert "<img" not in page and "</script>" not in page


def test_all_stages_can_be_visited():
    app, seen_stages = open_rules(section="trace"), []
    while not seen_stages or not app.button(key="rules.next").disabled:
        app = app.button(key="rules.next").click().run() if seen_stages else app
        seen_stages.append(app.selectbox(key="rules.stage").value)
    assert seen_stages == list(range(len(seen_stages))) and len(seen_stages) >= 6
    assert "man – ride – wave" in visible_html(app)
    assert app.button(key="rules.back").click().run().selectbox(key="rules.stage").value == len(seen_stages) - 2


def test_a_disabled_rule_is_found_and_enabled():
    app = open_rules(section="edit", off=MISSING_RULE, words="0.2-7")
    f1_before, f1_after = gold_f1(app)
    assert float(f1_after) < float(f1_before)
    app = open_section(app, "why")
    assert t("why.off", rule=MISSING_RULE) in visible_html(app) and "man – ride – wave" in visible_html(app)
    app = app.button(key=f"rules.on.{MISSING_RULE}").click().run()
    assert t("why.made", a="man", b="wave") in visible_html(app)
    assert len(set(gold_f1(open_section(app, "edit")))) == 1
    assert "off" not in app.query_params


SLOW_RULE = RULE_TEMPLATE.replace(
    "{tag:/NN.*/}=thing >appos {tag:/NN.*/}=name", "{}=thing .. ({} .. ({} .. ({} .. ({} .. ({} .. {}=name)))))"
)
BAD_RULES = [
    (RULE_TEMPLATE.replace(">appos", ">>appos"), "line 4, column 33"),
    (RULE_TEMPLATE.replace("near_miss.caption", "#"), "near_miss: expected the fields"),
    (RULE_TEMPLATE.replace('name = "apposition"', 'name = "noun"'), "is defined twice"),
    (RULE_TEMPLATE.replace('"apposition"', "apposition"), "at line 2, column 8"),
    ("", "expected a single rule: [[rule]]"),
    (SLOW_RULE, "the pattern takes more than"),
    (
        RULE_TEMPLATE.replace("{tag:/NN.*/}=thing >appos", "{}=a .. ({}=b .. ({}=c .. ({}=d .. {}=e))) >appos"),
        "expected a name used in the pattern",
    ),
]


def test_invalid_text_keeps_the_old_rules_and_an_unknown_name_gives_a_warning():
    app = open_editor(open_rules(section="edit"), NEW_RULE_CHOICE)
    for text, problem in BAD_RULES:
        app = apply_text(app, text)
        assert problem in alerts(app)[0] and alerts(app)[1] == t("edit.in_force")
        assert len(set(gold_f1(app))) == 1 and settings.CUSTOM_RULES not in app.session_state
    unknown = [
        (">appos {tag:/NN.*/}=name", ">apos {tag:/NN.*/}=name", "line 4, column 34", "the label apos; the nearest is appos"),
        ("{tag:/NN.*/}=thing >", "{tag:/NM.*/}=thing >", "line 4, column 19", "the tag /NM.*/; the nearest is NN"),
    ]
    for old_text, new_text, place, name in unknown:
        app = apply_text(app, RULE_TEMPLATE.replace(old_text, new_text))
        doubt, error_message = page_messages(app)[-2:]
        assert place in doubt and name in doubt and "on its example" in error_message
        assert not alerts(app) and new_text in edited_rules(app)
    app = open_editor(app, FULL_FILE_CHOICE)
    for head, problem in (('steps = ["no such"]', "enhancement step"), ('scheme = "twice"', "scheme: found 'twice'")):
        app = apply_text(app, f"{head}\n{RULE_TEMPLATE}")
        assert problem in alerts(app)[0] and alerts(app)[1] == t("edit.in_force")


def test_an_edited_step_of_the_file_takes_effect_and_an_invalid_one_keeps_the_old_steps():
    app = open_editor(open_rules(section="edit", caption="A wire mesh fence"), FULL_FILE_CHOICE)
    file = rule_workspace.Workspace("en", "caption", "caption", "").default_draft.text
    line = file[: file.index("=> head >{relation} modifier")].count("\n") + 1
    app = apply_text(app, file.replace("=> head >{relation} modifier", "=> head {relation} modifier"))
    assert f"line {line}, " in alerts(app)[0] and alerts(app)[1] == t("edit.in_force")
    assert "mesh: wire" not in visible_html(app)
    app = apply_text(app, file.replace("=> head >{relation} modifier", "=> part >{relation} modifier"))
    assert not alerts(app) and "mesh: wire" in visible_html(app)


def test_an_added_rule_scores_in_inspect_and_on_the_command_line_and_from_its_file(tmp_path, capsys):
    app = apply_text(open_editor(open_rules(section="edit", caption=REX_CAPTION), NEW_RULE_CHOICE), RULE_TEMPLATE)
    assert not alerts(app) and "dog: rex" in visible_html(app)
    draft = app.session_state["RulesState"].histories["en", "caption"].active
    file, captions = tmp_path / "mine.toml", tmp_path / "captions.txt"
    file.write_text(draft.versioned_file, encoding="utf-8")
    captions.write_text(f"{REX_CAPTION}\nA man is seen riding a wave.\n", encoding="utf-8")
    assert main.main(["parse", str(captions), "--parser", "caption", "--rules", str(file)]) == 0
    printed_tuples = [{tuple(words) for words in json.loads(line)["tuples"]} for line in capsys.readouterr().out.splitlines()]
    assert ("dog", "rex") in printed_tuples[0]
    work = rule_workspace.Workspace("en", "caption", "caption", REX_CAPTION)
    for caption, tuples in zip(captions.read_text(encoding="utf-8").splitlines(), printed_tuples, strict=True):
        parse = rule_workspace.apply_rules(work.pack, draft.rules, rule_workspace.parse_caption(caption, "en", "caption"), caption)
        assert {p.words for p in parse.propositions} <= tuples and tuples
    reopened = upload(open_rules(section="edit", caption=REX_CAPTION), "mine.toml", file.read_bytes())
    assert reopened.session_state["RulesState"].histories["en", "caption"].active == draft and not alerts(reopened)

    app = (
        enter_and_score(app.switch_page("app.py").run(), REX_CAPTION, REX_CAPTION)
        .selectbox(key="inspect.en.parser")
        .set_value("caption")
        .run()
    )
    default_page = app.selectbox(key="inspect.en.rules").set_value("caption").run().session_state["InspectState"].scored.result
    edited_page = app.selectbox(key="inspect.en.rules").set_value("caption-edited").run().session_state["InspectState"].scored.result
    assert {t.words for t in edited_page.candidate_tuples} == printed_tuples[0]
    assert edited_page.overall.candidate == default_page.overall.candidate + 1
    assert "caption-edited-" in edited_page.signature.rules


def test_minimal_pairs_run_with_the_active_rules_and_all_rules_may_be_switched_off():
    app = open_rules(section="gold")
    assert "Minimal pairs: 151" in visible_html(app) and "pairs pass" not in visible_html(app)
    app = app.button(key="rules.pairs").click().run()
    passed_count = int(re.search(r"(\d+) of 151 pairs pass", visible_html(app))[1])
    assert not alerts(app) and passed_count > 100 and "finite verb or noun" in visible_html(app)
    app = open_section(app, "edit").button_group(key="rules.force.en.caption").set_value([]).run()
    assert not alerts(app) and gold_f1(app)[1] == "0.000"
    app = open_section(app, "trace")
    while not app.button(key="rules.next").disabled:
        app = app.button(key="rules.next").click().run()
    assert not alerts(app)
    app = open_section(app, "gold")
    assert int(re.search(r"(\d+) of 151 pairs pass", visible_html(app))[1]) < 20
    app = open_rules(section="gold", lang="ja").button(key="rules.pairs").click().run()
    passed_count = int(re.search(r"(\d+) of 112 pairs pass", visible_html(app))[1])
    assert not alerts(app) and passed_count >= 101 and "relative clause in ている" in visible_html(app)


def test_sections_accept_other_rules_and_unusual_captions():
    for params in (
        {"rules": "spice-2016"}, {"lang": "ja", "rules": "jaspice-2023"}, {"lang": "ja", "rules": "ja-ud"}, {"caption": ""}, {"caption": "..."},
        {"caption": "a " * 400}, {"caption": "犬が走る"}, {"caption": "The dog sat. The cat ran."},
    ):  # fmt: skip
        app = open_rules(section="trace", **params)
        for name in ("why", "edit", "book" if "rules" in params else "gold"):
            assert not alerts(open_section(app, name)), params


def test_an_edited_rule_replaces_the_old_one_and_runs_on_its_example():
    app = open_editor(open_rules(section="edit", ui="ja", lang="en"), 0)
    text_before = text_area(app).value
    app = apply_text(app, text_before.replace("(subject, verb, object)", "(object, verb, subject)"))
    assert "期待する結果は(man, ride, horse)です" in page_messages(app)[-1]
    app = app.button(key="rules.undo").click().run()
    assert not [text for text in page_messages(app) if "期待する結果" in text]
    app = apply_text(app, text_before.replace("(subject, verb, object)", '(subject, "does", object)'))
    assert not alerts(app) and len(set(gold_f1(app))) == 2
    assert len(set(gold_f1(app.button(key="rules.reset").click().run()))) == 1


def test_a_query_groups_hits_and_reports_errors():
    app = open_rules(section="query", q="{tag:/NN.*/}=noun >amod {lemma:red}=adjective", group="adjective")
    assert "<u>red</u>" in visible_html(app)
    app.text_input(key="rules.pattern").set_value("{} >>amod")
    app = app.button(key="rules.search").click().run()
    assert "position 4" in alerts(app)[0] and "^" in app.code[0].value
    app.text_input(key="rules.pattern").set_value("{tag:/NN.*/}=noun >amod {}=adjective")
    app = app.button(key="rules.search").click().run()
    (chart,) = (json.loads(chart.proto.spec) for chart in app.get("plotly_chart"))
    assert "white" in "".join(chart["layout"]["yaxis"]["ticktext"])
    app = app.segmented_control(key="rules.set.en").set_value("own").run()
    assert t("query.hits", hits=1, captions=1, of=2) in visible_html(upload(app, "mine.txt", "A red dog.\nA cat.\n"))


@pytest.mark.parametrize(("name", "section"), [("caption", "trace"), ("q", "query")])
def test_an_overlong_text_in_the_url_is_reported_and_ignored(name, section):
    app = open_rules(section=section, **{name: "{tag:NN} " * 400})
    assert any(f"as “{name}”" in text for text in page_messages(app)) and name not in app.query_params


def test_two_parsers_or_the_trees_of_a_file_are_compared_with_gold():
    app = open_rules(section="parsers")
    assert t("parsers.compared", number=len(rule_workspace.gold_graphs("en"))) in visible_html(app)
    assert t("parsers.mistakes") in visible_html(app)
    app = app.selectbox(key="rules.two.en").set_value("conllu").run()
    assert t("parsers.upload_first") in visible_html(app)
    documents = rule_workspace.parsed_corpus("en", "spice-2016", "gold").documents[:5]
    app = upload(app, "trees.conllu", "".join(conllu.write(document) for document in documents))
    assert t("parsers.compared", number=5) in visible_html(app) and not alerts(app)


def test_a_case_is_stored_and_run_on_the_page_and_by_the_command(tmp_path, capsys):
    app = open_rules(section="gold")
    assert t("gold.from_rules") in visible_html(app)
    app = app.button(key="rules.keep_case").click().run()
    assert t("gold.cases", number=1) in visible_html(app)
    assert t("gold.outcome", passed=1, total=1, f1="1.000") in visible_html(app)
    (case,) = app.session_state["RulesState"].cases["en"].values()
    assert ("man", "ride", "wave") in case.tuples
    file = tmp_path / "gold.jsonl"
    file.write_text(gold.write_gold([case]), encoding="utf-8")
    assert main.main(["gold", str(file), "--parser", "caption", "--rules", "caption"]) == 0
    assert "1 caption, 0 differ" in capsys.readouterr().out
    wrong_case = '{"caption": "A dog on a sofa", "tuples": [["dog"], ["dog", "under", "sofa"]]}'
    app = upload(app.button(key="rules.clear").click().run(), "cases.jsonl", wrong_case)
    assert t("gold.outcome", passed=0, total=1, f1="0.667") in visible_html(app)
    assert "bad.jsonl, line 1" in alerts(upload(app, "bad.jsonl", '{"caption": 3}'))[0]


def test_a_tagging_error_is_blamed_and_corrected_by_a_click_but_a_correct_parse_is_not_blamed():
    app = open_rules(section="why", caption=LOADING_CAPTION, words="0.2-9")
    page = visible_html(app)
    assert t("blame.title") in page and page.index(t("blame.title")) < page.index(t("why.nearest"))
    text_before, text_after = (t("blame.named_tag", name=name, tag=tag) for name, tag in (("adjective", "JJ"), ("verb in -ing", "VBG")))
    assert t("blame.tag", word="loading", before=text_before, after=text_after, rules=MISSING_RULE) in page
    assert not any(button.key == "rules.propose" for button in app.button), "the parse is to blame"
    app = app.button(key="rules.take.0").click().run()
    assert t("why.made", a="men", b="boxes") in visible_html(app) and t("rules.corrected") in visible_html(app)
    app = open_section(app, "tree")
    assert "man – load – box" in visible_html(app)
    app = app.button(key="rules.tree.undo").click().run()
    assert "man – load – box" not in visible_html(app) and app.button(key="rules.tree.restore").disabled
    right_html = visible_html(open_rules(section="why", caption="A dog, a poodle, on a sofa.", words="0.2-5"))
    assert t("blame.title") not in right_html and t("why.nearest") in right_html
    assert t("blame.title") not in visible_html(open_rules(section="why", off=MISSING_RULE, words="0.2-7")), (
        "a rule that is switched off is to blame"
    )


def test_a_corrected_tree_updates_tuples_without_a_parse_and_is_stored_in_links_and_cases(monkeypatch, tmp_path, capsys):
    app = open_rules(section="tree", caption=LOADING_CAPTION)
    assert "man – load – box" not in visible_html(app)
    work = rule_workspace.Workspace("en", "caption", "caption", LOADING_CAPTION)
    app.session_state["RulesState"].corrections = {("en", "caption", LOADING_CAPTION): (correct_tree(work),)}
    with monkeypatch.context() as patch:
        patch.setattr(type(work.pack.parser("caption")), "parse", None)
        assert "man – load – box" in visible_html(app.run())
        for name in ("trace", "why", "gold"):
            assert not alerts(open_section(app, name))
    link = open_section(app, "tree").query_params
    assert link["tree"]
    reopened = open_rules(**link)
    assert reopened.session_state["RulesState"].corrections == app.session_state["RulesState"].corrections
    assert "man – load – box" in visible_html(reopened) and not alerts(reopened)
    assert "tree" not in reopened.button(key="rules.tree.restore").click().run().query_params

    app = app.button(key="rules.tree.keep").click().run()
    assert t("tree.cases", number=1) in visible_html(app)
    app = open_section(app.button(key="rules.tree.restore").click().run(), "gold")
    assert t("gold.outcome", passed=1, total=1, f1="1.000") in visible_html(app)
    (case,) = app.session_state["RulesState"].cases["en"].values()
    file = tmp_path / "cases.conllu"
    file.write_text(gold.write_trees([case]), encoding="utf-8")
    assert main.main(["gold", str(file), "--parser", "caption", "--rules", "caption"]) == 0
    assert "1 caption, 0 differ" in capsys.readouterr().out
    app = upload(app.button(key="rules.clear").click().run(), "cases.conllu", file.read_bytes())
    assert t("gold.outcome", passed=1, total=1, f1="1.000") in visible_html(app)


def correct_tree(work: rule_workspace.Workspace) -> Document:
    """Return the caption's document with the men loading the boxes."""
    (sentence,) = rule_workspace.parse_caption(work.caption, work.lang, work.parser).sentences
    table = list(tree_edit.tree_rows(sentence))
    table[7], table[8] = tree_edit.TreeRow("load", "VBG", 7, "xcomp"), table[8]._replace(head=8)
    return tree_edit.replace_sentence(
        work.caption_document, 0, tree_edit.apply_rows(sentence, table, tree_edit.TreeLabels(work.pack.tags, tree_edit.UNIVERSAL_RELATIONS))
    )


def test_a_tree_in_a_link_is_validated_and_one_that_does_not_fit_is_reported():
    work = rule_workspace.Workspace("en", "caption", "caption", LOADING_CAPTION)
    tree_before = rule_workspace.parse_caption(LOADING_CAPTION, "en", "caption")
    row, token_as_own_head = ["load", "VBG", 7, "xcomp"], links.pack_json({"0": {"1": ["man", "NN", 2, "nsubj"]}})
    for token in (
        "x", "A" * 5_000, links.pack_json([1]), links.pack_json({"0": 3}), links.pack_json({"0": {"99": row}}), links.pack_json({"-1": {"0": row}}),
        links.pack_json({"0": {"1": row[:3]}}), links.pack_json({"0": {"1": ["man", "NN", True, "nsubj"]}}), token_as_own_head,
        links.pack_json({"0": {"1": ["man", "<b>", 3, "nsubj"]}}),
    ):  # fmt: skip
        with pytest.raises(InputError):
            tree.unpack_tree(token, tree_before, tree.tree_labels(work))
    tree_after = correct_tree(work)
    shorter_tree = replace(tree_after, sentences=(replace(tree_after.sentences[0], tokens=tree_after.sentences[0].tokens[:-1]),))
    packed_trees = [tree.pack_tree(document, tree_before, tree.tree_labels(work)) for document in (tree_before, tree_after, shorter_tree)]
    assert packed_trees[0] == "" and packed_trees[1] and packed_trees[2] is None
    app = open_rules(section="tree", caption=LOADING_CAPTION, tree=token_as_own_head)
    assert alerts(app)[0].startswith("The tree in the link was not applied")
    assert not app.session_state["RulesState"].corrections and "tree" not in app.query_params


def test_the_editor_reads_valid_tuples_and_reports_invalid_rows():
    assert gold.read_table([["dog", "", ""], ["", "", ""]]) == {("dog",)}
    assert gold.read_table([["dog", "on", "sofa"]]) == {("dog",), ("sofa",), ("dog", "on", "sofa")}
    assert gold.read_table([[" dog ", "red", ""]]) == {("dog",), ("dog", "red")}
    for row in (["", "red", ""], ["dog", "", "sofa"]):
        with pytest.raises(InputError, match="row 2"):
            gold.read_table([["dog", "", ""], row])


def test_uploads_are_validated_and_split_into_lines_and_searched_within_a_limit():
    work = rule_workspace.Workspace("en", "caption", "caption", "A dog")
    for name, content, problem in (
        ("a.txt", b"", "an empty file"), ("a.txt", b"\xff\xfe", "text in UTF-8"), ("a.conllu", b"1\tdog\n", "ten columns"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=problem):
            query.read_captions(name, content, work)
    assert len(query.read_captions("a.txt", "a\u2028dog\r\na\x85cat\n".encode(), work).documents) == 2
    short_text, long = (
        query.read_captions("a.conllu", f"1\t{word}\ta\t_\tNN\t_\t0\troot\t_\t_\n".encode(), work) for word in ("dog\u2028s", "a" * 5000)
    )
    assert len(short_text.documents) == 1
    with pytest.raises(RuleError, match="takes too long"):
        search_captions(Pattern("{word:/.*?.*?.*?[xyz]/}"), long.enhanced_documents())


def test_a_rule_file_is_loaded_or_refused_and_another_version_is_reported():
    app = open_rules(section="edit")
    for head, version in (('version = "0.1.0"\n', "spice_core 0.1.0"), ("", "before 0.2.0"), ('version = "99.0.0"\n', "spice_core 99.0.0")):
        app = upload(app, "mine.toml", f"{head}{BUNDLED_RULES}\n{RULE_TEMPLATE}")
        assert any(version in text for text in page_messages(app)) and "apposition" in edited_rules(app) and not alerts(app)
    app = upload(app, "bad.toml", "[[rule]]\nname = ")
    assert "line 2" in alerts(app)[0] and "apposition" in edited_rules(app)


def test_the_caption_becomes_example_or_near_miss():
    app = open_editor(open_rules(section="edit", caption="The dog, a poodle, is red."), NEW_RULE_CHOICE)
    app = app.button(key="rules.as_near_miss").click().run()
    app.text_input(key="rules.caption.en").set_value("A man holds an umbrella.")
    app = app.button(key="rules.read").click().run()
    app = app.button(key="rules.as_near_miss").click().run()
    (rule,) = parse_rules(text_area(app).value, name="x").rules
    assert rule.near_miss.caption == "A man holds an umbrella." and rule.near_miss.graph.tokens[1].lemma == "man"
    app = app.button(key="rules.as_example").click().run()
    assert any("yields no tuple from this caption" in text for text in page_messages(app))


def test_edits_are_listed_and_survive_a_copied_link_and_can_be_undone():
    app = open_rules(section="edit")
    assert app.button(key="rules.undo").disabled and app.button(key="rules.redo").disabled
    app = disable_rules(apply_text(open_editor(app, NEW_RULE_CHOICE), RULE_TEMPLATE), "noun")
    page = visible_html(app)
    assert app.query_params["off"] == "noun" and len(set(gold_f1(app))) == 2
    assert t("edit.added") in page and t("edit.off") in page and "<ins>+name = &quot;apposition&quot;</ins>" in page
    assert [part.label for part in app.expander] == [t("edit.differences", number=2)]
    reopened = open_rules(**app.query_params)
    assert reopened.session_state[settings.CUSTOM_RULES]["en"] == app.session_state[settings.CUSTOM_RULES]["en"]
    assert not alerts(reopened) and "noun" in reopened.query_params["off"]
    app = app.button(key="rules.undo").click().run()
    assert "off" not in app.query_params and "edits" in app.query_params
    app = app.button(key="rules.undo").click().run()
    assert "edits" not in app.query_params and settings.CUSTOM_RULES in app.session_state
    app = app.button(key="rules.redo").click().run()
    assert "edits" in app.query_params and not app.button(key="rules.undo").disabled


def test_many_edits_fit_into_a_link_and_a_full_file_needs_the_same_default_rules():
    default = rule_workspace.RuleDraft("caption", BUNDLED_RULES)
    for text in (
        BUNDLED_RULES.replace("yields = ", "# as before\nyields = "),
        text_positions.append_rule(text_positions.remove_rules(BUNDLED_RULES, [0]), text_positions.rule_source(BUNDLED_RULES, 0)),
        BUNDLED_RULES + "".join(f"\n{RULE_TEMPLATE.replace('apposition', f'apposition-{n}')}" for n in range(30)),
        BUNDLED_RULES.replace('phrase = "compound:prt"', 'phrase = "prt"'),
    ):
        token = edit_links.pack_edits(rule_workspace.RuleDraft("caption", text), default)
        assert text != BUNDLED_RULES and token and len(token) <= links.MAX_LINK_CHARS
        assert edit_links.unpack_edits(token, default).rstrip() == text.rstrip()
    assert token.startswith(edit_links.PACKED_FILE_PREFIX)
    for broken in (
        "x", "A" * 5_000, links.pack_json([1]), links.pack_json({"rules": {"a": 3}, "gone": []}), links.pack_json({"rules": {"noun": "[[rule]]"}, "gone": []}),
        ".x", links.pack_json([1], BUNDLED_RULES), "." + links.pack_json({"file": 3}, BUNDLED_RULES), "." + links.pack_json({"file": "[[rule]]"}, BUNDLED_RULES),
        "." + links.pack_json({"file": "#" * 200_000}, BUNDLED_RULES),
    ):  # fmt: skip
        with pytest.raises((InputError, RuleError)):
            edit_links.unpack_edits(broken, default)
    with pytest.raises(InputError, match="packed edits"):
        edit_links.unpack_edits(token, rule_workspace.RuleDraft("caption", BUNDLED_RULES.replace("subject", "agent")))
    app = open_rules(section="edit", edits=token)
    assert not alerts(app) and 'phrase = "prt"' in edited_rules(app)


def test_unreadable_edits_in_a_link_are_reported_with_a_newer_version():
    newer = {"version": "9.0.0", "rules": {"x": RULE_TEMPLATE.replace("yields", "weight")}, "gone": []}
    slow_edits = {"rules": {"x": SLOW_RULE}, "gone": []}
    for token, problem in (("x", ""), (links.pack_json(slow_edits), ""), (links.pack_json(newer), "written by spice_core 9.0.0")):
        app = open_rules(section="edit", edits=token)
        assert alerts(app)[0].startswith("The edits in the link were not applied") and problem in alerts(app)[0]
        assert settings.CUSTOM_RULES not in app.session_state


def test_gained_and_lost_tuples_are_shown_and_an_edit_is_compared_with_the_previous():
    app = open_rules(section="edit", off="adjective")
    page = visible_html(app)
    assert t("effect.drawn", shown=20, number=0).partition(" of ")[0] in page and "<b><u>" in page
    assert "captions compared in" in page
    app = disable_rules(app, "noun")
    against_default = gold_f1(app)
    app = app.segmented_control(key="rules.against").set_value("last").run()
    assert gold_f1(app)[0] < against_default[0] and gold_f1(app)[1] == against_default[1]


def test_more_captions_and_ratings_are_evaluated_on_demand(monkeypatch):
    monkeypatch.setattr(
        rule_workspace, "more_captions", lambda lang: tuple(c for item in RATED_CAPTIONS for c in (item.candidate, *item.references))
    )
    monkeypatch.setattr(rule_workspace, "rated_captions", lambda lang: RATED_CAPTIONS)
    rule_workspace.parsed_corpus.clear("en", "caption", "rated")
    app = open_rules(section="edit", off="adjective")
    first_note = t("effect.on_ratings", number=3, all=3)
    assert first_note in visible_html(app) and t("effect.rescored", number=1) in visible_html(app)
    app = app.button(key="rules.read_more").click().run()
    page = visible_html(app)
    assert first_note not in page and "tau-c" in page and t("effect.rescored", number=1) in page
    rule_workspace.parsed_corpus.clear("en", "caption", "rated")
    rule_workspace._parsed_chunks.clear()
    rule_workspace._on_demand_corpus.clear()


def test_an_edit_shows_its_effect_on_ratings_and_names_can_be_looked_up():
    for lang in ("ja", "en"):
        app = open_rules(section="edit", lang=lang)
        page = visible_html(app)
        assert t("effect.on_ratings", number=rule_workspace.MAX_RATED_CAPTIONS, all=300) in page and t("effect.rescored", number=0) in page
    app = app.selectbox(key="rules.name.en").set_value(("relation", "amod")).run()
    assert app.code[0].value == ">amod" and "<u>" in visible_html(app) and "amod</b>" in visible_html(app)


def test_the_url_contains_the_full_query():
    params = {"q": "{tag:/NN.*/}=noun >amod {}=adjective", "set": "gold", "group": "adjective", "by": "tag", "only": "JJ", "graph": "basic"}
    app = open_rules(section="query", **params)
    (heading,) = re.findall(r"\d+ hits in \d+ of 160 captions", visible_html(app))
    assert {name: app.query_params[name] for name in params if name != "q"} == {name: params[name] for name in params if name != "q"}
    reopened = open_rules(**app.query_params)
    assert heading in visible_html(reopened) and reopened.selectbox(key="rules.by").value == "tag"
    assert not set(params) & set(open_section(app, "trace").query_params)


@pytest.mark.parametrize(("params", "stage"), [("3", 2), ("999", None), ("0", 0), ("x", 0), ("²", 0)])
def test_the_stage_is_in_the_url(params, stage):
    app = open_rules(stage=params)
    assert app.selectbox(key="rules.stage").value == (stage if stage is not None else len(app.selectbox(key="rules.stage").options) - 1)
    assert int(app.query_params.get("stage", 1)) == app.selectbox(key="rules.stage").value + 1


def open_why(app: AppTest, words: str) -> AppTest:
    app.query_params["words"] = words
    return open_section(app, "why")


def test_a_missing_tuple_becomes_a_rule_in_three_clicks():
    app = (
        open_rules(section="why", caption=DOG_CAPTION, words=CHOSEN_WORDS, off="participle-object")
        .button(key="rules.propose")
        .click()
        .run()
    )
    page = visible_html(app)
    assert t("propose.off", rule="participle-object") in page and "22 correct, 3 wrong" in page
    edit = t("propose.edit", before=">nsubj", after=">nsubj:acl")
    assert t("propose.nearest", rule="subject-object", edits=edit).replace(">", "&gt;") in page
    app = app.button(key="rules.proposed.1").click().run()
    assert app.session_state["rules.section"] == "edit" and app.session_state["rules.which.en.caption"] == "new"
    assert f'example.caption = "{DOG_CAPTION}"' in text_area(app).value and '[["dog", "ride", "board"]]' in text_area(app).value
    assert re.search(r'near_miss.caption = ".+"', text_area(app).value) and "Gives (dog, ride, board)" in text_area(app).value
    app = app.button(key="rules.apply").click().run()
    f1_before, f1_after = map(float, gold_f1(app))
    assert not alerts(app) and abs(f1_after - f1_before) <= 0.002
    assert 'name = "participle-object-2"' in text_area(app).value and app.session_state["rules.which.en.caption"] != "new"
    app = app.selectbox(key="rules.which.en.caption").set_value("new").run()
    assert 'name = "apposition"' in text_area(app).value, "a new rule starts from the template again"
    assert t("why.made", a="dog", b="board") in visible_html(open_why(app, CHOSEN_WORDS))


@pytest.mark.parametrize(("ui", "lang", "caption", "words", "expected"), [
    ("en", "en", "A dog that is small on a sofa.", "0.2-8", "dog – on – sofa"),
    ("ja", "en", "A dog that is small on a sofa.", "0.2-8", "dog – on – sofa"),
    ("en", "en", "A man in a red shirt rides a horse.", "0.5-8", ""),
    ("ja", "ja", "赤いシャツの男性が馬に乗っています。", "0.2-6", ""),
])  # fmt: skip
def test_a_proposal_shows_the_tuple_of_this_caption_first_and_a_missing_basis_is_named(ui, lang, caption, words, expected):
    app = open_rules(section="why", ui=ui, lang=lang, caption=caption, words=words).button(key="rules.propose").click().run()
    page, texts_ = visible_html(app), texts.text_catalogue(ui)["propose"]
    assert not alerts(app) and (texts_["none"] in page) is not bool(expected)
    if expected:
        card = page[page.index(texts_["here"]) :]
        assert expected in card[:400] and texts_["no_evidence"][:8] in card


def test_a_wrong_tuple_is_excluded_by_a_condition_that_states_its_cost():
    app = open_rules(section="why", caption="A city with snow and slush filling the ground.", words="0.2-9")
    take_button = next(button for button in app.button if button.key.startswith("rules.exclude."))
    rule = take_button.key.removeprefix("rules.exclude.")
    app = take_button.click().run()
    assert t("exclude.hint", rule=rule) in visible_html(app) and re.search(r"Excludes \d+ wrong and \d+ correct", visible_html(app))
    app = app.button(key=f"rules.exclude.{rule}.0").click().run()
    text = text_area(app).value
    assert f'name = "{rule}"' in text and 'near_miss.caption = "A city with snow and slush filling the ground."' in text
    app = app.button(key="rules.apply").click().run()
    assert not alerts(app)
    assert t("why.none", a="city", b="ground") in visible_html(open_why(app, "0.2-9"))


def test_chosen_words_survive_other_sections_and_captions():
    app = open_rules(section="why", caption=DOG_CAPTION)
    assert shown_word_choice(app)["chosen"] == "0." and not any(button.key == "rules.propose" for button in app.button)
    assert len(shown_word_choice(app)["lines"][0]) == shown_word_choice(app)["svg"].count("displacy-token") == 10
    app = open_rules(section="why", caption=DOG_CAPTION, words=CHOSEN_WORDS)
    for name in ("tree", "why"):
        app = open_section(app, name)
        assert app.query_params["words"] in (CHOSEN_WORDS, [CHOSEN_WORDS])
    assert shown_word_choice(app)["chosen"] == CHOSEN_WORDS
    app.text_input(key="rules.caption.en").set_value("A dog. A cat on a sofa.")
    app = app.button(key="rules.read").click().run()
    assert "words" not in app.query_params and shown_word_choice(app)["chosen"] == "0."
    assert [words[0][1] for words in shown_word_choice(app)["lines"]] == ["A", "A"] and shown_word_choice(app)["lines"][1][-1] == [
        6,
        ".",
        True,
    ]
    two_word_choices = shown_word_choice(open_rules(section="why", caption="A dog. A cat on a sofa.", words="1.2-5"))
    assert two_word_choices["title"] == t("choose.tree", tree=t("trace.enhanced"), number=2)
    app.text_input(key="rules.caption.en").set_value(DOG_CAPTION)
    app = app.button(key="rules.read").click().run()
    assert shown_word_choice(app)["chosen"] == CHOSEN_WORDS and app.query_params["words"] in (CHOSEN_WORDS, [CHOSEN_WORDS])


def test_words_that_a_browser_sends_are_validated():
    for sent_text in (None, 3, "", "x", "0.1-1", "0.1-2-3-4", "1.", "0.2", "0.6-10", "٠.1-2", "-1.1-2", ["0.1-2"], "9" * 10_000):
        words = word_choice.parse_words(sent_text)
        assert (str(words) == sent_text) if sent_text in ("1.", "0.2", "0.6-10") else words is None, sent_text


@pytest.mark.parametrize("words", ["0.6-10", "0.6-7-10", "0.6-7-6", "0.6-7-99", "9.1-2"])
def test_words_in_the_url_are_used_if_the_caption_has_them(words):
    app = open_rules(section="why", caption=DOG_CAPTION, words=words)
    assert not app.exception and (app.query_params.get("words") in (words, [words])) is (words in ("0.6-10", "0.6-7-10"))


def test_the_first_screen_shows_tree_rules_and_tuples_and_a_tuple_opens_its_rule(monkeypatch):
    rows = {}
    monkeypatch.setattr(
        component,
        "show_fired_rules",
        lambda caption, shown_rows, *, on_choice, key: rows.update({r.id: (r, on_choice) for r in shown_rows}),
    )
    app = open_rules(caption="A red umbrella on a sandy beach.")
    assert app.segmented_control(key="rules.section").value == "why"
    assert {(row.parts, row.rule) for row, _ in rows.values()} == {
        (("umbrella", "red"), "adjective"), (("beach", "sandy"), "adjective"), (("umbrella", "on", "beach"), "preposition"),
        (("umbrella",), "noun"), (("beach",), "noun"),
    }  # fmt: skip
    assert not any(row.is_chosen for row, _ in rows.values())
    (id_,) = (row.id for row, _ in rows.values() if row.parts == ("umbrella", "red"))
    app = open_rules(caption="A red umbrella on a sandy beach.", words=id_)
    assert [row.parts for row, _ in rows.values() if row.is_chosen] == [("umbrella", "red")]
    assert t("why.made", a="umbrella", b="red") in visible_html(app) and "rules.exclude.adjective" in {button.key for button in app.button}
    assert open_section(open_rules(words="0.2-3", caption="A red umbrella."), "tree").segmented_control(key="rules.section").value == "tree"
    app = app.button(key="rules.why.edit.adjective").click().run()
    assert app.segmented_control(key="rules.section").value == "edit" and 'name = "adjective"' in text_area(app).value


def test_watched_captions_show_the_effect_of_a_change():
    app = open_rules(section="edit", off=MISSING_RULE)
    app = app.text_area(key="rules.watched.en").set_value(f"A man is seen riding a wave.\n\n{HOSTILE_CAPTION}\nA dog.\nA dog.").run()
    page = visible_html(app)
    assert page.count("<b>−</b>") >= 1 and "man – ride – wave" in page and "<img" not in page
    assert t("watch.same", number=1) in page
    app = app.text_area(key="rules.watched.en").set_value("\n".join(f"A dog {n}." for n in range(25))).run()
    assert t("watch.first", number=20, all=25) in visible_html(app)


def test_edited_rules_score_on_inspect_in_one_click():
    app = open_rules(section="edit", off=MISSING_RULE)
    app.button(key="rules.score").click().run()
    assert app.session_state["inspect.en.rules"] == "caption-edited"


def test_inference_rules_explain_verdicts_and_can_be_disabled():
    app = open_rules(section="inference", caption="A man looks at the sea.")
    app = app.text_input(key="rules.conclusion.en").set_value("A man is at the sea. A man stands.").run()
    page = html_module.unescape(visible_html(app))
    assert t("inference.excluded", word="look", classes="looking") in page and "place of an action: " in page
    app = app.text_input(key="rules.conclusion.en").set_value("Very slowly.").run()
    assert t("inference.nothing") in html_module.unescape(visible_html(app))
    app = open_rules(section="inference", caption="A toy car.")
    app = app.selectbox(key="rules.inference.try.en").set_value("a thing is what it is called").run()
    app = app.button(key="rules.inference.example").click().run()
    shown_html = html_module.unescape(visible_html(app))
    assert "(a thing is what it is called)" in shown_html and not app.exception
    switches = app.button_group(key="rules.inference.en")
    app = switches.set_value([name for name in switches.options if name != "a thing is what it is called"]).run()
    assert "(a thing is what it is called)" not in html_module.unescape(visible_html(app)).partition("<code>")[0]


TREE = read_tree("a/a/DT/2/det dog/dog/NN/3/nsubj sits/sit/VBZ/0/root")


def test_mismatches_are_described_in_both_languages(monkeypatch):
    for pattern, bindings, *expected_texts in (
        ("{tag:VBG}", {}, "", ""),
        ("{tag:VBG}=x", {"x": 2}, "tag of dog is NN", "dogの品詞タグはNN"),
        ("{}=x >amod {}=y", {"x": 2}, "dog –det→ a", "dog –det→ a"),
        ("{}=x >amod {}=y", {"x": 1}, "no edge from a", "aから出る辺がありません"),
        ("{}=x >amod {}=y", {}, "no such edge anywhere", "そのような辺はどこにもありません"),
        ("{}=x !>det {}", {"x": 2}, "there is a", "aがあります"),
        ("{}=x .. {}=y", {"x": 2, "y": 1}, "y does not follow x", "yはxより後にありません"),
    ):
        mismatch = Pattern(pattern).failure(TREE, bindings).mismatch
        for code, expected_text in zip(("en", "ja"), expected_texts, strict=True):
            monkeypatch.setattr(texts, "interface_language", lambda code=code: code)
            assert wording.describe_mismatch(mismatch) == expected_text
