"""The version of spice_core."""

__version__ = "0.3.0"
