// Prints layouts as users write them, gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0]), and
// compares two of them.
//
// Works for inferred layouts and those of the IR as well as for written ones. Field names are those
// of Gluon's classes; fields with default values are left out.
#pragma once

#include "layout/named/Layout.h"

namespace gluond::layout {

// Returns an expression that evaluates to an equal layout. A layout without a class in Gluon (AMD's
// rotating one) is spelled in the same style, as AMDRotatingShared(...).
std::string spelling(const Layout& layout);

// Returns "BlockedLayout", without a namespace.
llvm::StringRef gluonClass(const Layout& layout);

// A field that differs. `path` includes parents: "size_per_thread", "parent.order",
// "parent.parent.dim". If the classes differ, there is one entry with the path to them and the two
// spellings.
struct FieldDifference {
  std::string path;
  std::string left, right;
};
llvm::SmallVector<FieldDifference, 4> differences(const Layout& left, const Layout& right);

} // namespace gluond::layout
