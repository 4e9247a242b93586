"""Japanese steps that carry subjects and resolve pronouns across sentences."""
