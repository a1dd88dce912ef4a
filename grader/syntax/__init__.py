"""What the grader knows of a language's text, one module a language, one line in `SYNTAXES`."""

from __future__ import annotations

from collections.abc import Mapping

from grader.syntax import c, cpp, go, java, javascript, python, rust, typescript
from grader.syntax.lexed import Syntax

SYNTAXES: Mapping[str, Syntax] = {
    "python": python.SYNTAX,
    "go": go.SYNTAX,
    "c": c.SYNTAX,
    "cpp": cpp.SYNTAX,
    "rust": rust.SYNTAX,
    "typescript": typescript.SYNTAX,
    "javascript": javascript.SYNTAX,
    "java": java.SYNTAX,
}
