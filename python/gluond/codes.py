# Generated from compiler/diagnostics/tables by the target diagnostics_docs; do not edit.
"""Codes of findings that this package treats on their own."""

# Whether these are mistakes, the program knows: their results may be unused, or meant.
NUMBERS = frozenset(["run-division-by-zero", "run-first-nan", "run-first-infinity"])
