// The callers of a function and the functions that it calls, including kernel launches.
#pragma once

#include "lsp/features/names/NameResolver.h"

#include <string>
#include <vector>

namespace gluond::lsp {

// A function of the workspace, or a file's top level, which launches kernels.
struct CallItem {
  std::shared_ptr<const driver::File> file;
  std::string name, detail;
  bool isKernel = false, isModule = false;
  text::Range range, nameRange;
};
struct CallEdge {
  CallItem item;                   // the caller or the callee
  std::vector<text::Range> places; // of the calls, in the caller's file
};

// Returns the function that is defined or used at `offset`.
std::optional<CallItem> callItemAt(NameResolver& resolver, const IndexedFile& file,
                                   text::Offset offset);
// `name` is the place of a function's name in its `def`.
std::vector<CallEdge> callsTo(NameResolver& resolver, const IndexedFile& file, text::Range name);
std::vector<CallEdge> callsFrom(NameResolver& resolver, const IndexedFile& file, text::Range name);

} // namespace gluond::lsp
