"""What a visit holds: engines, settings, runs, data, links."""
