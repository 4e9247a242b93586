"""Limits on the captions that a visitor may score together."""

from pages.parts.kit.texts import t
from pages.parts.state.engine import CaptionInputs

MAX_REFERENCES, MAX_CAPTION_CHARS, MAX_TOTAL_CHARS = 50, 3_000, 6_000  # captions within these limits are scored in a few seconds


def find_excess(captions: CaptionInputs) -> list[tuple[str, str]]:
    """Return two texts for each exceeded limit: the number found and the maximum."""
    texts = (captions.candidate, *captions.references)
    counts = [
        ("references", len(captions.references), MAX_REFERENCES),
        ("caption", max(map(len, texts)), MAX_CAPTION_CHARS),
        ("in_all", sum(map(len, texts)), MAX_TOTAL_CHARS),
    ]
    return [
        (t(f"excess.{name}", number=f"{length:,}"), t(f"excess.{name}_most", most=f"{limit:,}"))
        for name, length, limit in counts
        if length > limit
    ]
