"""Metrics of captions: SPICE, soft matching, and the usual text metrics."""
