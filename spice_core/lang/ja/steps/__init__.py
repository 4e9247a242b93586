"""Japanese enhancement steps: functions that turn GiNZA's trees into the graphs that the rules read."""
