// The table of diagnostics as data: the contents of DiagnosticTable.def, row by row.
//
// A message template holds named arguments: "{name}" takes text, "{name:int}" an integer,
// "{name:list}" a list of texts, joined by commas; a name that comes twice is one argument.
// Reporter.h checks their number and types where a diagnostic is emitted.
#pragma once

#include "diagnostics/Diagnostic.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string_view>

namespace gluond::diagnostics {

struct Row {
  llvm::StringLiteral name; // "LayoutMismatch", as in enum Id
  llvm::StringLiteral slug; // "layout-mismatch", the stable code users see
  Severity severity;
  llvm::StringLiteral message; // template
  llvm::StringLiteral meaning; // a sentence or two, Markdown
  llvm::StringLiteral remedy;  // how to fix it, Markdown
  llvm::StringLiteral example; // a short piece of Gluon that shows it; may be empty
};

llvm::ArrayRef<Row> table();
inline const Row& row(Id id) {
  return table()[static_cast<unsigned>(id)];
}
inline llvm::StringRef slug(Id id) {
  return row(id).slug;
}
std::optional<Id> idOf(llvm::StringRef slug);

llvm::StringRef severityName(Severity severity); // "error", "warning", "information", "hint"
llvm::StringRef applicabilityName(Applicability applicability); // "safe", "suggested"

// The message templates alone, for checks at compile time.
inline constexpr std::string_view messageTemplates[] = {
#define DIAG(name, slug, severity, message, ...) message,
#include "diagnostics/DiagnosticTable.def"
};
inline constexpr std::string_view noteTemplates[] = {
#define NOTE(name, message) message,
#include "diagnostics/DiagnosticTable.def"
};
inline constexpr std::string_view fixTemplates[] = {
#define FIX(name, applicability, title) title,
#include "diagnostics/DiagnosticTable.def"
};
inline constexpr Applicability applicabilities[] = {
#define FIX(name, applicability, title) Applicability::applicability,
#include "diagnostics/DiagnosticTable.def"
};

} // namespace gluond::diagnostics
