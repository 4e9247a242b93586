"""Japanese steps that carry subjects over to later sentences and resolve pronouns across sentences."""
