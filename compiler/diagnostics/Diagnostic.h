// A message of gluond about a place in the source: plain data, rendered elsewhere.
//
// Every diagnostic is a row of DiagnosticTable.def: a stable slug ("layout-mismatch"), a severity,
// a message template, its meaning, how to fix it, and an example. Rooms emit rows with arguments;
// nothing emits free text.
#pragma once

#include "text/SourceText.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gluond::diagnostics {

enum class Severity : uint8_t { Error, Warning, Information, Hint };

// Rows of the table, in order.
enum class Id : uint16_t {
#define DIAG(name, ...) name,
#include "diagnostics/DiagnosticTable.def"
};

// The table's short texts for related places, in order.
enum class NoteId : uint16_t {
#define NOTE(name, ...) name,
#include "diagnostics/DiagnosticTable.def"
};

// The table's fixes, in order.
enum class FixId : uint16_t {
#define FIX(name, ...) name,
#include "diagnostics/DiagnosticTable.def"
};

// Identifies a file of the workspace or of gluond's own library; the Workspace maps it to a
// path.
struct FileId {
  uint32_t id = 0;
  friend auto operator<=>(FileId, FileId) = default;
};

struct Location {
  FileId file;
  text::Range range;
};

struct Related {
  Location location;
  std::string message;
};

// Whether a fix may be applied without a person reviewing it.
enum class Applicability : uint8_t {
  Safe,      // keeps the meaning of a valid program, or makes an error what was clearly meant
  Suggested, // may change the meaning, or is one of several ways: a person decides
};

// The text that the user reads before a fix is applied.
struct FixTitle {
  std::string text;
  Applicability applicability;
};

// One alternative: all its edits, in the diagnostic's file, are applied together.
struct Fix {
  FixTitle title;
  std::vector<text::Edit> edits;
  bool isSafe() const { return title.applicability == Applicability::Safe; }
};

struct Diagnostic {
  Id id;
  Severity severity;
  Location location; // the cause: the user's operand
  std::string message;
  std::vector<Related> related; // the other operand, the call chain from the kernel inwards
  std::vector<Fix> fixes;
  // The values of the placeholders in the row's message, in order: what an error is about, for
  // those who relate it to others. Findings of lints and of the simulator have none.
  std::vector<std::string> arguments = {};
};

} // namespace gluond::diagnostics
