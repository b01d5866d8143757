#include "cli/output/FindingIdentity.h"

#include "diagnostics/Table.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

namespace gluond::cli {

std::string lineOf(const Report& report, const driver::Finding& finding) {
  constexpr size_t most = 300;
  auto file = report.file(finding.diagnostic.location.file);
  if (!file) return {};
  const text::SourceText& text = file->text();
  uint32_t line = text.position(finding.diagnostic.location.range.begin).line;
  llvm::StringRef rest = text.text().drop_front(text.lineStart(line));
  rest = rest.take_until([](char c) { return c == '\n' || c == '\r'; }).trim().take_front(most);
  std::string valid; // as it is when a file of JSON has been written and read
  text::appendValidUtf8(valid, rest);
  return valid;
}

std::vector<std::string> fingerprintsOf(const Report& report) {
  std::vector<std::string> all;
  std::map<std::string, unsigned> seen;
  for (const driver::Finding& finding : report.findings()) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    std::string identity = report.fileName(diagnostic.location.file) + '\n' +
                           diagnostics::slug(diagnostic.id).str() + '\n' + lineOf(report, finding);
    unsigned occurrence = seen[identity]++;
    if (occurrence) identity += '\n' + std::to_string(occurrence);
    all.push_back(llvm::utohexstr(llvm::xxh3_64bits(identity), /*LowerCase=*/true, /*Width=*/16));
  }
  return all;
}

} // namespace gluond::cli
