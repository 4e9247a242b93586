"""The English language pack."""

from pathlib import Path

from spice_core.lang.en.word_lists import WORDS_BY_CATEGORY
from spice_core.lang.pack import ASSETS_FOLDER, Examples, LanguagePack, TextTools

_PACKAGE_FOLDER = Path(__file__).parent
_PENN_TAGS = """$ '' , -LRB- -RRB- . : ADD AFX CC CD DT EX FW GW HYPH IN JJ JJR JJS LS MD NFP NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS
RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB ``"""  # tags of the Penn Treebank and its successors
_WORD_CLASSES = """NNP:PROPN NN:NOUN V:VERB MD:AUX JJ:ADJ RB:ADV WRB:ADV PRP:PRON WP:PRON WDT:PRON EX:PRON DT:DET PDT:DET IN:ADP RP:ADP TO:PART
POS:PART CC:CCONJ CD:NUM UH:INTJ SYM:SYM"""

PACK = LanguagePack(
    code="en",
    name="English",
    parsers={
        "caption": "spice_core.lang.en.parsers.encoder_parser:caption_parser",
        "spice-2016": "spice_core.lang.en.parsers.transition_parser:spice_2016_parser",
        "spacy:": "spice_core.lang.en.parsers.spacy_parser:installed_parser",
        "corenlp:": "spice_core.lang.en.parsers.corenlp:connect",
    },
    rules={name: _PACKAGE_FOLDER / "rules" / f"{name}.toml" for name in ("caption", "spice-2016", "stanford-2015")},
    rules_of={"corenlp:": "spice-2016"},
    synonyms={
        "wn3.0+collisions": "spice_core.lang.en.wordnet.database:wordnet_with_collisions",
        "wn3.0+ranks": "spice_core.lang.en.wordnet.database:ranked_wordnet",
        "wn3.0": "spice_core.lang.en.wordnet.database:wordnet_without_collisions",
        "none": "spice_core.scene.synonyms:NoSynonyms",
    },
    categories=WORDS_BY_CATEGORY,
    enhancement="spice_core.lang.en.enhancement:ENHANCEMENT",
    step_book=_PACKAGE_FOLDER / "steps.toml",
    step_digests=_PACKAGE_FOLDER / "step_digests.json",
    readings="spice_core.lang.en.readings.words:word_readings",
    tags=frozenset(_PENN_TAGS.split()),
    word_classes=dict(pair.split(":") for pair in _WORD_CLASSES.split()),
    plural_tags=("NNS", "NNPS"),
    state_verbs=("be", "have"),
    individuals="spice_core.lang.en.discourse.mentions:find_member_word",
    scripts=("LATIN",),
    original="spice-2016",
    text=TextTools(
        tokenizer="spice_core.lang.en.text_tools:PennTreebank",
        stemmer="spice_core.lang.en.text_tools:porter_stemmer",
        stop_words="spice_core.lang.en.text_tools:stop_words",
        synonyms="wn3.0",
    ),
    similarities=("minilm", "hypernyms"),
    factual_style="spice_core.lang.en.factual_style:adapt_to_factual",
    fluency="spice_core.lang.en.fluency:find_errors",
    foils="spice_core.lang.en.foils:make_foils",
    inference_rules=_PACKAGE_FOLDER / "inference.toml",
    possession="spice_core.lang.en.steps.belongings:ownership_share",
    questions="spice_core.lang.en.wordings:word_tuples",
    phrase_book=_PACKAGE_FOLDER / "questions.toml",
    examples=Examples(
        caption="A man is seen riding a wave",
        patterns=(
            "{tag:/NN.*/}=noun >amod {}=adjective",
            "{tag:/V.*/}=verb >nsubj {}=subject >obj {}=object",
            "{tag:/NN.*/}=noun >/nmod:(.+)/=preposition {}=place",
            "{tag:/V.*/}=verb !>/nsubj.*/ {}",
        ),
        gold=ASSETS_FOLDER / "gold" / "gold_en.jsonl",
        pairs=ASSETS_FOLDER / "gold" / "pairs_en.toml",
        captions=ASSETS_FOLDER / "captions" / "coco_500.txt",
    ),
)
