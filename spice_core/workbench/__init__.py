"""Tools for developing rules: traces, explanations, queries, and the effects of changes."""
