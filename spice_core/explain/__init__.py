"""Explanations of a result: near misses, causes, merges, doubtful senses, unused words, and the effect of each reference and word."""
