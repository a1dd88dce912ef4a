"""Every language that Assay knows."""

from __future__ import annotations

from runner.toolchains import Toolchain
from runner.toolchains.python import PythonToolchain

TOOLCHAINS: dict[str, Toolchain] = {
    "python": PythonToolchain(),
}
