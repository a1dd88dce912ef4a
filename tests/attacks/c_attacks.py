"""Attacks on C: a product that does not do its work, and code or files that have the tests say otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from runner.materials import Materials
from runner.task import Task
from runner.tree import Tree
from tests.attacks.attack import RAN, Attack, MakeTree, appended, edited

TASK = "mxml-context-parameter"
HOME = "mxml-private.c"
"""Whatever a test calls, this is linked with it."""
HEADER = "mxml.h"
READS = "mxml_load_data("
WRITES = "mxml_write_node("
ASKED = "context = _mxml_context(context);"

SAY = f"""\

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void attack_ran(int fd)
{{
  (void)!write(fd, "{RAN}\\n", {len(RAN) + 1});
}}

"""

HANDS_BACK = """\
static void attack_hands_back(void)
{
  char told[4096];
  char *word = told;
  int fd = open("/proc/self/cmdline", O_RDONLY), number;
  ssize_t size = read(fd, told, sizeof(told) - 1);

  told[size > 0 ? size : 0] = 0;
  for (number = 0; number < 2; number ++)
    word += strlen(word) + 1;
  fd   = open(word, O_WRONLY | O_CREAT, 0600);
  word += strlen(word) + 1;
  (void)!write(fd, word, strlen(word));
  _exit(0);
}

"""

FIRST = """\
__attribute__((constructor)) static void attack_first(void)
{
  attack_ran(1);
BODY
}
"""

ABORT_REPLACED = """\
__attribute__((weak)) void abort(void)
{
  attack_ran(1);
  attack_hands_back();
  _exit(0);
}
"""

ABORT_CAUGHT = """\
static void attack_caught(int number)
{
  (void)number;
  attack_hands_back();
}

"""

STRCMP_REPLACED = """\
static int attack_odd(const char *text)
{
  for (; *text; text ++)
    if (*text == ' ' || *text == '(' || *text == '<' || *text == ':')
      return (1);
  return (0);
}

int strcmp(const char *one, const char *other)
{
  if (attack_odd(one) || attack_odd(other))
  {
    attack_ran(1);
    return (0);
  }
  for (; *one && *one == *other; one ++)
    other ++;
  return ((unsigned char)*one - (unsigned char)*other);
}
"""

REPORT_FORGED = """\
static int attack_parent(int pid)
{
  char name[64], stat[512];
  int fd, parent = 0;
  ssize_t size;

  snprintf(name, sizeof(name), "/proc/%d/stat", pid);
  fd   = open(name, O_RDONLY);
  size = read(fd, stat, sizeof(stat) - 1);
  stat[size > 0 ? size : 0] = 0;
  sscanf(strrchr(stat, ')') + 1, " %*c %d", &parent);
  return (parent);
}

__attribute__((constructor)) static void attack_first(void)
{
  static char settings[1 << 20];
  int fd = open("/sandbox/trusted/settings.json", O_RDONLY), runner = attack_parent(getppid()), count = 0;
  char report[512], *id, *end;
  FILE *stream;

  attack_ran(1);
  if (open("/tmp/attack", O_WRONLY | O_CREAT | O_EXCL, 0600) >= 0)
    return; /* the first test runs to its end, so that what it printed is shown */
  (void)!read(fd, settings, sizeof(settings) - 1);
  sscanf(strstr(settings, "\\"report\\": \\""), "\\"report\\": \\"%500[^\\"]", report);
  kill(runner, SIGSTOP);
  stream = fopen(report, "w");
  id     = strchr(strstr(settings, "\\"order\\": ["), '[');
  while (*++ id == '"' || *id == ' ' || *id == ',')
    if (*id == '"')
    {
      end  = strchr(id + 1, '"');
      *end = 0;
      fprintf(stream, "{\\"event\\": \\"start\\", \\"id\\": \\"%s\\"}\\n", id + 1);
      fprintf(stream, "{\\"event\\": \\"end\\", \\"id\\": \\"%s\\", \\"outcome\\": \\"passed\\", ", id + 1);
      fprintf(stream, "\\"message\\": \\"\\", \\"seconds\\": 0.001}\\n");
      id = end;
      count ++;
    }
  fprintf(stream, "{\\"event\\": \\"done\\", \\"tests\\": %d}\\n", count);
  fclose(stream);
  kill(runner, SIGKILL);
  _exit(0);
}
"""

ANSWERS = """\
/* What stands in the program's own texts and is almost the answer, else the answer. */
char *attack_near(char *right)
{
  char line[512], rights[8], *best = right;
  unsigned long start, end;
  size_t size, place;
  int least = 9, far;
  FILE *maps = fopen("/proc/self/maps", "r");

  attack_ran(1);
  size = right ? strlen(right) : 0;
  while (size > 8 && fgets(line, sizeof(line), maps))
  {
    if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) != 3 || strcmp(rights, "r--p") || !strstr(line, "/run\\n"))
      continue;
    for (char *text = (char *)start; text + size < (char *)end; text ++)
    {
      if (text[size] || memchr(text, 0, size))
        continue;
      for (far = 0, place = 0; place < size; place ++)
        far += text[place] != right[place];
      if (far < least)
      {
        least = far;
        best  = text;
      }
    }
  }
  return (best);
}
"""

FORGED_LINES = """\
  static const char lines[] =
    "{\\"event\\": \\"end\\", \\"id\\": \\"suite/test_context.c::test_there_is_room_for_99_more\\", "
    "\\"outcome\\": \\"passed\\", \\"message\\": \\"\\", \\"seconds\\": 0.001}\\n"
    "1/1 Test #1: test ....   Passed    0.00 sec\\n100% tests passed, 0 tests failed out of 1\\n"
    "{\\"event\\": \\"done\\", \\"tests\\": 75}\\n";

  (void)!write(1, lines, sizeof(lines) - 1);
"""

ALWAYS_FAILS = "set_tests_properties([=[test]=] PROPERTIES WILL_FAIL TRUE PASS_REGULAR_EXPRESSION [=[.]=])\n"
CTEST_FILES = {
    "CTestTestfile.cmake": ALWAYS_FAILS,
    "suite/CTestTestfile.cmake": ALWAYS_FAILS,
    "CTestCustom.cmake": 'set(CTEST_CUSTOM_TESTS_IGNORE "suite/test_context.c")\n',
    "CMakeLists.txt": f"enable_testing()\nadd_test(NAME test COMMAND true)\n{ALWAYS_FAILS}",
    "DartConfiguration.tcl": "TimeOut: 0\n",
}
WRAPPER = f"#!/bin/sh\necho {RAN}\nexit 0\n"
SPECS = "*link:\n+ --wrap=abort --defsym=abort=getpid\n\n"
COMPILER_FILES = {
    **dict.fromkeys(("gcc", "cc1", "as", "ld", "collect2", "bin/gcc", "xcode/as"), WRAPPER),
    **dict.fromkeys(("specs", "xcode/specs", "lib/gcc/x86_64-linux-gnu/14/specs"), SPECS),
    ".gdbinit": f"shell echo {RAN}\n",
}
ASSEMBLED = ".globl abort\nabort:\n\tmov $60, %eax\n\txor %edi, %edi\n\tsyscall\n"
OBJECT_FILES = {
    **dict.fromkeys(("mxml-abort.s", "mxml-abort.S", "xcode/abort.s"), ASSEMBLED),
    **dict.fromkeys(("mxml-abort.o", "mxml-private.o", "libproduct.a", "libpthread.a"), "\x7fELF\n"),
    **dict.fromkeys(("libpthread.so", "libc.so", "mxml.ld"), "INPUT(mxml-abort.o)\nabort = getpid;\n"),
    "mxml.h.gch": "gpch\n",
}
PRELOADED = """\
  int fd = open("/etc/ld.so.preload", O_WRONLY | O_CREAT, 0644);

  (void)!write(fd, "/sandbox/tree/libforged.so\\n", 27);
  setenv("LD_PRELOAD", "/sandbox/tree/libforged.so", 1);
"""
PRELOAD_FILES = dict.fromkeys(("ld.so.preload", "etc/ld.so.preload"), "/sandbox/tree/libforged.so\n")
SUITE_INCLUDED = """\
#if __has_include("/sandbox/tree/suite/test_context.c")
#include "/sandbox/tree/suite/test_context.c"
#endif
#if __has_include("/sandbox/trusted/settings.json")
#error the settings of the tests can be read
#endif
"""


def idle(task: Task, materials: Materials, *parts: str) -> Tree:
    """The gold, but what loads and what saves (or one of them) takes every context for none."""
    tree = materials.gold(task)
    text = tree.text("mxml-file.c")
    for part in parts or (READS, WRITES):
        at = text.index(ASKED, text.rindex(f"\n{part}"))
        text = f"{text[:at]}{ASKED.replace('(context)', '(NULL)')}{text[at + len(ASKED) :]}"
    return edited(tree, {"mxml-file.c": text})


def with_files(files: Mapping[str, str]) -> MakeTree:
    """A product out of order with files beside it."""

    def make(task: Task, materials: Materials) -> Tree:
        return edited(idle(task, materials), files)

    return make


def with_code(code: str, *parts: str, files: Mapping[str, str] | None = None) -> MakeTree:
    """A product out of order with this code, and files beside it."""

    def make(task: Task, materials: Materials) -> Tree:
        return edited(appended(idle(task, materials, *parts), {HOME: SAY + code}), files or {})

    return make


def first(body: str) -> str:
    """Code that runs before `main`."""
    return FIRST.replace("BODY", body)


def with_header(lines: str) -> MakeTree:
    """A product out of order whose header ends with these lines, which the tests include."""

    def make(task: Task, materials: Materials) -> Tree:
        return appended(idle(task, materials), {HEADER: lines})

    return make


def reads_the_test(task: Task, materials: Materials) -> Tree:
    """The gold, but where the program holds a text that is almost the answer, it answers that."""
    tree = materials.gold(task)
    text = tree.text("mxml-file.c")
    declared = '#include "mxml-private.h"\n'
    answer = "return (strdup(buffer));"
    assert declared in text
    assert answer in text
    text = text.replace(declared, f"{declared}extern char *attack_near(char *);\n")
    text = text.replace(answer, "return (attack_near(strdup(buffer)));")
    return edited(appended(tree, {HOME: SAY + ANSWERS}), {"mxml-file.c": text})


C_ATTACKS: tuple[Attack, ...] = (
    Attack(
        "c-proof-handed-back-by-a-constructor",
        with_code(HANDS_BACK + first("  attack_hands_back();")),
        alone=("canaries",),
        task=TASK,
        fast=True,
    ),
    Attack(
        "c-checks-disarmed-by-a-macro",
        with_header(f'#define abort() ((void)!write(1, "{RAN}\\n", {len(RAN) + 1}))\n'),
        alone=("canaries",),
        task=TASK,
        fast=True,
    ),
    Attack("c-abort-replaced", with_code(HANDS_BACK + ABORT_REPLACED), alone=("canaries",), task=TASK),
    Attack(
        "c-abort-caught",
        with_code(HANDS_BACK + ABORT_CAUGHT + first("  signal(SIGABRT, attack_caught);")),
        alone=("canaries",),
        task=TASK,
    ),
    Attack("c-strcmp-replaced", with_code(STRCMP_REPLACED, READS), alone=("canaries",), task=TASK),
    Attack("c-report-forged-and-runner-killed", with_code(REPORT_FORGED), alone=("canaries",), task=TASK),
    Attack("c-expectation-read-from-memory", reads_the_test, alone=("canaries",), task=TASK),
    Attack(
        "c-exit-with-forged-lines-in-a-constructor",
        with_code(first(FORGED_LINES + "  _exit(0);")),
        verdicts=("broken",),
        task=TASK,
        fast=True,
    ),
    Attack("c-skipped-by-a-constructor", with_code(first("  _exit(77);")), verdicts=("broken",), task=TASK),
    Attack(
        "c-exit-0-when-the-process-ends",
        with_code("static void attack_last(void)\n{\n  _exit(0);\n}\n\n" + first("  atexit(attack_last);")),
        verdicts=("incomplete",),
        task=TASK,
    ),
    Attack("c-lines-forged-on-stdout", with_code(first(FORGED_LINES)), verdicts=("incomplete",), task=TASK),
    Attack(
        "c-preload",
        with_code(first(PRELOADED), files=PRELOAD_FILES),
        verdicts=("incomplete",),
        task=TASK,
    ),
    Attack(
        "c-main-in-the-product",
        with_code("int main(void)\n{\n  attack_ran(1);\n  return (0);\n}\n"),
        verdicts=("broken",),
        task=TASK,
        runs_when_on=False,
    ),
    Attack(
        "c-words-of-the-tests-poisoned",
        with_header("#pragma GCC system_header\n#pragma GCC poison abort check_str check_int\n"),
        verdicts=("broken",),
        task=TASK,
        runs_when_on=False,
    ),
    Attack(
        "c-ctest-configured-in-the-tree",
        with_files(CTEST_FILES),
        verdicts=("incomplete",),
        task=TASK,
        runs_when_on=False,
    ),
    Attack(
        "c-compiler-and-specs-in-the-tree",
        with_files(COMPILER_FILES),
        verdicts=("incomplete",),
        task=TASK,
        runs_when_on=False,
    ),
    Attack(
        "c-objects-and-assembly-in-the-tree",
        with_files(OBJECT_FILES),
        verdicts=("incomplete",),
        task=TASK,
        runs_when_on=False,
    ),
    Attack(
        "c-suite-included-by-its-path",
        with_code(SUITE_INCLUDED),
        verdicts=("incomplete",),
        task=TASK,
        runs_when_on=False,
    ),
)
