"""Japanese parsers: GiNZA and other spaCy pipelines."""
