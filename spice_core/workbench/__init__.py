"""Tools to develop rules: traces, explanations, queries, effects of changes."""
