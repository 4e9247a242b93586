"""Metrics of captions: SPICE, soft matching, and the usual ones over words."""
