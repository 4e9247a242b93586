"""Commands of the command line; each takes parsed options and returns an exit code."""
