"""English parsers: the bundled encoder, the imitation of the original SPICE's, CoreNLP and spaCy."""
