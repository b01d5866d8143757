// The names of the fields of layouts, Gluon's (fields::sizePerThread is "size_per_thread") and
// those of the IR's attributes and of Layout.h (fieldsInIr::sizePerThread is "sizePerThread").
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::layout {

namespace fields {
#define LAYOUT_FIELD(name, gluon) inline constexpr llvm::StringLiteral name = gluon;
#include "layout/named/FieldNames.def"
} // namespace fields

namespace fieldsInIr {
#define LAYOUT_FIELD(name, gluon) inline constexpr llvm::StringLiteral name = #name;
#define LAYOUT_FIELD_PART(name, field) inline constexpr llvm::StringLiteral name = #name;
#include "layout/named/FieldNames.def"
} // namespace fieldsInIr

} // namespace gluond::layout
