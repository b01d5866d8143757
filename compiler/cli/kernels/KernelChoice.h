// Which specializations a command works on: a program's kernel and launch by name, or a record.
#pragma once

#include "driver/launches/Kernels.h"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gluond::cli {

struct KernelQuery {
  std::string input;                     // a program, or launch records (*.jsonl)
  std::string kernel;                    // qualified name; may be empty if there is only one kernel
  std::string launch;                    // id; empty for the selected launch
  bool all = false;                      // every launch of the kernel
  std::string target;                    // for launches that name no target; empty for the setting
  std::vector<std::string> launches;     // record files to read besides those found automatically
  std::vector<std::string> settings;     // values of --set
  std::string kernelOption = "--kernel"; // names a kernel where the query comes from
};

struct KernelChoice {
  std::shared_ptr<const driver::Snapshot> snapshot;
  std::string path;                      // of the program
  std::vector<driver::Variant> variants; // at least one, all of one kernel
};

// The error is a sentence that says what is wrong with the query.
tl::expected<KernelChoice, std::string> findKernel(const KernelQuery& query);
// Returns nullopt if the query is wrong, after printing why on standard error (exit code 2).
std::optional<KernelChoice> chooseKernel(const KernelQuery& query);

// As messages name it: its launch or, if no launch was found, its kernel.
inline const std::string& nameOf(const driver::Variant& variant) {
  return variant.id.empty() ? variant.kernel : variant.id;
}

} // namespace gluond::cli
