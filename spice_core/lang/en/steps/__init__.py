"""English enhancement steps: functions that turn basic trees into the graphs that the rules read."""
