"""Many captions: runs, caches, averages, systems, agreement with people."""
