"""Statistics: bootstrap, correlation, agreement and multiple testing."""
