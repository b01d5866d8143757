// Which specializations a command is about: a program's kernel and launch by name, or a record.
#pragma once

#include "driver/launches/Kernels.h"

#include <optional>
#include <string>
#include <vector>

namespace gluond::cli {

struct KernelQuery {
  std::string input;                 // a program, or launch records (*.jsonl)
  std::string kernel;                // qualified name; may be empty where there is one kernel only
  std::string launch;                // id; empty: the selected one
  bool all = false;                  // every launch of the kernel
  std::string target;                // for launches that name none; empty: as settings say
  std::vector<std::string> launches; // record files beyond those found by themselves
  std::vector<std::string> settings; // of --set
};

struct KernelChoice {
  std::shared_ptr<const driver::Snapshot> snapshot;
  std::string path;                      // of the program
  std::vector<driver::Variant> variants; // at least one, of one kernel
};

// Nothing: it was said on standard error what is wrong with the query (exit code 2).
std::optional<KernelChoice> chooseKernel(const KernelQuery& query);

} // namespace gluond::cli
