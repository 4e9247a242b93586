"""Scene graphs: propositions, synonyms, merging, matching and scores."""
