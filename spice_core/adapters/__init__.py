"""The metric in the form of other libraries: aac-metrics, torchmetrics, Hugging Face evaluate, CaptionEvalKit."""
