"""Java: the product is compiled when a source changed, each unit on its own, and run in a JVM of its own."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.mechanisms import Mechanisms
from runner.plan import Pass
from runner.task import Task
from runner.toolchains import BUILD, TREE, TRUSTED, Command
from runner.toolchains.events import EventReports
from runner.toolchains.shared import RUN_SUITE, SYSTEM_PYTHON, pass_settings, recorder_files

FILES = Path(__file__).with_name("java_files")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
"""No variable that the JVM takes options from."""
BUILD_PRODUCT = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/build_product.py")
BUILD_SUITE = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/build_suite.py")
JUNIT_OF_A_TREE = ("**/junit-platform.properties", "**/META-INF/services/org.junit.*")


class JavaToolchain(EventReports):
    """JDK 21 with JUnit 5."""

    name = "java"
    image = "java"
    frameworks = ("junit5",)
    image_keys = ("release",)
    protected = (
        *(
            "pom.xml",
            "**/pom.xml",
            ".mvn/**",
            "**/*.gradle",
            "**/*.gradle.kts",
            "gradle.properties",
            "gradle/**",
        ),
        *("build.xml", "**/*.class", "**/*.jar", "**/*.so", "**/lombok.config", *JUNIT_OF_A_TREE),
        "**/META-INF/services/javax.annotation.processing.Processor",
    )
    buildable = ("pom.xml", "**/pom.xml", "**/*.gradle", "**/*.gradle.kts", "gradle.properties", "build.xml")
    steering = (
        *JUNIT_OF_A_TREE,
        "**/org/junit/**",
        "**/META-INF/services/javax.annotation.processing.Processor",
    )

    def outdated(self, path: str) -> tuple[str, ...]:
        """Nothing: the build goes by what is in the sources."""
        return ()

    def build_files(self, task: Task) -> Mapping[str, bytes]:
        """The script that compiles the product, and its settings."""
        options = [word for release in task.image.option("release") for word in ("--release", release)]
        settings = {"build": BUILD, "roots": _roots(task), "options": options}
        return {**_files("build_product.py", "javac.py"), "build.json": json.dumps(settings).encode()}

    def build(self, task: Task, changed: Sequence[str]) -> Command | None:
        """Compile every source under the import roots, unless all are as they were."""
        return Command(BUILD_PRODUCT, ENVIRONMENT)

    def build_tests(self, task: Task) -> Command | None:
        """The classes of each unit."""
        return Command(BUILD_SUITE, ENVIRONMENT)

    def trusted_files(self, task: Task, work: Pass) -> Mapping[str, bytes]:
        """The scripts that build and run the suite, and their settings."""
        units = {unit.file for unit in task.suite.units}
        settings = pass_settings(
            task,
            work,
            helpers=sorted(path for path in task.suite.files if path.endswith(".java") and path not in units),
            flags=[f"-Xmx{max(task.limits.memory_mb // 2, 64)}m", "-XX:+DisableAttachMechanism", "-Xss1m"],
            resources=":".join(posixpath.normpath(f"{TREE}/{root}") for root in _roots(task)),
        )
        return {**_files("build_suite.py", "javac.py", "run_suite.py"), **recorder_files(), **settings}

    def compiled_away(self, task: Task) -> tuple[str, ...]:
        """All Java files of the suite; what else it brings is there for the tests to read."""
        return tuple(path for path in task.suite.files if path.endswith(".java"))

    def test(self, task: Task, mechanisms: Mechanisms) -> Command:
        """The trusted script."""
        return Command(RUN_SUITE, ENVIRONMENT)

    def image_script(self, task: Task) -> str:
        """The base's classes."""
        variables = " ".join(f"'{name}={value}'" for name, value in ENVIRONMENT.items())
        command = " ".join(BUILD_PRODUCT)
        return f"echo '::step:: base'\ncd /sandbox/tree\nenv -i HOME=/tmp {variables} {command}\ncd /\n"

    def guide(self, task: Task) -> str:
        """Compiler, source roots, what is not read."""
        roots = ", ".join(f"`{root}`" for root in _roots(task))
        return (
            f"JDK 21, no network, no annotation processors. Every `.java` file under {roots} is compiled together; "
            "`pom.xml` and Gradle files are not read. Hidden tests are JUnit 5 classes that are compiled against "
            "the product."
        )


def _roots(task: Task) -> list[str]:
    return [posixpath.normpath(root) for root in task.image.import_roots]


def _files(*names: str) -> Mapping[str, bytes]:
    return {name: (FILES / name).read_bytes() for name in names}
