"""Rules of the task: what must be gone, what must be there, and rules that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from grader.structure import judge_structure, rule_fault
from runner.task import Structure, StructureRule
from runner.tree import REGULAR, SYMLINK, Entry, Tree

if TYPE_CHECKING:
    from tests.grader.conftest import Scene

FUNCTION_F = {"kind": "function_definition", "has": {"field": "name", "regex": "^f$"}}
EMPTY = Tree({})


def files(**named: str | bytes) -> Tree:
    return Tree(
        {
            f"{name}.py": Entry(REGULAR, data if isinstance(data, bytes) else data.encode())
            for name, data in named.items()
        }
    )


def gone(rule: dict[str, Any] | None, *globs: str) -> Structure:
    return Structure(gone=(StructureRule("r", "it goes", globs or ("**/*.py",), rule),))


def present(rule: dict[str, Any] | None, *globs: str) -> Structure:
    return Structure(present=(StructureRule("r", "it is there", globs or ("**/*.py",), rule),))


@pytest.mark.parametrize(
    ("structure", "patched", "where"),
    [
        (gone(FUNCTION_F), files(a="def g(): pass\n"), ""),
        (gone(FUNCTION_F), files(a="x = 1\n\ndef f(): pass\n"), "a.py:3 still has it"),
        (gone(FUNCTION_F, "b.py"), files(a="def f(): pass\n"), ""),
        (gone(None, "a.py"), files(a=""), "a.py is still there"),
        (gone(None, "a.py"), files(b=""), ""),
        (gone(FUNCTION_F), files(a="class A:\n    async def f(self): pass\n"), "a.py:2 still has it"),
        (present(FUNCTION_F), files(a="", b="def f(): pass\n"), ""),
        (present(FUNCTION_F), files(a="f = 1\n"), "nothing in **/*.py matches"),
        (present(None, "a.py", "b.py"), files(c=""), "there is no a.py or b.py"),
        (present(None, "a.py", "b.py"), files(b=""), ""),
        (
            gone(FUNCTION_F),
            files(a=b"\xff\xfe"),
            "a.py cannot be checked: it is not text in the encoding it declares",
        ),
        (
            gone(FUNCTION_F),
            files(a="# coding: utf-7\n"),
            "a.py cannot be checked: it declares the encoding utf-7",
        ),
        (
            gone(FUNCTION_F),
            files(a="\\\n" * 20_000),
            "a.py cannot be checked: it holds hundreds of empty continued",
        ),
        (gone(FUNCTION_F), files(a="#" * 2_000_001), "a.py cannot be checked: it is 2.0 MB"),
        (present(FUNCTION_F), files(a=b"# coding: nope\n"), "a.py cannot be checked: it is not text"),
        (gone(FUNCTION_F), files(a=b"# coding: latin-1\n# \xe9\ndef f(): pass\n"), "a.py:3 still has it"),
        (gone(FUNCTION_F), files(a=b"# coding: latin1\n# \xe9\ndef f(): pass\n"), "a.py:3 still has it"),
        (gone(FUNCTION_F), files(a=b"\xef\xbb\xbfdef f(): pass\n"), "a.py:1 still has it"),
    ],
)
def test_a_rule_holds_or_says_where_not(structure: Structure, patched: Tree, where: str) -> None:
    judged = judge_structure(structure, "python", EMPTY, patched)
    (rule,) = judged.rules
    assert rule.holds == (not where)
    assert rule.where.startswith(where)
    assert [finding.verdict for finding in judged.findings] == ([] if rule.holds else ["incomplete"])
    assert all(rule.because in finding.message for finding in judged.findings)


def test_a_file_that_was_unreadable_before_is_not_the_patchs_doing() -> None:
    tree = files(a=b"\xff\xfe", b="")
    assert judge_structure(gone(FUNCTION_F), "python", tree, tree).rules[0].holds


def test_a_link_is_followed_inside_the_tree() -> None:
    target = files(real="def f(): pass\n")
    linked = Tree({"lib/real.py": target["real.py"], "a.py": Entry(SYMLINK, b"lib/real.py")})
    assert not judge_structure(gone(FUNCTION_F, "a.py"), "python", EMPTY, linked).rules[0].holds
    dangling = Tree({"a.py": Entry(SYMLINK, b"lib/none.py")})
    assert (
        "link to nothing"
        in judge_structure(gone(FUNCTION_F, "a.py"), "python", EMPTY, dangling).rules[0].where
    )


def test_the_reason_names_rule_place_and_sentence(scene: Scene) -> None:
    scene.patched = Tree({**scene.gold, "pkg/old.py": scene.base["pkg/old.py"]})
    assert scene.grade().reason == (
        "Gone rule `no-chunked-in-old` does not hold: pkg/old.py:4 still has it "
        '(the statement: "`old.py` no longer defines `chunked`.").'
    )


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (FUNCTION_F, None),
        ({"pattern": "exec($X)"}, None),
        ({"all": [{"kind": "call"}, {"not": {"regex": "x"}}]}, None),
        ({"kind": "identifier", "inside": {"kind": "module", "stopBy": "end"}}, None),
        ({"kind": "call", "has": {"kind": "identifier", "stopBy": {"kind": "block"}}}, None),
        ({"kind": "no_such_kind"}, "Kind `no_such_kind` is invalid"),
        ({"kindd": "call"}, "`rule.kindd` is not known"),
        ({"kind": 3}, "`rule.kind` must be a string"),
        ({"regex": "("}, "unclosed group"),
        ({"kind": "call", "has": {"feild": "x"}}, "`rule.has.feild` is not known"),
        ({"kind": "call", "has": {"kind": "identifier", "field": "nofield"}}, "nofield"),
        ({"kind": "call", "has": {"kind": "identifier", "stopBy": "nope"}}, "`rule.has.stopBy` must be"),
        ({"any": {"kind": "call"}}, "`rule.any` must be a list"),
        ({"any": []}, "`rule.any` must be a list"),
        ({"any": [{"kind": "call"}, {"knd": "x"}]}, "`rule.any[1].knd` is not known"),
        ({"pattern": {"contex": "f()"}}, "`rule.pattern` must be"),
        ({"pattern": {"context": "f()", "selector": "nokind"}}, "nokind"),
        ({"kind": "call", "has": 3}, "`rule.has` must be a mapping"),
        ({}, "positive matcher"),
    ],
)
def test_a_rule_that_cannot_be_used_says_why(rule: dict[str, Any], said: str | None) -> None:
    fault = rule_fault(rule, "python")
    assert fault is None if said is None else said in (fault or "")


def test_a_language_without_grammar_is_a_fault() -> None:
    assert rule_fault(FUNCTION_F, "cobol") == "no grammar for `cobol`"
