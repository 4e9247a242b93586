"""State of a visit: captions, settings, scores, links."""
