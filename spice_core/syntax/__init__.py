"""Syntax: documents of tokens and dependencies, CoNLL-U files, and enhancement steps."""
