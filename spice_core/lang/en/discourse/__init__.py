"""English steps that resolve pronouns, and words such as "one" and "the other", within and across sentences."""
