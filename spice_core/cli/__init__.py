"""The commands of the command line; each takes its parsed options and returns the exit code."""
