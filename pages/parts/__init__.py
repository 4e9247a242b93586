"""The building blocks of the pages. Visitors share the server, so the linear algebra of NumPy uses a single thread."""

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # OpenBLAS reads this when NumPy is imported. Several threads would wait for each other on busy cores.
