"""Shell escaping as strutils and ecoutils have always offered it."""

import sys

import pytest

from boltons import ecoutils, strutils


def test_sh_leaves_safe_arguments_bare():
    line = strutils.args2sh(["make", "-j4", "CC=/opt/gcc-13", "who@host", "50%", "a,b:c"])
    assert line == "make -j4 CC=/opt/gcc-13 who@host 50% a,b:c"


def test_sh_quotes_special_characters():
    assert strutils.args2sh(["two words", "$HOME", "a;b", "~"]) == "'two words' '$HOME' 'a;b' '~'"


def test_sh_quotes_empty_arguments():
    assert strutils.args2sh(["", "k", ""]) == "'' k ''"


def test_sh_puts_single_quotes_into_double_quotes():
    assert strutils.args2sh(["rock'n'roll"]) == "'rock'\"'\"'n'\"'\"'roll'"


def test_sh_takes_only_ascii_for_safe():
    assert strutils.args2sh(["naïve", "plain_9", "½"]) == "'naïve' plain_9 '½'"


def test_sh_quotes_line_ends():
    assert strutils.args2sh(["tail\n", "x"]) == "'tail\n' x"


def test_sh_joins_with_separator():
    assert strutils.args2sh(iter(["p q", "r"]), sep=" \\\n  ") == "'p q' \\\n  r"


def test_cmd_doubles_backslashes_before_a_quote():
    assert strutils.args2cmd(['a\\\\"b', '\\"', "c\\d"]) == 'a\\\\\\\\\\"b \\\\\\" c\\d'


def test_cmd_doubles_trailing_backslashes_inside_quotes_only():
    assert strutils.args2cmd(["C:\\My Files\\", "D:\\x\\"]) == '"C:\\My Files\\\\" D:\\x\\'


def test_cmd_quotes_blanks_and_empty_arguments():
    assert strutils.args2cmd(["", "t\tb", "n", "o p"]) == '"" "t\tb" n "o p"'


def test_cmd_leaves_other_characters_alone():
    assert strutils.args2cmd(["l1\nl2", "a|b", "it's", "%V%"]) == "l1\nl2 a|b it's %V%"


def test_cmd_joins_with_separator():
    assert strutils.args2cmd(("", "b c", 'd"'), sep=" ^ ") == '"" ^ "b c" ^ d\\"'


def test_cmd_starts_afresh_with_each_argument():
    assert strutils.args2cmd(["\\\\", "q r\\", '"s']) == '\\\\ "q r\\\\" \\"s'


def test_escape_by_named_style():
    args = ["it's", "x y\\"]
    both = [strutils.escape_shell_args(args, sep="+", style=style) for style in ("sh", "cmd")]
    assert both == ["'it'\"'\"'s'+'x y\\'", "it's+\"x y\\\\\""]


def test_escape_by_platform():
    saved, lines = sys.platform, []
    try:
        for name in ("win32", "darwin", "cygwin"):
            sys.platform = name
            lines.append(strutils.escape_shell_args(["$x", "v w"]))
    finally:
        sys.platform = saved
    assert lines == ['$x "v w"', "'$x' 'v w'", "'$x' 'v w'"]


def test_escape_takes_an_empty_style_for_none():
    saved, sys.platform = sys.platform, "win32"
    try:
        line = strutils.escape_shell_args(["a&b", "c d"], "; ", "")
    finally:
        sys.platform = saved
    assert line == 'a&b; "c d"'


def test_escape_refuses_unknown_style():
    with pytest.raises(ValueError) as caught:
        strutils.escape_shell_args(["a"], style="fish")
    assert str(caught.value) == "style expected one of 'cmd' or 'sh', not 'fish'"


def test_python_info_escapes_argv():
    saved, sys.argv = sys.argv, ["run me.py", "--name=O'Neil", "", "-v"]
    try:
        shown = ecoutils.get_python_info()["argv"]
    finally:
        sys.argv = saved
    assert shown == "'run me.py' '--name=O'\"'\"'Neil' '' -v"


def test_python_info_escapes_argv_for_windows():
    saved = sys.argv, sys.platform
    sys.argv, sys.platform = ["C:\\my tools\\t.py", "$v", 'say "hi"\\'], "win32"
    try:
        shown = ecoutils.get_python_info()["argv"]
    finally:
        sys.argv, sys.platform = saved
    assert shown == '"C:\\my tools\\t.py" $v "say \\"hi\\"\\\\"'
