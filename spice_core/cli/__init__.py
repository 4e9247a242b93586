"""What the commands of the command line do; each takes its parsed options and returns the exit code."""
