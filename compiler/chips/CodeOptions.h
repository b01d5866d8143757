// Launch options that change the machine code and nothing before it: stage `ttgir` is the same
// whatever they are.
#pragma once

#include "chips/Chip.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <utility>
#include <vector>

namespace gluond::chips {

struct CodeOptions {
  bool fusesMultiplyAdd = true;  // enable_fp_fusion: a * b + c may be rounded once
  bool flushesDenormals = false; // allow_flush_denorm
  unsigned wavesPerUnit = 0;     // waves_per_eu: registers are allocated for so many; 0: any number
  bool isCuMode = false;         // wgp_cu_mode: a program stays in one CU of a work-group processor
  // llvm_fn_attrs: LLVM's attributes of the kernel, with their values.
  std::vector<std::pair<std::string, std::string>> functionAttributes{};

  bool operator==(const CodeOptions&) const = default;
};

// How a launch sets one of them.
struct CodeOptionRow {
  llvm::StringLiteral name;   // "waves_per_eu"
  bool isOfAmd;               // only AMD's back end has it
  llvm::StringLiteral values; // what is allowed: "a number from 0 to 1024"
  // Returns false if the text is no such value. Booleans are "true" or "false"; pairs of
  // attributes are "name=value,name".
  bool (*set)(CodeOptions& options, llvm::StringRef text);
  std::string (*text)(const CodeOptions& options); // empty for the default
};
llvm::ArrayRef<CodeOptionRow> codeOptionRows();
// Returns null if there is none of this name for the vendor.
const CodeOptionRow* findCodeOption(llvm::StringRef name, Vendor vendor);

// Returns the options that differ from the defaults, as `name=value` separated by semicolons.
std::string textOf(const CodeOptions& options);

} // namespace gluond::chips
