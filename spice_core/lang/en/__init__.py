"""The English language pack."""

from pathlib import Path

from spice_core.lang.en.word_lists import CATEGORIES
from spice_core.lang.pack import ASSETS, Examples, LanguagePack, TextTools

_HERE = Path(__file__).parent
_TAGS = """$ '' , -LRB- -RRB- . : ADD AFX CC CD DT EX FW GW HYPH IN JJ JJR JJS LS MD NFP NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS
RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB ``"""  # tags of the Penn Treebank and its successors

PACK = LanguagePack(
    code="en",
    name="English",
    parsers={
        "caption": "spice_core.lang.en.parsers.encoder_parser:caption",
        "spice-2016": "spice_core.lang.en.parsers.transition_parser:spice_2016",
        "spacy:": "spice_core.lang.en.parsers.spacy_parser:installed",
        "corenlp:": "spice_core.lang.en.parsers.corenlp:server",
    },
    rules={name: _HERE / "rules" / f"{name}.toml" for name in ("caption", "spice-2016", "stanford-2015")},
    rules_of={"corenlp:": "spice-2016"},
    synonyms={
        "wn3.0+collisions": "spice_core.lang.en.wordnet.database:with_collisions",
        "wn3.0+ranks": "spice_core.lang.en.wordnet.database:ranked",
        "wn3.0": "spice_core.lang.en.wordnet.database:without_collisions",
        "none": "spice_core.scene.synonyms:NoSynonyms",
    },
    categories=CATEGORIES,
    enhancement="spice_core.lang.en.enhancement:enhance",
    step_book=_HERE / "steps.toml",
    readings="spice_core.lang.en.readings.words:readings",
    tags=frozenset(_TAGS.split()),
    discourses=True,
    individuals="spice_core.lang.en.discourse.individuals:individual",
    scripts=("LATIN",),
    original="spice-2016",
    text=TextTools(
        tokenizer="spice_core.lang.en.text_tools:PennTreebank",
        stemmer="spice_core.lang.en.text_tools:porter",
        stop_words="spice_core.lang.en.text_tools:stop_words",
        synonyms="wn3.0",
    ),
    similarities=("minilm", "static", "hypernyms"),
    factual_style="spice_core.lang.en.factual_style:adapted",
    fluency="spice_core.lang.en.fluency:faults",
    inference_rules=_HERE / "inference.toml",
    possession="spice_core.lang.en.steps.belongings:share",
    questions="spice_core.lang.en.questions:wordings",
    phrase_book=_HERE / "questions.toml",
    examples=Examples(
        caption="A man is seen riding a wave",
        patterns=(
            "{tag:/NN.*/}=noun >amod {}=adjective",
            "{tag:/V.*/}=verb >nsubj {}=subject >obj {}=object",
            "{tag:/NN.*/}=noun >/nmod:(.+)/=preposition {}=place",
            "{tag:/V.*/}=verb !>/nsubj.*/ {}",
        ),
        gold=ASSETS / "gold" / "gold_en.jsonl",
        pairs=ASSETS / "gold" / "pairs_en.toml",
        captions=ASSETS / "captions" / "coco_500.txt",
    ),
)
