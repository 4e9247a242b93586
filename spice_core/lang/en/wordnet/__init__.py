"""English WordNet 3.0, read from bundled archives."""
