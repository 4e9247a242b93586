"""Soft matching: partial credit for tuples with similar meaning. An extension of SPICE, not SPICE."""

from spice_core.metrics.soft.alignment import Alignment, SoftMatch
from spice_core.metrics.soft.soft import Soft, SoftResult

__all__ = ["Alignment", "Soft", "SoftMatch", "SoftResult"]
