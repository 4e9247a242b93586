"""Statistics: bootstrap, correlation, agreement, multiple testing."""
