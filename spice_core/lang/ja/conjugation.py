"""Japanese verb forms for questions: the て form and the passive, from the dictionary form."""

from __future__ import annotations

_TE_ENDINGS = {"う": "って", "つ": "って", "る": "って", "む": "んで", "ぶ": "んで", "ぬ": "んで", "く": "いて", "ぐ": "いで", "す": "して"}
_IRREALIS_ENDINGS = dict(zip("うくぐすつぬぶむる", "わかがさたなばまら"))
_KANA_BEFORE_ICHIDAN = frozenset("いきぎしじちにひびぴみりえけげせぜてでねへべぺめれ")
_GO_VERBS = ("行く", "いく")


def te_form(verb: str, *, ichidan: bool | None, godan: frozenset[str]) -> str:
    """Return the て form of a verb.

    Args:
        verb: the dictionary form.
        ichidan: whether a verb in る keeps its stem; None if the caption does not show this.
        godan: verbs in いる and える that change their stem, whatever ``ichidan`` is.

    >>> [te_form(verb, ichidan=None, godan=frozenset({"走る"})) for verb in ("歩く", "走る", "寝る", "立つ", "読む", "する", "行く", "来る")]
    ['歩いて', '走って', '寝て', '立って', '読んで', 'して', '行って', '来て']
    """
    if verb.endswith("する"):
        return verb[:-2] + "して"
    if verb in ("くる", "来る"):
        return {"くる": "きて", "来る": "来て"}[verb]
    if verb.endswith(_GO_VERBS):
        return verb[:-1] + "って"
    if is_ichidan(verb, ichidan, godan):
        return verb[:-1] + "て"
    return verb[:-1] + _TE_ENDINGS[verb[-1]] if verb[-1:] in _TE_ENDINGS else verb


def passive_form(verb: str, *, ichidan: bool | None, godan: frozenset[str]) -> str:
    """Return the dictionary form of the passive.

    >>> [passive_form(verb, ichidan=None, godan=frozenset()) for verb in ("飾る", "置く", "乗せる", "展示する")]
    ['飾られる', '置かれる', '乗せられる', '展示される']
    """
    if verb.endswith("する"):
        return verb[:-2] + "される"
    if is_ichidan(verb, ichidan, godan) or verb in ("くる", "来る"):
        return verb[:-1] + "られる"
    return verb[:-1] + _IRREALIS_ENDINGS[verb[-1]] + "れる" if verb[-1:] in _IRREALIS_ENDINGS else verb


def is_ichidan(verb: str, is_known_ichidan: bool | None, godan: frozenset[str]) -> bool:
    """Return whether a verb keeps its stem before て. If the caption does not show this, the character before る decides."""
    if not verb.endswith("る") or verb in godan:
        return False
    if is_known_ichidan is not None:
        return is_known_ichidan
    penultimate = verb[-2:-1]
    return penultimate in _KANA_BEFORE_ICHIDAN or penultimate in _KANJI_STEMS


_KANJI_STEMS = frozenset("寝見着出得経煮似診観干射鋳居")
