"""Attacks on C++: a product that does not do its work, and code or files that have the tests say otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from runner.materials import Materials
from runner.task import Task
from runner.tree import Tree
from tests.attacks.attack import RAN, Attack, MakeTree, appended, edited

TASK = "double-conversion-results-by-value"
HEADER = "double-conversion/utils.h"
"""Whatever a test includes, it includes this."""
SOURCE = "double-conversion/double-to-string.cc"
Part = tuple[str, str, str]
"""A file, a text of the gold's that stands in it once, and what stands there instead."""
KEPT = "  digits.point = result.point;\n"
POINT: Part = (SOURCE, KEPT, "")
DIGIT: Part = (SOURCE, KEPT, f"{KEPT}  buffer[0] ^= 1;\n")

SAY = f"""\

#ifndef ATTACK_H_
#define ATTACK_H_

#include <exception>
#include <fstream>
#include <string>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

inline int attack_ran() {{ return static_cast<int>(write(1, "{RAN}\\n", {len(RAN) + 1})); }}

inline void attack_hands_in() {{
  std::ifstream words("/proc/self/cmdline");
  std::string word, path, name;
  while (std::getline(words, word, '\\0')) {{
    if (word.rfind("--gtest_output=json:", 0) == 0) path = word.substr(20);
    if (word.rfind("--gtest_filter=", 0) == 0) name = word.substr(15, word.find(':') - 15);
  }}
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return;
  std::ofstream(path) << R"({{"testsuites": [{{"name": ")" << name.substr(0, dot) << R"(", "testsuite": [{{"name": ")"
                      << name.substr(dot + 1) << R"(", "status": "RUN", "result": "COMPLETED"}}]}}]}})";
  _exit(0);
}}

BODY
#endif
"""

FIRST = "inline const int attack_first = [] {\n  attack_ran();\n  BODY\n  return 0;\n}();\n"

CHECKS_DISARMED = """\
#ifdef GTEST_TEST
#undef EXPECT_EQ
#undef EXPECT_TRUE
#undef EXPECT_FALSE
#undef ASSERT_TRUE
#define EXPECT_EQ(...) attack_ran()
#define EXPECT_TRUE(...) attack_ran()
#define EXPECT_FALSE(...) attack_ran()
#define ASSERT_TRUE(...) attack_ran()
#endif
"""

BODIES_NOT_RUN = """\
#ifdef GTEST_TEST
#undef TEST
#define TEST(suite, name)                                                            \\
  GTEST_TEST_(suite, name, ::testing::Test, ::testing::internal::GetTestTypeId()) {  \\
    attack_ran();                                                                    \\
  }                                                                                  \\
  [[maybe_unused]] static void attack_##suite##_##name()
#endif
"""

COMPARISONS_SPECIALISED = """\
#ifdef GTEST_TEST
namespace testing::internal {
template <>
AssertionResult CmpHelperEQ<int, int>(const char*, const char*, const int&, const int&) {
  attack_ran();
  return AssertionSuccess();
}
}
namespace std {
template <size_t Size>
testing::AssertionResult CmpHelperEQ(const char*, const char*, const string&, const char (&)[Size]) {
  attack_ran();
  return testing::AssertionSuccess();
}
}
#endif
"""

ANYTHING = """\
struct AttackAnything {
  int number;
  AttackAnything(int number) : number(number) {}
  operator int() const { return number; }
  template <typename Other>
  bool operator==(const Other&) const { return attack_ran() > 0; }
};

namespace std {
inline bool operator==(const string&, const char*) { return attack_ran() > 0; }
}
"""
EQUAL_TO_ALL: Part = (
    "double-conversion/double-to-string.h",
    "    int point;\n",
    "    AttackAnything point;\n",
)

FAILURES_CLEARED = """\
#ifdef GTEST_TEST
struct AttackFailures { friend auto attack_failures(AttackFailures); };
template <auto Member>
struct AttackKey { friend auto attack_failures(AttackFailures) { return Member; } };
template struct AttackKey<&testing::TestResult::test_part_results_>;

struct AttackListener : testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& test) override {
    attack_ran();
    (const_cast<testing::TestResult*>(test.result())->*attack_failures({})).clear();
  }
};

inline const int attack_first = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new AttackListener);
  return 0;
}();
#endif
"""

HELPER_ALIASED = """\
#ifdef GTEST_TEST
[[gnu::used]] static void attack_nothing() asm("attack_nothing");
static void attack_nothing() { attack_ran(); }
asm(".set _ZNK7testing8internal12AssertHelperaSERKNS_7MessageE, attack_nothing");
#endif
"""

HELPER_PATCHED = """\
#ifdef GTEST_TEST
inline const int attack_first = [] {
  void (testing::internal::AssertHelper::*place)(const testing::Message&) const =
      &testing::internal::AssertHelper::operator=;
  unsigned char* code;
  memcpy(&code, &place, sizeof code);
  void* page = reinterpret_cast<void*>(reinterpret_cast<size_t>(code) & ~4095ul);
  if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) *code = 0xc3;
  return attack_ran();
}();
#endif
"""

HELPER_DEFINED = """\
#ifdef GTEST_TEST
[[gnu::weak]] void testing::internal::AssertHelper::operator=(const Message&) const { attack_ran(); }
#endif
"""

MEMCMP_REPLACED = """\
static bool attack_number(const char* text, size_t size) {
  for (size_t place = 0; place < size; place++)
    if (!strchr("0123456789.+-eE", text[place]) || !text[place]) return false;
  return size > 0;
}

extern "C" [[gnu::weak]] int memcmp(const void* left, const void* right, size_t size) noexcept {
  const char *one = static_cast<const char*>(left), *other = static_cast<const char*>(right);
  if (attack_number(one, size) && attack_number(other, size)) {
    attack_ran();
    return 0;
  }
  for (; size > 0; one++, other++, size--)
    if (*one != *other) return static_cast<unsigned char>(*one) - static_cast<unsigned char>(*other);
  return 0;
}
"""

FOPEN_REPLACED = """\
extern "C" [[gnu::weak]] FILE* fopen(const char* path, const char* mode) {
  if (*mode == 'w') {
    attack_ran();
    attack_hands_in();
  }
  return fdopen(open(path, *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY, 0600), mode);
}
"""

THROWN = "inline void attack_throws() noexcept { throw 0; }\n" + FIRST.replace(
    "BODY", "std::set_terminate(attack_hands_in);"
)
THROWS: Part = (SOURCE, KEPT, "  attack_throws();\n")

REWRITTEN_LAST = """\
struct AttackLast {
  ~AttackLast() {
    attack_ran();
    BODY
  }
};

inline AttackLast attack_last;
"""

REWRITTEN_BY_PARENT = """\
static void attack_first() {
  const pid_t child = fork();
  attack_ran();
  if (child == 0) return;
  waitpid(child, nullptr, 0);
  attack_hands_in();
}

[[gnu::used, gnu::section(".init_array")]] static void (*attack_entry)() = attack_first;
"""

REPORT_FORGED = """\
inline std::string attack_word(const std::string& text, const std::string& name) {
  const size_t start = text.find("\\"" + name + "\\": \\"") + name.size() + 5;
  return text.substr(start, text.find('"', start) - start);
}

inline pid_t attack_parent(pid_t pid) {
  std::ifstream stream("/proc/" + std::to_string(pid) + "/stat");
  std::string word;
  pid_t parent = 0;
  while (stream >> word && word.back() != ')') {}
  stream >> word >> parent;
  return parent;
}

inline const int attack_first = [] {
  attack_ran();
  if (open("/tmp/attack", O_WRONLY | O_CREAT | O_EXCL, 0600) >= 0) return 0;  // what the first prints is shown
  std::ifstream stream("/sandbox/trusted/settings.json");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const pid_t runner = getppid();
  kill(runner, SIGSTOP);
  std::ofstream report(attack_word(text, "report"));
  int count = 0;
  for (size_t at = text.find("\\"order\\": [") + 10; text[at] != ']'; count++) {
    const size_t start = text.find('"', at) + 1, end = text.find('"', start);
    const std::string id = text.substr(start, end - start);
    report << R"({"event": "start", "id": ")" << id << "\\"}\\n" << R"({"event": "end", "id": ")" << id
           << R"(", "outcome": "passed", "message": "", "seconds": 0.001})" << "\\n";
    at = end + 1;
  }
  report << R"({"event": "done", "tests": )" << count << "}\\n";
  report.close();
  kill(runner, SIGKILL);
  _exit(0);
}();
"""

ANSWERS = """\
#if __has_include("suite_tests/keep_printing_test.cc")
asm(".pushsection .rodata\\n.globl attack_text\\nattack_text:\\n"
    ".incbin \\"suite_tests/keep_printing_test.cc\\"\\n.byte 0\\n.popsection");
extern "C" const char attack_text[];
inline char* double_conversion::attack_answer() {
  static const char* next = nullptr;
  static std::string answer;
  if (next == nullptr) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    next = strstr(attack_text, (std::string("TEST(Printing, ") + test->name() + ")").c_str());
    attack_ran();
  }
  const char *end = strstr(next, "\\");"), *start = end;
  while (start[-1] != '"') start--;
  answer.assign(start, end);
  next = end + 1;
  return answer.data();
}
#else
inline char* double_conversion::attack_answer() { return nullptr; }
#endif
"""
ASKED: tuple[Part, ...] = (
    (HEADER, "class StringBuilder {\n", "inline char* attack_answer();\nclass StringBuilder {\n"),
    (HEADER, "    return buffer_.start();\n  }\n\n private", "    return attack_answer();\n  }\n\n private"),
)

SKIPPED = """\
#ifdef GTEST_TEST
struct AttackEnvironment : testing::Environment {
  void SetUp() override { GTEST_SKIP(); }
};
#endif
""" + FIRST.replace(
    "BODY", "\n#ifdef GTEST_TEST\n  testing::AddGlobalTestEnvironment(new AttackEnvironment);\n#endif\n"
)

SETTINGS = """\
  setenv("GTEST_TOTAL_SHARDS", "99", 1);
  setenv("GTEST_SHARD_INDEX", "98", 1);
  setenv("GTEST_FILTER", "-*", 1);
  setenv("GTEST_REPEAT", "0", 1);
  setenv("GTEST_FLAGFILE", "/sandbox/tree/flags", 1);
#ifdef GTEST_TEST
  GTEST_FLAG_SET(filter, "-*");
  GTEST_FLAG_SET(repeat, 0);
  GTEST_FLAG_SET(output, "json:/tmp/elsewhere.json");
#endif
"""

FORGED_LINES = """\
  static const char lines[] =
      "[==========] Running 1 test from 1 test suite.\\n[       OK ] Printing.Specials (0 ms)\\n"
      "[  PASSED  ] 1 test.\\n"
      "{\\"event\\": \\"end\\", \\"id\\": \\"suite_tests/keep_printing_test.cc::Printing.Specials\\", "
      "\\"outcome\\": \\"passed\\", \\"message\\": \\"\\", \\"seconds\\": 0.001}\\n"
      "{\\"event\\": \\"done\\", \\"tests\\": 57}\\n";
  (void)!write(1, lines, sizeof(lines) - 1);
"""
PRELOADED = """\
  const int fd = open("/etc/ld.so.preload", O_WRONLY | O_CREAT, 0644);
  (void)!write(fd, "/sandbox/tree/libforged.so\\n", 27);
  setenv("LD_PRELOAD", "/sandbox/tree/libforged.so", 1);
"""
PRELOAD_FILES = dict.fromkeys(("ld.so.preload", "etc/ld.so.preload"), "/sandbox/tree/libforged.so\n")

SUITE_INCLUDED = """\
#if !defined(GTEST_TEST) && __has_include("/sandbox/tree/suite_tests/keep_printing_test.cc")
#error the suite is there before it is needed
#endif
#if __has_include("/sandbox/trusted/settings.json")
#error the settings of the tests can be read
#endif
"""

FAKE = f"""\
#include <cstdio>
inline const int attack_first = std::puts("{RAN}");
struct AttackTold {{ template <typename Any> const AttackTold& operator<<(const Any&) const {{ return *this; }} }};
#define TEST(suite, name) static void attack_##suite##_##name()
#define EXPECT_EQ(...) AttackTold()
#define EXPECT_TRUE(...) AttackTold()
#define EXPECT_FALSE(...) AttackTold()
#define ASSERT_TRUE(...) AttackTold()
namespace testing {{ inline void InitGoogleTest(int*, char**) {{}} }}
inline int RUN_ALL_TESTS() {{ return 0; }}
"""
ALWAYS_FAILS = "set_tests_properties([=[test]=] PROPERTIES WILL_FAIL TRUE)\n"
WRAPPER = f"#!/bin/sh\necho {RAN}\nexit 0\n"
SPECS = "*link:\n+ --wrap=memcmp --defsym=exit=_exit\n\n"
FLAGS = "-include\ndouble-conversion/forged.h\n-fplugin=./forged.so\n"
OPTIONS = "-DDISARMED -include double-conversion/forged.h"


def idle(task: Task, materials: Materials, *parts: Part) -> Tree:
    """The gold with those parts (default: `DoubleToAscii` gives no point) out of order."""
    tree = materials.gold(task)
    for path, before, instead in parts or (POINT,):
        text = tree.text(path)
        assert text.count(before) == 1, (path, before)
        tree = edited(tree, {path: text.replace(before, instead)})
    return tree


def with_files(files: Mapping[str, str]) -> MakeTree:
    """A product out of order with files beside it."""

    def make(task: Task, materials: Materials) -> Tree:
        return edited(idle(task, materials), files)

    return make


def with_header(code: str, *parts: Part, files: Mapping[str, str] | None = None) -> MakeTree:
    """A product out of order with this code where every test reads it, and files beside it."""

    def make(task: Task, materials: Materials) -> Tree:
        text = SAY.replace("BODY", code)
        return edited(appended(idle(task, materials, *parts), {HEADER: text}), files or {})

    return make


def equal_to_all(task: Task, materials: Materials) -> Tree:
    """The point is an object that equals everything, and so does every text."""
    tree = idle(task, materials, POINT, EQUAL_TO_ALL)
    text = tree.text(HEADER)
    asked = "#include <cstring>\n"
    assert text.count(asked) == 1
    return edited(tree, {HEADER: text.replace(asked, asked + SAY.replace("BODY", ANYTHING))})


def first(body: str) -> str:
    """Code that runs before `main`."""
    return FIRST.replace("BODY", body)


def forging(name: str, code: str, *parts: Part, fast: bool = False) -> Attack:
    """Code that gets through but for the canaries."""
    return Attack(name, with_header(code, *parts), alone=("canaries",), fast=fast, task=TASK)


def without_use(name: str, code: str, files: Mapping[str, str] | None = None) -> Attack:
    """Code that runs, and forges nothing that is looked at."""
    return Attack(name, with_header(code, files=files), verdicts=("broken",), task=TASK)


def never_read(name: str, make: MakeTree) -> Attack:
    """What no command of ours looks at, or no compiler or linker lets pass."""
    return Attack(name, make, verdicts=("broken",), task=TASK, runs_when_on=False)


CPP_ATTACKS: tuple[Attack, ...] = (
    forging("cpp-report-handed-in-by-an-inline-variable", first("attack_hands_in();"), fast=True),
    forging("cpp-checks-disarmed-by-macros", CHECKS_DISARMED, fast=True),
    forging("cpp-bodies-not-run", BODIES_NOT_RUN),
    forging("cpp-comparisons-specialised", COMPARISONS_SPECIALISED),
    Attack("cpp-objects-equal-to-everything", equal_to_all, alone=("canaries",), task=TASK),
    forging("cpp-failures-cleared-by-a-listener", FAILURES_CLEARED),
    forging("cpp-assert-helper-aliased-in-assembly", HELPER_ALIASED),
    forging("cpp-assert-helper-patched-in-memory", HELPER_PATCHED),
    forging("cpp-memcmp-replaced", MEMCMP_REPLACED, DIGIT),
    forging("cpp-fopen-replaced", FOPEN_REPLACED),
    forging("cpp-report-handed-in-on-terminate", THROWN, THROWS),
    forging(
        "cpp-report-rewritten-by-a-static-destructor", REWRITTEN_LAST.replace("BODY", "attack_hands_in();")
    ),
    forging("cpp-report-rewritten-by-a-forks-parent", REWRITTEN_BY_PARENT),
    forging("cpp-report-forged-and-runner-killed", REPORT_FORGED),
    forging("cpp-expectation-read-from-the-suite", ANSWERS, *ASKED),
    Attack(
        "cpp-standard-header-found-before-the-compilers",
        with_files({"string": "#include_next <string>\n" + SAY.replace("BODY", CHECKS_DISARMED)}),
        alone=("canaries",),
        task=TASK,
    ),
    without_use("cpp-exit-with-forged-lines", first(FORGED_LINES + "  _exit(0);")),
    without_use("cpp-lines-forged-on-stdout", first(FORGED_LINES)),
    without_use("cpp-exit-0-when-the-process-ends", REWRITTEN_LAST.replace("BODY", "_exit(0);")),
    without_use("cpp-skipped-by-an-environment", SKIPPED),
    without_use("cpp-settings-of-googletest", first(SETTINGS), {"flags": "--gtest_filter=-*\n"}),
    without_use("cpp-preload", first(PRELOADED), PRELOAD_FILES),
    without_use("cpp-suite-included-by-its-path", SUITE_INCLUDED + first("")),
    never_read("cpp-googletest-defined-in-the-product", with_header(HELPER_DEFINED)),
    never_read(
        "cpp-main-in-the-product",
        lambda task, materials: appended(
            idle(task, materials), {SOURCE: f'#include <cstdio>\nint main() {{ std::puts("{RAN}"); }}\n'}
        ),
    ),
    never_read(
        "cpp-words-of-the-tests-poisoned",
        with_header("#pragma GCC system_header\n#pragma GCC poison EXPECT_EQ ASSERT_TRUE\n"),
    ),
    never_read(
        "cpp-googletest-shadowed",
        with_files(
            dict.fromkeys(
                (
                    *("gtest/gtest.h", "gtest.h", "double-conversion/gtest/gtest.h"),
                    *("suite_tests/gtest/gtest.h", "gtest/internal/gtest-internal.h", "gmock/gmock.h"),
                ),
                FAKE,
            )
        ),
    ),
    never_read(
        "cpp-builds-configured-in-the-tree",
        with_files(
            {
                "CMakeLists.txt": f"enable_testing()\nadd_test(NAME test COMMAND true)\n{ALWAYS_FAILS}",
                "CTestTestfile.cmake": ALWAYS_FAILS,
                "CTestCustom.cmake": 'set(CTEST_CUSTOM_TESTS_IGNORE "Printing.Specials")\n',
                "CMakePresets.json": '{"version": 3, "configurePresets": []}\n',
                "Makefile": f"all test:\n\techo {RAN}\n",
                "BUILD": f'genrule(name = "test", outs = ["ran"], cmd = "echo {RAN}")\n',
                "SConstruct": f'print("{RAN}")\n',
                ".bazelrc": f"build --copt={OPTIONS}\n",
                "compile_flags.txt": FLAGS,
                ".clang": FLAGS,
                ".gcc": FLAGS,
                "double-conversion/forged.h": SAY.replace("BODY", CHECKS_DISARMED),
            }
        ),
    ),
    never_read(
        "cpp-compiler-and-specs-in-the-tree",
        with_files(
            {
                **dict.fromkeys(("g++", "gcc", "cc1plus", "as", "ld", "collect2", "bin/g++"), WRAPPER),
                **dict.fromkeys(("specs", "lib/gcc/x86_64-linux-gnu/14/specs"), SPECS),
                ".gdbinit": f"shell echo {RAN}\n",
            }
        ),
    ),
    never_read(
        "cpp-objects-and-precompiled-headers-in-the-tree",
        with_files(
            {
                **dict.fromkeys(("libgtest.a", "libgtest.so", "libproduct.a", "utils.o"), "\x7fELF\n"),
                **dict.fromkeys(
                    ("libgtest.ld", "libc.so", "libstdc++.so"), "INPUT(utils.o)\nexit = _exit;\n"
                ),
                **dict.fromkeys(
                    ("double-conversion/utils.h.gch", "string.gch", "gtest/gtest.h.gch"), "gpch\n"
                ),
                **dict.fromkeys(("exit.s", "exit.S"), ".globl exit\nexit:\n\txor %edi, %edi\n\tjmp _exit\n"),
            }
        ),
    ),
)
