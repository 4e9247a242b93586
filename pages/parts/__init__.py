"""The parts of the pages. Visitors share the machine, so each analysis keeps to one core."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy reads it once; several threads wait for each other where cores are busy
