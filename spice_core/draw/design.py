"""Design tokens: the colours, fonts and marks of pages, charts and graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from spice_core.scene.matching import MatchState

KIND_BY_CATEGORY = {
    "Object": "object",
    "Relation": "relation",
}  # the colour of a category; all other categories have the colour of attributes
TUPLE_KINDS = ("object", "attribute", "relation")
TRANSLATED_CATEGORIES = ("All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size")
MARK_BY_STATE = {
    MatchState.EXACT: "✓",
    MatchState.SYNONYM: "≈",
    MatchState.PARTIAL: "½",
    MatchState.ENTAILED: "⇒",
    MatchState.NARROWER: "⊂",
    MatchState.SAME_KIND: "~",
    MatchState.CONTRADICTED: "≠",
    MatchState.EXTRA: "+",
    MatchState.MISSING: "–",
}
_STATES_OF_OTHER_SCHEMES = (  # states that only some schemes have
    MatchState.PARTIAL,
    MatchState.ENTAILED,
    MatchState.NARROWER,
    MatchState.SAME_KIND,
    MatchState.CONTRADICTED,
)


def legend_states(states_present: Iterable[MatchState]) -> list[MatchState]:
    """Return the states for a legend: those of all schemes, and any other state that is present."""
    states = set(states_present)
    return [state for state in MatchState if state not in _STATES_OF_OTHER_SCHEMES or state in states]


COLOURS_BY_THEME: Mapping[str, Mapping[str, str]] = {
    "light": {
        "bg": "#FBFAF7",
        "surface": "#FFFFFF",
        "ink": "#1E2430",
        "muted": "#596273",
        "line": "#DDD9CF",
        "accent": "#5B3A8C",
        "object": "#B34A00",
        "object-fill": "#FCE9DC",
        "attribute": "#00735A",
        "attribute-fill": "#DDF3EC",
        "relation": "#005F99",
        "relation-fill": "#DFEEF8",
    },
    "dark": {
        "bg": "#14171D",
        "surface": "#1C2028",
        "ink": "#ECEBE6",
        "muted": "#A3ABB9",
        "line": "#343A46",
        "accent": "#B99AE8",
        "object": "#F4935A",
        "object-fill": "#3A2418",
        "attribute": "#45C9A2",
        "attribute-fill": "#12332A",
        "relation": "#6BB8EC",
        "relation-fill": "#132F42",
    },
}

# The colours of figures in the SPICE papers: red objects, green attributes, blue relations.
_PAPER_COLOURS = {
    "light": {
        "object": "#D60000",
        "object-fill": "#FFE6E6",
        "attribute": "#007A00",
        "attribute-fill": "#E0F5E0",
        "relation": "#0000FF",
        "relation-fill": "#E6E6FF",
    },
    "dark": {
        "object": "#FF6B6B",
        "object-fill": "#401818",
        "attribute": "#3DD13D",
        "attribute-fill": "#103810",
        "relation": "#8FA0FF",
        "relation-fill": "#1B2050",
    },
}
DEFAULT_PALETTE, PAPER_PALETTE = "default", "paper"
COLOURS_BY_PALETTE: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    DEFAULT_PALETTE: COLOURS_BY_THEME,
    PAPER_PALETTE: {theme: {**colours, **_PAPER_COLOURS[theme]} for theme, colours in COLOURS_BY_THEME.items()},
}

SANS_FONTS = 'Inter, "Noto Sans JP", "Hiragino Sans", "Yu Gothic UI", system-ui, sans-serif'
SERIF_FONTS = '"Source Serif", "Source Serif 4", Georgia, "Noto Sans JP", "Hiragino Sans", "Yu Gothic UI", serif'
MONOSPACE_FONTS = '"JetBrains Mono", ui-monospace, "Noto Sans Mono", "Noto Sans JP", monospace'


def theme_colours(theme: str, palette: str = DEFAULT_PALETTE) -> Mapping[str, str]:
    """Return the colours of a theme (light or dark) in a palette."""
    return COLOURS_BY_PALETTE[palette][theme]


def css_tokens(palette: str = DEFAULT_PALETTE) -> str:
    """Return the tokens as CSS custom properties for either ``color-scheme``."""
    dark_colours = theme_colours("dark", palette)
    tokens = [f"--sc-{name}: light-dark({value}, {dark_colours[name]});" for name, value in theme_colours("light", palette).items()]
    fonts = [f"--sc-sans: {SANS_FONTS};", f"--sc-reading: {SERIF_FONTS};", f"--sc-mono: {MONOSPACE_FONTS};"]
    return ":root {" + " ".join([*tokens, *fonts]) + "}"


def language_css() -> str:
    """Return CSS that sets fonts by language: serif captions, except in Japanese, where only Latin letters would be serif."""
    japanese = "--sc-reading: var(--sc-sans); line-break: strict; word-break: auto-phrase;"
    return f'[lang="en"] {{ --sc-reading: {SERIF_FONTS}; }} [lang="ja"] {{ {japanese} }} dd[lang] {{ font-family: var(--sc-reading); }}'
