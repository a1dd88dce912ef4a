"""The canary writer for node:test."""

from __future__ import annotations

import tree_sitter_javascript

from grader.canaries.ecmascript import EcmascriptWriter

WRITER = EcmascriptWriter(tree_sitter_javascript.language())
