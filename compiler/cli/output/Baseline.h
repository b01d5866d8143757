// Findings that a project has accepted, in a file: `gluond check --baseline FILE` reports only what
// is not among them.
//
// A finding is known by its file, its code and the text of its line, so that it stays known when
// lines move. Entries of a file that is no more hold the same findings of another one, which may be
// that file by another name. The file is JSON with a finding on each line, sorted, for people to
// review and git to merge. Its paths are relative to its own folder.
#pragma once

#include "cli/output/Render.h"

#include <tl/expected.hpp>

#include <set>

namespace gluond::cli {

class Baseline {
public:
  // `path` is absolute. The error is a sentence.
  static tl::expected<Baseline, std::string> read(const std::string& path);
  static Baseline empty(const std::string& path) { return Baseline(path); }

  // Removes the findings that it holds from the report, and returns their number. An entry holds
  // as many findings as it counts.
  size_t withhold(Report& report);
  // The number of findings that entries of these files (absolute paths), or of files that are no
  // more, hold and that withhold() has not met.
  size_t gone(const std::set<std::string>& checked) const;

  // The contents of a baseline that holds all findings of the report, and what this one holds of
  // files that are there and were not checked.
  std::string updated(const Report& report, const std::set<std::string>& checked) const;

private:
  struct Entry {
    std::string file, code, line;
    auto operator<=>(const Entry&) const = default;
  };

  explicit Baseline(const std::string& path);
  Entry entryOf(const Report& report, const driver::Finding& finding) const;
  // Whether the entry is of one of these files, or of a file that is no more.
  bool isOf(const Entry& entry, const std::set<std::string>& checked) const;
  bool isThere(const std::string& file) const;

  std::string folder_;
  std::map<Entry, size_t> entries_;           // with the number of findings
  std::map<Entry, size_t> left_;              // those that withhold() has not met
  mutable std::map<std::string, bool> there_; // of the files that were looked for
};

} // namespace gluond::cli
