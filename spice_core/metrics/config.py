"""The settings of the metric as one object, and the signature of a score, which records every choice that affects the score."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from spice_core.errors import InputError, Message
from spice_core.lang import language
from spice_core.rules import RuleSet
from spice_core.rules.rule_file import load_rules, parse_rules
from spice_core.scene.propositions import GIVEN_RULE
from spice_core.scene.synonyms import Synonyms
from spice_core.version import __version__


class TransientCaches:
    """Base class whose pickles and copies omit cached properties."""

    def __getstate__(self) -> dict[str, object]:
        kind = type(self)
        return {name: value for name, value in vars(self).items() if not isinstance(getattr(kind, name, None), cached_property)}


WordListSetting = tuple[tuple[str, tuple[str, ...]], ...]
_REQUIRED_FIELDS = {"lang", "synonyms", "version"}


@dataclass(frozen=True)
class SpiceConfig:
    """Settings of the metric. Empty settings stand for defaults.

    Attributes:
        lang: The code of the language.
        parser: The name of the parser. The default is the parser with the name of the rules or, if there is no such parser, the first
            parser of the language.
        rules: The name of the rule set or the path of a rule file (``.toml``). By default, the parser determines the rules.
        synonyms: The name of the synonym source. By default, the rules determine the source.
        rules_text: The text of a rule file whose name is ``rules``.
        scheme: How tuples are merged and counted. By default, the rules determine the scheme.
        categories: Additional categories of attributes, each a name with its words.
    """

    lang: str = "en"
    parser: str = ""
    rules: str = ""
    synonyms: str = ""
    rules_text: str = ""
    scheme: str = ""
    categories: WordListSetting = ()

    def resolved(self) -> SpiceConfig:
        """Return the settings with all names of parser, rules and synonyms, and the text of the rule file, if any.

        Raises:
            UnknownNameError: a name is not registered.
            RuleError: the rule file is not valid.

        >>> SpiceConfig("en", parser="spice-2016").resolved().synonyms
        'wn3.0+collisions'
        """
        pack = language(self.lang)
        config = self.with_rule_file(Path(self.rules)) if self.rules.endswith(".toml") and not self.rules_text else self
        rules_name = "" if config.rules_text else config.rules
        config = replace(
            config,
            parser=config.parser or (rules_name if rules_name in pack.all_parsers else next(iter(pack.parsers))),
            rules=config.rules or pack.rules_with(config.parser),
        )
        return replace(config, synonyms=config.synonyms or config._load_rules().synonyms or next(iter(pack.synonyms)))

    def with_rule_file(self, path: Path) -> SpiceConfig:
        """Return the settings with the text of this rule file. Raises RuleError with file, rule and position if it is invalid."""
        load_rules(path)
        return replace(self, rules=path.stem, rules_text=path.read_text(encoding="utf-8") or "\n")

    def rule_set(self) -> RuleSet:
        """Return the rules. Raises UnknownNameError if they are not registered, RuleError if they are invalid."""
        return self.resolved()._load_rules()

    def _load_rules(self) -> RuleSet:
        return _parse_rules(self.rules_text, name=self.rules) if self.rules_text else language(self.lang).rule_set(self.rules)

    def synonym_source(self) -> Synonyms:
        """Return the synonym source. Raises UnknownNameError or RuleError."""
        return language(self.lang).synonym_source(self.resolved().synonyms)

    def as_dict(self) -> dict[str, object]:
        """Return the nonempty settings for JSON."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name)}
        return values | ({"categories": {name: list(words) for name, words in self.categories}} if self.categories else {})

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> SpiceConfig:
        """Return the settings from the output of ``as_dict``. Raises InputError if they are invalid."""
        names = [f.name for f in fields(cls)]
        expected = Message("expected.settings", names=", ".join(names[:-1]))
        if not isinstance(values, Mapping):
            raise InputError("settings", values, expected)
        for name, value in values.items():
            if name not in names or not isinstance(value, Mapping if name == "categories" else str):
                raise InputError(Message("where.settings", name=name), value, expected)
        return cls(**{**values, "categories": sorted_word_lists(values.get("categories", {}))})  # type: ignore[arg-type]


def steps_digest(lang: str, rules: RuleSet) -> str:
    """Return the first digits of a digest of these rules' step code.

    The result is empty for rules without steps, and for the rules of the original SPICE, whose steps never change.
    """
    pack = language(lang)
    return "" if rules.steps is None and rules.name == pack.original else pack.digest_of_steps(rules.steps)


def sorted_word_lists(categories: object) -> WordListSetting:
    """Return the categories as a setting, with sorted words. Raises InputError if a category is invalid."""
    if not isinstance(categories, Mapping):
        raise InputError("categories", categories, Message("expected.word_lists"))
    for name, words in categories.items():
        if isinstance(words, str) or not isinstance(words, Iterable):
            raise InputError(Message("where.categories", name=name), words, Message("expected.word_list"))
    return tuple((str(name), tuple(sorted(set(map(str, words))))) for name, words in categories.items())


@dataclass(frozen=True, kw_only=True)
class Signature:
    """Every choice that affects a score.

    A signature prints as ``spice|lang:en|…|version:…``, and ``parse`` reads this form.

    Empty parts are not printed. For scores of given propositions, ``parser``, ``rules`` and ``steps`` are empty. ``categories`` is a digest
    of the custom categories, or empty if there are none.
    """

    lang: str
    parser: str = ""
    rules: str = ""
    steps: str = ""
    scheme: str = ""
    synonyms: str
    categories: str = ""
    version: str

    @classmethod
    def from_config(
        cls, config: SpiceConfig, parsers: Set[str], *, rules: RuleSet | None = None, synonyms: Synonyms | None = None
    ) -> Signature:
        """Return the signature of scores from parses by these parsers.

        ``rules`` and ``synonyms`` replace the rule set and the synonym source that the settings name.
        """
        rules, synonyms = rules or config.rule_set(), synonyms or config.synonym_source()
        parser = "+".join(sorted(parsers - {GIVEN_RULE}))
        return cls(
            lang=config.lang,
            parser=parser,
            rules=rules.signature if parser else "",
            steps=steps_digest(config.lang, rules) if parser else "",
            scheme=config.scheme or rules.scheme,
            synonyms=synonyms.signature,
            categories=_word_lists_digest(config.categories) if config.categories else "",
            version=__version__,
        )

    def __str__(self) -> str:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return "|".join(["spice", *(f"{name}:{value}" for name, value in values.items() if value)])

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature from its printed form.

        Raises:
            InputError: keys of the text are missing, unknown, repeated or in another order.

        >>> Signature.parse("spice|lang:en|synonyms:none|version:0.3.0").lang
        'en'
        """
        head, *parts = text.split("|") if isinstance(text, str) else [""]
        key_value_pairs = [part.split(":", 1) for part in parts if ":" in part]
        values_by_name = {name: value for name, value in key_value_pairs}
        names = [f.name for f in fields(cls)]
        expected_names = [name for name in names if name in values_by_name]
        if (
            head != "spice"
            or not set(values_by_name) >= _REQUIRED_FIELDS
            or list(values_by_name) != expected_names
            or len(key_value_pairs) != len(expected_names)
        ):
            raise InputError("signature", text, Message("expected.signature", names="|".join(f"{n}:…" for n in names)))
        return cls(**values_by_name)


_parse_rules = lru_cache(maxsize=16)(parse_rules)


@lru_cache(maxsize=16)
def _word_lists_digest(categories: WordListSetting) -> str:
    """Return the first digits of an order-independent digest of word lists."""
    return sha256(json.dumps(sorted((name, sorted(words)) for name, words in categories)).encode()).hexdigest()[:8]
