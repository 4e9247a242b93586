"""Alternative readings of a parsed sentence, one word read differently."""
