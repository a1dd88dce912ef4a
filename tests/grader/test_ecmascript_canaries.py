"""Vitest and node:test: where a test expects a literal, what is refused, what tells a twin apart."""

from __future__ import annotations

import pytest

from grader.canaries import WRITERS, Site

FILE = "suite/x.test.ts"
HEAD = "import { x } from '../x'\n\nconst given = 'input'\n\n"


def source(body: str, call: str = "test") -> bytes:
    return f"{HEAD}describe('g', () => {{\n  {call}('t u', async () => {{\n    {body}\n  }})\n}})\n".encode()


def sites_in(body: str, call: str = "test", framework: str = "vitest") -> tuple[Site, ...]:
    id_ = f"{FILE}::g > t u"
    return WRITERS[framework].sites({FILE: source(body, call)}, [id_]).found.get(id_, ())


@pytest.mark.parametrize("framework", ["vitest", "node-test"])
@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("expect(f(1)).toBe(17)", ["17"]),
        ("expect(f(1)).toBe(-1.5)", ["1.5"]),
        ("expect(f(1)).toBe(17n)", ["17n"]),
        ("expect(f(1)).toBe('one')", ["'one'"]),
        ("expect(f(1)).toBe(`one\\ntwo`)", ["`one\\ntwo`"]),
        ("expect(f(1)).toEqual(['a', { b: 3, 'c d': [true, null] }])", ["'a'", "3"]),
        ("expect(f(1)).toStrictEqual(new Map([['k', 7]]))", ["'k'", "7"]),
        ("expect(f(1)).toHaveLength(4)", ["4"]),
        ("expect(() => f(1)).toThrow('too far')", ["'too far'"]),
        ("await expect(f(1)).rejects.toThrow('too far')", ["'too far'"]),
        ("expect(f(1)).toHaveProperty('a', 5)", ["5"]),
        ("const want = 'abc'; expect(f(1)).toBe(want)", ["'abc'"]),
        ("assert.equal(f(1), 17)", ["17"]),
        ("assert.deepStrictEqual(f(1), [1, 'b'])", ["1", "'b'"]),
        ("assert.throws(() => f(1), { message: 'too far' })", ["'too far'"]),
    ],
)
def test_a_literal_that_something_computed_is_compared_with_is_a_site(
    body: str, texts: list[str], framework: str
) -> None:
    assert [site.text for site in sites_in(body, framework=framework)] == texts


@pytest.mark.parametrize(
    "body",
    [
        "if (f(1)) expect(f(2)).toBe(17)",
        "for (const one of f()) expect(one).toBe(17)",
        "return\n    expect(f(2)).toBe(17)",
        "f(() => expect(f(2)).toBe(17))",
        "expect(3).toBe(17)",
        "expect(f(2)).not.toBe(17)",
        "expect(f(2)).toBe(true)",
        "expect(f(2)).toBe('')",
        "expect(f('ab')).toBe('ab')",
        "expect(f(given)).toBe('input')",
        "expect(f(2)).toBe(`${2}b`)",
        "expect(f(2)).toEqual({ a: 3, ...more })",
        "expect(f(2)).toBeGreaterThan(17)",
        "assert.notEqual(f(2), 17)",
        "log(f(2), 17)",
    ],
)
def test_what_may_not_run_or_is_no_expectation_is_left_alone(body: str) -> None:
    assert sites_in(body) == ()


@pytest.mark.parametrize("call", ["test.skip", "it.todo", "test.fails"])
def test_what_may_be_left_out_carries_none(call: str) -> None:
    assert sites_in("expect(f(2)).toBe(17)", call) == ()


@pytest.mark.parametrize(
    ("body", "twin", "differs"),
    [
        ("expect(f(2)).toBe(17)", "71", True),
        ("expect(f(2)).toBe(17)", "0x11", False),
        ("expect(f(2)).toBe(17)", "1_7", False),
        ("expect(f(2)).toBe(17)", "017", False),
        ("expect(f(2)).toBeCloseTo(1.5)", "1.505", False),
        ("expect(f(2)).toBeCloseTo(1.5)", "1.6", True),
        ("expect(f(2)).toBe('ab')", "'ba'", True),
        ("expect(f(2)).toBe('ab')", "'\\x61b'", False),
        ("expect(f(2)).toBe('ab')", "'a'b'", False),
        ("expect(f(2)).toBe(`ab`)", "`a${b}`", False),
    ],
)
def test_what_tells_a_twin_apart(body: str, twin: str, differs: bool) -> None:
    (site,) = sites_in(body)
    assert WRITERS["vitest"].differs(site, twin) is differs


def test_ids_are_names_under_the_groups_around_them() -> None:
    data = b"it('a', () => {})\ndescribe('b [c]', () => {\n  describe('d', () => { test(`e`, f) })\n})\n"
    assert dict(WRITERS["vitest"].defined(FILE, data)) == {f"{FILE}::a": 1, f"{FILE}::b [c] > d > e": 3}


@pytest.mark.parametrize(
    "data",
    [
        b"test('a', (\n",
        b"test('a', f)\ntest('a', g)\n",
        b"test.each([1, 2])('a %i', f)\n",
        b"test.only('a', f)\n",
        b"test(name, f)\n",
        b"describe(`${name}`, () => { test('a', f) })\n",
    ],
)
def test_what_does_not_parse_stands_twice_or_has_no_name_is_refused(data: bytes) -> None:
    with pytest.raises(SyntaxError):
        WRITERS["vitest"].defined(FILE, data)


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        ("expect(f(2)).toBe(17)", "toBe", "not.toBe"),
        ("assert.deepEqual(f(2), [17])", "deepEqual", "notDeepEqual"),
    ],
)
def test_a_test_is_turned_round_or_given_a_failure(body: str, old: str, new: str) -> None:
    files, id_ = {FILE: source(body)}, f"{FILE}::g > t u"
    negated = WRITERS["vitest"].turned(files, [id_], "negate")[id_]
    failing = WRITERS["vitest"].turned(files, [id_], "fail")[id_]
    assert (negated.old, negated.new) == (old, new)
    assert files[FILE][failing.start : failing.end] == b"}"
    assert "throw new Error()" in failing.new
