"""What lies behind a result: near misses, merges, surprises, unused words, the share of each reference, what would change it."""
