"""Soft matching: partial credit for tuples with similar meaning. It is an extension of SPICE: its scores are not SPICE scores."""

from spice_core.metrics.soft.alignment import Alignment, SoftMatch
from spice_core.metrics.soft.soft import Soft, SoftResult

__all__ = ["Alignment", "Soft", "SoftMatch", "SoftResult"]
