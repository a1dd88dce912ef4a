"""Every language that Assay knows."""

from __future__ import annotations

from runner.toolchains import Toolchain
from runner.toolchains.c import CToolchain
from runner.toolchains.cpp import CppToolchain
from runner.toolchains.go import GoToolchain
from runner.toolchains.java import JavaToolchain
from runner.toolchains.node import NodeToolchain
from runner.toolchains.python import PythonToolchain
from runner.toolchains.rust import RustToolchain

TOOLCHAINS: dict[str, Toolchain] = {
    "python": PythonToolchain(),
    "go": GoToolchain(),
    "rust": RustToolchain(),
    "java": JavaToolchain(),
    "c": CToolchain(),
    "cpp": CppToolchain(),
    "typescript": NodeToolchain("typescript", ("vitest",)),
    "javascript": NodeToolchain("javascript", ("vitest", "node-test")),
}
