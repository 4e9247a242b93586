"""Documents: tables, pages and files for other programs."""
