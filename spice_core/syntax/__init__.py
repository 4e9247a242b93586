"""Trees: documents of tokens and dependencies, CoNLL-U, the steps of an enhancement."""
