"""Alternative readings of a parsed sentence, such as another tag of a word."""
