"""Evaluation of data sets: runs, caches, averages, comparison of systems, agreement with human judgements."""
