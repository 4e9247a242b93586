"""Hash functions of spaCy's tables of word features: MurmurHash2 (64 bits) for texts, MurmurHash3 (128 bits) for numbers.

The algorithms are by Austin Appleby and in the public domain.
"""

from __future__ import annotations

from functools import lru_cache

_MASK_64_BITS, _MASK_32_BITS = (1 << 64) - 1, (1 << 32) - 1
_MULTIPLIER = 0xC6A4A7935BD1E995
_TEXT_SEED = 1  # seed of spaCy's strings


def hash_text(text: str) -> int:
    """Return spaCy's 64-bit hash of a text: MurmurHash64A of its UTF-8 bytes."""
    data = text.encode("utf-8", "surrogatepass")
    hash_value = _TEXT_SEED ^ (len(data) * _MULTIPLIER & _MASK_64_BITS)
    block_end = len(data) & ~7
    for offset in range(0, block_end, 8):
        part = int.from_bytes(data[offset : offset + 8], "little") * _MULTIPLIER & _MASK_64_BITS
        hash_value = (hash_value ^ ((part ^ part >> 47) * _MULTIPLIER & _MASK_64_BITS)) * _MULTIPLIER & _MASK_64_BITS
    if tail := data[block_end:]:
        hash_value = (hash_value ^ int.from_bytes(tail, "little")) * _MULTIPLIER & _MASK_64_BITS
    hash_value = (hash_value ^ hash_value >> 47) * _MULTIPLIER & _MASK_64_BITS
    return hash_value ^ hash_value >> 47


@lru_cache(maxsize=1 << 15)
def hash_number(number: int, seed: int) -> tuple[int, int, int, int]:
    """Return four 32-bit hashes of a 64-bit number: the parts of MurmurHash3_x64_128 of its eight bytes."""
    part = number * 0x87C37B91114253D5 & _MASK_64_BITS
    part = (part << 31 | part >> 33) * 0x4CF5AD432745937F & _MASK_64_BITS
    first, second = seed ^ part ^ 8, seed ^ 8
    first = (first + second) & _MASK_64_BITS
    second = (second + first) & _MASK_64_BITS
    first, second = _mix_bits(first), _mix_bits(second)
    first = (first + second) & _MASK_64_BITS
    second = (second + first) & _MASK_64_BITS
    return first & _MASK_32_BITS, first >> 32, second & _MASK_32_BITS, second >> 32


def _mix_bits(value: int) -> int:
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & _MASK_64_BITS
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & _MASK_64_BITS
    return value ^ value >> 33
