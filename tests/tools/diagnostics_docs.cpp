// diagnostics_docs [--check] FILE: writes the reference page of all diagnostics from the table, or
// (with --check) fails when FILE is not what it would write.
#include "GeneratedPage.h"
#include "diagnostics/Table.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/raw_ostream.h>

using namespace gluond::diagnostics;

namespace {

// A message template for readers: {count:int} is *count*.
std::string readable(llvm::StringRef message) {
  std::string out;
  while (!message.empty()) {
    auto [text, rest] = message.split('{');
    out += text;
    if (rest.empty()) break;
    auto [name, behind] = rest.split('}');
    out += "*" + name.split(':').first.str() + "*";
    message = behind;
  }
  return out;
}

std::string page() {
  std::string out;
  llvm::raw_string_ostream os(out);
  os << "# Diagnostics\n\n"
        "<!-- Generated from compiler/diagnostics/tables by the target diagnostics_docs. Do not "
        "edit. -->\n\n"
        "All diagnostics of gluond, by code. The code is in brackets after each message, in `code` "
        "of JSON and SARIF, and\n"
        "in the link of a problem in the editor.\n\n"
        "gluond reports an **error** for code that Triton 3.9.0 or Python rejects, a **warning** "
        "for "
        "code that compiles but\n"
        "goes wrong later, a **hint** for code that is often intended, and **information** about "
        "limits of gluond.\n";
  std::vector<const Row*> rows;
  for (const Row& row : table())
    rows.push_back(&row);
  llvm::sort(rows, [](const Row* a, const Row* b) { return a->slug < b->slug; });
  os << "\n| code | severity | message |\n| --- | --- | --- |\n";
  for (const Row* row : rows) {
    std::string message = readable(row->message);
    for (size_t at = 0; (at = message.find('|', at)) != std::string::npos; at += 2)
      message.insert(at, "\\");
    os << "| [" << row->slug << "](#" << row->slug << ") | " << severityName(row->severity) << " | "
       << message << " |\n";
  }
  for (const Row* row : rows) {
    os << "\n## " << row->slug << "\n\n"
       << severityName(row->severity) << ": " << readable(row->message) << "\n\n"
       << row->meaning << "\n\n*Fix:* " << row->remedy << "\n";
    if (!row->example.empty()) os << "\n```python\n" << row->example << "\n```\n";
  }
  return out;
}

} // namespace

int main(int argc, char** argv) {
  return gluond::test::writeOrCheckPage(argc, argv, "diagnostics_docs", page());
}
