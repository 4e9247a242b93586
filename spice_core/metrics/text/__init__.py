"""Metrics that compare words: BLEU, ROUGE-L, METEOR, CIDEr-D and chrF."""
