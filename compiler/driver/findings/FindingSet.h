// What the check of a file finds, until all of it is known: a kind of mistake at one place is
// reported once for all specializations.
#pragma once

#include "driver/findings/BrokenText.h"
#include "driver/findings/Finding.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <tuple>

namespace gluond::driver {

class FindingSet {
public:
  void add(diagnostics::Diagnostic diagnostic, const std::string& kernel,
           const std::string& launch);
  // What was added so far are syntax errors.
  void endSyntaxErrors() { syntaxErrors_ = all_.size(); }
  // A configuration that an autotuner tries for a kernel: the id and the label of its launch.
  struct Configuration {
    llvm::StringRef launch, label;
  };
  // Says of what is slow or doubtful in some of the configurations of a kernel in which ones it is:
  // the tuner may choose another one. `tried`: all launches of the kernel.
  void nameConfigurations(const std::string& kernel, llvm::ArrayRef<Configuration> tried);
  // Drops the findings that syntax errors explain. Nothing is added afterwards.
  void keepUnexplained(const BrokenText& broken);
  // By place, without those that the text silences, and one of each cause. With `checked`, comments
  // of that file that silence nothing are findings, too.
  struct Checked {
    const File& file;
    // Whether all findings at a place, or in a function that begins there, were added.
    llvm::function_ref<bool(text::Offset)> isWhole;
  };
  std::vector<Finding> take(const Snapshot& snapshot, const Checked* checked = nullptr);

private:
  struct Ordered {
    Finding finding;
    size_t order;
    std::vector<std::string> launches; // that have it
  };
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, unsigned>, size_t> seen_; // to all_
  std::vector<Ordered> all_;
  size_t syntaxErrors_ = 0;
};

} // namespace gluond::driver
