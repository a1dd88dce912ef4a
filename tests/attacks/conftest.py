"""The arena, for every attack of the session."""

from __future__ import annotations

import pytest

from runner.evidence import EvidenceStore
from runner.host import Host
from runner.task import Benchmark
from tests.attacks.attack import Arena


@pytest.fixture
def arena(benchmark: Benchmark, host: Host, store: EvidenceStore) -> Arena:
    """Where attacks are tried."""
    return Arena(benchmark, host, store)
