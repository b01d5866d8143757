#include "diagnostics/Table.h"

#include "diagnostics/Summary.h"

#include <llvm/ADT/StringMap.h>

namespace gluond::diagnostics {
namespace {

constexpr Row rows[] = {
#define DIAG(name, slug, severity, message, meaning, remedy, example)                              \
  {#name, slug, Severity::severity, message, meaning, remedy, example},
#include "diagnostics/DiagnosticTable.def"
};

} // namespace

llvm::ArrayRef<Row> table() {
  return rows;
}

std::optional<Id> idOf(llvm::StringRef slug) {
  static const llvm::StringMap<Id> index = [] {
    llvm::StringMap<Id> map;
    for (unsigned i = 0; i < std::size(rows); ++i)
      map[rows[i].slug] = static_cast<Id>(i);
    return map;
  }();
  auto it = index.find(slug);
  return it == index.end() ? std::nullopt : std::optional(it->second);
}

std::string summaryOf(const Row& row) {
  llvm::StringRef message = row.message;
  if (message.starts_with("{") && message.find('}') == message.size() - 1) return row.meaning.str();
  std::string summary;
  while (!message.empty()) {
    auto [text, rest] = message.split('{');
    summary += text;
    if (rest.empty()) break;
    auto [name, after] = rest.split('}');
    summary += "<" + name.split(':').first.str() + ">";
    message = after;
  }
  return summary;
}

llvm::StringRef severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Information:
    return "information";
  case Severity::Hint:
    return "hint";
  }
  return "error";
}

llvm::StringRef applicabilityName(Applicability applicability) {
  return applicability == Applicability::Safe ? "safe" : "suggested";
}

} // namespace gluond::diagnostics
