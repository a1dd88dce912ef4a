"""The canary writer for Vitest; TypeScript's grammar reads JavaScript too."""

from __future__ import annotations

import tree_sitter_typescript

from grader.canaries.ecmascript import EcmascriptWriter

WRITER = EcmascriptWriter(tree_sitter_typescript.language_typescript())
