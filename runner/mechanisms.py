"""The things that stand between a patch and a false `resolved`, each with a switch.

Only tests turn one off, by the constructor argument, to show what the others catch alone.
Neither the command line nor the settings reach these.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Mechanisms:
    """All on. `Mechanisms.only("canaries")` and `Mechanisms.none()` are for tests of one mechanism."""

    test_roots: bool = True
    """Upstream's test roots, and what the patch did in them, are emptied before the suite is laid."""
    protected_paths: bool = True
    """Runner and build configuration, start-up hooks and compiled modules come from the base tree."""
    trusted_launch: bool = True
    """The test runner starts isolated with our configuration, before the product can be imported."""
    suite_ownership: bool = True
    """The suite and our runner files belong to root, in parents that the product cannot rename."""
    sweep: bool = True
    """Every process of the sandbox user is killed between phases; /tmp, /dev/shm, HOME and IPC are emptied."""
    exact_ids: bool = True
    """The ids reported are the suite's, each exactly once, none skipped, and none that is not the suite's."""
    completion: bool = True
    """A report counts only with its closing record; a process that left early is `broken`."""
    canaries: bool = True
    """A test that passes as itself and as its canary is forged."""
    structure: bool = True
    """The task's own rules: what must be gone, what must be there."""
    residue: bool = True
    """Old code kept out of sight, and newly added execution of computed text."""

    @classmethod
    def none(cls) -> Mechanisms:
        """Every mechanism off."""
        return cls(**{field.name: False for field in fields(cls)})

    @classmethod
    def only(cls, *names: str) -> Mechanisms:
        """Only the named mechanisms on."""
        return cls(**{field.name: field.name in names for field in fields(cls)})
