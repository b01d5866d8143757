// Findings as text for the terminal, as JSON (docs/using.md) and as SARIF 2.1.0.
#pragma once

#include "driver/Check.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gluond::cli {

// What one run of `check` (or a failed `emit`) found, with the files it speaks of.
class Report {
public:
  explicit Report(std::shared_ptr<const driver::Snapshot> snapshot)
      : snapshot_(std::move(snapshot)) {}

  // How the user named a file; files not named keep their path.
  void name(const std::string& path, const std::string& asGiven) { names_[path] = asGiven; }
  void add(std::vector<driver::Finding> findings);

  // In the order they were added: by file, then by place.
  const std::vector<driver::Finding>& findings() const { return findings_; }
  // Whether anything is an error or a warning: what makes `gluond check` exit with 1.
  bool failed() const;
  unsigned count(diagnostics::Severity severity) const;

  std::string fileName(diagnostics::FileId file) const;
  std::shared_ptr<const driver::File> file(diagnostics::FileId file) const;

private:
  std::shared_ptr<const driver::Snapshot> snapshot_;
  std::map<std::string, std::string> names_;
  std::vector<driver::Finding> findings_;
};

std::string renderText(const Report& report, bool color);
std::string renderJson(const Report& report);
std::string renderSarif(const Report& report);

} // namespace gluond::cli
