// A layout as an object of Gluon's class: which class it is, and the values of the constructor's
// parameters. What prints layouts, makes them values of the program or looks for them in its text
// reads this.
#pragma once

#include "layout/named/Layout.h"

#include <variant>

namespace gluond::layout {

using Numbers = llvm::SmallVector<int64_t, 4>;
using FieldValue = std::variant<int64_t, bool, llvm::StringLiteral, Numbers, Bases, Layout>;

struct GluonField {
  llvm::StringLiteral name; // of FieldNames.def
  FieldValue value;
  bool isOptional = false; // the constructor has a default for it
  bool isDefault = false;  // the value is that default, so that an expression leaves it out
};

struct GluonObject {
  llvm::StringLiteral space, cls;          // "gl.amd.", "AMDMFMALayout"
  llvm::SmallVector<GluonField, 8> fields; // in the order of the constructor
  size_t positional = 0; // so many parameters are usually written without their names
};

// Must not be called with an empty handle. A layout without a class in Gluon (AMD's rotating one)
// has no namespace.
GluonObject gluonObject(const Layout& layout);

} // namespace gluond::layout
