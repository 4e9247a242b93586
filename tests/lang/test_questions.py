"""Each phrasing gives the expected question for its example, and the last phrasing of each kind always applies."""

import pytest

from spice_core import Spice
from spice_core.lang import LANGUAGES, language
from spice_core.lang.wording import read_phrase_book
from spice_core.questions import ask

PHRASE_BOOKS = {lang: read_phrase_book(language(lang).phrase_book) for lang in LANGUAGES if language(lang).phrase_book}
PHRASINGS = [(lang, phrasing) for lang, book in PHRASE_BOOKS.items() for phrasing in book.phrasings]
pytestmark = pytest.mark.parser


@pytest.fixture(scope="module")
def spices() -> dict[str, Spice]:
    return {lang: Spice(lang) for lang in PHRASE_BOOKS}


@pytest.mark.parametrize(("lang", "phrasing"), PHRASINGS, ids=[f"{lang} {phrasing.name}" for lang, phrasing in PHRASINGS])
def test_a_phrasing_asks_its_question_of_its_example(lang, phrasing, spices):
    spice = spices[lang]
    questions = ask(spice, next(spice.parse([phrasing.example])))
    assert phrasing.reason
    assert phrasing.question in [q.text for q in questions if q.phrasing == phrasing.name], [(q.text, q.phrasing) for q in questions]


@pytest.mark.parametrize("lang", PHRASE_BOOKS)
def test_names_of_phrasings_are_unique_and_the_last_of_each_kind_always_applies(lang):
    phrasings = PHRASE_BOOKS[lang].phrasings
    assert len({phrasing.name for phrasing in phrasings}) == len(phrasings)
    last_by_kind = {phrasing.tuple_kind: phrasing for phrasing in phrasings}
    assert set(last_by_kind) == {"object", "attribute", "relation"}
    assert not any(phrasing.required_features or phrasing.excluded_features for phrasing in last_by_kind.values())
