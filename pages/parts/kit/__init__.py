"""What every page is built from."""
