"""Commands of the command line. Each takes parsed options and returns an exit code."""
