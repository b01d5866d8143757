// diagnostics_docs [--check] FILE: writes the reference page of all diagnostics from the table
// (FILE.md), or the codes that programs in other languages treat on their own (FILE.ts for panels
// and editors, FILE.py for the Python package), or (with --check) fails when FILE is not what it
// would write.
#include "GeneratedPage.h"
#include "diagnostics/Table.h"
#include "diagnostics/Traits.h"

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

std::vector<std::string> codesWith(Trait trait, const char* quote) {
  std::vector<std::string> codes;
  for (const auto& [i, row] : llvm::enumerate(table()))
    if (has(static_cast<Id>(i), trait)) codes.push_back(quote + row.slug.str() + quote);
  return codes;
}

std::string typeScript() {
  return "// Generated from compiler/diagnostics/tables by the target diagnostics_docs; do not "
         "edit.\n\n"
         "// The lints about the order of events: a run may show what they tell.\n"
         "export const timelineCodes: ReadonlySet<string> = new Set([\n  " +
         llvm::join(codesWith(Trait::ShownByRun, "'"), ",\n  ") + ",\n]);\n";
}

std::string python() {
  return "# Generated from compiler/diagnostics/tables by the target diagnostics_docs; do not "
         "edit.\n"
         "\"\"\"Codes of findings that this package treats on their own.\"\"\"\n\n"
         "# Whether these are mistakes, the program knows: their results may be unused, or meant.\n"
         "NUMBERS = frozenset([" +
         llvm::join(codesWith(Trait::OfNumbers, "\""), ", ") + "])\n";
}

} // namespace

int main(int argc, char** argv) {
  llvm::StringRef file = argc > 1 ? argv[argc - 1] : "";
  return gluond::test::writeOrCheckPage(argc, argv, "diagnostics_docs",
                                        file.ends_with(".ts")   ? typeScript()
                                        : file.ends_with(".py") ? python()
                                                                : page());
}
