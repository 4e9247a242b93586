"""The parts of the pages. Visitors share the machine, so each analysis keeps to one core."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy reads this once. On busy cores, several threads would wait for each other.
