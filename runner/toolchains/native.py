"""What C and C++ share: the product is built by a builder of ours, without reading CMakeLists, Makefile or configure.

`native_files/build_product.py` compiles every file of the patched tree that `[image] sources` names, and makes
the static library BUILD/libproduct.a of them anew each time. An object is kept only while its command, the content
of every file that went into it, and the places of all files of the same names are what they were (no time stamp
counts), so a header that appears before another in the search path rebuilds what it shadows, and one that is gone
breaks the build. `native_files/native.py` is imported by it and by a language's own `build_suite.py`:

    native = Native(settings(TRUSTED_FOLDER))   settings.json or build.json, laid beside it
    native.compile(source, object)              '' or `path:line: error text`; suffix .c: gcc, all else: g++
    native.compile(source, object, own=True)    the same without the product's include folders, defines and flags
    native.link(objects, program, libraries)    '' or why not; libproduct.a and `[image] libraries` come after
    native.each_unit(build)                     calls build(unit file, its empty folder) for every unit of the suite
                                                and notes what it returns, if not '', in BUILD/uncollected.json
    native.folder_of(unit)                      where a unit is built: BUILD/units/<unit>
    native.uncollected()                        unit to why it was not built, for the runner of the tests

A language's module subclasses `NativeToolchain`, which holds everything but name, frameworks and files of its own:
`own_files` is its folder with `build_suite.py` and `run_suite.py`.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.globs import regex
from runner.mechanisms import Mechanisms
from runner.plan import Pass
from runner.task import Task
from runner.toolchains import BUILD, TREE, TRUSTED, Command
from runner.toolchains.events import EventReports
from runner.toolchains.shared import RUN_SUITE, SYSTEM_PYTHON, pass_settings, recorder_files

NATIVE_FILES = Path(__file__).with_name("native_files")
SOURCE_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp")
BUILD_PRODUCT = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/build_product.py")
BUILD_SUITE = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/build_suite.py")
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TMPDIR": f"{BUILD}/scratch",
    "SOURCE_DATE_EPOCH": "0",
}
BUILD_CONFIGURATION = (
    *("**/CMakeLists.txt", "**/*.cmake", "CMakePresets.json", "**/meson.build", "meson_options.txt"),
    *("**/Makefile", "**/makefile", "**/GNUmakefile", "**/*.mk", "**/Makefile.am", "**/Makefile.in"),
    *("configure", "configure.ac", "configure.in", "**/BUILD.bazel"),
)
COMPILED = (
    *("**/*.o", "**/*.a", "**/*.so", "**/*.so.*", "**/*.lo", "**/*.la", "**/*.obj", "**/*.lib", "**/*.bc"),
    *("**/*.gch", "**/*.gch/**", "**/*.pch", "**/*.gcm", "**/gcm.cache/**"),
)
"""What was compiled elsewhere is never taken: a `.gch` beside a header is read in its place."""


class NativeToolchain(EventReports):
    """The part of a toolchain that C and C++ have in common."""

    name: str
    frameworks: tuple[str, ...]
    own_files: Path
    default_std: str
    image = "cpp"
    image_keys = ("sources", "exclude", "includes", "defines", "flags", "std", "libraries")
    protected = (*COMPILED, *BUILD_CONFIGURATION)
    buildable = BUILD_CONFIGURATION
    steering = ("**/CTestTestfile.cmake", "**/CTestCustom.cmake", "**/DartConfiguration.tcl")

    def outdated(self, path: str) -> tuple[str, ...]:
        """Nothing: what was built of a file lies outside the tree, and the builder compares contents."""
        return ()

    def build_files(self, task: Task) -> Mapping[str, bytes]:
        """The builder and what it is to build."""
        option = task.image.option
        settings = {
            "tree": TREE,
            "build": BUILD,
            "sources": [regex(glob) for glob in option("sources") or ("**/*.c", "**/*.cc", "**/*.cpp")],
            "exclude": [regex(glob) for glob in option("exclude")],
            "includes": list(option("includes")),
            "defines": list(option("defines")),
            "flags": list(option("flags")),
            "std": (option("std") or (self.default_std,))[0],
            "std_of": self.name,
            "libraries": list(option("libraries")),
            "units": [unit.file for unit in task.suite.units],
        }
        files = {path.name: path.read_bytes() for path in sorted(NATIVE_FILES.glob("*.py"))}
        return {**files, "build.json": json.dumps(settings).encode()}

    def build(self, task: Task, changed: Sequence[str]) -> Command | None:
        """Compile what the patch touched, if only by removing it."""
        return Command(argv=BUILD_PRODUCT, env=ENVIRONMENT)

    def build_tests(self, task: Task) -> Command | None:
        """Compile and link every unit on its own against the library."""
        return Command(argv=BUILD_SUITE, env=ENVIRONMENT)

    def trusted_files(self, task: Task, work: Pass) -> Mapping[str, bytes]:
        """The builder, the language's own two scripts, the recorder and the pass."""
        own = {path.name: path.read_bytes() for path in sorted(self.own_files.iterdir()) if path.is_file()}
        return {**self.build_files(task), **own, **recorder_files(), **pass_settings(task, work)}

    def compiled_away(self, task: Task) -> tuple[str, ...]:
        """Every source and header of the suite."""
        return tuple(path for path in task.suite.files if path.endswith(SOURCE_SUFFIXES))

    def test(self, task: Task, mechanisms: Mechanisms) -> Command:
        """The trusted runner of the tests."""
        return Command(argv=RUN_SUITE, env=ENVIRONMENT)

    def image_script(self, task: Task) -> str:
        """Build the base as every sandbox does."""
        variables = " ".join(f"{name}={shlex.quote(value)}" for name, value in ENVIRONMENT.items())
        return f"echo '::step:: build of the base'\ncd {TREE}\nenv -i {variables} {shlex.join(BUILD_PRODUCT)}\ncd /\n"
