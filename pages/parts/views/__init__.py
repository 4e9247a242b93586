"""Elements that several pages show."""
