"""English parsers: the bundled encoder, the imitation of the original SPICE's parser, CoreNLP and spaCy."""
