// Layouts as values: Gluon's layout classes, which are frozen dataclasses.
//
// A LayoutClass is one row of Layouts.def: name, base, fields with their defaults, and what the
// class checks when it is made. A LayoutObject (Value.h) holds the fields after the constructor
// ran. The cache policies are frozen dataclasses of the same make and are rows too (family Policy).
// What a layout means (its linear map) is compiler/layout's business: toLayout() hands it over.
#pragma once

#include "language/values/Failure.h"
#include "language/values/Value.h"

#include <tl/expected.hpp>

#include <optional>
#include <string>

namespace gluond::language {

enum class LayoutKind : uint8_t {
#define LAYOUT_CLASS(kind, ...) kind,
#include "language/types/Layouts.def"
};

enum class LayoutFamily : uint8_t { Distributed, Shared, TensorMemory, Policy };

// What a field holds once the constructor ran.
enum class FieldKind : uint8_t {
  Int,
  Bool,
  Str,
  Real,
  Ints,   // list of int
  Bases,  // list of list of int
  Layout, // another layout
  Any,
};

struct LayoutField {
  llvm::StringLiteral name;
  FieldKind kind;
};

struct LayoutClass {
  LayoutKind kind;
  LayoutFamily family;
  llvm::StringLiteral name;   // __qualname__: what repr prints
  llvm::StringLiteral module; // where Triton defines it
  llvm::ArrayRef<LayoutField> fields;
  LayoutKind
      base; // a subclass has its fields: MBarrierLayout is a SwizzledSharedLayout; itself for none

  // isinstance(x, other)
  bool isA(LayoutKind other) const { return kind == other || base == other; }
};
const LayoutClass& layoutClass(LayoutKind kind);
llvm::ArrayRef<LayoutClass> layoutClasses();

inline bool isA(const LayoutObject* layout, LayoutKind kind) {
  return layout && layout->cls->isA(kind);
}
inline bool isDistributed(const LayoutObject* layout) {
  return layout && layout->cls->family == LayoutFamily::Distributed;
}
inline bool isShared(const LayoutObject* layout) {
  return layout && layout->cls->family == LayoutFamily::Shared;
}
// AutoLayout, CoalescedLayout: to be inferred.
inline bool isUnresolved(const LayoutObject* layout) {
  return isA(layout, LayoutKind::AutoLayout) || isA(layout, LayoutKind::CoalescedLayout);
}

// Runs the constructor (__post_init__) over the arguments, one per constructor parameter, defaults
// filled in, constexpr wrappers removed. Unknown in any argument gives Unknown, and so do arguments
// that nest too deeply or are too large for any layout.
tl::expected<Value, Failure> makeLayout(LayoutKind kind, Values arguments, Heap& heap);
// The same from the fields as the constructor leaves them: what a launch record holds.
tl::expected<Value, Failure> makeLayoutOf(LayoutKind kind, Values fields, Heap& heap);
// Without checks: for layouts that come from IR. `fields` as the class declares them.
LayoutObject* makeLayoutUnchecked(LayoutKind kind, Values fields, Heap& heap);

// A field by name ("order"); null when the class has none.
const Value* field(const LayoutObject& layout, llvm::StringRef name);
// Numbers out of field values; nullopt when the value is something else.
std::optional<llvm::SmallVector<int64_t, 4>> ints(Value value);
using Basis = llvm::SmallVector<int64_t, 4>;
std::optional<llvm::SmallVector<Basis, 4>> bases(Value value);
Value listOf(llvm::ArrayRef<int64_t> items, Heap& heap);
Value listOf(llvm::ArrayRef<Basis> items, Heap& heap);

// layout.rank; nullopt where Triton raises (AutoLayout, CoalescedLayout).
std::optional<unsigned> rankOf(const LayoutObject& layout);
// layout.cga_layout, derived for Slice and DotOperand.
llvm::SmallVector<Basis, 4> cgaLayoutOf(const LayoutObject& layout);
// What `layout.name` gives in Python: fields and properties (rank, cga_layout, shape, type is not
// here).
tl::expected<Value, Failure> layoutAttribute(const LayoutObject& layout, llvm::StringRef name,
                                             Heap& heap);

// The constructor's name for what an attribute of the IR calls "sizePerThread": "size_per_thread".
std::string fieldOfAttribute(llvm::StringRef name);

// _get_shape_per_cta
tl::expected<llvm::SmallVector<int64_t, 4>, Failure> shapePerCta(llvm::ArrayRef<int64_t> shape,
                                                                 llvm::ArrayRef<Basis> cgaLayout);

// layout.mangle()
std::string mangle(const LayoutObject& layout);

} // namespace gluond::language
