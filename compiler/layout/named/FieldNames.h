// Gluon's names of the fields of layouts: fields::sizePerThread is "size_per_thread".
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::layout {

namespace fields {
#define LAYOUT_FIELD(name, gluon) inline constexpr llvm::StringLiteral name = gluon;
#include "layout/named/FieldNames.def"
} // namespace fields

} // namespace gluond::layout
