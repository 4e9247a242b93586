"""Round a network in training as the exported one is: matrices to seven bits a column, the states before them to eight bits a word piece."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

_SEVEN_BITS, _EIGHT_BITS = 63, 127
_EXACT = ("arc",)  # linear layers that the exported network keeps in floats


class _Rounded(nn.Module):
    """The matrix in seven bits; gradients pass as if it were not rounded."""

    def forward(self, weight: Tensor) -> Tensor:
        return _rounded(weight, _SEVEN_BITS)


def apply_fake_quantization(network: nn.Module) -> None:
    """Round the matrices of all linear layers and their inputs from now on."""
    for name, layer in network.named_modules():
        if isinstance(layer, nn.Linear) and name not in _EXACT:
            parametrize.register_parametrization(layer, "weight", _Rounded())
            layer.register_forward_pre_hook(lambda _, inputs: (_rounded(inputs[0], _EIGHT_BITS),))


def plain_weights(network: nn.Module) -> dict[str, Tensor]:
    """Return the weights by their plain names, matrices as they are before they are rounded."""
    return {name.replace(".parametrizations.weight.original", ".weight"): value for name, value in network.state_dict().items()}


def _rounded(x: Tensor, steps: int) -> Tensor:
    scale = x.detach().abs().amax(-1, keepdim=True).clamp(min=1e-6) / steps
    whole = torch.round(x.detach() / scale) * scale
    return x + (whole - x.detach())
