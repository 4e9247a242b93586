"""Japanese enhancement steps: functions that turn GiNZA's trees into the graphs that the rules read.

In the examples, bars separate the words or phrases that a step relates.
"""
