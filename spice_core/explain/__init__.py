"""Explanations of a result: near misses, merges, doubtful senses, unused words, effect of each reference and word."""
