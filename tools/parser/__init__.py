"""Training of the English parsers."""
