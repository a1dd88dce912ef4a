"""The disk that images take: layers that several share count once."""

from __future__ import annotations

from collections.abc import Mapping

Layers = tuple[str, ...]


def disk_bytes(images: Mapping[Layers, int]) -> int:
    """Bytes of all the images together, each given by its layers, lowest first, and its whole size."""
    return sum(size - _below(layers, images) for layers, size in images.items())


def _below(layers: Layers, images: Mapping[Layers, int]) -> int:
    """The size of the largest of the images that this one stands on."""
    return max((images.get(layers[:count], 0) for count in range(len(layers))), default=0)
