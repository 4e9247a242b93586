"""Scene graphs: propositions, synonyms, merging, matching, scores."""
