"""Statistics over numbers: bootstrap and correlation."""
