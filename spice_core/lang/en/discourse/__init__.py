"""English steps that resolve pronouns and members of groups, within and across sentences."""
