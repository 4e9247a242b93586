"""Reduction of images. A bounded worker runs it, because a small file can need any amount of memory. No import of Streamlit."""

from __future__ import annotations

import io

from PIL import Image, ImageOps

_IMAGE_FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
_MAX_PIXELS = {"JPEG": 50_000_000}  # JPEG is decoded at a reduced size; other formats need memory for every pixel
_MAX_HELD_PIXELS = 16_000_000


def scale_down(content: bytes, max_px: int) -> bytes | None:
    """Return an image as a JPEG of at most ``max_px`` pixels per side, or None if it is invalid or has too many pixels."""
    try:
        with Image.open(io.BytesIO(content), formats=_IMAGE_FORMATS) as image:
            if image.width * image.height > _MAX_PIXELS.get(image.format or "", _MAX_HELD_PIXELS):
                return None
            image.thumbnail((max_px, max_px))  # a JPEG is decoded at a reduced size
            buffer = io.BytesIO()
            ImageOps.exif_transpose(image).convert("RGB").save(buffer, "JPEG", quality=82)
            return buffer.getvalue()
    except (OSError, ValueError, SyntaxError, RuntimeError, NotImplementedError, Image.DecompressionBombError):
        return None
