"""Rules at work: traces, reasons, queries, effects of a change."""
