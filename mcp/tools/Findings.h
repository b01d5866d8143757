// Findings as the tools return them.
#pragma once

#include "driver/analysis/Check.h"
#include "mcp/tools/Places.h"

namespace gluond::mcp {

struct Change {
  std::optional<uint32_t> cell;
  uint32_t line = 1, column = 1, endLine = 1, endColumn = 1;
  std::string text;
  static constexpr auto fields() {
    return std::make_tuple(told("cell", &Change::cell, cellHelp), field("line", &Change::line),
                           field("column", &Change::column), field("endLine", &Change::endLine),
                           field("endColumn", &Change::endColumn),
                           told("text", &Change::text, "The text that replaces this range."));
  }
};
struct FixInfo {
  std::string title;
  bool safe = false;
  std::vector<Change> edits;
  static constexpr auto fields() {
    return std::make_tuple(
        field("title", &FixInfo::title),
        told("safe", &FixInfo::safe,
             "It keeps the meaning; another one may change it and needs a decision."),
        field("edits", &FixInfo::edits));
  }
};
struct Note {
  Place place;
  std::string message;
  static constexpr auto fields() {
    return std::make_tuple(field("place", &Note::place), field("message", &Note::message));
  }
};
struct FindingInfo {
  std::string file;
  std::optional<uint32_t> cell;
  uint32_t line = 1, column = 1, endLine = 1, endColumn = 1;
  std::string severity, code, message;
  std::optional<std::string> kernel, launch;
  std::vector<Note> related;
  std::vector<FixInfo> fixes;
  static constexpr auto fields() {
    return std::make_tuple(
        field("file", &FindingInfo::file), told("cell", &FindingInfo::cell, cellHelp),
        field("line", &FindingInfo::line), field("column", &FindingInfo::column),
        field("endLine", &FindingInfo::endLine), field("endColumn", &FindingInfo::endColumn),
        told("severity", &FindingInfo::severity, "How bad it is.",
             "error|warning|information|hint"),
        told("code", &FindingInfo::code, "The tool explain explains it."),
        field("message", &FindingInfo::message), field("kernel", &FindingInfo::kernel),
        field("launch", &FindingInfo::launch),
        told("related", &FindingInfo::related, "Other places that matter, such as the callers."),
        told("fixes", &FindingInfo::fixes, "The tool apply_fix applies them."));
  }
};

FindingInfo encodeFinding(const driver::Finding& finding, const Context& context);
// A place in a text that is not the one on disk.
FindingInfo encodeFinding(const driver::Finding& finding, const driver::Snapshot& snapshot,
                          const Context& context);

// The number of findings of each severity.
struct Counts {
  uint32_t errors = 0, warnings = 0, hints = 0;
  void add(diagnostics::Severity severity);
  static constexpr auto fields() {
    return std::make_tuple(
        field("errors", &Counts::errors), field("warnings", &Counts::warnings),
        told("hints", &Counts::hints, "Hints and information: most are about performance."));
  }
};

} // namespace gluond::mcp
