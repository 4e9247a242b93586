"""State of a session: captions, settings, scores, links."""
