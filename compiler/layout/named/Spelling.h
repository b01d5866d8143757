// Layouts in the words of the user: gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0]), and what sets
// two of them apart.
//
// For layouts that nobody wrote (inferred ones, those of the IR) as much as for written ones. Field
// names are those of Gluon's classes; what has its default is left out.
#pragma once

#include "layout/named/Layout.h"

namespace gluond::layout {

// As an expression that evaluates to an equal layout. A layout without a class in Gluon (AMD's
// rotating one) is spelled in the same style, as AMDRotatingShared(...).
std::string spelling(const Layout& layout);

// "BlockedLayout", without a namespace.
llvm::StringRef gluonClass(const Layout& layout);

// A field that differs. `path` goes through parents: "size_per_thread", "parent.order",
// "parent.parent.dim". Where the classes differ, one entry with the path to them and the two
// spellings.
struct FieldDifference {
  std::string path;
  std::string left, right;
};
llvm::SmallVector<FieldDifference, 4> differences(const Layout& left, const Layout& right);

} // namespace gluond::layout
