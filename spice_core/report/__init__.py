"""Reports as tables, HTML pages, and files for other programs."""
