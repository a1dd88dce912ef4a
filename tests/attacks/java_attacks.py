"""Attacks on Java: a product that does not do its work, and code or files that have the tests say otherwise."""

from __future__ import annotations

from runner.materials import Materials
from runner.task import Task
from runner.tree import Tree
from tests.attacks.attack import RAN, Attack, MakeTree, edited

TASK = "commons-cli-split-helpformatter"
PACKAGE = "org/apache/commons/cli"
HOOKED = ("HelpFormatter", "HelpStyle", "Option", "Options", "OptionOrder", "TextWrapper")
"""Every test makes one of these before it does anything else."""
IDLE = (
    ("UsageRenderer", "String usage(final String app, final Options options) {", "return app;"),
    ("OptionTable", "String render(final Options options) {", 'return "";'),
)
"""Statements put first into methods of the gold: structure holds, behaviour does not."""

HOOK = f"""\
package org.apache.commons.cli;

IMPORTS

final class Hook {{
    private static boolean called;

    static synchronized void run() {{
        if (called) {{
            return;
        }}
        called = true;
        System.out.println("{RAN}");
        System.out.flush();
        try {{
            attack();
        }} catch (Exception wrong) {{
            wrong.printStackTrace();
        }}
    }}

    static void attack() throws Exception {{
BODY
    }}
}}
"""

FORGED_LINES = """\
        String[] words = Files.readString(Path.of("/proc/self/cmdline")).split("\\0");
        int at = Arrays.asList(words).indexOf("assay.Launch");
        StringBuilder told = new StringBuilder("end 0 passed 0.001 \\n");
        for (int number = 1; at + 3 + number < words.length; number++) {
            told.append("start " + number + "\\nend " + number + " passed 0.001 \\n");
        }
        try (FileOutputStream stream = new FileOutputStream(words[at + 1], true)) {
            stream.write((told + "closed\\n").getBytes());
        }
        Runtime.getRuntime().halt(0);
"""


def within(text: str, before: str, statement: str) -> str:
    """A source with a statement put behind an opening brace."""
    assert before in text, before
    return text.replace(before, f"{before}\n{statement}\n", 1)


def idle(task: Task, materials: Materials) -> Tree:
    """The gold with two of its classes out of order."""
    tree = materials.gold(task)
    for name, before, statement in IDLE:
        path = f"{PACKAGE}/{name}.java"
        tree = edited(tree, {path: within(tree.text(path), before, f"        if (true) {statement}")})
    return tree


def with_code(imports: str, body: str) -> MakeTree:
    """A product out of order that runs code when the first of its classes is used."""
    listed = "\n".join(f"import {name};" for name in imports.split())

    def make(task: Task, materials: Materials) -> Tree:
        tree = idle(task, materials)
        files = {f"{PACKAGE}/Hook.java": HOOK.replace("IMPORTS", listed).replace("BODY", body)}
        for name in HOOKED:
            text = tree.text(f"{PACKAGE}/{name}.java")
            opening = text[text.index(f"class {name}") :].partition("{")[0] + "{"
            files[f"{PACKAGE}/{name}.java"] = within(
                text, opening, "    static {\n        Hook.run();\n    }"
            )
        return edited(tree, files)

    return make


JAVA_ATTACKS: tuple[Attack, ...] = (
    Attack(
        "java-launcher-forged-then-halt",
        with_code(
            "java.io.FileOutputStream java.nio.file.Files java.nio.file.Path java.util.Arrays", FORGED_LINES
        ),
        "java-runtime-halt",
        ("canaries",),
        task=TASK,
        fast=True,
    ),
)
