#include "mcp/tools/Findings.h"

#include "diagnostics/Table.h"
#include "driver/workspace/FileLine.h"

namespace gluond::mcp {

namespace {

template <typename Range> void setRange(Range& out, const driver::File* file, text::Range range) {
  if (!file) return;
  text::Position begin = file->text().position(range.begin, text::Unit::CodePoint),
                 end = file->text().position(range.end, text::Unit::CodePoint);
  driver::FileLine first = driver::lineAt(*file, range.begin),
                   last = driver::lineAt(*file, range.end);
  out.cell = first.cell;
  out.line = first.line;
  out.column = begin.character + 1;
  // The break after a cell's last line is in no cell.
  bool isInCell = last.cell == first.cell;
  out.endLine = isInCell ? last.line : first.line;
  out.endColumn = (isInCell ? end : begin).character + 1;
}

} // namespace

FindingInfo encodeFinding(const driver::Finding& finding, const Context& context) {
  return encodeFinding(finding, *context.snapshot, context);
}

FindingInfo encodeFinding(const driver::Finding& finding, const driver::Snapshot& snapshot,
                          const Context& context) {
  const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
  std::string path = snapshot.path(diagnostic.location.file);
  auto file = snapshot.found(path);
  FindingInfo info;
  info.file = nameOf(path, context);
  setRange(info, file.get(), diagnostic.location.range);
  info.severity = diagnostics::severityName(diagnostic.severity).str();
  info.code = diagnostics::slug(diagnostic.id).str();
  info.message = diagnostic.message;
  if (!finding.kernel.empty()) info.kernel = finding.kernel;
  if (!finding.launch.empty()) info.launch = finding.launch;
  for (const diagnostics::Related& note : diagnostic.related)
    info.related.push_back({placeOf(note.location, context), note.message});
  for (const diagnostics::Fix& fix : diagnostic.fixes) {
    FixInfo& out = info.fixes.emplace_back(FixInfo{fix.title.text, fix.isSafe(), {}});
    for (const text::Edit& edit : fix.edits) {
      Change& change = out.edits.emplace_back();
      change.text = edit.text;
      setRange(change, file.get(), edit.range);
    }
  }
  return info;
}

void Counts::add(diagnostics::Severity severity) {
  switch (severity) {
  case diagnostics::Severity::Error:
    ++errors;
    break;
  case diagnostics::Severity::Warning:
    ++warnings;
    break;
  default:
    ++hints;
  }
}

} // namespace gluond::mcp
