"""The new home of shell escaping."""

import string

import pytest

from boltons import shellutils


def test_quote_sh_of_one_argument():
    args = ("", "ok", "it's", "a b", "'")
    assert [shellutils.quote_sh(arg) for arg in args] == [
        "''", "ok", "'it'\"'\"'s'", "'a b'", "''\"'\"''"]


def test_quote_sh_leaves_how_many_characters_bare():
    assert sum(shellutils.quote_sh(char) == char for char in string.printable) == 72


def test_quote_cmd_of_one_argument():
    args = ("", "ok", "a b", "tab\t", "it's")
    assert [shellutils.quote_cmd(arg) for arg in args] == ['""', "ok", '"a b"', '"tab\t"', "it's"]


def test_quote_cmd_of_backslashes():
    args = ("e\\", "e f\\", '\\"', '\\\\"g h', "i\\j k")
    assert [shellutils.quote_cmd(arg) for arg in args] == [
        "e\\", '"e f\\\\"', '\\\\\\"', '"\\\\\\\\\\"g h"', '"i\\j k"']


def test_line_for_sh():
    assert shellutils.args2sh(["cut", "-d|", "-f2", "my file"], sep="  ") == "cut  '-d|'  -f2  'my file'"


def test_line_for_cmd():
    assert shellutils.args2cmd(["copy", "my file", 'x"y', "end\\"]) == 'copy "my file" x\\"y end\\'


def test_line_by_style():
    found = [shellutils.escape_shell_args(("(u)", "v w"), style=style) for style in ("cmd", "sh")]
    assert found == ['(u) "v w"', "'(u)' 'v w'"]


def test_unknown_style():
    with pytest.raises(ValueError) as caught:
        shellutils.escape_shell_args([], style="zsh")
    assert str(caught.value) == "style expected one of 'cmd' or 'sh', not 'zsh'"
