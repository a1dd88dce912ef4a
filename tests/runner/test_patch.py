"""What a patch may do, in a table: admitted as `git apply` would, or refused with code, words and place."""

from __future__ import annotations

import zlib
from base64 import b85encode
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runner import patch as limits
from runner.errors import PatchRejected
from runner.object_store import ObjectStore
from runner.patch import admit
from runner.tree import EXECUTABLE, REGULAR, SYMLINK, Entry, Tree
from runner.tree_paths import path_fault

A = b"one = 1\ntwo = 2\nthree = 3\nfour = 4\nfive = 5\n"
BASE = Tree(
    {
        "a.py": Entry(REGULAR, A),
        "crlf.txt": Entry(REGULAR, b"one\r\ntwo\r\nthree\r\n"),
        "lib/x.py": Entry(REGULAR, b"x = 1\n"),
        "lib/current": Entry(SYMLINK, b"x.py"),
        "alias": Entry(SYMLINK, b"lib"),
        "logo.png": Entry(REGULAR, b"\0\1\2" * 50),
        "run.sh": Entry(REGULAR, b"#!/bin/sh\n"),
    }
)
EDIT = b"--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n one = 1\n-two = 2\n+two = 22\n three = 3\n"
EDITED = Tree({**BASE, "a.py": Entry(REGULAR, A.replace(b"two = 2\n", b"two = 22\n"))})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ObjectStore:
    return ObjectStore(tmp_path_factory.mktemp("objects") / "store")


def new(path: str, content: str = "x", mode: str = "100644") -> bytes:
    """A patch that creates `path` with one line, in git's form."""
    name = path if path.startswith('"') else f"b/{path}"
    return (
        f"diff --git a/{path} {name}\nnew file mode {mode}\n--- /dev/null\n+++ {name}\n"
        f"@@ -0,0 +1 @@\n+{content}\n"
    ).encode("utf-8", "surrogateescape")


def link(path: str, target: str) -> bytes:
    return new(path, target, "120000") + b"\\ No newline at end of file\n"


def with_files(**changed: Entry | None) -> Tree:
    entries = {**BASE, **{name.replace("__", "/"): entry for name, entry in changed.items()}}
    return Tree({path: entry for path, entry in entries.items() if entry is not None})


CRLF_EDIT = b"--- a/crlf.txt\n+++ b/crlf.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
CRLF_EDITED = Tree({**BASE, "crlf.txt": Entry(REGULAR, b"one\r\n2\r\nthree\r\n")})

ADMITTED = {
    "an edit": (EDIT, EDITED, ()),
    "prose around a diff": (b"Here is my patch:\n\n```diff\n" + EDIT + b"```\nDone.\n", EDITED, ()),
    "a mailed patch": (
        b"From: me\nSubject: x\n\n---\n a.py | 2 +-\n\n" + EDIT + b"-- \n2.39.5\n",
        EDITED,
        (),
    ),
    "an offset": (EDIT.replace(b"@@ -1,3 +1,3 @@", b"@@ -3,3 +3,3 @@"), None, ()),
    "no newline at the end of the patch": (EDIT[:-1], EDITED, ("final-newline",)),
    "the empty patch": (b"", BASE, ()),
    "white space only": (b" \n\t\r\n", BASE, ()),
    "a CRLF patch to an LF file": (EDIT.replace(b"\n", b"\r\n"), EDITED, ("line-endings",)),
    "CRLF in the body alone": (
        EDIT.replace(b"1\n", b"1\r\n").replace(b"2\n", b"2\r\n").replace(b"3\n", b"3\r\n"),
        EDITED,
        ("line-endings",),
    ),
    "an LF patch to a CRLF file": (CRLF_EDIT, CRLF_EDITED, ("line-endings",)),
    "a CRLF patch to a CRLF file": (CRLF_EDIT.replace(b"\n", b"\r\n"), CRLF_EDITED, ("line-endings",)),
    "git's own patch of a CRLF file": (
        CRLF_EDIT.replace(b"one\n", b"one\r\n")
        .replace(b"two\n", b"two\r\n")
        .replace(b"+2\n", b"+2\r\n")
        .replace(b" three\n", b" three\r\n"),
        CRLF_EDITED,
        (),
    ),
    "a CRLF patch that adds a file": (
        new("b.py").replace(b"\n", b"\r\n"),
        with_files(**{"b.py": Entry(REGULAR, b"x\n")}),
        ("line-endings",),
    ),
    "both repairs": (EDIT.replace(b"\n", b"\r\n")[:-2], EDITED, ("final-newline", "line-endings")),
    "a file added": (new("b.py"), with_files(**{"b.py": Entry(REGULAR, b"x\n")}), ()),
    "a mode alone": (
        b"diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n",
        with_files(**{"run.sh": Entry(EXECUTABLE, BASE["run.sh"].data)}),
        (),
    ),
    "a rename alone": (
        b"diff --git a/lib/x.py b/lib/y.py\nsimilarity index 100%\n"
        b"rename from lib/x.py\nrename to lib/y.py\n",
        with_files(lib__x=None, **{"lib/x.py": None, "lib/y.py": BASE["lib/x.py"]}),
        (),
    ),
    "a deletion": (
        b"diff --git a/lib/x.py b/lib/x.py\ndeleted file mode 100644\n"
        b"--- a/lib/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n",
        with_files(**{"lib/x.py": None}),
        (),
    ),
    "an empty file": (
        b"diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n",
        with_files(e=Entry(REGULAR, b"")),
        (),
    ),
    "attributes are a file": (
        new(".gitattributes", "* text"),
        with_files(**{".gitattributes": Entry(REGULAR, b"* text\n")}),
        (),
    ),
    "a link inside": (link("lib/l", "../a.py"), with_files(**{"lib/l": Entry(SYMLINK, b"../a.py")}), ()),
    "a name in UTF-8": (new("caf\u00e9.py"), with_files(**{"caf\u00e9.py": Entry(REGULAR, b"x\n")}), ()),
    "a name quoted by git": (
        b'diff --git "a/caf\\303\\251.py" "b/caf\\303\\251.py"\nnew file mode 100644\n--- /dev/null\n'
        b'+++ "b/caf\\303\\251.py"\n@@ -0,0 +1 @@\n+x\n',
        with_files(**{"caf\u00e9.py": Entry(REGULAR, b"x\n")}),
        (),
    ),
    "content that is not UTF-8": (
        new("b.py").replace(b"+x", b"+\xff\xfe"),
        with_files(**{"b.py": Entry(REGULAR, b"\xff\xfe\n")}),
        (),
    ),
}


@pytest.mark.parametrize("what", ADMITTED)
def test_admitted(what: str, store: ObjectStore) -> None:
    raw, expected, repairs = ADMITTED[what]

    admitted = admit(raw, BASE, store)

    assert admitted.repairs == repairs
    assert dict(admitted.tree) == dict(EDITED if expected is None else expected)


def test_a_binary_file_with_its_data_is_admitted(store: ObjectStore) -> None:
    after = with_files(
        **{"logo.png": Entry(REGULAR, b"\0\3\2" * 50), "new.png": Entry(REGULAR, b"\0\xff" * 9)}
    )

    assert admit(store.diff(BASE, after), BASE, store).tree == after


def bomb(kind: str, size: int) -> bytes:
    """A binary block that unpacks to `size` bytes."""
    data = b"\0" * size
    if kind == "delta":
        sizes = b""
        for number in (150, 1 << 40):
            groups = [number >> shift & 127 for shift in range(0, max(number.bit_length(), 1), 7)]
            sizes += bytes([group | 128 for group in groups[:-1]] + groups[-1:])
        data = sizes + b"\x80" * 4
    packed = zlib.compress(data)
    rows = [packed[at : at + 52] for at in range(0, len(packed), 52)]
    lines = [bytes([len(row) + (64 if len(row) < 27 else 70)]) + b85encode(row, pad=True) for row in rows]
    head = b"diff --git a/logo.png b/logo.png\nindex 1..2 100644\nGIT binary patch\n"
    return head + f"{kind} {len(data)}\n".encode() + b"\n".join(lines) + b"\n\n"


REJECTED = {
    "prose": (b"I could not do it, sorry.\n", "no-diff", "holds no diff", ""),
    "a fence without a diff": (b"```python\nx = 1\n```\n", "no-diff", "holds no diff", ""),
    "a file name alone": (b"diff --git a/a.py b/a.py\n", "does-not-apply|no-diff", "", ""),
    "too few lines": (
        EDIT.replace(b"-1,3", b"-1,4"),
        "wrong-counts",
        r"hunk 1 of `a\.py` \(line 3 of the patch\) announces 4 old and 3 new lines and holds 3 old",
        "line 3",
    ),
    "too many lines": (EDIT + b"+and more\n", "wrong-counts", r"goes on for 1 more lines", "line 3"),
    "a patch cut short": (
        EDIT[: EDIT.index(b" three")],
        "wrong-counts",
        "the patch was cut or edited",
        "line 3",
    ),
    "a hunk that does not match": (
        EDIT.replace(b"-two = 2", b"-two = 5"),
        "hunk-mismatch",
        r"hunk 1 of `a\.py` \(line 3 of the patch\) does not match: line 2 of the file is `two = 2`, "
        r"the patch has `two = 5`",
        "a.py:1",
    ),
    "a hunk beyond the end": (
        b"--- a/lib/x.py\n+++ b/lib/x.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n",
        "hunk-mismatch",
        "does not match: line 2 of the file is ``",
        "lib/x.py:1",
    ),
    "white space that differs": (
        EDIT.replace(b" one = 1", b" one  = 1"),
        "hunk-mismatch",
        "line 1 of the file",
        "a.py:1",
    ),
    "mixed line ends": (
        EDIT.replace(b"two = 2\n", b"two = 2\r\n"),
        "hunk-mismatch",
        r"the patch has `two = 2\\r`",
        "a.py:1",
    ),
    "one good file and one bad": (
        new("b.py") + EDIT.replace(b"-two = 2", b"-two = 5"),
        "hunk-mismatch",
        "",
        "a.py:1",
    ),
    "a missing file": (
        EDIT.replace(b"a.py", b"z.py"),
        "missing-file",
        r"the base has no file `z\.py`",
        "z.py",
    ),
    "no prefixes": (
        b"--- lib/x.py\n+++ lib/x.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n",
        "missing-file",
        "lacks the `a/` and `b/`",
        "x.py",
    ),
    "no prefixes at the top": (
        EDIT.replace(b"a/", b"").replace(b"b/", b""),
        "bad-path",
        "has no `a/` or `b/`",
        "line 1",
    ),
    "creation over a file": (
        new("a.py"),
        "file-exists",
        r"creates `a\.py`, which the base has already",
        "a.py",
    ),
    "a file under a file": (new("a.py/x"), "does-not-apply|beyond-link|file-exists", "", ""),
    "an absolute path": (
        b"--- /dev/null\n+++ /etc/cron.d/x\n@@ -0,0 +1 @@\n+x\n",
        "bad-path",
        "is absolute",
        "/etc/cron.d/x",
    ),
    "an absolute path in git's form": (new("/etc/passwd"), "bad-path", "is absolute", ""),
    "a way out": (new("../x"), "bad-path", r"has the component `\.\.`", "../x"),
    "a way out from inside": (new("lib/../../x"), "bad-path", r"has the component `\.\.`", "lib/../../x"),
    "git's folder": (
        new(".git/hooks/post-checkout"),
        "bad-path",
        r"has the component `\.git`",
        ".git/hooks/post-checkout",
    ),
    "git's folder inside": (new("lib/.git/config"), "bad-path", r"`\.git`", "lib/.git/config"),
    "git's folder in capitals": (new(".GIT/config"), "bad-path", r"`\.GIT`", ".GIT/config"),
    "git's short name": (new("git~1/config"), "bad-path", "`git~1`", "git~1/config"),
    "git's folder with a dot": (new(".git./config"), "bad-path", r"`\.git\.`", ".git./config"),
    "git's folder with a blank": (new(".git /config"), "bad-path", r"`\.git `", ".git /config"),
    "git's folder as a stream": (new(".git::$INDEX_ALLOCATION/x"), "bad-path", "git's own folder", ""),
    "git's folder with an ignored character": (new(".g\u200cit/x"), "bad-path", "git's own folder", ""),
    "git's folder as a file": (new(".git", "gitdir: /tmp"), "bad-path", r"`\.git`", ".git"),
    "a rename into git's folder": (
        b"diff --git a/a.py b/.git/x\nsimilarity index 100%\nrename from a.py\nrename to .git/x\n",
        "bad-path",
        r"`\.git`",
        ".git/x",
    ),
    "a backslash": (new('"b/..\\\\x"'), "bad-path", "backslash", ""),
    "a NUL in a path": (new('"b/x\\000y"'), "bad-path", "control character", ""),
    "a line break in a path": (new('"b/x\\ny"'), "bad-path", "control character", ""),
    "a path that is not UTF-8": (new('"b/x\\377"'), "bad-path", "is not UTF-8", ""),
    "a long name": (new("n" * 300), "bad-path", "is longer than", ""),
    "a submodule": (
        new("sub", "Subproject commit " + "a" * 40, "160000"),
        "submodule",
        "no submodules",
        "sub",
    ),
    "a .gitmodules": (new(".gitmodules"), "submodule", "declares submodules", ".gitmodules"),
    "a link to an absolute path": (link("l", "/etc/passwd"), "bad-link", "leads out of the repository", "l"),
    "a link out": (link("lib/l", "../../x"), "bad-link", "leads out of the repository", "lib/l"),
    "a link through a link": (
        link("l", "alias/x.py"),
        "bad-link",
        "passes through another link, `alias`",
        "l",
    ),
    "a link out by a link": (link("lib/up", "..") + link("l", "lib/up/../x"), "bad-link", "", ""),
    "a link to itself": (link("l", "l"), "bad-link", "to itself", "l"),
    "a file through an old link": (
        new("alias/evil.py"),
        "beyond-link",
        "lies beyond the link `alias`",
        "alias/evil.py",
    ),
    "an edit through an old link": (
        b"--- a/alias/x.py\n+++ b/alias/x.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n",
        "beyond-link",
        "lies beyond the link `alias`",
        "alias/x.py",
    ),
    "a file through a new link": (
        link("d", "lib") + new("d/evil.py"),
        "beyond-link",
        "lies beyond a link",
        "d/evil.py",
    ),
    "a binary file without its data": (
        b"diff --git a/logo.png b/logo.png\nindex 1..2 100644\n"
        b"Binary files a/logo.png and b/logo.png differ\n",
        "binary-without-data",
        "git diff --binary",
        "line 1",
    ),
    "a binary bomb": (bomb("literal", 70_000_000), "too-large", "unpack to more", ""),
    "a binary delta bomb": (bomb("delta", 0), "too-large", "unpack to more", ""),
    "a binary block that does not read": (
        b"diff --git a/logo.png b/logo.png\nindex 1..2 100644\nGIT binary patch\nliteral 9\nzzz\n\n",
        "corrupt|does-not-apply|binary-without-data",
        "",
        "",
    ),
    "a hunk without a file": (b"@@ -1 +1 @@\n-x\n+y\n", "no-diff", "", ""),
    "a file that becomes a link out": (
        b"diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n@@ -1,5 +0,0 @@\n"
        + b"".join(b"-" + line + b"\n" for line in A.splitlines())
        + link("a.py", "/etc/passwd"),
        "bad-link|file-exists",
        "",
        "",
    ),
}


@pytest.mark.parametrize("what", REJECTED)
def test_rejected(what: str, store: ObjectStore) -> None:
    raw, codes, message, where = REJECTED[what]

    with pytest.raises(PatchRejected, match=message or None) as caught:
        admit(raw, BASE, store)

    assert caught.value.code in codes.split("|"), str(caught.value)
    assert where in ("", caught.value.where)
    assert str(caught.value).isprintable()


def test_an_old_link_must_not_be_led_astray(store: ObjectStore) -> None:
    base = Tree({"d/x.py": Entry(REGULAR, b"x\n"), "l": Entry(SYMLINK, b"d/x.py")})
    swap = (
        b"diff --git a/d/x.py b/d/x.py\ndeleted file mode 100644\n"
        b"--- a/d/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n" + link("d", "e")
    )

    with pytest.raises(PatchRejected, match="passes through another link, `d`") as caught:
        admit(swap, base, store)

    assert caught.value.where == "l"


def test_limits(store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_NEW_FILES", 2)
    assert len(admit(b"".join(new(f"f{number}") for number in range(2)), BASE, store).tree) == len(BASE) + 2
    with pytest.raises(PatchRejected, match="adds more than 2 files"):
        admit(b"".join(new(f"f{number}") for number in range(3)), BASE, store)

    monkeypatch.setattr(limits, "MAX_GROWTH_BYTES", 10)
    with pytest.raises(PatchRejected, match="makes it grow by more"):
        admit(new("b.py", "x" * 10), BASE, store)

    monkeypatch.setattr(limits, "MAX_PATCH_BYTES", 10)
    with pytest.raises(PatchRejected, match=f"the patch has {len(EDIT)} bytes and may have 10"):
        admit(EDIT, BASE, store)


def test_a_change_back_and_forth_is_no_growth(store: ObjectStore) -> None:
    copies = b"".join(
        b"diff --git a/logo.png b/c%d\nsimilarity index 100%%\ncopy from logo.png\ncopy to c%d\n" % (n, n)
        for n in range(3)
    )

    assert len(admit(copies, BASE, store).tree) == len(BASE) + 3


def test_a_refused_patch_leaves_no_trace(store: ObjectStore, tmp_path: Path) -> None:
    own = ObjectStore(tmp_path / "store")
    with pytest.raises(PatchRejected):
        admit(EDIT.replace(b"-two = 2", b"-two = 5"), BASE, own)

    assert list((tmp_path / "store" / "assay-scratch").iterdir()) == []
    assert admit(EDIT, BASE, own).tree == EDITED


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_garbled_patch_is_admitted_or_rejected_and_nothing_else(
    store: ObjectStore, data: st.DataObject
) -> None:
    patches = [*(row[0] for row in ADMITTED.values()), *(row[0] for row in REJECTED.values())]
    whole = b"".join(patch for patch in patches if len(patch) < 400)
    lines = data.draw(st.lists(st.sampled_from(whole.splitlines(keepends=True)), max_size=12))
    raw = bytearray(b"".join(lines))
    for _ in range(data.draw(st.integers(0, 2)) if raw else 0):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))

    try:
        admitted = admit(bytes(raw), BASE, store)
    except PatchRejected as rejection:
        assert rejection.code
        assert (str(rejection) + rejection.where).isprintable()
    else:
        assert all(path_fault(path) is None for path in admitted.tree)
