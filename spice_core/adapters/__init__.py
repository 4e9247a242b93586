"""Adapters to the APIs of other libraries: aac-metrics, torchmetrics, Hugging Face evaluate, CaptionEvalKit, TRL."""
