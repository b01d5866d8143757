// Findings as text for the terminal, and in the forms that programs read (docs/using.md).
#pragma once

#include "driver/analysis/Check.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gluond::cli {

// A place as people and programs find it.
struct ReportedRange {
  size_t cell = 0;           // of a notebook, counted from 1 among all of its cells; else 0
  text::Position begin, end; // of the cell or the file; UTF-16
  uint32_t fileLine = 0, fileEnd = 0; // the lines in the file, counted from 0
};

// The findings of one run of `check` (or of a failed `emit`), with the files that they mention.
class Report {
public:
  explicit Report(std::shared_ptr<const driver::Snapshot> snapshot)
      : snapshot_(std::move(snapshot)) {}

  // Sets how the user named a file; other files are shown by their path, relative to `folder` if
  // they are beneath it.
  void name(const std::string& path, const std::string& asGiven);
  void showRelativeTo(std::string folder) { folder_ = std::move(folder); }
  void add(std::vector<driver::Finding> findings);
  // Adds what checking a file found, perhaps in other files. A finding that several files lead to
  // is reported once, in the words used when its own file was checked.
  void add(std::vector<driver::Finding> findings, const std::string& path);
  // Sorts the findings by file (in the order in which files were named, then by path) and by place.
  // Call it after the last file.
  void sort();

  // For a report that is printed while it grows, instead of sort(): returns the findings that were
  // not returned before, of the files that were named up to `file`, in sort()'s order. Without
  // `file`, of all files.
  std::vector<size_t> takeDue(std::optional<std::string> file);

  const std::vector<driver::Finding>& findings() const { return findings_; }
  // Removes findings and returns their number.
  size_t remove(llvm::function_ref<bool(const driver::Finding&)> isRemoved);
  // Returns whether there is a finding of this severity or a worse one, which makes `gluond check`
  // exit with 1.
  bool failed(diagnostics::Severity least = diagnostics::Severity::Warning) const;
  unsigned count(diagnostics::Severity severity) const;
  // Whether the finding was only found where another file than its own was checked: --fix, which
  // tries a fix where its file is checked, leaves it alone.
  bool isSeenFromElsewhere(const driver::Finding& finding) const;

  std::string fileName(diagnostics::FileId file) const;
  std::string path(diagnostics::FileId file) const; // absolute
  std::shared_ptr<const driver::File> file(diagnostics::FileId file) const;
  ReportedRange range(diagnostics::FileId file, text::Range range) const;
  ReportedRange range(const diagnostics::Location& at) const { return range(at.file, at.range); }

private:
  std::shared_ptr<const driver::Snapshot> snapshot_;
  struct Named {
    std::string asGiven;
    size_t order;
  };
  std::map<std::string, Named> names_;
  std::string folder_; // empty: the others' paths are absolute
  std::vector<driver::Finding> findings_;
  std::vector<size_t> pending_; // of findings_: added and not yet taken
  // Where a finding stands among the others.
  using Place = std::tuple<size_t, std::string, text::Offset, text::Offset, size_t>;
  Place placeOf(size_t index) const;
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, unsigned>;
  static Key keyOf(const driver::Finding& finding);
  // Maps each kind of finding at a place to its index in findings_ and the file that was
  // checked.
  std::map<Key, std::pair<size_t, std::string>> told_;
};

// What `check` looked at, besides what it found.
struct CheckSummary {
  size_t files = 0;
  size_t unconcerned = 0;           // files found that do not use Gluon
  size_t fixed = 0;                 // findings
  std::vector<std::string> checked; // files, as the user named them
  // With a baseline, the number of its findings that are still there, and of those that are gone.
  size_t known = 0, gone = 0;
  driver::Coverage coverage = {};
  std::vector<std::string> gapFiles; // the file of each of coverage.gaps
  void add(const std::string& file, const driver::Coverage& more);
};

// Findings with a safe fix, and those that have suggested fixes only.
struct FixCounts {
  size_t safe = 0, suggested = 0;
};
FixCounts fixable(const Report& report);

std::string renderText(const Report& report, bool color);
// The parts of it: some of the findings, and their numbers by severity.
std::string renderFindings(const Report& report, llvm::ArrayRef<size_t> which, bool color);
std::string renderCounts(const Report& report);
// Returns the last lines of `check`: what can be fixed and what was looked at.
std::string renderSummary(const Report& report, const CheckSummary& summary, bool appliesAll);
std::string renderJson(const Report& report);

// " (cell 3, line 5)" for a place in a notebook, for forms that know files and lines only; else "".
std::string inCell(const ReportedRange& range);

// The forms that programs read.
struct Format {
  const char* name; // of --format
  std::string (*render)(const Report& report, const CheckSummary& summary);
};
llvm::ArrayRef<Format> formats();
std::string renderSarif(const Report& report, const CheckSummary& summary);
std::string renderGithub(const Report& report, const CheckSummary& summary);
std::string renderGitlab(const Report& report, const CheckSummary& summary);
std::string renderJunit(const Report& report, const CheckSummary& summary);

} // namespace gluond::cli
