"""Japanese WordNet, read from NLTK or an imported database."""
