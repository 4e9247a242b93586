"""Rounding of a network in training as in the exported network: matrices to seven bits, and their inputs to eight bits."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

_MAX_SEVEN_BIT, _MAX_EIGHT_BIT = 63, 127
_EXACT_LAYERS = ("arc",)  # linear layers that the exported network keeps in floats


class _RoundedMatrix(nn.Module):
    """Parametrization that rounds a matrix to seven bits, with a scale for each output. Gradients ignore the rounding."""

    def forward(self, weight: Tensor) -> Tensor:
        return _round_to_steps(weight, _MAX_SEVEN_BIT)


def apply_fake_quantization(network: nn.Module) -> None:
    """Make all linear layers except ``arc`` round their matrices and inputs."""
    for name, layer in network.named_modules():
        if isinstance(layer, nn.Linear) and name not in _EXACT_LAYERS:
            parametrize.register_parametrization(layer, "weight", _RoundedMatrix())
            layer.register_forward_pre_hook(lambda _, inputs: (_round_to_steps(inputs[0], _MAX_EIGHT_BIT),))


def unrounded_weights(network: nn.Module) -> dict[str, Tensor]:
    """Return the unrounded weights by their original names."""
    return {name.replace(".parametrizations.weight.original", ".weight"): value for name, value in network.state_dict().items()}


def _round_to_steps(x: Tensor, steps: int) -> Tensor:
    scale = x.detach().abs().amax(-1, keepdim=True).clamp(min=1e-6) / steps
    rounded = torch.round(x.detach() / scale) * scale
    return x + (rounded - x.detach())
