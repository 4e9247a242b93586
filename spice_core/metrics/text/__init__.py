"""Metrics over words: BLEU, ROUGE, METEOR, CIDEr, chrF."""
