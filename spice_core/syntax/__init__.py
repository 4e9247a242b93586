"""Syntax trees: documents of tokens and dependencies, CoNLL-U, and enhancement steps."""
